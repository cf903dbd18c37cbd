//! Who reads what on a site?
//!
//! So far: what mining works on. A visit becomes a [`Triple`] (who went from where to what, once in a
//! [`DedupWindow`]); the triples of a site fill its [`SiteTable`], with the counts that every method starts from.
//!
//! The crate is pure: no input or output, no clock, no randomness, no order of hash maps in any result.

mod site_table;
mod triple;

pub use site_table::{SiteTable, SiteTableBuilder, UrlCounts};
pub use triple::{DedupWindow, Entrance, From, Triple};
