//! What does an index say that is made from the archives themselves?

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use super::line::line_of;
use super::{INDEX, JOURNAL, SCRATCH, sort_index};
use crate::Error;
use crate::warc::member::{Members, Step};
use crate::warc::{archives_in, sync_dir};

/// Makes the index of a folder anew from all its archives (`*.warc.gz`, packed a record at a time). What follows a
/// damaged spot of a file is not listed. A writer must not be at work there. Gives the number of lines.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::Unwritable`] and [`Error::Full`]; the old index is kept then.
pub fn rebuild_index(dir: &Path, memory: usize) -> Result<u64, Error> {
    let (new, journal, index) = (dir.join(format!("{SCRATCH}rebuilt")), dir.join(JOURNAL), dir.join(INDEX));
    let writing = |e| Error::writing(&new, e);
    let mut out = BufWriter::new(File::create(&new).map_err(writing)?);
    let mut line = Vec::new();
    for archive in archives_in(dir)? {
        let path = archive.path(dir);
        let reading = |e| Error::reading(&path, e);
        let file = File::open(&path).map_err(reading)?;
        let mut members = Members::new(BufReader::with_capacity(1 << 18, file), 0);
        while let Step::Whole(member) = members.step().map_err(reading)? {
            line.clear();
            line_of(&member, &archive.name, &mut line);
            out.write_all(&line).map_err(writing)?;
        }
    }
    out.into_inner().map_err(|e| writing(e.into_error()))?.sync_all().map_err(writing)?;
    let replace = || {
        fs::rename(&new, &journal)?;
        if index.exists() {
            fs::remove_file(&index)?;
        }
        sync_dir(dir)
    };
    replace().map_err(writing)?;
    sort_index(dir, memory)
}
