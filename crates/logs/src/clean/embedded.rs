//! Embedded requests **[ours]**: what a page loads by itself, whatever its name.
//!
//! A page is *loading* for a user from the moment they ask for it, or something is asked from it, until nothing more is
//! asked from it for `embedded_seconds`. A URL is no page if at least `embedded_share` of its requests with a referrer are made while
//! that referrer is loading for the same user, most of its requests have a referrer at all, and it is itself a
//! referrer in less than `embedded_referrer_share` of cases: logos without extension, pixels, frames, XHR. A URL with
//! too few such requests is judged with all URLs of its shape.
//!
//! Symbols: n requests that nothing speaks against so far ([`UrlTally::requests`]), m those with a referrer
//! ([`UrlTally::referred`]), f those whose referrer is loading ([`UrlTally::follows`]), r lines that name the URL as
//! their referrer ([`UrlTally::refers`]); embedded if f ≥ share·m, m ≥ n/2 and r < referrer_share·n.
//!
//! **Dead ends.** A picture that other sites or an app show has no referrer, or one that the log does not know. But on a
//! site whose pages load pictures and scripts from the same server, each view of a page is followed by requests that
//! name it; what is asked for again and again and never named is no page. So, on sites where pages (shapes with
//! r ≥ referrer_share·n) have at least [`LOADS_A_VIEW`] such requests a view and more views than all dead ends
//! together, a URL or shape with r < referrer_share·n counts as embedded, too. Documents (pdf and the like) load nothing
//! and are never judged here.
//!
//! Tried before: f counted only within seconds of the request for the page itself, against n. On a shop's log half of
//! the product pictures escaped: slow pages load longer than that, and the log's own beginning hides the requests
//! that came before it.
//!
//! "While" is a set, not a sequence: requests of the same second count as before each other, so the order of lines in
//! a log does not matter.

use std::io;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Cleaning;
use crate::spool::{Fixed, Sorter};

/// Counts of one URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UrlTally {
    /// Fingerprint of the URL.
    pub(crate) url: u64,
    /// Fingerprint of its shape; 0 where only its use as a referrer was seen.
    pub(crate) shape: u64,
    /// Its site.
    pub(crate) site: u32,
    /// Requests.
    pub(crate) requests: u32,
    /// Requests with a referrer.
    pub(crate) referred: u32,
    /// Requests whose referrer is loading.
    pub(crate) follows: u32,
    /// Lines with this URL as their referrer.
    pub(crate) refers: u32,
}

impl Fixed for UrlTally {
    const BYTES: usize = 36;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.url.to_le_bytes());
        out.extend_from_slice(&self.shape.to_le_bytes());
        for n in [self.site, self.requests, self.referred, self.follows, self.refers] {
            out.extend_from_slice(&n.to_le_bytes());
        }
    }
    fn get(b: &[u8]) -> Self {
        let n = |at: usize| u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
        Self {
            url: u64::get(&b[..8]),
            shape: u64::get(&b[8..16]),
            site: n(16),
            requests: n(20),
            referred: n(24),
            follows: n(28),
            refers: n(32),
        }
    }
}

/// One thread's tallies, handed on when they grow.
#[derive(Default)]
pub(crate) struct UrlTallies {
    by_url: FxHashMap<u64, UrlTally>,
}

impl UrlTally {
    fn new(url: u64) -> Self {
        Self { url, shape: 0, site: 0, requests: 0, referred: 0, follows: 0, refers: 0 }
    }
}

impl UrlTallies {
    /// A request for a URL: did it have a referrer, and was that loading?
    pub(crate) fn request(&mut self, url: u64, shape: u64, site: u32, referred: bool, follows: bool) {
        let tally = self.by_url.entry(url).or_insert_with(|| UrlTally::new(url));
        (tally.shape, tally.site) = (shape, site);
        tally.requests = tally.requests.saturating_add(1);
        tally.referred = tally.referred.saturating_add(u32::from(referred));
        tally.follows = tally.follows.saturating_add(u32::from(follows));
    }

    /// A line that came from a URL.
    pub(crate) fn refer(&mut self, url: u64) {
        let tally = self.by_url.entry(url).or_insert_with(|| UrlTally::new(url));
        tally.refers = tally.refers.saturating_add(1);
    }

    /// How many URLs it holds.
    pub(crate) fn len(&self) -> usize {
        self.by_url.len()
    }

    /// Hands everything on.
    pub(crate) fn hand_on(&mut self, all: &mut Sorter<UrlTally>) -> io::Result<()> {
        self.by_url.drain().try_for_each(|(_, tally)| all.push(tally))
    }
}

/// Requests that name a page, for each view of it, on sites whose logs show how pages load.
const LOADS_A_VIEW: u64 = 2;

