//! Who runs the experiments? The program under test, once a name, its result kept below the target folder.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::outcome::Outcome;

/// Whether earlier results may stand in for a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reuse {
    Nothing,
    Earlier,
}

/// The program, the data, and where results go.
pub(super) struct Laboratory {
    program: PathBuf,
    data: PathBuf,
    results: PathBuf,
    reuse: Reuse,
}

impl Laboratory {
    pub(super) fn new(program: PathBuf, data: PathBuf, results: PathBuf, reuse: Reuse) -> Result<Self> {
        fs::create_dir_all(&results).with_context(|| format!("could not make {}", results.display()))?;
        Ok(Self { program, data, results, reuse })
    }

    /// A file of the data.
    pub(super) fn data(&self, name: &str) -> PathBuf {
        self.data.join(name)
    }

    /// A file or folder among the results.
    pub(super) fn result(&self, name: &str) -> PathBuf {
        self.results.join(name)
    }

    /// `trodden simulate MIRROR…`: its result, under that name. Words of `options` are split at spaces.
    pub(super) fn simulate(&self, name: &str, mirror: &Path, log: Option<&Path>, options: &str) -> Result<Outcome> {
        let mut arguments: Vec<OsString> = vec!["simulate".into(), mirror.into()];
        if let Some(log) = log {
            arguments.extend(["--log".into(), log.into()]);
        }
        arguments.extend(options.split_whitespace().map(OsString::from));
        arguments.extend(["--format".into(), "json".into(), "-o".into(), self.result(name).into()]);
        self.run(name, &arguments, &[])
    }

    /// `trodden demo`: the result of its experiment. Its log and links are large and made up: they are not kept.
    pub(super) fn demo(&self, name: &str, seed: u64) -> Result<Outcome> {
        let folder: OsString = self.result(name).into();
        let seed = seed.to_string();
        let arguments = ["demo".into(), "--seed".into(), OsString::from(seed), "-o".into(), folder];
        self.run(name, &arguments, &["access.log", "links.tsv", "site.model"])
    }

    /// The result of a run that was made before.
    pub(super) fn again(&self, name: &str) -> Result<Outcome> {
        self.read(name)
    }

    fn run(&self, name: &str, arguments: &[OsString], not_kept: &[&str]) -> Result<Outcome> {
        let folder = self.result(name);
        let talk = self.result(&format!("{name}.talk"));
        if self.reuse == Reuse::Nothing || !folder.join("result.json").is_file() || !talk.is_file() {
            eprintln!("{name}");
            if folder.is_dir() {
                fs::remove_dir_all(&folder)?;
            }
            self.start(arguments, &talk)?;
            for file in not_kept {
                let path = folder.join(file);
                if path.is_file() {
                    fs::remove_file(path)?;
                }
            }
        }
        self.read(name)
    }

    fn read(&self, name: &str) -> Result<Outcome> {
        let (folder, talk) = (self.result(name), self.result(&format!("{name}.talk")));
        let file = File::open(folder.join("result.json")).with_context(|| format!("{name} left no result.json"))?;
        let mut outcome: Outcome = serde_json::from_reader(std::io::BufReader::new(file))
            .with_context(|| format!("the result of {name} is not as expected"))?;
        outcome.only_from_entry = only_from_entry(&fs::read_to_string(&talk)?);
        Ok(outcome)
    }

    fn start(&self, arguments: &[OsString], talk: &Path) -> Result<()> {
        let output = Command::new(&self.program)
            .args(arguments)
            .current_dir(&self.results)
            .output()
            .with_context(|| format!("could not start {}", self.program.display()))?;
        fs::write(talk, &output.stderr)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let asked = arguments.join(OsStr::new(" "));
            bail!("trodden {} failed:\n{}", asked.display(), said.trim());
        }
        Ok(())
    }
}

/// `mirror: 4,200 pages are linked by nothing but the artificial entry page` → 4,200.
fn only_from_entry(talk: &str) -> Option<u64> {
    let line = talk.lines().find(|line| line.contains("nothing but the artificial entry page"))?;
    let number = line.strip_prefix("mirror:")?.split("page").next()?;
    number.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_pages_of_the_entry_are_read_from_the_talk() {
        let line = "mirror: 4,200 pages are linked by nothing but the artificial entry page";
        assert_eq!(only_from_entry(&format!("x\n{line}\n")), Some(4200));
        assert_eq!(only_from_entry("nothing of it"), None);
    }
}
