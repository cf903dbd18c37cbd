//! What is known before a crawl begins: models and visits, as the policy needs them, and as seeds.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use rustc_hash::FxHashMap;
use trodden_fetch::crawl::KnownTraffic;
use trodden_frontier::DiskFrontier;
use trodden_lab::experiment::{Training, TrainingSettings, train};
use trodden_logs::privacy::has_removed_values;
use trodden_mining::{DedupWindow, SLICES, SiteModel, Slices};
use trodden_ordering::policy::blend::Past;
use trodden_ordering::policy::build::Learnt;
use trodden_ordering::standing::CompiledModels;
use trodden_urls::Canonicalizer;

use crate::config::Config;
use crate::machine;
use crate::model_file;

/// What is known.
#[derive(Default)]
pub(super) struct Known {
    pub(super) models: Vec<SiteModel>,
    /// URLs with their visits.
    pub(super) urls: Vec<(String, Slices)>,
    /// From and to: places in `urls`.
    transits: Vec<(u32, u32)>,
    /// Hosts that the URLs are of.
    pub(super) hosts: BTreeSet<String>,
    has_log: bool,
}

impl Known {
    /// From models, and from visits.
    pub(super) fn read(models: &[PathBuf], visits: &[String], config: &Config, scratch: &Path) -> Result<Self> {
        let mut known = Self { has_log: !models.is_empty() || !visits.is_empty(), ..Self::default() };
        if !models.is_empty() {
            model_file::each(models, None, |model| {
                known.add_model(model);
                Ok(())
            })?;
        }
        for visits in visits {
            known.add_visits(visits, config, scratch)?;
        }
        Ok(known)
    }

    /// The URLs of a model have visits, but it does not say when: they are spread evenly.
    fn add_model(&mut self, model: SiteModel) {
        for named in model.urls.iter().filter(|named| !has_removed_values(&named.url)) {
            self.urls.push((model.fetchable(&named.url), evenly(named.visits)));
        }
        self.hosts.extend(model.origins.values().filter_map(|origin| host_of(origin)));
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
        let Training { models, urls, transits, origins, .. } =
            train(visits, &settings).with_context(|| format!("cannot read the visits in {visits}"))?;
        let start = self.urls.len() as u32;
        let fetchable = |url: &str| {
            let (host, path) = url.split_at(url.find(['/', '?']).unwrap_or(url.len()));
            origins.get(host).map_or_else(|| format!("http://{url}"), |origin| format!("{origin}{path}"))
        };
        self.urls.extend(urls.iter().map(|(url, slices)| (fetchable(url), *slices)));
        self.hosts.extend(origins.values().filter_map(|origin| host_of(origin)));
        self.transits.extend(transits.iter().map(|(from, to)| (start + from, start + to)));
        self.models.extend(models);
        Ok(())
    }

    /// URLs to start from, the most visited first.
    pub(super) fn seeds(&self) -> Vec<&str> {
        let visits = |slices: &Slices| slices.iter().map(|n| u64::from(*n)).sum::<u64>();
        let urls = self.urls.iter().filter(|(url, _)| !has_removed_values(url));
        let mut seeds: Vec<(u64, &str)> = urls.map(|(url, slices)| (visits(slices), url.as_str())).collect();
        seeds.sort_by_key(|(visits, _)| Reverse(*visits));
        seeds.into_iter().map(|(_, url)| url).collect()
    }

    /// What the policy may know, by the numbers that URLs have in the frontier.
    pub(super) fn learnt(
        &self,
        frontier: &mut DiskFrontier,
        canonicalizer: &Canonicalizer,
    ) -> Result<(Option<Learnt<'_, u32>>, KnownTraffic)> {
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(self.urls.len());
        for (url, _) in &self.urls {
            numbers.push(match canonicalizer.absolute(url.as_bytes()) {
                Ok(url) => Some(frontier.number(url.as_str())?),
                Err(_) => None,
            });
        }
        frontier.commit()?;
        let visits = || numbers.iter().zip(&self.urls).filter_map(|(number, (_, slices))| Some(((*number)?, *slices)));
        let number = |url: u32| numbers[url as usize];
        let transits = self.transits.iter().filter_map(|(from, to)| Some((number(*from)?, number(*to)?)));
        let past = Past::new(visits(), transits);
        let traffic: FxHashMap<u32, f32> = past.totals().map(|(number, sum)| (number, sum as f32)).collect();
        let learnt = self.has_log.then(|| Learnt {
            models: &self.models,
            compiled: Arc::new(CompiledModels::new(&self.models)),
            past: Arc::new(past),
            without_model: None,
        });
        Ok((learnt, KnownTraffic { visits: traffic }))
    }
}

/// The host of an origin: no port, as a scope has it.
fn host_of(origin: &str) -> Option<String> {
    trodden_fetch::crawl::canonicalizer().absolute(origin.as_bytes()).ok().map(|url| url.host().to_owned())
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
