//! Which session ids does a key forget?
//!
//! Those that the tools for web archives have forgotten since the first of them: the well-known ids of Java, PHP,
//! ASP and ColdFusion in a query, and those that ASP.NET puts into a path. Each kind once, and of several the last.
//! The texts here are in lower case already.

/// Names with their `=`, and the length of the id that must follow.
const IDS: [(&str, usize); 3] = [("jsessionid=", 32), ("phpsessid=", 32), ("sid=", 32)];

/// A query without its session ids. What stood before an id keeps its `&`.
pub(super) fn strip_query(query: &str) -> String {
    let mut query = query.to_owned();
    for (name, length) in IDS {
        strip_last(&mut query, name, |rest| run(rest, |b| b.is_ascii_alphanumeric()) == length, length);
    }
    let asp = |rest: &str| {
        let bytes = rest.as_bytes();
        bytes.len() >= 33
            && bytes[..8].iter().all(u8::is_ascii_alphabetic)
            && bytes[8] == b'='
            && bytes[9..33].iter().all(u8::is_ascii_alphabetic)
    };
    strip_last(&mut query, "aspsessionid", asp, 33);
    strip_cold_fusion(&mut query);
    query
}

/// Removes the last `name` that an id of `length` bytes follows, up to the end of its pair and with the `&` after it.
fn strip_last(query: &mut String, name: &str, is_id: impl Fn(&str) -> bool, length: usize) {
    let found = query.rmatch_indices(name).map(|(at, _)| at).find(|at| {
        let rest = &query[at + name.len()..];
        is_id(rest) && matches!(rest.as_bytes().get(length), None | Some(b'&'))
    });
    if let Some(at) = found {
        let end = (at + name.len() + length + 1).min(query.len());
        query.replace_range(at..end, "");
    }
}

/// `cfid=…&cftoken=…`.
fn strip_cold_fusion(query: &mut String) {
    let found = query.rmatch_indices("cfid=").find_map(|(at, name)| {
        let id = at + name.len();
        let token = id + run(&query[id..], |b| b != b'&');
        let value = query[token..].strip_prefix("&cftoken=").map(|_| token + "&cftoken=".len())?;
        let end = value + run(&query[value..], |b| b != b'&');
        (token > id && end > value).then_some((at, end))
    });
    if let Some((at, end)) = found {
        query.replace_range(at..(end + 1).min(query.len()), "");
    }
}

/// A path without the ids that ASP.NET writes into it: `/(s(…24…))/page.aspx`, `/(…24…)/page.aspx`.
pub(super) fn strip_path(path: &str) -> String {
    let mut path = path.to_owned();
    for is_id in [is_grouped as fn(&str) -> bool, is_bare] {
        let found = path.rmatch_indices("/(").map(|(at, _)| at + 1).find_map(|at| {
            let end = at + path[at..].find('/')?;
            let page = &path[end + 1..];
            let has_page = page.char_indices().skip(1).any(|(i, _)| page[i..].starts_with(".aspx"));
            (is_id(&path[at..end]) && has_page).then_some((at, end + 1))
        });
        if let Some((at, end)) = found {
            path.replace_range(at..end, "");
        }
    }
    path
}

fn is_bare(segment: &str) -> bool {
    let inner = segment.strip_prefix('(').and_then(|s| s.strip_suffix(')'));
    inner.is_some_and(|id| id.len() == 24 && id.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// `(s(…)f(…))`: one or more of a letter and an id.
fn is_grouped(segment: &str) -> bool {
    let Some(mut rest) = segment.strip_prefix('(').and_then(|s| s.strip_suffix(')')) else { return false };
    while let Some(group) = rest.get(..27) {
        if !group.as_bytes()[0].is_ascii_alphabetic() || !is_bare(&group[1..]) {
            return false;
        }
        rest = &rest[27..];
    }
    rest.is_empty() && segment.len() > 2
}

/// How many bytes at the beginning are so.
fn run(text: &str, is_so: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(|b| !is_so(b)).unwrap_or(text.len())
}
