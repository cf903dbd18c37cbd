//! Which graph is crawled, and from where? cnr-2000, a crawl of an Italian research council's sites in the year 2000:
//! 325,557 pages, 3.2 million links, no URLs. Where it is missing, a made-up graph of the same size.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use trodden_lab::graph::{LinkGraph, PageId};
use trodden_lab::{Mirror, MirrorOptions, open_mirror};

use super::made_up;
use crate::repo;

const FILE: &str = "graphs/cnr-2000.edges.tsv.gz";
const PAGES: u32 = 325_557;
const LINKS: u32 = 3_128_710;

/// The graph, in memory.
pub(super) struct Loaded {
    pub(super) mirror: Mirror,
    /// The page a crawl starts from.
    pub(super) start: PageId,
    /// How many pages links lead to from there, itself included.
    pub(super) reached: usize,
    origin: Origin,
}

enum Origin {
    Read { took: Duration },
    MadeUp,
}

impl Loaded {
    pub(super) fn load() -> Result<Self> {
        let (mirror, origin) = match repo::real_data(FILE)? {
            Some(path) => {
                let path = path.to_str().context("the path of the graph is not text")?.to_owned();
                let started = Instant::now();
                let mirror = open_mirror(&[path], None, &MirrorOptions::default())?;
                (mirror, Origin::Read { took: started.elapsed() })
            }
            None => {
                eprintln!("{FILE} is neither at ../shared/data nor at $TRODDEN_DATA: making a graph up instead");
                (made_up::mirror(PAGES, LINKS)?, Origin::MadeUp)
            }
        };
        let start = start(&mirror.graph);
        let reached = mirror.graph.reachable(&[start]).into_iter().filter(|&is_reached| is_reached).count();
        Ok(Self { mirror, start, reached, origin })
    }

    /// What it is, in a few sentences.
    pub(super) fn told(&self) -> String {
        let graph = &self.mirror.graph;
        let origin = match self.origin {
            Origin::Read { took } => format!("cnr-2000, read in {:.2} s", took.as_secs_f64()),
            Origin::MadeUp => "A made-up graph, because cnr-2000 is missing".to_owned(),
        };
        format!(
            "{origin}: {} pages, {} links without those of pages to themselves. Crawls start from page {}, which reaches {} \
             pages.",
            graph.pages(),
            graph.links(),
            self.start,
            self.reached
        )
    }
}

/// The page to start from. Walks from page 0, then from the next page not yet met, and so on; the last of these starts is
/// the one: if any page reaches all others, no walk before its own met it, or met it and so all; so the last start reaches
/// that page or is it, and reaches all.
fn start(graph: &LinkGraph) -> PageId {
    let mut is_met = vec![false; graph.pages() as usize];
    let mut waiting = Vec::new();
    let mut last = 0;
    for page in 0..graph.pages() {
        if is_met[page as usize] {
            continue;
        }
        last = page;
        waiting.push(page);
        while let Some(page) = waiting.pop() {
            if !std::mem::replace(&mut is_met[page as usize], true) {
                waiting.extend(graph.targets(page).iter().filter(|to| !is_met[**to as usize]));
            }
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use trodden_lab::graph::LinkGraphBuilder;

    use super::*;

    #[test]
    fn ours_a_crawl_starts_from_a_page_that_reaches_all_if_there_is_one() {
        let mut builder = LinkGraphBuilder::default();
        for (from, to) in [(0, 1), (2, 0), (2, 3), (3, 2), (4, 1), (3, 4)] {
            builder.link(from, to);
        }
        assert_eq!(start(&builder.finish().unwrap().0), 2);
    }
}
