//! What is known before a crawl begins: models and visits, as the policy needs them, and as seeds.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use rustc_hash::FxHashMap;
use trodden_fetch::crawl::analysis::{CrawlKnowledge, UrlVisits, VisitCounts};
use trodden_fetch::crawl::{CrawlRecord, KnownTraffic};
use trodden_frontier::UrlId;
use trodden_logs::privacy::has_removed_values;
use trodden_logs::training::{Training, TrainingSettings, train};
use trodden_logs::visits::{StoredVisits, VisitSource};
use trodden_mining::model::find_by_host;
use trodden_mining::{DedupWindow, SLICES, SiteModel, Slices, Trace};
use trodden_ordering::policy::blend::Past;
use trodden_ordering::policy::build::Learnt;
use trodden_ordering::standing::{CompiledModels, PatternNames};
use trodden_urls::{Aliases, Canonicalizer, HostKey};

use super::alias::HostAliases;
use crate::config::Config;
use crate::machine;
use crate::model_file;
use crate::output::thousands;

/// Sites and hosts that are named in a message.
const NAMES_SAID: usize = 3;

/// Where it is known from.
pub(super) struct Sources {
    pub(super) models: Vec<PathBuf>,
    pub(super) visits: Vec<String>,
    pub(super) aliases: HostAliases,
}

/// A URL that people visited.
#[derive(Clone, Debug)]
pub(super) struct VisitedUrl {
    pub(super) url: String,
    pub(super) slices: Slices,
    /// Whether fewer people visited it than must have for it to be named.
    is_rare: bool,
}

/// What is known.
#[derive(Default)]
pub(super) struct Known {
    pub(super) models: Vec<SiteModel>,
    pub(super) urls: Vec<VisitedUrl>,
    /// From and to: places in `urls`.
    transits: Vec<(u32, u32)>,
    /// Hosts that the URLs are of.
    pub(super) hosts: BTreeSet<String>,
    origins: BTreeSet<String>,
    /// Hosts of the crawl that stand for hosts of the logs.
    pub(super) aliases: Aliases,
    has_log: bool,
    /// Directories of visits.
    visits: Vec<String>,
}

impl Known {
    /// From models, and from visits.
    pub(super) fn read(sources: &Sources, config: &Config, scratch: &Path) -> Result<Self> {
        let Sources { models, visits, aliases } = sources;
        let mut known =
            Self { has_log: !models.is_empty() || !visits.is_empty(), visits: visits.clone(), ..Self::default() };
        if !models.is_empty() {
            model_file::each(models, None, |model| {
                known.add_model(model);
                Ok(())
            })?;
        }
        for visits in visits {
            known.add_visits(visits, config, scratch)?;
        }
        if !aliases.aliases.is_empty() {
            known.rename(aliases);
        }
        known.hosts = known.origins.iter().filter_map(|origin| host_of(origin)).collect();
        Ok(known)
    }

    /// What is known of a host is known of the hosts that stand for it.
    fn rename(&mut self, aliases: &HostAliases) {
        let canonicalizer = trodden_fetch::crawl::canonicalizer();
        // By place in the old list: places in the new one, by the number of the host.
        let mut places: Vec<Vec<(usize, u32)>> = Vec::with_capacity(self.urls.len());
        let origins = std::mem::take(&mut self.origins);
        for origin in origins.iter().filter_map(|origin| canonicalizer.absolute(origin.as_bytes()).ok()) {
            self.origins.extend(aliases.copies(&origin).into_iter().map(|(_, copy)| copy));
        }
        for visited in std::mem::take(&mut self.urls) {
            let Ok(canonical) = canonicalizer.absolute(visited.url.as_bytes()) else {
                places.push(Vec::new());
                continue;
            };
            let mut copies = Vec::new();
            for (number, copy) in aliases.copies(&canonical) {
                copies.push((number, self.urls.len() as u32));
                self.urls.push(VisitedUrl { url: copy, ..visited });
            }
            places.push(copies);
        }
        let mut transits = Vec::with_capacity(self.transits.len());
        for (from, to) in std::mem::take(&mut self.transits) {
            for (number, from) in &places[from as usize] {
                // Within one copy; or out of it, to a host that has none.
                let to = &places[to as usize];
                let same = to.iter().find(|(other, _)| other == number).or(to.first().filter(|_| to.len() == 1));
                transits.extend(same.map(|(_, to)| (*from, *to)));
            }
        }
        self.transits = transits;
        self.aliases = aliases.aliases.clone();
    }

