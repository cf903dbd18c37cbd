//! What is known of a URL, and what came of asking for it?

use serde::{Deserialize, Serialize};
use trodden_frontier::{QueueId, UrlId};

use crate::outcome_kind::OutcomeKind;

/// A URL that the crawl knows.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// What stands for it.
    pub key: UrlId,
    /// Its text; empty where the world has no URLs, or the policy does not read them.
    pub url: &'a str,
    /// The page it was found on; none for a seed.
    pub from: Option<UrlId>,
    /// The text of the link it was found by.
    pub anchor: &'a str,
}

impl<'a> Known<'a> {
    /// A URL that nobody linked to.
    pub fn seed(key: UrlId, url: &'a str) -> Self {
        Self { key, url, from: None, anchor: "" }
    }
}

/// A link of a page. A page links to a URL once, and never to itself; whoever reads pages sees to that.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// What it leads to.
    pub key: UrlId,
    /// The queue of that.
    pub queue: QueueId,
    /// The text of the URL; empty where the world has none, or the policy does not read them.
    pub url: &'a str,
    /// The text of the link.
    pub anchor: &'a str,
    /// Whether the crawl sees the URL for the first time; the engine knows.
    pub is_new: bool,
}

/// The words of a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageText<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub body: &'a str,
}

/// What a policy may learn from what came of asking for a URL.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// What it came to.
    pub kind: OutcomeKind,
    /// Whether it is what it was when it was last fetched.
    pub change: Change,
    /// Bytes of the body, as sent.
    pub bytes: u64,
    /// Whether the server can be asked next time whether it has changed (`ETag`, `Last-Modified`).
    pub has_validators: bool,
    /// The words of a page, where they were asked for and there are some.
    pub text: Option<PageText<'a>>,
}

/// Whether a page is what it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Change {
    /// It was never fetched before.
    #[default]
    First,
    /// It is another.
    Changed,
    /// It is the same.
    Unchanged,
}

impl<'a> Outcome<'a> {
    /// A page, seen for the first time.
    #[must_use]
    pub fn page(text: Option<PageText<'a>>) -> Self {
        Self { text, ..Self::of(OutcomeKind::Page) }
    }

    /// Something of this kind, of which nothing else is known.
    #[must_use]
    pub fn of(kind: OutcomeKind) -> Self {
        Self { kind, change: Change::First, bytes: 0, has_validators: false, text: None }
    }

    /// Whether there is a page.
    #[must_use]
    pub fn is_page(&self) -> bool {
        self.kind.is_page()
    }
}
