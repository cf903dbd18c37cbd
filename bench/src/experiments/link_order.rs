//! Which order by links finds important pages first? The URL-ordering paper's experiments on two graphs.

use anyhow::Result;

use super::chapter::Chapter;
use super::claim::Claim;
use super::laboratory::Laboratory;
use super::number::{area, listed, spoken, thousands};
use super::outcome::{IDEAL_FORMULA, Metric, Models, Outcome, RANDOM_FORMULA, height_at};
use super::picture::{hot, picture};

/// The orders that the paper compares.
pub(super) const PAPER: [&str; 4] = ["breadth-first", "backlink", "pagerank", "random"];

/// All that run here, as they stand in tables.
const ORDERS: [&str; 10] = [
    IDEAL_FORMULA,
    RANDOM_FORMULA,
    "breadth-first",
    "backlink",
    "pagerank",
    "random",
    "location",
    "opic",
    "rankmass",
    "pagerank-whole",
];

const METRICS: [&str; 4] = ["backlinks", "pagerank", "forward-links", "location"];

/// Options that run them.
pub(super) fn policies() -> String {
    let runs = ORDERS.into_iter().filter(|name| !name.ends_with("(formula)"));
    runs.map(|name| format!("--policy {name} ")).collect()
}

/// The page of cnr-2000 with the most links; every other page can be reached from it.
const CNR_START: &str = "217849";

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let importance: String = METRICS.into_iter().map(|metric| format!("--importance {metric} ")).collect();
    let stanford = laboratory.simulate(
        "stanford",
        &laboratory.data("graphs/stanford-cs-2001.edges.tsv.gz"),
        None,
        &format!("--start http://cs.stanford.edu/ {importance} {}", policies()),
    )?;
    let cnr = laboratory.simulate(
        "cnr-2000",
        &laboratory.data("graphs/cnr-2000.edges.tsv.gz"),
        None,
        &format!(
            "--start {CNR_START} --importance backlinks --importance pagerank {}",
            policies().replace("--policy location", "")
        ),
    )?;
    let mut chapter = Chapter::new("Important pages first: the URL-ordering paper");
    about_stanford(&mut chapter, &stanford)?;
    about_cnr(&mut chapter, &cnr)?;
    let best = |of: &Outcome| -> Result<String> {
        let first = of.metric("backlinks")?.by_hot();
        Ok(first.first().map(|p| p.name.clone()).unwrap_or_default())
    };
    chapter.gist = format!(
        "Judged by backlinks, `{}` gets to the important pages soonest on the Stanford graph, `{}` on cnr-2000; of the \
         paper's own four orders it is `{}` and `{}`.",
        best(&stanford)?,
        best(&cnr)?,
        best_of_paper(stanford.metric("backlinks")?)?.name,
        best_of_paper(cnr.metric("backlinks")?)?.name,
    );
    Ok(chapter)
}

fn about_stanford(chapter: &mut Chapter, of: &Outcome) -> Result<()> {
    chapter.paragraph(&format!(
        "A graph of Stanford's computer science hosts, crawled in 2001: 9,914 pages, of which {} can be reached from \
         `http://cs.stanford.edu/`, with {} links between them.",
        thousands(of.pages),
        thousands(of.links)
    ));
    chapter.command(&format!(
        "trodden simulate graphs/stanford-cs-2001.edges.tsv.gz --start http://cs.stanford.edu/ {}",
        METRICS.map(|metric| format!("--importance {metric}")).join(" ")
    ));
    let hottest: Vec<String> = of
        .importance
        .iter()
        .map(|m| format!("{}: {} pages (at least {})", m.metric, thousands(m.hot), threshold(m.threshold)))
        .collect();
    chapter.heading("Crawl and stop with a threshold");
    chapter.paragraph(&format!(
        "Area under the share of hot pages visited. Hot is the most important tenth, ties included; {}. Importance counts links \
         from the whole graph, also from pages that cannot be reached. A perfect order that ignores links has the first row, one that picks any page the second.",
        hottest.join("; ")
    ));
    tables(chapter, of, &METRICS, |m| Some(m.threshold_auc));
    let panels = [
        hot("By backlinks".to_owned(), of.metric("backlinks")?),
        hot("By PageRank".to_owned(), of.metric("pagerank")?),
    ];
    let says = "Hot pages visited by pages fetched, on the Stanford graph, by backlinks and by PageRank";
    chapter.picture("stanford", says, picture("stanford", &[of.pages; 2], &panels));
    chapter.heading("Crawl and stop");
    chapter
        .paragraph("Area under the share of the K pages visited that are at least as important as the K-th best page.");
    tables(chapter, of, &METRICS, |m| Some(m.stop_area()));
    chapter.heading("Limited buffer");
    chapter.paragraph(
        "The hot share of what is kept in the end by a crawl with room for a tenth of the pages, which gives up what its \
         own order thinks least of.",
    );
    tables(chapter, of, &METRICS, Models::kept);
    buffer_remark(chapter, of.metric("backlinks")?)?;
    chapter.heading("Does it agree?");
    chapter.claims(&claims(of)?);
    Ok(())
}

