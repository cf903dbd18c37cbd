//! Who links to whom? Pages and links in memory, in compressed sparse rows.
//!
//! Pages are numbered from 0. The targets of page `p` are `targets[offsets[p] .. offsets[p + 1]]`, in the order in which
//! they were added, each once: a page that links to another twice links to it. Links of a page to itself are left out;
//! nobody is led anywhere by them. Both are counted in [`LinkTally`].
//!
//! Cost: 4 bytes a link and 4 a page, and the same again for the reverse once it is asked for.

use std::sync::OnceLock;

use serde::Serialize;
use thiserror::Error;

/// The number of a page in a mirror.
pub type PageId = u32;

/// More links than their numbers can count.
#[derive(Debug, Error)]
#[error("{links} links are more than a mirror can hold (4,294,967,295)")]
pub struct TooManyLinks {
    /// How many there are.
    pub links: u64,
}

/// What was added and is no link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkTally {
    /// Links of a page to itself.
    pub self_links: u64,
    /// Links that were there already.
    pub duplicates: u64,
}

/// The links of all pages, one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphRows {
    offsets: Vec<u32>,
    targets: Vec<PageId>,
}

impl GraphRows {
    /// What a page links to (or, in the reverse, what links to it).
    pub fn of(&self, page: PageId) -> &[PageId] {
        let page = page as usize;
        &self.targets[self.offsets[page] as usize..self.offsets[page + 1] as usize]
    }

    /// Where each page's links begin, and where the last ends.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// All links, by page.
    pub fn targets(&self) -> &[PageId] {
        &self.targets
    }

    fn pages(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The same links, the other way; sources in ascending order.
    fn reversed(&self) -> Self {
        let mut offsets = vec![0_u32; self.pages() + 1];
        for &to in &self.targets {
            offsets[to as usize + 1] += 1;
        }
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; self.targets.len()];
        for (from, ends) in (0..).zip(self.offsets.windows(2)) {
            for &to in &self.targets[ends[0] as usize..ends[1] as usize] {
                let place = &mut next[to as usize];
                targets[*place as usize] = from;
                *place += 1;
            }
        }
        Self { offsets, targets }
    }
}

/// Pages and their links.
#[derive(Debug)]
pub struct LinkGraph {
    forward: GraphRows,
    backward: OnceLock<GraphRows>,
}

impl LinkGraph {
    /// A graph of links that were already sorted into rows: `targets` of page `p` from `offsets[p]` on. Nothing may be
    /// there twice, and no page may link to itself.
    pub fn from_rows(offsets: Vec<u32>, targets: Vec<PageId>) -> Self {
        Self { forward: GraphRows { offsets, targets }, backward: OnceLock::new() }
    }

    /// How many pages.
    pub fn pages(&self) -> u32 {
        u32::try_from(self.forward.pages()).unwrap_or(u32::MAX)
    }

    /// How many links.
    pub fn links(&self) -> u64 {
        self.forward.targets.len() as u64
    }

    /// What a page links to, in its own order.
    pub fn targets(&self, page: PageId) -> &[PageId] {
        self.forward.of(page)
    }

    /// Links by the page they are on.
    pub fn forward(&self) -> &GraphRows {
        &self.forward
    }

    /// Links by the page they lead to; made when first asked for.
    pub fn backward(&self) -> &GraphRows {
        self.backward.get_or_init(|| self.forward.reversed())
    }

    /// By page: whether links lead there from the start pages, which count themselves.
    pub fn reachable(&self, starts: &[PageId]) -> Vec<bool> {
        let mut seen = vec![false; self.forward.pages()];
        let mut waiting: Vec<PageId> = Vec::new();
        let mut meet = |page: PageId, waiting: &mut Vec<PageId>| {
            if !std::mem::replace(&mut seen[page as usize], true) {
                waiting.push(page);
            }
        };
        starts.iter().for_each(|&page| meet(page, &mut waiting));
        while let Some(page) = waiting.pop() {
            self.targets(page).iter().for_each(|&to| meet(to, &mut waiting));
        }
        seen
    }
}

