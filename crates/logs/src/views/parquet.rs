//! Tables of views in Parquet: typed cells.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;

use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};

use super::row::{RowFault, ViewsRow};
use super::table::Layout;
use super::value::Cell;
use trodden_mining::calendar::MS_PER_DAY as DAY_MS;

fn open(path: &Path) -> io::Result<ParquetRecordBatchReaderBuilder<File>> {
    ParquetRecordBatchReaderBuilder::try_new(File::open(path)?).map_err(io::Error::other)
}

/// The names of the columns.
pub(super) fn names(path: &Path) -> io::Result<Vec<String>> {
    Ok(open(path)?.schema().fields().iter().map(|field| field.name().clone()).collect())
}

/// Hands on every row.
pub(super) fn each(
    path: &Path,
    layout: &Layout,
    each: &mut impl FnMut(u64, Result<ViewsRow<'_>, RowFault>),
) -> io::Result<()> {
    let mut number = 0;
    for batch in open(path)?.build().map_err(io::Error::other)? {
        let batch = batch.map_err(io::Error::other)?;
        let mut cells = Vec::with_capacity(batch.num_columns());
        for row in 0..batch.num_rows() {
            number += 1;
            cells.clear();
            cells.extend(batch.columns().iter().map(|column| cell(column, row)));
            layout.rows(&cells, &mut |row| each(number, row));
        }
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "counts beyond 2^53 are refused anyway")]
fn cell(column: &ArrayRef, row: usize) -> Cell<'_> {
    if !column.is_valid(row) {
        return Cell::Missing;
    }
    let text = |text| Cell::Text(Cow::Borrowed(text));
    match column.data_type() {
        DataType::Utf8 => text(column.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text(column.as_string::<i64>().value(row)),
        DataType::Utf8View => text(column.as_string_view().value(row)),
        DataType::Int8 => Cell::Number(column.as_primitive::<Int8Type>().value(row).into()),
        DataType::Int16 => Cell::Number(column.as_primitive::<Int16Type>().value(row).into()),
        DataType::Int32 => Cell::Number(column.as_primitive::<Int32Type>().value(row).into()),
        DataType::Int64 => Cell::Number(column.as_primitive::<Int64Type>().value(row) as f64),
        DataType::UInt8 => Cell::Number(column.as_primitive::<UInt8Type>().value(row).into()),
        DataType::UInt16 => Cell::Number(column.as_primitive::<UInt16Type>().value(row).into()),
        DataType::UInt32 => Cell::Number(column.as_primitive::<UInt32Type>().value(row).into()),
        DataType::UInt64 => Cell::Number(column.as_primitive::<UInt64Type>().value(row) as f64),
        DataType::Float32 => Cell::Number(column.as_primitive::<Float32Type>().value(row).into()),
        DataType::Float64 => Cell::Number(column.as_primitive::<Float64Type>().value(row)),
        DataType::Date32 => Cell::Time(i64::from(column.as_primitive::<Date32Type>().value(row)) * DAY_MS),
        DataType::Date64 => Cell::Time(column.as_primitive::<Date64Type>().value(row)),
        DataType::Timestamp(unit, _) => Cell::Time(match unit {
            TimeUnit::Second => column.as_primitive::<TimestampSecondType>().value(row).saturating_mul(1_000),
            TimeUnit::Millisecond => column.as_primitive::<TimestampMillisecondType>().value(row),
            TimeUnit::Microsecond => column.as_primitive::<TimestampMicrosecondType>().value(row).div_euclid(1_000),
            TimeUnit::Nanosecond => column.as_primitive::<TimestampNanosecondType>().value(row).div_euclid(1_000_000),
        }),
        _ => Cell::Missing,
    }
}
