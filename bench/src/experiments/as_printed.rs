//! What do the papers' own choices give where ours differ? Each by a setting, each run once.

use anyhow::{Context, Result};

use super::chapter::Chapter;
use super::laboratory::Laboratory;
use super::number::{area, percent, spoken};
use super::outcome::Outcome;
use super::own_logs::LOGS;

/// ξ of the transit-based cut.
const THRESHOLDS: [&str; 6] = ["0.5", "0.6", "0.7", "0.8", "0.9", "0.95"];
/// Shares of the pages that are hot.
const HOT: [&str; 3] = ["0.01", "0.05", "0.1"];
const TOPICS: [&str; 3] = ["music", "war", "planet"];
const GRAPHS: [(&str, &str); 4] = [
    ("ours: δ = 0.5, no transits to itself", ""),
    ("δ = 1", "--set mining.damping=1"),
    ("transits to itself", "--set mining.self_transits=true"),
    ("as printed: both", "--set mining.damping=1 --set mining.self_transits=true"),
];
const TREES: [(&str, &str); 3] =
    [("T_SYN", "--set mining.tree=syn"), ("T_VISIT", "--set mining.tree=visit"), ("T_TRAN, ours", "")];
const ORDERS: &str = "--policy behavior --policy average-visit --policy overall-visit --policy breadth-first";

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let mut chapter = Chapter::new("The papers as printed");
    chapter.paragraph(
        "Where a paper is silent, or where its own choice did badly, ours is another. Here is what both give. What ours are, and the settings that turn them \
         back, is in [simulate.md](simulate.md).",
    );
    graphs(&mut chapter, laboratory)?;
    trees(&mut chapter, laboratory)?;
    thresholds(&mut chapter, laboratory)?;
    topics(&mut chapter, laboratory)?;
    Ok(chapter)
}

/// The encyclopedia and the log of a shop by some settings.
fn both(laboratory: &Laboratory, name: &str, options: &str) -> Result<[Outcome; 2]> {
    let (links, visits) = (laboratory.data("wikispeedia/links.tsv.gz"), laboratory.data("wikispeedia/visits.tsv.gz"));
    let start = "--start http://wikispeedia.test/index.htm";
    let wiki = laboratory.simulate(
        &format!("printed-wiki-{name}"),
        &links,
        Some(&visits),
        &format!("{start} {ORDERS} {options}"),
    )?;
    let (_, file, site) = LOGS[0];
    let log = laboratory.data(file);
    let shop = laboratory.simulate(
        &format!("printed-shop-{name}"),
        &log,
        Some(&log),
        &format!("{site} {ORDERS} {options}"),
    )?;
    Ok([wiki, shop])
}

fn cells(runs: &[Outcome; 2], policy: &str) -> Result<Vec<String>> {
    let mut cells = Vec::new();
    for of in runs {
        let policy = of.policy(policy)?;
        cells.extend([area(policy.auc), percent(policy.pages_for.four_fifths), area(policy.discovered_auc)]);
    }
    Ok(cells)
}

const HEADS: [&str; 7] = ["", "encyclopedia: area", "80 %", "found area", "shop log: area", "80 %", "found area"];

fn graphs(chapter: &mut Chapter, laboratory: &Laboratory) -> Result<()> {
    chapter.heading("The behavior graph");
    let mut rows = Vec::new();
    let mut said = Vec::new();
    for (at, (name, options)) in GRAPHS.into_iter().enumerate() {
        let runs = both(laboratory, &format!("graph-{at}"), options)?;
        let needs = |of: &Outcome| of.policy("behavior").map(|p| spoken(p.pages_for.four_fifths));
        said.push(format!("{} on the encyclopedia and {} on the log of a shop", needs(&runs[0])?, needs(&runs[1])?));
        rows.push([vec![name.to_owned()], cells(&runs, "behavior")?].concat());
        if at == 0 {
            rows.push([vec!["breadth-first beside it".to_owned()], cells(&runs, "breadth-first")?].concat());
        }
    }
    chapter.table(&HEADS, &rows);
    if let (Some(ours), Some(printed)) = (said.first(), said.last()) {
        chapter.gist = format!("For 80 % of the traffic `behavior` needs {ours} by our choices, {printed} as printed.");
    }
    Ok(())
}

