//! What does the pattern tree of a site look like?
//!
//! [`Outline`] is its bare shape, which is all that a cut needs: read it first.

mod outline;

pub use outline::Outline;
