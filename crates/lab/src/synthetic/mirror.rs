//! What would someone see who copied the whole site at one moment?

use super::time::Moment;
use super::{MadePage, Site};
use crate::graph::{LinkGraph, LinkGraphBuilder, PageId};

/// The site as it stands at a time. Pages are numbered anew, without those not yet born.
#[derive(Debug)]
pub struct SyntheticMirror {
    /// Absolute URLs, by number in the mirror.
    pub urls: Vec<String>,
    /// Numbers on the site, by number in the mirror; ascending.
    pub pages: Vec<PageId>,
    /// Links between them.
    pub links: LinkGraph,
    /// Where a crawl starts: the home page.
    pub start: PageId,
}

impl SyntheticMirror {
    /// The number in the mirror of a page of the site; none if it was not born.
    pub fn find(&self, page: PageId) -> Option<PageId> {
        self.pages.binary_search(&page).ok().map(|at| at as PageId)
    }
}

impl Site {
    /// The site as it stands at a time; normally [`Site::end`].
    pub fn mirror_at(&self, time: Moment) -> SyntheticMirror {
        let born = |page: &MadePage| page.born <= time;
        let pages: Vec<PageId> = (0..).zip(&self.pages).filter(|(_, page)| born(page)).map(|(id, _)| id).collect();
        let mut renumbered = vec![0; self.pages.len()];
        (0..).zip(&pages).for_each(|(number, &page)| renumbered[page as usize] = number);
        let mut builder = LinkGraphBuilder::default();
        let mut links = Vec::new();
        for (number, &page) in (0..).zip(&pages) {
            builder.page(number);
            self.links_into(page, time, &mut links);
            links.iter().for_each(|link| builder.link(number, renumbered[link.to as usize]));
        }
        let (links, _) = builder.finish().expect("a few dozen links a page are fewer than 2^32");
        SyntheticMirror {
            urls: pages.iter().map(|&page| self.url(page)).collect(),
            links,
            start: renumbered[Self::HOME as usize],
            pages,
        }
    }
}
