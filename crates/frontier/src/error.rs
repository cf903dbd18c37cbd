//! What can go wrong with a frontier.

use thiserror::Error;

use crate::LeaseId;

/// Why a frontier could not do what it was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A lease that was never given, was settled before, or has run out.
    #[error("there is no lease {}: it was settled before, or ran out; take the URL again", .0.0)]
    NoSuchLease(LeaseId),
}
