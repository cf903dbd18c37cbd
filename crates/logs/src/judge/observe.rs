//! What do users and URLs do? One pass over every shard.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::slots::SiteSlots;
use super::{url_id, url_id_of};
use crate::clean::{Cleaning, Embedded, FollowWindow, SiteUsers, UrlTallies, UrlTally, UserOnSite};
use crate::hosts::Sites;
use crate::spool::{NO_URL, Record, ScratchDir, Sorter, Spool, traits};

/// What the judge needs to know.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    /// URLs that pages load.
    pub(crate) embedded: Embedded,
    /// How users of each site behave.
    pub(crate) site_users: FxHashMap<u32, SiteUsers>,
    /// Facts about each user on each site, shard by shard, in the order in which a reading meets them: one byte
    /// each, so that a hundred million users fit.
    pub(crate) facts: Vec<Vec<u8>>,
}

/// Requests of one user in one instant that are looked at together; more are an attack, or a log without a clock.
const MAX_INSTANT: usize = 1 << 16;

/// Tallies that a thread holds before it hands them on.
const HELD_TALLIES: usize = 1 << 20;

/// Reads every shard once. `bytes` is the memory for tallies.
pub(crate) fn observe(
    spool: &Spool,
    keys: &[u32],
    sites: &Sites,
    settings: &Cleaning,
    threads: usize,
    bytes: usize,
    scratch: ScratchDir,
) -> io::Result<Observed> {
    let tallies = Mutex::new(Sorter::new(bytes / 2, scratch));
    let held = (bytes / 2 / threads / 64).clamp(1 << 12, HELD_TALLIES);
    let site_users = Mutex::new(FxHashMap::default());
    let facts = Mutex::new(vec![Vec::new(); keys.len()]);
    let next = AtomicUsize::new(0);
    let work = || -> io::Result<()> {
        let mut observer = Observer {
            sites,
            settings,
            urls: UrlTallies::default(),
            site_users: FxHashMap::default(),
            user: UserState::default(),
        };
        while let Some((slot, key)) =
            keys.get(next.fetch_add(1, Ordering::Relaxed)).map(|k| (keys.partition_point(|other| other < k), *k))
        {
            let found = observer.shard(spool, key, &tallies, held)?;
            facts.lock().unwrap_or_else(PoisonError::into_inner)[slot] = found;
        }
        observer.urls.hand_on(&mut tallies.lock().unwrap_or_else(PoisonError::into_inner))?;
        let mut all: std::sync::MutexGuard<'_, FxHashMap<u32, SiteUsers>> =
            site_users.lock().unwrap_or_else(PoisonError::into_inner);
        observer.site_users.into_iter().for_each(|(site, users)| all.entry(site).or_default().add(users));
        Ok(())
    };
    crate::threads::run(threads, work)?;
    let embedded = if settings.embedded {
        Embedded::of(tallies.into_inner().unwrap_or_else(PoisonError::into_inner), settings)?
    } else {
        Embedded::default()
    };
    Ok(Observed {
        embedded,
        site_users: site_users.into_inner().unwrap_or_else(PoisonError::into_inner),
        facts: facts.into_inner().unwrap_or_else(PoisonError::into_inner),
    })
}

struct Observer<'a> {
    sites: &'a Sites,
    settings: &'a Cleaning,
    urls: UrlTallies,
    site_users: FxHashMap<u32, SiteUsers>,
    user: UserState,
}

/// The user who is being read.
#[derive(Default)]
struct UserState {
    user: Option<u64>,
    window: FollowWindow,
    /// Requests of the same instant, whose referrers are looked up when all of them are in the window.
    instant: Vec<Request>,
    slots: SiteSlots,
    /// By the number of the site.
    on_sites: Vec<UserOnSite>,
    /// The numbers of sites with something that could be a visit, in the order in which the judge meets them.
    judged_sites: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Request {
    /// The page it comes from; none sorts first.
    referrer: Option<u64>,
    url: u64,
    shape: u64,
    site: u32,
    /// The number of the site.
    slot: usize,
    time_ms: i64,
    /// Whether nothing speaks against a page so far.
    candidate: bool,
}

impl Observer<'_> {
    fn shard(
        &mut self,
        spool: &Spool,
        key: u32,
        tallies: &Mutex<Sorter<UrlTally>>,
        held: usize,
    ) -> io::Result<Vec<u8>> {
        let mut facts = Vec::new();
        let mut merge = spool.merge(key)?;
        while let Some(item) = merge.next()? {
            let record = item.record;
            if self.user.user != Some(record.user) || record.is(traits::NOBODY) {
                self.close_user(&mut facts);
                self.user.user = Some(record.user);
            }
            if record.target == NO_URL {
                continue;
            }
            let target = item.urls.entry(record.target);
            let site = self.sites.host(target.host).site;
            let referrer = url_id_of(record.referrer, item.urls, self.sites);
            let inside = referrer.is_some() && self.sites.host(item.urls.entry(record.referrer).host).site == site;
            self.record(
                record,
                Request {
                    referrer,
                    url: url_id(target, self.sites),
                    shape: target.shape,
                    site,
                    slot: 0,
                    time_ms: record.time_ms,
                    candidate: false,
                },
                inside,
            );
            if self.urls.len() >= held {
                self.urls.hand_on(&mut tallies.lock().unwrap_or_else(PoisonError::into_inner))?;
            }
        }
        self.close_user(&mut facts);
        self.user.user = None;
        Ok(facts)
    }

