//! How are made-up visits handed to the program? As docs/formats/visits.md draws them: a folder of Parquet files by day.
//!
//! The days are [`DAYS`] from [`FIRST_DAY`] on: all within one window of de-duplication, so that a test of speed knows
//! how many triples there are. Folders are made once and found again by their names.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use arrow_array::builder::{Int64Builder, StringBuilder, TimestampMillisecondBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::bench::date;

/// Raise it when the same name gives other visits.
const VERSION: u32 = 1;

/// 2026-01-01.
const FIRST_DAY: i64 = 20_454;
/// Fewer than the thirty of a window.
pub(super) const DAYS: i64 = 20;

const MS_PER_DAY: i64 = 86_400_000;
/// Rows of a batch and of a row group, as the program itself writes them.
const BATCH_ROWS: usize = 1 << 14;
const GROUP_ROWS: usize = 1 << 18;

const ABOUT: &str = "{\"format\": \"trodden visits\", \"version\": 1, \"site_by\": \"host\"}\n";

/// One visit.
pub(super) struct Row<'r> {
    /// From the start of the first day.
    pub(super) time_ms: i64,
    pub(super) site: &'r str,
    pub(super) user: i64,
    pub(super) target: &'r str,
    pub(super) referrer: Option<&'r str>,
}

/// The folder of visits called `name`, made now unless it is there from an earlier run.
pub(super) fn stored(store: &Path, name: &str, make: impl FnOnce(&mut VisitsWriter) -> Result<()>) -> Result<PathBuf> {
    let folder = store.join(format!("visits-v{VERSION}-{name}"));
    if folder.is_dir() {
        return Ok(folder);
    }
    eprintln!("making {}", folder.display());
    // Under another name until it is whole: a run that was stopped leaves no half folder to be trusted.
    let partial = folder.with_extension("partial");
    if partial.exists() {
        fs::remove_dir_all(&partial)?;
    }
    let mut writer = VisitsWriter::create(&partial)?;
    make(&mut writer)?;
    writer.finish()?;
    fs::rename(&partial, &folder)?;
    Ok(folder)
}

/// A folder of visits being written, all days at once.
pub(super) struct VisitsWriter {
    days: Vec<Day>,
}

impl VisitsWriter {
    pub(super) fn create(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
        fs::write(folder.join("about.json"), ABOUT)?;
        let path = |day| folder.join(format!("day={}", date::iso(FIRST_DAY + day))).join("visits-0.parquet");
        Ok(Self { days: (0..DAYS).map(|day| Day { path: path(day), ..Day::default() }).collect() })
    }

    pub(super) fn write(&mut self, row: &Row<'_>) -> Result<()> {
        let day = &mut self.days[row.time_ms.div_euclid(MS_PER_DAY).clamp(0, DAYS - 1) as usize];
        day.times.append_value(FIRST_DAY * MS_PER_DAY + row.time_ms);
        day.sites.append_value(row.site);
        day.users.append_value(row.user);
        day.targets.append_value(row.target);
        day.referrers.append_option(row.referrer);
        day.rows += 1;
        if day.rows == BATCH_ROWS { day.write() } else { Ok(()) }
    }

    pub(super) fn finish(self) -> Result<()> {
        for mut day in self.days {
            day.write()?;
            if let Some(writer) = day.writer {
                writer.close()?;
            }
        }
        Ok(())
    }
}

/// One file, made with its first rows.
#[derive(Default)]
struct Day {
    path: PathBuf,
    times: TimestampMillisecondBuilder,
    sites: StringBuilder,
    users: Int64Builder,
    targets: StringBuilder,
    referrers: StringBuilder,
    rows: usize,
    writer: Option<ArrowWriter<File>>,
}

impl Day {
    fn write(&mut self) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        self.rows = 0;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.times.finish().with_timezone("UTC")),
            Arc::new(self.sites.finish()),
            Arc::new(self.users.finish()),
            Arc::new(self.targets.finish()),
            Arc::new(self.referrers.finish()),
        ];
        let batch = RecordBatch::try_new(schema(), columns)?;
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                fs::create_dir_all(self.path.parent().context("a day has a folder")?)?;
                none.insert(ArrowWriter::try_new(File::create(&self.path)?, schema(), Some(properties()))?)
            }
        };
        Ok(writer.write(&batch)?)
    }
}

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .build()
}

fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("time", DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())), false),
        Field::new("site", DataType::Utf8, false),
        Field::new("user", DataType::Int64, true),
        Field::new("target", DataType::Utf8, false),
        Field::new("referrer", DataType::Utf8, true),
    ]))
}

#[cfg(test)]
pub(super) mod tests {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Int64Type, TimestampMillisecondType};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;

    /// Time, user, target and referrer of all visits, day by day.
    pub(in crate::bench::mining) fn read(folder: &Path) -> Vec<(i64, i64, String, Option<String>)> {
        let mut rows = Vec::new();
        let mut files: Vec<PathBuf> = walkdir::WalkDir::new(folder)
            .into_iter()
            .map(|entry| entry.unwrap().into_path())
            .filter(|path| path.extension().is_some_and(|e| e == "parquet"))
            .collect();
        files.sort();
        for file in files {
            let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(file).unwrap()).unwrap().build().unwrap();
            for batch in reader {
                let batch = batch.unwrap();
                let (targets, referrers) = (batch.column(3).as_string::<i32>(), batch.column(4).as_string::<i32>());
                for row in 0..batch.num_rows() {
                    rows.push((
                        batch.column(0).as_primitive::<TimestampMillisecondType>().value(row),
                        batch.column(2).as_primitive::<Int64Type>().value(row),
                        targets.value(row).to_owned(),
                        (!referrers.is_null(row)).then(|| referrers.value(row).to_owned()),
                    ));
                }
            }
        }
        rows
    }

    fn row(day: i64, target: &str) -> Row<'_> {
        Row { time_ms: day * MS_PER_DAY + 1, site: "example.org", user: -7, target, referrer: None }
    }

    #[test]
    fn visits_come_back_by_day_and_are_found_again() {
        let store = tempfile::tempdir().unwrap();
        let make = |writer: &mut VisitsWriter| {
            writer.write(&row(2, "https://example.org/late"))?;
            writer.write(&Row { referrer: Some("https://example.org/late"), ..row(0, "https://example.org/") })
        };
        let folder = stored(store.path(), "two", make).unwrap();
        assert!(folder.join("about.json").is_file() && folder.join("day=2026-01-03").is_dir());
        let rows = read(&folder);
        assert_eq!(rows[0].0, FIRST_DAY * MS_PER_DAY + 1);
        assert_eq!(rows[0].3.as_deref(), Some("https://example.org/late"));
        assert_eq!((rows[1].1, &rows[1].2[..], &rows[1].3), (-7, "https://example.org/late", &None));
        let again = stored(store.path(), "two", |_| panic!("it is there")).unwrap();
        assert_eq!(folder, again);
    }
}
