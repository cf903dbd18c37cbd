//! All that a policy may know of people: models and counts, from training visits alone.

use trodden_logs::training;
pub use trodden_logs::training::{Training, TrainingSettings};
use trodden_logs::visits::VisitSource;

use crate::error::Error;

/// Learns from a directory of visits.
///
/// # Errors
/// If the visits cannot be read.
pub fn train(dir: &str, settings: &TrainingSettings) -> Result<Training, Error> {
    Ok(training::train(VisitSource::find(&[dir.to_owned()])?, settings)?)
}
