//! Does a name stand for one thing?
//!
//! Every public type of the crates is listed by its name. A name that two files declare is two things under one name, and
//! whoever reads it must ask which: a type says of what it is (`CrawlState`, not `State`). Re-exports are no declarations.

use std::collections::BTreeMap;

use super::Finding;
use super::source::is_test_path;
use super::tree::Tree;

/// Every crate has its own, as Rust's libraries do.
const ONE_A_CRATE: &[&str] = &["Error"];

/// What declares a type.
const WORDS: [&str; 5] = ["struct", "enum", "trait", "type", "union"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut places: BTreeMap<String, Vec<(&str, usize)>> = BTreeMap::new();
    for (path, source) in tree.rust().filter(|(path, _)| path.starts_with("crates/") && path.contains("/src/")) {
        if is_test_path(path) {
            continue;
        }
        for (at, line) in source.lines.iter().enumerate().filter(|(_, line)| !line.test) {
            if let Some(name) = declared(&line.code) {
                places.entry(name.to_owned()).or_default().push((path, at + 1));
            }
        }
    }
    let mut findings = Vec::new();
    for (name, places) in &places {
        let is_shared = places.len() > 1 && !ONE_A_CRATE.contains(&name.as_str());
        if is_shared {
            let (first, _) = places[0];
            findings.extend(places[1..].iter().map(|(path, line)| {
                Finding::failure(
                    path,
                    *line,
                    format!("`{name}` is also a type of {first}, name it after what it is of"),
                )
            }));
        }
    }
    findings
}

/// The public type that a line declares. Aliases within an implementation are indented, and are none.
fn declared(code: &str) -> Option<&str> {
    let mut words = code.strip_prefix("pub ")?.split_whitespace();
    WORDS.contains(&words.next()?).then_some(())?;
    words.next()?.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::lines_of;
    use super::*;

    #[test]
    fn a_name_for_two_things_fails_at_the_second() {
        let files = [
            ("crates/logs/src/a.rs", "//! A.\npub struct State<'a> {\n"),
            ("crates/lab/src/b.rs", "//! B.\n\npub enum State {\n"),
        ];
        let lines = lines_of(check, &files);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(
            lines[0].starts_with("crates/logs/src/a.rs:2: `State` is also a type of crates/lab/src/b.rs"),
            "{lines:?}"
        );
    }

    #[test]
    fn errors_re_exports_private_types_and_tests_are_left_alone() {
        let files = [
            ("crates/logs/src/a.rs", "pub enum Error {\npub struct Row;\nstruct Own;\n"),
            ("crates/lab/src/b.rs", "pub enum Error {\npub use logs::Row;\nstruct Own;\npub(crate) struct Row2;\n"),
            ("crates/lab/src/tests.rs", "pub struct Row;\n"),
            ("crates/lab/src/c.rs", "#[cfg(test)]\nmod tests {\n    pub struct Row;\n}\n"),
            ("bench/src/d.rs", "pub struct Row;\n"),
        ];
        assert!(lines_of(check, &files).is_empty());
    }
}
