//! What is an input? Looked at before anything is read: how it is packed, how its lines are written, or what else it is.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::decode::Decoder;
use super::patient::PatientReader;
use super::pump::fault_of;
use super::{Codec, FileFault, FileKind, Input, InputCaps};
use crate::error::Error;
use crate::format::{Format, Hints, detect, reads_any};

/// Bytes looked at to tell the format.
const SAMPLE_BYTES: usize = 1 << 18;
/// Bytes looked at to tell the codec.
pub(super) const MAGIC_BYTES: usize = 6;

/// An input that was looked at.
pub(crate) struct Prepared {
    /// As shown to the operator.
    pub(crate) name: String,
    /// What the bytes are packed in.
    pub(crate) codec: Codec,
    /// How to read its lines; none for visits, for an empty file, or if nothing fits.
    pub(crate) format: Option<Format>,
    /// Whether there is nothing in it.
    pub(crate) empty: bool,
    /// What it is if it is no log: known for certain, or because no reader knows it.
    pub(crate) kind: Option<FileKind>,
    /// Whether it may be a log in spite of that: a piece of one, whose header is in the file before.
    may_inherit: bool,
    /// Bytes on disk, if known.
    pub(crate) bytes: u64,
    /// Why not even the beginning could be read.
    pub(crate) fault: Option<FileFault>,
    input: Input,
    /// How it begins, while that may still be of use.
    sample: Vec<u8>,
    /// A pipe: what was read of it already, and the rest.
    pub(super) pipe: Option<Pipe>,
}

pub(super) struct Pipe {
    head: Vec<u8>,
    rest: Mutex<Option<Box<dyn Read + Send>>>,
}

impl Pipe {
    /// The whole of it; a second time only the head.
    pub(super) fn reader(&self) -> Box<dyn Read + Send> {
        let rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner).take();
        let head = io::Cursor::new(self.head.clone());
        match rest {
            Some(rest) => Box::new(head.chain(rest)),
            None => Box::new(head),
        }
    }
}

impl Prepared {
    /// The path, unless it is standard input.
    pub(crate) fn path(&self) -> Option<&std::path::Path> {
        self.input.path()
    }

    /// Whether it came with a folder, and is no log: passed over, and not counted.
    pub(crate) fn is_passed_over(&self) -> bool {
        self.was_found() && self.format.is_none() && self.fault.is_none() && !self.empty && self.codec != Codec::Parquet
    }

    fn was_found(&self) -> bool {
        matches!(self.input, Input::Found(_))
    }

    /// A link to nowhere in a folder, or a file that may not be read: it costs an entry.
    fn unreadable(input: &Input) -> Self {
        Self {
            name: input.name(),
            codec: Codec::Plain,
            format: None,
            empty: false,
            kind: None,
            may_inherit: false,
            bytes: 0,
            fault: Some(FileFault::Unreadable),
            input: input.clone(),
            sample: Vec::new(),
            pipe: None,
        }
    }
}

