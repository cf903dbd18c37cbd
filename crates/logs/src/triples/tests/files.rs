//! Files of visits, written for a test.

use std::fs::File;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder, TimestampMillisecondBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::visits::CREATED_BY;

/// A row of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Stored {
    pub(super) time: i64,
    pub(super) site: Option<String>,
    pub(super) user: Option<i64>,
    pub(super) target: Option<String>,
    pub(super) referrer: Option<String>,
}

pub(super) fn visit<'r>(
    time: i64,
    user: impl Into<Option<i64>>,
    target: &str,
    referrer: impl Into<Option<&'r str>>,
) -> Stored {
    let referrer = referrer.into().map(str::to_owned);
    Stored { time, user: user.into(), target: Some(target.to_owned()), referrer, site: None }
}

/// A folder of them.
pub(super) struct Files(tempfile::TempDir);

impl Files {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(super) fn path(&self) -> String {
        self.0.path().display().to_string()
    }

    /// As another program writes them.
    pub(super) fn write(&self, name: &str, rows: &[Stored]) {
        self.write_as("somebody else", true, name, rows);
    }

    /// As this program does: every row has a site and a target, and files are sorted.
    pub(super) fn write_own(&self, name: &str, rows: &[Stored]) {
        let mut rows = rows.to_vec();
        rows.sort_by_key(|r| (r.site.clone(), r.user, r.time));
        self.write_as(CREATED_BY, false, name, &rows);
    }

    pub(super) fn garbage(&self, name: &str) {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "no Parquet").unwrap();
    }

    /// Overwrites a column of a file from its second byte on.
    pub(super) fn damage(&self, name: &str, column: &str) {
        let path = self.0.path().join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        let file = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        for group in file.metadata().row_groups() {
            let chunk = group.columns().iter().find(|c| c.column_path().string() == column).unwrap();
            let (start, length) = chunk.byte_range();
            bytes[start as usize + 1..(start + length) as usize].fill(0xFF);
        }
        std::fs::write(path, bytes).unwrap();
    }

    fn write_as(&self, by: &str, nullable: bool, name: &str, rows: &[Stored]) {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let batch = batch_of(nullable, rows);
        // Small groups, so that files have several.
        let groups = WriterProperties::builder().set_max_row_group_row_count(Some(2_000)).set_created_by(by.to_owned());
        let mut writer =
            ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(groups.build())).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }
}

/// Rows as Arrow has them.
pub(super) fn batch_of(nullable: bool, rows: &[Stored]) -> RecordBatch {
    let schema = Arc::new(Schema::new(vec![
        Field::new("time", DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())), false),
        Field::new("site", DataType::Utf8, nullable),
        Field::new("user", DataType::Int64, true),
        Field::new("target", DataType::Utf8, nullable),
        Field::new("referrer", DataType::Utf8, true),
    ]));
    let (mut time, mut user) = (TimestampMillisecondBuilder::new(), Int64Builder::new());
    let [mut site, mut target, mut referrer] = [(); 3].map(|()| StringBuilder::new());
    for row in rows {
        time.append_value(row.time);
        site.append_option(row.site.as_ref());
        user.append_option(row.user);
        target.append_option(row.target.as_ref());
        referrer.append_option(row.referrer.as_ref());
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(time.finish().with_timezone("UTC")),
        Arc::new(site.finish()),
        Arc::new(user.finish()),
        Arc::new(target.finish()),
        Arc::new(referrer.finish()),
    ];
    RecordBatch::try_new(schema, columns).unwrap()
}
