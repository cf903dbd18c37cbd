//! What a log line says, before anybody judges it.
//!
//! An [`Entry`] is a line split into fields. It borrows from the line, or from the [`Context`](super::Context)
//! where escapes had to be undone, and it holds people's addresses and user names: so its `Debug` output gives
//! lengths, never content.

use std::fmt;

/// The status given to a record that says that no answer was sent at all (`000` in Squid, nginx and CloudFront).
///
/// nginx's own number for it. Zero would mean "the log does not say", which is something else.
pub const NO_ANSWER: u16 = 444;

/// One log line, split but not judged. Empty = the log does not say.
#[derive(Clone, Copy, Default)]
pub struct Entry<'a> {
    /// Milliseconds since 1970 UTC; 0 where a delimited log has no time column.
    pub time_ms: i64,
    /// The peer that connected.
    pub address: &'a [u8],
    /// The first address of X-Forwarded-For, or of a trailing field that is an address.
    pub forwarded: &'a [u8],
    /// Id column, cookie or authenticated name.
    pub user: &'a [u8],
    /// Empty: the log does not say.
    pub method: &'a [u8],
    /// `/path?query` or an absolute URL, escapes undone.
    pub target: &'a [u8],
    /// Virtual host if the log has one; may carry `:port`.
    pub host: &'a [u8],
    /// Whether the scheme was https, if the log says.
    pub https: Option<bool>,
    /// 0: the log does not say. [`NO_ANSWER`]: it says that there was none.
    pub status: u16,
    /// The referrer as sent, escapes undone.
    pub referrer: &'a [u8],
    /// The user agent as sent, escapes undone.
    pub agent: &'a [u8],
    /// The content type of the answer.
    pub content_type: &'a [u8],
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("time_ms", &self.time_ms)
            .field("status", &self.status)
            .field("https", &self.https)
            .field("address", &Hidden(self.address))
            .field("forwarded", &Hidden(self.forwarded))
            .field("user", &Hidden(self.user))
            .field("method", &Hidden(self.method))
            .field("target", &Hidden(self.target))
            .field("host", &Hidden(self.host))
            .field("referrer", &Hidden(self.referrer))
            .field("agent", &Hidden(self.agent))
            .field("content_type", &Hidden(self.content_type))
            .finish()
    }
}

/// Prints how long a field is, and nothing of what it says.
struct Hidden<'a>(&'a [u8]);

impl fmt::Debug for Hidden<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} bytes>", self.0.len())
    }
}

/// What a line turned out to be.
#[derive(Clone, Copy, Debug)]
pub enum Parsed<'a> {
    /// A record.
    Entry(Entry<'a>),
    /// A directive or a line of column names.
    Header,
}

/// Why a line is no record. Says nothing of the line's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LineFault {
    /// The line does not have the shape of the format.
    Malformed,
    /// The time stamp is no time between 1970 and 9999.
    BadTime,
    /// The request line names no method and target, or there is no target.
    BadRequest,
    /// The status is no three-digit number.
    BadStatus,
}

impl LineFault {
    /// The name under which it is counted, in kebab-case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::BadTime => "bad-time",
            Self::BadRequest => "bad-request",
            Self::BadStatus => "bad-status",
        }
    }
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_debug_never_prints_what_a_line_says() {
        let entry = Entry { address: b"192.0.2.1", target: b"/secret", ..Entry::default() };
        let shown = format!("{entry:?} {:?}", Parsed::Entry(entry));
        assert!(!shown.contains("192.0.2.1") && !shown.contains("secret"));
        assert!(shown.contains("<9 bytes>"));
    }

    #[test]
    fn ours_faults_have_kebab_case_names() {
        assert_eq!(LineFault::Malformed.as_str(), "malformed");
        assert_eq!(LineFault::BadTime.to_string(), "bad-time");
        assert_eq!(LineFault::BadRequest.as_str(), "bad-request");
        assert_eq!(LineFault::BadStatus.as_str(), "bad-status");
    }
}
