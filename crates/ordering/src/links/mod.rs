//! What links tell: the graph of a crawl so far, and PageRank on it and on whole graphs.
//!
//! [`pagerank`](pagerank()) solves a graph that is known as a whole, to a stated error. [`GrowingGraph`] keeps scores
//! while a crawl finds pages, for the order of that crawl. Both speak of the same scores up to a common factor, so both
//! order pages alike.

mod block;
mod components;
mod damping;
mod growing;
mod pagerank;
mod rows;
#[cfg(test)]
mod tests;

pub use damping::{PageRankDamping, Tolerance};
pub use growing::{GrowingGraph, RERANK_TOLERANCE};
pub use pagerank::{PageRank, pagerank};
pub use rows::Rows;
