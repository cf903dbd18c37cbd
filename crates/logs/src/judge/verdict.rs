//! Judging: what is left is a visit.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHashSet};
use trodden_mining::MS_PER_DAY;

use super::slots::SiteSlots;
use super::{Observed, url_id};
use crate::clean::{Cleaning, DropReason, Groups};
use crate::hosts::Sites;
use crate::spool::{
    ClientOrSite, NO_URL, Record, Run, RunOrder, ScratchDir, Sorter, Spool, UrlEntry, UrlTable, traits,
};

/// What is left, by day, and what was counted on the way.
#[derive(Debug)]
pub(crate) struct Judged {
    /// Visits, by day.
    pub(crate) visits: Spool,
    /// Lines of each drop reason.
    pub(crate) dropped: [u64; DropReason::ALL.len()],
    pub(crate) visit_lines: u64,
    pub(crate) users: u64,
    pub(crate) urls: u64,
    /// Visits and users of each site.
    pub(crate) sites: FxHashMap<u32, SiteCounts>,
    has_nobody: bool,
}

/// How much was read of a site. All visits without a user are one user's, as nobody knows how many they are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SiteCounts {
    pub(crate) visits: u64,
    named_users: u64,
    has_nobody: bool,
}

impl SiteCounts {
    pub(crate) fn users(&self) -> u64 {
        self.named_users + u64::from(self.has_nobody)
    }

    fn add(&mut self, other: Self) {
        self.visits += other.visits;
        self.named_users += other.named_users;
        self.has_nobody |= other.has_nobody;
    }
}

/// What the judge goes by.
pub(crate) struct Rules<'a> {
    pub(crate) sites: &'a Sites,
    pub(crate) settings: &'a Cleaning,
    pub(crate) observed: &'a Observed,
    /// None where the rule cannot be applied: behind a proxy that names no clients.
    pub(crate) groups: Option<&'a Groups>,
    /// Whether visits are kept, or only counted.
    pub(crate) keep: bool,
}

/// Visits between two looks at the memory: half a megabyte of them.
const CHECKED_VISITS: u64 = 1 << 12;

/// Reads every shard once more. `bytes` is the memory for what is kept.
pub(crate) fn judge(
    spool: &Spool,
    keys: &[u32],
    rules: &Rules<'_>,
    threads: usize,
    bytes: usize,
    scratch: &ScratchDir,
) -> io::Result<Judged> {
    let next = AtomicUsize::new(0);
    let distinct = Mutex::new(Sorter::new(bytes / 4, scratch.clone()));
    let all = Mutex::new(Judged {
        visits: Spool::new(RunOrder::ByDay, scratch.clone()),
        dropped: [0; DropReason::ALL.len()],
        visit_lines: 0,
        users: 0,
        urls: 0,
        sites: FxHashMap::default(),
        has_nobody: false,
    });
    let work = || -> io::Result<()> {
        let mut judge = Judge::new(rules, bytes * 3 / 4 / threads, Spool::new(RunOrder::ByDay, scratch.clone()));
        while let Some((slot, key)) =
            keys.get(next.fetch_add(1, Ordering::Relaxed)).map(|k| (keys.partition_point(|other| other < k), *k))
        {
            judge.shard(spool, key, &rules.observed.facts[slot], &distinct)?;
        }
        judge.hand_on(&distinct)?;
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        judge.spool.keep(judge.run);
        all.visits.absorb(judge.spool);
        all.dropped.iter_mut().zip(judge.dropped).for_each(|(a, b)| *a += b);
        all.visit_lines += judge.visits;
        all.users += judge.users;
        all.has_nobody |= judge.has_nobody;
        for (site, counts) in judge.sites {
            all.sites.entry(site).or_default().add(counts);
        }
        Ok(())
    };
    crate::threads::run(threads, work)?;
    let mut judged = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    judged.users += u64::from(judged.has_nobody);
    let mut last = None;
    distinct.into_inner().unwrap_or_else(PoisonError::into_inner).drain(|url| {
        judged.urls += u64::from(last.replace(url) != Some(url));
    })?;
    Ok(judged)
}

struct Judge<'a> {
    rules: &'a Rules<'a>,
    run_bytes: usize,
    run: Run,
    spool: Spool,
    /// URLs of the run by fingerprint.
    known: HashTable<u32>,
    distinct: FxHashSet<u64>,
    dropped: [u64; DropReason::ALL.len()],
    visits: u64,
    users: u64,
    sites: FxHashMap<u32, SiteCounts>,
    has_nobody: bool,
    user: Option<u64>,
    user_counted: bool,
    slots: SiteSlots,
    /// By the number of the site: the user's facts, and whether there was a visit.
    on_sites: Vec<(u8, bool)>,
}

impl<'a> Judge<'a> {
    fn new(rules: &'a Rules<'a>, run_bytes: usize, spool: Spool) -> Self {
        Self {
            rules,
            run_bytes,
            run: Run::default(),
            spool,
            known: HashTable::new(),
            distinct: FxHashSet::default(),
            dropped: [0; DropReason::ALL.len()],
            visits: 0,
            users: 0,
            sites: FxHashMap::default(),
            has_nobody: false,
            user: None,
            user_counted: false,
            slots: SiteSlots::default(),
            on_sites: Vec::new(),
        }
    }

