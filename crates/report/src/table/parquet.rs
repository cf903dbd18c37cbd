//! Apache Parquet: a batch of rows in memory, a row group after every few hundred thousand.

use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, Float64Builder, StringBuilder, TimestampMillisecondBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::{ColumnKind, RowWriter, TableCell, TableColumn, clean};

/// Rows of a batch on its way to the file.
const BATCH_ROWS: usize = 1 << 13;
/// Rows of a row group: the memory of who writes and of who reads.
const GROUP_ROWS: usize = 1 << 17;

pub(super) struct ParquetWriter {
    schema: SchemaRef,
    writer: ArrowWriter<BufWriter<File>>,
    builders: Vec<Builder>,
    rows: usize,
}

enum Builder {
    Text(StringBuilder),
    Count(UInt64Builder),
    Real(Float64Builder),
    Time(TimestampMillisecondBuilder),
}

impl Builder {
    fn of(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Text => Self::Text(StringBuilder::new()),
            ColumnKind::Count => Self::Count(UInt64Builder::new()),
            ColumnKind::Real => Self::Real(Float64Builder::new()),
            ColumnKind::Time => Self::Time(TimestampMillisecondBuilder::new().with_timezone("UTC")),
        }
    }

    fn append(&mut self, cell: TableCell<'_>) {
        match (self, cell) {
            (Self::Text(builder), TableCell::Text(text)) => builder.append_value(clean(text)),
            (Self::Count(builder), TableCell::Count(count)) => builder.append_value(count),
            (Self::Real(builder), TableCell::Real(real)) if real.is_finite() => builder.append_value(real),
            (Self::Time(builder), TableCell::Time(moment)) => builder.append_option(i64::try_from(moment.ms).ok()),
            (Self::Text(builder), _) => builder.append_null(),
            (Self::Count(builder), _) => builder.append_null(),
            (Self::Real(builder), _) => builder.append_null(),
            (Self::Time(builder), _) => builder.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(builder) => ArrayBuilder::finish(builder),
            Self::Count(builder) => ArrayBuilder::finish(builder),
            Self::Real(builder) => ArrayBuilder::finish(builder),
            Self::Time(builder) => ArrayBuilder::finish(builder),
        }
    }
}

impl ParquetWriter {
    pub(super) fn new(out: BufWriter<File>, columns: &[TableColumn]) -> io::Result<Self> {
        let field = |column: &TableColumn| {
            let kind = match column.kind {
                ColumnKind::Text => DataType::Utf8,
                ColumnKind::Count => DataType::UInt64,
                ColumnKind::Real => DataType::Float64,
                ColumnKind::Time => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
            };
            Field::new(column.name, kind, true)
        };
        let schema: SchemaRef = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .build();
        let writer = ArrowWriter::try_new(out, schema.clone(), Some(properties)).map_err(io::Error::other)?;
        let builders = columns.iter().map(|column| Builder::of(column.kind)).collect();
        Ok(Self { schema, writer, builders, rows: 0 })
    }

    fn write(&mut self) -> io::Result<()> {
        let columns: Vec<ArrayRef> = self.builders.iter_mut().map(Builder::finish).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(io::Error::other)?;
        self.rows = 0;
        self.writer.write(&batch).map_err(io::Error::other)
    }
}

impl RowWriter for ParquetWriter {
    fn row(&mut self, cells: &[TableCell<'_>]) -> io::Result<()> {
        self.builders.iter_mut().zip(cells).for_each(|(builder, cell)| builder.append(*cell));
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.write() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> io::Result<File> {
        if self.rows > 0 {
            self.write()?;
        }
        Ok(self.writer.into_inner().map_err(io::Error::other)?.into_inner()?)
    }
}
