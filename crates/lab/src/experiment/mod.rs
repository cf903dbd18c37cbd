//! Which order is better? All policies on one mirror, judged by what people read later.
//!
//! An experiment has a wall in it. On one side is the past: [`split()`] writes the visits before the cut to a directory of
//! their own, without the URLs that are hidden, and [`Training`] is made from that directory alone; it is all that a
//! policy can know. On the other side is the future: [`Traffic`], by which crawls are judged, and which only the oracles
//! see ([`policies`]).
//!
//! 1. [`split()`]: visits → training visits on disk, test traffic in memory.
//! 2. [`training`]: training visits → models and counts.
//! 3. [`policies`]: names → policies, or why they cannot run.
//! 4. [`compare()`]: crawls in parallel → events → numbers.

pub mod compare;
mod judge;
pub mod policies;
pub mod split;
pub mod traffic;
pub mod training;

pub use compare::{Experiment, Rehearsal, compare};
pub use policies::PolicySettings;
pub use split::{Hidden, Split, SplitAt, TestVisit, read_visits, split};
pub use traffic::{Traffic, TrafficKind, read_export};
pub use training::{Training, TrainingSettings, train};
