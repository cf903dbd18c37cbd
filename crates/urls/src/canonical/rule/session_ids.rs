//! Rule `session_ids`: remove the name a server gave to one visitor's visit.
//!
//! A session id makes the same page look like a new URL to every visitor, and may let a stranger take over the visit.
//! Removed from the query: the parameters of [`NAMES`] and [`PREFIXES`]; `sid` and `s` only if the value looks like a
//! session id, because news sites and searches use the same names for what the page is about. Removed from the path:
//! `;jsessionid=…`, up to the next `;` or `/`; a removal that would leave a dot segment is not made, for it would turn
//! the URL into another one. Names in any case. Off: all of it stays.

use super::dot_segments::is_dot_segment;
use super::name_set::NameSet;

/// Parameters that hold a session id, whatever their value. Lower case; any case matches.
pub(super) const NAMES: &[&str] = &[
    "phpsessid",
    "phpsessionid",
    "jsessionid",
    "jsession_id",
    "sessionid",
    "session_id",
    "sessid",
    "asp.net_sessionid",
    "cfid",
    "cftoken",
    "oscsid",
    "zenid",
    "xtcsid",
    "_session_id",
    "sesskey",
    "psessionid",
];

/// Beginnings of such names: classic ASP appends random letters.
pub(super) const PREFIXES: &[&str] = &["aspsessionid"];

/// Path parameters that hold a session id.
const PATH_NAMES: &[&str] = &["jsessionid", "phpsessid", "sessionid"];

/// The shortest value of `sid` that is a session id rather than a story's number.
const SID_LENGTH: usize = 16;

/// The length of the value of `s` that is a session id (MD5 in hexadecimal).
const S_LENGTH: usize = 32;

static SET: NameSet = NameSet::new(NAMES, PREFIXES);

/// Whether a parameter of this name holds a session id, with some value at least.
pub(in super::super) fn may_be_session_id(name: &[u8]) -> bool {
    matches!(name, [b's' | b'S'] | [b's' | b'S', b'i' | b'I', b'd' | b'D']) || SET.contains(name)
}

/// Whether the parameter holds a session id.
pub(in super::super) fn is_session_id(name: &[u8], value: &[u8]) -> bool {
    if name.len() <= 3 {
        return match name {
            [b's' | b'S'] => value.len() == S_LENGTH && value.iter().all(u8::is_ascii_hexdigit),
            [b's' | b'S', b'i' | b'I', b'd' | b'D'] => {
                value.len() >= SID_LENGTH
                    && value.iter().any(u8::is_ascii_digit)
                    && value.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b',' | b'.'))
            }
            _ => false,
        };
    }
    SET.contains(name)
}

/// The path without session ids, `None` if it has none.
pub(in super::super) fn without_path_ids(path: &str) -> Option<String> {
    memchr::memchr(b';', path.as_bytes())?;
    let mut out = String::with_capacity(path.len());
    for (i, segment) in path.split('/').enumerate() {
        if i > 0 {
            out.push('/');
        }
        let start = out.len();
        let mut parameters = segment.split(';');
        out.push_str(parameters.next().unwrap_or_default());
        for parameter in parameters.filter(|it| !is_path_id(it)) {
            out.push(';');
            out.push_str(parameter);
        }
        if is_dot_segment(&out[start..]) {
            out.truncate(start);
            out.push_str(segment);
        }
    }
    (out.len() < path.len()).then_some(out)
}

fn is_path_id(parameter: &str) -> bool {
    let (name, _) = parameter.split_once('=').unwrap_or((parameter, ""));
    PATH_NAMES.iter().any(|it| it.eq_ignore_ascii_case(name)) && name.len() < parameter.len()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Canonicalizer, Rules};

    fn canonical(raw: &str) -> String {
        Canonicalizer::default().origin_form(raw.as_bytes()).unwrap().into_owned()
    }

    #[test]
    fn ours_session_ids_leave_the_query() {
        for raw in [
            "/p?a=1&PHPSESSID=abc&b=2",
            "/p?a=1&b=2&jsessionid=1",
            "/p?osCsid=9&a=1&b=2&ZenId=x",
            "/p?a=1&b=2&ASPSESSIONIDQABC=1&CFID=7&CFTOKEN=8",
            "/p?a=1&b=2&sid=0123456789abcdef0123456789abcdef",
            "/p?a=1&s=0123456789ABCDEF0123456789abcdef&b=2",
            "/p?a=1&amp;PHPSESSID=abc&b=2",
        ] {
            assert_eq!(canonical(raw), "/p?a=1&b=2", "{raw}");
        }
    }

    #[test]
    fn ours_a_story_number_or_a_search_is_no_session_id() {
        for raw in
            ["/p?sid=12345", "/p?s=laptop", "/p?sid=galaxy-note-and-more", "/p?s=0123456789abcdef", "/p?session=4"]
        {
            assert_eq!(canonical(raw), raw);
        }
    }

    #[test]
    fn ours_session_ids_leave_the_path() {
        assert_eq!(canonical("/a/b.do;jsessionid=1A.n2?x=1"), "/a/b.do?x=1");
        assert_eq!(canonical("/a;JSessionID=1/b;v=2;jsessionid=3;w"), "/a/b;v=2;w");
        assert_eq!(canonical("/a;v=2/b"), "/a;v=2/b");
        assert_eq!(canonical("/a;jsessionid/b"), "/a;jsessionid/b");
    }

    #[test]
    fn ours_a_removal_never_makes_a_dot_segment() {
        assert_eq!(canonical("/a/..;jsessionid=1/b"), "/a/..;jsessionid=1/b");
        assert_eq!(canonical("/a/%2e;jsessionid=1/b"), "/a/%2E;jsessionid=1/b");
    }

    #[test]
    fn ours_session_ids_stay_when_the_rule_is_off() {
        let url = Canonicalizer::new(Rules { session_ids: false, ..Rules::default() });
        let raw = "/a;jsessionid=1?PHPSESSID=2";
        assert_eq!(url.origin_form(raw.as_bytes()).unwrap(), raw);
    }
}