    /// Whether logs know a host of the crawl.
    fn knows(&self, host: &HostKey) -> bool {
        let known = |name: &str| self.models.iter().find(|model| model.site == name);
        find_by_host(self.aliases.resolve(host), known).is_some()
    }

    /// That logs know none of the hosts that a crawl starts from, if so: they are of no use for it.
    pub(super) fn is_of_no_use(&self, seeds: &[String]) -> Option<String> {
        let canonicalizer = trodden_fetch::crawl::canonicalizer();
        let hosts = seeds.iter().filter_map(|seed| Some(HostKey::of(&canonicalizer.absolute(seed.as_bytes()).ok()?)));
        let hosts: BTreeSet<HostKey> = hosts.collect();
        let of_urls = || self.urls.iter().filter_map(|visited| host_key(&visited.url));
        if !self.has_log || hosts.is_empty() || hosts.iter().any(|host| self.knows(host)) {
            return None;
        }
        if of_urls().any(|host| hosts.contains(&host)) {
            return None;
        }
        let sites: BTreeSet<String> = self.models.iter().map(|model| model.site.clone()).collect();
        let sites = if sites.is_empty() { of_urls().map(|host| host.to_string()).collect() } else { sites };
        let (host, site) = (hosts.first()?, sites.first()?);
        Some(format!(
            "warning: the logs of this crawl are of {}, and know nothing about {}, so they do not help this crawl. If it is the \
             same site under another name, add --alias {host}={site}",
            listed(sites.iter().map(String::as_str)),
            listed(hosts.iter().map(HostKey::as_str)),
        ))
    }

    /// The URLs of a model have visits, but it does not say when: they are spread evenly.
    fn add_model(&mut self, model: SiteModel) {
        for named in model.urls.iter().filter(|named| !has_removed_values(&named.url)) {
            let (url, slices) = (model.fetchable(&named.url), evenly(named.visits));
            self.urls.push(VisitedUrl { url, slices, is_rare: false });
        }
        self.origins.extend(model.origins.values().cloned());
        self.models.push(model);
    }

    fn add_visits(&mut self, visits: &str, config: &Config, scratch: &Path) -> Result<()> {
        let settings = TrainingSettings {
            mining: config.mining.clone(),
            min_users: u32::try_from(config.privacy.min_users).unwrap_or(u32::MAX),
            window_days: DedupWindow::DEFAULT_DAYS,
            last_days: None,
            memory: machine::half_of_memory(),
            threads: machine::cores(),
            scratch: scratch.to_owned(),
        };
        let source = VisitSource::find(&[visits.to_owned()]);
        let training = source.and_then(|source| train(source, &settings));
        let training = training.with_context(|| format!("cannot learn from the visits in {visits}"))?;
        let start = self.urls.len() as u32;
        self.urls.extend(training.urls.iter().zip(&training.users).map(|((url, slices), users)| VisitedUrl {
            url: training.fetchable(url),
            slices: *slices,
            is_rare: *users < config.privacy.min_users,
        }));
        let Training { models, transits, origins, .. } = training;
        self.origins.extend(origins.values().cloned());
        self.transits.extend(transits.iter().map(|(from, to)| (start + from, start + to)));
        self.models.extend(models);
        Ok(())
    }

    /// URLs to start from, the most visited first; with those of few people only if that is wanted, since whoever is asked
    /// for a URL learns that somebody read it.
    pub(super) fn seeds(&self, with_rare: bool) -> Vec<&str> {
        let visits = |slices: &Slices| slices.iter().map(|n| u64::from(*n)).sum::<u64>();
        let urls = self.urls.iter().filter(|it| (with_rare || !it.is_rare) && !has_removed_values(&it.url));
        let mut seeds: Vec<(u64, &str)> = urls.map(|it| (visits(&it.slices), it.url.as_str())).collect();
        seeds.sort_by_key(|(visits, _)| Reverse(*visits));
        seeds.into_iter().map(|(_, url)| url).collect()
    }

    /// How many URLs are left out of the [seeds](Self::seeds) because few people visited them.
    pub(super) fn rare(&self) -> usize {
        self.urls.iter().filter(|it| it.is_rare && !has_removed_values(&it.url)).count()
    }

    /// Names the patterns of URLs; none without models.
    pub(super) fn pattern_names(&self) -> Option<PatternNames> {
        let compiled = || Arc::new(CompiledModels::new(&self.models).with_aliases(self.aliases.clone()));
        (!self.models.is_empty()).then(|| PatternNames::new(&self.models, compiled()))
    }

