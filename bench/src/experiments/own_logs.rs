//! And on sites of which there is nothing but a log? Three real logs, each its own mirror.

use anyhow::Result;

use super::browsing::{ahead, name};
use super::chapter::Chapter;
use super::claim::Claim;
use super::laboratory::Laboratory;
use super::number::{area, listed, percent, spoken, thousands};
use super::outcome::Outcome;
use super::picture::{Span, picture, traffic};

/// A log: its name, its file, and the options that say whose it is.
pub(super) const LOGS: [(&str, &str, &str); 3] = [
    ("zanbil", "logs/zanbil-2019.log.gz", "--site https://www.zanbil.ir"),
    (
        "airisdata",
        "logs/airisdata-2016.log.gz",
        "--site http://www.agilemobiledeveloper.com \
         --alias sparkdeveloper.com=agilemobiledeveloper.com --alias mongodbdev.com=agilemobiledeveloper.com \
         --alias airisdata.com=agilemobiledeveloper.com --alias baconlandia.com=agilemobiledeveloper.com \
         --alias noiseweb.com=agilemobiledeveloper.com --alias creativelabs.biz=agilemobiledeveloper.com",
    ),
    ("almhuette", "logs/almhuette-2016.log.gz", "--site http://almhuette-raith.at"),
];

/// Fewer reachable pages than this prove little.
const ENOUGH: u64 = 500;

struct Run {
    name: &'static str,
    all: Outcome,
    search: Outcome,
}

/// Each log as its own site, judged by all its traffic.
pub(super) fn all_traffic(laboratory: &Laboratory) -> Result<Vec<(String, Outcome)>> {
    let run = |(name, file, options): (&str, &str, &str)| {
        let log = laboratory.data(file);
        let outcome = laboratory.simulate(&format!("log-{name}"), &log, Some(&log), options)?;
        Ok((name.to_owned(), outcome))
    };
    LOGS.into_iter().map(run).collect()
}

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let mut runs = Vec::new();
    for ((name, file, options), (_, all)) in LOGS.into_iter().zip(all_traffic(laboratory)?) {
        let log = laboratory.data(file);
        let search = laboratory.simulate(
            &format!("log-{name}-search"),
            &log,
            Some(&log),
            &format!("{options} --traffic search"),
        )?;
        runs.push(Run { name, all, search });
    }
    let mut chapter = Chapter::new("Three logs that are their own site");
    chapter.paragraph(
        "Where there is no copy of a site, its log stands in: every page that was answered, linked as referrers say, below an \
         artificial entry page that links everything entered from outside. Such a mirror knows only what somebody \
         asked for, and what hangs on the entry page alone is discovered with the first page by every order, \
         so that *found* means little here.",
    );
    chapter.command("trodden simulate zanbil-2019.log.gz --log zanbil-2019.log.gz --site https://www.zanbil.ir");
    sizes(&mut chapter, &runs);
    orders(&mut chapter, &runs)?;
    let first = &runs[0].all;
    let panels = [
        traffic("zanbil-2019: all traffic".to_owned(), "of the visits after training", Span::Whole, first, |p| {
            &p.curve
        }),
        traffic("zanbil-2019: cold traffic".to_owned(), "of the visits to unread URLs", Span::Whole, first, |p| {
            &p.cold_curve
        }),
    ];
    let says = "All traffic and cold traffic fetched, on the log of a shop";
    chapter.picture("zanbil", says, picture("zanbil", &[first.pages; 2], &panels));
    chapter.heading("Does it agree?");
    chapter.claims(&claims(&runs)?);
    verdict(&mut chapter, &runs)?;
    Ok(chapter)
}

fn sizes(chapter: &mut Chapter, runs: &[Run]) {
    let rows: Vec<Vec<String>> = runs
        .iter()
        .map(|run| {
            let of = &run.all;
            let only = of.only_from_entry.unwrap_or(0);
            vec![
                run.name.to_owned(),
                thousands(of.pages),
                thousands(of.links),
                format!("{} %", percent(Some(only as f64 / of.pages as f64))),
                thousands(of.traffic as u64),
                format!("{} %", percent(Some(of.cold_traffic / of.traffic))),
                thousands(run.search.traffic as u64),
            ]
        })
        .collect();
    chapter.table(
        &["log", "pages", "links", "only from the entry page", "test visits", "of them cold", "from search engines"],
        &rows,
    );
    for run in runs {
        if run.all.pages < ENOUGH {
            chapter.paragraph(&format!(
                "**{} has only {} reachable pages: fewer than {ENOUGH} prove little.**",
                run.name,
                thousands(run.all.pages)
            ));
        }
        for warning in run.all.warnings.iter().filter(|warning| !warning.contains("prove little")) {
            chapter.paragraph(&format!("{}: {warning}.", run.name));
        }
    }
}

