//! From the name of a policy to the policy, with all that it may know; or why it cannot run.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use trodden_mining::Goal;
use trodden_ordering::policy::backlink::Backlink;
use trodden_ordering::policy::blend::{Blend, Past, Steps, Uses};
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::by_value::{ByValue, Fineness};
use trodden_ordering::policy::location::Location;
use trodden_ordering::policy::opic::Opic;
use trodden_ordering::policy::pagerank::{PageRankSoFar, Rerank};
use trodden_ordering::policy::pattern::ByPattern;
use trodden_ordering::policy::random::Random;
use trodden_ordering::policy::rankmass::RankMass;
use trodden_ordering::policy::similarity::{Reach, Similarity};
use trodden_ordering::standing::{CompiledModels, Standings};
use trodden_ordering::topic::Topic;
use trodden_ordering::{Ingredient, OrderingPolicy, PolicyName};

use super::traffic::Traffic;
use super::training::Training;
use crate::graph::PageId;
use crate::importance;
use crate::mirror::Mirror;

/// What a crawler could know before it starts.
pub struct Ingredients<'e> {
    mirror: &'e Mirror,
    starts: u32,
    training: Option<(&'e Training, Arc<CompiledModels>)>,
    topic: Option<&'e Topic>,
    goal: Goal,
    seed: u64,
    rerank: Rerank,
    fineness: Fineness,
}

/// A policy over the pages of a mirror.
pub type MirrorPolicy = Box<dyn OrderingPolicy<PageId>>;

/// How policies are set up.
#[derive(Clone, Debug)]
pub struct PolicySettings {
    /// What is looked for.
    pub goal: Goal,
    /// Of chance.
    pub seed: u64,
    /// When PageRank is brought up to date.
    pub rerank: Rerank,
    /// Whether values go by levels, as on disk.
    pub fineness: Fineness,
    /// Words that are looked for.
    pub topic: Option<Topic>,
}

impl<'e> Ingredients<'e> {
    /// What can be known of a mirror's site from training.
    pub fn new(
        mirror: &'e Mirror,
        starts: &[PageId],
        training: Option<&'e Training>,
        settings: &'e PolicySettings,
    ) -> Self {
        let compiled = |training: &'e Training| (training, Arc::new(CompiledModels::new(&training.models)));
        Self {
            mirror,
            starts: starts.len() as u32,
            training: training.map(compiled),
            topic: settings.topic.as_ref(),
            goal: settings.goal,
            seed: settings.seed,
            rerank: settings.rerank,
            fineness: settings.fineness,
        }
    }

    /// A policy that a crawler could run.
    ///
    /// # Errors
    /// Why it cannot run here.
    pub fn runnable(&self, name: &PolicyName) -> Result<MirrorPolicy, String> {
        Ok(match name {
            PolicyName::BreadthFirst => Box::new(BreadthFirst::default()),
            PolicyName::Random => Box::new(Random::new(self.seed)),
            PolicyName::Backlink => Box::new(Backlink::default()),
            PolicyName::PageRank => Box::new(PageRankSoFar::new(self.rerank)),
            PolicyName::Opic => Box::new(Opic::new(self.starts)),
            PolicyName::RankMass => Box::new(RankMass::new(self.starts)),
            PolicyName::Location if self.mirror.urls.has_urls() => Box::new(Location::default()),
            PolicyName::Location => return Err("the mirror has no URLs".to_owned()),
            PolicyName::Similarity(inner) => self.two_queues(Reach::Words, inner)?,
            PolicyName::SimilarityNear(inner) => self.two_queues(Reach::Near, inner)?,
            PolicyName::UrlVisit => self.url_visit()?,
            PolicyName::Expected => {
                self.trained()?;
                self.blend(Uses::EXPECTED)
            }
            PolicyName::Blend => self.blend(Uses::BLEND),
            PolicyName::BlendWithout(Ingredient::Log) => self.blend_of(Uses::BLEND, None),
            PolicyName::BlendWithout(ingredient) => self.blend(Uses::without(*ingredient)),
            PolicyName::Volume
            | PolicyName::OverallVisit
            | PolicyName::AverageVisit
            | PolicyName::OverallReferral
            | PolicyName::AverageReferral
            | PolicyName::Behavior => self.pattern(name)?,
            PolicyName::PageRankWhole | PolicyName::Ideal | PolicyName::IdealUnlinked => {
                return Err("it knows what no crawler can know".to_owned());
            }
        })
    }

