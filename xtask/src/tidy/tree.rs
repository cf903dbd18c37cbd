//! Which files are there, and what do they say?
//!
//! Files that git tracks, or would track if they were added. Binary and very large files are listed without text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::source::{self, Source};

/// Larger files are data, not text that somebody wrote.
const MAX_TEXT_BYTES: u64 = 4 << 20;

/// Every file below the root by its path with forward slashes.
pub(super) struct Tree {
    texts: BTreeMap<String, Option<String>>,
}

impl Tree {
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut texts = BTreeMap::new();
        for path in tracked(root).or_else(|| walked(root)).context("could not list the files of the workspace")? {
            let full = root.join(&path);
            // A deleted file is still tracked until the deletion is committed.
            let Ok(metadata) = full.metadata() else {
                continue;
            };
            if metadata.is_file() {
                let text = (metadata.len() <= MAX_TEXT_BYTES).then(|| std::fs::read(&full)).transpose()?;
                texts.insert(path, text.and_then(as_text));
            }
        }
        Ok(Self { texts })
    }

    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let texts = files.iter().map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned()))).collect();
        Self { texts }
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The files that are text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// The Rust files of this workspace, read into lines.
    pub(super) fn rust(&self) -> impl Iterator<Item = (&str, Source)> {
        self.texts().filter(|(path, _)| path.ends_with(".rs")).map(|(path, text)| (path, source::read(text)))
    }

    /// Files and all folders above them.
    pub(super) fn places(&self) -> BTreeSet<&str> {
        let mut places = BTreeSet::from([""]);
        for path in self.texts.keys() {
            places.insert(path);
            places.extend(path.match_indices('/').map(|(slash, _)| &path[..slash]));
        }
        places
    }
}

fn as_text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

fn tracked(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let names = String::from_utf8_lossy(&output.stdout);
    Some(names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// Without git, as in an unpacked archive: all files but the built ones.
fn walked(root: &Path) -> Option<Vec<String>> {
    let ours =
        |entry: &walkdir::DirEntry| entry.depth() != 1 || !["target", ".git"].iter().any(|n| entry.file_name() == *n);
    let files = walkdir::WalkDir::new(root).into_iter().filter_entry(ours).filter_map(Result::ok);
    let paths = files
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| Some(entry.path().strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/")));
    Some(paths.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_places() {
        let tree = Tree::of(&[("a/b/c.md", "")]);
        assert_eq!(tree.places().into_iter().collect::<Vec<_>>(), ["", "a", "a/b", "a/b/c.md"]);
    }

    #[test]
    fn a_folder_without_git_is_walked() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("target")).unwrap();
        std::fs::write(folder.path().join("target/built"), "x").unwrap();
        std::fs::write(folder.path().join("kept.md"), "x").unwrap();
        assert_eq!(walked(folder.path()).unwrap(), ["kept.md"]);
    }

    #[test]
    fn binary_files_have_no_text() {
        assert_eq!(as_text(vec![0xff, 0xfe]), None);
        assert_eq!(as_text(vec![b'a', 0]), None);
        assert_eq!(as_text(b"a".to_vec()).as_deref(), Some("a"));
    }
}
