//! Is everything there that the crawl wrote?
//!
//! The session notes of every file of the archive how far it goes and what its bytes hash to. Before a crawl is resumed, each file is held
//! against that: it must be there, be as long, and (the last one always, the others up to [`VERIFIED_BYTES`]) hash to the same. What is
//! beyond was not committed, and is cut off. If something is missing, pages are lost: the crawl is refused with how many, or, if the operator says so
//! (`--mend`), cut to its whole records, and the lost pages are fetched again.
//!
//! Everything else can be made again: the index from the archive, the events from the journal.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use trodden_archive::warc::whole_bytes;
use trodden_frontier::UrlId;
use trodden_session::{Records, Session};
use xxhash_rust::xxh3::Xxh3;

use super::notes::{ARCHIVE_FILE, Archived, DIGEST, Original, ROBOTS, Robots};
use super::{Error, wall_clock};

/// Bytes of closed files that are read when a crawl is resumed; `trodden check` reads all.
const VERIFIED_BYTES: u64 = 1 << 30;
/// How the name of a file ends that is being written.
pub(super) const OPEN: &str = ".open";
/// How the name of a file ends that a crawl knows nothing of, since its store was lost.
const UNKNOWN: &str = ".unknown";
/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// How much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// What can be read in a moment.
    Quick,
    /// Everything.
    Whole,
}

/// A file of the archive, as it is.
pub(super) struct FileState {
    pub(super) number: u32,
    pub(super) archived: Archived,
    pub(super) path: PathBuf,
    /// What is wrong with it, and how many bytes are whole.
    pub(super) fault: Option<(&'static str, u64)>,
}

/// Holds every file of an archive against what is known of it.
pub(super) fn look(folder: &Path, records: Records<'_>, depth: Depth) -> Result<Vec<FileState>, Error> {
    let mut files: Vec<(u32, Archived)> = Vec::new();
    records.each_driver_note(ARCHIVE_FILE, |key, archived: Archived| {
        files.extend(key.try_into().ok().map(|key| (u32::from_be_bytes(key), archived)));
        Ok(())
    })?;
    let mut left = if depth == Depth::Whole { u64::MAX } else { VERIFIED_BYTES };
    let mut states = Vec::with_capacity(files.len());
    // The newest first: they are the likeliest to have been cut.
    for (place, (number, archived)) in files.into_iter().rev().enumerate() {
        let is_read = place == 0 || archived.length <= left;
        left = left.saturating_sub(archived.length);
        let closed = folder.join(&archived.file);
        let open = folder.join(format!("{}{OPEN}", archived.file));
        let path = if open.is_file() { open } else { closed };
        let fault = fault(&path, &archived, is_read).map_err(|why| Error::Unread { path: path.clone(), why })?;
        let fault = match fault {
            None => None,
            Some(what) if path.is_file() => Some((what, whole_bytes(&path, archived.length)?)),
            Some(what) => Some((what, 0)),
        };
        states.push(FileState { number, archived, path, fault });
    }
    states.reverse();
    whole_exchanges(records, &mut states)?;
    Ok(states)
}

/// Of what is whole, counts only whole exchanges: a page is a response, its request and what is known of both.
fn whole_exchanges(records: Records<'_>, states: &mut [FileState]) -> Result<(), Error> {
    let whole = whole(states);
    if whole.is_empty() {
        return Ok(());
    }
    let mut ends: FxHashMap<u32, u64> = FxHashMap::default();
    records.each(|_, record| {
        if let Some(place) = &record.archived
            && whole.get(&place.file).is_some_and(|whole| place.end <= *whole)
        {
            let end = ends.entry(place.file).or_default();
            *end = place.end.max(*end);
        }
        Ok::<_, Error>(())
    })?;
    for state in states {
        if let Some((_, whole)) = &mut state.fault {
            *whole = ends.get(&state.number).copied().unwrap_or(0);
        }
    }
    Ok(())
}

fn fault(path: &Path, archived: &Archived, is_read: bool) -> io::Result<Option<&'static str>> {
    let length = match fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        // One that lost everything and was mended is gone.
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok((archived.length > 0).then_some("is missing")),
        Err(why) => return Err(why),
    };
    if length < archived.length {
        return Ok(Some("is cut off"));
    }
    Ok((is_read && hash_of(path, archived.length)? != archived.hash).then_some("is damaged"))
}

/// XXH3-64 of the first bytes of a file.
fn hash_of(path: &Path, length: u64) -> io::Result<u64> {
    let (mut file, mut hash, mut buffer) = (File::open(path)?.take(length), Xxh3::new(), vec![0; BUFFER]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.digest()),
            read => hash.update(&buffer[..read]),
        }
    }
}

/// What was found wrong when a crawl was resumed, and mended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mended {
    /// Pages that were in lost parts of the archive, and are fetched again.
    pub lost_pages: u64,
    /// Files of the archive that lost something.
    pub files: Vec<String>,
    /// Files of the archive that the crawl knows nothing of; they were set aside.
    pub unknown_files: u64,
    /// Whether the index was made anew.
    pub index: bool,
    /// Whether events were lost.
    pub events: bool,
    /// Milliseconds that the clock of this machine is behind the crawl's.
    pub clock_behind_ms: u64,
}

