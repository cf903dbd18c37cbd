//! What do the inputs of a target look like, and which words do they know?
//!
//! Seeds are files in `fuzz/corpus/TARGET`, as they are. Words are lines of `fuzz/dictionary/TARGET.dict`, in the form
//! that libFuzzer and AFL know: `"text"` or `name="text"`, with `\\`, `\"` and `\xNN`, and comments after `#`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// What a target starts from.
#[derive(Clone, Debug, Default)]
pub struct Seeds {
    /// Whole inputs, by the names of their files.
    pub inputs: Vec<Vec<u8>>,
    /// Words.
    pub words: Vec<Vec<u8>>,
}

/// The folder of this crate.
#[must_use]
pub fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

impl Seeds {
    /// Those of a target.
    ///
    /// # Errors
    /// If it has none, or they cannot be read.
    pub fn of(target: &str) -> Result<Self> {
        let folder = home().join("corpus").join(target);
        let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
            .with_context(|| format!("no seeds in {}; add at least one file", folder.display()))?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        paths.sort();
        let inputs = paths.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
        if inputs.is_empty() {
            bail!("no seeds in {}; add at least one file", folder.display());
        }
        let dictionary = home().join("dictionary").join(format!("{target}.dict"));
        Ok(Self { inputs, words: words(&dictionary)? })
    }
}

/// The words of a dictionary; none if there is no such file.
fn words(path: &Path) -> Result<Vec<Vec<u8>>> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read = |(number, line): (usize, &str)| {
        word(line).with_context(|| format!("{}:{number} is no word; write it as \"text\"", path.display()))
    };
    lines.map(read).collect()
}

/// One line of a dictionary.
fn word(line: &str) -> Option<Vec<u8>> {
    let (_, quoted) = line.split_once('"')?;
    let quoted = quoted.strip_suffix('"')?.as_bytes();
    let mut word = Vec::new();
    let mut rest = quoted;
    while let [first, after @ ..] = rest {
        rest = after;
        word.push(match (first, after) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                rest = after;
                let digits = [*high, *low];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            (b'\\', [c @ (b'\\' | b'"'), after @ ..]) => {
                rest = after;
                *c
            }
            (b'\\' | b'"', _) => return None,
            (c, _) => *c,
        });
    }
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{TARGETS, named};

    #[test]
    fn ours_words_are_read_as_libfuzzer_reads_them() {
        assert_eq!(word(r#"crlf="\x0d\x0A""#), Some(b"\r\n".to_vec()));
        assert_eq!(word(r#""a\\\"b""#), Some(b"a\\\"b".to_vec()));
        for bad in ["", "plain", r#""""#, r#""\q""#, r#""\x4""#, r#""a"b""#] {
            assert_eq!(word(bad), None, "{bad}");
        }
    }

    #[test]
    fn ours_every_target_has_seeds_and_nothing_else_has() {
        for target in TARGETS {
            Seeds::of(target.name).unwrap();
        }
        for folder in ["corpus", "dictionary"] {
            for entry in fs::read_dir(home().join(folder)).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_stem().unwrap().to_str().unwrap();
                assert!(named(name).is_some(), "{} is of no target", path.display());
            }
        }
    }
}
