//! Sorting more values than fit in memory.
//!
//! Values are collected up to a cap, sorted, and written as a run; reading merges the runs. Equal values
//! come out next to each other, which is all that counting needs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

use super::ScratchDir;

/// A value of fixed size that can be written and read back.
pub(crate) trait Fixed: Copy + Ord {
    /// Bytes a value takes on disk.
    const BYTES: usize;
    /// Appends the value to `out`.
    fn put(&self, out: &mut Vec<u8>);
    /// Reads a value from exactly [`Fixed::BYTES`] bytes.
    fn get(bytes: &[u8]) -> Self;
}

impl Fixed for u64 {
    const BYTES: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
    fn get(bytes: &[u8]) -> Self {
        let mut raw = [0; 8];
        raw.copy_from_slice(bytes);
        Self::from_le_bytes(raw)
    }
}

/// Collects values in any order, gives them back in ascending order.
#[derive(Debug)]
pub(crate) struct Sorter<T> {
    held: Vec<T>,
    cap: usize,
    runs: Vec<File>,
    scratch: ScratchDir,
}

/// Fewer values than this are never worth a run of their own.
const MIN_CAP: usize = 1 << 12;

impl<T: Fixed> Sorter<T> {
    /// A sorter that holds at most `bytes` of values in memory.
    pub(crate) fn new(bytes: usize, scratch: ScratchDir) -> Self {
        let cap = (bytes / size_of::<T>()).max(MIN_CAP);
        Self { held: Vec::new(), cap, runs: Vec::new(), scratch }
    }

    /// Adds a value.
    pub(crate) fn push(&mut self, value: T) -> io::Result<()> {
        if self.held.len() >= self.cap {
            self.write_run()?;
        }
        self.held.push(value);
        Ok(())
    }

    /// Where its runs go.
    pub(crate) fn scratch(&self) -> &ScratchDir {
        &self.scratch
    }

    /// How many runs went to disk.
    #[cfg(test)]
    pub(crate) fn runs(&self) -> usize {
        self.runs.len()
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.held.sort_unstable();
        let mut file = BufWriter::with_capacity(1 << 18, self.scratch.file()?);
        let mut bytes = Vec::with_capacity(T::BYTES);
        for value in self.held.drain(..) {
            bytes.clear();
            value.put(&mut bytes);
            file.write_all(&bytes)?;
        }
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.runs.push(file);
        Ok(())
    }

    /// Hands every value, in ascending order, to `each`.
    pub(crate) fn drain(mut self, mut each: impl FnMut(T)) -> io::Result<()> {
        self.held.sort_unstable();
        let mut held = self.held.into_iter().peekable();
        let mut files: Vec<_> = self.runs.into_iter().map(|f| BufReader::with_capacity(1 << 16, f)).collect();
        let mut heap = BinaryHeap::with_capacity(files.len());
        for (i, file) in files.iter_mut().enumerate() {
            if let Some(value) = next::<T>(file)? {
                heap.push(Reverse((value, i)));
            }
        }
        while let Some(Reverse((value, i))) = heap.pop() {
            while let Some(smaller) = held.next_if(|h| *h <= value) {
                each(smaller);
            }
            each(value);
            if let Some(value) = next::<T>(&mut files[i])? {
                heap.push(Reverse((value, i)));
            }
        }
        held.for_each(each);
        Ok(())
    }
}

fn next<T: Fixed>(file: &mut impl Read) -> io::Result<Option<T>> {
    // The largest value in use has 40 bytes; the array keeps the read free of allocation.
    let mut bytes = [0; 64];
    match file.read_exact(&mut bytes[..T::BYTES]) {
        Ok(()) => Ok(Some(T::get(&bytes[..T::BYTES]))),
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_sorter_gives_the_same_values_from_disk_as_from_memory() {
        let scratch = ScratchDir::below(std::env::temp_dir());
        let values: Vec<u64> = (0..50_000u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40).collect();
        let mut expected = values.clone();
        expected.sort_unstable();
        for bytes in [0, 1 << 16, 1 << 30] {
            let mut sorter = Sorter::new(bytes, scratch.clone());
            values.iter().for_each(|v| sorter.push(*v).unwrap());
            assert_eq!(sorter.runs() > 0, bytes < 1 << 20);
            let mut got = Vec::new();
            sorter.drain(|v| got.push(v)).unwrap();
            assert_eq!(got, expected);
        }
    }
}
