//! Was the order any good?
//!
//! A [`Mirror`] is the world a simulated crawl runs in; [`mod@crawl`] walks it by a policy, with the engine of every crawl and a clock of
//! its own, and [`history`] changes it meanwhile;
//! [`experiment`] does that for all policies and judges them by what people read later ([`metric`]) and by the importance
//! of pages ([`importance`]); [`topical`] does it for crawls that look for a topic; [`report`] tells the result. [`revisits`] compares schedules that
//! fetch pages again. [`synthetic`] is a site with readers, made up from a seed.
//!
//! Nothing here reads a clock: the same inputs and the same seed give the same bytes.

pub mod chance;
pub mod crawl;
mod error;
pub mod experiment;
pub mod graph;
pub mod history;
pub mod importance;
pub mod inputs;
pub mod judgment;
pub mod metric;
pub mod mirror;
pub mod quality;
pub mod report;
pub mod result;
pub mod revisits;
pub mod synthetic;
pub mod topical;
pub mod urls;

pub use error::Error;
pub use inputs::hash_of_inputs;
pub use mirror::{Kind, Mirror, MirrorNotes, MirrorOptions, open_mirror};
pub use urls::UrlTexts;
