//! Who reads what on a site?
//!
//! - What mining works on. A visit becomes a [`Triple`] (who went from where to what, once in a [`DedupWindow`]); the
//!   triples of a site fill its [`SiteTable`], with the counts that every method starts from.
//! - Which URLs behave alike. The shape of a pattern tree is an [`Outline`]; a [`Cut`] through it is a set of patterns,
//!   chosen by how often people visit ([`visit_cut`]) and then by where they come from and go to ([`transit_cut`]).
//! - Which patterns matter. A [`Strategy`] scores them for a [`Goal`], best by the votes of a [`BehaviorGraph`].
//!
//! The crate is pure: no input or output, no clock, no randomness, no order of hash maps in any result.

mod cut;
mod rank;
mod site_table;
mod tree;
mod triple;

pub use cut::{Cut, Flows, TransitCut, Weighting, description_length, transit_cut, visit_cut};
pub use rank::{BehaviorGraph, Damping, Goal, PatternFlows, Ranks, Strategy};
pub use site_table::{SiteTable, SiteTableBuilder, UrlCounts};
pub use tree::Outline;
pub use triple::{DedupWindow, Entrance, From, Triple};
