//! Where does a URL stand in the models of its site?
//!
//! Models say which pattern a URL belongs to, and how patterns rank. Each pattern of each site is a lane; a URL that no
//! pattern covers, or whose site has no model, goes to one lane after all others.

use std::collections::HashMap;
use std::sync::Arc;

use trodden_frontier::LaneId;
use trodden_mining::{Goal, Locator, Place, Scratch, SiteModel, Strategy};
use trodden_urls::{Aliases, Canonicalizer, HostKey, Rules, SiteGrouping, SiteKeys};

/// The lane of what no pattern covers.
pub const UNCOVERED: LaneId = LaneId(0);

/// Longest URL that is looked at.
const MAX_URL_BYTES: usize = 1 << 16;
/// Hosts that are remembered; a crawl meets as many as it likes.
const MAX_HOSTS: usize = 1 << 16;

/// Models, compiled: to be shared by all who order by them.
#[derive(Debug, Default)]
pub struct CompiledModels {
    sites: Vec<CompiledSite>,
    by_name: HashMap<String, usize>,
    lanes: u32,
}

#[derive(Debug)]
struct CompiledSite {
    locator: Locator,
    /// The lane of node 0; the others follow.
    first_lane: u32,
}

impl CompiledModels {
    /// Compiles models; of two of one site the first counts.
    pub fn new<'m>(models: impl IntoIterator<Item = &'m SiteModel>) -> Self {
        let mut all = Self { lanes: UNCOVERED.0 + 1, ..Self::default() };
        for model in models {
            if !all.by_name.contains_key(&model.site) {
                all.by_name.insert(model.site.clone(), all.sites.len());
                all.sites.push(CompiledSite { locator: model.locator(), first_lane: all.lanes });
                all.lanes += model.nodes.len() as u32;
            }
        }
        all
    }

    /// Lanes: one for what is uncovered, and one for each node of each model.
    pub fn lanes(&self) -> u32 {
        self.lanes
    }

    /// By lane: the score of its pattern, by rank.
    pub fn scores<'m>(
        &self,
        models: impl IntoIterator<Item = &'m SiteModel>,
        goal: Goal,
        strategy: Strategy,
    ) -> Vec<f64> {
        let mut scores = vec![0.0; self.lanes as usize];
        let mut seen = vec![false; self.sites.len()];
        for model in models {
            let Some(&site) = self.by_name.get(&model.site) else { continue };
            if !std::mem::replace(&mut seen[site], true) {
                for ranked in model.ranking(goal, strategy) {
                    scores[(self.sites[site].first_lane + ranked.id) as usize] = ranked.score;
                }
            }
        }
        scores
    }
}

/// Finds the lanes of URLs.
pub struct Standings {
    models: Arc<CompiledModels>,
    canonicalizer: Canonicalizer,
    scratch: Scratch,
    domains: SiteKeys,
    by_host: HashMap<Box<str>, Option<usize>>,
}

impl Standings {
    /// By these models.
    pub fn new(models: Arc<CompiledModels>) -> Self {
        Self {
            models,
            canonicalizer: Canonicalizer::new(Rules::default()).with_max_bytes(MAX_URL_BYTES),
            scratch: Scratch::default(),
            domains: SiteKeys::new(SiteGrouping::RegistrableDomain, Aliases::none()),
            by_host: HashMap::new(),
        }
    }

    /// The lane of a URL.
    pub fn lane(&mut self, url: &str) -> LaneId {
        let Ok(url) = self.canonicalizer.absolute(url.as_bytes()) else { return UNCOVERED };
        let host = HostKey::text_of(url.host(), url.port());
        let known = match self.by_host.get(&*host) {
            Some(known) => *known,
            None => {
                let known = site_of(&self.models, &self.domains, &host);
                if self.by_host.len() >= MAX_HOSTS {
                    self.by_host.clear();
                }
                self.by_host.insert((*host).into(), known);
                known
            }
        };
        let Some(site) = known.map(|site| &self.models.sites[site]) else { return UNCOVERED };
        match site.locator.locate(&mut self.scratch, &host, url.path_and_query()) {
            Place::Pattern(node) => LaneId(site.first_lane + node),
            Place::Uncovered(..) => UNCOVERED,
        }
    }
}

/// The site of a host: itself, or its domain if the model is of that.
fn site_of(models: &CompiledModels, domains: &SiteKeys, host: &str) -> Option<usize> {
    models.by_name.get(host).copied().or_else(|| {
        let key = HostKey::parse(host).ok()?;
        models.by_name.get(domains.site_of(&key).as_str()).copied()
    })
}
