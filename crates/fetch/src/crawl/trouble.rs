//! What went wrong, for whoever has to be told why a crawl got nothing: the first case of each kind.

use super::Crawl;
use super::fetch_task::FetchTask;
use crate::client::{Exchange, FetchFault, HttpAnswer};
use crate::outcome::OutcomeKind;

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What was wanted.
    pub url: String,
    /// Why it was not had.
    pub cause: TroubleCause,
}

/// Why something was not had, as far as its kind does not say so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TroubleCause {
    /// Its kind says it all.
    Plain,
    /// There was no answer.
    Fault(FetchFault),
    /// The answer had this status.
    Status(u16),
    /// It leads to this URL, which does not belong to the crawl.
    LedTo(String),
    /// It is of this media type.
    MediaType(String),
}

impl TroubleCause {
    /// By what came back.
    pub(super) fn of(exchange: Option<&Exchange>) -> Self {
        match exchange.map(|exchange| &exchange.answer) {
            Some(Ok(answer)) => Self::Status(answer.status),
            Some(Err(fault)) => Self::Fault(*fault),
            None => Self::Plain,
        }
    }

    /// By the media type of an answer.
    pub(super) fn media_type(answer: &HttpAnswer) -> Self {
        Self::MediaType(answer.media_type().unwrap_or_default())
    }
}

impl Crawl {
    /// Remembers it, if it is the first of its kind.
    pub(super) fn note_trouble(&mut self, fetch: &FetchTask, kind: OutcomeKind, cause: TroubleCause) {
        let trouble = || Trouble { url: fetch.url.clone(), cause };
        self.tally.troubles.entry(kind).or_insert_with(trouble);
    }
}
