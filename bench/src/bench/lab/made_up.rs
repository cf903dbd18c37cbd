//! What to crawl where no real graph is large enough? Pages in the order of their sites, each with about as many links.
//!
//! Seven links in ten lead to a page nearby, as menus and lists do. The others lead anywhere, the k-th most popular page
//! being met in proportion to `k^(−2/3)`: with u uniform in (0, 1), `k = n·u³`. Popular pages are scattered among the
//! others. Nearly all pages are reached from page 0, because nearly every page is near to some that link around.
//!
//! Rows are written as they are made: nothing else is in memory.

use anyhow::Result;
use trodden_lab::graph::{LinkGraph, PageId};
use trodden_lab::mirror::{Kind, MirrorNotes};
use trodden_lab::{Mirror, UrlTexts};

use crate::random::Random;

/// Pages of a site.
const SITE: u32 = 1_000;
/// How far away "nearby" is.
const NEARBY: usize = 100;
/// Links may be so many more or fewer than the average, if that is more.
const SPREAD: u32 = 8;
const SEED: u64 = 1998;
/// A prime that is not a factor of the number of pages: multiplied by it, page numbers are scattered, and stay different.
const SCATTER: u64 = 2_654_435_761;

/// A graph of so many pages (at least 1,000) and links.
pub(super) fn graph(pages: u32, links: u32) -> LinkGraph {
    let mut random = Random::new(SEED);
    let mut offsets = Vec::with_capacity(pages as usize + 1);
    let mut targets: Vec<PageId> = Vec::with_capacity(links as usize);
    offsets.push(0);
    let end = |page: u32| (u64::from(links) * u64::from(page) / u64::from(pages)) as u32;
    let mut shift = 0;
    for page in 0..pages {
        let even = end(page + 1) - end(page);
        // What one page has more, the next has less.
        let count = if page % 2 == 0 {
            shift = random.below(SPREAD.min(even) as usize) as u32;
            if page + 1 < pages { even + shift } else { even }
        } else {
            even.saturating_sub(shift)
        };
        let start = targets.len();
        while targets.len() < start + count as usize {
            let to = target(&mut random, page, pages);
            if to != page && !targets[start..].contains(&to) {
                targets.push(to);
            }
        }
        offsets.push(targets.len() as u32);
    }
    LinkGraph::from_rows(offsets, targets)
}

fn target(random: &mut Random, page: u32, pages: u32) -> PageId {
    if random.below(10) < 7 {
        let ahead = random.below(2 * NEARBY + 1) as u32 + pages - NEARBY as u32;
        return ((u64::from(page) + u64::from(ahead)) % u64::from(pages)) as u32;
    }
    let u = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
    let popular = (f64::from(pages) * u * u * u) as u64;
    (popular * SCATTER % u64::from(pages)) as u32
}

/// The graph with URLs.
pub(super) fn mirror(pages: u32, links: u32) -> Result<Mirror> {
    let mut urls = UrlTexts::default();
    let mut url = String::new();
    for page in 0..pages {
        use std::fmt::Write as _;
        url.clear();
        write!(url, "http://www.site{}.example/pages/{}.html", page / SITE, page % SITE)?;
        urls.push(&url)?;
    }
    Ok(Mirror::new(graph(pages, links), urls, MirrorNotes::new(Kind::UrlEdges)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_made_up_graph_has_its_size_a_heavy_tail_and_hardly_an_island() {
        let graph = graph(20_001, 200_010);
        assert_eq!((graph.pages(), graph.links()), (20_001, 200_010));
        let reached = graph.reachable(&[0]).into_iter().filter(|&is_reached| is_reached).count();
        assert!(reached > 19_900, "{reached}");
        let most = (0..graph.pages()).map(|page| graph.backward().of(page).len()).max().unwrap();
        assert!(most > 1_000, "{most}");
        for page in 0..graph.pages() {
            let mut row = graph.targets(page).to_vec();
            row.sort_unstable();
            row.dedup();
            assert_eq!(row.len(), graph.targets(page).len(), "{page}");
            assert!(!row.contains(&page), "{page}");
        }
    }
}
