//! How a table is filled: everything is appended, and sorted in the end.
//!
//! A triple is eight bytes, *from* in the upper half, target in the lower; an entrance is a *from* above all pages.
//! Sorted, equal ones lie side by side and are counted, transits come out in their order, and entrances last. No hash map
//! of pairs: it would hold thrice the memory, and every triple would be a cache miss.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

use super::texts::Texts;
use super::{SLICES, SiteTable, Slices, UrlCounts};
use crate::{Entrance, From, Triple};

/// Numbers from here up are entrances, not pages.
const ENTRANCES_FROM: u32 = u32::MAX - 3;

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

/// Counts of URLs by their places, and transits.
fn count(
    mut waiting: Vec<u64>,
    counted: Vec<(u64, u64)>,
    rank: &[u32],
    urls: usize,
    threads: usize,
) -> (Vec<UrlCounts>, Vec<(u32, u32, u64)>) {
    let renumbered = |triple: u64| {
        let (from, target) = unpack(triple);
        let from = if from < ENTRANCES_FROM { rank[from as usize] } else { from };
        pack(from, rank[target as usize])
    };
    waiting.iter_mut().for_each(|t| *t = renumbered(*t));
    sort(&mut waiting, threads);
    let mut counted: Vec<_> = counted.into_iter().map(|(t, n)| (renumbered(t), n)).collect();
    counted.sort_unstable();
    let mut counts = vec![UrlCounts::default(); urls];
    let mut transits: Vec<(u32, u32, u64)> = Vec::new();
    for (triple, n) in merged(runs(&waiting), counted.into_iter()) {
        let (from, target) = unpack(triple);
        counts[target as usize].visits += n;
        match from.checked_sub(ENTRANCES_FROM) {
            Some(entrance) => counts[target as usize].entrances[entrance as usize] += n,
            None => {
                counts[from as usize].referrals += n;
                match transits.last_mut() {
                    Some(last) if (last.0, last.1) == (from, target) => last.2 += n,
                    _ => transits.push((from, target, n)),
                }
            }
        }
    }
    drop(waiting);
    transits.shrink_to_fit();
    (counts, transits)
}

fn pack(upper: u32, lower: u32) -> u64 {
    u64::from(upper) << 32 | u64::from(lower)
}

fn unpack(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

fn bump(counts: &mut Vec<u32>, id: u32) {
    if counts.len() <= id as usize {
        counts.resize(id as usize + 1, 0);
    }
    counts[id as usize] += 1;
}

/// So many numbers are worth a thread of their own.
const MANY_NUMBERS: usize = 1 << 18;

/// Sorts, by several threads if there is much: what belongs into the halves is told apart first.
fn sort(numbers: &mut [u64], threads: usize) {
    if threads < 2 || numbers.len() < MANY_NUMBERS {
        return numbers.sort_unstable();
    }
    let middle = numbers.len() / 2;
    numbers.select_nth_unstable(middle);
    let (low, high) = numbers.split_at_mut(middle);
    std::thread::scope(|scope| {
        scope.spawn(|| sort(low, threads / 2));
        sort(high, threads - threads / 2);
    });
}

/// Equal neighbors, counted.
fn runs(sorted: &[u64]) -> impl Iterator<Item = (u64, u64)> {
    sorted.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64))
}

/// Two ascending lists as one.
fn merged(
    a: impl Iterator<Item = (u64, u64)>,
    b: impl Iterator<Item = (u64, u64)>,
) -> impl Iterator<Item = (u64, u64)> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(x), Some(y)) if y < x => b.next(),
        (Some(_), _) => a.next(),
        _ => b.next(),
    })
}

/// The texts in order, each once, and the place of every number in it.
fn in_order(texts: &Texts, threads: usize) -> (Texts, Vec<u32>) {
    let mut rank = vec![0; texts.len()];
    let mut sorted = Texts::with_capacity(texts.len(), texts.bytes());
    let mut last = None;
    texts.in_order(threads, |id, text| {
        let place = match last {
            Some((before, place)) if before == text => place,
            _ => sorted.push(text),
        };
        last = Some((text, place));
        rank[id as usize] = place;
    });
    sorted.shrink_to_fit();
    (sorted, rank)
}

/// Sorts readers, and keeps so many of each URL.
fn keep_smallest(readers: &mut Vec<u64>, kept: usize) {
    readers.sort_unstable();
    let (mut target, mut n) = (None, 0);
    readers.retain(|r| {
        n = if target.replace(r >> 32) == Some(r >> 32) { n + 1 } else { 1 };
        n <= kept
    });
}

/// Users without a name, by URL; empty if there are none.
struct Unnamed<'u> {
    /// Visits of each URL by nobody: together one user.
    nobodies: &'u [u32],
    /// Users of each URL that are only counted.
    crowds: &'u [u32],
}

/// Readers by URL: those with a name; then, where there is room, the one who stands for all without; then those who are only
/// counted, the same few for every URL. Also how many users there are in all.
fn with_unnamed(
    named: &[u64],
    unnamed: &Unnamed<'_>,
    urls: usize,
    kept: usize,
    named_users: u32,
) -> (Vec<u32>, Vec<usize>, u64) {
    let mut readers = Vec::with_capacity(named.len());
    let mut ends = Vec::with_capacity(urls);
    let mut rest = named;
    for id in 0..urls {
        let (own, others) = rest.split_at(rest.iter().take_while(|r| **r >> 32 == id as u64).count());
        rest = others;
        readers.extend(own.iter().map(|r| unpack(*r).1));
        let mut room = kept.saturating_sub(own.len());
        if room > 0 && unnamed.nobodies.get(id).is_some_and(|n| *n > 0) {
            readers.push(named_users);
            room -= 1;
        }
        let crowd = unnamed.crowds.get(id).map_or(0, |n| room.min(*n as usize)) as u32;
        readers.extend((1..=crowd).map(|n| named_users.saturating_add(n)));
        ends.push(readers.len());
    }
    readers.shrink_to_fit();
    let is_nobody = unnamed.nobodies.iter().any(|n| *n > 0);
    let crowd = unnamed.crowds.iter().copied().max().unwrap_or(0);
    (readers, ends, u64::from(named_users) + u64::from(is_nobody) + u64::from(crowd))
}

const _: () = assert!(Entrance::ALL.len() as u32 == u32::MAX - ENTRANCES_FROM + 1);
