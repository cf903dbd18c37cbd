//! The tree of URL patterns of a site.

mod branch;
mod census;
mod grow;
mod outline;
mod pattern_tree;
mod salient;
mod split;

pub use outline::Outline;

pub(crate) use branch::Branch;
pub(crate) use pattern_tree::PatternTree;

#[cfg(test)]
mod tests;
