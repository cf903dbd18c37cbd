//! How are the lines of a crawl put in order, within a bound of memory?
//!
//! Lines are compared as bytes (`LC_ALL=C sort`), which orders them by SURT key, then time. What fits into memory is
//! sorted there; otherwise sorted runs go to disk and are merged, at most [`FAN_IN`] at once. The old index is one more
//! sorted run. Equal lines become one, so a sort that was interrupted can be done again, and a record that was indexed
//! twice is listed once.
//!
//! ```text
//! index.cdxj + index.cdxj.part ─► index.cdxj.new ─rename─► index.cdxj, then index.cdxj.part is removed
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::lines::next_line;
use super::{INDEX, JOURNAL, SCRATCH};
use crate::Error;
use crate::warc::sync_dir;

/// Memory for the lines of one run by default, in bytes.
pub const SORT_BYTES: usize = 64 << 20;
/// Runs that are merged at once.
const FAN_IN: usize = 64;
/// What a line costs beside its bytes.
const LINE_COST: usize = size_of::<Vec<u8>>();

/// Sorts the journal of a folder into its index. `memory` bounds the lines held at once ([`SORT_BYTES`]); a writer must
/// not be at work there. Gives the number of lines of the index.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::Unwritable`], and [`Error::Full`], after which nothing is lost.
pub fn sort_index(dir: &Path, memory: usize) -> Result<u64, Error> {
    let (index, journal, new) = (dir.join(INDEX), dir.join(JOURNAL), dir.join(format!("{SCRATCH}new")));
    let mut runs = Runs { dir: dir.to_owned(), made: 0, paths: Vec::new() };
    let sorted = (|| {
        let rest = match File::open(&journal) {
            Ok(file) => runs.split(BufReader::new(file), memory)?,
            Err(e) if e.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(e),
        };
        while runs.paths.len() > FAN_IN {
            runs.merge_some()?;
        }
        let mut sources = runs.open()?;
        sources.push(Source::Memory(rest.into_iter()));
        if index.exists() {
            sources.push(Source::File(BufReader::new(File::open(&index)?)));
        }
        let lines = merge(sources, &new)?;
        fs::rename(&new, &index)?;
        sync_dir(dir)?;
        if journal.exists() {
            fs::remove_file(&journal)?;
        }
        Ok(lines)
    })();
    let removed = runs.remove();
    sorted.and_then(|lines| removed.map(|()| lines)).map_err(|e| Error::writing(&index, e))
}

/// Sorted files on disk.
struct Runs {
    dir: PathBuf,
    made: usize,
    paths: Vec<PathBuf>,
}

impl Runs {
    /// Sorts the input in pieces; all but the last go to disk.
    fn split(&mut self, mut input: impl BufRead, memory: usize) -> io::Result<Vec<Vec<u8>>> {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let (mut bytes, mut line) = (0, Vec::new());
        while next_line(&mut input, &mut line)? {
            // A line without an end is torn, or too long to be one of ours.
            if line.last() != Some(&b'\n') {
                continue;
            }
            bytes += line.len() + LINE_COST;
            lines.push(line.as_slice().into());
            if bytes >= memory {
                lines.sort_unstable();
                let path = self.next_path();
                merge(vec![Source::Memory(std::mem::take(&mut lines).into_iter())], &path)?;
                bytes = 0;
            }
        }
        lines.sort_unstable();
        Ok(lines)
    }

    /// Makes the first runs one.
    fn merge_some(&mut self) -> io::Result<()> {
        let first: Vec<PathBuf> = self.paths.drain(..FAN_IN).collect();
        let sources = first.iter().map(|path| Ok(Source::File(BufReader::new(File::open(path)?))));
        let sources = sources.collect::<io::Result<Vec<_>>>()?;
        let path = self.next_path();
        merge(sources, &path)?;
        first.iter().try_for_each(fs::remove_file)
    }

    fn open(&self) -> io::Result<Vec<Source>> {
        self.paths.iter().map(|path| Ok(Source::File(BufReader::new(File::open(path)?)))).collect()
    }

    fn next_path(&mut self) -> PathBuf {
        let path = self.dir.join(format!("{SCRATCH}run-{}", self.made));
        self.made += 1;
        self.paths.push(path.clone());
        path
    }

    fn remove(&self) -> io::Result<()> {
        self.paths.iter().try_for_each(fs::remove_file)
    }
}

/// Lines in order.
enum Source {
    Memory(std::vec::IntoIter<Vec<u8>>),
    File(BufReader<File>),
}

impl Source {
    fn next(&mut self, mut line: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
        match self {
            Self::Memory(lines) => Ok(lines.next()),
            Self::File(file) => Ok(next_line(file, &mut line)?.then_some(line)),
        }
    }
}

/// Writes the lines of all sources in order, equal ones once. Gives how many.
fn merge(mut sources: Vec<Source>, to: &Path) -> io::Result<u64> {
    let mut out = BufWriter::new(File::create(to)?);
    let mut heap = BinaryHeap::new();
    for (i, source) in sources.iter_mut().enumerate() {
        heap.extend(source.next(Vec::new())?.map(|line| Reverse((line, i))));
    }
    let (mut count, mut last) = (0, Vec::new());
    while let Some(Reverse((line, i))) = heap.pop() {
        if line != last {
            out.write_all(&line)?;
            count += 1;
        }
        let used = std::mem::replace(&mut last, line);
        heap.extend(sources[i].next(used)?.map(|line| Reverse((line, i))));
    }
    out.into_inner()?.sync_all()?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(index: &[String], part: &[String], memory: usize) -> (String, u64, usize) {
        let dir = tempfile::tempdir().unwrap();
        if !index.is_empty() {
            fs::write(dir.path().join(INDEX), index.concat()).unwrap();
        }
        fs::write(dir.path().join(JOURNAL), part.concat() + "torn").unwrap();
        let lines = sort_index(dir.path(), memory).unwrap();
        let left = fs::read_dir(dir.path()).unwrap().count();
        (fs::read_to_string(dir.path().join(INDEX)).unwrap(), lines, left)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn ours_an_index_is_sorted_alike_in_memory_and_on_disk(
            mut index in proptest::collection::vec("[ -~]{1,9}\n", 0..20),
            part in proptest::collection::vec("[ -~]{1,9}\n", 0..300),
            memory in 40_usize..3_000,
        ) {
            index.sort_unstable();
            let mut all: Vec<String> = index.iter().chain(&part).cloned().collect();
            all.sort_unstable();
            all.dedup();
            let expected = (all.concat(), all.len() as u64, 1);
            prop_assert_eq!(&sorted(&index, &part, memory), &expected);
            prop_assert_eq!(&sorted(&index, &part, usize::MAX), &expected);
        }
    }

    #[test]
    fn ours_a_sort_without_anything_gives_an_empty_index() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(sort_index(dir.path(), SORT_BYTES).unwrap(), 0);
        assert_eq!(fs::read(dir.path().join(INDEX)).unwrap(), b"");
    }
}
