//! Which rows of which files are read?

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::spelling::Namer;
use super::tally::tally;
use crate::error::Error;
use crate::visits::{MS_PER_DAY, VisitFile, day_of_file};

/// A group of rows of a file: what a worker takes at a time.
#[derive(Debug)]
pub(super) struct Part {
    file: Arc<Path>,
    group: usize,
    /// Its sites lie within these.
    sites: Option<(String, String)>,
    all_have_targets: bool,
}

impl Part {
    /// The file, open again, and which of its groups this is. Footers are small, and there may be many files: none is held
    /// open.
    pub(super) fn open(&self) -> Result<(VisitFile, usize), Error> {
        let file = VisitFile::open(&self.file).map_err(|error| match error {
            // It was there when the files were counted.
            Error::Unreadable { source, .. } if source.kind() == std::io::ErrorKind::NotFound => Error::Changed,
            error => error,
        })?;
        if self.group < file.groups() { Ok((file, self.group)) } else { Err(Error::Changed) }
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

/// What has to be read for the last so many days. Where every file lies in the folder of a day, files of other days are
/// not opened; else one reading more finds the last visit.
pub(super) fn within(
    mut files: Vec<PathBuf>,
    last_days: Option<u32>,
    namer: &Namer,
    threads: usize,
) -> Result<(Vec<Part>, Span), Error> {
    let Some(last_days) = last_days else { return Ok((parts_of(&files)?, Span::ALWAYS)) };
    let Some(mut days) = files.iter().map(|file| day_of_file(file)).collect::<Option<Vec<i64>>>() else {
        let parts = parts_of(&files)?;
        let last = tally(&parts, Span::ALWAYS, namer, threads)?.last;
        return Ok((parts, Span::last_days(last_days, last.div_euclid(MS_PER_DAY))));
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

fn parts_of(files: &[PathBuf]) -> Result<Vec<Part>, Error> {
    let mut parts = Vec::new();
    for path in files {
        let open = VisitFile::open(path)?;
        let (file, all_have_targets) = (Arc::<Path>::from(path.as_path()), open.all_have_targets());
        parts.extend((0..open.groups()).map(|group| Part {
            file: file.clone(),
            group,
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
