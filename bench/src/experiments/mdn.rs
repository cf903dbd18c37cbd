//! And on a site whose views are known, now and four months later? developer.mozilla.org.
//!
//! There are shares of views, no visits. So visits are drawn: of the pages of the link graph each gets its share of N, rounded up or down by
//! chance to the next whole number, at times within ten days and by one of N/3 users (at least ten), without a referrer. Those of September
//! 2020 are training, those of January 2021 the test. Ten draws of each N.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;

use super::chapter::Chapter;
use super::family::{self, Family, Judged};
use super::laboratory::Laboratory;
use super::number::{area, percent, thousands};
use super::outcome::Outcome;
use crate::random::Random;

const VISITS: [u64; 3] = [100_000, 20_000, 5_000];
const DRAWS: u64 = 10;
/// The two lists, by their time, and when their visits are.
const LISTS: [(&str, u64); 2] = [("1600184931", 1_600_000_000), ("1611701597", 1_610_000_000)];
const OPTIONS: &str = "--start https://developer.mozilla.org/en-US/docs/Web --train-until 2020-12-01";
/// Visits fall into so many seconds.
const SPAN: usize = 864_000;

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let links = laboratory.data("mdn/links.tsv.gz");
    let lists = popularity(&laboratory.data("mdn/popularity.tsv.gz"), &pages_of(&links)?)?;
    let mut families = Vec::new();
    for visits in VISITS {
        let mut runs = Vec::new();
        for seed in laboratory.draws(DRAWS) {
            let name = format!("mdn-{visits}-{seed}");
            let log = laboratory.result(&format!("{name}.tsv"));
            fs::write(&log, drawn(&lists, visits, seed))
                .with_context(|| format!("could not write {}", log.display()))?;
            let outcome = laboratory.simulate(&name, &links, Some(&log), &format!("{OPTIONS} --seed {seed}"))?;
            fs::remove_file(&log)?;
            runs.push(outcome);
        }
        families.push(Family { name: format!("{} visits", thousands(visits)), runs });
    }
    let mut chapter = Chapter::new("A manual of 11,646 pages, four months later");
    chapter.paragraph(
        "The links of developer.mozilla.org, and which share of the views its pages had in September 2020 and in January 2021. Visits are drawn by these \
         shares, as many of September to learn from as of January to judge by, ten times. There are no referrers: nobody is seen to go from page to page.",
    );
    chapter.heading("All traffic");
    family::table(&mut chapter, &families, Judged::All)?;
    chapter.paragraph(&family::not_ahead(&families, Judged::All)?);
    chapter.heading("Cold traffic");
    family::table(&mut chapter, &families, Judged::Cold)?;
    chapter.paragraph(&family::not_ahead(&families, Judged::Cold)?);
    chapter.heading("Every order");
    for family in &families {
        orders(&mut chapter, family)?;
    }
    chapter.heading("Visits foretold and seen");
    calibration(&mut chapter, &families);
    let gists = families.iter().map(|family| family::gist(family, Judged::All)).collect::<Result<Vec<_>>>()?;
    chapter.gist = format!("{}.", gists.join("; "));
    Ok(chapter)
}

/// Means over draws of every order.
fn orders(chapter: &mut Chapter, family: &Family) -> Result<()> {
    let Some(first) = family.runs.first() else { return Ok(()) };
    chapter.paragraph(&format!("{}, means over {} draws:", family.name, family.runs.len()));
    let mut rows = Vec::new();
    for policy in &first.policies {
        let name = &policy.name;
        let all = family.mean(name, |p| p.auc)?;
        let star = if policy.oracle { " \\*" } else { "" };
        rows.push((
            all.unwrap_or(0.0),
            vec![
                format!("{name}{star}"),
                area(all),
                percent(family.mean(name, |p| p.pages_for.half)?),
                percent(family.mean(name, |p| p.pages_for.four_fifths)?),
                percent(family.mean(name, |p| p.pages_for.nine_tenths)?),
                area(family.mean(name, |p| p.cold_auc)?),
                area(family.mean(name, |p| p.discovered_auc)?),
            ],
        ));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(_, row)| row).collect();
    chapter.table(&["order", "area", "50 %", "80 %", "90 %", "cold area", "found area"], &rows);
    Ok(())
}

