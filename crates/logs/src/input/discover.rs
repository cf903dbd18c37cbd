//! Files, globs, directories and standard input, in a fixed order.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use walkdir::WalkDir;

use crate::error::Error;

/// Something to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file that was named: it must be there, and it is meant.
    File(PathBuf),
    /// A file that lies in a folder that was named, or that a glob fits: it may be anything, or a link to nowhere.
    Found(PathBuf),
    /// Standard input.
    Stdin,
}

impl Input {
    /// As shown to the operator.
    pub fn name(&self) -> String {
        self.path().map_or_else(|| "standard input".to_owned(), |path| path.display().to_string())
    }

    /// The path, unless it is standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::Found(path) => Some(path),
            Self::Stdin => None,
        }
    }
}

/// Finds the inputs that `words` name: each a file, a directory (all files below it, by name), a glob, or `-`. What cannot
/// be followed below a directory (a link to nowhere, or in a circle) is an input that cannot be read.
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
        } else if is_glob(word) {
            let matcher = glob(word)?;
            let fixed = fixed_part(path);
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

/// Characters that make a word a glob.
const GLOB_CHARS: [char; 4] = ['*', '?', '[', '{'];

pub(super) fn is_glob(word: &str) -> bool {
    word.contains(GLOB_CHARS)
}

pub(super) fn glob(word: &str) -> Result<GlobMatcher, Error> {
    let glob = GlobBuilder::new(word).literal_separator(true).build();
    Ok(glob.map_err(|e| Error::BadGlob { glob: word.to_owned(), why: e.kind().to_string() })?.compile_matcher())
}

/// The folder that a glob starts from.
pub(super) fn fixed_part(glob: &Path) -> PathBuf {
    glob.components().take_while(|c| !c.as_os_str().to_string_lossy().contains(GLOB_CHARS)).collect()
}

fn below(root: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Vec<Input>, Error> {
    let mut found = Vec::new();
    for entry in walk(root) {
        match entry {
            Ok(entry) if entry.file_type().is_file() && !is_ours(entry.path()) && wanted(entry.path()) => {
                found.push(Input::Found(entry.into_path()));
            }
            Ok(_) => {}
            Err(error) => match error.path().filter(|_| error.depth() > 0) {
                Some(path) if is_hidden(path.file_name().unwrap_or_default()) || !wanted(path) => {}
                Some(path) => found.push(Input::Found(path.to_owned())),
                // The folder itself was named, and must be there.
                None => {
                    return Err(Error::Unreadable { name: root.display().to_string(), source: error.into() });
                }
            },
        }
    }
    Ok(found)
}

/// Everything below a folder that is not hidden, links followed, in a fixed order.
pub(super) fn walk(root: &Path) -> impl Iterator<Item = walkdir::Result<walkdir::DirEntry>> {
    let visible = |e: &walkdir::DirEntry| e.depth() == 0 || !is_hidden(e.file_name());
    WalkDir::new(root).sort_by_file_name().follow_links(true).into_iter().filter_entry(visible)
}

fn is_hidden(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with(['.', '_'])
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

    #[test]
    fn ours_links_that_lead_nowhere_are_inputs_and_no_end() {
        let dir = tempfile::tempdir().unwrap();
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, dir.path().join(name)).unwrap();
        std::fs::write(dir.path().join("a.log"), "x\n").unwrap();
        link(Path::new("nowhere"), "b.log");
        link(Path::new("."), "c");
        link(Path::new("nowhere"), ".hidden");
        let found = find(&[dir.path().display().to_string()]).unwrap();
        let names: Vec<String> = found.iter().map(|i| i.name().rsplit('/').next().unwrap().to_owned()).collect();
        assert_eq!(names, ["a.log", "b.log", "c"]);
        let logs = find(&[dir.path().join("*.log").display().to_string()]).unwrap();
        assert_eq!(logs.len(), 2, "{logs:?}");
    }
}
