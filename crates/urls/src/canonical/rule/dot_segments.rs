//! Rule `dot_segments`: resolve `.` and `..` in the path.
//!
//! RFC 3986 §5.2.4; WHATWG takes `%2e` for a dot as well. The `url` crate always resolves them; so the work of this
//! file is the switch. Off: the path is encoded as WHATWG encodes it, segment by segment, but no segment is resolved.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::written::Written;

/// The WHATWG path percent-encode set, as far as `url` applies it.
const PATH: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'?').add(b'`').add(b'{').add(b'}');

/// The path with its dot segments.
pub(in super::super) fn as_written(raw: &str) -> String {
    let written = Written::new(raw);
    let path = written.path().replace('\\', "/");
    if path.is_empty() {
        return "/".to_owned();
    }
    utf8_percent_encode(&path, PATH).to_string()
}

/// Whether a segment is `.` or `..` in any spelling.
pub(super) fn is_dot_segment(segment: &str) -> bool {
    let mut rest = segment.as_bytes();
    for dots in 0..=2 {
        if rest.is_empty() {
            return dots > 0;
        }
        rest = match rest {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return false,
        };
    }
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::{Canonicalizer, Rules};

    fn canonical(dot_segments: bool, raw: &str) -> String {
        let canonicalizer = Canonicalizer::new(Rules { dot_segments, ..Rules::default() });
        canonicalizer.absolute(raw.as_bytes()).unwrap().as_str().to_owned()
    }

    #[test]
    fn rfc3986_dot_segments_are_resolved() {
        assert_eq!(canonical(true, "http://a.com/b/c/./../../g"), "http://a.com/g");
        assert_eq!(canonical(true, "http://a.com/b/%2E%2e/g/."), "http://a.com/g/");
        assert_eq!(canonical(true, "http://a.com/../.."), "http://a.com/");
    }

    #[test]
    fn ours_dot_segments_stay_when_the_rule_is_off() {
        assert_eq!(canonical(false, "http://a.com/b/./../g/.."), "http://a.com/b/./../g/..");
        assert_eq!(canonical(false, "http://A.com\\b\\..\\%2e?x=1#y"), "http://a.com/b/../%2E?x=1");
        assert_eq!(canonical(false, "http://a.com?x=1"), "http://a.com/?x=1");
        assert_eq!(canonical(false, "http://a.com/.. /{ü}"), "http://a.com/..%20/%7B%C3%BC%7D");
    }

    #[test]
    fn whatwg_a_dot_segment_has_one_or_two_dots_in_any_spelling() {
        for segment in [".", "..", "%2e", "%2E.", ".%2e", "%2e%2E"] {
            assert!(is_dot_segment(segment), "{segment}");
        }
        for segment in ["", "...", "%2e%2e%2e", "a", ".a", "..a", "%2", "%2f"] {
            assert!(!is_dot_segment(segment), "{segment}");
        }
    }

    proptest! {
        #[test]
        fn whatwg_our_encoding_of_a_path_without_dots_is_the_standards(path in "(/[^.%2?#\t\r\n]{0,6}){1,5}x") {
            let raw = format!("http://a.com{path}");
            prop_assert_eq!(canonical(false, &raw), canonical(true, &raw));
        }
    }
}
