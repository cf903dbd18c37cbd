//! In which order? The policy that was asked for, with what is known.

use anyhow::{Context, Result, bail};
use trodden_fetch::crawl::SectionBudget;
use trodden_ordering::policy::build::{AnyPolicy, Knowledge, Learnt, PolicySettings, Sight};
use trodden_ordering::policy::pagerank::Rerank;
use trodden_ordering::standing::Standings;
use trodden_ordering::{PolicyName, Predicate};

use super::request::Request;

/// Pages after which `pagerank` calculates anew.
const RERANK_EVERY: u32 = 1_000;
/// What a crawler sees of pages.
const SIGHT: Sight = Sight { urls: true, anchors: true, texts: true };

/// An order, before anything is known.
pub(super) struct Order {
    name: PolicyName,
    settings: PolicySettings,
    starts: u32,
    pages_per_pattern: Option<u64>,
    pages_per_prefix: Option<u64>,
}

impl Order {
    /// As it was asked for.
    pub(super) fn of(request: &Request) -> Result<Self> {
        let topic = request.topic.as_deref();
        let topic = topic.map(|topic| Predicate::parse(topic).context("--topic")).transpose()?;
        if topic.as_ref().is_some_and(Predicate::reads_categories) {
            bail!(
                "--topic: a crawl knows no categories; use category: with simulate --labels, here words, URLs or lang:"
            );
        }
        Ok(Self {
            name: request.policy()?,
            settings: PolicySettings {
                seed: request.seed,
                topic,
                ..PolicySettings::new(request.goal.into(), Rerank::Every(RERANK_EVERY))
            },
            starts: request.seeds.len().max(1) as u32,
            pages_per_pattern: request.crawl.budget.pages_per_pattern,
            pages_per_prefix: request.crawl.budget.pages_per_prefix,
        })
    }

    /// Whether it asks who read what.
    pub(super) fn is_of_people(&self) -> bool {
        self.name.recipe().is_some_and(|recipe| recipe.is_of_people())
    }

    /// Who decides, if this is known.
    pub(super) fn policy(&self, learnt: Option<Learnt<'_>>) -> Result<AnyPolicy> {
        let Self { name, settings, starts, .. } = self;
        let knowledge = Knowledge { starts: *starts, sight: SIGHT, learnt, settings };
        knowledge.policy(name).with_context(|| format!("--policy {name} cannot run"))
    }

    /// Who decides from now on, if other models have a say in it.
    pub(super) fn other_policy(&self, learnt: Option<Learnt<'_>>) -> Result<Option<AnyPolicy>> {
        self.name.is_informed().then(|| self.policy(learnt)).transpose()
    }

    /// The budget of patterns and path prefixes, if they have one.
    pub(super) fn sections(&self, learnt: Option<&Learnt<'_>>) -> Option<SectionBudget> {
        self.pages_per_pattern.or(self.pages_per_prefix)?;
        let compiled = learnt.map_or_else(Default::default, |learnt| learnt.compiled.clone());
        Some(SectionBudget::new(Standings::new(compiled), self.pages_per_pattern, self.pages_per_prefix))
    }
}
