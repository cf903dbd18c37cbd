//! The state of an engine, as a whole.
//!
//! ```text
//!  0           8           12         20          28
//! ┌───────────┬───────────┬──────────┬───────────┬──────────
//! │ TRODCKPT  │ version   │ step u64 │ hash u64  │ engine …
//! └───────────┴───────────┴──────────┴───────────┴──────────
//! ```
//! Numbers are big-endian; `hash` is XXH3-64 of step and engine. A checkpoint is written beside the one before it, under the number of its step; then
//! one batch of the store names it and drops the journal up to it; then the one before goes. Whatever of this is cut off, the one
//! that is named is there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use crate::error::Error;

const MAGIC: &[u8; 8] = b"TRODCKPT";
/// The version of the format.
const VERSION: u32 = 1;
const HEAD: usize = 28;

/// Where checkpoints are kept, by name.
pub trait CheckpointStore: Send {
    /// Writes one, whole or not at all; it survives a loss of power when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&mut self, name: &str, parts: &[&[u8]]) -> io::Result<()>;

    /// Reads one; none if there is none.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Removes all but one.
    ///
    /// # Errors
    /// If one cannot be removed.
    fn keep_only(&mut self, name: &str) -> io::Result<()>;

    /// The path of one, for messages.
    fn path(&self, name: &str) -> PathBuf;
}

/// Checkpoints in a folder.
#[derive(Clone, Debug)]
pub struct CheckpointFolder(PathBuf);

/// How the names of checkpoints begin and end.
const NAME: (&str, &str) = ("engine-", ".checkpoint");
const PART: &str = ".part";

impl CheckpointFolder {
    /// In this folder.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self(folder.to_owned())
    }
}

impl CheckpointStore for CheckpointFolder {
    fn write(&mut self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let part = self.0.join(format!("{name}{PART}"));
        let mut file = File::create(&part)?;
        for bytes in parts {
            file.write_all(bytes)?;
        }
        file.sync_all()?;
        fs::rename(&part, self.0.join(name))?;
        // The name itself must survive.
        File::open(&self.0)?.sync_all()
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.0.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(why) => Err(why),
        }
    }

    fn keep_only(&mut self, name: &str) -> io::Result<()> {
        for entry in fs::read_dir(&self.0)? {
            let (path, other) = entry.map(|entry| (entry.path(), entry.file_name().to_string_lossy().into_owned()))?;
            let is_checkpoint =
                other.starts_with(NAME.0) && (other.ends_with(NAME.1) || other.ends_with(&format!("{}{PART}", NAME.1)));
            if is_checkpoint && other != name {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

/// The file that says how far the store goes: a step, and its hash.
pub(crate) const MARK: &str = "session.mark";

/// What the mark of a step says.
pub(crate) fn mark(step: u64) -> [u8; 16] {
    let mut mark = [0; 16];
    mark[..8].copy_from_slice(&step.to_be_bytes());
    mark[8..].copy_from_slice(&hash(step, &[]).to_be_bytes());
    mark
}

/// The step that a mark is of; none if it is none.
fn marked(mark: &[u8]) -> Option<u64> {
    let (step, rest) = mark.split_first_chunk::<8>()?;
    let step = u64::from_be_bytes(*step);
    (rest == hash(step, &[]).to_be_bytes()).then_some(step)
}

/// How far the store must go; 0 if nobody said.
pub(crate) fn read_mark(store: &dyn CheckpointStore) -> u64 {
    store.read(MARK).ok().flatten().and_then(|mark| marked(&mark)).unwrap_or(0)
}

/// The name of the checkpoint of a step.
pub(crate) fn name(step: u64) -> String {
    format!("{}{step:016}{}", NAME.0, NAME.1)
}

fn hash(step: u64, engine: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&step.to_be_bytes());
    hash.update(engine);
    hash.digest()
}

/// Writes the checkpoint of a step.
pub(crate) fn write(store: &mut dyn CheckpointStore, step: u64, engine: &[u8]) -> Result<(), Error> {
    let name = name(step);
    let mut head = Vec::with_capacity(HEAD);
    head.extend_from_slice(MAGIC);
    head.extend_from_slice(&VERSION.to_be_bytes());
    head.extend_from_slice(&step.to_be_bytes());
    head.extend_from_slice(&hash(step, engine).to_be_bytes());
    let written = store.write(&name, &[&head, engine]);
    written.map_err(|why| Error::File { path: store.path(&name), doing: "written", why })
}

/// Reads the checkpoint of a step: the state of the engine.
pub(crate) fn read(store: &dyn CheckpointStore, step: u64) -> Result<Vec<u8>, Error> {
    let name = name(step);
    let wrong = |why| Error::Checkpoint { path: store.path(&name), why };
    let bytes = store.read(&name).map_err(|why| Error::File { path: store.path(&name), doing: "read", why })?;
    let mut bytes = bytes.ok_or_else(|| wrong("is missing"))?;
    let head = bytes.first_chunk::<HEAD>().ok_or_else(|| wrong("is cut off"))?;
    if &head[..8] != MAGIC {
        return Err(wrong("is damaged: it does not begin like one"));
    }
    let number = |from: usize| u64::from_be_bytes(std::array::from_fn(|at| head[from + at]));
    let found = u32::from_be_bytes(std::array::from_fn(|at| head[8 + at]));
    if found != VERSION {
        return Err(Error::Version { found, known: VERSION });
    }
    let (of, expected) = (number(12), number(20));
    if of != step || hash(step, &bytes[HEAD..]) != expected {
        return Err(wrong("is damaged: its checksum is wrong"));
    }
    bytes.drain(..HEAD);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_checkpoint_is_read_as_it_was_written_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = CheckpointFolder::new(folder.path());
        write(&mut store, 7, b"what it knew").unwrap();
        assert_eq!(read(&store, 7).unwrap(), b"what it knew");
        assert!(matches!(read(&store, 8), Err(Error::Checkpoint { why: "is missing", .. })));
        let path = folder.path().join(name(7));
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 0x20;
            fs::write(&path, &flipped).unwrap();
            assert!(read(&store, 7).is_err(), "byte {at}");
            fs::write(&path, &whole[..at]).unwrap();
            assert!(read(&store, 7).is_err(), "cut at {at}");
        }
        fs::write(&path, &whole).unwrap();
        write(&mut store, 9, b"later").unwrap();
        store.keep_only(&name(9)).unwrap();
        assert!(read(&store, 7).is_err() && read(&store, 9).is_ok());
    }
}
