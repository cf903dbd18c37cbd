//! Reading visits, our own or those that another program wrote.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringViewArray, UInt64Array};
use arrow_schema::{DataType, Schema, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use super::sample::LineSample;
use super::{CREATED_BY, SAMPLE_KEY};
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
    /// A row of a page-view export: it stands for all of these.
    Many(Many),
}

/// So many views by at least so many users, of whom nothing else is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Many {
    /// Views, all of one URL at one time.
    pub views: u64,
    /// Users; 0 where the export does not tell.
    pub users: u64,
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

/// The columns of a visit.
pub(super) const COLUMNS: [&str; 5] = ["time", "site", "user", "target", "referrer"];

/// The columns that rows of page-view exports have besides.
const COUNT_COLUMNS: [&str; 2] = ["views", "users"];

/// Hands every row of a file to `each`, in the order of the file; none for a row without a time or a target.
///
/// # Errors
/// If the file is not Parquet, lacks a column or is damaged; `each` may have seen rows by then.
pub fn read_visits(path: &Path, mut each: impl FnMut(Option<Visit<'_>>) -> Result<(), Error>) -> Result<(), Error> {
    let file = VisitFile::open(path)?;
    let groups = (0..file.groups()).collect();
    file.read(groups, Columns::All, |batch| (0..batch.len()).try_for_each(|row| each(batch.get(row))))
}

/// Which columns are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Columns {
    /// Enough to count.
    TimeAndSite,
    /// All.
    All,
}

/// A file of visits, open.
pub(crate) struct VisitFile {
    name: String,
    file: File,
    metadata: ArrowReaderMetadata,
}

impl VisitFile {
    /// Opens a file and checks its columns.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|source| Error::Unreadable { name: name.clone(), source })?;
        let not_visits = |why: String| Error::NotVisits { name: name.clone(), why };
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let as_written = ArrowReaderMetadata::load(&file, options.clone()).map_err(|e| not_visits(e.to_string()))?;
        for column in COLUMNS {
            as_written.schema().index_of(column).map_err(|_| not_visits(format!("it has no column {column:?}")))?;
        }
        // Views into the pages as they were unpacked, instead of copies of every text.
        let fields = as_written.schema().fields().iter().map(|field| match field.data_type() {
            DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View)),
            _ => field.clone(),
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let metadata = ArrowReaderMetadata::try_new(as_written.metadata().clone(), options.with_schema(schema))
            .map_err(|e| not_visits(e.to_string()))?;
        Ok(Self { name, file, metadata })
    }

    /// How many groups of rows it has.
    pub(crate) fn groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    /// Which lines it was made of, if it says so.
    pub(crate) fn sample(&self) -> Option<LineSample> {
        let words = self.metadata.metadata().file_metadata().key_value_metadata()?;
        LineSample::parse(words.iter().find(|word| word.key == SAMPLE_KEY)?.value.as_deref()?)
    }

    /// Whether every row has a target, by the words of the file itself.
    pub(crate) fn all_have_targets(&self) -> bool {
        let columns = self.metadata.parquet_schema().columns();
        columns.iter().any(|c| c.path().string() == "target" && c.max_def_level() == 0)
    }

    /// The first and the last site of a group, or texts before and after them. Only files of our own are believed: some
    /// programs have written bounds that sort bytes as signed numbers.
    pub(crate) fn sites(&self, group: usize) -> Option<(String, String)> {
        let metadata = self.metadata.metadata();
        metadata.file_metadata().created_by().filter(|by| by.starts_with(CREATED_BY))?;
        let column = metadata.row_group(group).columns().iter().find(|c| c.column_path().string() == "site")?;
        let bound = |bytes: Option<&[u8]>| Some(String::from_utf8_lossy(bytes?).into_owned());
        let bounds = column.statistics()?;
        Some((bound(bounds.min_bytes_opt())?, bound(bounds.max_bytes_opt())?))
    }

    /// Hands the rows of some groups to `each`, some thousands at a time.
    pub(crate) fn read(
        self,
        groups: Vec<usize>,
        columns: Columns,
        mut each: impl FnMut(VisitBatch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self { name, file, metadata } = self;
        let not_visits = |why: String| Error::NotVisits { name: name.clone(), why };
        let wanted = match columns {
            Columns::TimeAndSite => (&COLUMNS[..2], &COUNT_COLUMNS[..0]),
            Columns::All => (&COLUMNS[..], &COUNT_COLUMNS[..]),
        };
        let places = wanted.0.iter().chain(wanted.1).filter_map(|column| metadata.schema().index_of(column).ok());
        let mask = ProjectionMask::roots(metadata.parquet_schema(), places);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
            .with_row_groups(groups)
            .with_projection(mask)
            .with_batch_size(BATCH_ROWS)
            .build()
            .map_err(|e| not_visits(e.to_string()))?;
        for batch in reader {
            let batch = batch.map_err(|e| Error::Parquet { name: name.clone(), why: e.to_string() })?;
            each(VisitBatch::of(&batch).map_err(&not_visits)?)?;
        }
        Ok(())
    }
}

