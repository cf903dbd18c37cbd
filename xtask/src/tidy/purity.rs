//! Do the pure crates stay pure?
//!
//! `urls`, `mining`, `ordering`, `frontier` and `session` read no clock, open no socket and draw no unseeded randomness; only
//! `frontier` and `session` open files. Addresses of `std::net` are plain values and allowed; its sockets are not. Tests may do
//! all of it.

use super::Finding;
use super::source::{Line, is_test_path, names};
use super::tree::Tree;

const PURE: [&str; 5] = ["urls", "mining", "ordering", "frontier", "session"];

/// Pure crates that store.
const MAY_STORE: [&str; 2] = ["frontier", "session"];

/// What must not be named, and what to do instead.
const IMPURE: &[(&str, &str)] = &[
    ("std::time::Instant", "take the time as an argument"),
    ("Instant::now", "take the time as an argument"),
    ("SystemTime", "take the time as an argument"),
    ("std::net", "move the network to `fetch` or `serve`"),
    ("tokio", "move async code to `fetch` or `serve`"),
    ("std::fs", "move files to `logs` or the binary"),
    ("thread_rng", "take a seeded generator as an argument"),
    ("rand::rng(", "take a seeded generator as an argument"),
];

/// Values, not I/O.
const ADDRESSES: [&str; 3] = ["std::net::IpAddr", "std::net::Ipv4Addr", "std::net::Ipv6Addr"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust() {
        let Some(name) = PURE.into_iter().find(|name| path.starts_with(&format!("crates/{name}/src/"))) else {
            continue;
        };
        if is_test_path(path) {
            continue;
        }
        for (number, code) in statements(&source.lines) {
            let found = IMPURE
                .iter()
                .find(|(word, _)| !(*word == "std::fs" && MAY_STORE.contains(&name)) && names(&code, word));
            if let Some((word, instead)) = found {
                let word = word.trim_end_matches('(');
                findings.push(Finding::failure(
                    path,
                    number,
                    format!("`{name}` is pure and names `{word}`, {instead}"),
                ));
            }
        }
    }
    findings
}

/// The code outside tests with its line numbers; a `use` with braces becomes one path for each name in it.
fn statements(lines: &[Line]) -> Vec<(usize, String)> {
    let mut statements = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.test) {
        let is_use = line.code.trim_start().starts_with("use ") || line.code.trim_start().starts_with("pub");
        let (number, mut code) = match open.take() {
            Some((number, begun)) => (number, begun + line.code.trim()),
            None => (index + 1, line.code.trim().to_owned()),
        };
        let is_open = (is_use || number != index + 1) && names(&code, "use") && !code.contains(';');
        if is_open {
            open = Some((number, code));
            continue;
        }
        if let Some(path) = names(&code, "use").then(|| code.split_once("use ")).flatten() {
            code = expand("", path.1.trim_end_matches(';')).join(" ");
        }
        for address in ADDRESSES {
            code = code.replace(address, "");
        }
        statements.push((number, code));
    }
    statements
}

/// `a::{b, c::{d, e}}` → `a::b`, `a::c::d`, `a::c::e`.
fn expand(prefix: &str, path: &str) -> Vec<String> {
    let Some((head, rest)) = path.split_once('{') else {
        return vec![format!("{prefix}{}", path.trim())];
    };
    let inner = rest.rfind('}').map_or(rest, |end| &rest[..end]);
    let prefix = format!("{prefix}{}", head.trim());
    split_outside_braces(inner).into_iter().flat_map(|part| expand(&prefix, part)).collect()
}

fn split_outside_braces(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::super::lines_of;
    use super::*;

    const MINING: &str = "crates/mining/src/lib.rs";

    #[test]
    fn impure_code_fails() {
        for bad in [
            "let t = std::time::Instant::now();",
            "use std::time::SystemTime;",
            "use std::{collections::BTreeMap, time::{Duration, Instant}};",
            "use std::{\n    fs,\n    io,\n};",
            "use tokio::spawn;",
            "let x = std::fs::read(p);",
            "use std::net::TcpStream;",
            "let r = rand::rng();",
            "let r = thread_rng();",
        ] {
            assert_eq!(lines_of(check, &[(MINING, bad)]).len(), 1, "{bad}");
        }
    }

    #[test]
    fn pure_code_passes() {
        for good in [
            "use std::time::Duration;",
            "use std::net::{IpAddr, Ipv4Addr};",
            "// tokio is not used here\nlet s = \"std::fs\";",
            "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n",
            "use std::fmt;\nuse std::io;",
        ] {
            assert!(lines_of(check, &[(MINING, good)]).is_empty(), "{good}");
        }
    }

    #[test]
    fn only_pure_crates_are_held_to_it_and_the_frontier_may_store() {
        let code = "use std::fs::File;";
        assert!(lines_of(check, &[("crates/logs/src/lib.rs", code)]).is_empty());
        assert!(lines_of(check, &[("crates/frontier/src/lib.rs", code)]).is_empty());
        assert!(lines_of(check, &[("crates/mining/tests/a.rs", code)]).is_empty());
        assert!(lines_of(check, &[("crates/mining/src/tree/tests.rs", code)]).is_empty());
    }

    #[test]
    fn the_line_is_that_of_the_statement() {
        let lines = lines_of(check, &[(MINING, "fn a() {}\nuse std::{\n    fs,\n};\n")]);
        assert!(lines[0].starts_with("crates/mining/src/lib.rs:2: "), "{lines:?}");
    }
}
