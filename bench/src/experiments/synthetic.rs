//! And where the truth is known? The made-up site of `trodden demo`, ten times.

use anyhow::Result;

use super::browsing::spread_table;
use super::chapter::Chapter;
use super::laboratory::Laboratory;
use super::number::{Spread, spoken, spread, thousands};
use super::outcome::{Outcome, Policy};
use super::picture::{Span, picture, traffic};

const SEEDS: u64 = 10;

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let runs = (1..=SEEDS).map(|seed| laboratory.demo(&format!("demo-{seed}"), seed)).collect::<Result<Vec<_>>>()?;
    let mut chapter = Chapter::new("A made-up site, ten times");
    let pages = over(&runs, |of| of.pages as f64);
    chapter.paragraph(&format!(
        "The site of `trodden demo`: news, a shop, a forum, profiles, a calendar that never ends, and readers who choose by \
         topic; {} to {} pages. Its traps and its novelty are ours, so it says how orders differ, not how much they gain \
         elsewhere. Mean and range over seeds 1 to {SEEDS}; pages in percent for 80 %.",
        thousands(pages.0 as u64),
        thousands(pages.1 as u64),
    ));
    chapter.command("trodden demo --seed 1 -o DIR");
    let names: Vec<&str> = runs[0].policies.iter().map(|p| p.name.as_str()).collect();
    spread_table(&mut chapter, &runs, &names)?;
    let first = &runs[0];
    let panels = [
        traffic("All traffic, seed 1".to_owned(), "of the visits after training", Span::Whole, first, |p| &p.curve),
        traffic("Cold traffic, seed 1".to_owned(), "of the visits to unread URLs", Span::Whole, first, |p| {
            &p.cold_curve
        }),
    ];
    let says = "All traffic and cold traffic fetched, on the made-up site of seed 1";
    chapter.picture("synthetic", says, picture("synthetic", &[first.pages; 2], &panels));
    compare(&mut chapter, &runs)?;
    Ok(chapter)
}

fn over(runs: &[Outcome], value: fn(&Outcome) -> f64) -> (f64, f64) {
    runs.iter().map(value).fold((f64::INFINITY, 0.0), |(low, high), x| (low.min(x), high.max(x)))
}

fn mean(runs: &[Outcome], name: &str, value: fn(&Policy) -> Option<f64>) -> Result<Option<Spread>> {
    Ok(spread(&runs.iter().map(|of| of.policy(name).map(value)).collect::<Result<Vec<_>>>()?))
}

/// The order with the largest mean area among those that a crawler can run.
fn best(runs: &[Outcome]) -> Result<String> {
    let mut best = (String::new(), f64::NEG_INFINITY);
    for policy in runs[0].policies.iter().filter(|p| !p.oracle) {
        if let Some(s) = mean(runs, &policy.name, |p| p.auc)?
            && s.mean > best.1
        {
            best = (policy.name.clone(), s.mean);
        }
    }
    Ok(best.0)
}

fn compare(chapter: &mut Chapter, runs: &[Outcome]) -> Result<()> {
    let best = best(runs)?;
    let needs =
        |name: &str| -> Result<String> { Ok(spoken(mean(runs, name, |p| p.pages_for.four_fifths)?.map(|s| s.mean))) };
    let wins = |name: &str| -> Result<usize> {
        let mut wins = 0;
        for of in runs {
            wins += usize::from(of.policy(name)?.auc > of.policy("breadth-first")?.auc);
        }
        Ok(wins)
    };
    let (behavior, url_visit) = (wins("behavior")?, wins("url-visit")?);
    chapter.paragraph(&format!(
        "The largest mean area has `{best}`, with {} of the pages for 80 %; breadth-first needs {}, `url-visit` {}, \
         `behavior` {}, the ideal {}. `behavior` has a larger area than breadth-first in {behavior} of {SEEDS} sites, \
         `url-visit` in {url_visit}.",
        needs(&best)?,
        needs("breadth-first")?,
        needs("url-visit")?,
        needs("behavior")?,
        needs("ideal")?,
    ));
    chapter.gist = format!(
        "On ten made-up sites the largest mean area has `{best}`; it needs {} of the pages for 80 % of the traffic, \
         breadth-first {}, the ideal {}.",
        needs(&best)?,
        needs("breadth-first")?,
        needs("ideal")?
    );
    Ok(())
}
