//! From the name of a policy to the policy, with all that it may know; or why it cannot run.

use std::sync::Arc;

use trodden_mining::{Goal, SiteModel, Trace};

use super::backlink::Backlink;
use super::blend::{Blend, Past, Steps, Uses};
use super::breadth_first::BreadthFirst;
use super::by_value::{ByValue, Fineness};
use super::cannot_run::CannotRun;
use super::collaborative::{Collaborative, CollaborativeSettings, Evidence, Recipe, Reference};
use super::location::ByLocation;
use super::opic::Opic;
use super::pagerank::{PageRankSoFar, Rerank};
use super::pattern::ByPattern;
use super::random::Random;
use super::rankmass::RankMass;
use super::similarity::{Reach, Similarity};
use super::{Ingredient, OrderingPolicy, PolicyName};
use crate::classes::ClassModel;
use crate::labels::PageLabels;
use crate::predicate::Predicate;
use crate::standing::{CompiledModels, Standings};

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
    /// What is looked for.
    pub topic: Option<Predicate>,
    /// Categories of pages, for topics and as evidence.
    pub labels: Arc<PageLabels>,
    /// What tells classes of text apart, if anything was learnt.
    pub classes: Option<Arc<ClassModel>>,
    /// Numbers of the collaborative learner.
    pub collaborative: CollaborativeSettings,
}

impl PolicySettings {
    /// As an operator has them who says nothing; PageRank is brought up to date every so often.
    pub fn new(goal: Goal, rerank: Rerank) -> Self {
        Self {
            goal,
            seed: 1,
            rerank,
            fineness: Fineness::Levels,
            topic: None,
            labels: Arc::default(),
            classes: None,
            collaborative: CollaborativeSettings::default(),
        }
    }
}

/// What can be seen of the world that is crawled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The text of URLs.
    pub urls: bool,
    /// The text of links.
    pub anchors: bool,
    /// The text of pages.
    pub texts: bool,
}

/// What logs say.
#[derive(Debug)]
pub struct Learnt<'a> {
    /// By site.
    pub models: &'a [SiteModel],
    /// The same, compiled.
    pub compiled: Arc<CompiledModels>,
    /// Of single URLs.
    pub past: Arc<Past>,
    /// Who reads what, for policies that ask for it; else empty.
    pub trace: Arc<Trace>,
    /// Why the site has no model, if it has none.
    pub without_model: Option<String>,
}

/// What a crawler may know before it starts.
#[derive(Debug)]
pub struct Knowledge<'a> {
    /// URLs it starts from.
    pub starts: u32,
    /// What it will see.
    pub sight: Sight,
    /// What logs say; none without any.
    pub learnt: Option<Learnt<'a>>,
    /// How policies are set up.
    pub settings: &'a PolicySettings,
}

/// A policy of any kind.
pub type AnyPolicy = Box<dyn OrderingPolicy>;

