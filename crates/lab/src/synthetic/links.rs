//! What does a page link to at a time, and when does it change?

use super::page::{Block, MadeLink, Shows};
use super::time::Moment;
use super::{FixedLink, Site};
use crate::graph::PageId;

impl Site {
    /// What a page links to at a time, in the order of the page; some pages twice. Empty before it is born.
    pub fn links_at(&self, page: PageId, time: Moment) -> Vec<MadeLink> {
        let mut links = Vec::new();
        self.links_into(page, time, &mut links);
        links
    }

    /// The same, into a list that is emptied first.
    pub(super) fn links_into(&self, page: PageId, time: Moment, out: &mut Vec<MadeLink>) {
        out.clear();
        if self.page(page).born > time {
            return;
        }
        let mut push = |to: PageId, block: Block| {
            if to != page {
                out.push(MadeLink { to, block });
            }
        };
        self.header.iter().for_each(|&to| push(to, Block::Header));
        match self.page(page).shows {
            Shows::Nothing => {}
            Shows::Window { stream, number } => {
                let stream = &self.streams[stream];
                stream.window(number, time).for_each(|to| push(to, Block::Body));
                stream.pager(number, time).for_each(|to| push(to, Block::Pager));
                stream.ends(time).into_iter().for_each(|to| push(to, Block::Ends));
            }
            Shows::Beside { stream, index } => {
                self.streams[stream].beside(index, time).for_each(|to| push(to, Block::Aside));
            }
            Shows::Heads { list } => {
                for &(stream, shown) in &self.heads[list] {
                    self.streams[stream].until(time).iter().rev().take(shown).for_each(|&to| push(to, Block::Body));
                }
            }
        }
        self.fixed_links(page).iter().filter(|link| link.since <= time).for_each(|link| push(link.to, link.block));
        self.footer.iter().for_each(|&to| push(to, Block::Footer));
    }

    /// All moments after its birth at which a page's bytes change, or may do so.
    pub fn changes(&self, page: PageId) -> Vec<Moment> {
        let mut changes: Vec<Moment> = self.revisions(page).iter().map(|revision| revision.1).collect();
        changes.extend(self.fixed_links(page).iter().map(|link| link.since));
        match self.page(page).shows {
            Shows::Nothing => {}
            Shows::Window { stream, .. } => changes.extend(self.streams[stream].births()),
            Shows::Beside { stream, index } => changes.extend(self.streams[stream].births_beside(index)),
            Shows::Heads { list } => {
                self.heads[list].iter().for_each(|&(stream, _)| changes.extend(self.streams[stream].births()));
            }
        }
        let born = self.page(page).born;
        changes.retain(|&at| at > born);
        changes.sort_unstable();
        changes.dedup();
        changes
    }

    /// How often a page's own text was changed until a time.
    pub(super) fn edition(&self, page: PageId, time: Moment) -> usize {
        self.revisions(page).partition_point(|revision| revision.1 <= time)
    }

    fn revisions(&self, page: PageId) -> &[(PageId, Moment)] {
        let from = self.revisions.partition_point(|revision| revision.0 < page);
        let to = self.revisions.partition_point(|revision| revision.0 <= page);
        &self.revisions[from..to]
    }

    fn fixed_links(&self, page: PageId) -> &[FixedLink] {
        let page = page as usize;
        &self.fixed[self.offsets[page] as usize..self.offsets[page + 1] as usize]
    }
}