/// Which URLs and shapes are no pages.
#[derive(Debug, Default)]
pub(crate) struct Embedded {
    /// URLs with requests enough to be judged by themselves: embedded or not.
    urls: FxHashMap<u64, bool>,
    shapes: FxHashSet<(u32, u64)>,
}

/// How the pages of a site load.
#[derive(Clone, Copy, Default)]
struct Loading {
    page_views: u64,
    page_loads: u64,
    dead_end_requests: u64,
}

impl Loading {
    fn shows_dead_ends(self) -> bool {
        self.page_loads >= LOADS_A_VIEW * self.page_views && self.page_views > self.dead_end_requests
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    requests: u64,
    referred: u64,
    follows: u64,
    refers: u64,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.requests += other.requests;
        self.referred += other.referred;
        self.follows += other.follows;
        self.refers += other.refers;
    }

    #[expect(clippy::cast_precision_loss, reason = "shares need no more than 53 bits")]
    fn lead_nowhere(self, settings: &Cleaning) -> bool {
        (self.refers as f64) < settings.embedded_referrer_share * self.requests as f64
    }

    #[expect(clippy::cast_precision_loss, reason = "shares need no more than 53 bits")]
    fn follow(self, settings: &Cleaning) -> bool {
        self.referred >= settings.embedded_min_requests.max(1)
            && self.follows as f64 >= settings.embedded_share * self.referred as f64
            && self.referred * 2 >= self.requests
    }

    /// Whether they are embedded, or none if there are too few requests to say.
    fn verdict(self, dead_ends: bool, settings: &Cleaning) -> Option<bool> {
        let enough = settings.embedded_min_requests.max(1);
        if !self.lead_nowhere(settings) {
            return (self.requests >= enough).then_some(false);
        }
        if self.follow(settings) || (dead_ends && self.requests >= enough) {
            return Some(true);
        }
        (self.referred >= enough).then_some(false)
    }
}

impl Embedded {
    /// Adds up the tallies and judges URLs and shapes.
    pub(crate) fn of(tallies: Sorter<UrlTally>, settings: &Cleaning) -> io::Result<Self> {
        let mut shapes: FxHashMap<(u32, u64), Counts> = FxHashMap::default();
        let mut urls: Vec<(u64, u32, Counts)> = Vec::new();
        let (mut url, mut shape, mut counts) = (0, (0, 0), Counts::default());
        let mut close = |url: u64, shape: (u32, u64), counts: Counts| {
            if counts.requests == 0 {
                return;
            }
            shapes.entry(shape).or_default().add(counts);
            if counts.requests >= settings.embedded_min_requests.max(1) {
                urls.push((url, shape.0, counts));
            }
        };
        tallies.drain(|next| {
            if next.url != url {
                close(url, shape, counts);
                (url, shape, counts) = (next.url, (0, 0), Counts::default());
            }
            shape = shape.max((next.site, next.shape));
            counts.add(Counts {
                requests: next.requests.into(),
                referred: next.referred.into(),
                follows: next.follows.into(),
                refers: next.refers.into(),
            });
        })?;
        close(url, shape, counts);

        let mut sites: FxHashMap<u32, Loading> = FxHashMap::default();
        for ((site, _), counts) in &shapes {
            let loading = sites.entry(*site).or_default();
            if !counts.lead_nowhere(settings) {
                loading.page_views += counts.requests;
                loading.page_loads += counts.refers;
            } else if !counts.follow(settings) {
                loading.dead_end_requests += counts.requests;
            }
        }
        let dead_ends = |site: u32| sites.get(&site).is_some_and(|s| s.shows_dead_ends());
        let urls =
            urls.into_iter().filter_map(|(url, site, counts)| Some((url, counts.verdict(dead_ends(site), settings)?)));
        let embedded_shapes =
            shapes.into_iter().filter(|((site, _), counts)| counts.verdict(dead_ends(*site), settings) == Some(true));
        Ok(Self { urls: urls.collect(), shapes: embedded_shapes.map(|(shape, _)| shape).collect() })
    }

    /// Whether a URL is loaded by pages rather than by people.
    pub(crate) fn contains(&self, url: u64, site: u32, shape: u64) -> bool {
        self.urls.get(&url).copied().unwrap_or_else(|| self.shapes.contains(&(site, shape)))
    }
}

/// Which pages one user is loading. Times must not go back.
#[derive(Default)]
pub(crate) struct FollowWindow {
    recent: Vec<(u64, i64)>,
    /// Takes over from `recent` for users with many requests, so that nobody costs a quadratic search.
    last: FxHashMap<u64, i64>,
    pruned_at: usize,
}

/// Requests that are searched in a row.
const SEARCHED: usize = 32;
/// Pages that are held before old ones are forgotten.
const PRUNED_FROM: usize = 1 << 14;

