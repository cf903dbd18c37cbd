//! A site whose views are known: MDN's links and the popularity of its pages on two dates.
//!
//! The popularity list gives each page a weight w. So many visits n are drawn for each date: a page gets `⌊n·w/Σw⌋` visits and one
//! more with the probability of what was cut off. Readers and times are drawn evenly; there are no referrers. September foretells January.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;

use super::browsing::spread_table;
use super::chapter::Chapter;
use super::family;
use super::laboratory::Laboratory;
use super::number::{spoken, spread, thousands};
use super::outcome::Outcome;
use crate::random::Random;

/// Visits that are drawn for each date.
const SIZES: [usize; 3] = [100_000, 20_000, 5_000];
/// Draws for each size.
const DRAWS: u64 = 10;
/// The two lists, and when the visits drawn from them begin, in seconds.
const TRAIN: (&str, i64) = ("1600184931", 1_600_000_000);
const TEST: (&str, i64) = ("1611701597", 1_610_000_000);
/// Visits of a list are spread over ten days.
const SPAN: usize = 864_000;
/// So many visits a reader, on average.
const VISITS_A_READER: usize = 3;

const OPTIONS: &str = "--start https://developer.mozilla.org/en-US/docs/Web --train-until 2020-12-01 --calibrate \
                       --policy blend --policy expected --policy url-visit --policy behavior --policy backlink --policy pagerank \
                       --policy opic --policy breadth-first --policy ideal";

/// Pages and what they weigh on the two dates.
struct Site {
    links: PathBuf,
    train: BTreeMap<String, f64>,
    test: BTreeMap<String, f64>,
}

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let site = Site::read(laboratory)?;
    let mut families: Vec<(String, Vec<Outcome>)> = Vec::new();
    for size in SIZES {
        let runs = (1..=DRAWS).map(|draw| run(laboratory, &site, size, draw)).collect::<Result<Vec<_>>>()?;
        families.push((format!("{} visits", thousands(size as u64)), runs));
    }
    let first = &families[0].1[0];
    let mut chapter = Chapter::new("A site whose views are known");
    chapter.paragraph(&format!(
        "MDN, a manual of the web: {} pages and {} links of May 2021, and how popular each page was in September 2020 and in January 2021. \
         So many visits are drawn from each list, without referrers; those of September are learnt from, those of January are judged by. \
         {DRAWS} draws for each number of visits, so that the intervals here are over draws, not over users.",
        thousands(first.pages),
        thousands(first.links),
    ));
    let beside: Vec<(String, &[Outcome])> =
        families.iter().map(|(name, runs)| (name.clone(), runs.as_slice())).collect();
    family::table(&mut chapter, "All traffic", &beside, |p| p.auc)?;
    family::table(&mut chapter, "Cold traffic", &beside, |p| p.cold_auc)?;
    family::own_count(&mut chapter, &beside)?;
    family::calibration(&mut chapter, &beside)?;
    for (name, runs) in &families {
        chapter.heading(&format!("{name}: all orders"));
        let names: Vec<&str> = runs[0].policies.iter().map(|p| p.name.as_str()).collect();
        spread_table(&mut chapter, runs, &names)?;
    }
    let needs = |runs: &[Outcome], name: &str| -> Result<String> {
        Ok(spoken(spread(&family::values(runs, name, |p| p.pages_for.four_fifths)?).map(|s| s.mean)))
    };
    let mut parts = Vec::new();
    for (name, runs) in &families {
        let Some((rival, lead)) = family::best_rival(runs, |p| p.auc)? else { continue };
        parts.push(format!(
            "{name}: `{}` needs {} of the pages for 80 %, `{rival}`, the best other order, {}; by area it is {}",
            family::OURS,
            needs(runs, family::OURS)?,
            needs(runs, &rival)?,
            lead.map_or("level", |lead| lead.word())
        ));
    }
    chapter.gist = format!("On MDN, {}.", parts.join("; "));
    Ok(chapter)
}

fn run(laboratory: &Laboratory, site: &Site, size: usize, draw: u64) -> Result<Outcome> {
    let name = format!("mdn-{size}-{draw}");
    let log = laboratory.result(&format!("{name}.visits.tsv"));
    fs::write(&log, site.visits(size, draw))?;
    let outcome = laboratory.simulate(&name, &site.links, Some(&log), OPTIONS)?;
    fs::remove_file(&log)?;
    Ok(outcome)
}

impl Site {
    fn read(laboratory: &Laboratory) -> Result<Self> {
        let (mut edges, mut pages) = (String::new(), BTreeSet::new());
        for row in table(&laboratory.data("mdn/links.tsv.gz"))? {
            let [from, to, ..] = row.as_slice() else { continue };
            let _ = writeln!(edges, "{from}\t{to}");
            pages.extend([from.clone(), to.clone()]);
        }
        let links = laboratory.result("mdn.links.tsv");
        fs::write(&links, edges)?;
        let weights = table(&laboratory.data("mdn/popularity.tsv.gz"))?;
        let of = |date: &str| -> Result<BTreeMap<String, f64>> {
            let rows = weights.iter().filter(|row| row.len() > 2 && row[1] == date && pages.contains(&row[0]));
            rows.map(|row| Ok((row[0].clone(), row[2].parse().context("mdn/popularity.tsv.gz: not a weight")?)))
                .collect()
        };
        let (train, test) = (of(TRAIN.0)?, of(TEST.0)?);
        Ok(Self { links, train, test })
    }

    /// A table of visits: so many from each list, by chance.
    fn visits(&self, size: usize, draw: u64) -> String {
        let mut random = Random::new(draw * 1_000_000 + size as u64);
        let mut out = "time\tuser\ttarget\treferrer\n".to_owned();
        for (weights, start) in [(&self.train, TRAIN.1), (&self.test, TEST.1)] {
            let all: f64 = weights.values().sum();
            for (url, weight) in weights {
                let share = weight / all * size as f64;
                let extra = random.next() as f64 / u64::MAX as f64;
                let times = share.floor() as usize + usize::from(extra < share.fract());
                for _ in 0..times {
                    let time = start + random.below(SPAN) as i64;
                    let user = random.below((size / VISITS_A_READER).max(10));
                    let _ = writeln!(out, "{time}\tu{user}\t{url}\t");
                }
            }
        }
        out
    }
}

/// The rows of a packed table, without its first line.
pub(super) fn table(path: &Path) -> Result<Vec<Vec<String>>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut rows = Vec::new();
    for line in BufReader::new(MultiGzDecoder::new(file)).lines().skip(1) {
        rows.push(line?.split('\t').map(str::to_owned).collect());
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_visits_are_drawn_in_proportion_and_by_seed() {
        let weights: BTreeMap<String, f64> =
            [("/a", 1.0), ("/b", 0.5), ("/c", 0.0001)].map(|(url, w)| (url.to_owned(), w)).into();
        let site = Site { links: PathBuf::new(), train: weights.clone(), test: weights };
        let drawn = site.visits(3_000, 1);
        assert_eq!(drawn, site.visits(3_000, 1));
        assert_ne!(drawn, site.visits(3_000, 2));
        let count = |url: &str| drawn.lines().filter(|line| line.split('\t').nth(2) == Some(url)).count();
        assert!((3_998..=4_002).contains(&count("/a")) && (1_998..=2_002).contains(&count("/b")) && count("/c") <= 2);
        assert_eq!(drawn.lines().count(), 1 + count("/a") + count("/b") + count("/c"));
    }
}
