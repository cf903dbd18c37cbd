//! What is a file, by its content? The one place that tells logs from everything else an operator may name.
//!
//! A log is what some reader can read ([`detect`]); visits are Parquet, or a directory of it; a model begins with its
//! version. Everything else is known by how it begins, so that a message can name it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::InputCaps;
use super::decode::{Codec, Decoder};
use super::prepared::{MAGIC_BYTES, take_sample};
use crate::format::{Hints, JsonKeys, detect, json_keys};
use crate::visits::is_visits_dir;

/// How the line of a model begins.
const MODEL_START: &[u8] = b"{\"trodden_model\"";

/// How files begin that are no logs, and what they are.
const STARTS: &[(&[u8], &str)] = &[
    (b"%PDF-", "a PDF document"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x89PNG\r\n", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"BM", "an image"),
    (b"\0\0\x01\0", "an image"),
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive; unpack it first"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"WARC/", "a WARC archive"),
    (b"\xff\xfe", "text in UTF-16; make it UTF-8 with iconv"),
    (b"\xfe\xff", "text in UTF-16; make it UTF-8 with iconv"),
    (b"ID3", "a sound file"),
    (b"OggS", "a media file"),
    (b"\x1aE\xdf\xa3", "a media file"),
    (b"%!PS", "a PostScript document"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
    (b"{\\rtf", "an RTF document"),
];

/// The same for texts, without regard to case and to white space before it.
const TEXT_STARTS: &[(&[u8], &str)] = &[
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<head", "an HTML page"),
    (b"<?xml", "an XML file"),
    (b"<svg", "an image"),
    (b"<urlset", "an XML file"),
    (b"#!/", "a script"),
];

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Nothing is in it.
    Empty,
    /// A log, by the name of its format.
    Log(String),
    /// Visits, as `ingest -o` writes them: a file or a directory.
    Visits,
    /// A model, as `mine -o` writes it.
    Model,
    /// A folder that is not one of visits.
    Folder,
    /// JSON, an object a line, of which no reader makes a request.
    JsonLines(JsonKeys),
    /// Something else, in words.
    Other(&'static str),
    /// Text that no reader knows.
    Text,
    /// Bytes that nobody knows.
    Binary,
    /// It is packed, and damaged from the start.
    Damaged,
}

impl FileKind {
    /// What is at a path: a file, packed or not, or a directory.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(path: &Path, hints: &Hints) -> io::Result<Self> {
        if path.is_dir() {
            return Ok(if is_visits_dir(path) { Self::Visits } else { Self::Folder });
        }
        let mut file = File::open(path)?;
        let mut head = Vec::new();
        file.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut head)?;
        let codec = Codec::sniff(&head);
        let bytes = io::Cursor::new(head).chain(file);
        match take_sample(Decoder::new(bytes, codec, InputCaps::default().ratio, Arc::default())?) {
            (sample, Some(_)) if sample.is_empty() => Ok(Self::Damaged),
            (sample, _) => Ok(Self::of_sample(codec, &sample, hints)),
        }
    }

    fn of_sample(codec: Codec, sample: &[u8], hints: &Hints) -> Self {
        let certain = Self::for_certain(codec, sample);
        let log = || detect(sample, hints).map(|format| Self::Log(format.name()));
        certain.or_else(log).unwrap_or_else(|| Self::unknown(sample))
    }

    /// What is no log, whatever its lines look like; none if it may be one.
    pub(super) fn for_certain(codec: Codec, sample: &[u8]) -> Option<Self> {
        if codec == Codec::Parquet {
            return Some(Self::Visits);
        }
        let text = sample.strip_prefix(b"\xef\xbb\xbf").unwrap_or(sample).trim_ascii_start();
        if text.starts_with(MODEL_START) {
            return Some(Self::Model);
        }
        // A tar archive has its mark at the end of the first header.
        if sample.get(257..262) == Some(b"ustar") {
            return Some(Self::Other("a tar archive; unpack it first"));
        }
        if sample.get(4..8) == Some(b"ftyp") {
            return Some(Self::Other("a media file"));
        }
        if sample.starts_with(b"RIFF") && sample.contains(&0) {
            return Some(Self::Other("a media file"));
        }
        let known = STARTS.iter().filter(|(start, _)| sample.starts_with(start));
        // Two letters alone may begin any line.
        let known = known.filter(|(start, _)| start.len() > 2 || sample.contains(&0)).map(|(_, words)| *words);
        let begins = |start: &[u8]| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
        let texts = TEXT_STARTS.iter().filter(|(start, _)| begins(start)).map(|(_, words)| *words);
        known.chain(texts).next().map(Self::Other)
    }

    /// What no reader knows.
    pub(super) fn unknown(sample: &[u8]) -> Self {
        if sample.is_empty() {
            return Self::Empty;
        }
        if sample.contains(&0) {
            return Self::Binary;
        }
        if let Some(keys) = json_keys(sample) {
            return Self::JsonLines(keys);
        }
        match sample.trim_ascii_start().first() {
            Some(b'[' | b'{') => {
                Self::Other("a JSON document, not an object a line; jq -c '.[]' makes lines of a list")
            }
            _ if std::str::from_utf8(sample).is_err_and(|e| e.error_len().is_some()) => Self::Binary,
            _ => Self::Text,
        }
    }

    /// With its article, to stand after "is".
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Empty => "empty".to_owned(),
            Self::Log(format) => format!("a log ({format})"),
            Self::Visits => "visits".to_owned(),
            Self::Model => "a model".to_owned(),
            Self::Folder => "a folder".to_owned(),
            Self::JsonLines(_) => "JSON with keys that are not known".to_owned(),
            Self::Other(words) => (*words).to_owned(),
            Self::Text => "text of no known format".to_owned(),
            Self::Binary => "binary data".to_owned(),
            Self::Damaged => "packed, and damaged".to_owned(),
        }
    }

    /// Whether nothing is known of it.
    #[must_use]
    pub fn is_of_no_known_format(&self) -> bool {
        matches!(self, Self::Text | Self::Binary)
    }

    /// Why it is not read where a log is wanted.
    pub(crate) fn instead_of_log(&self, name: &str) -> String {
        match self {
            Self::Model => format!("{name} is a model already"),
            Self::JsonLines(keys) => format!(
                "no request can be read from the JSON lines of {name} (its keys: {}); say where the fields are",
                keys.shown()
            ),
            Self::Text | Self::Binary => format!("no reader knows the lines of {name}; name the format"),
            _ => format!("{name} is no log: it is {}", self.in_words()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(bytes: &[u8]) -> FileKind {
        FileKind::of_sample(Codec::sniff(bytes), bytes, &Hints::default())
    }

    #[test]
    fn ours_files_are_known_by_how_they_begin() {
        let tar = [&b"access.log"[..], &[0; 247], b"ustar\x0000"].concat();
        for (bytes, words) in [
            (&b"%PDF-1.7\n%..."[..], "a PDF document"),
            (b"SQLite format 3\0\x10\0", "an SQLite database"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "an image"),
            (b"\n <!DOCTYPE HTML>\n<html>", "an HTML page"),
            (b"<?xml version=\"1.0\"?><urlset>", "an XML file"),
            (&tar, "a tar archive; unpack it first"),
            (b"BM is how this line begins\n", "text of no known format"),
            (b"{\"trodden_model\":1,\"site\":\"a.com\"}\n", "a model"),
            (b"PAR1....", "visits"),
            (b"", "empty"),
            (b"\x07\xfa\0\x01\n", "binary data"),
            (b"{\"a\":1}\n{\"a\":2}\n", "JSON with keys that are not known"),
            (
                b"[\n {\"a\":1},\n {\"a\":2}\n]\n",
                "a JSON document, not an object a line; jq -c '.[]' makes lines of a list",
            ),
            (b"192.0.2.1 - - [01/Mar/2024:00:00:00 +0000] \"GET / HTTP/1.1\" 200 5\n", "a log (common)"),
        ] {
            assert_eq!(kind(bytes).in_words(), words, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
