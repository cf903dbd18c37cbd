//! Visits, written as another program might: users have names.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{StringBuilder, TimestampMillisecondBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use tempfile::TempDir;
use trodden_logs::visits::StoredVisits;

/// One visit to `http://site.test`.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) time_ms: i64,
    pub(crate) user: Option<String>,
    pub(crate) path: String,
    pub(crate) referrer: Option<String>,
}

/// A visit by somebody from nowhere.
pub(crate) fn row(time_ms: i64, user: &str, path: &str) -> Row {
    Row { time_ms, user: (!user.is_empty()).then(|| user.to_owned()), path: path.to_owned(), referrer: None }
}

impl Row {
    /// From a page of the site, or from elsewhere.
    pub(crate) fn from(mut self, referrer: &str) -> Self {
        let whole = if referrer.starts_with('/') { format!("http://site.test{referrer}") } else { referrer.to_owned() };
        self.referrer = Some(whole);
        self
    }
}

/// Visits on disk.
pub(crate) struct Written {
    pub(crate) dir: TempDir,
    pub(crate) visits: StoredVisits,
}

/// Writes visits to a file, in their order.
pub(crate) fn written(rows: &[Row]) -> Written {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("visits.parquet");
    write(&path, rows);
    let visits = StoredVisits::find(&[path.display().to_string()]).unwrap();
    Written { dir, visits }
}

fn write(path: &Path, rows: &[Row]) {
    let schema = Arc::new(Schema::new(vec![
        Field::new("time", DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())), false),
        Field::new("site", DataType::Utf8, true),
        Field::new("user", DataType::Utf8, true),
        Field::new("target", DataType::Utf8, false),
        Field::new("referrer", DataType::Utf8, true),
    ]));
    let mut time = TimestampMillisecondBuilder::new();
    let [mut site, mut user, mut target, mut referrer] = [(); 4].map(|()| StringBuilder::new());
    for row in rows {
        time.append_value(row.time_ms);
        site.append_value("site.test");
        user.append_option(row.user.as_ref());
        target.append_value(format!("http://site.test{}", row.path));
        referrer.append_option(row.referrer.as_ref());
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(time.finish().with_timezone("UTC")),
        Arc::new(site.finish()),
        Arc::new(user.finish()),
        Arc::new(target.finish()),
        Arc::new(referrer.finish()),
    ];
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), schema.clone(), None).unwrap();
    writer.write(&RecordBatch::try_new(schema, columns).unwrap()).unwrap();
    writer.close().unwrap();
}
