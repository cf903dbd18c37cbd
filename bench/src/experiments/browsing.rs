//! Does an order learnt from readers fetch what later readers read? The browsing-behavior paper's figures 7 to 10.

use anyhow::Result;

use super::chapter::Chapter;
use super::claim::Claim;
use super::laboratory::Laboratory;
use super::number::{NONE, area, percent, spoken, spread, spread_area, spread_percent, thousands};
use super::outcome::{Outcome, Policy};
use super::picture::{Span, picture, traffic};

const HIDDEN_SEEDS: [u64; 5] = [1, 2, 3, 4, 5];
const START: &str = "--start http://wikispeedia.test/index.htm";

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let run = |name: &str, options: &str| {
        let (links, visits) = ("wikispeedia/links.tsv.gz", "wikispeedia/visits.tsv.gz");
        let options = format!("{START} {options}");
        laboratory.simulate(name, &laboratory.data(links), Some(&laboratory.data(visits)), &options)
    };
    let fetch = run("wikispeedia", "")?;
    let discovery = run("wikispeedia-discovery", "--goal discovery")?;
    let hidden = HIDDEN_SEEDS
        .into_iter()
        .map(|seed| run(&format!("wikispeedia-hidden-{seed}"), &format!("--hide-urls 0.3 --seed {seed}")))
        .collect::<Result<Vec<_>>>()?;
    let sections = run("wikispeedia-sections", "--hide-urls /wp/a --hide-urls /wp/s")?;

    let mut chapter = Chapter::new("What people read first: the browsing-behavior paper");
    about_fetch(&mut chapter, &fetch)?;
    about_discovery(&mut chapter, &discovery)?;
    chapter.heading("Does it agree?");
    chapter.claims(&claims(&fetch, &discovery)?);
    who_beats_behavior(&mut chapter, &fetch)?;
    about_hidden(&mut chapter, &hidden)?;
    about_sections(&mut chapter, &sections)?;
    let best = fetch.best(|p| p.auc)?;
    chapter.gist = format!(
        "On a real encyclopedia `{}` has 80 % of what is read later after {} of the pages, breadth-first after {}, the \
         paper's `behavior` after {}; no order can be faster than {}.",
        best.name,
        spoken(best.pages_for.four_fifths),
        spoken(fetch.policy("breadth-first")?.pages_for.four_fifths),
        spoken(fetch.policy("behavior")?.pages_for.four_fifths),
        spoken(fetch.policy("ideal")?.pages_for.four_fifths),
    );
    Ok(chapter)
}

/// The table of a run: one row a policy, as the run has them, best first.
pub(super) fn table(chapter: &mut Chapter, of: &Outcome) {
    let rows: Vec<Vec<String>> = of
        .policies
        .iter()
        .map(|p| {
            vec![
                name(p),
                area(p.auc),
                percent(p.pages_for.half),
                percent(p.pages_for.four_fifths),
                percent(p.pages_for.nine_tenths),
                percent(p.cold_pages_for.four_fifths),
                percent(p.discovered_for.four_fifths),
                ahead(p).to_owned(),
            ]
        })
        .collect();
    chapter.table(&["order", "area", "50 %", "80 %", "90 %", "cold 80 %", "found 80 %", "ahead"], &rows);
}

/// A policy's name, oracles with a star.
pub(super) fn name(policy: &Policy) -> String {
    if policy.oracle { format!("{} \\*", policy.name) } else { policy.name.clone() }
}

/// Whether it is ahead of breadth-first beyond chance.
pub(super) fn ahead(policy: &Policy) -> &'static str {
    match policy.ahead_of_breadth_first {
        Some([low, _]) if low > 0.0 => "yes",
        Some([_, high]) if high < 0.0 => "behind",
        Some(_) => "same",
        None => NONE,
    }
}

fn about_fetch(chapter: &mut Chapter, of: &Outcome) -> Result<()> {
    chapter.paragraph(&format!(
        "Wikispeedia: a static encyclopedia on which people play a game of getting from one article to another by links. \
         {} pages can be reached from its index, with {} links; the first half of the visits is learnt from, the second \
         half ({} visits) is judged by. {} of these go to pages that nobody had read before (cold).",
        thousands(of.pages),
        thousands(of.links),
        thousands(of.traffic as u64),
        spoken(Some(of.cold_traffic / of.traffic)),
    ));
    chapter.command(&format!("trodden simulate wikispeedia/links.tsv.gz --log wikispeedia/visits.tsv.gz {START}"));
    chapter.heading("Fetching (figures 7 and 8)");
    table(chapter, of);
    let panels = [
        traffic("Traffic fetched".to_owned(), "of the visits after training", Span::Rise, of, |p| &p.curve),
        traffic("Traffic discovered".to_owned(), "of the visits after training", Span::Rise, of, |p| {
            &p.discovered_curve
        }),
    ];
    let says = "Traffic fetched and traffic discovered, by the first percents of the pages";
    chapter.picture("wikispeedia", says, picture("wiki", &[of.pages; 2], &panels));
    Ok(())
}

