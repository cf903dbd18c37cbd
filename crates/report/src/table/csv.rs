//! Comma-separated values, as RFC 4180 has them, with line ends of one byte.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};

use super::{RowWriter, TableCell, TableColumn, clean};
use crate::csv::quoted;

pub(super) struct CsvWriter {
    out: BufWriter<File>,
}

impl CsvWriter {
    pub(super) fn new(mut out: BufWriter<File>, columns: &[TableColumn]) -> io::Result<Self> {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Self { out })
    }
}

impl RowWriter for CsvWriter {
    fn row(&mut self, cells: &[TableCell<'_>]) -> io::Result<()> {
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                self.out.write_all(b",")?;
            }
            match cell {
                TableCell::Text(text) => self.text(text)?,
                TableCell::Count(count) => write!(self.out, "{count}")?,
                TableCell::Real(real) if real.is_finite() => write!(self.out, "{real}")?,
                TableCell::Time(moment) => self.out.write_all(moment.text.as_bytes())?,
                TableCell::Empty | TableCell::Real(_) => {}
            }
        }
        self.out.write_all(b"\n")
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        Ok(self.out.into_inner()?)
    }
}

impl CsvWriter {
    fn text(&mut self, text: &str) -> io::Result<()> {
        let text = clean(text);
        // A spreadsheet would calculate it.
        let is_formula = text.starts_with(['=', '+', '-', '@']);
        let text = if is_formula { Cow::Owned(format!("'{text}")) } else { text };
        self.out.write_all(quoted(&text).as_bytes())
    }
}
