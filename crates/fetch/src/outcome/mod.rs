//! What did asking for a URL come to?
//!
//! Every request ends in one [`OutcomeKind`]; failures of the web are outcomes, not errors. What to do about each is one
//! table ([`retry`]).

mod retry;

pub use retry::{LONGEST, Retry, Stops, retry};
pub use trodden_ordering::OutcomeKind;

use crate::client::FetchFault;
use crate::dns::DnsFault;

/// What kept a server from answering, as an outcome.
#[must_use]
pub fn of_fault(fault: &FetchFault) -> OutcomeKind {
    match fault {
        FetchFault::BadUrl | FetchFault::BadPort(_) => OutcomeKind::BadUrl,
        FetchFault::Dns(DnsFault::NotFound) => OutcomeKind::NoSuchHost,
        FetchFault::Dns(_) => OutcomeKind::Dns,
        FetchFault::AddressRefused(_) => OutcomeKind::AddressRefused,
        FetchFault::Connect(_) | FetchFault::Proxy(_) => OutcomeKind::Connect,
        FetchFault::Tls(_) => OutcomeKind::Tls,
        FetchFault::TimeOut(_) => OutcomeKind::TimeOut,
        FetchFault::HeadTooLong | FetchFault::TooManyHeaders | FetchFault::TooManyInterim => OutcomeKind::TooLarge,
        FetchFault::Disconnected => OutcomeKind::Disconnected,
        FetchFault::Malformed(_) => OutcomeKind::Malformed,
    }
}