/// Sniffs every input and tells its format. A file in which no format is seen takes that of the file before it
/// (a log cut into pieces has its header in the first).
///
/// # Errors
/// If a file that was named cannot be opened, or if the run is stopped while a pipe is waited for.
pub(crate) fn prepare(
    inputs: &[Input],
    hints: &Hints,
    caps: &InputCaps,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<Prepared>, Error> {
    let mut prepared: Vec<Prepared> = Vec::with_capacity(inputs.len());
    for input in inputs {
        let looked = look_at(input, hints, caps, stop);
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        prepared.push(match looked {
            Ok(file) => file,
            Err(_) if matches!(input, Input::Found(_)) => Prepared::unreadable(input),
            Err(source) => return Err(Error::Unreadable { name: input.name(), source }),
        });
    }
    if let Some(file) = prepared.iter().find(|f| f.codec == Codec::Parquet && f.pipe.is_some()) {
        return Err(Error::PipedVisits { name: file.name.clone() });
    }
    inherit(&mut prepared);
    Ok(prepared)
}

fn look_at(input: &Input, hints: &Hints, caps: &InputCaps, stop: &Arc<AtomicBool>) -> io::Result<Prepared> {
    let (mut reader, bytes, is_pipe): (Box<dyn Read + Send>, u64, bool) = match input.path() {
        Some(path) => {
            // To open a pipe may be to wait.
            let about = std::fs::metadata(path)?;
            if about.is_file() {
                (Box::new(File::open(path)?), about.len(), false)
            } else {
                let path = path.to_owned();
                (Box::new(PatientReader::open(|| File::open(path), stop.clone())?), 0, true)
            }
        }
        None => (Box::new(PatientReader::open(|| Ok(io::stdin()), stop.clone())?), 0, true),
    };
    let mut head = Vec::new();
    // Of a pipe every byte comes once, so what the sample is taken from must be kept.
    let wanted = if is_pipe { SAMPLE_BYTES } else { MAGIC_BYTES };
    reader.by_ref().take(wanted as u64).read_to_end(&mut head)?;
    let codec = Codec::sniff(&head);
    let decoder = |input: Box<dyn Read + Send>| Decoder::new(input, codec, caps.ratio, Arc::default());
    let (sample, fault, pipe) = if is_pipe {
        let (sample, fault) = take_sample(decoder(Box::new(io::Cursor::new(head.clone())))?);
        // Unless the pipe has ended, the head is cut anywhere: damage is seen when the whole is read.
        let fault = fault.filter(|_| head.len() < SAMPLE_BYTES);
        (sample, fault, Some(Pipe { head, rest: Mutex::new(Some(reader)) }))
    } else {
        let (sample, fault) = take_sample(decoder(Box::new(io::Cursor::new(head).chain(reader)))?);
        (sample, fault, None)
    };
    let certain = FileKind::for_certain(codec, &sample).filter(|_| !is_taken_at_word(input, hints, codec));
    let format = match &certain {
        Some(_) => None,
        // Any reader counts blank lines.
        None if sample.trim_ascii().is_empty() => Format::named("combined").ok().filter(|_| !sample.is_empty()),
        // A format that was named for a folder is not that of every text in it.
        None => detect(&sample, hints)
            .filter(|format| !matches!(input, Input::Found(_)) || fault.is_some() || reads_any(format, &sample)),
    };
    let empty = sample.is_empty() && fault.is_none();
    let may_inherit = certain.is_none() && format.is_none() && !empty && fault.is_none() && !sample.contains(&0);
    let is_unknown = format.is_none() && fault.is_none() && !empty;
    let kind = certain.or_else(|| is_unknown.then(|| FileKind::unknown(&sample)));
    let sample = if may_inherit { sample } else { Vec::new() };
    let (name, input) = (input.name(), input.clone());
    Ok(Prepared { name, codec, format, empty, kind, may_inherit, bytes, fault, input, sample, pipe })
}

/// Whether the operator named both this file and its format: then it is read by that, whatever it looks like.
fn is_taken_at_word(input: &Input, hints: &Hints, codec: Codec) -> bool {
    hints.spec.is_some() && !matches!(input, Input::Found(_)) && codec != Codec::Parquet
}

/// A file in which no format is seen takes that of the file before it, unless it cannot be a log at all. A file that was not
/// named must show that it is of that format: a folder of logs has other texts in it, too.
fn inherit(files: &mut [Prepared]) {
    let first = files.iter().find_map(|f| f.format.clone());
    let mut last = None;
    for file in files.iter_mut().filter(|f| f.codec != Codec::Parquet) {
        let sample = std::mem::take(&mut file.sample);
        if file.may_inherit {
            let format = last.clone().or_else(|| first.clone());
            file.format = format.filter(|format| !file.was_found() || reads_any(format, &sample));
        }
        last = file.format.clone().or(last);
    }
}

/// As much as can be read, and why not more.
pub(super) fn take_sample(mut decoder: impl Read) -> (Vec<u8>, Option<FileFault>) {
    let mut sample = vec![0; SAMPLE_BYTES];
    let mut at = 0;
    let mut fault = None;
    while at < sample.len() {
        match decoder.read(&mut sample[at..]) {
            Ok(0) => break,
            Ok(n) => at += n,
            Err(e) => {
                fault = Some(fault_of(&e));
                break;
            }
        }
    }
    sample.truncate(at);
    (sample, fault)
}