    fn record(&mut self, record: Record, mut request: Request, inside: bool) {
        let slot = self.user.slots.slot(request.site);
        if slot == self.user.on_sites.len() {
            self.user.on_sites.push(UserOnSite::default());
        }
        let on_site = &mut self.user.on_sites[slot];
        if record.verdict.is_none() && !on_site.judged {
            on_site.judged = true;
            self.user.judged_sites.push(slot);
        }
        // What was judged before says nothing about how this log's users load pages.
        if record.is(traits::CLEAN) {
            return;
        }
        for (count, is) in [
            (&mut on_site.requests, true),
            (&mut on_site.assets, record.is(traits::ASSET)),
            (&mut on_site.errors, record.is(traits::ERROR)),
            (&mut on_site.candidates, record.verdict.is_none()),
            (&mut on_site.from_inside, inside),
        ] {
            *count = count.saturating_add(u32::from(is));
        }
        if !self.settings.embedded {
            return;
        }
        // A page that names itself (a reload, a form) says nothing about either.
        request.referrer = request.referrer.filter(|r| *r != request.url);
        if let Some(referrer) = request.referrer {
            self.urls.refer(referrer);
        }
        let instant = &self.user.instant;
        if instant.first().is_some_and(|r| r.time_ms != record.time_ms) || instant.len() >= MAX_INSTANT {
            self.close_instant();
        }
        self.user.window.insert(request.url, record.time_ms, self.window_ms());
        request.slot = slot;
        request.candidate = record.verdict.is_none() && !record.is(traits::DOCUMENT);
        self.user.instant.push(request);
    }

    fn window_ms(&self) -> i64 {
        i64::from(self.settings.embedded_seconds) * 1_000
    }

    /// Looks at the requests of one instant, page by page. A page is loading if it was asked for or asked from within the
    /// window. That two requests of an instant come from the same page is no proof: under a policy that cuts referrers
    /// to their origin, a page and its stylesheet do.
    fn close_instant(&mut self) {
        let window_ms = self.window_ms();
        let UserState { instant, window, on_sites, .. } = &mut self.user;
        if instant.len() > 1 {
            instant.sort_unstable_by_key(|r| r.referrer);
        }
        for of_page in instant.chunk_by(|a, b| a.referrer == b.referrer) {
            let Some(page) = of_page[0].referrer else {
                of_page
                    .iter()
                    .filter(|r| r.candidate)
                    .for_each(|r| self.urls.request(r.url, r.shape, r.site, false, false));
                continue;
            };
            let time_ms = of_page[0].time_ms;
            let loading = window.has_since(page, time_ms.saturating_sub(window_ms));
            for request in of_page.iter().filter(|r| r.candidate) {
                self.urls.request(request.url, request.shape, request.site, true, loading);
                if loading {
                    let assets = &mut on_sites[request.slot].assets;
                    *assets = assets.saturating_add(1);
                }
            }
            window.insert(page, time_ms, window_ms);
        }
        instant.clear();
    }

    fn close_user(&mut self, facts: &mut Vec<u8>) {
        self.close_instant();
        self.user.window.clear();
        for slot in self.user.judged_sites.drain(..) {
            facts.push(self.user.on_sites[slot].facts(self.settings));
        }
        for (site, on_site) in self.user.slots.sites().iter().zip(self.user.on_sites.drain(..)) {
            self.site_users.entry(*site).or_default().add_user(on_site);
        }
        self.user.slots.clear();
    }
}
