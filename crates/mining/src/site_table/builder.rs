//! How a table is filled: everything is appended, and sorted in the end.
//!
//! A triple is eight bytes, *from* in the upper half, target in the lower; an entrance is a *from* above all pages.
//! Sorted, equal ones lie side by side and are counted, transits come out in their order, and entrances last. No hash map
//! of pairs: it would hold thrice the memory, and every triple would be a cache miss.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

use super::sorting::{Unnamed, count, in_order, keep_smallest, merged, pack, runs, unpack, with_unnamed};
use super::texts::Texts;
use super::{SLICES, SiteTable, Slices};
use crate::{Entrance, From, Triple};

/// Numbers from here up are entrances, not pages.
pub(super) const ENTRANCES_FROM: u32 = u32::MAX - 3;

/// So many triples wait at most before equal ones are counted together: 128 MiB.
const MAX_WAITING: usize = 1 << 24;

/// Fewer are not worth it: each counting goes through all that were counted before.
const MIN_WAITING: usize = 1 << 18;

/// So many readers wait at least before those are dropped that are not kept.
const MIN_READERS: usize = 1 << 20;

/// Fills a table.
#[derive(Debug)]
pub struct SiteTableBuilder {
    texts: Texts,
    /// The texts that were looked for.
    table: HashTable<u32>,
    /// Triples not counted yet.
    waiting: Vec<u64>,
    max_waiting: usize,
    /// Triples that were, in order.
    counted: Vec<(u64, u64)>,
    /// Visits of each URL by slice; shorter than the texts where the last have none.
    slices: Vec<Slices>,
    /// Different users of each URL; shorter than the texts where the last have none.
    users: Vec<u32>,
    /// Visits of each URL without a user: for whoever counts users, all of them are one.
    nobodies: Vec<u32>,
    /// Triples that come with their number, in any order.
    views: Vec<(u64, u64)>,
    /// Users of each URL that are only counted: at least so many.
    crowds: Vec<u32>,
    /// Target in the upper half, user in the lower.
    readers: Vec<u64>,
    readers_limit: usize,
    kept_readers: u32,
    named_users: u32,
    known: Vec<u32>,
    is_public: bool,
}

impl SiteTableBuilder {
    /// An empty table that will keep up to so many readers of every URL.
    pub fn new(kept_readers: u32) -> Self {
        Self {
            texts: Texts::default(),
            table: HashTable::new(),
            waiting: Vec::new(),
            max_waiting: MAX_WAITING,
            counted: Vec::new(),
            slices: Vec::new(),
            users: Vec::new(),
            nobodies: Vec::new(),
            views: Vec::new(),
            crowds: Vec::new(),
            readers: Vec::new(),
            readers_limit: MIN_READERS,
            kept_readers,
            named_users: 0,
            known: Vec::new(),
            is_public: false,
        }
    }

    /// Lets triples wait in so many bytes at most before equal ones are counted together.
    #[must_use]
    pub fn with_waiting_bytes(mut self, bytes: u64) -> Self {
        let triples = usize::try_from(bytes / size_of::<u64>() as u64).unwrap_or(MAX_WAITING);
        self.max_waiting = triples.clamp(MIN_WAITING, MAX_WAITING);
        self
    }

    /// The number of a URL while the table is filled.
    pub fn url(&mut self, text: &str) -> u32 {
        let hash = xxh3_64(text.as_bytes());
        let Self { texts, table, .. } = self;
        if let Some(id) = table.find(hash, |&id| texts.get(id) == text) {
            return *id;
        }
        let id = texts.push(text);
        table.insert_unique(hash, id, |&id| xxh3_64(texts.get(id).as_bytes()));
        id
    }

    /// The number of a URL that has none yet, for those who know: nothing is looked up. Numbers of one text that was
    /// added twice become one URL in the end, with the sum of their counts.
    pub fn new_url(&mut self, text: &str) -> u32 {
        self.texts.push(text)
    }

    /// The number of a URL that the operator gave, visited or not.
    pub fn known(&mut self, text: &str) -> u32 {
        let id = self.url(text);
        self.known.push(id);
        id
    }

    /// All URLs so far are known: the operator says that they are public.
    pub fn all_known(&mut self) {
        self.known = (0..self.texts.len() as u32).collect();
        self.is_public = true;
    }

    /// Adds a triple of numbers that [`SiteTableBuilder::url`] gave, as if it were of the last slice.
    pub fn add(&mut self, triple: Triple) {
        self.add_in(triple, SLICES - 1);
    }

    /// Adds a triple of a slice of time, the oldest being 0.
    pub fn add_in(&mut self, triple: Triple, slice: usize) {
        let target = triple.target as usize;
        if self.slices.len() <= target {
            self.slices.resize(target + 1, Slices::default());
        }
        self.slices[target][slice] += 1;
        let from = match triple.from {
            From::Page(page) => page,
            From::Outside(entrance) => ENTRANCES_FROM + entrance as u32,
        };
        if self.waiting.len() >= self.max_waiting {
            self.count_waiting();
        }
        self.waiting.push(pack(from, triple.target));
    }

    /// A user visited a URL. To be called once a user and URL; users are numbered 0, 1, 2, … within the site.
    pub fn add_user(&mut self, target: u32, user: u32) {
        bump(&mut self.users, target);
        self.named_users = self.named_users.max(user.saturating_add(1));
        let kept = self.kept_readers as usize;
        let last = &self.readers[self.readers.len().saturating_sub(kept)..];
        // Readers mostly come URL by URL, in order: then those beyond the kept ones never wait.
        if last.len() == kept && last.iter().all(|r| *r >> 32 == u64::from(target) && *r < pack(target, user)) {
            return;
        }
        if self.readers.len() >= self.readers_limit {
            keep_smallest(&mut self.readers, kept);
            self.readers_limit = (self.readers.len() * 2).max(MIN_READERS);
        }
        self.readers.push(pack(target, user));
    }

