//! Which rows of which files are read?

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use trodden_mining::MS_PER_DAY;

use super::spelling::Namer;
use super::tally::tally;
use crate::error::Error;
use crate::visits::{Columns, VisitBatch, VisitFile, VisitSource, day_of_file};

/// Some rows: what a worker takes at a time.
#[derive(Debug)]
pub(super) struct Part {
    rows: PartRows,
    /// Its sites lie within these.
    sites: Option<(String, String)>,
    all_have_targets: bool,
}

/// Where the rows of a part are.
enum PartRows {
    /// A group of rows of a file.
    Group(Arc<Path>, usize),
    /// In memory.
    Batch(Arc<VisitBatch>),
}

impl std::fmt::Debug for PartRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Group(file, group) => write!(f, "Group({}, {group})", file.display()),
            Self::Batch(batch) => write!(f, "Batch({} rows)", batch.len()),
        }
    }
}

impl Part {
    /// Hands on its rows, some at a time.
    pub(super) fn read(
        &self,
        columns: Columns,
        mut each: impl FnMut(Arc<VisitBatch>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match &self.rows {
            PartRows::Group(path, group) => {
                let file = open_again(path)?;
                if *group >= file.groups() {
                    return Err(Error::Changed);
                }
                file.read(vec![*group], columns, |batch| each(Arc::new(batch)))
            }
            PartRows::Batch(batch) => each(batch.clone()),
        }
    }

    /// Rows in memory: nothing is known of them beforehand.
    fn in_memory(batch: Arc<VisitBatch>) -> Self {
        Self { rows: PartRows::Batch(batch), sites: None, all_have_targets: false }
    }

    /// Whether every row is known to be a visit that names its site, without looking at its target.
    pub(super) fn names_all_sites(&self) -> bool {
        self.all_have_targets && self.sites.as_ref().is_some_and(|(low, _)| !low.is_empty())
    }

    /// Whether it may have rows of sites from `first` to `last`.
    pub(super) fn may_have(&self, first: &str, last: &str) -> bool {
        self.sites.as_ref().is_none_or(|(low, high)| low.as_str() <= last && first <= high.as_str())
    }
}

/// Days since 1970, first and last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    first: i64,
    last: i64,
}

impl Span {
    const ALWAYS: Self = Self { first: i64::MIN, last: i64::MAX };

    /// So many days, up to and with `last`.
    fn last_days(days: u32, last: i64) -> Self {
        Self { first: last.saturating_sub(i64::from(days.max(1)) - 1), last }
    }

    fn has_day(self, day: i64) -> bool {
        (self.first..=self.last).contains(&day)
    }

    /// Whether a time lies in it.
    pub(super) fn has(self, time_ms: i64) -> bool {
        self.has_day(time_ms.div_euclid(MS_PER_DAY))
    }
}

/// Footers are small, and there may be many files: none is held open.
fn open_again(path: &Path) -> Result<VisitFile, Error> {
    VisitFile::open(path).map_err(|error| match error {
        // It was there when the files were counted.
        Error::Unreadable { source, .. } if source.kind() == std::io::ErrorKind::NotFound => Error::Changed,
        error => error,
    })
}

/// What has to be read for the last so many days. Where every file lies in the folder of a day, files of other days are
/// not opened; else one reading more finds the last visit.
pub(super) fn within(
    source: VisitSource,
    last_days: Option<u32>,
    namer: &Namer,
    threads: usize,
) -> Result<(Vec<Part>, Span), Error> {
    let mut files = match source {
        VisitSource::Stored(stored) => stored.into_files(),
        VisitSource::Batches(batches) => {
            let parts = batches.into_parts().into_iter().map(Part::in_memory).collect();
            return by_last_visit(parts, last_days, namer, threads);
        }
    };
    let Some(last_days) = last_days else { return Ok((parts_of(&files)?, Span::ALWAYS)) };
    let Some(mut days) = files.iter().map(|file| day_of_file(file)).collect::<Option<Vec<i64>>>() else {
        return by_last_visit(parts_of(&files)?, Some(last_days), namer, threads);
    };
    days.sort_unstable();
    days.dedup();
    // The last day may have files and no visits.
    while let Some(last) = days.pop() {
        let of_day: Vec<PathBuf> = files.iter().filter(|f| day_of_file(f) == Some(last)).cloned().collect();
        let only = Span { first: last, last };
        if days.is_empty() || tally(&parts_of(&of_day)?, only, namer, threads)?.visits() > 0 {
            let span = Span::last_days(last_days, last);
            files.retain(|file| day_of_file(file).is_some_and(|day| span.has_day(day)));
            return Ok((parts_of(&files)?, span));
        }
    }
    Ok((Vec::new(), Span::ALWAYS))
}

/// All parts, and the last days up to the last visit that is in them.
fn by_last_visit(
    parts: Vec<Part>,
    last_days: Option<u32>,
    namer: &Namer,
    threads: usize,
) -> Result<(Vec<Part>, Span), Error> {
    let Some(last_days) = last_days else { return Ok((parts, Span::ALWAYS)) };
    let last = tally(&parts, Span::ALWAYS, namer, threads)?.last;
    Ok((parts, Span::last_days(last_days, last.div_euclid(MS_PER_DAY))))
}

fn parts_of(files: &[PathBuf]) -> Result<Vec<Part>, Error> {
    let mut parts = Vec::new();
    for path in files {
        let open = VisitFile::open(path)?;
        let (file, all_have_targets) = (Arc::<Path>::from(path.as_path()), open.all_have_targets());
        parts.extend((0..open.groups()).map(|group| Part {
            rows: PartRows::Group(file.clone(), group),
            sites: open.sites(group),
            all_have_targets,
        }));
    }
    Ok(parts)
}

/// Parts in turn, each for the worker who asks first.
pub(super) struct Turns<'p> {
    parts: Vec<&'p Part>,
    next: AtomicUsize,
}

impl<'p> Turns<'p> {
    pub(super) fn new(parts: impl Iterator<Item = &'p Part>) -> Self {
        Self { parts: parts.collect(), next: AtomicUsize::new(0) }
    }

    pub(super) fn next(&self) -> Option<&'p Part> {
        self.parts.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }
}