    fn hand_on(&mut self, distinct: &Mutex<Sorter<u64>>) -> io::Result<()> {
        let mut all = distinct.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken, not drained: an empty set of the old size would still count as full.
        std::mem::take(&mut self.distinct).into_iter().try_for_each(|url| all.push(url))
    }

    fn shard(&mut self, spool: &Spool, key: u32, facts: &[u8], distinct: &Mutex<Sorter<u64>>) -> io::Result<()> {
        let mut facts = facts.iter().copied();
        let mut merge = spool.merge(key)?;
        self.user = None;
        while let Some(item) = merge.next()? {
            let record = item.record;
            if self.user != Some(record.user) || record.is(traits::NOBODY) {
                self.user = Some(record.user);
                self.user_counted = false;
                self.slots.clear();
                self.on_sites.clear();
            }
            if let Some(reason) = record.verdict {
                self.dropped[reason as usize] += 1;
                continue;
            }
            let target = item.urls.entry(record.target);
            let site = self.rules.sites.host(target.host).site;
            // The facts come in the order in which this user came to sites with what could be a visit.
            let slot = self.slots.slot(site);
            if slot == self.on_sites.len() {
                self.on_sites.push((facts.next().unwrap_or_default(), false));
            }
            let user_facts = self.on_sites[slot].0;
            match self.reason(record, target, site, user_facts) {
                Some(reason) => self.dropped[reason as usize] += 1,
                None => {
                    let first = !std::mem::replace(&mut self.on_sites[slot].1, true);
                    self.visit(record, item.urls, site, first, distinct)?;
                }
            }
        }
        Ok(())
    }

    fn reason(&self, record: Record, target: &UrlEntry, site: u32, facts: u8) -> Option<DropReason> {
        let rules = self.rules;
        let reason = if rules.sites.only.is_some_and(|only| only != site) {
            DropReason::OtherSite
        } else if record.is(traits::CLEAN) {
            return None;
        } else if rules.settings.groups && rules.groups.is_some_and(|g| g.dropped.contains(&record.address)) {
            DropReason::Group
        } else if rules.settings.embedded
            && !record.is(traits::DOCUMENT)
            && rules.observed.embedded.contains(url_id(target, rules.sites), site, target.shape)
        {
            DropReason::Embedded
        } else if rules.settings.scanners
            && !record.is(traits::NOBODY)
            && rules.observed.site_users.get(&site).is_some_and(|users| users.is_scanner(facts, rules.settings))
        {
            DropReason::Scanner
        } else {
            return None;
        };
        Some(reason)
    }

    fn visit(
        &mut self,
        record: Record,
        urls: &UrlTable,
        site: u32,
        first: bool,
        distinct: &Mutex<Sorter<u64>>,
    ) -> io::Result<()> {
        self.visits += 1;
        let is_nobody = record.is(traits::NOBODY);
        self.users += u64::from(!self.user_counted && !is_nobody);
        self.user_counted = true;
        self.has_nobody |= is_nobody;
        let named_users = u64::from(first && !is_nobody);
        self.sites.entry(site).or_default().add(SiteCounts { visits: 1, named_users, has_nobody: is_nobody });
        self.distinct.insert(url_id(urls.entry(record.target), self.rules.sites));
        if self.visits.is_multiple_of(CHECKED_VISITS) {
            self.spill_if_full(distinct)?;
        }
        if !self.rules.keep {
            return Ok(());
        }
        let target = self.keep_url(urls, record.target, site);
        let referrer = if record.referrer == NO_URL { NO_URL } else { self.keep_url(urls, record.referrer, site) };
        let visit = Record {
            user: if is_nobody { 0 } else { record.user },
            address: 0,
            target,
            referrer,
            of: ClientOrSite::site(site),
            ..record
        };
        let day = u32::try_from(record.time_ms.div_euclid(MS_PER_DAY)).unwrap_or(0);
        self.run.push(day, visit);
        Ok(())
    }

    fn spill_if_full(&mut self, distinct: &Mutex<Sorter<u64>>) -> io::Result<()> {
        if self.distinct.capacity() * 9 > self.run_bytes / 3 {
            self.hand_on(distinct)?;
        }
        if self.run.heap_bytes() + self.known.allocation_size() > self.run_bytes / 3 * 2 {
            self.spool.spill(&mut self.run)?;
            self.known = HashTable::new();
        }
        Ok(())
    }

    /// The URL in the run of visits. One of another site keeps its origin and nothing else.
    fn keep_url(&mut self, urls: &UrlTable, id: u32, site: u32) -> u32 {
        let entry = urls.entry(id);
        let host = self.rules.sites.host(entry.host);
        let text = if host.site == site { urls.text(entry) } else { "/" };
        let path = if host.site == site { entry.path } else { (0, 0) };
        // Now that hosts are known, the fingerprint covers them, so that an order by it depends on texts only.
        let mark = (path.0 ^ host.fingerprint.0, path.1 ^ host.fingerprint.1);
        let known = &self.run.urls;
        if let Some(found) = self.known.find(mark.1, |k| known.entry(*k).path == mark) {
            return *found;
        }
        let id = self.run.urls.push(UrlEntry::new(host.identity, mark, 0, 0), text);
        let known = &self.run.urls;
        self.known.insert_unique(mark.1, id, |k| known.entry(*k).path.1);
        id
    }
}