/// Foretold over seen, by class of visits in training: the mean over draws.
fn calibration(chapter: &mut Chapter, families: &[Family]) {
    let mut rows = Vec::new();
    let mut heads: Vec<String> = Vec::new();
    for family in families {
        let ratios: Vec<Vec<(String, f64)>> = family.runs.iter().filter_map(ratios).collect();
        let Some(first) = ratios.first() else { continue };
        heads = first.iter().map(|(group, _)| group.clone()).collect();
        let mean = |at: usize| {
            let values: Vec<f64> = ratios.iter().filter_map(|of| of.get(at)).map(|(_, ratio)| *ratio).collect();
            format!("{:.2}", values.iter().sum::<f64>() / values.len().max(1) as f64)
        };
        rows.push(std::iter::once(family.name.clone()).chain((0..first.len()).map(mean)).collect());
    }
    chapter
        .paragraph("What `blend` foretold for the test over what was seen there, by visits in training; 1 is right.");
    let heads: Vec<&str> = std::iter::once("data").chain(heads.iter().map(String::as_str)).collect();
    chapter.table(&heads, &rows);
}

fn ratios(of: &Outcome) -> Option<Vec<(String, f64)>> {
    let calibration = of.calibration.iter().find(|c| c.policy == family::BLEND && c.part == "test")?;
    let all = std::iter::once(("all".to_owned(), &calibration.all));
    let classes = calibration.classes.iter().map(|class| (class.group.clone(), class));
    Some(all.chain(classes).map(|(group, tally)| (group, tally.foretold / tally.seen.max(1.0))).collect())
}

fn lines(path: &Path) -> Result<impl Iterator<Item = Result<String>>> {
    let file = File::open(path).with_context(|| format!("could not open {}", path.display()))?;
    let name = PathBuf::from(path);
    let lines = BufReader::new(MultiGzDecoder::new(file)).lines().skip(1);
    Ok(lines.map(move |line| line.with_context(|| format!("could not read {}", name.display()))))
}

/// Every page of an edge list.
fn pages_of(links: &Path) -> Result<BTreeSet<String>> {
    let mut pages = BTreeSet::new();
    for line in lines(links)? {
        pages.extend(line?.split('\t').take(2).map(str::to_owned));
    }
    Ok(pages)
}

/// By list: the weights of pages of the graph, in the order of the file.
fn popularity(path: &Path, pages: &BTreeSet<String>) -> Result<[Vec<(String, f64)>; 2]> {
    let mut lists = [Vec::new(), Vec::new()];
    for line in lines(path)? {
        let line = line?;
        let mut fields = line.split('\t');
        let (Some(url), Some(time), Some(weight)) = (fields.next(), fields.next(), fields.next()) else { continue };
        let Some(list) = LISTS.iter().position(|(of, _)| time == *of) else { continue };
        if pages.contains(url) {
            lists[list].push((url.to_owned(), weight.parse().context("a weight is no number")?));
        }
    }
    if lists.iter().any(Vec::is_empty) {
        bail!("{} has not the two lists of popularity that are expected", path.display());
    }
    Ok(lists)
}

/// A log of so many visits of each list.
fn drawn(lists: &[Vec<(String, f64)>; 2], visits: u64, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut log = String::from("time\tuser\ttarget\treferrer\n");
    let users = (visits as usize / 3).max(10);
    for (weights, (_, begin)) in lists.iter().zip(LISTS) {
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        for (url, weight) in weights {
            let share = weight / sum * visits as f64;
            let unit = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
            let is_up = unit < share.fract();
            let count = share as u64 + u64::from(is_up);
            for _ in 0..count {
                let time = begin + random.below(SPAN) as u64;
                let _ = writeln!(log, "{time}\tu{}\t{url}\t", random.below(users));
            }
        }
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_visits_are_drawn_by_their_shares() {
        let list = vec![("http://a/".to_owned(), 3.0), ("http://b/".to_owned(), 1.0), ("http://c/".to_owned(), 1e-9)];
        let log = drawn(&[list.clone(), list], 4_000, 5);
        let count =
            |url: &str, begin: &str| log.lines().filter(|line| line.starts_with(begin) && line.contains(url)).count();
        assert_eq!([count("http://a/", "160"), count("http://b/", "160")], [3_000, 1_000]);
        assert_eq!([count("http://a/", "161"), count("http://b/", "161")], [3_000, 1_000]);
        assert!(count("http://c/", "16") <= 1);
    }
}
