//! What is left of a file after a crash?
//!
//! A file under writing is named `….warc.gz.open`, and all records of an exchange are written at once, so a crash leaves
//! whole records and at most one torn tail. [`repair`] finds the end of the last whole record and cuts what follows.
//!
//! A walk over a file of 1 GB unpacks all of it, some ten seconds. The index knows records that were on disk before it
//! was told of them: the walk starts at the last of these. If that place is none (the index is of another file), the
//! walk starts at the beginning.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::member::{Member, Members, Step};
use crate::Error;

const BUFFER_BYTES: usize = 1 << 18;

/// What a repair found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// The length of the file now.
    pub kept_bytes: u64,
    /// What was cut.
    pub cut_bytes: u64,
    /// Whole records that the walk met; those before `known_good` are not among them.
    pub walked: u64,
}

/// Cuts a file that was packed a record at a time after its last whole record. `known_good` is where a record starts
/// that is known to be whole; 0 if none is.
///
/// # Errors
/// [`Error::Unreadable`] and [`Error::Unwritable`].
pub fn repair(path: &Path, known_good: u64) -> Result<Repaired, Error> {
    repair_with(path, known_good, |_| {})
}

/// The same, showing every whole record that the walk meets.
pub(crate) fn repair_with(path: &Path, known_good: u64, mut met: impl FnMut(&Member)) -> Result<Repaired, Error> {
    let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(|e| Error::reading(path, e))?;
    let length = file.metadata().map_err(|e| Error::reading(path, e))?.len();
    let mut walk = walk(&mut file, known_good.min(length), &mut met).map_err(|e| Error::reading(path, e))?;
    if walk.walked == 0 && known_good > 0 {
        walk = self::walk(&mut file, 0, &mut met).map_err(|e| Error::reading(path, e))?;
    }
    if walk.kept_bytes < length {
        let cut = file.set_len(walk.kept_bytes).and_then(|()| file.sync_all());
        cut.map_err(|e| Error::writing(path, e))?;
        walk.cut_bytes = length - walk.kept_bytes;
    }
    Ok(walk)
}

/// How many bytes of a file are whole records, from its start up to a length.
///
/// # Errors
/// [`Error::Unreadable`].
pub fn whole_bytes(path: &Path, length: u64) -> Result<u64, Error> {
    let reading = |e| Error::reading(path, e);
    let mut file = File::open(path).map_err(reading)?;
    let mut whole = 0;
    walk(&mut file, 0, &mut |member: &Member| {
        let end = member.offset + member.length;
        whole = if end <= length { end } else { whole };
    })
    .map_err(reading)?;
    Ok(whole)
}

/// What is whole from here on.
fn walk(file: &mut (impl Read + Seek), from: u64, met: &mut impl FnMut(&Member)) -> std::io::Result<Repaired> {
    file.seek(SeekFrom::Start(from))?;
    let mut members = Members::new(BufReader::with_capacity(BUFFER_BYTES, file), from);
    let mut found = Repaired { kept_bytes: from, ..Repaired::default() };
    while let Step::Whole(member) = members.step()? {
        found.kept_bytes = member.offset + member.length;
        found.walked += 1;
        met(&member);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::WarcWriter;
    use crate::warc::WarcDate;
    use crate::warc::write::{Message, Metadata, WarcExchange, WarcSettings};

    #[test]
    fn ours_a_file_cut_at_any_byte_holds_the_whole_records_before() {
        let dir = tempfile::tempdir().unwrap();
        let mut count = 0_u8;
        let ids = || {
            count += 1;
            [count; 16]
        };
        let mut writer = WarcWriter::open(dir.path(), WarcSettings::default(), ids).unwrap();
        let noise: Vec<u8> = (0..900_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 21) as u8).collect();
        for payload in [&b""[..], b"small", &noise, b"small"] {
            let message = Message { head: b"HTTP/1.1 200 OK\r\n\r\n", payload };
            let metadata = Metadata { hops: Some(1), ..Metadata::default() };
            let exchange = WarcExchange::new("http://e.org/", WarcDate::from_unix_ms(0), message);
            writer.write(&WarcExchange { request: Some(message), metadata, ..exchange }).unwrap();
        }
        writer.finish().unwrap();
        let path = dir.path().join("trodden-19700101000000-00001.warc.gz");
        let bytes = std::fs::read(path).unwrap();
        let mut ends = vec![0];
        walk(&mut Cursor::new(&bytes), 0, &mut |member| ends.push(member.offset + member.length)).unwrap();
        assert_eq!((ends.len(), ends[13]), (14, bytes.len() as u64), "warcinfo, and three records each");
        for cut in 0..=bytes.len() {
            let whole = ends.iter().rposition(|end| *end <= cut as u64).unwrap();
            for from in 0..=whole {
                let found = walk(&mut Cursor::new(&bytes[..cut]), ends[from], &mut |_| {}).unwrap();
                assert_eq!((found.kept_bytes, found.walked), (ends[whole], (whole - from) as u64), "{cut}");
            }
        }
    }
}
