//! Rule `credentials`: drop `user:password@`.
//!
//! A log or page that spells out credentials must not spread them, and the page behind them is not public. Off: they
//! stay in the text, but `Display` and `Debug` of the URL still cannot print them.

use url::{Position, Url};

/// What stays of the credentials when the rule is off, `@` included.
pub(in super::super) fn kept(url: &Url) -> &str {
    &url[Position::BeforeUsername..Position::BeforeHost]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Canonicalizer, Rules};

    const WITH: &[u8] = b"https://ann:secret@a.com:8443/p?q=1";

    #[test]
    fn ours_credentials_are_dropped() {
        let url = Canonicalizer::default().absolute(WITH).unwrap();
        assert_eq!(url.as_str(), "https://a.com:8443/p?q=1");
    }

    #[test]
    fn ours_kept_credentials_cannot_be_printed() {
        let canonicalizer = Canonicalizer::new(Rules { credentials: false, ..Rules::default() });
        let url = canonicalizer.absolute(WITH).unwrap();
        assert_eq!(url.as_str(), "https://ann:secret@a.com:8443/p?q=1");
        assert_eq!((url.host(), url.port(), url.path()), ("a.com", Some(8443), "/p"));
        assert_eq!(url.to_string(), "https://***@a.com:8443/p?q=1");
        assert_eq!(format!("{url:?}"), "CanonicalUrl(https://***@a.com:8443/p?q=1)");
        let only_user = canonicalizer.absolute(b"http://ann@a.com/").unwrap();
        assert_eq!(only_user.to_string(), "http://***@a.com/");
    }
}