/// Rows that are handed on together.
pub(super) const BATCH_ROWS: usize = 1 << 14;

/// Some rows, with the columns that were asked for.
pub(crate) struct VisitBatch {
    times: Vec<Option<i64>>,
    site: Option<StringViewArray>,
    user: UserColumn,
    target: Option<StringViewArray>,
    referrer: Option<StringViewArray>,
    views: Option<UInt64Array>,
    users: Option<UInt64Array>,
}

/// Users as a file may have them.
enum UserColumn {
    Signed(Int64Array),
    Unsigned(UInt64Array),
    Text(StringViewArray),
    Nobody,
}

impl VisitBatch {
    /// Of Arrow's columns, by their names.
    pub(super) fn of(batch: &RecordBatch) -> Result<Self, String> {
        let text = |name: &str| match batch.column_by_name(name) {
            None => Ok(None),
            Some(array) => match array.data_type() {
                DataType::Utf8View => Ok(Some(array.as_string_view().clone())),
                DataType::Utf8 => Ok(Some(StringViewArray::from(array.as_string::<i32>()))),
                DataType::LargeUtf8 => Ok(Some(StringViewArray::from(array.as_string::<i64>()))),
                // A column of nothing but nulls has no type in some programs.
                DataType::Null => Ok(None),
                other => Err(format!("column {name:?} is {other}, not text")),
            },
        };
        let user = match batch.column_by_name("user") {
            None => UserColumn::Nobody,
            Some(array) => match array.data_type() {
                DataType::Int64 => UserColumn::Signed(array.as_primitive().clone()),
                DataType::UInt64 => UserColumn::Unsigned(array.as_primitive().clone()),
                DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                    text("user")?.map_or(UserColumn::Nobody, UserColumn::Text)
                }
                DataType::Null => UserColumn::Nobody,
                other => return Err(format!("column \"user\" is {other}, not a 64-bit number or text")),
            },
        };
        // Another program's column of that name is none of ours.
        let counts = |name: &str| {
            let column = batch.column_by_name(name).filter(|array| array.data_type() == &DataType::UInt64);
            column.map(|array| array.as_primitive().clone())
        };
        let time = batch.column_by_name("time").ok_or("it has no column \"time\"")?;
        Ok(Self {
            times: times(time)?,
            site: text("site")?,
            user,
            target: text("target")?,
            referrer: text("referrer")?,
            views: counts("views"),
            users: counts("users"),
        })
    }

    /// How many rows.
    pub(crate) fn len(&self) -> usize {
        self.times.len()
    }

    /// When, if the row says it.
    pub(crate) fn time_ms(&self, row: usize) -> Option<i64> {
        self.times[row]
    }

    /// The site, if the row says it.
    pub(crate) fn site(&self, row: usize) -> Option<&str> {
        text_at(self.site.as_ref(), row).filter(|t| !t.is_empty())
    }

    /// The URL visited.
    pub(crate) fn target(&self, row: usize) -> Option<&str> {
        text_at(self.target.as_ref(), row)
    }

    /// The URL it was visited from.
    pub(crate) fn referrer(&self, row: usize) -> Option<&str> {
        text_at(self.referrer.as_ref(), row).filter(|t| !t.is_empty())
    }

    fn user(&self, row: usize) -> StoredUser<'_> {
        let count = |column: &Option<UInt64Array>| column.as_ref().filter(|n| n.is_valid(row)).map(|n| n.value(row));
        if let Some(views) = count(&self.views) {
            return StoredUser::Many(Many { views, users: count(&self.users).unwrap_or(0) });
        }
        match &self.user {
            UserColumn::Signed(users) if users.is_valid(row) => StoredUser::Hash(users.value(row)),
            UserColumn::Unsigned(users) if users.is_valid(row) => StoredUser::Hash(users.value(row).cast_signed()),
            UserColumn::Text(users) if users.is_valid(row) => StoredUser::Raw(users.value(row)),
            _ => StoredUser::Nobody,
        }
    }

    /// A row; none if it has no time or no target.
    pub(crate) fn get(&self, row: usize) -> Option<Visit<'_>> {
        Some(Visit {
            time_ms: self.time_ms(row)?,
            site: self.site(row),
            user: self.user(row),
            target: self.target(row)?,
            referrer: self.referrer(row),
        })
    }
}

fn text_at(column: Option<&StringViewArray>, row: usize) -> Option<&str> {
    column.filter(|texts| texts.is_valid(row)).map(|texts| texts.value(row))
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