    /// What is known of the URLs of a crawl, to tell of it.
    pub(super) fn in_crawl(&self, record: &CrawlRecord<'_>) -> CrawlKnowledge {
        let visited = self.urls.iter().map(|visited| UrlVisits {
            url: &visited.url,
            visits: visited.slices.iter().map(|slice| u64::from(*slice)).sum(),
            is_rare: visited.is_rare,
        });
        CrawlKnowledge { patterns: self.pattern_names(), visits: VisitCounts::in_crawl(record, visited) }
    }

    /// Who read what, by the numbers that URLs have in the frontier: of URLs that people are [known](Self::urls) to have visited.
    pub(super) fn trace(
        &self,
        mut number: impl FnMut(&str) -> Result<UrlId>,
        canonicalizer: &Canonicalizer,
    ) -> Result<Arc<Trace>> {
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        for visited in &self.urls {
            if let Ok(url) = canonicalizer.absolute(visited.url.as_bytes()) {
                let text = HostKey::text_of(url.host(), url.port()).into_owned() + url.path_and_query();
                numbers.insert(text, number(url.as_str())?.0);
            }
        }
        if self.visits.is_empty() {
            return Ok(Arc::default());
        }
        let visits = StoredVisits::find(&self.visits)?;
        Ok(Arc::new(trodden_logs::traces::trace(&visits, |visit| numbers.get(visit.url).copied())?))
    }

    /// What the policy may know, by the numbers that URLs have in the frontier.
    pub(super) fn learnt(
        &self,
        mut number: impl FnMut(&str) -> Result<UrlId>,
        canonicalizer: &Canonicalizer,
    ) -> Result<(Option<Learnt<'_>>, KnownTraffic)> {
        let mut numbers: Vec<Option<UrlId>> = Vec::with_capacity(self.urls.len());
        for visited in &self.urls {
            numbers.push(match canonicalizer.absolute(visited.url.as_bytes()) {
                Ok(url) => Some(number(url.as_str())?),
                Err(_) => None,
            });
        }
        let visits = || numbers.iter().zip(&self.urls).filter_map(|(number, it)| Some(((*number)?, it.slices)));
        let place = |url: u32| numbers[url as usize];
        let transits = self.transits.iter().filter_map(|(from, to)| Some((place(*from)?, place(*to)?)));
        let past = Past::new(visits(), transits);
        let traffic: FxHashMap<UrlId, f32> = past.totals().map(|(number, sum)| (number, sum as f32)).collect();
        let learnt = self.has_log.then(|| Learnt {
            models: &self.models,
            compiled: Arc::new(CompiledModels::new(&self.models).with_aliases(self.aliases.clone())),
            past: Arc::new(past),
            trace: Arc::default(),
            without_model: None,
        });
        Ok((learnt, KnownTraffic { visits: traffic }))
    }
}

/// The host of an origin: no port, as a scope has it.
fn host_of(origin: &str) -> Option<String> {
    trodden_fetch::crawl::canonicalizer().absolute(origin.as_bytes()).ok().map(|url| url.host().to_owned())
}

fn host_key(url: &str) -> Option<HostKey> {
    trodden_fetch::crawl::canonicalizer().absolute(url.as_bytes()).ok().map(|url| HostKey::of(&url))
}

/// The first of some names, and how many more there are.
fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let more = names.len().saturating_sub(NAMES_SAID);
    let mut said: Vec<String> = names.take(NAMES_SAID).map(str::to_owned).collect();
    said.extend((more > 0).then(|| format!("{} more", thousands(more as u64))));
    said.join(", ")
}

/// So many visits over all slices.
fn evenly(visits: u64) -> Slices {
    let visits = u32::try_from(visits).unwrap_or(u32::MAX);
    let (each, rest) = (visits / SLICES as u32, visits % SLICES as u32);
    std::array::from_fn(|slice| each + u32::from(slice as u32 >= SLICES as u32 - rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_visits_without_a_time_are_spread_evenly_and_none_is_lost() {
        for visits in [0, 1, 7, 8, 9, 1_000_003] {
            let slices = evenly(visits);
            assert_eq!(slices.iter().map(|n| u64::from(*n)).sum::<u64>(), visits);
            assert!(slices.iter().max().unwrap() - slices.iter().min().unwrap() <= 1);
        }
    }
}
