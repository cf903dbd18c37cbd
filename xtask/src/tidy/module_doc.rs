//! Does every Rust file say what it is before the first `use`?

use super::Finding;
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust()
        .filter(|(_, source)| {
            let first = source.lines.iter().find(|line| !(line.code.trim().is_empty() && line.comment.is_empty()));
            !first.is_some_and(|line| line.code.trim().is_empty() && line.comment.starts_with("//!"))
        })
        .map(|(path, _)| {
            Finding::failure(path, 1, "no module doc, start the file with `//!` and the question it answers")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::lines_of;
    use super::*;

    #[test]
    fn a_file_that_starts_with_its_doc_passes() {
        assert!(lines_of(check, &[("crates/urls/src/lib.rs", "//! What is a URL?\nuse a;\n")]).is_empty());
    }

    #[test]
    fn a_file_without_fails() {
        for bad in ["use a;\n//! Late.\n", "", "/// An item.\nfn a() {}\n", "// A comment.\n"] {
            assert_eq!(lines_of(check, &[("xtask/src/a.rs", bad)]).len(), 1, "{bad:?}");
        }
    }

    #[test]
    fn every_folder_is_asked_and_other_files_are_not() {
        for path in ["bench/src/a.rs", "fuzz/src/a.rs", "testing/src/a.rs", "crates/urls/benches/a.rs"] {
            assert_eq!(lines_of(check, &[(path, "fn a() {}")]).len(), 1, "{path}");
        }
        assert!(lines_of(check, &[("crates/urls/a.md", "x")]).is_empty());
    }
}
