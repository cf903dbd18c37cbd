//! What does a line of `events.jsonl.zst` say?
//!
//! ```text
//! {"trodden_events":2}
//! {"event":"seeded","at":1760000000000,"key":0,"url":"https://example.org/"}
//! {"event":"discovered","at":…,"key":7,"url":"https://example.org/a","from":0}
//! {"event":"fetched","at":…,"key":7,"url":"https://example.org/a","outcome":"page","status":200,"bytes":512,"took_ms":12,
//!  "media_type":"text/html","change":"first","pattern":"/*","expected":0.25}
//! ```
//! Every line has the first four fields; what an event has no value for is left out. The whole table is in docs/formats/events.md.
//!
//! Lines of version 1 have no `url` and call the outcome `kind`; they are read into the same [`EventLine`].

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use trodden_frontier::UrlId;
use trodden_ordering::{Change, OutcomeKind};

/// The version of the format that is written.
pub const EVENTS_VERSION: u32 = 2;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EventName {
    /// A URL was given to start from.
    Seeded,
    /// A URL was seen for the first time, as a link.
    Discovered,
    /// A URL was handed out to learn, not because it was the best.
    Explored,
    /// A URL was fetched, or could not be.
    Fetched,
    /// A list of URLs was read, or could not be.
    Listed,
    /// A URL may not be asked for.
    Refused,
    /// A page was given up to make room for another.
    Evicted,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventLine<'l> {
    /// What happened.
    pub event: EventName,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The number of the URL, in the order of first sight.
    pub key: UrlId,
    /// The URL; empty in version 1.
    #[serde(default)]
    pub url: Cow<'l, str>,
    /// The number of the page that the URL was found on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<UrlId>,
    /// What asking for it came to.
    #[serde(default, alias = "kind", skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeKind>,
    /// The status of the answer; none without an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Bytes of the body, as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Milliseconds from the request to the end of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u32>,
    /// The media type that the server gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<Cow<'l, str>>,
    /// Whether it is what it was the last time.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "change")]
    pub change: Option<Change>,
    /// The pattern of the model that covers the URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Cow<'l, str>>,
    /// Visits a day that the order expected of it; none where it expects none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<f32>,
}

impl<'l> EventLine<'l> {
    pub(super) fn new(event: EventName, at: u64, key: UrlId, url: Cow<'l, str>) -> Self {
        Self {
            event,
            at,
            key,
            url,
            from: None,
            outcome: None,
            status: None,
            bytes: None,
            took_ms: None,
            media_type: None,
            change: None,
            pattern: None,
            expected: None,
        }
    }
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) trodden_events: u32,
}

/// Small letters, as all names in the file; version 1 began them with a capital.
mod change {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use trodden_ordering::Change;

    const NAMES: [(&str, Change); 3] =
        [("first", Change::First), ("unchanged", Change::Unchanged), ("changed", Change::Changed)];

    #[expect(clippy::ref_option, reason = "serde gives a reference")]
    pub(super) fn serialize<S: Serializer>(change: &Option<Change>, serializer: S) -> Result<S::Ok, S::Error> {
        match NAMES.iter().find(|(_, named)| Some(named) == change.as_ref()) {
            Some((name, _)) => serializer.serialize_str(name),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Change>, D::Error> {
        let Some(name) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        let found = NAMES.iter().find(|(named, _)| name.eq_ignore_ascii_case(named));
        found.map(|(_, change)| Some(*change)).ok_or_else(|| D::Error::custom(format!("no change is called {name:?}")))
    }
}
