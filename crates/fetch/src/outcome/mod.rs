//! What did asking for a URL come to?
//!
//! Every request ends in one [`OutcomeKind`]; failures of the web are outcomes, not errors. What to do about each is one
//! table ([`retry`]).

mod retry;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use retry::{LONGEST, Retry, Stops, retry};

use crate::client::FetchFault;
use crate::dns::DnsFault;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal),+ $(,)?) => {
        /// What asking for a URL came to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum OutcomeKind { $($(#[$doc])* $kind),+ }

        impl OutcomeKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// Its name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),+ }
            }
        }
    };
}

kinds! {
    /// A page that was read.
    Page = "page",
    /// Something else that was fetched and kept: a picture, a document.
    Document = "document",
    /// What we have is still right.
    NotModified = "not-modified",
    /// It leads elsewhere.
    Redirect = "redirect",
    /// It leads elsewhere, once too often.
    TooManyRedirects = "too-many-redirects",
    /// It says that it is elsewhere, and not where: no `Location`, or one that is no URL of http or https.
    BadRedirect = "bad-redirect",
    /// A page that says there is no such page.
    SoftNotFound = "soft-not-found",
    /// There is no such page.
    NotFound = "not-found",
    /// We may not have it: 401, 403, 407, 451.
    Forbidden = "forbidden",
    /// Another complaint about the request.
    ClientError = "client-error",
    /// We ask too often.
    TooMany = "too-many-requests",
    /// Not now.
    Unavailable = "unavailable",
    /// The server failed.
    ServerError = "server-error",
    /// An answer that means nothing to us.
    OddStatus = "odd-status",
    /// robots.txt does not allow it.
    RobotsDenied = "robots-denied",
    /// robots.txt cannot be had, so nothing may be asked.
    RobotsUnreachable = "robots-unreachable",
    /// A kind of content that is not wanted.
    NotWanted = "not-wanted",
    /// A sitemap, feed or robots.txt that was read.
    Listing = "listing",
    /// There is no such host.
    NoSuchHost = "no-such-host",
    /// Its name could not be looked up now.
    Dns = "dns",
    /// An address that may not be asked.
    AddressRefused = "address-refused",
    /// Nobody answers there.
    Connect = "connect",
    /// It is not who it says it is.
    Tls = "tls",
    /// It took too long.
    TimeOut = "time-out",
    /// It broke off.
    Disconnected = "disconnected",
    /// What it said is not HTTP.
    Malformed = "malformed",
    /// It says more than anyone wants to hear.
    TooLarge = "too-large",
    /// It cannot be asked for at all.
    BadUrl = "bad-url",
    /// The budget of its pattern is spent.
    OverBudget = "over-budget",
}

impl OutcomeKind {
    /// By a status, as far as that alone tells.
    #[must_use]
    pub fn of_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Page,
            304 => Self::NotModified,
            301 | 302 | 303 | 307 | 308 => Self::Redirect,
            404 | 410 => Self::NotFound,
            401 | 403 | 407 | 451 => Self::Forbidden,
            429 => Self::TooMany,
            503 => Self::Unavailable,
            400..=499 => Self::ClientError,
            500..=599 => Self::ServerError,
            _ => Self::OddStatus,
        }
    }

    /// By what kept a server from answering.
    #[must_use]
    pub fn of_fault(fault: &FetchFault) -> Self {
        match fault {
            FetchFault::BadUrl | FetchFault::BadPort(_) => Self::BadUrl,
            FetchFault::Dns(DnsFault::NotFound) => Self::NoSuchHost,
            FetchFault::Dns(_) => Self::Dns,
            FetchFault::AddressRefused(_) => Self::AddressRefused,
            FetchFault::Connect(_) | FetchFault::Proxy(_) => Self::Connect,
            FetchFault::Tls(_) => Self::Tls,
            FetchFault::TimeOut(_) => Self::TimeOut,
            FetchFault::HeadTooLong | FetchFault::TooManyHeaders | FetchFault::TooManyInterim => Self::TooLarge,
            FetchFault::Disconnected => Self::Disconnected,
            FetchFault::Malformed(_) => Self::Malformed,
        }
    }

    /// Whether the server gave us what was asked for.
    #[must_use]
    pub fn is_success(self) -> bool {
        matches!(self, Self::Page | Self::Document | Self::NotModified | Self::Redirect | Self::Listing)
    }

    /// Whether it is a page, as budgets count them: a status of 2xx, or the news that a page has not changed, of a media type that is
    /// wanted.
    #[must_use]
    pub fn is_page(self) -> bool {
        matches!(self, Self::Page | Self::Document | Self::NotModified)
    }

    /// Whether robots.txt, or that there was none to be had, kept us from asking.
    #[must_use]
    pub fn is_by_robots(self) -> bool {
        matches!(self, Self::RobotsDenied | Self::RobotsUnreachable)
    }
}

impl fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
