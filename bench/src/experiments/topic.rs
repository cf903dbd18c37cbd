//! Does a topic's own order find its pages sooner? The URL-ordering paper's similarity experiments.

use anyhow::Result;

use super::chapter::Chapter;
use super::claim::Claim;
use super::laboratory::Laboratory;
use super::number::{listed, thousands};
use super::outcome::{Outcome, RANDOM_FORMULA};
use super::picture::{hot_of, picture};

const TOPICS: [&str; 3] = ["music", "war", "planet"];
const PLAIN: [&str; 3] = ["breadth-first", "backlink", "pagerank"];

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let runs = TOPICS.into_iter().map(|topic| run(laboratory, topic)).collect::<Result<Vec<_>>>()?;
    let mut chapter = Chapter::new("Pages about a topic");
    chapter.paragraph(&format!(
        "The text of an encyclopedia, {} pages with {} links. A page is hot if it is among the {} most similar to the \
         topic word (tf·idf cosine). `similarity:ORDER` takes links first whose anchor or URL has the word; \
         `similarity-near:ORDER` also those within three links of a page about it. Area of hot pages visited:",
        thousands(runs[0].pages),
        thousands(runs[0].links),
        thousands(runs[0].metric("similarity")?.hot),
    ));
    chapter.command("trodden simulate wikispeedia/articles.warc.gz --topic music --importance similarity --hot 0.02");
    let mut rows = Vec::new();
    for name in names() {
        let cells = runs.iter().map(|of| Ok(format!("{:.3}", hot_area(of, &name)?))).collect::<Result<Vec<_>>>()?;
        rows.push(std::iter::once(name).chain(cells).collect());
    }
    let mut heads = vec!["order"];
    heads.extend(TOPICS);
    chapter.table(&heads, &rows);
    let shown = [
        "similarity-near:breadth-first",
        "similarity:breadth-first",
        "backlink",
        "breadth-first",
        "pagerank",
        RANDOM_FORMULA,
    ];
    let panels = runs
        .iter()
        .zip(TOPICS)
        .take(2)
        .map(|(of, topic)| Ok(hot_of(format!("Topic: {topic}"), of.metric("similarity")?, &shown)))
        .collect::<Result<Vec<_>>>()?;
    let pages: Vec<u64> = runs.iter().map(|of| of.pages).collect();
    let says = "Hot pages visited by pages fetched, for two topics; topic first and topic and near order breadth-first";
    chapter.picture("topic", says, picture("topic", &pages, &panels));
    let (similarity, pairs) = wins(&runs, "similarity:", "")?;
    let (near, _) = wins(&runs, "similarity-near:", "similarity:")?;
    chapter.claims(&claims(similarity, near, pairs));
    chapter.gist = format!(
        "Looking at anchors and URLs for the topic beats the plain order in {similarity} of {pairs} cases; taking \
         neighbors of topical pages too helps further in {near}."
    );
    best_remark(&mut chapter, &runs)?;
    Ok(chapter)
}

fn claims(similarity: usize, near: usize, pairs: usize) -> [Claim; 2] {
    let of = |n: usize| format!("in {n} of {pairs} pairs of topic and order");
    [
        Claim::new("A topical crawl finds hot pages sooner than the same order without", of(similarity), similarity == pairs)
            .if_not(
                "An encyclopedia names its subjects in links, so the word in an anchor is a good sign; where it fails, the hot \
                 pages mention the word in their text only.",
            ),
        Claim::new("Links near hot pages help further", of(near), near == pairs).if_not(
            "Every article here is within three links of nearly every other. `near` then takes in most of the site, and \
             what it adds to the hot queue is no longer about the topic.",
        ),
    ]
}

fn best_remark(chapter: &mut Chapter, runs: &[Outcome]) -> Result<()> {
    let mut best = Vec::new();
    for (of, topic) in runs.iter().zip(TOPICS) {
        if let Some(first) = of.metric("similarity")?.by_hot().first() {
            best.push(format!("`{}` for {topic}", first.name));
        }
    }
    let best: Vec<&str> = best.iter().map(String::as_str).collect();
    chapter.paragraph(&format!(
        "Best are {}. Which order is inside matters: an order by links spends its hot queue on the pages that \
         everything links to, breadth-first stays where the topic was found.",
        listed(&best)
    ));
    Ok(())
}

fn names() -> Vec<String> {
    let topical = |prefix: &'static str| PLAIN.into_iter().map(move |order| format!("{prefix}{order}"));
    let plain = ["random"].into_iter().chain(PLAIN).map(str::to_owned);
    plain.chain(topical("similarity:")).chain(topical("similarity-near:")).collect()
}

fn hot_area(of: &Outcome, name: &str) -> Result<f64> {
    Ok(of.metric("similarity")?.policy(name)?.threshold_auc)
}

/// How often the first kind of order has the larger area, of how many.
fn wins(runs: &[Outcome], first: &str, second: &str) -> Result<(usize, usize)> {
    let (mut wins, mut pairs) = (0, 0);
    for of in runs {
        for order in PLAIN {
            let ahead = hot_area(of, &format!("{first}{order}"))? > hot_area(of, &format!("{second}{order}"))?;
            wins += usize::from(ahead);
            pairs += 1;
        }
    }
    Ok((wins, pairs))
}

fn run(laboratory: &Laboratory, topic: &str) -> Result<Outcome> {
    let policies: String = names().iter().map(|name| format!("--policy {name} ")).collect();
    let options = format!(
        "--start http://wikispeedia.test/index.htm --topic {topic} --importance similarity --hot 0.02 {policies}"
    );
    let mirror = laboratory.data("wikispeedia/articles.warc.gz");
    laboratory.simulate(&format!("topic-{topic}"), &mirror, None, &options)
}