fn trees(chapter: &mut Chapter, laboratory: &Laboratory) -> Result<()> {
    chapter.heading("The three trees as orders");
    let mut rows = Vec::new();
    for (at, (name, options)) in TREES.into_iter().enumerate() {
        let runs = both(laboratory, &format!("tree-{at}"), options)?;
        for policy in ["behavior", "average-visit", "overall-visit"] {
            rows.push([vec![format!("{name}, `{policy}`")], cells(&runs, policy)?].concat());
        }
    }
    chapter.table(&HEADS, &rows);
    Ok(())
}

/// Where does ξ cut on real logs?
fn thresholds(chapter: &mut Chapter, laboratory: &Laboratory) -> Result<()> {
    chapter.heading("ξ of the transit-based cut");
    chapter.paragraph("Leaves of T_TRAN by ξ, beside those of T_SYN and T_VISIT, of each log's most visited site.");
    let mut rows = Vec::new();
    for (name, file, options) in LOGS {
        let mut row = vec![name.to_owned()];
        for (at, threshold) in THRESHOLDS.into_iter().enumerate() {
            let options = format!("{options} --set mining.transit_threshold={threshold}");
            let trees = laboratory.trees(&format!("printed-{name}-{threshold}"), &laboratory.data(file), &options)?;
            let first = trees.first().with_context(|| format!("{name} has no model"))?;
            if at == 0 {
                row.extend([first.syn.to_string(), first.visit.to_string()]);
            }
            row.push(first.tran.to_string());
        }
        rows.push(row);
    }
    let heads: Vec<String> = ["log", "T_SYN", "T_VISIT"]
        .map(str::to_owned)
        .into_iter()
        .chain(THRESHOLDS.map(|x| format!("ξ = {x}")))
        .collect();
    chapter.table(&heads.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    Ok(())
}

/// The topical yes or no, several thresholds, and the crawler that decides once.
fn topics(chapter: &mut Chapter, laboratory: &Laboratory) -> Result<()> {
    chapter.heading("Topics");
    chapter.paragraph(
        "Area of hot pages visited. *topical*: the word in the title or ten times in the body, as printed; *similarity*: the most similar pages, for several shares. \
         `similarity:` looks at every link (ours), `similarity-once:` at the first (as printed).",
    );
    let orders =
        ["breadth-first", "similarity-once:breadth-first", "similarity:breadth-first", "similarity-near:breadth-first"];
    let policies: String = orders.map(|order| format!(" --policy {order}")).concat();
    let mirror = laboratory.data("wikispeedia/articles.warc.gz");
    let mut rows = Vec::new();
    for topic in TOPICS {
        let mut columns: Vec<Vec<String>> = Vec::new();
        for hot in HOT {
            let options = format!("--topic {topic} --importance topical --importance similarity --hot {hot}{policies}");
            let of = laboratory.simulate(&format!("printed-topic-{topic}-{hot}"), &mirror, None, &options)?;
            let column = |metric: &str| -> Result<Vec<String>> {
                let metric = of.metric(metric)?;
                orders.iter().map(|order| Ok(format!("{:.3}", metric.policy(order)?.threshold_auc))).collect()
            };
            if columns.is_empty() {
                columns.push(column("topical")?);
            }
            columns.push(column("similarity")?);
        }
        for (at, order) in orders.iter().enumerate() {
            let cells = columns.iter().map(|column| column[at].clone());
            rows.push(std::iter::once(format!("{topic}, `{order}`")).chain(cells).collect());
        }
    }
    chapter.table(&["topic and order", "topical", "similarity, 1 % hot", "5 % hot", "10 % hot"], &rows);
    Ok(())
}
