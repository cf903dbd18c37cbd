//! From visits in any order to a trace.

use super::{AGAIN, MOST_PAGES, MOST_READERS, Trace};

/// Visits that become a trace.
#[derive(Debug, Default)]
pub struct TraceBuilder {
    visits: Vec<Visited>,
    users: u32,
}

/// A user read a page at a time. In the order of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Visited {
    user: u32,
    page: u32,
    time_ms: i64,
}

impl TraceBuilder {
    /// A user who comes for the first time.
    pub fn new_user(&mut self) -> u32 {
        self.users += 1;
        self.users - 1
    }

    /// A user, as [`new_user`](Self::new_user) gave them, read a page. Numbers that no trace can hold are left out.
    pub fn add(&mut self, user: u32, page: u32, time_ms: i64) {
        if page < MOST_PAGES && user < self.users && self.visits.len() < u32::MAX as usize {
            self.visits.push(Visited { user, page, time_ms });
        }
    }

    /// The trace of all of it.
    pub fn finish(self) -> Trace {
        let Self { mut visits, .. } = self;
        visits.sort_unstable_by_key(|visit| (visit.user, visit.time_ms, visit.page));
        visits.dedup_by_key(|visit| (visit.user, visit.page, visit.time_ms));
        let mut users: Vec<&[Visited]> = visits.chunk_by(|a, b| a.user == b.user).collect();
        let key = |visit: &Visited| (visit.time_ms, visit.page);
        users.sort_by(|a, b| a.iter().map(key).cmp(b.iter().map(key)));
        let (mut starts, mut accesses) = (vec![0], Vec::with_capacity(visits.len()));
        let mut read = Vec::new();
        for visits in users {
            let begin = accesses.len();
            accesses.extend(visits.iter().map(|visit| visit.page));
            dedup_from(&mut accesses, begin);
            mark_again(&mut accesses[begin..], &mut read);
            starts.push(accesses.len() as u32);
        }
        accesses.shrink_to_fit();
        let (page_starts, places) = places_by_page(&accesses);
        Trace { starts, accesses, page_starts, places }
    }
}

/// Leaves out what is the same as what stands before it, from a place on.
fn dedup_from(accesses: &mut Vec<u32>, begin: usize) {
    let mut kept = begin;
    for at in begin..accesses.len() {
        if kept == begin || accesses[kept - 1] != accesses[at] {
            accesses[kept] = accesses[at];
            kept += 1;
        }
    }
    accesses.truncate(kept);
}

/// Marks all accesses to a page but the first. `read` is kept for its memory.
fn mark_again(accesses: &mut [u32], read: &mut Vec<(u32, u32)>) {
    read.clear();
    read.extend((0..).zip(accesses.iter()).map(|(at, page)| (*page, at)));
    read.sort_unstable();
    for again in read.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        accesses[again[1].1 as usize] |= AGAIN;
    }
}

/// By page, where it stands: of too many places, every so many-th.
fn places_by_page(accesses: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let pages = accesses.iter().map(|access| (access & !AGAIN) + 1).max().unwrap_or(0) as usize;
    let mut counts = vec![0_u32; pages];
    accesses.iter().for_each(|access| counts[(access & !AGAIN) as usize] += 1);
    let mut page_starts = Vec::with_capacity(pages + 1);
    page_starts.push(0_u32);
    let mut end = 0;
    for count in &counts {
        end += (*count).min(MOST_READERS as u32);
        page_starts.push(end);
    }
    let mut places = vec![0_u32; end as usize];
    let mut seen = vec![0_u32; pages];
    for (place, access) in (0..).zip(accesses) {
        let page = (access & !AGAIN) as usize;
        let (of, all) = (u64::from(seen[page]), u64::from(counts[page]));
        seen[page] += 1;
        // The k-th of those that are kept is the first at or after k/MOST of all.
        let kept = all.min(MOST_READERS as u64);
        let rank = of * kept / all;
        let is_kept = of == 0 || rank != (of - 1) * kept / all;
        if is_kept {
            places[page_starts[page] as usize + rank as usize] = place;
        }
    }
    (page_starts, places)
}