/// Policies by log: pages for 80 % of all, cold and search traffic.
fn orders(chapter: &mut Chapter, runs: &[Run]) -> Result<()> {
    for run in runs {
        chapter.heading(&format!("{}: pages for 80 %", run.name));
        let mut rows = Vec::new();
        for policy in &run.all.policies {
            let search = run.search.policy(&policy.name)?;
            rows.push(vec![
                name(policy),
                area(policy.auc),
                percent(policy.pages_for.four_fifths),
                percent(policy.cold_pages_for.four_fifths),
                percent(policy.discovered_for.four_fifths),
                percent(search.pages_for.four_fifths),
                ahead(policy).to_owned(),
            ]);
        }
        chapter.table(&["order", "area", "80 %", "cold 80 %", "found 80 %", "search 80 %", "ahead"], &rows);
    }
    Ok(())
}

/// The paper's anchors, on the logs that are large enough.
fn claims(runs: &[Run]) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for run in runs.iter().filter(|run| run.all.pages >= ENOUGH) {
        let needs = |name: &str| run.all.policy(name).map(|p| p.pages_for.four_fifths);
        let (behavior, pagerank, breadth) = (needs("behavior")?, needs("pagerank")?, needs("breadth-first")?);
        let here = |text: String| format!("{}: {text}", run.name);
        claims.push(Claim::new(
            "The behavior graph has 80 % of the traffic in less than 40 % of the pages",
            here(spoken(behavior)),
            behavior.is_some_and(|share| share < 0.4),
        ));
        claims.push(Claim::new(
            "Breadth-first and PageRank need more than 60 %",
            here(format!("breadth-first {}, pagerank {}", spoken(breadth), spoken(pagerank))),
            breadth.is_none_or(|share| share > 0.6) && pagerank.is_none_or(|share| share > 0.6),
        ));
        claims.push(Claim::new(
            "The behavior graph needs fewer pages than breadth-first and PageRank",
            here(format!("behavior {}", spoken(behavior))),
            behavior.is_some_and(|b| [breadth, pagerank].into_iter().all(|other| other.is_none_or(|other| b < other))),
        ));
    }
    Ok(claims)
}

/// How much is cold, and who is ahead of `behavior`.
fn cold_remark(chapter: &mut Chapter, run: &Run) -> Result<()> {
    let of = &run.all;
    let (behavior, url_visit) = (of.policy("behavior")?, of.policy("url-visit")?);
    let word = if behavior.auc > url_visit.auc { "more" } else { "less" };
    let better = of.policies.iter().filter(|p| !p.oracle && p.auc > behavior.auc).map(|p| format!("`{}`", p.name));
    let better: Vec<String> = better.collect();
    let better: Vec<&str> = better.iter().map(String::as_str).collect();
    chapter.paragraph(&format!(
        "{}: {} of the test traffic is cold, and `behavior` has {word} area than `url-visit` ({} and {}). \
         Ahead of `behavior` by area: {}.",
        run.name,
        spoken(Some(of.cold_traffic / of.traffic)),
        area(behavior.auc),
        area(url_visit.auc),
        listed(&better)
    ));
    Ok(())
}

fn verdict(chapter: &mut Chapter, runs: &[Run]) -> Result<()> {
    let mut won = Vec::new();
    let mut lines = Vec::new();
    for run in runs {
        let best = run.all.best(|p| p.auc)?;
        let behavior = run.all.policy("behavior")?;
        let breadth = run.all.policy("breadth-first")?;
        lines.push(format!(
            "{}: best is `{}` ({} of the pages for 80 %), `behavior` needs {}, breadth-first {}",
            run.name,
            best.name,
            spoken(best.pages_for.four_fifths),
            spoken(behavior.pages_for.four_fifths),
            spoken(breadth.pages_for.four_fifths)
        ));
        if ahead(behavior) == "yes" {
            won.push(run.name);
        }
    }
    chapter.paragraph(&format!("{}.", lines.join("; ")));
    for run in runs {
        cold_remark(chapter, run)?;
    }
    chapter.paragraph(&format!(
        "`behavior` is ahead of breadth-first, beyond chance, on {} of {} logs ({}).",
        won.len(),
        runs.len(),
        listed(&won)
    ));
    chapter.gist = format!(
        "With a log as its own site, `behavior` is ahead of breadth-first beyond chance on {} of {} logs.",
        won.len(),
        runs.len()
    );
    Ok(())
}
