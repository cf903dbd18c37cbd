//! Does a file name a folder of somebody's own machine?
//!
//! Home folders, and the folder this very workspace lies in. Such a path works for one person only, and tells where
//! they work. `/home/` also occurs in URLs, so a path counts only where it stands by itself: not after a host, not as
//! the target of a request.

use super::Finding;
use super::tree::Tree;

/// Written in two pieces, or this file would find itself.
const HOMES: [&str; 3] = [concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/")];

/// Before a path on a request line.
const METHODS: [&str; 4] = ["GET ", "HEAD ", "POST ", "PUT "];

/// Data with paths of a web site in it.
const DATA: [&str; 5] = [".log", ".csv", ".tsv", ".jsonl", ".snap"];

pub(super) fn check(tree: &Tree, root: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| !DATA.iter().any(|end| path.ends_with(end))) {
        for (index, line) in text.lines().enumerate() {
            let is_home = HOMES.iter().any(|home| stands_alone(line, home));
            // A root such as `/src` is too common a word to search for.
            let is_root = root.matches('/').count() >= 2 && stands_alone(line, root);
            if is_home || is_root {
                findings.push(Finding::failure(
                    path,
                    index + 1,
                    "a path of one machine, write it relative to the root",
                ));
            }
        }
    }
    findings
}

fn stands_alone(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + path.len()..]);
        let follows_name = before.ends_with(|c: char| c.is_alphanumeric() || "._~%-/}*".contains(c));
        let is_request = METHODS.iter().any(|method| before.ends_with(method));
        let is_whole = path.ends_with('/') || !after.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
        // A home folder has an owner and something in it; that of the superuser is named without an owner.
        let names = after.split(|c: char| !(c.is_alphanumeric() || "._-/".contains(c))).next().unwrap_or("");
        let is_inside = !path.ends_with('/') || path == HOMES[0] || names.contains('/');
        !follows_name && !is_request && is_whole && is_inside
    })
}

#[cfg(test)]
mod tests {
    use super::super::lines_of;
    use super::*;

    fn of(line: &str) -> usize {
        lines_of(|tree| check(tree, "/srv/build/tree"), &[("docs/a.md", line)]).len()
    }

    #[test]
    fn paths_of_one_machine_fail() {
        for home in HOMES {
            assert_eq!(of(&format!("see {home}jane/x.txt")), 1);
        }
        assert_eq!(of("cd /srv/build/tree"), 1);
        assert_eq!(of("\"/srv/build/tree/crates\""), 1);
    }

    #[test]
    fn paths_of_web_sites_pass() {
        for path in HOMES {
            assert_eq!(of(&format!("https://example.org{path}jane/x")), 0);
            assert_eq!(of(&format!("\"GET {path}jane/x HTTP/1.1\"")), 0);
        }
        assert_eq!(of(&format!("the path {}index", HOMES[1])), 0);
        assert_eq!(of("/srv/build/trees"), 0);
        let log = [("a.log", "/srv/build/tree")];
        assert!(lines_of(|tree| check(tree, "/srv/build/tree"), &log).is_empty());
    }
}
