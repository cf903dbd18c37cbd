//! Where does a URL stand in the models of its site?
//!
//! Models say which pattern a URL belongs to, and how patterns rank. Each pattern of each site is a lane; a URL that no
//! pattern covers, or whose site has no model, goes to one lane after all others. A host may stand for another: its URLs are
//! looked up as those of the other.

use std::collections::HashMap;
use std::sync::Arc;

use trodden_frontier::LaneId;
use trodden_mining::model::{Way, find_by_host};
use trodden_mining::{Forecast, Goal, Locator, Place, SLICES, Scratch, SiteModel, Strategy, Why};
use trodden_urls::{Aliases, Canonicalizer, HostKey, Rules};

/// The lane of what no pattern covers.
pub const UNCOVERED: LaneId = LaneId(0);

/// Longest URL that is looked at.
const MAX_URL_BYTES: usize = 1 << 16;
/// Hosts that are remembered; a crawl meets as many as it likes.
const MAX_HOSTS: usize = 1 << 16;

/// What is expected at a lane.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// Its site; 0 for all that have no model.
    pub site: u32,
    /// The lane of the node above; its own for a root.
    pub above: u32,
    /// Of its site.
    pub forecast: Forecast,
    /// Visits that its site's model was learnt from.
    pub visits: u64,
    /// How long a slice of time is, the other way round.
    pub slices_a_day: f64,
}

impl Default for Outlook {
    /// Nobody has been there.
    fn default() -> Self {
        Self { site: 0, above: 0, forecast: Forecast::default(), visits: 0, slices_a_day: SLICES as f64 }
    }
}

/// Where a URL stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stand {
    /// The lane of its pattern, or of the deepest node that it reaches.
    pub lane: LaneId,
    /// Whether a pattern covers it.
    pub is_covered: bool,
}

/// Models, compiled: to be shared by all who order by them.
#[derive(Debug, Default)]
pub struct CompiledModels {
    sites: Vec<CompiledSite>,
    by_name: HashMap<String, usize>,
    lanes: u32,
    aliases: Aliases,
}

#[derive(Debug)]
struct CompiledSite {
    locator: Locator,
    /// The lane of node 0; the others follow.
    first_lane: u32,
    /// By node: where a URL stands that got there and is covered by nothing. "Any other value" is no branch that was met:
    /// such a URL stands where it would have needed one of its own.
    uncovered_at: Vec<u32>,
}

impl CompiledModels {
    /// Compiles models; of two of one site the first counts.
    pub fn new<'m>(models: impl IntoIterator<Item = &'m SiteModel>) -> Self {
        let mut all = Self { lanes: UNCOVERED.0 + 1, ..Self::default() };
        for model in models {
            if !all.by_name.contains_key(&model.site) {
                all.by_name.insert(model.site.clone(), all.sites.len());
                let mut uncovered_at: Vec<u32> = Vec::with_capacity(model.nodes.len());
                for (number, node) in (0..).zip(&model.nodes) {
                    let above = uncovered_at.get(node.parent as usize).copied().unwrap_or(0);
                    uncovered_at.push(if node.way == Way::Other { above } else { number });
                }
                all.sites.push(CompiledSite { locator: model.locator(), first_lane: all.lanes, uncovered_at });
                all.lanes += model.nodes.len() as u32;
            }
        }
        all
    }

    /// Hosts that stand for hosts of the models.
    #[must_use]
    pub fn with_aliases(self, aliases: Aliases) -> Self {
        Self { aliases, ..self }
    }

    /// Lanes: one for what is uncovered, and one for each node of each model.
    pub fn lanes(&self) -> u32 {
        self.lanes
    }

    /// By lane: what is expected there.
    pub fn outlooks<'m>(&self, models: impl IntoIterator<Item = &'m SiteModel>) -> Vec<Outlook> {
        let mut outlooks = vec![Outlook::default(); self.lanes as usize];
        let mut seen = vec![false; self.sites.len()];
        for model in models {
            let Some(&site) = self.by_name.get(&model.site) else { continue };
            if !std::mem::replace(&mut seen[site], true) {
                let visits = model.nodes.first().map_or(0, |root| root.visits);
                for (lane, node) in (self.sites[site].first_lane as usize..).zip(&model.nodes) {
                    outlooks[lane] = Outlook {
                        site: site as u32 + 1,
                        above: self.sites[site].first_lane + node.parent,
                        forecast: model.forecast,
                        visits,
                        slices_a_day: SLICES as f64 / model.days(),
                    };
                }
            }
        }
        outlooks
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

/// Names the patterns of URLs, in words.
pub struct PatternNames {
    standings: Standings,
    /// By lane.
    names: Vec<Box<str>>,
}

impl PatternNames {
    /// Of the models that were compiled; of one site only, the site goes without saying.
    pub fn new<'m>(models: impl IntoIterator<Item = &'m SiteModel>, compiled: Arc<CompiledModels>) -> Self {
        let mut names: Vec<Box<str>> = vec!["".into(); compiled.lanes as usize];
        let mut seen = vec![false; compiled.sites.len()];
        let is_one = compiled.sites.len() == 1;
        for model in models {
            let Some(&site) = compiled.by_name.get(&model.site) else { continue };
            if std::mem::replace(&mut seen[site], true) {
                continue;
            }
            for (lane, node) in (compiled.sites[site].first_lane as usize..).zip(&model.nodes) {
                let is_path = node.pattern.starts_with('/') && !is_one;
                names[lane] =
                    if is_path { format!("{}{}", model.site, node.pattern) } else { node.pattern.clone() }.into();
            }
        }
        Self { standings: Standings::new(compiled), names }
    }

    /// The pattern that covers a URL.
    pub fn name(&mut self, url: &str) -> Option<&str> {
        let stand = self.standings.stand(url);
        stand.is_covered.then(|| &*self.names[stand.lane.0 as usize])
    }
}

