//! Rows of typed cells to a file that a spreadsheet, a script or a database reads: CSV, JSON Lines or Parquet, by the ending of its name.
//!
//! Rows are written as they come, so a table of any length takes a fixed amount of memory. The file is written beside its name and put
//! in place when it is whole. All three forms hold the same values: what is empty is an empty field, `null`, and null.
//!
//! Texts come from outside. Control characters become `?` in every form. In CSV, a text that a spreadsheet would take for a formula (it
//! begins with `=`, `+`, `-` or `@`) gets a `'` before it.
//!
//! A time comes with its text ([`TableTime`]): this crate has no calendar.

mod csv;
mod jsonl;
mod parquet;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::file::{FileReaders, new_file};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Words.
    Text,
    /// A whole number from 0.
    Count,
    /// A number.
    Real,
    /// A [`TableTime`].
    Time,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableColumn {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
}

/// A time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableTime {
    /// In milliseconds since 1970, for Parquet.
    pub ms: u64,
    /// The same as `2026-11-18T12:30:00.123Z`, for the forms that are text.
    pub text: String,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TableCell<'c> {
    /// Nothing is known.
    Empty,
    /// Words.
    Text(&'c str),
    /// A whole number.
    Count(u64),
    /// A number; one that is not finite is written as nothing.
    Real(f64),
    /// A time.
    Time(&'c TableTime),
}

impl<'c> TableCell<'c> {
    /// A text, if there is one.
    #[must_use]
    pub fn text(text: Option<&'c str>) -> Self {
        text.map_or(Self::Empty, Self::Text)
    }

    /// A number, if there is one.
    #[must_use]
    pub fn count(count: Option<impl Into<u64>>) -> Self {
        count.map_or(Self::Empty, |count| Self::Count(count.into()))
    }
}

/// The forms of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableForm {
    /// Comma-separated values (RFC 4180), the names of the columns first.
    Csv,
    /// One JSON object a line.
    Jsonl,
    /// Apache Parquet, packed with zstd.
    Parquet,
}

impl TableForm {
    /// By the ending of a name: `.csv`, `.jsonl` or `.parquet`.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// Bytes that go to the file at once.
const BUFFER_BYTES: usize = 1 << 16;

trait RowWriter {
    fn row(&mut self, cells: &[TableCell<'_>]) -> io::Result<()>;
    /// Writes the rest; the file.
    fn finish(self: Box<Self>) -> io::Result<File>;
}

/// A table that is being written.
pub struct TableFile {
    columns: &'static [TableColumn],
    writer: Box<dyn RowWriter>,
    /// Where it is written; removed if it is never finished.
    part: TempPath,
    path: PathBuf,
    rows: u64,
}

impl TableFile {
    /// Begins a table, in the form that its name ends with.
    ///
    /// # Errors
    /// If the ending is none of those that are known, or the file cannot be made.
    pub fn create(path: &Path, columns: &'static [TableColumn], readers: FileReaders) -> io::Result<Self> {
        let unknown = "the name of a table ends in .csv, .jsonl or .parquet";
        let form = TableForm::of(path).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, unknown))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (file, part) = new_file(folder, readers)?.into_parts();
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        let writer: Box<dyn RowWriter> = match form {
            TableForm::Csv => Box::new(csv::CsvWriter::new(file, columns)?),
            TableForm::Jsonl => Box::new(jsonl::JsonlWriter::new(file, columns)),
            TableForm::Parquet => Box::new(parquet::ParquetWriter::new(file, columns)?),
        };
        Ok(Self { columns, writer, part, path: path.to_owned(), rows: 0 })
    }

    /// Adds a row: a cell for each column.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If there are more or fewer cells than columns.
    pub fn row(&mut self, cells: &[TableCell<'_>]) -> io::Result<()> {
        assert_eq!(cells.len(), self.columns.len(), "a cell for each column");
        self.rows += 1;
        self.writer.row(cells)
    }

    /// Puts the table in its place; how many rows it has.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<u64> {
        self.writer.finish()?.sync_all()?;
        self.part.persist(&self.path)?;
        Ok(self.rows)
    }
}

/// A text without characters that rule a terminal or break a line.
fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().any(char::is_control) {
        Cow::Owned(text.chars().map(|c| if c.is_control() { '?' } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}