impl Knowledge<'_> {
    /// The same with a trace of who reads what, if there is a log.
    #[must_use]
    pub fn with_trace(mut self, trace: Arc<Trace>) -> Self {
        if let Some(learnt) = &mut self.learnt {
            learnt.trace = trace;
        }
        self
    }

    /// A policy that a crawler could run.
    ///
    /// # Errors
    /// Why it cannot run here.
    pub fn policy(&self, name: &PolicyName) -> Result<AnyPolicy, CannotRun> {
        Ok(match name {
            PolicyName::BreadthFirst => Box::new(BreadthFirst::default()),
            PolicyName::Random => Box::new(Random::new(self.settings.seed)),
            PolicyName::Backlink => Box::new(Backlink::default()),
            PolicyName::PageRank => Box::new(PageRankSoFar::new(self.settings.rerank)),
            PolicyName::Opic => Box::new(Opic::new(self.starts)),
            PolicyName::RankMass => Box::new(RankMass::new(self.starts)),
            PolicyName::Location if self.sight.urls => Box::new(ByLocation::default()),
            PolicyName::Location => return Err(CannotRun::NoUrls),
            PolicyName::Similarity(inner) => self.two_queues(Reach::Words, inner)?,
            PolicyName::SimilarityOnce(inner) => self.two_queues(Reach::FirstLink, inner)?,
            PolicyName::SimilarityNear(inner) => self.two_queues(Reach::Near, inner)?,
            PolicyName::Collaborative(recipe) => self.collaborative(*recipe)?,
            PolicyName::UrlVisit => Box::new(ByValue::new(self.learnt()?.past.totals(), self.settings.fineness)),
            PolicyName::Expected => self.blend_of(Uses::EXPECTED, Some(self.learnt()?)),
            PolicyName::Blend => self.blend_of(Uses::BLEND, self.learnt.as_ref()),
            PolicyName::BlendWithout(Ingredient::Log) => self.blend_of(Uses::BLEND, None),
            PolicyName::BlendWithout(ingredient) => self.blend_of(Uses::without(*ingredient), self.learnt.as_ref()),
            PolicyName::Volume
            | PolicyName::OverallVisit
            | PolicyName::AverageVisit
            | PolicyName::OverallReferral
            | PolicyName::AverageReferral
            | PolicyName::Behavior => self.pattern(name)?,
            PolicyName::PageRankWhole | PolicyName::Ideal | PolicyName::IdealUnlinked => {
                return Err(CannotRun::Oracle);
            }
        })
    }

    fn two_queues(&self, reach: Reach, inner: &PolicyName) -> Result<AnyPolicy, CannotRun> {
        let topic = self.settings.topic.as_ref().ok_or(CannotRun::NoTopic)?;
        if reach == Reach::Near && topic.reads_text() && !self.sight.texts {
            return Err(CannotRun::NoPageTexts);
        }
        if !self.sight.anchors && !self.sight.urls {
            return Err(CannotRun::NothingToRead);
        }
        Ok(Box::new(Similarity::new(topic.clone(), self.settings.labels.clone(), reach, self.policy(inner)?)))
    }

    /// By who reads what; without a log, by links.
    fn collaborative(&self, recipe: Recipe) -> Result<AnyPolicy, CannotRun> {
        let PolicySettings { topic, labels, classes, collaborative, fineness, seed, .. } = self.settings;
        let topic = topic.clone().ok_or(CannotRun::NoTopic)?;
        if topic.reads_text() && !self.sight.texts {
            return Err(CannotRun::NoPageTexts);
        }
        let trace = match &self.learnt {
            Some(learnt) => learnt.trace.clone(),
            None if recipe.has(Evidence::Links) => Arc::default(),
            None => return Err(CannotRun::NoLog),
        };
        let reference = Reference { topic, trace, labels: labels.clone(), classes: classes.clone() };
        Ok(Box::new(Collaborative::new(reference, recipe, *collaborative, *fineness, *seed)))
    }

    /// By expected visits; without a log, by what the crawl finds.
    fn blend_of(&self, uses: Uses, learnt: Option<&Learnt<'_>>) -> AnyPolicy {
        let (compiled, models, past) = match learnt {
            Some(learnt) => (learnt.compiled.clone(), learnt.models, learnt.past.clone()),
            None => (Arc::new(CompiledModels::new([])), [].as_slice(), Arc::new(Past::new([], []))),
        };
        let outlooks = compiled.outlooks(models);
        let steps = if self.settings.fineness == Fineness::Exact { Steps::FINEST } else { Steps::DEFAULT };
        Box::new(Blend::new(uses, self.settings.goal, steps, Standings::new(compiled), outlooks, past))
    }

    fn pattern(&self, name: &PolicyName) -> Result<AnyPolicy, CannotRun> {
        let learnt = self.learnt()?;
        let strategy = name.strategy().ok_or(CannotRun::NoRanking)?;
        if learnt.models.is_empty() {
            return Err(CannotRun::NoModel(learnt.without_model.clone()));
        }
        let scores = learnt.compiled.scores(learnt.models, self.settings.goal, strategy);
        Ok(Box::new(ByPattern::new(Standings::new(learnt.compiled.clone()), scores)))
    }

    fn learnt(&self) -> Result<&Learnt<'_>, CannotRun> {
        self.learnt.as_ref().ok_or(CannotRun::NoLog)
    }
}
