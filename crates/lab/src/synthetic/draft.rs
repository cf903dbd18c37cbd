//! How is the site put together? Each section adds its pages, fixed links and listings to a draft; what is common to
//! all (topic pages, related items, navigation) is added last. Sections draw from chance of their own, so that a
//! change to one leaves the others as they were.

use rustc_hash::FxHashSet;

use super::page::{Block, MadePage, Role, Section, Shows};
use super::stream::Stream;
use super::time::Moment;
use super::topics::{MadeTopic, TOPICS};
use crate::chance::Chance;
use crate::graph::PageId;

/// Days that the site is older than its log.
pub(super) const DAYS_BEFORE: i64 = 300;

/// A link that stays where it is from the moment it appears.
#[derive(Clone, Copy, Debug)]
pub(super) struct FixedLink {
    pub(super) to: PageId,
    pub(super) block: Block,
    pub(super) since: Moment,
}

/// A section, as the others see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Where it begins.
    pub(super) front: PageId,
    /// The listing of its items.
    pub(super) newest: usize,
}

/// A site in the making.
pub(super) struct Draft {
    pub(super) seed: u64,
    pub(super) scale: f64,
    pub(super) days: i64,
    pub(super) end: Moment,
    pub(super) pages: Vec<MadePage>,
    pub(super) fixed: Vec<(PageId, FixedLink)>,
    pub(super) streams: Vec<Stream>,
    /// Lists of (listing, how many of its newest).
    pub(super) heads: Vec<Vec<(usize, usize)>>,
    pub(super) revisions: Vec<(PageId, Moment)>,
    /// Items of all sections, by topic.
    pub(super) by_topic: Vec<Vec<PageId>>,
    taken: FxHashSet<String>,
}

impl Draft {
    pub(super) fn new(seed: u64, scale: f64, days: u32) -> Self {
        Self {
            seed,
            scale,
            days: days.into(),
            end: Moment::START.plus_days(days.into()),
            pages: Vec::new(),
            fixed: Vec::new(),
            streams: Vec::new(),
            heads: Vec::new(),
            revisions: Vec::new(),
            by_topic: vec![Vec::new(); TOPICS],
            taken: FxHashSet::default(),
        }
    }

    /// When the site was put up.
    pub(super) fn founded() -> Moment {
        Moment::START.plus_days(-DAYS_BEFORE)
    }

    /// A section's own chance.
    pub(super) fn chance(&self, section: Section) -> Chance {
        Chance::stream(self.seed, section as u64)
    }

    /// So many, at scale 1; at least one.
    pub(super) fn size(&self, at_scale_one: usize) -> usize {
        ((at_scale_one as f64 * self.scale + 0.5) as usize).max(1)
    }

    /// So many births before the log begins and so many a day from then on, in order.
    pub(super) fn births(&self, before: usize, a_day: f64, chance: &mut Chance) -> Vec<Moment> {
        let (before, since) = (self.size(before), self.size((a_day * self.days as f64) as usize));
        let old = (0..before).map(|_| (Self::founded(), Moment::START));
        let new = (0..since).map(|_| (Moment::START, self.end));
        let mut births: Vec<Moment> = old.chain(new).map(|(from, to)| Moment::between(from, to, chance)).collect();
        births.sort_unstable();
        births
    }

    /// Adds a page. If its path is taken, it gets a number.
    pub(super) fn add(&mut self, mut page: MadePage) -> PageId {
        if !self.taken.insert(page.path.clone()) {
            let (stem, ending) = match page.path.strip_suffix(".html") {
                Some(stem) => (stem.to_owned(), ".html"),
                None => (page.path.clone(), ""),
            };
            let free = (2..).map(|n| format!("{stem}-{n}{ending}")).find(|path| !self.taken.contains(path));
            page.path = free.expect("numbers do not end");
            self.taken.insert(page.path.clone());
        }
        let id = self.pages.len() as PageId;
        if let (Role::Item, Some(topic)) = (page.role, page.topic)
            && !matches!(page.section, Section::Profiles | Section::Records)
        {
            self.by_topic[topic.index()].push(id);
        }
        self.pages.push(page);
        id
    }

    pub(super) fn born(&self, page: PageId) -> Moment {
        self.pages[page as usize].born
    }

    /// Adds a link that appears as soon as both ends are there.
    pub(super) fn link(&mut self, from: PageId, to: PageId, block: Block) {
        self.link_since(from, to, block, Draft::founded());
    }

    /// Adds a link that appears at a time, or when both ends are there.
    pub(super) fn link_since(&mut self, from: PageId, to: PageId, block: Block, since: Moment) {
        let since = since.max(self.born(from)).max(self.born(to));
        self.fixed.push((from, FixedLink { to, block, since }));
    }

    /// Lists items, newest first: the first page of the listing is there already, the others are made as needed. Their
    /// number, from 2, goes into `path`.
    pub(super) fn listing(
        &mut self,
        front: PageId,
        mut items: Vec<PageId>,
        per_page: usize,
        mut path: impl FnMut(usize) -> String,
    ) -> usize {
        items.sort_by_key(|&item| (self.born(item), item));
        let born = items.iter().map(|&item| self.born(item)).collect();
        let mut stream = Stream::new(items, born, per_page);
        let number_of_stream = self.streams.len();
        for number in 0..stream.pages_needed() {
            let page = match stream.page_born(number) {
                None => front,
                Some(born) => {
                    let first = &self.pages[front as usize];
                    let title = format!("{}, page {}", first.title, number + 1);
                    let page = MadePage::new(first.section, Role::Listing, path(number + 1), title).about(first.topic);
                    self.add(page.born(born).appeal(1.5))
                }
            };
            self.pages[page as usize].shows = Shows::Window { stream: number_of_stream, number };
            stream.pages.push(page);
        }
        self.streams.push(stream);
        number_of_stream
    }

    /// Lets the items of a listing lead to the ones before and after, and back to its front.
    pub(super) fn leaf_through(&mut self, listing: usize) {
        let front = self.streams[listing].pages[0];
        let items = self.streams[listing].until(self.end).to_vec();
        for (index, item) in items.into_iter().enumerate() {
            self.pages[item as usize].shows = Shows::Beside { stream: listing, index };
            self.link(item, front, Block::Aside);
        }
    }

    /// Lets a page show the newest of several listings.
    pub(super) fn show_heads(&mut self, page: PageId, heads: Vec<(usize, usize)>) {
        self.pages[page as usize].shows = Shows::Heads { list: self.heads.len() };
        self.heads.push(heads);
    }

    /// Changes a page's text a few times.
    pub(super) fn revise(&mut self, page: PageId, times: usize, chance: &mut Chance) {
        for _ in 0..times {
            let at = Moment::between(self.born(page), self.end, chance);
            self.revisions.push((page, at));
        }
    }
}

impl MadePage {
    /// A page as old as the site, about everything.
    pub(super) fn new(section: Section, role: Role, path: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            title: title.into(),
            section,
            role,
            topic: None,
            born: Draft::founded(),
            appeal: 1.0,
            shows: Shows::Nothing,
        }
    }

    pub(super) fn about(self, topic: impl Into<Option<MadeTopic>>) -> Self {
        Self { topic: topic.into(), ..self }
    }

    pub(super) fn born(self, born: Moment) -> Self {
        Self { born, ..self }
    }

    pub(super) fn appeal(self, appeal: f64) -> Self {
        Self { appeal, ..self }
    }
}
