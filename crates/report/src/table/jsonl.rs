//! JSON Lines: an object a row, with all columns in their order.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use serde::Serializer;
use serde::ser::SerializeMap;

use super::{RowWriter, TableCell, TableColumn, clean};

pub(super) struct JsonlWriter {
    out: BufWriter<File>,
    columns: &'static [TableColumn],
}

impl JsonlWriter {
    pub(super) fn new(out: BufWriter<File>, columns: &'static [TableColumn]) -> Self {
        Self { out, columns }
    }
}

impl RowWriter for JsonlWriter {
    fn row(&mut self, cells: &[TableCell<'_>]) -> io::Result<()> {
        let mut json = serde_json::Serializer::new(&mut self.out);
        let mut row = json.serialize_map(Some(cells.len()))?;
        for (column, cell) in self.columns.iter().zip(cells) {
            match cell {
                TableCell::Text(text) => row.serialize_entry(column.name, &clean(text))?,
                TableCell::Count(count) => row.serialize_entry(column.name, count)?,
                TableCell::Real(real) => row.serialize_entry(column.name, real)?,
                TableCell::Time(moment) => row.serialize_entry(column.name, &moment.text)?,
                TableCell::Empty => row.serialize_entry(column.name, &())?,
            }
        }
        row.end()?;
        self.out.write_all(b"\n")
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        Ok(self.out.into_inner()?)
    }
}
