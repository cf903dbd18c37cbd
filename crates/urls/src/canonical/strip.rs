//! What is left of path and query once session ids and tracking parameters are gone?
//!
//! Order and bytes of what stays are kept. When nothing of the query stays, its `?` goes too; a `?` with nothing
//! after it is dropped likewise, because servers give both the same page. (Both only if one of the two rules is on:
//! bare WHATWG keeps it.)

use std::borrow::Cow;

use super::rule::{session_ids, tracking};
use super::rules::Rules;

/// Where path, query (`?` included) and fragment (`#` included) begin in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spans {
    pub(super) path: usize,
    pub(super) query: usize,
    pub(super) fragment: usize,
}

/// Applies both rules to `text`, moving `spans` along. Allocates only if something in the middle goes.
pub(super) fn apply<'a>(rules: &Rules, text: Cow<'a, str>, spans: &mut Spans) -> Cow<'a, str> {
    let path = if rules.session_ids { session_ids::without_path_ids(&text[spans.path..spans.query]) } else { None };
    let query = text[spans.query..spans.fragment].strip_prefix('?');
    let kept = match query {
        Some(query) if rules.strip_parameters() => kept_parameters(rules, query),
        _ => Kept::All,
    };
    let fragment = &text[spans.fragment..];
    match (path, kept) {
        (None, Kept::All) => text,
        (None, Kept::First(length)) if fragment.is_empty() => {
            let end = if length == 0 { spans.query } else { spans.query + 1 + length };
            spans.fragment = end;
            match text {
                Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
                Cow::Owned(mut text) => {
                    text.truncate(end);
                    Cow::Owned(text)
                }
            }
        }
        (path, kept) => {
            let mut out = String::with_capacity(text.len());
            out.push_str(&text[..spans.path]);
            out.push_str(path.as_deref().unwrap_or(&text[spans.path..spans.query]));
            let query_at = out.len();
            let kept = match (&kept, query) {
                (Kept::All, query) => query,
                (Kept::First(length), query) => query.map(|query| &query[..*length]).filter(|query| !query.is_empty()),
                (Kept::Some(query), _) => Some(query.as_str()),
            };
            if let Some(query) = kept {
                out.push('?');
                out.push_str(query);
            }
            let fragment_at = out.len();
            out.push_str(fragment);
            spans.query = query_at;
            spans.fragment = fragment_at;
            Cow::Owned(out)
        }
    }
}

/// Which parameters of a query stay.
enum Kept {
    /// The query is unchanged.
    All,
    /// The first so many bytes; none: the query goes, and its `?` with it.
    First(usize),
    /// Something before the end went.
    Some(String),
}

fn kept_parameters(rules: &Rules, query: &str) -> Kept {
    if query.is_empty() {
        return Kept::First(0);
    }
    // Up to the first parameter that goes, nothing is copied: most queries have none.
    let mut start = 0;
    loop {
        let end = parameter_end(query, start);
        if is_removed(rules, &query.as_bytes()[start..end]) {
            break;
        }
        if end == query.len() {
            return Kept::All;
        }
        start = end + 1;
    }
    // The ampersand before a removed parameter goes with it.
    let first = start.saturating_sub(1);
    let mut any = start > 0;
    let mut kept: Option<String> = None;
    let mut rest = query[start..].split('&').skip(1).filter(|it| !is_removed(rules, it.as_bytes()));
    for parameter in &mut rest {
        let kept = kept.get_or_insert_with(|| {
            let mut kept = String::with_capacity(query.len());
            kept.push_str(&query[..first]);
            kept
        });
        if any {
            kept.push('&');
        }
        kept.push_str(parameter);
        any = true;
    }
    match kept {
        None => Kept::First(first),
        Some(kept) if kept.is_empty() => Kept::First(0),
        Some(kept) => Kept::Some(kept),
    }
}

fn parameter_end(query: &str, start: usize) -> usize {
    memchr::memchr(b'&', &query.as_bytes()[start..]).map_or(query.len(), |length| start + length)
}

/// Whether some parameter may have to go, going by the names alone. Values are short, so plain loops beat a search.
pub(super) fn may_go(rules: &Rules, query: &[u8]) -> bool {
    let mut start = 0;
    while start < query.len() {
        let end = length(&query[start..], |b| b == b'=' || b == b'&') + start;
        let name = &query[start..end];
        let name = name.strip_prefix(b"amp;").unwrap_or(name);
        if (rules.tracking && tracking::is_tracking(name))
            || (rules.session_ids && session_ids::may_be_session_id(name))
        {
            return true;
        }
        start = end + length(&query[end..], |b| b == b'&') + 1;
    }
    false
}

/// How many bytes come before the first that stops.
fn length(bytes: &[u8], stops: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&b| stops(b)).unwrap_or(bytes.len())
}

/// Whether this `name=value` goes.
fn is_removed(rules: &Rules, parameter: &[u8]) -> bool {
    // Links copied out of HTML carry `&amp;` where `&` was meant.
    let parameter = parameter.strip_prefix(b"amp;").unwrap_or(parameter);
    let (name, value) = match memchr::memchr(b'=', parameter) {
        Some(at) => (&parameter[..at], &parameter[at + 1..]),
        None => (parameter, &parameter[parameter.len()..]),
    };
    (rules.tracking && tracking::is_tracking(name)) || (rules.session_ids && session_ids::is_session_id(name, value))
}
