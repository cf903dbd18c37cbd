//! Promises of the writer: what the standard asks, what a crash leaves, what the index says, what other tools read.
#![allow(clippy::unwrap_used)]

mod check;
mod full;
mod index;
mod killed;
mod packed;
mod standard;
mod support;
mod torn;
mod warcio;
