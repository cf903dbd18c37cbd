//! What does a person see?
//!
//! Numbers as people read them ([`number`]), texts that no name from outside can rule ([`text`], [`clean`]), tables for a
//! terminal ([`grid`], [`screen`]), charts as SVG ([`chart`]), pages of HTML that fetch nothing ([`page`]), and rows for
//! programs ([`csv`], [`json`], [`table`]: also Parquet, of any length). It knows no crawl and no experiment: whoever has something to show brings the words.
//!
//! The same values give the same bytes: no clock, no machine, no order of a hash map.

pub mod chart;
pub mod clean;
pub mod csv;
pub mod file;
pub mod grid;
pub mod json;
pub mod number;
pub mod page;
pub mod screen;
pub mod table;
pub mod text;

pub use number::{counted, thousands};
