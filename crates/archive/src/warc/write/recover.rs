//! How does a folder become sound again after a crash?
//!
//! 1. Unfinished scratch files are removed.
//! 2. Of each file that was being written, the journal tells the last record that is surely on disk; from there on it is
//!    walked, cut after the last whole record, and the lines of what the walk met are collected.
//! 3. Lines of the journal that lead beyond the end of their file, or to no file, are dropped, and a torn last line.
//! 4. The collected lines are appended, and the files get their final names. An empty one is removed.
//!
//! A crash in the middle of it changes nothing that doing it again would not do: a line that is appended twice is listed
//! once when the index is sorted.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

use crate::Error;
use crate::cdxj::line::{Place, line_of};
use crate::cdxj::lines::next_line;
use crate::cdxj::{JOURNAL, Journal, SCRATCH};
use crate::warc::folder::{archives_in, sync_dir};
use crate::warc::repair::repair_with;

/// What a crash had left behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Files that were being written.
    pub files: u64,
    /// Torn bytes that were cut.
    pub cut_bytes: u64,
    /// Lines of the index that were missing.
    pub lines_added: u64,
    /// Lines of the index that led nowhere.
    pub lines_dropped: u64,
}

pub(super) fn recover(dir: &Path) -> Result<Recovered, Error> {
    remove_scratch(dir).map_err(|e| Error::writing(dir, e))?;
    let mut recovered = Recovered::default();
    let archives = archives_in(dir)?;
    let mut known: BTreeMap<&str, u64> = archives.iter().filter(|a| a.is_open).map(|a| (a.name.as_str(), 0)).collect();
    each_line(dir, |place, _| {
        if let Some(place) = place
            && let Some(start) = known.get_mut(place.filename.as_str())
        {
            *start = place.offset.max(*start);
        }
        Ok(())
    })?;
    let mut lines = Vec::new();
    let mut lengths = BTreeMap::new();
    for archive in &archives {
        let path = archive.path(dir);
        if archive.is_open {
            let start = known.get(archive.name.as_str()).copied().unwrap_or(0);
            let repaired = repair_with(&path, start, |member| {
                let is_new = start == 0 || member.offset != start;
                if is_new && line_of(member, &archive.name, &mut lines).is_some() {
                    recovered.lines_added += 1;
                }
            })?;
            recovered.files += 1;
            recovered.cut_bytes += repaired.cut_bytes;
        }
        let length = fs::metadata(&path).map_err(|e| Error::reading(&path, e))?.len();
        lengths.insert(archive.name.as_str(), length);
    }
    recovered.lines_dropped = drop_lines(dir, &lengths)?;
    let mut journal = Journal::open(dir)?;
    journal.held().extend_from_slice(&lines);
    journal.flush()?;
    for archive in archives.iter().filter(|a| a.is_open) {
        let path = archive.path(dir);
        let is_empty = lengths.get(archive.name.as_str()) == Some(&0);
        let moved = if is_empty { fs::remove_file(&path) } else { fs::rename(&path, dir.join(&archive.name)) };
        moved.map_err(|e| Error::writing(&path, e))?;
    }
    sync_dir(dir).map_err(|e| Error::writing(dir, e))?;
    Ok(recovered)
}

fn remove_scratch(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(SCRATCH) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Writes the journal anew without the lines that lead nowhere. Gives how many those are.
fn drop_lines(dir: &Path, lengths: &BTreeMap<&str, u64>) -> Result<u64, Error> {
    let leads = |place: Option<Place>| {
        let place = place?;
        let length = *lengths.get(place.filename.as_str())?;
        (place.offset.checked_add(place.length)? <= length).then_some(())
    };
    let mut dropped = 0;
    each_line(dir, |place, _| {
        dropped += u64::from(leads(place).is_none());
        Ok(())
    })?;
    if dropped == 0 {
        return Ok(0);
    }
    let (journal, new) = (dir.join(JOURNAL), dir.join(format!("{SCRATCH}journal")));
    let mut out = BufWriter::new(File::create(&new).map_err(|e| Error::writing(&new, e))?);
    each_line(dir, |place, line| if leads(place).is_some() { out.write_all(line) } else { Ok(()) })?;
    let done = out.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| file.sync_all());
    done.and_then(|()| fs::rename(&new, &journal)).map_err(|e| Error::writing(&new, e))?;
    Ok(dropped)
}

/// Shows every line of the journal, with its end, and the place it tells; no place if it is torn.
fn each_line(dir: &Path, mut show: impl FnMut(Option<Place>, &[u8]) -> io::Result<()>) -> Result<(), Error> {
    let path = dir.join(JOURNAL);
    let mut read = || {
        let mut input = match File::open(&path) {
            Ok(file) => BufReader::new(file),
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(e),
        };
        let mut line = Vec::new();
        while next_line(&mut input, &mut line)? {
            show(line.strip_suffix(b"\n").and_then(Place::of), &line)?;
        }
        Ok(())
    };
    read().map_err(|e| Error::reading(&path, e))
}
