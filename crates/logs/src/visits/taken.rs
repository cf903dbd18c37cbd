//! Which logs are in a directory of visits already, and what becomes of their files?
//!
//! A file is named by its rows, so a log that is taken in again under the same settings writes the same files. Under other
//! settings it writes others, and both would count: that is refused, or, if it is wanted, the old ones go when the new ones
//! are in place ([`sample`](super::sample) tells how a log is known again). A run that is cut off between the two is mended
//! by running it again.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::day::{date_text, day_of_file};
use super::read::VisitFile;
use super::sample::{LineSample, LinesRead, SAME_SHARE, StoredSamples, WHOLE_SHARE};
use crate::error::Error;
use crate::input::{Input, find};

/// A file of visits that says which lines it was made of.
#[derive(Debug)]
struct TakenFile {
    path: PathBuf,
    day: i64,
    sample: LineSample,
}

/// The logs that a directory has visits of.
#[derive(Debug, Default)]
pub(crate) struct TakenLogs {
    files: Vec<TakenFile>,
}

impl TakenLogs {
    /// Looks at the files of a directory. Those that say nothing of their lines, as other programs' and older ones, are left
    /// alone.
    pub(crate) fn of(dir: &Path) -> Self {
        let found = find(&[dir.to_string_lossy().into_owned()]).unwrap_or_default();
        let files = found.iter().filter_map(Input::path).filter_map(|path| {
            let day = day_of_file(path)?;
            let sample = VisitFile::open(path).ok()?.sample()?;
            Some(TakenFile { path: path.to_owned(), day, sample })
        });
        Self { files: files.collect() }
    }

    /// What to look for while lines are read.
    pub(crate) fn samples(&self) -> StoredSamples {
        StoredSamples::new(self.files.iter().map(|file| &file.sample))
    }

    /// The files that are of the log that was read, apart from those that are written again.
    ///
    /// # Errors
    /// If there are any and they may not be replaced, or if they are of other logs, too.
    pub(crate) fn superseded(
        &self,
        read: &LinesRead,
        written: &BTreeSet<PathBuf>,
        replace: bool,
        dir: &Path,
    ) -> Result<Vec<PathBuf>, Error> {
        let mut same = Vec::new();
        for file in self.files.iter().filter(|file| !written.contains(&file.path)) {
            let Some(now) = read.of_day(file.day) else { continue };
            let (of_file, of_log) = file.sample.shares(&read.met, now.lines);
            if of_file >= SAME_SHARE || of_log >= SAME_SHARE {
                same.push((file, of_file));
            }
        }
        let name = || dir.display().to_string();
        if let (false, Some((first, _))) = (replace, same.iter().min_by_key(|(file, _)| file.day)) {
            let days: BTreeSet<i64> = same.iter().map(|(file, _)| file.day).collect();
            return Err(Error::TakenBefore { name: name(), day: date_text(first.day), more: days.len() - 1 });
        }
        if let Some((file, share)) = same.iter().find(|(_, of_file)| *of_file < WHOLE_SHARE) {
            let percent = (100.0 * share) as u32;
            return Err(Error::TakenWithOthers { name: name(), day: date_text(file.day), percent });
        }
        Ok(same.into_iter().map(|(file, _)| file.path.clone()).collect())
    }
}

/// Removes files, and their day if nothing else is in it.
pub(crate) fn remove(files: &[PathBuf]) -> io::Result<()> {
    for file in files {
        fs::remove_file(file)?;
        if let Some(day) = file.parent() {
            // A day with other files stays.
            if fs::remove_dir(day).is_err() {
                File::open(day)?.sync_all()?;
            }
        }
    }
    Ok(())
}
