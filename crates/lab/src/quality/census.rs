//! Which sites are in the visits, and which of their visits are later than what their model was learnt from?

use std::collections::BTreeMap;

use serde::Serialize;
use trodden_logs::visits::StoredVisits;
use trodden_mining::ModelSet;
use trodden_mining::model::ModelFault;
use trodden_mining::quality::{LaterVisits, Periods};
use trodden_urls::UrlGlobs;

use crate::error::Error;

/// What a visit may cost in memory while its site is judged: a URL of its own and its counts.
const BYTES_PER_VISIT: u64 = 256;

/// Visits between two times.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Period {
    /// How many.
    pub visits: u64,
    /// The first, in milliseconds since 1970.
    pub first_ms: i64,
    /// The last.
    pub last_ms: i64,
}

impl Period {
    const NONE: Self = Self { visits: 0, first_ms: i64::MAX, last_ms: i64::MIN };

    fn add(&mut self, time_ms: i64) {
        self.visits += 1;
        self.first_ms = self.first_ms.min(time_ms);
        self.last_ms = self.last_ms.max(time_ms);
    }
}

/// Which visits a model is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgedBy {
    /// Those after the last one that it was learnt from.
    Later,
    /// All, because none is later.
    Training,
}

/// A site with a model.
#[derive(Clone, Debug)]
pub struct CountedSite {
    /// Where its model is.
    pub model: usize,
    /// The last visit that it was learnt from.
    learnt_until: i64,
    /// URLs that it was made without: nothing to judge it by.
    exclude: UrlGlobs,
    /// Visits to them.
    pub excluded: u64,
    /// Visits up to that one.
    training: Period,
    /// Visits after it.
    later: Period,
}

impl CountedSite {
    /// By which it is judged.
    pub fn judged_by(&self) -> JudgedBy {
        if self.later.visits > 0 { JudgedBy::Later } else { JudgedBy::Training }
    }

    /// The visits that count.
    pub fn judged(&self) -> Period {
        match self.judged_by() {
            JudgedBy::Later => self.later,
            JudgedBy::Training => self.training,
        }
    }

    /// How many visits are left out because the model was learnt from them.
    pub fn left_out(&self) -> u64 {
        match self.judged_by() {
            JudgedBy::Later => self.training.visits,
            JudgedBy::Training => 0,
        }
    }

    fn counts(&self, time_ms: i64) -> bool {
        self.judged_by() == JudgedBy::Training || time_ms > self.learnt_until
    }
}

/// The sites of some visits.
#[derive(Debug)]
pub struct Census<'m> {
    models: &'m ModelSet,
    /// Those with a model.
    pub sites: BTreeMap<String, CountedSite>,
    /// Visits of those without.
    pub without_model: BTreeMap<String, u64>,
    /// Models that cannot be read; their sites count as those without.
    pub faults: Vec<ModelFault>,
}

impl<'m> Census<'m> {
    /// Counts the visits of all sites, or of one.
    ///
    /// # Errors
    /// If the visits cannot be read.
    pub fn take(stored: &StoredVisits, models: &'m ModelSet, only: Option<&str>) -> Result<Self, Error> {
        let mut census = Self { models, sites: BTreeMap::new(), without_model: BTreeMap::new(), faults: Vec::new() };
        stored.each(|visit| {
            if only.is_none_or(|only| only == visit.site) {
                census.add(visit.site, visit.url, visit.time_ms);
            }
        })?;
        // Of a site with nothing but what its model excludes there is nothing to judge.
        census.sites.retain(|_, site| site.judged().visits > 0);
        Ok(census)
    }

    fn add(&mut self, site: &str, url: &str, time_ms: i64) {
        if let Some(visits) = self.without_model.get_mut(site) {
            *visits += 1;
            return;
        }
        if !self.sites.contains_key(site) {
            match self.models.find(site).map(|at| (at, self.models.model(at))) {
                Some((at, Ok(model))) => {
                    let counted = CountedSite {
                        model: at,
                        learnt_until: model.learnt.last_ms,
                        // Whoever reads a model checks its globs.
                        exclude: UrlGlobs::new(&model.exclude).unwrap_or_default(),
                        excluded: 0,
                        training: Period::NONE,
                        later: Period::NONE,
                    };
                    self.sites.insert(site.to_owned(), counted);
                }
                Some((_, Err(fault))) => {
                    self.faults.push(fault);
                    self.without_model.insert(site.to_owned(), 1);
                    return;
                }
                None => {
                    self.without_model.insert(site.to_owned(), 1);
                    return;
                }
            }
        }
        if let Some(site) = self.sites.get_mut(site) {
            if site.exclude.matches_text(url) {
                site.excluded += 1;
                return;
            }
            let span = if time_ms > site.learnt_until { &mut site.later } else { &mut site.training };
            span.add(time_ms);
        }
    }

    /// The sites in their order, as many together as fit in the memory; one is never cut.
    pub fn batches(&self, memory: u64) -> Vec<Batch<'_>> {
        let fits = memory / BYTES_PER_VISIT;
        let mut batches: Vec<Batch<'_>> = Vec::new();
        let mut visits = 0;
        for (name, site) in &self.sites {
            let own = site.judged().visits;
            match batches.last_mut() {
                Some(batch) if visits + own <= fits => {
                    batch.sites.insert(name, site);
                    visits += own;
                }
                _ => {
                    batches.push(Batch { sites: BTreeMap::from([(name.as_str(), site)]) });
                    visits = own;
                }
            }
        }
        batches
    }
}

/// Sites that are judged together.
#[derive(Debug)]
pub struct Batch<'c> {
    sites: BTreeMap<&'c str, &'c CountedSite>,
}

impl<'c> Batch<'c> {
    /// Reads the visits that count.
    ///
    /// # Errors
    /// If the visits cannot be read.
    pub fn read(&self, stored: &StoredVisits) -> Result<Vec<(&'c CountedSite, LaterVisits)>, Error> {
        let mut later: BTreeMap<&str, (&'c CountedSite, LaterVisits)> = BTreeMap::new();
        for (name, site) in &self.sites {
            let span = site.judged();
            later.insert(*name, (*site, LaterVisits::new(Periods::between(span.first_ms, span.last_ms))));
        }
        stored.each(|visit| {
            if let Some((site, later)) = later.get_mut(visit.site)
                && site.counts(visit.time_ms)
                && !site.exclude.matches_text(visit.url)
            {
                later.add(visit.url, visit.time_ms);
            }
        })?;
        Ok(later.into_values().collect())
    }
}