impl FollowWindow {
    /// A new user.
    pub(crate) fn clear(&mut self) {
        self.recent.clear();
        if !self.last.is_empty() {
            self.last = FxHashMap::default();
        }
        self.pruned_at = PRUNED_FROM;
    }

    /// A page is asked for, or a request comes from it.
    pub(crate) fn insert(&mut self, url: u64, time_ms: i64, window_ms: i64) {
        if !self.last.is_empty() {
            self.last.insert(url, time_ms);
            if self.last.len() >= self.pruned_at {
                self.last.retain(|_, t| *t >= time_ms.saturating_sub(window_ms));
                // Only when it has doubled again, so that pruning costs no more than inserting.
                self.pruned_at = (self.last.len() * 2).max(PRUNED_FROM);
            }
            return;
        }
        self.recent.push((url, time_ms));
        if self.recent.len() > SEARCHED {
            self.recent.retain(|(_, t)| *t >= time_ms.saturating_sub(window_ms));
            if self.recent.len() > SEARCHED / 2 {
                self.last.extend(self.recent.drain(..));
            }
        }
    }

    /// Whether a page was asked for, or something asked from it, at or after a time.
    pub(crate) fn has_since(&self, url: u64, time_ms: i64) -> bool {
        self.recent.iter().any(|(u, t)| *u == url && *t >= time_ms)
            || self.last.get(&url).is_some_and(|t| *t >= time_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spool::ScratchDir;

    fn judged(tallies: &[(u64, u64, [u32; 4])]) -> Embedded {
        let mut all = Sorter::new(1 << 20, ScratchDir::below(std::env::temp_dir()));
        for &(url, shape, [requests, referred, follows, refers]) in tallies {
            all.push(UrlTally { url, shape, site: 0, requests, referred, follows, refers }).unwrap();
        }
        Embedded::of(all, &Cleaning::default()).unwrap()
    }

    #[test]
    fn ours_embedded_follows_its_page_and_leads_nowhere() {
        let found = judged(&[
            (1, 10, [100, 100, 60, 1]), // a logo
            (2, 17, [100, 100, 59, 0]), // just short of the share
            (3, 12, [100, 100, 90, 2]), // a page of a slide show: it is a referrer
            (4, 13, [50, 50, 30, 0]),
            (4, 13, [50, 50, 30, 1]),  // counted in two parts
            (5, 10, [3, 3, 0, 0]),     // rare, of the logo's shape
            (6, 11, [3, 3, 3, 0]),     // rare, of a page's shape
            (7, 14, [3, 3, 3, 0]),     // rare, of a rare shape
            (8, 15, [100, 49, 49, 0]), // mostly typed or bookmarked
            (9, 16, [100, 50, 30, 0]), // a picture that an app loads without a referrer, too
        ]);
        let is = |url, shape| found.contains(url, 0, shape);
        assert!(is(1, 10) && is(4, 13) && is(9, 16));
        assert!(!is(2, 17) && !is(3, 12) && !is(6, 11) && !is(7, 14) && !is(8, 15));
        // Of shape 10, 60 of 103 requests follow: not enough. With more logos it is.
        assert!(!is(5, 10));
        assert!(judged(&[(1, 10, [100, 100, 90, 0]), (5, 10, [3, 3, 0, 0])]).contains(5, 0, 10));
    }

    #[test]
    fn ours_dead_ends_are_no_pages_where_pages_load_from_the_same_server() {
        let page = (1, 10, [100, 50, 5, 900]);
        let hotlinked = (2, 11, [40, 4, 0, 0]);
        let rare = (3, 11, [2, 0, 0, 0]);
        let found = judged(&[page, hotlinked, rare]);
        assert!(!found.contains(1, 0, 10) && found.contains(2, 0, 11) && found.contains(3, 0, 11));
        // A log without assets: pages lead to one page at the most, and some are where people stop.
        let found = judged(&[(1, 10, [100, 50, 5, 90]), hotlinked]);
        assert!(!found.contains(2, 0, 11));
        // Most of the site is never named (assets elsewhere): nothing can be told.
        let found = judged(&[page, (2, 11, [400, 4, 0, 0])]);
        assert!(!found.contains(2, 0, 11));
    }

    #[test]
    fn ours_the_window_finds_what_a_plain_search_finds() {
        let mut window = FollowWindow::default();
        let mut all: Vec<(u64, i64)> = Vec::new();
        let mut x = 1_u64;
        for step in 0..2_000_i64 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (url, time) = ((x >> 33) % 97, step * if step < 1_000 { 900 } else { 3 });
            let time = time.max(all.last().map_or(0, |l| l.1));
            window.insert(url, time, 5_000);
            all.push((url, time));
            for probe in 0..97 {
                let expected = all.iter().any(|(u, t)| *u == probe && *t >= time - 5_000);
                assert_eq!(window.has_since(probe, time - 5_000), expected);
            }
        }
    }
}
