//! Topics in two halves, and what came of all crawls.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use trodden_frontier::UrlId;
use trodden_lab::graph::PageId;
use trodden_lab::metric::harvest::Harvest;
use trodden_lab::topical::compare::TopicMean;
use trodden_lab::topical::{TopicalCrawler, TopicalTask, TopicalWorld};
use trodden_ordering::{Predicate, chance};

use super::super::chapter::Chapter;

/// Of chance: starts, and resamples.
const SEED: u64 = 2_002;

/// A topic, and the crawls that look for it.
pub(super) struct Topic {
    name: String,
    pages: u32,
    pub(super) tasks: Vec<TopicalTask>,
}

/// Which topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// Looked at while the order was built.
    Seen,
    /// Not looked at before.
    Unseen,
}

impl Half {
    pub(super) const ALL: [Self; 2] = [Self::Unseen, Self::Seen];

    fn says(self) -> &'static str {
        match self {
            Self::Seen => "topics that were looked at while the order was built",
            Self::Unseen => "topics that were not looked at before",
        }
    }
}

impl Topic {
    /// A category by name, with crawls from these starts.
    pub(super) fn of(name: &str, pages: u32, starts: impl IntoIterator<Item = Vec<PageId>>) -> Result<Self> {
        let topic = Predicate::parse(&format!("category:\"{name}\"")).context("the name of a topic")?;
        // The last part of the name: subject.Geography.African_Countries → african countries.
        let last = name.rsplit('.').next().unwrap_or(name);
        let words =
            Predicate::parse(&last.replace('_', " ").to_lowercase().replace(" and ", " ").replace(" of ", " ")).ok();
        let task = |(seed, starts)| TopicalTask { topic: topic.clone(), words: words.clone(), starts, seed };
        Ok(Self { name: name.to_owned(), pages, tasks: (1..).zip(starts).map(task).collect() })
    }

    pub(super) fn half(&self) -> Half {
        // FNV-1a of the name.
        let hash = self
            .name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        if chance::number(SEED, hash).is_multiple_of(2) { Half::Seen } else { Half::Unseen }
    }
}

/// Categories of so many pages as topics, each crawled from some of its pages that were read and link on, drawn by chance.
pub(super) fn with_starts(
    world: &TopicalWorld,
    categories: &BTreeMap<String, u32>,
    least: u32,
    starts: u64,
) -> Result<Vec<Topic>> {
    let mut topics = Vec::new();
    for (name, pages) in categories.iter().filter(|(_, pages)| **pages >= least) {
        let is_in = |page: &PageId| world.labels.names_of(UrlId(*page)).contains(&name.as_str());
        let mut drawn: Vec<(u64, PageId)> = (0..world.mirror.pages())
            .filter(|page| is_in(page) && !world.mirror.graph.targets(*page).is_empty())
            .map(|page| (chance::number(SEED, u64::from(page)), page))
            .collect();
        drawn.sort_unstable();
        topics.push(Topic::of(name, *pages, drawn.into_iter().take(starts as usize).map(|(_, page)| vec![page]))?);
    }
    Ok(topics)
}

/// All crawls of a world.
pub(super) struct Runs {
    crawlers: Vec<TopicalCrawler>,
    topics: Vec<Topic>,
    /// By crawler, then topic: found after 5, 10 and 20 %, and the lift at 10 %, as means over its crawls.
    found: Vec<Vec<[f64; 4]>>,
}

impl Runs {
    pub(super) fn new(crawlers: Vec<TopicalCrawler>, topics: Vec<Topic>, harvests: Vec<Vec<Harvest>>) -> Self {
        let of_crawler = |harvests: Vec<Harvest>| {
            let mut harvests = harvests.into_iter();
            let mean = |topic: &Topic| {
                let mut sum = [0.0; 4];
                for harvest in harvests.by_ref().take(topic.tasks.len()) {
                    let [five, ten, twenty] = harvest.found;
                    let all = [five, ten, twenty, harvest.lift[1]];
                    sum.iter_mut().zip(all).for_each(|(sum, one)| *sum += one / topic.tasks.len() as f64);
                }
                sum
            };
            topics.iter().map(mean).collect()
        };
        let found = harvests.into_iter().map(of_crawler).collect();
        Self { crawlers, topics, found }
    }

