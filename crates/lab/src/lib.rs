//! Was the order any good?

pub mod graph;
pub mod result;
