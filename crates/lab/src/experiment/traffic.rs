//! What people read later: the traffic by which crawls are judged.

use std::path::Path;

use crate::error::Error;
use crate::experiment::split::{Split, TestVisit};
use crate::graph::PageId;
use crate::mirror::Mirror;

/// Which traffic counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TrafficKind {
    /// F_in (CIKM 2011, §2): a reader who comes from the same referrer to the same URL counts once in thirty days.
    #[default]
    Unique,
    /// Every visit, however often it is repeated.
    Visits,
    /// Every visit that came from a search engine.
    Search,
    /// What an export says: URL and clicks.
    Exported(Vec<(String, u64)>),
}

impl TrafficKind {
    /// Whether a visit counts; of an export, none does.
    pub fn counts(&self, visit: &TestVisit) -> bool {
        match self {
            Self::Unique => !visit.is_repeat,
            Self::Visits => true,
            Self::Search => visit.from_search,
            Self::Exported(_) => false,
        }
    }
}

/// Test traffic on the pages of a mirror that can be reached.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// By page: all of it.
    pub all: Vec<f64>,
    /// By page: what goes to URLs without a visit in training.
    pub cold: Vec<f64>,
    /// Every visit, by reader; none where the traffic is an export.
    pub visits: Vec<(u32, PageId)>,
    /// The part of them that is cold.
    pub cold_visits: Vec<(u32, PageId)>,
    /// Traffic to pages that no link leads to from the start.
    pub unreachable: f64,
    /// Traffic to URLs that are not in the mirror.
    pub elsewhere: f64,
}

impl Traffic {
    /// The traffic of a test period.
    pub fn of(split: &Split, kind: &TrafficKind, mirror: &Mirror, reachable: &[bool]) -> Self {
        let mut traffic = Self::empty(reachable.len());
        if let TrafficKind::Exported(clicks) = kind {
            for (url, clicks) in clicks {
                traffic.add(mirror.page_of_visit(url), *clicks as f64, split.is_cold(url), None, reachable);
            }
            return traffic;
        }
        let urls: Vec<(Option<PageId>, bool)> = (0..split.urls.len() as u32)
            .map(|url| split.urls.text(url))
            .map(|text| (mirror.page_of_visit(text), split.is_cold(text)))
            .collect();
        for visit in split.test.iter().filter(|visit| kind.counts(visit)) {
            let (page, is_cold) = urls[visit.url as usize];
            traffic.add(page, 1.0, is_cold, Some(visit.reader), reachable);
        }
        traffic
    }

    fn empty(pages: usize) -> Self {
        Self { all: vec![0.0; pages], cold: vec![0.0; pages], ..Self::default() }
    }

    fn add(&mut self, page: Option<PageId>, weight: f64, is_cold: bool, reader: Option<u32>, reachable: &[bool]) {
        let Some(page) = page else {
            self.elsewhere += weight;
            return;
        };
        if !reachable[page as usize] {
            self.unreachable += weight;
            return;
        }
        self.all[page as usize] += weight;
        self.visits.extend(reader.map(|reader| (reader, page)));
        if is_cold {
            self.cold[page as usize] += weight;
            self.cold_visits.extend(reader.map(|reader| (reader, page)));
        }
    }

    /// All of it.
    pub fn total(&self) -> f64 {
        self.all.iter().sum()
    }

    /// The cold part.
    pub fn cold_total(&self) -> f64 {
        self.cold.iter().sum()
    }
}

/// Reads an export of clicks: a URL and a number on each line, between them a tab, comma or blanks; lines that begin with
/// `#` and a first line without a number are passed over.
///
/// # Errors
/// If the file cannot be read, or a line is something else.
pub fn read_export(path: &Path) -> Result<Vec<(String, u64)>, Error> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|source| Error::Unreadable { name: name.clone(), source })?;
    let mut clicks = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let split = line.rsplit_once('\t').or_else(|| line.rsplit_once(',')).or_else(|| line.rsplit_once(' '));
        let parsed = split.and_then(|(url, n)| Some((url.trim(), n.trim().parse::<u64>().ok()?)));
        match parsed.and_then(|(url, n)| Some((crate::mirror::canonical_identity(url)?, n))) {
            Some(click) => clicks.push(click),
            None if number == 1 => {}
            None => return Err(Error::BadExport { name, line: number }),
        }
    }
    Ok(clicks)
}