    /// Somebody without a name visited a URL. Nobody knows how many they are, so all of them together are one user:
    /// five visits by nobody may be one person's, and must not name a URL.
    pub fn add_nobody(&mut self, target: u32) {
        bump(&mut self.nobodies, target);
    }

    /// So many views of a URL by at least so many users, of which nothing else is known: a row of a page-view export.
    ///
    /// Two rows may count the same people, so rows are united as if they did: a set of URLs has as many such users as the
    /// URL of it that has most. That is the smallest number that fits, and the one that names nobody too soon.
    pub fn add_views(&mut self, target: u32, slice: usize, views: u64, users: u64) {
        let place = target as usize;
        if self.slices.len() <= place {
            self.slices.resize(place + 1, Slices::default());
        }
        let of_slice = &mut self.slices[place][slice];
        *of_slice = of_slice.saturating_add(u32::try_from(views).unwrap_or(u32::MAX));
        self.views.push((pack(ENTRANCES_FROM + Entrance::Direct as u32, target), views));
        if self.crowds.len() <= place {
            self.crowds.resize(place + 1, 0);
        }
        self.crowds[place] = self.crowds[place].max(u32::try_from(users).unwrap_or(u32::MAX)).max(1);
    }

    #[cfg(test)]
    pub(super) fn count_early(&mut self) {
        self.count_waiting();
    }

    fn count_waiting(&mut self) {
        self.waiting.sort_unstable();
        let mut all: Vec<(u64, u64)> = Vec::with_capacity(self.counted.len());
        for (triple, n) in merged(runs(&self.waiting), std::mem::take(&mut self.counted).into_iter()) {
            match all.last_mut() {
                Some(last) if last.0 == triple => last.1 += n,
                _ => all.push((triple, n)),
            }
        }
        self.counted = all;
        self.waiting.clear();
    }

    /// The table, with URLs in the order of their texts.
    pub fn finish(self, site: String) -> SiteTable {
        self.finish_on(1, site)
    }

    /// The same, by so many threads at most where there is much to sort.
    pub fn finish_on(self, threads: usize, site: String) -> SiteTable {
        let Self {
            texts,
            table,
            waiting,
            mut counted,
            slices,
            users,
            nobodies,
            views,
            crowds,
            readers,
            kept_readers,
            ..
        } = self;
        drop(table);
        counted.extend(views);
        let (urls, rank) = in_order(&texts, threads);
        drop(texts);
        let place = |id: u32| rank[id as usize];

        let mut alone = vec![0_u32; if nobodies.is_empty() { 0 } else { urls.len() }];
        (0..).zip(&nobodies).for_each(|(id, n)| alone[place(id) as usize] += n);
        let mut by_crowd = vec![0_u32; if crowds.is_empty() { 0 } else { urls.len() }];
        for (id, n) in (0..).zip(&crowds) {
            let of_url = &mut by_crowd[place(id) as usize];
            *of_url = (*of_url).max(*n);
        }
        let unnamed = Unnamed { nobodies: &alone, crowds: &by_crowd };
        let by_url = || {
            let mut readers = readers;
            readers.iter_mut().for_each(|r| *r = pack(place(unpack(*r).0), unpack(*r).1));
            keep_smallest(&mut readers, kept_readers as usize);
            with_unnamed(&readers, &unnamed, urls.len(), kept_readers as usize, self.named_users)
        };
        let count = || count(waiting, counted, &rank, urls.len(), threads);
        let ((mut counts, transits), (readers, reader_ends, all_users)) = if threads > 1 && rank.len() > MANY_URLS {
            std::thread::scope(|scope| {
                let by_url = scope.spawn(by_url);
                (count(), by_url.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })
        } else {
            (count(), by_url())
        };
        for (id, slices) in (0..).zip(&slices) {
            let all = &mut counts[place(id) as usize].slices;
            all.iter_mut().zip(slices).for_each(|(all, n)| *all = all.saturating_add(*n));
        }
        for (id, n) in (0..).zip(users).chain((0..).zip(nobodies.into_iter().map(|n| n.min(1)))) {
            counts[place(id) as usize].users += u64::from(n);
        }
        counts.iter_mut().zip(&by_crowd).for_each(|(counts, n)| counts.users += u64::from(*n));
        let mut known = Vec::new();
        if !self.known.is_empty() {
            known = vec![0_u64; urls.len().div_ceil(64)];
            self.known.iter().map(|id| place(*id)).for_each(|id| known[id as usize / 64] |= 1 << (id % 64));
        }
        let visits = counts.iter().map(|c| c.visits).sum();
        let (users, is_public) = (all_users, self.is_public);
        SiteTable { site, urls, counts, transits, readers, reader_ends, kept_readers, known, is_public, users, visits }
    }
}

/// So many URLs are worth two threads.
const MANY_URLS: usize = 1 << 16;

fn bump(counts: &mut Vec<u32>, id: u32) {
    if counts.len() <= id as usize {
        counts.resize(id as usize + 1, 0);
    }
    counts[id as usize] += 1;
}

const _: () = assert!(Entrance::ALL.len() as u32 == u32::MAX - ENTRANCES_FROM + 1);
