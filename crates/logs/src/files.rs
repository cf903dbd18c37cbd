//! What is each file, and which cost an entry of the ledger?

use crate::clean::BadReason;
use crate::error::Error;
use crate::input::{Codec, FileKind, Prepared};

/// How a file was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileNote {
    /// As named.
    pub name: String,
    /// The format, or none if no reader knows it.
    pub format: Option<String>,
    /// What it is, if it is no log.
    pub kind: Option<FileKind>,
    /// Whether it lay in a folder, is no log, and is not counted.
    pub passed_over: bool,
}

/// How a file is read.
pub(crate) fn file_note(file: &Prepared) -> FileNote {
    let format = match (&file.format, file.codec) {
        (_, Codec::Parquet) => Some("visits (parquet)".to_owned()),
        (Some(format), _) => Some(format.name()),
        (None, _) if file.empty => Some("empty".to_owned()),
        (None, _) => None,
    };
    FileNote { name: file.name.clone(), format, kind: file.kind.clone(), passed_over: file.is_passed_over() }
}

/// The files of which nothing can be read, and why. An error if there is no log at all, and nothing that was one: then the
/// operator must say more, or name something else.
pub(crate) fn unreadable_files(files: &[Prepared]) -> Result<Vec<(u32, BadReason)>, Error> {
    let is_read = |f: &Prepared| f.format.is_some() || f.empty || f.fault.is_some() || f.codec == Codec::Parquet;
    if !files.is_empty() && !files.iter().any(is_read) {
        return Err(no_log(files));
    }
    let without_format = (0_u32..)
        .zip(files)
        .filter(|(_, f)| f.format.is_none() && !f.empty && f.codec != Codec::Parquet && !f.is_passed_over());
    Ok(without_format.map(|(i, f)| (i, f.fault.map_or(BadReason::UnknownFormat, BadReason::from))).collect())
}

/// So many files of each sort are named where none is a log.
const NAMED_FILES: usize = 5;

fn no_log(files: &[Prepared]) -> Error {
    let kinds = files.iter().map(|file| (file.name.clone(), file.kind.clone().unwrap_or(FileKind::Text)));
    let (mut unknown, mut known): (Vec<_>, Vec<_>) = kinds.partition(|(_, kind)| kind.is_of_no_known_format());
    let more = known.len().saturating_sub(NAMED_FILES) + unknown.len().saturating_sub(NAMED_FILES);
    known.truncate(NAMED_FILES);
    unknown.truncate(NAMED_FILES);
    known.append(&mut unknown);
    Error::NoLog { files: known, more: more as u64 }
}
