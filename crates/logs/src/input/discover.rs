//! Files, globs, directories and standard input, in a fixed order.

use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use walkdir::WalkDir;

use crate::error::Error;

/// Something to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

impl Input {
    /// As shown to the operator.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin => "standard input".to_owned(),
        }
    }
}

/// Finds the inputs that `words` name: each a file, a directory (all files below it, by name), a glob, or `-`.
///
/// # Errors
/// If a word names nothing, or standard input is named twice.
pub fn find(words: &[String]) -> Result<Vec<Input>, Error> {
    let mut inputs = Vec::new();
    for word in words {
        if word == "-" {
            if inputs.contains(&Input::Stdin) {
                return Err(Error::StdinTwice);
            }
            inputs.push(Input::Stdin);
            continue;
        }
        let path = Path::new(word);
        let before = inputs.len();
        if path.is_dir() {
            inputs.extend(below(path, |_| true)?);
        } else if path.exists() {
            inputs.push(Input::File(path.to_owned()));
        } else if word.contains(['*', '?', '[', '{']) {
            let glob = GlobBuilder::new(word).literal_separator(true).build();
            let matcher =
                glob.map_err(|e| Error::BadGlob { glob: word.clone(), why: e.kind().to_string() })?.compile_matcher();
            let fixed: PathBuf = path
                .components()
                .take_while(|c| !c.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']))
                .collect();
            let root = if fixed.as_os_str().is_empty() { Path::new(".") } else { &fixed };
            // WalkDir puts "./" before what it finds below "."; the glob has none.
            inputs.extend(below(root, |p| matcher.is_match(p.strip_prefix("./").unwrap_or(p)))?);
        }
        if inputs.len() == before {
            return Err(Error::NoSuchInput { name: word.clone() });
        }
    }
    Ok(inputs)
}

fn below(root: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Vec<Input>, Error> {
    let mut found = Vec::new();
    let visible = |e: &walkdir::DirEntry| e.depth() == 0 || !e.file_name().to_string_lossy().starts_with(['.', '_']);
    for entry in WalkDir::new(root).sort_by_file_name().follow_links(true).into_iter().filter_entry(visible) {
        let entry = entry.map_err(|e| Error::Unreadable { name: root.display().to_string(), source: e.into() })?;
        if entry.file_type().is_file() && !is_ours(entry.path()) && wanted(entry.path()) {
            found.push(Input::File(entry.into_path()));
        }
    }
    Ok(found)
}

/// Files of a visits directory that are no visits.
fn is_ours(path: &Path) -> bool {
    path.file_name().is_some_and(|n| n == crate::visits::KEY_FILE || n == crate::visits::ABOUT_FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_directories_globs_and_files_come_in_a_fixed_order() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b.log", "a.log", "c.txt", ".hidden"] {
            std::fs::write(dir.path().join(name), "x\n").unwrap();
        }
        let word = |s: &str| dir.path().join(s).display().to_string();
        let names = |words: &[String]| -> Vec<String> {
            let found = find(words).unwrap();
            found.iter().map(|i| Path::new(&i.name()).file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names(&[word("")]), ["a.log", "b.log", "c.txt"]);
        assert_eq!(names(&[word("*.log")]), ["a.log", "b.log"]);
        assert_eq!(names(&[word("c.txt"), word("a.log")]), ["c.txt", "a.log"]);
        assert!(matches!(find(&[word("*.none")]), Err(Error::NoSuchInput { .. })));
        assert!(matches!(find(&["-".into(), "-".into()]), Err(Error::StdinTwice)));
    }
}
