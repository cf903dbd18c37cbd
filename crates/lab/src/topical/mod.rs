//! Who finds the pages of a topic soonest? Crawlers beside each other, over many topics.
//!
//! A [`TopicalWorld`] is a mirror, who read what of it, and the categories of its pages. A topic is a predicate, or a set of pages; it is revealed page by page, as pages are
//! fetched. Crawlers that go by people may fetch whatever anybody read; the others only what links lead to. All start from the same pages.
//!
//! 1. [`TopicalWorld`]: mirror, trace and labels.
//! 2. [`TopicalCrawler`]: a policy by name, or an order that needs no topic to compare with.
//! 3. [`TopicalWorld::crawl`]: one crawler, one topic → the order of pages → a [`Harvest`].
//! 4. [`compare`]: means over topics with intervals, and differences in pairs.

pub mod compare;

use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;
use trodden_frontier::UrlId;
use trodden_mining::Trace;
use trodden_ordering::policy::CannotRun;
use trodden_ordering::policy::blend::Past;
use trodden_ordering::policy::build::{AnyPolicy, Knowledge, Learnt, PolicySettings, Sight};
use trodden_ordering::policy::by_value::{ByValue, Fineness};
use trodden_ordering::standing::CompiledModels;
use trodden_ordering::{Budget, Limits, PageFacts, PageLabels, PolicyName, Predicate, chance};

use crate::crawl::{Progress, crawl};
use crate::error::Error;
use crate::graph::PageId;
use crate::metric::harvest::{Harvest, SHARES};
use crate::mirror::Mirror;

/// Where topics are looked for.
#[derive(Debug)]
pub struct TopicalWorld {
    /// The pages.
    pub mirror: Mirror,
    /// Who read what, by page.
    pub trace: Arc<Trace>,
    /// Categories, by page.
    pub labels: Arc<PageLabels>,
}

/// What is looked for, and from where.
#[derive(Clone, Debug)]
pub struct TopicalTask {
    /// What is looked for.
    pub topic: Predicate,
    /// What crawlers with two queues look for in links, where the topic itself cannot be told from a link; none: the same.
    pub words: Option<Predicate>,
    /// Where crawls start.
    pub starts: Vec<PageId>,
    /// Of chance.
    pub seed: u64,
}

/// Who looks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TopicalCrawler {
    /// A policy.
    Policy(PolicyName),
    /// Any page that somebody read, by chance.
    VisitedAtRandom,
    /// The most read first.
    ByVisits,
}

impl TopicalCrawler {
    /// Whether it may fetch what people read, linked or not.
    pub fn is_of_people(&self) -> bool {
        match self {
            Self::Policy(name) => name.recipe().is_some_and(|recipe| recipe.is_of_people()),
            Self::VisitedAtRandom | Self::ByVisits => true,
        }
    }
}

impl fmt::Display for TopicalCrawler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(name) => name.fmt(f),
            Self::VisitedAtRandom => f.write_str("visited, at random"),
            Self::ByVisits => f.write_str("by visits"),
        }
    }
}

impl TopicalWorld {
    /// By page: whether it satisfies a topic.
    pub fn satisfying(&self, topic: &Predicate) -> Vec<bool> {
        let satisfies = |page: PageId| {
            let text = self.mirror.texts.as_ref().map(|texts| &texts[page as usize]);
            let categories = self.labels.names_of(UrlId(page));
            topic.holds(&PageFacts {
                url: self.mirror.urls.get(page),
                title: text.map_or("", |text| &text.title),
                body: text.map_or("", |text| &text.body),
                anchor_hits: 0,
                categories: &categories,
            })
        };
        (0..self.mirror.pages()).map(satisfies).collect()
    }

