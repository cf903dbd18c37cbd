//! Are the files there that a newcomer expects?

use super::Finding;
use super::tree::Tree;

const EXPECTED: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "PRIVACY.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let places = tree.places();
    let missing = EXPECTED.into_iter().filter(|name| !places.contains(name));
    missing.map(|name| Finding::failure(name, 1, "the file is missing, write it")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lines_of;
    use super::*;

    #[test]
    fn a_whole_house_passes_and_a_missing_file_fails() {
        let files: Vec<_> = EXPECTED.iter().map(|name| (*name, "")).collect();
        assert!(lines_of(check, &files).is_empty());
        assert_eq!(lines_of(check, &files[1..]), ["README.md:1: the file is missing, write it"]);
    }
}
