//! What did asking for a URL come to? One kind for each way in which it can end; failures of the web are among them.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $code:literal, $name:literal;)+) => {
        /// What asking for a URL came to.
        ///
        /// It is stored by its [code](Self::code), which never changes; a kind that goes leaves its code unused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

            /// What stands for it on disk.
            #[must_use]
            pub fn code(self) -> u8 {
                match self { $(Self::$kind => $code),+ }
            }

            /// The kind that a code stands for; none if it stands for none that this program knows.
            #[must_use]
            pub fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$kind),)+ _ => None }
            }
        }
    };
}

kinds! {
    /// A page that was read.
    Page = 1, "page";
    /// Something else that was fetched and kept: a picture, a document.
    Document = 2, "document";
    /// What we have is still right.
    NotModified = 3, "not-modified";
    /// It leads elsewhere.
    Redirect = 4, "redirect";
    /// It leads elsewhere, once too often.
    TooManyRedirects = 5, "too-many-redirects";
    /// It says that it is elsewhere, and not where: no `Location`, or one that is no URL of http or https.
    BadRedirect = 6, "bad-redirect";
    /// A page that says there is no such page.
    SoftNotFound = 7, "soft-not-found";
    /// There is no such page.
    NotFound = 8, "not-found";
    /// We may not have it: 401, 403, 407, 451.
    Forbidden = 9, "forbidden";
    /// Another complaint about the request.
    ClientError = 10, "client-error";
    /// We ask too often.
    TooMany = 11, "too-many-requests";
    /// Not now.
    Unavailable = 12, "unavailable";
    /// The server failed.
    ServerError = 13, "server-error";
    /// An answer that means nothing to us.
    OddStatus = 14, "odd-status";
    /// robots.txt does not allow it.
    RobotsDenied = 15, "robots-denied";
    /// robots.txt cannot be had, so nothing may be asked.
    RobotsUnreachable = 16, "robots-unreachable";
    /// A kind of content that is not wanted.
    NotWanted = 17, "not-wanted";
    /// A sitemap, feed or robots.txt that was read.
    Listing = 18, "listing";
    /// There is no such host.
    NoSuchHost = 19, "no-such-host";
    /// Its name could not be looked up now.
    Dns = 20, "dns";
    /// An address that may not be asked.
    AddressRefused = 21, "address-refused";
    /// Nobody answers there.
    Connect = 22, "connect";
    /// It is not who it says it is.
    Tls = 23, "tls";
    /// It took too long.
    TimeOut = 24, "time-out";
    /// It broke off.
    Disconnected = 25, "disconnected";
    /// What it said is not HTTP.
    Malformed = 26, "malformed";
    /// It says more than anyone wants to hear.
    TooLarge = 27, "too-large";
    /// It cannot be asked for at all.
    BadUrl = 28, "bad-url";
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

    /// Whether a reader who follows a link to it gets no page. What only we may not have or take (robots.txt, a login, too many
    /// requests, too large, not wanted, an address that we may not ask) is not broken.
    #[must_use]
    pub fn is_broken(self) -> bool {
        matches!(
            self,
            Self::TooManyRedirects
                | Self::BadRedirect
                | Self::SoftNotFound
                | Self::NotFound
                | Self::ClientError
                | Self::Unavailable
                | Self::ServerError
                | Self::OddStatus
                | Self::NoSuchHost
                | Self::Dns
                | Self::Connect
                | Self::Tls
                | Self::TimeOut
                | Self::Disconnected
                | Self::Malformed
                | Self::BadUrl
        )
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

impl Serialize for OutcomeKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.name())
        } else {
            serializer.serialize_u8(self.code())
        }
    }
}

impl<'de> Deserialize<'de> for OutcomeKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        if deserializer.is_human_readable() {
            let name = String::deserialize(deserializer)?;
            let kind = Self::ALL.iter().find(|kind| kind.name() == name);
            return kind.copied().ok_or_else(|| D::Error::custom(format!("no outcome is called {name:?}")));
        }
        let code = u8::deserialize(deserializer)?;
        Self::from_code(code).ok_or_else(|| D::Error::custom(format!("no outcome has the code {code}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_codes_are_told_apart_and_are_those_of_the_first_day() {
        for kind in OutcomeKind::ALL {
            assert_eq!(OutcomeKind::from_code(kind.code()), Some(*kind));
        }
        let mut codes: Vec<u8> = OutcomeKind::ALL.iter().map(|kind| kind.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), OutcomeKind::ALL.len());
        // Crawls on disk hold these.
        let first = [("page", 1), ("redirect", 4), ("not-found", 8), ("robots-denied", 15), ("bad-url", 28)];
        for (name, code) in first {
            assert_eq!(OutcomeKind::from_code(code).map(OutcomeKind::name), Some(name));
        }
        assert_eq!(OutcomeKind::from_code(0), None);
    }
}