impl Mended {
    /// Whether nothing was wrong.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// Makes an archive what the session says that it is. What is lost is an error, unless it may be mended: then it is fetched again.
pub(super) fn settle(folder: &Path, session: &mut Session, may_mend: bool) -> Result<Mended, Error> {
    let mut mended = Mended::default();
    if !folder.is_dir() && session.records().driver_note::<Archived>(ARCHIVE_FILE, &0_u32.to_be_bytes())?.is_none() {
        return Ok(mended);
    }
    let states = look(folder, session.records(), Depth::Quick)?;
    let lost = lost_pages(session.records(), &states)?;
    if let Some(state) = states.iter().find(|state| state.fault.is_some())
        && !may_mend
    {
        let (why, pages) = (state.fault.map_or("", |fault| fault.0), lost.len() as u64);
        return Err(Error::Damaged { path: folder.join(&state.archived.file), why, pages });
    }
    for state in &states {
        let keeps = state.fault.map_or(state.archived.length, |(_, whole)| whole);
        if state.fault.is_some() {
            mended.files.push(state.archived.file.clone());
            let hash = if state.path.is_file() { hash_of(&state.path, keeps) } else { Ok(Xxh3::new().digest()) };
            let hash = hash.map_err(|why| Error::Unread { path: state.path.clone(), why })?;
            let archived = Archived { length: keeps, hash, ..state.archived.clone() };
            session.driver_notes().put(ARCHIVE_FILE, &state.number.to_be_bytes(), &archived)?;
        }
        cut(&state.path, keeps).map_err(|why| Error::File { path: state.path.clone(), why })?;
    }
    let last = states.last().map_or("", |state| state.archived.file.as_str());
    mended.unknown_files =
        set_aside(folder, last, may_mend).map_err(|why| Error::File { path: folder.to_owned(), why })?;
    if !mended.files.is_empty() {
        forget_lost(session, &states)?;
        for key in &lost {
            let now = wall_clock();
            session.revive(*key, now, now)?;
        }
        mended.lost_pages = lost.len() as u64;
    }
    Ok(mended)
}

/// Cuts what was not committed.
fn cut(path: &Path, length: u64) -> io::Result<()> {
    match OpenOptions::new().write(true).open(path) {
        Ok(file) if file.metadata()?.len() > length => {
            file.set_len(length)?;
            file.sync_all()
        }
        Ok(_) => Ok(()),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(why) => Err(why),
    }
}

/// Removes files after the last one that is known: nothing of them was committed. If the store itself lost something they are kept, under
/// another name; how many.
fn set_aside(folder: &Path, last: &str, keeps: bool) -> io::Result<u64> {
    let mut aside = 0;
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(why) => return Err(why),
    };
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let plain = name.strip_suffix(OPEN).unwrap_or(&name);
        // Names go by date and serial number.
        if !plain.ends_with(".warc.gz") || plain <= last {
            continue;
        }
        if keeps {
            aside += 1;
            fs::rename(&path, folder.join(format!("{plain}{UNKNOWN}")))?;
        } else {
            fs::remove_file(&path)?;
        }
    }
    Ok(aside)
}

/// Whole bytes of the files that lost something, by number.
fn whole(states: &[FileState]) -> FxHashMap<u32, u64> {
    states.iter().filter_map(|state| Some((state.number, state.fault?.1))).collect()
}

/// URLs whose records were in what is lost.
fn lost_pages(records: Records<'_>, states: &[FileState]) -> Result<Vec<UrlId>, Error> {
    let (whole, mut lost) = (whole(states), Vec::new());
    if whole.is_empty() {
        return Ok(lost);
    }
    records.each(|key, record| {
        let place = record.archived.as_ref();
        if place.is_some_and(|place| whole.get(&place.file).is_some_and(|whole| place.end > *whole)) {
            lost.push(key);
        }
        Ok::<_, Error>(())
    })?;
    Ok(lost)
}

/// Nothing may refer to what is lost.
fn forget_lost(session: &mut Session, states: &[FileState]) -> Result<(), Error> {
    let whole = whole(states);
    let is_lost =
        |original: &Original| whole.get(&original.place.file).is_some_and(|whole| original.place.end > *whole);
    let (mut digests, mut robots) = (Vec::new(), Vec::new());
    session.records().each_driver_note(DIGEST, |key, original: Original| {
        digests.extend(is_lost(&original).then(|| key.to_vec()));
        Ok(())
    })?;
    session.records().each_driver_note(ROBOTS, |key, known: Robots| {
        robots.extend(known.kept.as_ref().is_some_and(is_lost).then(|| key.to_vec()));
        Ok(())
    })?;
    for (kind, keys) in [(DIGEST, digests), (ROBOTS, robots)] {
        for key in keys {
            session.driver_notes().forget(kind, &key)?;
        }
    }
    Ok(())
}
