//! Who runs the experiments? The program under test, once a name, its result kept below the target folder.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

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
    /// Draws of a family at most; none: as many as it has.
    most_draws: Option<u64>,
    /// What this process has run: chapters share results.
    ran: RefCell<BTreeSet<String>>,
}

impl Laboratory {
    pub(super) fn new(
        program: PathBuf,
        data: PathBuf,
        results: PathBuf,
        reuse: Reuse,
        most_draws: Option<u64>,
    ) -> Result<Self> {
        fs::create_dir_all(&results).with_context(|| format!("could not make {}", results.display()))?;
        Ok(Self { program, data, results, reuse, most_draws, ran: RefCell::default() })
    }

    /// The seeds of a family of so many draws.
    pub(super) fn draws(&self, wanted: u64) -> std::ops::RangeInclusive<u64> {
        1..=self.most_draws.map_or(wanted, |most| most.min(wanted))
    }

    /// Draws at most, if somebody only tries a chapter.
    pub(super) fn most_draws(&self) -> Option<u64> {
        self.most_draws
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

    /// `trodden mine`, then `trodden patterns`: the leaves of the three trees of each site, the most visited first.
    pub(super) fn trees(&self, name: &str, log: &Path, options: &str) -> Result<Vec<Trees>> {
        let model = self.result(&format!("{name}.model"));
        let talk = self.result(&format!("{name}.talk"));
        let mut arguments: Vec<OsString> = vec!["mine".into(), log.into()];
        arguments.extend(options.split_whitespace().map(OsString::from));
        arguments.extend(["-o".into(), model.clone().into()]);
        eprintln!("{name}");
        self.start(&arguments, &talk)?;
        let printed = self.start(&["patterns".into(), model.into(), "--format".into(), "json".into()], &talk)?;
        let mut sites: Vec<SiteTrees> = serde_json::from_slice(&printed).context("patterns are not as expected")?;
        sites.sort_by_key(|site| std::cmp::Reverse(site.visits));
        Ok(sites.into_iter().map(|site| site.trees).collect())
    }

    fn run(&self, name: &str, arguments: &[OsString], not_kept: &[&str]) -> Result<Outcome> {
        let folder = self.result(name);
        let talk = self.result(&format!("{name}.talk"));
        let is_there = folder.join("result.json").is_file() && talk.is_file();
        let may_stay = self.reuse == Reuse::Earlier || self.ran.borrow().contains(name);
        self.ran.borrow_mut().insert(name.to_owned());
        if !(is_there && may_stay) {
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

    /// What it prints.
    fn start(&self, arguments: &[OsString], talk: &Path) -> Result<Vec<u8>> {
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
        Ok(output.stdout)
    }
}

/// Leaves of the three trees of a site.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct Trees {
    pub(super) syn: u64,
    pub(super) visit: u64,
    pub(super) tran: u64,
}

/// A site among patterns.
#[derive(Deserialize)]
struct SiteTrees {
    visits: u64,
    trees: Trees,
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