/// Takes links in any order of pages; the links of one page keep theirs.
#[derive(Debug, Default)]
pub struct LinkGraphBuilder {
    links: Vec<(PageId, PageId)>,
    pages: u32,
    tally: LinkTally,
}

impl LinkGraphBuilder {
    /// With room for so many links.
    pub fn with_capacity(links: usize) -> Self {
        Self { links: Vec::with_capacity(links), ..Self::default() }
    }

    /// Makes sure that pages up to this number exist.
    pub fn page(&mut self, page: PageId) {
        self.pages = self.pages.max(page + 1);
    }

    /// Adds a link.
    pub fn link(&mut self, from: PageId, to: PageId) {
        self.page(from.max(to));
        if from == to {
            self.tally.self_links += 1;
        } else {
            self.links.push((from, to));
        }
    }

    /// Sorts the links into rows, in time linear in links and pages.
    ///
    /// # Errors
    /// If there are more links than can be numbered.
    pub fn finish(mut self) -> Result<(LinkGraph, LinkTally), TooManyLinks> {
        if u32::try_from(self.links.len()).is_err() {
            return Err(TooManyLinks { links: self.links.len() as u64 });
        }
        // Counted into place: the links of a page stay in their order.
        let mut offsets = vec![0_u32; self.pages as usize + 1];
        for &(from, _) in &self.links {
            offsets[from as usize + 1] += 1;
        }
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; self.links.len()];
        for (from, to) in std::mem::take(&mut self.links) {
            let place = &mut next[from as usize];
            targets[*place as usize] = to;
            *place += 1;
        }
        // By page: the last page that was seen to link there, plus one. Its memory was used for `next`.
        let mut linked_by = next;
        linked_by.fill(0);
        let mut kept = 0;
        for page in 0..self.pages {
            let range = offsets[page as usize] as usize..offsets[page as usize + 1] as usize;
            // No row starts before its own place: rows only move down.
            offsets[page as usize] = kept as u32;
            for at in range {
                let to = targets[at];
                if std::mem::replace(&mut linked_by[to as usize], page + 1) == page + 1 {
                    self.tally.duplicates += 1;
                } else {
                    targets[kept] = to;
                    kept += 1;
                }
            }
        }
        offsets[self.pages as usize] = kept as u32;
        targets.truncate(kept);
        targets.shrink_to_fit();
        Ok((LinkGraph::from_rows(offsets, targets), self.tally))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(links: &[(u32, u32)]) -> (LinkGraph, LinkTally) {
        let mut builder = LinkGraphBuilder::default();
        links.iter().for_each(|&(from, to)| builder.link(from, to));
        builder.finish().unwrap()
    }

    #[test]
    fn links_keep_their_order_and_count_once() {
        let (graph, tally) = graph(&[(2, 1), (0, 3), (0, 1), (2, 2), (0, 3), (2, 0)]);
        assert_eq!(graph.targets(0), [3, 1]);
        assert_eq!(graph.targets(2), [1, 0]);
        assert_eq!(graph.targets(3), [] as [u32; 0]);
        assert_eq!((graph.pages(), graph.links()), (4, 4));
        assert_eq!(tally, LinkTally { self_links: 1, duplicates: 1 });
    }

    #[test]
    fn the_reverse_holds_the_same_links() {
        let (graph, _) = graph(&[(0, 1), (0, 2), (1, 2), (3, 2), (2, 0)]);
        assert_eq!(graph.backward().of(2), [0, 1, 3]);
        assert_eq!(graph.backward().of(0), [2]);
        assert_eq!(graph.backward().of(3), [] as [u32; 0]);
    }

    #[test]
    fn only_what_links_lead_to_is_reachable() {
        let (graph, _) = graph(&[(0, 1), (1, 2), (3, 0)]);
        assert_eq!(graph.reachable(&[0]), [true, true, true, false]);
        assert_eq!(graph.reachable(&[]), [false; 4]);
    }
}