fn about_discovery(chapter: &mut Chapter, of: &Outcome) -> Result<()> {
    chapter.heading("Discovering (figures 9 and 10)");
    chapter.paragraph(
        "With `--goal discovery` the orders by patterns prefer what leads on over what is read. A page counts as discovered \
         when it is fetched or linked from what is fetched.",
    );
    let mut rows: Vec<&Policy> = of.policies.iter().collect();
    rows.sort_by(|a, b| b.discovered_auc.unwrap_or(0.0).total_cmp(&a.discovered_auc.unwrap_or(0.0)));
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|p| {
            let found = p.discovered_for;
            let area = area(p.discovered_auc);
            vec![name(p), area, percent(found.half), percent(found.four_fifths), percent(found.nine_tenths)]
        })
        .collect();
    chapter.table(&["order", "area discovered", "50 %", "80 %", "90 %"], &rows);
    Ok(())
}

fn claims(fetch: &Outcome, discovery: &Outcome) -> Result<Vec<Claim>> {
    let needs = |name: &str| fetch.policy(name).map(|p| p.pages_for.four_fifths);
    let finds = |name: &str| discovery.policy(name).map(|p| p.discovered_for.four_fifths);
    let (behavior, breadth, pagerank) = (needs("behavior")?, needs("breadth-first")?, needs("pagerank")?);
    let found = [finds("behavior")?, finds("pagerank")?, finds("breadth-first")?];
    let under = |share: Option<f64>, bar: f64| share.is_some_and(|share| share < bar);
    let less = |a: Option<f64>, b: Option<f64>| a.is_some_and(|a| b.is_none_or(|b| a < b));
    let three = |[a, b, c]: [Option<f64>; 3]| {
        format!("behavior {}, pagerank {}, breadth-first {}", spoken(a), spoken(b), spoken(c))
    };
    let all = three([behavior, pagerank, breadth]);
    let can_run: Vec<&Policy> = fetch.policies.iter().filter(|p| !p.oracle).collect();
    let slowest = discovery.policies.iter().filter_map(|p| p.discovered_for.four_fifths).fold(0.0, f64::max);
    Ok(vec![
        Claim::new(
            "The behavior graph has 80 % of the traffic in less than 40 % of the pages",
            spoken(behavior),
            under(behavior, 0.4),
        )
        .if_so(format!(
            "It is no achievement on this site: of {} orders that a crawler can run {} need less than 40 %.",
            can_run.len(),
            can_run.iter().filter(|p| under(p.pages_for.four_fifths, 0.4)).count()
        )),
        Claim::new(
            "Breadth-first and PageRank need more than 60 %",
            format!("breadth-first {}, pagerank {}", spoken(breadth), spoken(pagerank)),
            !under(breadth, 0.6) && !under(pagerank, 0.6),
        ),
        Claim::new("The behavior graph needs fewer pages than breadth-first", all.clone(), less(behavior, breadth)),
        Claim::new("The behavior graph needs fewer pages than PageRank", all, less(behavior, pagerank)),
        Claim::new(
            "Discovering 80 % takes about 10 % by the behavior graph, 35 % by PageRank, 55 % by breadth-first",
            three(found),
            less(found[0], found[1]) && less(found[1], found[2]),
        )
        .if_not(format!(
            "Every order, even random, has discovered four fifths within {} of the crawl.",
            spoken(Some(slowest))
        )),
    ])
}

fn who_beats_behavior(chapter: &mut Chapter, of: &Outcome) -> Result<()> {
    let behavior = of.policy("behavior")?;
    let better: Vec<String> = of
        .policies
        .iter()
        .filter(|p| !p.oracle && p.auc > behavior.auc)
        .map(|p| format!("`{}` ({})", p.name, spoken(p.pages_for.four_fifths)))
        .collect();
    if better.is_empty() {
        chapter.paragraph("No order that a crawler can run has a larger area than `behavior`.");
        return Ok(());
    }
    chapter.paragraph(&format!(
        "`behavior` needs {} of the pages for 80 %. It loses here, by area, to {}.",
        spoken(behavior.pages_for.four_fifths),
        better.join(", ")
    ));
    Ok(())
}

