//! Why is this text no URL that we can use?
//!
//! A fault never repeats the text: a URL may hold a password or a person's name, and faults end up in logs.

use thiserror::Error;
use url::ParseError;

/// Why a text was refused as a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum UrlFault {
    /// Longer than the cap, as given or once percent-encoded.
    #[error("the URL is {bytes} bytes long, over the cap of {cap}; raise the cap if the site needs such URLs")]
    TooLong {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        cap: usize,
    },
    /// A scheme other than `http` and `https`.
    #[error("the URL's scheme is neither http nor https")]
    NotHttp,
    /// No scheme at all: a relative reference, or no URL.
    #[error("the text is not an absolute URL: it must start with http:// or https://")]
    NotAbsolute,
    /// The target of a request line does not start with a slash.
    #[error("the request target is not in origin form: it must start with a slash")]
    NotOriginForm,
    /// The host is empty.
    #[error("the URL names no host")]
    NoHost,
    /// The host is no domain, IPv4 or IPv6 address.
    #[error("the URL's host is neither a domain name nor an IP address")]
    BadHost,
    /// The port is no number from 0 to 65535.
    #[error("the URL's port is not a number from 0 to 65535")]
    BadPort,
    /// Anything else that the WHATWG parser refuses.
    #[error("the URL is malformed")]
    Malformed,
}

impl From<ParseError> for UrlFault {
    fn from(error: ParseError) -> Self {
        match error {
            ParseError::EmptyHost => Self::NoHost,
            ParseError::IdnaError
            | ParseError::InvalidIpv4Address
            | ParseError::InvalidIpv6Address
            | ParseError::InvalidDomainCharacter => Self::BadHost,
            ParseError::InvalidPort => Self::BadPort,
            ParseError::RelativeUrlWithoutBase => Self::NotAbsolute,
            _ => Self::Malformed,
        }
    }
}
