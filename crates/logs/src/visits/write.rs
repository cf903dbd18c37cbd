//! Writing visits: a day a file, days in parallel; or some of those that were read, to one file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{Int64Builder, StringBuilder, TimestampMillisecondBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::day::day_folder;
use super::directory::INCOMING;
use super::sample::{LineSample, LinesRead};
use super::taken::{TakenLogs, remove};
use super::{CREATED_BY, Many, SAMPLE_KEY, SCHEMA, StoredUser, VIEWS_SCHEMA, Visit, VisitsDir};
use crate::error::Error;
use crate::hosts::Sites;
use crate::privacy::UserHasher;
use crate::spool::{NO_URL, Spool, UrlTable, traits};

/// Rows of a batch on its way to the file.
const BATCH_ROWS: usize = 1 << 14;
/// Rows of a row group: a reader's unit of memory, and ours.
const GROUP_ROWS: usize = 1 << 18;

/// What is known of the log whose visits are written, and of those that are there.
pub(crate) struct Taking<'a> {
    /// The lines that were read.
    pub(crate) read: &'a LinesRead,
    /// What is there already.
    pub(crate) taken: &'a TakenLogs,
    /// Whether visits of the same log make room.
    pub(crate) replace: bool,
}

/// How many files were written, and how many went.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    pub(crate) days: usize,
    pub(crate) replaced: usize,
}

/// Writes every day of a spool below `dir`. Nothing is seen there before all of it is on disk.
pub(crate) fn write_days(
    visits: &Spool,
    sites: &Sites,
    dir: &Path,
    taking: &Taking<'_>,
    threads: usize,
) -> Result<Written, Error> {
    let unwritable = |source| Error::unwritable(dir, source);
    let incoming = tempfile::Builder::new().prefix(INCOMING).tempdir_in(dir).map_err(unwritable)?;
    let days = visits.shard_keys();
    let next = AtomicUsize::new(0);
    let written: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::default();
    crate::threads::run(threads, || {
        while let Some(day) = days.get(next.fetch_add(1, Ordering::Relaxed)) {
            let path = incoming.path().join(format!("{day}.parquet"));
            let sample = taking.read.of_day(i64::from(*day)).map(LineSample::to_text);
            if let Some(digest) = write_day(visits, *day, sites, sample, &path)? {
                let place = dir.join(day_folder(*day)).join(format!("visits-{digest:016x}.parquet"));
                written.lock().unwrap_or_else(PoisonError::into_inner).push((path, place));
            }
        }
        Ok(())
    })
    .map_err(unwritable)?;
    let written = written.into_inner().unwrap_or_else(PoisonError::into_inner);
    let places = written.iter().map(|(_, place)| place.clone()).collect();
    let superseded = taking.taken.superseded(taking.read, &places, taking.replace, dir)?;
    // Everything is on disk before the first file is put in place. Disks take many such requests together better than one
    // after the other, however few threads may parse.
    on_each(&written, |(from, _)| File::open(from)?.sync_all()).map_err(unwritable)?;
    on_each(&written, |(from, to)| {
        let day_dir = to.parent().unwrap_or(dir);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(day_dir)?;
        fs::rename(from, to)?;
        File::open(day_dir)?.sync_all()
    })
    .and_then(|()| remove(&superseded))
    .and_then(|()| File::open(dir)?.sync_all())
    .map_err(unwritable)?;
    Ok(Written { days: written.len(), replaced: superseded.len() })
}

/// Threads that wait for the disk.
const WAITING_THREADS: usize = 8;

fn on_each<T: Sync>(all: &[T], work: impl Fn(&T) -> io::Result<()> + Sync) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    crate::threads::run(WAITING_THREADS.min(all.len()), || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(one)?;
        }
        Ok(())
    })
}

fn write_day(visits: &Spool, day: u32, sites: &Sites, sample: Option<String>, path: &Path) -> io::Result<Option<u64>> {
    let mut merge = visits.merge(day)?;
    let mut rows = Rows::default();
    let mut writer: Option<ArrowWriter<BufWriter<File>>> = None;
    while let Some(item) = merge.next()? {
        let record = item.record;
        rows.times.append_value(record.time_ms);
        let site = record.of.site_place().expect("only visits that were judged are written, and those have a site");
        rows.sites.append_value(&sites.names[site]);
        rows.users.append_option((!record.is(traits::NOBODY)).then(|| record.user.cast_signed()));
        append_url(&mut rows.targets, record.target, item.urls, sites);
        append_url(&mut rows.referrers, record.referrer, item.urls, sites);
        let urls = [record.target, record.referrer].map(|id| if id == NO_URL { 0 } else { item.urls.entry(id).path.0 });
        rows.digest([record.time_ms.cast_unsigned(), record.user, urls[0], urls[1]]);
        if rows.len == BATCH_ROWS {
            rows.write(&mut writer, path)?;
        }
    }
    rows.write(&mut writer, path)?;
    let Some(mut writer) = writer else { return Ok(None) };
    writer.append_key_value_metadata(KeyValue::new(SAMPLE_KEY.to_owned(), sample));
    // Taking the file back out would tell a full disk as a mere text.
    writer.close().map_err(io::Error::other)?;
    Ok(Some(rows.digest))
}