fn about_cnr(chapter: &mut Chapter, of: &Outcome) -> Result<()> {
    chapter.heading("A larger graph: cnr-2000");
    chapter.paragraph(&format!(
        "{} pages of Italian research hosts and {} links, without URLs (so no order by location), started at page \
         {CNR_START}, which has the most links. Area of hot pages visited, and the hot share of what a limited buffer \
         keeps:",
        thousands(of.pages),
        thousands(of.links)
    ));
    let names = ORDERS.into_iter().filter(|name| of.importance[0].policy(name).is_ok());
    let cell = |metric: &str, name: &str, value: fn(&Models) -> Option<f64>| -> Result<String> {
        Ok(area(value(of.metric(metric)?.policy(name)?)))
    };
    let rows = names
        .map(|name| {
            Ok(vec![
                name.to_owned(),
                cell("backlinks", name, |m| Some(m.threshold_auc))?,
                cell("backlinks", name, Models::kept)?,
                cell("pagerank", name, |m| Some(m.threshold_auc))?,
                cell("pagerank", name, Models::kept)?,
            ])
        })
        .collect::<Result<Vec<_>>>()?;
    chapter.table(&["order", "backlinks: hot", "kept", "PageRank: hot", "kept"], &rows);
    let panels = [
        hot("By backlinks".to_owned(), of.metric("backlinks")?),
        hot("By PageRank".to_owned(), of.metric("pagerank")?),
    ];
    let says = "Hot pages visited by pages fetched, on cnr-2000, by backlinks and by PageRank";
    chapter.picture("cnr-2000", says, picture("cnr", &[of.pages; 2], &panels));
    chapter.claims(&claims(of)?);
    Ok(())
}

fn threshold(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
}

fn tables(chapter: &mut Chapter, of: &Outcome, metrics: &[&str], value: fn(&Models) -> Option<f64>) {
    let mut heads = vec!["order"];
    heads.extend(metrics);
    let rows: Vec<Vec<String>> = ORDERS
        .into_iter()
        .map(|name| {
            let cell = |metric: &&str| area(of.metric(metric).and_then(|m| m.policy(name)).ok().and_then(value));
            std::iter::once(name.to_owned()).chain(metrics.iter().map(cell)).collect()
        })
        .collect();
    chapter.table(&heads, &rows);
}

fn buffer_remark(chapter: &mut Chapter, by: &Metric) -> Result<()> {
    let kept = |name: &str| by.policy(name).map(Models::kept);
    let (backlink, pagerank) = (kept("backlink")?, kept("pagerank")?);
    if backlink > pagerank {
        chapter.paragraph(&format!(
            "`backlink` keeps {} of its buffer hot by backlinks, `pagerank` {}: what a page is kept for is then the very \
             thing that it is judged by, and late in the crawl the count is nearly the true one.",
            spoken(backlink),
            spoken(pagerank)
        ));
    }
    Ok(())
}

pub(super) fn best_of_paper(by: &Metric) -> Result<&Models> {
    let runs = PAPER.into_iter().map(|name| by.policy(name)).collect::<Result<Vec<_>>>()?;
    let first = by.policy(PAPER[0])?;
    Ok(runs.into_iter().fold(first, |best, next| if next.threshold_auc > best.threshold_auc { next } else { best }))
}

/// The orders of the paper that are below the formula for random, without `random` itself.
pub(super) fn below_chance(by: &Metric) -> Result<Vec<&'static str>> {
    let chance = by.policy(RANDOM_FORMULA)?.threshold_auc;
    let orders = PAPER.into_iter().filter(|name| *name != "random");
    Ok(orders.filter(|name| by.policy(name).is_ok_and(|p| p.threshold_auc < chance)).collect())
}

fn areas(by: &Metric) -> String {
    let text = |name: &&str| by.policy(name).map(|p| format!("{name} {:.3}", p.threshold_auc)).unwrap_or_default();
    PAPER.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn claims(of: &Outcome) -> Result<Vec<Claim>> {
    let (backlinks, pagerank) = (of.metric("backlinks")?, of.metric("pagerank")?);
    let below = below_chance(backlinks)?;
    let early = |name: &str| backlinks.policy(name).map(|p| height_at(&p.threshold, 0.1));
    let (backlink, breadth) = (early("backlink")?, early("breadth-first")?);
    Ok(vec![
        Claim::new(
            "By backlinks, PageRank order is the best",
            areas(backlinks),
            best_of_paper(backlinks)?.name == "pagerank",
        ),
        Claim::new("By PageRank, PageRank order is the best", areas(pagerank), best_of_paper(pagerank)?.name == "pagerank"),
        Claim::new(
            "Orders do better than a random page",
            if below.is_empty() { "all above chance".to_owned() } else { format!("{} below chance", listed(&below)) },
            below.is_empty(),
        )
        .if_not(format!(
            "The formula for random picks any page of the graph, linked or not; a crawler has only what it has found. Here \
             half of the pages with many backlinks are one mailing list's archive, whose messages all link to the same \
             indexes and to one another: a cluster seven links from the start, with six links into it. \
             Breadth-first has {} of the hot pages after nine tenths of the crawl and finds the rest in the last tenth. No order \
             by links so far can know what is behind an unread page; the oracle `pagerank-whole` does (area {}).",
            spoken(Some(height_at(&backlinks.policy("breadth-first")?.threshold, 0.9))),
            area(Some(backlinks.policy("pagerank-whole")?.threshold_auc)),
        )),
        Claim::new(
            "Backlink order is drawn into clusters, like a depth-first crawl, and starts behind breadth-first",
            format!(
                "hot pages after a tenth of the crawl: backlink {}, breadth-first {}",
                spoken(Some(backlink)),
                spoken(Some(breadth))
            ),
            backlink < breadth,
        )
        .if_not(
            "The count of backlinks does feed on itself, but from this start the cluster that it falls into is not poorer in \
             hot pages than what breadth-first sees first.",
        ),
    ])
}
