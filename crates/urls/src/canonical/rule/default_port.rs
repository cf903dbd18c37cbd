//! Rule `default_port`: drop `:80` of http and `:443` of https.
//!
//! RFC 3986 §6.2.3: a port that is the scheme's default says nothing. The `url` crate always drops it; so the work of
//! this file is the switch. Off: a default port that the text spells out stays, as a number.

use url::Url;

use super::written::Written;

/// The port that the text spells out, default or not.
pub(in super::super) fn as_written(raw: &str, url: &Url) -> Option<u16> {
    if url.port().is_some() {
        return url.port();
    }
    let written = Written::new(raw);
    let authority = written.authority();
    let host_and_port = authority.rfind('@').map_or(authority, |at| &authority[at + 1..]);
    let after_host = host_and_port.rfind(']').map_or(host_and_port, |at| &host_and_port[at + 1..]);
    let (_, port) = after_host.rsplit_once(':')?;
    port.parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Canonicalizer, Rules};

    fn canonical(default_port: bool, raw: &str) -> String {
        let canonicalizer = Canonicalizer::new(Rules { default_port, ..Rules::default() });
        let url = canonicalizer.absolute(raw.as_bytes()).unwrap();
        url.as_str().to_owned()
    }

    #[test]
    fn rfc3986_a_default_port_is_dropped() {
        assert_eq!(canonical(true, "http://a.com:80/"), "http://a.com/");
        assert_eq!(canonical(true, "https://a.com:0443/"), "https://a.com/");
        assert_eq!(canonical(true, "https://a.com:80/"), "https://a.com:80/");
        assert_eq!(canonical(true, "http://a.com:/"), "http://a.com/");
    }

    #[test]
    fn ours_a_default_port_that_is_written_stays_when_the_rule_is_off() {
        assert_eq!(canonical(false, "http://a.com:80/"), "http://a.com:80/");
        assert_eq!(canonical(false, " HTTP:\\\\u:1@A.com:08\t0?x"), "http://a.com:80/?x");
        assert_eq!(canonical(false, "https://[::1]:443/"), "https://[::1]:443/");
        assert_eq!(canonical(false, "https://[::1]/"), "https://[::1]/");
        assert_eq!(canonical(false, "https://a.com/x:443"), "https://a.com/x:443");
        assert_eq!(canonical(false, "http://a.com:/"), "http://a.com/");
        assert_eq!(canonical(false, "http://a.com:81/"), "http://a.com:81/");
    }

    #[test]
    fn ours_a_default_port_is_no_port_even_if_it_is_spelled_out() {
        let canonicalizer = Canonicalizer::new(Rules { default_port: false, ..Rules::default() });
        let url = canonicalizer.absolute(b"http://a.com:80/p").unwrap();
        assert_eq!((url.port(), url.host(), url.path()), (None, "a.com", "/p"));
    }
}
