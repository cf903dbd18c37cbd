//! How far does an order depend on the order in which an artificial entry page lists URLs?
//!
//! A mirror made of a log starts at a page that nobody wrote. The order of its links is drawn, and each order crawls several draws. Numbers
//! are means over them; curves are those of the draw in the middle, by area. Areas are linear in the positions of pages, so the mean position of
//! each page has the mean area, and intervals over users are those of the mean.

use super::{Judge, Judged};
use crate::chance::Chance;
use crate::graph::PageId;
use crate::metric::harvest::Harvest;
use crate::metric::traffic::NEVER;
use crate::result::{Draws, PagesFor, PolicyResult};

/// So many orders of the entry page.
pub(in crate::experiment) const ENTRY_DRAWS: u64 = 10;

/// Links in an order of chance.
pub(in crate::experiment) fn drawn(links: &[PageId], seed: u64, draw: u64) -> Vec<PageId> {
    let mut links = links.to_vec();
    let mut chance = Chance::stream(seed, draw);
    for last in (1..links.len()).rev() {
        links.swap(last, chance.below(last + 1));
    }
    links
}

impl Judge<'_> {
    /// Several crawls of one policy as one; none if there are none.
    pub(in crate::experiment) fn mean(&self, mut draws: Vec<Judged>) -> Option<Judged> {
        draws.sort_by(|a, b| a.result.auc.unwrap_or(0.0).total_cmp(&b.result.auc.unwrap_or(0.0)));
        let results: Vec<&PolicyResult> = draws.iter().map(|draw| &draw.result).collect();
        let mean = |of: fn(&PolicyResult) -> Option<f64>| {
            Some(values(&results, of)?.iter().sum::<f64>() / results.len() as f64)
        };
        let (auc, cold_auc) = (mean(|r| r.auc), mean(|r| r.cold_auc));
        let discovered_auc = mean(|r| r.discovered_auc);
        let pages_for = mean_pages(&results, |r| r.pages_for);
        let cold_pages_for = mean_pages(&results, |r| r.cold_pages_for);
        let discovered_for = mean_pages(&results, |r| r.discovered_for);
        let spread = Draws {
            draws: results.len() as u32,
            auc: ends(&results, |r| r.auc),
            cold_auc: ends(&results, |r| r.cold_auc),
            four_fifths: ends(&results, |r| r.pages_for.four_fifths),
        };
        let positions = mean_positions(&draws, self.pages);
        let harvest = mean_harvest(&results);
        let middle = draws.len() / 2;
        let mut judged = draws.into_iter().nth(middle)?;
        judged.positions = positions;
        let curves = judged.result;
        judged.result = PolicyResult {
            auc,
            cold_auc,
            discovered_auc,
            pages_for,
            cold_pages_for,
            discovered_for,
            draws: Some(spread),
            harvest,
            ..curves
        };
        Some(judged)
    }
}

/// The mean harvest, with the curve of the draw in the middle.
fn mean_harvest(results: &[&PolicyResult]) -> Option<Harvest> {
    let harvests: Vec<&Harvest> = results.iter().map(|result| result.harvest.as_ref()).collect::<Option<_>>()?;
    let mean = |of: fn(&Harvest) -> [f64; 3]| {
        let sum = |at: usize| harvests.iter().map(|harvest| of(harvest)[at]).sum::<f64>();
        [0, 1, 2].map(|at| sum(at) / harvests.len() as f64)
    };
    let curve = harvests.get(harvests.len() / 2)?.curve.clone();
    Some(Harvest { found: mean(|h| h.found), lift: mean(|h| h.lift), rate: mean(|h| h.rate), curve })
}

/// A number of all draws; none if one of them has none.
fn values(results: &[&PolicyResult], of: fn(&PolicyResult) -> Option<f64>) -> Option<Vec<f64>> {
    results.iter().map(|result| of(result)).collect()
}

fn ends(results: &[&PolicyResult], of: fn(&PolicyResult) -> Option<f64>) -> Option<[f64; 2]> {
    let mut values = values(results, of)?;
    values.sort_unstable_by(f64::total_cmp);
    Some([*values.first()?, *values.last()?])
}

fn mean_pages(results: &[&PolicyResult], of: fn(&PolicyResult) -> PagesFor) -> PagesFor {
    let mean = |part: fn(PagesFor) -> Option<f64>| {
        let values: Option<Vec<f64>> = results.iter().map(|result| part(of(result))).collect();
        values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
    };
    PagesFor { half: mean(|p| p.half), four_fifths: mean(|p| p.four_fifths), nine_tenths: mean(|p| p.nine_tenths) }
}

/// By page: its mean position, rounded. One that was not fetched counts as behind the last, where it adds nothing to an area.
fn mean_positions(draws: &[Judged], pages: u32) -> Vec<u32> {
    let behind = f64::from(pages) + 1.0;
    let position = |at: u32| if at == NEVER { behind } else { f64::from(at) };
    let all = draws.first().map_or(0, |draw| draw.positions.len());
    let mean = |page: usize| {
        let sum: f64 = draws.iter().map(|draw| position(draw.positions[page])).sum();
        let mean = (sum / draws.len() as f64).round();
        if mean >= behind { NEVER } else { mean as u32 }
    };
    (0..all).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_each_draw_is_another_order_of_the_same_links() {
        let links: Vec<PageId> = (1..200).collect();
        let [a, b, again] = [0, 1, 0].map(|draw| drawn(&links, 7, draw));
        assert_eq!(a, again);
        assert!(a != b && a != links);
        let mut sorted = b;
        sorted.sort_unstable();
        assert_eq!(sorted, links);
        assert_eq!(drawn(&[], 7, 0), [] as [PageId; 0]);
    }
}
