//! Who finds the pages of a topic soonest? Collaborative crawling on a proxy's trace and on an encyclopedia.

mod proxy_world;
mod topics;
mod wiki_world;

use anyhow::{Context, Result};
use trodden_lab::crawl::Progress;
use trodden_lab::topical::{TopicalCrawler, TopicalWorld};
use trodden_mining::Goal;
use trodden_ordering::policy::build::PolicySettings;
use trodden_ordering::policy::collaborative::{CollaborativeSettings, FeatureSource, SampleSize};
use trodden_ordering::policy::pagerank::Rerank;

use self::topics::{Half, Runs, Topic};
use super::chapter::Chapter;
use super::laboratory::Laboratory;
use super::number::thousands;

/// A journal is a topic from so many pages and readers on.
const LEAST_PAGES: u32 = 30;
const LEAST_READERS: usize = 5;
/// A category is a topic from so many pages on.
const LEAST_ARTICLES: u32 = 40;
/// Pages of a topic that crawls of the encyclopedia start from, one a crawl.
const STARTS: u64 = 3;

/// By people, on the proxy's trace.
const OF_PEOPLE: [&str; 5] = [
    "collaborative:users",
    "collaborative:signatures",
    "collaborative:locality",
    "collaborative:users+signatures+locality+product",
    "collaborative:users+signatures+locality",
];
/// Without people, on the encyclopedia.
const OF_LINKS: [&str; 4] =
    ["breadth-first", "similarity:breadth-first", "similarity-near:breadth-first", "collaborative:links"];
/// With people, on the encyclopedia.
const OF_BOTH: [&str; 8] = [
    "collaborative:users",
    "collaborative:signatures",
    "collaborative:locality",
    "collaborative:product",
    "collaborative:signatures+locality+links",
    "collaborative:users+locality+links",
    "collaborative:users+signatures+links",
    "collaborative",
];

fn settings(features: FeatureSource, sample: SampleSize) -> PolicySettings {
    let collaborative = CollaborativeSettings { features, sample, ..CollaborativeSettings::default() };
    PolicySettings { collaborative, ..PolicySettings::new(Goal::Fetch, Rerank::Every(100)) }
}

fn crawlers(names: &[&str]) -> Result<Vec<TopicalCrawler>> {
    let policies = names.iter().map(|name| Ok(TopicalCrawler::Policy(name.parse()?)));
    let policies = policies.collect::<Result<Vec<_>>>().context("the name of a policy")?;
    Ok([TopicalCrawler::VisitedAtRandom, TopicalCrawler::ByVisits].into_iter().chain(policies).collect())
}

fn run(
    world: &TopicalWorld,
    names: &[&str],
    mut topics: Vec<Topic>,
    settings: &PolicySettings,
    laboratory: &Laboratory,
) -> Result<Runs> {
    if let Some(most) = laboratory.most_draws() {
        // Whoever tries something looks at the topics that may be looked at.
        topics.retain(|topic| topic.half() == Half::Seen);
        topics.truncate(most as usize);
    }
    let crawlers = crawlers(names)?;
    let tasks: Vec<_> = topics.iter().flat_map(|topic| topic.tasks.clone()).collect();
    let harvests = world.crawl_all(&crawlers, &tasks, settings, &Progress::default())?;
    Ok(Runs::new(crawlers, topics, harvests))
}

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let mut chapter = Chapter::new("Pages of a topic, by who reads what");
    chapter.paragraph(
        "Collaborative crawling (KDD 2002): what is looked for is known of a page only when it is fetched; who read such pages read more of them. A table \
         says what share of a topic's pages was found after 5, 10 and 20 % of all pages, as means over topics with 95 % intervals (topics drawn anew), and the lift at 10 %: how many times \
         as many as chance finds. Half of the topics, drawn by a hash of their names, were looked at while the order was built; the other half was not.",
    );
    let proxy = proxy(laboratory, &mut chapter)?;
    let wiki = wiki(laboratory, &mut chapter)?;
    chapter.gist = format!("{proxy} {wiki}");
    Ok(chapter)
}

fn proxy(laboratory: &Laboratory, chapter: &mut Chapter) -> Result<String> {
    let (world, journals) = proxy_world::load(laboratory, LEAST_PAGES, LEAST_READERS)?;
    let topics: Vec<Topic> =
        journals.iter().map(|journal| Topic::of(&journal.name, journal.pages, [Vec::new()])).collect::<Result<_>>()?;
    chapter.heading("A proxy's trace, the paper's own setting");
    chapter.paragraph(&format!(
        "Three platforms of journals, {} pages, {} users, no text and no links. Topics are the {} journals with at least {LEAST_PAGES} labelled pages and \
         {LEAST_READERS} readers. Evidence is who reads what; the features of signatures are the journals of fetched pages.",
        thousands(u64::from(world.mirror.pages())),
        thousands(u64::from(world.trace.users())),
        topics.len()
    ));
    let runs = run(&world, &OF_PEOPLE, topics, &settings(FeatureSource::Best, SampleSize::default()), laboratory)?;
    for half in Half::ALL {
        runs.table(chapter, half);
    }
    runs.differences(chapter, OF_PEOPLE[4], &[OF_PEOPLE[0], OF_PEOPLE[3]])?;
    runs.gist("On the proxy's trace", OF_PEOPLE[4], OF_PEOPLE[0])
}

fn wiki(laboratory: &Laboratory, chapter: &mut Chapter) -> Result<String> {
    let (world, categories) = wiki_world::load(laboratory)?;
    let topics = topics::with_starts(&world, &categories, LEAST_ARTICLES, STARTS)?;
    chapter.heading("An encyclopedia with text and links");
    chapter.paragraph(&format!(
        "{} articles (no index and no image pages), {} links, {} players. This is a game's trace: people look for a given article by clicking, so they read across topics more than \
         readers of their own choice would, and a loss here is a loss on hasty clicks. Topics are the {} categories of at least {LEAST_ARTICLES} articles. All crawls start at one \
         article of the topic, drawn by chance, {STARTS} crawls a topic; those by people may fetch whatever anybody read. The truth of a page (its category) is revealed when it is fetched; features are \
         its words. The crawlers with two queues look for the words of the category's name in links.",
        thousands(u64::from(world.mirror.pages())),
        thousands(world.mirror.graph.links()),
        thousands(u64::from(world.trace.users())),
        topics.len()
    ));
    let names: Vec<&str> = OF_LINKS.into_iter().chain(OF_BOTH).collect();
    let runs = run(&world, &names, topics, &settings(FeatureSource::Words, SampleSize::default()), laboratory)?;
    for half in Half::ALL {
        runs.table(chapter, half);
    }
    let best = OF_BOTH[7];
    runs.differences(chapter, best, &names[..names.len() - 1])?;
    runs.gist("On the encyclopedia", best, "collaborative:links")
}
