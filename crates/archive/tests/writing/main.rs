//! Promises of the writer: what the standard asks, what a crash leaves, what the index says, what other tools read.

mod check;
mod full;
mod index;
mod standard;
mod support;
mod torn;
mod warcio;