    fn two_queues(&self, reach: Reach, inner: &PolicyName) -> Result<MirrorPolicy, String> {
        let topic = self.topic.ok_or("there is no topic (--topic 'WORD…')")?;
        if reach == Reach::Near && self.mirror.texts.is_none() {
            return Err("the mirror has no page text".to_owned());
        }
        if self.mirror.anchors.is_none() && !self.mirror.urls.has_urls() {
            return Err("the mirror has neither URLs nor link texts".to_owned());
        }
        Ok(Box::new(Similarity::new(topic.clone(), reach, self.runnable(inner)?)))
    }

    fn url_visit(&self) -> Result<MirrorPolicy, String> {
        let (training, _) = self.trained()?;
        // Several URLs may be one page; their visits are its visits.
        let mut values: FxHashMap<PageId, u64> = FxHashMap::default();
        for (url, slices) in &training.urls {
            if let Some(page) = self.mirror.page_of_visit(url) {
                *values.entry(page).or_default() += slices.iter().map(|n| u64::from(*n)).sum::<u64>();
            }
        }
        let values = values.into_iter().map(|(page, visits)| (page, visits as f64));
        Ok(Box::new(ByValue::new(values, self.fineness)))
    }

    /// By expected visits; without a log, by what the crawl finds.
    fn blend(&self, uses: Uses) -> MirrorPolicy {
        self.blend_of(uses, self.training.as_ref())
    }

    fn blend_of(&self, uses: Uses, training: Option<&(&Training, Arc<CompiledModels>)>) -> MirrorPolicy {
        let (compiled, models, past) = match training {
            Some((training, compiled)) => (compiled.clone(), training.models.as_slice(), self.past(training)),
            None => (Arc::new(CompiledModels::new([])), [].as_slice(), Past::new([], [])),
        };
        let outlooks = compiled.outlooks(models);
        let steps = if self.fineness == Fineness::Exact { Steps::FINEST } else { Steps::DEFAULT };
        Box::new(Blend::new(uses, self.goal, steps, Standings::new(compiled), outlooks, past))
    }

    fn past(&self, training: &Training) -> Past<PageId> {
        let pages: Vec<Option<PageId>> = training.urls.iter().map(|(url, _)| self.mirror.page_of_visit(url)).collect();
        let visits = pages.iter().zip(&training.urls).filter_map(|(page, (_, slices))| Some(((*page)?, *slices)));
        let page = |url: u32| pages[url as usize];
        let transits = training.transits.iter().filter_map(|(from, to)| Some((page(*from)?, page(*to)?)));
        Past::new(visits, transits)
    }

    fn pattern(&self, name: &PolicyName) -> Result<MirrorPolicy, String> {
        let (training, compiled) = self.trained()?;
        let strategy = name.strategy().ok_or("it does not rank patterns")?;
        if training.models.is_empty() {
            let why = training.without_model.first().map_or("nobody visited it".to_owned(), |(_, why)| why.to_string());
            return Err(format!("the site has no model: {why}"));
        }
        let scores = compiled.scores(&training.models, self.goal, strategy);
        Ok(Box::new(ByPattern::new(Standings::new(compiled.clone()), scores)))
    }

    fn trained(&self) -> Result<&(&'e Training, Arc<CompiledModels>), String> {
        self.training.as_ref().ok_or_else(|| "there is no log to learn from (--log LOG)".to_owned())
    }
}

/// An oracle: a policy that knows the whole mirror, or the future.
///
/// # Errors
/// Why it cannot run here.
pub fn oracle(name: &PolicyName, mirror: &Mirror, future: Option<&Traffic>) -> Result<MirrorPolicy, String> {
    let values = match name {
        PolicyName::PageRankWhole => importance::pagerank_of(&mirror.graph),
        PolicyName::Ideal | PolicyName::IdealUnlinked => {
            future.ok_or("there is no traffic to know beforehand (--log LOG)")?.all.clone()
        }
        _ => return Err("it is no oracle".to_owned()),
    };
    Ok(Box::new(ByValue::new((0..).zip(values), Fineness::Exact)))
}