/// Finds the lanes of URLs.
pub struct Standings {
    models: Arc<CompiledModels>,
    canonicalizer: Canonicalizer,
    scratch: Scratch,
    by_host: HashMap<Box<str>, Option<HostSite>>,
}

/// The site of a host.
#[derive(Clone)]
struct HostSite {
    site: usize,
    /// The host as the model knows it, if it has another name there.
    known_as: Option<Arc<str>>,
}

impl Standings {
    /// By these models.
    pub fn new(models: Arc<CompiledModels>) -> Self {
        Self {
            models,
            canonicalizer: Canonicalizer::new(Rules::default()).with_max_bytes(MAX_URL_BYTES),
            scratch: Scratch::default(),
            by_host: HashMap::new(),
        }
    }

    /// The lane of a URL's pattern.
    pub fn lane(&mut self, url: &str) -> LaneId {
        let stand = self.stand(url);
        if stand.is_covered { stand.lane } else { UNCOVERED }
    }

    /// The lane of a URL's pattern, or of what no pattern covers; none if no model knows its site.
    pub fn lane_at_site(&mut self, url: &str) -> Option<LaneId> {
        let stand = self.stand(url);
        match stand.lane {
            UNCOVERED => None,
            lane => Some(if stand.is_covered { lane } else { UNCOVERED }),
        }
    }

    /// Where a URL stands.
    pub fn stand(&mut self, url: &str) -> Stand {
        let nowhere = Stand { lane: UNCOVERED, is_covered: false };
        let Ok(url) = self.canonicalizer.absolute(url.as_bytes()) else { return nowhere };
        let host = HostKey::text_of(url.host(), url.port());
        let known = match self.by_host.get(&*host) {
            Some(known) => known.clone(),
            None => {
                let known = site_of(&self.models, &host);
                if self.by_host.len() >= MAX_HOSTS {
                    self.by_host.clear();
                }
                self.by_host.insert((*host).into(), known.clone());
                known
            }
        };
        let Some(HostSite { site, known_as }) = known else { return nowhere };
        let site = &self.models.sites[site];
        let host = known_as.as_deref().unwrap_or(&host);
        let place = site.locator.locate(&mut self.scratch, host, url.path_and_query());
        // What the model was made without, it says nothing of.
        if matches!(place, Place::Uncovered(_, Why::Excluded)) {
            return nowhere;
        }
        let node = place.pattern().unwrap_or(site.uncovered_at[place.node() as usize]);
        Stand { lane: LaneId(site.first_lane + node), is_covered: place.pattern().is_some() }
    }
}

/// The site of a host, or of what it stands for: the host itself, or its domain if the model is of that.
fn site_of(models: &CompiledModels, host: &str) -> Option<HostSite> {
    let key = HostKey::parse(host).ok();
    let known_as = key.as_ref().map(|key| models.aliases.resolve(key)).filter(|known| Some(*known) != key.as_ref());
    let site = find_by_host(known_as.or(key.as_ref())?, |name| models.by_name.get(name).copied())?;
    Some(HostSite { site, known_as: known_as.map(|host| host.as_str().into()) })
}
