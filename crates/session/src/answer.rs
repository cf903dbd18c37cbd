//! What is a session told of a URL that was fetched, and what does it say to that?

use trodden_ordering::{Change, OutcomeKind, PageText};

use crate::record::{ArchivePlace, UrlRecord};

/// What a server said of a URL.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// What it comes to.
    pub kind: OutcomeKind,
    /// The status; 0 without an answer.
    pub status: u16,
    /// Bytes of the body, as sent.
    pub bytes: u64,
    /// The media type, in lower case and without parameters.
    pub media_type: Option<String>,
    /// Milliseconds it took.
    pub took_ms: u32,
    /// To ask whether it has changed.
    pub etag: Option<String>,
    /// To ask whether it has changed.
    pub last_modified: Option<String>,
    /// Whether it asks not to be shown.
    pub is_noindex: bool,
    /// A hash of its content.
    pub digest: Option<u64>,
    /// Where the archive has it.
    pub archived: Option<ArchivePlace>,
    /// The words of a page, where the policy reads them.
    pub text: Option<PageText<'a>>,
}

impl Answer<'_> {
    /// Nobody answered, or nothing more is known.
    #[must_use]
    pub fn of(kind: OutcomeKind) -> Self {
        Self {
            kind,
            status: 0,
            bytes: 0,
            media_type: None,
            took_ms: 0,
            etag: None,
            last_modified: None,
            is_noindex: false,
            digest: None,
            archived: None,
            text: None,
        }
    }
}

/// A link of a page. A page links to a URL once.
#[derive(Clone, Copy, Debug)]
pub struct FoundLink<'a> {
    /// Where it leads, in canonical form.
    pub url: &'a str,
    /// The name of the queue of that.
    pub queue: &'a str,
    /// The text of the link.
    pub anchor: &'a str,
}

/// What settling a URL came to.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Its record now.
    pub record: UrlRecord,
    /// Its record before, if it was settled before.
    pub before: Option<UrlRecord>,
    /// Whether it is what it was.
    pub change: Change,
    /// Links that were not known before.
    pub new_links: u64,
}
