//! Reading visits, our own or those that another program wrote.

use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use crate::error::Error;

/// Who made a visit, as the file says it.
#[derive(Clone, Copy)]
pub enum StoredUser<'a> {
    /// A keyed hash.
    Hash(i64),
    /// A raw id that another program wrote: to be hashed at once.
    Raw(&'a str),
    /// Nobody is named: a user of its own.
    Nobody,
}

impl std::fmt::Debug for StoredUser<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StoredUser(…)")
    }
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// Milliseconds since 1970, UTC.
    pub time_ms: i64,
    /// The site, if the file says it.
    pub site: Option<&'a str>,
    /// Who.
    pub user: StoredUser<'a>,
    /// The URL visited.
    pub target: &'a str,
    /// The URL it was visited from; for another site's only its origin.
    pub referrer: Option<&'a str>,
}

/// The columns, in the order in which they are taken.
const COLUMNS: [&str; 5] = ["time", "site", "user", "target", "referrer"];

/// Hands every row of a file to `each`, in the order of the file; none for a row without a time or a target.
///
/// # Errors
/// If the file is not Parquet, lacks a column or is damaged; `each` may have seen rows by then.
pub fn read_visits(path: &Path, mut each: impl FnMut(Option<Visit<'_>>) -> Result<(), Error>) -> Result<(), Error> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| Error::Unreadable { name: name.clone(), source })?;
    let not_visits = |why: String| Error::NotVisits { name: name.clone(), why };
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder =
        ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).map_err(|e| not_visits(e.to_string()))?;
    let schema = builder.schema().clone();
    let mut places = Vec::with_capacity(COLUMNS.len());
    for column in COLUMNS {
        places.push(schema.index_of(column).map_err(|_| not_visits(format!("it has no column {column:?}")))?);
    }
    let mask = ProjectionMask::roots(builder.parquet_schema(), places);
    let reader =
        builder.with_projection(mask).with_batch_size(1 << 14).build().map_err(|e| not_visits(e.to_string()))?;
    for batch in reader {
        let batch = batch.map_err(|e| Error::Parquet { name: name.clone(), why: e.to_string() })?;
        let rows = Rows::of(&batch).map_err(&not_visits)?;
        for row in 0..batch.num_rows() {
            each(rows.get(row))?;
        }
    }
    Ok(())
}

struct Rows {
    times: Vec<Option<i64>>,
    site: ArrayRef,
    user: ArrayRef,
    target: ArrayRef,
    referrer: ArrayRef,
}

impl Rows {
    fn of(batch: &RecordBatch) -> Result<Self, String> {
        let column =
            |name: &str| batch.column_by_name(name).cloned().ok_or_else(|| format!("it has no column {name:?}"));
        let text = |name: &str| {
            let array = column(name)?;
            match array.data_type() {
                // A column of nothing but nulls has no type in some programs.
                DataType::Utf8 | DataType::Null => Ok(array),
                other => Err(format!("column {name:?} is {other}, not text")),
            }
        };
        let user = column("user")?;
        if !matches!(user.data_type(), DataType::Int64 | DataType::UInt64 | DataType::Utf8 | DataType::Null) {
            return Err(format!("column \"user\" is {}, not a 64-bit number or text", user.data_type()));
        }
        Ok(Self {
            times: times(&column("time")?)?,
            site: text("site")?,
            user,
            target: text("target")?,
            referrer: text("referrer")?,
        })
    }

    fn get(&self, row: usize) -> Option<Visit<'_>> {
        let user = if self.user.is_null(row) {
            StoredUser::Nobody
        } else {
            match self.user.data_type() {
                DataType::Int64 => StoredUser::Hash(self.user.as_primitive::<Int64Type>().value(row)),
                DataType::UInt64 => StoredUser::Hash(self.user.as_primitive::<UInt64Type>().value(row).cast_signed()),
                DataType::Utf8 => StoredUser::Raw(self.user.as_string::<i32>().value(row)),
                _ => StoredUser::Nobody,
            }
        };
        let text = |array: &'_ ArrayRef| *array.data_type() == DataType::Utf8 && !array.is_null(row);
        Some(Visit {
            time_ms: self.times[row]?,
            site: text(&self.site).then(|| self.site.as_string::<i32>().value(row)).filter(|t| !t.is_empty()),
            user,
            target: text(&self.target).then(|| self.target.as_string::<i32>().value(row))?,
            referrer: text(&self.referrer)
                .then(|| self.referrer.as_string::<i32>().value(row))
                .filter(|t| !t.is_empty()),
        })
    }
}

/// Milliseconds, from whatever the file counts in.
fn times(array: &ArrayRef) -> Result<Vec<Option<i64>>, String> {
    Ok(match array.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => {
            array.as_primitive::<TimestampSecondType>().iter().map(|t| t.map(|t| t.saturating_mul(1_000))).collect()
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            array.as_primitive::<TimestampMillisecondType>().iter().collect()
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            array.as_primitive::<TimestampMicrosecondType>().iter().map(|t| t.map(|t| t.div_euclid(1_000))).collect()
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            array.as_primitive::<TimestampNanosecondType>().iter().map(|t| t.map(|t| t.div_euclid(1_000_000))).collect()
        }
        other => return Err(format!("column \"time\" is {other}, not a timestamp")),
    })
}