    /// A crawl: the order of pages. `settings` say how policies are set up; their topic, labels and seed are those of the task.
    ///
    /// # Errors
    /// If it was stopped, or the policy cannot run here.
    pub fn crawl(
        &self,
        crawler: &TopicalCrawler,
        task: &TopicalTask,
        settings: &PolicySettings,
        budget: Budget,
        progress: &Progress,
    ) -> Result<Vec<PageId>, Error> {
        let cannot = |why: CannotRun| Error::NothingRan { why: why.to_string(), cause: Some(why) };
        let policy = self.policy(crawler, task, settings).map_err(cannot)?;
        let mut starts = task.starts.clone();
        if crawler.is_of_people() {
            let read =
                self.trace.read_pages().filter(|page| *page < self.mirror.pages() && !task.starts.contains(page));
            let mut read: Vec<PageId> = read.collect();
            // Numbers of pages may follow their URLs, and URLs the topic: what arrives first must not tell.
            read.sort_unstable_by_key(|page| (chance::number(!task.seed, u64::from(*page)), *page));
            starts.extend(read);
        }
        let limits = Limits { budget, ..Limits::default() };
        Ok(crawl(&self.mirror, &starts, policy, limits, progress)?.order)
    }

    fn policy(
        &self,
        crawler: &TopicalCrawler,
        task: &TopicalTask,
        settings: &PolicySettings,
    ) -> Result<AnyPolicy, CannotRun> {
        let pages = (0..self.trace.pages()).map(UrlId);
        match crawler {
            TopicalCrawler::VisitedAtRandom => {
                let values = pages.map(|page| (page, chance::unit(task.seed, u64::from(page.0))));
                Ok(Box::new(ByValue::new(values, Fineness::Exact)))
            }
            TopicalCrawler::ByVisits => {
                // Pages of equal visits by chance: their numbers follow their URLs.
                let chance = |page: UrlId| chance::unit(task.seed, u64::from(page.0));
                let visits = |page: UrlId| self.trace.places_of(page.0).len() as f64;
                Ok(Box::new(ByValue::new(pages.map(|page| (page, visits(page) + chance(page))), Fineness::Exact)))
            }
            TopicalCrawler::Policy(name) => {
                let settings = PolicySettings {
                    topic: Some(
                        task.words.as_ref().filter(|_| name.wrapped().is_some()).unwrap_or(&task.topic).clone(),
                    ),
                    labels: self.labels.clone(),
                    seed: task.seed,
                    ..settings.clone()
                };
                let sight = Sight {
                    urls: self.mirror.urls.has_urls(),
                    anchors: self.mirror.anchors.is_some(),
                    texts: self.mirror.texts.is_some(),
                };
                let learnt = Learnt {
                    models: &[],
                    compiled: Arc::new(CompiledModels::new([])),
                    past: Arc::new(Past::new([], [])),
                    trace: self.trace.clone(),
                    without_model: None,
                };
                let starts = task.starts.len() as u32;
                Knowledge { starts, sight, learnt: Some(learnt), settings: &settings }.policy(name)
            }
        }
    }

    /// Every crawler on every task, by crawler and then task. A crawl ends when as many
    /// pages were fetched as are [compared](crate::metric::harvest::SHARES).
    ///
    /// # Errors
    /// If it was stopped, or a policy cannot run here.
    pub fn crawl_all(
        &self,
        crawlers: &[TopicalCrawler],
        tasks: &[TopicalTask],
        settings: &PolicySettings,
        progress: &Progress,
    ) -> Result<Vec<Vec<Harvest>>, Error> {
        let most = SHARES.iter().fold(0.0, |most: f64, share| most.max(*share)) * f64::from(self.mirror.pages());
        let budget = Budget::Pages(most.ceil() as u64);
        let of = |crawler: &TopicalCrawler, task: &TopicalTask| {
            let order = self.crawl(crawler, task, settings, budget, progress)?;
            let none = || Error::NothingRan { why: format!("no page satisfies {}", task.topic.text()), cause: None };
            self.harvest(&order, &self.satisfying(&task.topic)).ok_or_else(none)
        };
        let pairs: Vec<(&TopicalCrawler, &TopicalTask)> =
            crawlers.iter().flat_map(|crawler| tasks.iter().map(move |task| (crawler, task))).collect();
        let harvests: Vec<Harvest> =
            pairs.into_par_iter().map(|(crawler, task)| of(crawler, task)).collect::<Result<_, _>>()?;
        Ok(harvests.chunks(tasks.len().max(1)).map(<[Harvest]>::to_vec).collect())
    }

    /// How soon a crawl in this order found the pages of a topic.
    pub fn harvest(&self, order: &[PageId], satisfying: &[bool]) -> Option<Harvest> {
        Harvest::of(order, satisfying, self.mirror.pages() as usize)
    }
}
