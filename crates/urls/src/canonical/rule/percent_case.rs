//! Rule `percent_case`: write `%xx` in upper case.
//!
//! RFC 3986 §6.2.2.1: the hexadecimal digits of an escape are case-insensitive. WHATWG leaves them as they are. Off:
//! they stay. A `%` that begins no escape is left alone, as WHATWG does.

/// `text` with every escape from byte `from` on in upper case.
pub(in super::super) fn upper(text: String, from: usize) -> String {
    let mut bytes = text.into_bytes();
    let mut at = from;
    while let Some(found) = memchr::memchr(b'%', &bytes[at..]) {
        at += found + 1;
        if let [high, low, ..] = &mut bytes[at..]
            && high.is_ascii_hexdigit()
            && low.is_ascii_hexdigit()
        {
            high.make_ascii_uppercase();
            low.make_ascii_uppercase();
            at += 2;
        }
    }
    String::from_utf8(bytes).expect("changing the case of ASCII letters keeps UTF-8 valid")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Canonicalizer, Rules};

    #[test]
    fn rfc3986_escapes_are_upper_case() {
        let url = Canonicalizer::default();
        let made = url.absolute(b"http://a.com/%c3%bC/%zz%2?q=%e2%82%ac%").unwrap();
        assert_eq!(made.as_str(), "http://a.com/%C3%BC/%zz%2?q=%E2%82%AC%");
        assert_eq!(url.origin_form(b"/%%aa%a").unwrap(), "/%%AA%a");
    }

    #[test]
    fn ours_escapes_stay_when_the_rule_is_off() {
        let url = Canonicalizer::new(Rules { percent_case: false, ..Rules::default() });
        assert_eq!(url.origin_form(b"/%c3%bC?%aF").unwrap(), "/%c3%bC?%aF");
    }
}
