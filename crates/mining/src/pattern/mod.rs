//! What is a pattern: what its URLs share, what varies, and how it is written.

mod text;
mod traits;

pub(crate) use text::Known;
pub use text::{LEGEND, legend};
pub(crate) use traits::Traits;
