//! What does a URL look like, once its identifiers are forgotten?
//!
//! Real sites hide structure inside a path segment: `thread-123-1.html`, `2024-05-01`, `p12345`. **\[ours\]** A *shape*
//! is a segment with each run of digits, each hash and each title replaced by the name of its class:
//!
//! | class | stands for |
//! |---|---|
//! | `#` | a run of digits |
//! | `{uuid}` | a UUID |
//! | `{hex}` | 12 or more hexadecimal digits, letters and figures mixed |
//! | `{word}`, `{words}` | one run of Latin letters, several |
//! | `{text}` | letters of another script |
//!
//! [`segment_shape`] is for one segment, [`url_shape`] for a whole path and query. [`is_token_like`] asks the other
//! question of a value: is it so random that it names one person or opens one door, and must not be kept?

mod general;
mod latin;
mod pairs;
mod segment;
mod token;
mod whole;

pub use general::general_shape;
pub use segment::segment_shape;
pub use token::{REMOVED_VALUE, is_token_like};
pub use whole::url_shape;
