//! Would reading these inputs read that output, too?
//!
//! Files are compared by what they are (device and number), not by how they are written: links and other spellings are the
//! same file. An output that is not there yet would be read by the next run if it lies below a folder that is read, or if a
//! glob fits it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::discover::{find, fixed_part, glob, is_glob, walk};

/// What a file or folder is, whatever it is called.
type Identity = (u64, u64);

fn identity(path: &Path) -> Option<Identity> {
    fs::metadata(path).ok().map(|about| (about.dev(), about.ino()))
}

/// Where something is, or would be.
struct Place {
    /// Itself, if it is there.
    itself: Option<Identity>,
    /// The folders around it that are there, and itself if it is a folder.
    around: Vec<Identity>,
    /// Without links, as far as it is there.
    path: PathBuf,
}

impl Place {
    fn of(path: &Path) -> Self {
        let path = without_links(path);
        let folders = path.ancestors().filter(|folder| folder.is_dir());
        Self { itself: identity(&path), around: folders.filter_map(identity).collect(), path: path.clone() }
    }
}

/// The path with links resolved as far as it is there.
fn without_links(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for there in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (there.canonicalize(), path.strip_prefix(there)) {
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path
}

/// Which of these inputs, as [`find`] takes them, is this file or folder, or a folder around it, or a glob that fits it.
#[must_use]
pub fn reading<'w>(words: &'w [String], output: &Path) -> Option<&'w str> {
    let place = Place::of(output);
    words.iter().map(String::as_str).find(|word| *word != "-" && reads(word, &place))
}

fn reads(word: &str, place: &Place) -> bool {
    let path = Path::new(word);
    let is_it = |path: &Path| place.itself.is_some() && identity(path) == place.itself;
    if path.is_dir() {
        let around = |path: &Path| identity(path).is_some_and(|folder| place.around.contains(&folder));
        let mut below = walk(path).flatten();
        return below.any(|entry| if entry.file_type().is_dir() { around(entry.path()) } else { is_it(entry.path()) });
    }
    if path.exists() {
        return is_it(path);
    }
    is_glob(word)
        && (fits(path, place)
            || find(&[word.to_owned()]).is_ok_and(|all| all.iter().filter_map(|i| i.path()).any(is_it)))
}

/// Whether a glob fits a path that may not be there yet.
fn fits(word: &Path, place: &Place) -> bool {
    let fixed = fixed_part(word);
    let rest = word.strip_prefix(&fixed).unwrap_or(word);
    // What is real may hold characters that are no part of the glob.
    let root = globset::escape(&without_links(&fixed).to_string_lossy());
    glob(&format!("{}/{}", root.trim_end_matches('/'), rest.display())).is_ok_and(|glob| glob.is_match(&place.path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn ours_an_output_is_an_input_whatever_it_is_called() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for folder in ["logs/old", "[odd]", "elsewhere"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for file in ["logs/a.log", "logs/old/b.log", "c.log", "[odd]/d.log"] {
            fs::write(at(file), "x").unwrap();
        }
        symlink("../c.log", at("logs/link.log")).unwrap();
        symlink("logs", at("other")).unwrap();
        symlink("../elsewhere", at("logs/far")).unwrap();
        symlink("nowhere", at("logs/gone")).unwrap();
        fs::hard_link(at("c.log"), at("hard.log")).unwrap();
        let read = |word: &str, output: &str| reading(&[at(word).display().to_string()], &at(output)).is_some();
        for (word, output) in [
            ("c.log", "c.log"),
            ("c.log", "logs/../c.log"),
            ("c.log", "logs/link.log"),
            ("c.log", "hard.log"),
            ("logs", "c.log"),
            ("logs", "logs/new.model"),
            ("logs", "other/new.model"),
            ("other", "logs/old/deep/new.model"),
            ("logs", "logs"),
            ("logs", "elsewhere/new.model"),
            ("logs/*", "logs/new.model"),
            ("other/*", "logs/new.model"),
            ("logs/*.log", "other/new.log"),
            ("logs/*.log", "hard.log"),
            ("[[]odd]/*", "[odd]/new.log"),
        ] {
            assert!(read(word, output), "{word} {output}");
        }
        for (word, output) in [
            ("c.log", "logs/a.log"),
            ("logs/old", "logs/new.model"),
            ("logs/*.log", "logs/new.model"),
            ("logs/*", "logs/old/new.model"),
            ("logs", "new.model"),
            ("gone.log", "gone.log"),
        ] {
            assert!(!read(word, output), "{word} {output}");
        }
        assert_eq!(reading(&["-".to_owned()], &at("c.log")), None);
    }
}