    /// What a crawler came to on the topics of a half.
    fn of(&self, crawler: usize, half: Half, measure: usize) -> Vec<f64> {
        let topics = self.topics.iter().zip(&self.found[crawler]).filter(|(topic, _)| topic.half() == half);
        topics.map(|(_, found)| found[measure]).collect()
    }

    fn place(&self, name: &str) -> Result<usize> {
        self.crawlers
            .iter()
            .position(|crawler| crawler.to_string() == name)
            .with_context(|| format!("{name} was not run"))
    }

    pub(super) fn table(&self, chapter: &mut Chapter, half: Half) {
        let topics: Vec<&Topic> = self.topics.iter().filter(|topic| topic.half() == half).collect();
        let mut sizes: Vec<u32> = topics.iter().map(|topic| topic.pages).collect();
        sizes.sort_unstable();
        chapter.paragraph(&format!(
            "The {} {}, of {} to {} pages, {} in the middle:",
            topics.len(),
            half.says(),
            sizes.first().unwrap_or(&0),
            sizes.last().unwrap_or(&0),
            sizes.get(sizes.len() / 2).unwrap_or(&0)
        ));
        let cell = |mean: Option<TopicMean>| {
            mean.map_or_else(String::new, |TopicMean { mean, interval: [low, high] }| {
                format!("{mean:.3} ({low:.3}–{high:.3})")
            })
        };
        let mut rows: Vec<(f64, Vec<String>)> = Vec::new();
        for (at, crawler) in self.crawlers.iter().enumerate() {
            let mean = |measure| TopicMean::of(&self.of(at, half, measure), SEED);
            let mut row = vec![format!("{crawler}")];
            row.extend((0..3).map(|measure| cell(mean(measure))));
            row.push(mean(3).map_or_else(String::new, |lift| format!("{:.2}", lift.mean)));
            rows.push((mean(1).map_or(0.0, |mean| mean.mean), row));
        }
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let rows: Vec<Vec<String>> = rows.into_iter().map(|(_, row)| row).collect();
        chapter.table(&["crawler", "5 %", "10 %", "20 %", "lift at 10 %"], &rows);
    }

    /// How far one crawler is ahead of others, topic by topic.
    pub(super) fn differences(&self, chapter: &mut Chapter, first: &str, others: &[&str]) -> Result<()> {
        let at = self.place(first)?;
        let mut rows = Vec::new();
        for other in others {
            let other_at = self.place(other)?;
            let mut row = vec![(*other).to_owned()];
            for half in Half::ALL {
                let ahead = TopicMean::ahead(&self.of(at, half, 1), &self.of(other_at, half, 1), SEED);
                row.push(ahead.map_or_else(String::new, |ahead| {
                    let word = if ahead.is_above() {
                        "ahead"
                    } else if ahead.is_below() {
                        "**behind**"
                    } else {
                        "level"
                    };
                    let [low, high] = ahead.interval;
                    format!("{:+.3} ({low:+.3} to {high:+.3}), {word}", ahead.mean)
                }));
            }
            rows.push(row);
        }
        chapter.paragraph(&format!("How far `{first}` is ahead after 10 % of the pages, in pairs:"));
        chapter.table(&["of", "topics not looked at", "topics looked at"], &rows);
        Ok(())
    }

    /// One sentence: what the best found, and another.
    pub(super) fn gist(&self, place: &str, best: &str, other: &str) -> Result<String> {
        let mean = |name: &str| -> Result<f64> {
            TopicMean::of(&self.of(self.place(name)?, Half::Unseen, 1), SEED).map(|mean| mean.mean).context("no topics")
        };
        let chance = TopicalCrawler::VisitedAtRandom.to_string();
        Ok(format!(
            "{place}, after a tenth of the pages `{best}` found {:.0} % of a topic, `{other}` {:.0} %, what anybody read in random order {:.0} %.",
            mean(best)? * 100.0,
            mean(other)? * 100.0,
            mean(&chance)? * 100.0
        ))
    }
}