fn append_url(column: &mut StringBuilder, id: u32, urls: &UrlTable, sites: &Sites) {
    if id == NO_URL {
        column.append_null();
        return;
    }
    let entry = urls.entry(id);
    // Origin and path, without putting them together first.
    let _ = std::fmt::Write::write_str(column, &sites.host(entry.host).origin);
    column.append_value(urls.text(entry));
}

/// Writes visits to one file, which is made with the first of them.
pub(crate) struct VisitWriter {
    path: PathBuf,
    hasher: UserHasher,
    rows: Rows,
    writer: Option<ArrowWriter<BufWriter<File>>>,
    written: u64,
}

impl VisitWriter {
    /// To a directory that holds nothing yet.
    pub(crate) fn create(dir: &VisitsDir) -> Self {
        let path = dir.path().join("visits.parquet");
        let hasher = UserHasher::new(dir.key().clone());
        Self { path, hasher, rows: Rows::default(), writer: None, written: 0 }
    }

    /// Writes a visit, or a row of many.
    pub(crate) fn write(&mut self, visit: &Visit<'_>, site: &str) -> Result<(), Error> {
        self.rows.times.append_value(visit.time_ms);
        self.rows.sites.append_value(site);
        self.rows.users.append_option(match visit.user {
            StoredUser::Hash(hash) => Some(hash),
            StoredUser::Raw(id) => Some(self.hasher.named(id.as_bytes()).cast_signed()),
            StoredUser::Nobody | StoredUser::Many(_) => None,
        });
        let many = if let StoredUser::Many(many) = visit.user { Some(many) } else { None };
        self.rows.count(many);
        self.rows.targets.append_value(visit.target);
        self.rows.referrers.append_option(visit.referrer);
        self.rows.len += 1;
        self.written += 1;
        if self.rows.len == BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    /// How many were written.
    pub(crate) fn finish(mut self) -> Result<u64, Error> {
        self.flush()?;
        if let Some(writer) = self.writer {
            writer.close().map_err(|e| Error::unwritable(&self.path, io::Error::other(e)))?;
        }
        Ok(self.written)
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.rows.write(&mut self.writer, &self.path).map_err(|e| Error::unwritable(&self.path, e))
    }
}

#[derive(Default)]
struct Rows {
    times: TimestampMillisecondBuilder,
    sites: StringBuilder,
    users: Int64Builder,
    targets: StringBuilder,
    referrers: StringBuilder,
    /// What rows of exports count; none in a file of days, which has no such rows.
    counts: Option<(UInt64Builder, UInt64Builder)>,
    len: usize,
    digest: u64,
}

impl Rows {
    /// A number that stands for the rows so far: the name of the file.
    fn digest(&mut self, row: [u64; 4]) {
        self.len += 1;
        for word in row {
            self.digest = (self.digest.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
        }
    }

    /// What the row counts that is being added; none for a visit.
    fn count(&mut self, many: Option<Many>) {
        let (views, users) = self.counts.get_or_insert_default();
        views.append_option(many.map(|many| many.views));
        users.append_option(many.map(|many| many.users));
    }

    fn write(&mut self, writer: &mut Option<ArrowWriter<BufWriter<File>>>, path: &Path) -> io::Result<()> {
        if self.len == 0 {
            return Ok(());
        }
        self.len = 0;
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.times.finish().with_timezone("UTC")),
            Arc::new(self.sites.finish()),
            Arc::new(self.users.finish()),
            Arc::new(self.targets.finish()),
            Arc::new(self.referrers.finish()),
        ];
        let schema = match &mut self.counts {
            Some((views, users)) => {
                columns.push(Arc::new(views.finish()));
                columns.push(Arc::new(users.finish()));
                &VIEWS_SCHEMA
            }
            None => &SCHEMA,
        };
        let batch = RecordBatch::try_new((*schema).clone(), columns).map_err(io::Error::other)?;
        let writer = match writer {
            Some(writer) => writer,
            None => writer.insert(
                ArrowWriter::try_new(
                    BufWriter::new(OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?),
                    (*schema).clone(),
                    Some(properties()),
                )
                .map_err(io::Error::other)?,
            ),
        };
        writer.write(&batch).map_err(io::Error::other)
    }
}

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_created_by(format!("{CREATED_BY}{}", env!("CARGO_PKG_VERSION")))
        .build()
}
