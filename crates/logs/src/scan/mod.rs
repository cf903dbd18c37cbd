//! The first reading: every line parsed, every URL canonical, every user a number.
//!
//! A worker takes blocks of lines and turns each line into a [`Record`](crate::spool::Record), in a run of its own.
//! What it needs to know of a text (a target, a referrer, an agent) it works out once and remembers by the text's
//! 128-bit fingerprint; most lines of a log repeat texts, so a line costs three look-ups, not three parses.

mod cache;
mod scanner;
mod shared;
mod totals;
mod url_lookup;
mod visitors;

pub(crate) use cache::{TextCache, TextKey};
pub(crate) use scanner::Scanner;
pub(crate) use shared::ScanShared;
pub(crate) use totals::ScanTotals;
