//! What may we do on a site, after asking for its robots.txt?
//!
//! The answer decides before its words do (RFC 9309 §2.3.1):
//!
//! | answer | means |
//! |---|---|
//! | 2xx | its rules |
//! | more than five redirects | there is none: everything |
//! | a redirect that leads nowhere, or out of HTTP | nothing: what it says is somewhere else |
//! | 4xx | there is none: everything |
//! | 429 | the server is overloaded: nothing. The RFC counts it among 4xx; Google does as we do |
//! | 5xx, no answer, what is no answer of HTTP, an answer that breaks off or stalls | nothing, or an old copy that is not too old |

use serde::{Deserialize, Serialize};
use trodden_frontier::Span;

use super::caps::STALE_LIFE;
use super::file::RobotsFile;
use super::rules::{RobotsRules, Verdict};

/// What came of asking for a robots.txt, after redirects were followed, even to other hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotsAnswer<'a> {
    /// The server answered, and the answer is whole. Not for a 304: it says that the copy at hand is still good; nor for a
    /// redirect that can be followed.
    Answered {
        /// The status.
        status: u16,
        /// The body, unpacked; one byte more than [`ROBOTS_BYTES`](super::ROBOTS_BYTES) is enough of it.
        body: &'a [u8],
    },
    /// The sixth redirect in a row.
    TooManyRedirects,
    /// No answer: no address, no connection, no end, too late; or one that is not whole.
    Unreachable,
}

/// What may be fetched of an origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// What the rules allow.
    Rules(RobotsRules),
    /// Everything: there is no robots.txt.
    Everything,
    /// Nothing, until robots.txt can be read.
    Nothing {
        /// Why.
        why: Closed,
    },
}

/// Why nothing may be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Closed {
    /// 429: too many requests.
    Overloaded,
    /// The server failed, or gave a status that answers nothing.
    Status(u16),
    /// It did not answer.
    Unreachable,
}

impl Access {
    /// What an answer means for the crawler of this product token.
    pub fn of(answer: &RobotsAnswer<'_>, agent_token: &str) -> Self {
        match *answer {
            RobotsAnswer::Answered { status: 200..=299, body } => {
                Self::Rules(RobotsFile::parse(body).rules_for(agent_token))
            }
            RobotsAnswer::Answered { status: 429, .. } => Self::Nothing { why: Closed::Overloaded },
            RobotsAnswer::Answered { status: status @ 300..=399, .. } => Self::Nothing { why: Closed::Status(status) },
            RobotsAnswer::Answered { status: 400..=499, .. } | RobotsAnswer::TooManyRedirects => Self::Everything,
            RobotsAnswer::Answered { status, .. } => Self::Nothing { why: Closed::Status(status) },
            RobotsAnswer::Unreachable => Self::Nothing { why: Closed::Unreachable },
        }
    }

    /// What holds when robots.txt could not be had just now: the copy that was got `age` ago, if there is one and it is
    /// no older than [`STALE_LIFE`]; else nothing.
    ///
    /// The RFC would allow to use it longer, or to take the file for missing by then. We do neither.
    pub fn after_failure(why: Closed, old: Option<(Self, Span)>) -> Self {
        match old {
            Some((copy @ (Self::Rules(_) | Self::Everything), age)) if age <= STALE_LIFE => copy,
            _ => Self::Nothing { why },
        }
    }

    /// May this path be fetched? robots.txt itself always may.
    pub fn verdict(&self, path_and_query: &str) -> Verdict {
        match self {
            Self::Rules(rules) => rules.verdict(path_and_query),
            Self::Everything => Verdict::Allowed,
            Self::Nothing { .. } if path_and_query == "/robots.txt" => Verdict::Allowed,
            Self::Nothing { .. } => Verdict::Disallowed,
        }
    }

    /// How many bytes of memory its rules take.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Rules(rules) => rules.bytes(),
            Self::Everything | Self::Nothing { .. } => 0,
        }
    }

    /// The pause that the site asks for.
    pub fn crawl_delay(&self) -> Option<Span> {
        match self {
            Self::Rules(rules) => rules.crawl_delay(),
            Self::Everything | Self::Nothing { .. } => None,
        }
    }
}
