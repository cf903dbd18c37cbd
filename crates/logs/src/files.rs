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

/// So many files are named where none is a log.
const NAMED_FILES: usize = 5;

fn no_log(files: &[Prepared]) -> Error {
    let mut why: Vec<String> = Vec::new();
    let mut unknown: Vec<String> = Vec::new();
    for file in files {
        match &file.kind {
            None | Some(FileKind::Text | FileKind::Binary) => unknown.push(file.name.clone()),
            Some(kind) => why.push(kind.instead_of_log(&file.name)),
        }
    }
    let left_out = (why.len().saturating_sub(NAMED_FILES) + unknown.len().saturating_sub(NAMED_FILES)) as u64;
    why.truncate(NAMED_FILES);
    unknown.truncate(NAMED_FILES);
    if !unknown.is_empty() {
        why.push(FileKind::Text.instead_of_log(&unknown.join(", ")));
    }
    if left_out > 0 {
        why.push(format!("and {left_out} more files are no logs"));
    }
    Error::NoLog { why: why.join("; ") }
}