fn about_hidden(chapter: &mut Chapter, runs: &[Outcome]) -> Result<()> {
    chapter.heading("Pages nobody has seen: three URLs in ten hidden");
    chapter.paragraph(&format!(
        "URLs drawn by chance are kept out of training, as targets and as referrers. Mean and range over {} draws; \
         area and pages in percent for 80 %, of all traffic and of the cold traffic.",
        runs.len()
    ));
    let names: Vec<&str> = runs[0].policies.iter().map(|p| p.name.as_str()).collect();
    spread_table(chapter, runs, &names)?;
    let first = &runs[0];
    let panels = [
        traffic("All traffic, first draw".to_owned(), "of the visits after training", Span::Rise, first, |p| &p.curve),
        traffic("Cold traffic, first draw".to_owned(), "of the visits to hidden or new URLs", Span::Rise, first, |p| {
            &p.cold_curve
        }),
    ];
    let says = "All traffic and cold traffic fetched, with three URLs in ten hidden from training";
    chapter.picture("wikispeedia-hidden", says, picture("hidden", &[first.pages; 2], &panels));
    let mean = |name: &str| -> Result<Option<f64>> {
        let values = runs.iter().map(|of| of.policy(name).map(|p| p.cold_auc)).collect::<Result<Vec<_>>>()?;
        Ok(spread(&values).map(|s| s.mean))
    };
    let (url_visit, behavior, breadth, backlink) =
        (mean("url-visit")?, mean("behavior")?, mean("breadth-first")?, mean("backlink")?);
    chapter.paragraph(&format!(
        "On cold traffic `url-visit` has an area of {}, {} breadth-first's {}; `behavior` has {}, {} `url-visit`; `backlink` has {}, {} than \
         `behavior`.",
        area(url_visit),
        if url_visit < breadth { "below" } else { "not below" },
        area(breadth),
        area(behavior),
        if behavior > url_visit { "above" } else { "not even above" },
        area(backlink),
        if backlink > behavior { "more" } else { "less" },
    ));
    Ok(())
}

/// Mean and range over several runs, by policy.
pub(super) fn spread_table(chapter: &mut Chapter, runs: &[Outcome], names: &[&str]) -> Result<()> {
    let mut rows = Vec::new();
    for policy in names {
        let of = |value: fn(&Policy) -> Option<f64>| -> Result<_> {
            Ok(spread(&runs.iter().map(|of| of.policy(policy).map(value)).collect::<Result<Vec<_>>>()?))
        };
        let areas = of(|p| p.auc)?;
        rows.push((
            areas.map_or(0.0, |s| s.mean),
            vec![
                name(runs[0].policy(policy)?),
                spread_area(areas),
                spread_percent(of(|p| p.pages_for.four_fifths)?),
                spread_area(of(|p| p.cold_auc)?),
                spread_percent(of(|p| p.cold_pages_for.four_fifths)?),
            ],
        ));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(_, row)| row).collect();
    chapter.table(&["order", "area", "80 %", "cold area", "cold 80 %"], &rows);
    Ok(())
}

fn about_sections(chapter: &mut Chapter, of: &Outcome) -> Result<()> {
    chapter.heading("Pages nobody has seen: whole sections hidden");
    let share = of.cold_traffic / of.traffic;
    let best = of.best(|p| p.cold_auc)?;
    let behavior = of.policy("behavior")?;
    chapter.paragraph(&format!(
        "Harder: everything below `/wp/a` and `/wp/s` is hidden, so that {} of the test traffic is cold and nobody was \
         seen there before. Best on the cold part is `{}` with {} of the pages for 80 %; `behavior` needs {} and breadth-first {}.",
        spoken(Some(share)),
        best.name,
        spoken(best.cold_pages_for.four_fifths),
        spoken(behavior.cold_pages_for.four_fifths),
        spoken(of.policy("breadth-first")?.cold_pages_for.four_fifths),
    ));
    let rows: Vec<Vec<String>> = of
        .policies
        .iter()
        .map(|p| {
            let (all, cold) = (p.pages_for.four_fifths, p.cold_pages_for.four_fifths);
            vec![name(p), area(p.auc), percent(all), area(p.cold_auc), percent(cold)]
        })
        .collect();
    chapter.table(&["order", "area", "80 %", "cold area", "cold 80 %"], &rows);
    Ok(())
}
