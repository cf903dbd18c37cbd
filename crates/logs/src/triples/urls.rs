//! The URLs of a batch of sites, by number.
//!
//! A text is looked up by its fingerprint; only one that was never seen is parsed. What is remembered of a text is the
//! number of its URL within its site, and the *place of its votes*: every host counts how often it was written in each
//! of its ways, since the table forgets scheme and `www.`, and a crawler needs them back.
//!
//! A page that is never a target may still refer; a referrer of another site is no page, only one of three entrances.

use std::borrow::Cow;

use trodden_mining::{Entrance, SiteWeight};
use trodden_urls::{CanonicalUrl, HostKey, UrlGlobs};

use super::rows::ENTRANCES_FROM;
use super::seen::{EXCLUDED, NO_PAGE, Seen};
use super::spelling::{KnownUrl, Namer, Spelled, Way, origin_of, url_key};
use crate::referrer::ReferrerClass;
use crate::scan::{TextCache, TextKey};

struct Host {
    site: u32,
    key: Box<str>,
    /// Whether its pages are the site's own as referrers, too. A host that was renamed when it was taken in is not.
    owned: bool,
    /// What it is as a referrer if not.
    entrance: Entrance,
    /// Where the votes for its plain ways start.
    plain_votes: u32,
}

struct Votes {
    host: u32,
    votes: u64,
    /// As it is written, if not plain.
    odd: Option<Box<str>>,
}

/// The URLs of some sites.
pub(super) struct Urls<'a> {
    namer: &'a Namer,
    exclude: &'a UrlGlobs,
    sites: Vec<&'a str>,
    /// Host and path of every URL, in the order of arrival.
    texts: String,
    ends: Vec<usize>,
    site_of: Vec<u32>,
    of_site: Vec<u32>,
    hosts: Vec<Host>,
    host_numbers: TextCache<u32>,
    last_host: u32,
    entrances: TextCache<Entrance>,
    votes: Vec<Votes>,
    /// What they take.
    pub(super) weight: SiteWeight,
}

impl<'a> Urls<'a> {
    pub(super) fn new(sites: Vec<&'a str>, namer: &'a Namer, exclude: &'a UrlGlobs) -> Self {
        Self {
            namer,
            exclude,
            texts: String::new(),
            ends: Vec::new(),
            site_of: Vec::new(),
            of_site: vec![0; sites.len()],
            sites,
            hosts: Vec::new(),
            host_numbers: TextCache::new(),
            last_host: 0,
            entrances: TextCache::new(),
            votes: Vec::new(),
            weight: SiteWeight::default(),
        }
    }

    /// The number of a page that is a target, and a vote for how it is written.
    #[inline]
    pub(super) fn vote(&mut self, page: Seen, way: Way) -> u32 {
        self.votes[(page.votes + way.index()) as usize].votes += 1;
        page.url
    }

    /// Where a referrer is: a page of the site, with a vote for how it is written, or an entrance.
    #[inline]
    pub(super) fn vote_from(&mut self, seen: Seen, way: Way) -> u32 {
        if seen.votes >= ENTRANCES_FROM {
            return seen.votes;
        }
        let votes = &mut self.votes[(seen.votes + way.index()) as usize];
        let host = &self.hosts[votes.host as usize];
        if !host.owned {
            return ENTRANCES_FROM + host.entrance as u32;
        }
        votes.votes += 1;
        seen.url
    }

    /// A text that is a referrer.
    pub(super) fn referrer(&mut self, known: &mut TextCache<Seen>, site: u32, text: Spelled, written: &str) -> Seen {
        if let Some(seen) = known.get(text.key) {
            return seen;
        }
        let mut entrance = Entrance::OtherSite;
        if let Some(url) = self.namer.parse(written) {
            let host = host_key(&url, text.way);
            if self.namer.owns(self.sites[site as usize], &host, &url) {
                let excluded = self.excluded(known, text, &host, &url);
                return excluded.unwrap_or_else(|| self.new_page(known, site, text, written, &url));
            }
            entrance = self.entrance(&host);
        }
        let seen = Seen { url: NO_PAGE, votes: ENTRANCES_FROM + entrance as u32 };
        known.set(text.key, seen);
        seen
    }

    /// Remembers a text that is excluded. Who comes from there comes from no page that counts.
    fn excluded(&self, known: &mut TextCache<Seen>, text: Spelled, host: &str, url: &CanonicalUrl<'_>) -> Option<Seen> {
        if self.exclude.is_empty() || !self.exclude.matches_any_spelling(host, url.path_and_query()) {
            return None;
        }
        let seen = Seen { url: EXCLUDED, votes: ENTRANCES_FROM + Entrance::Direct as u32 };
        known.set(text.key, seen);
        Some(seen)
    }

    /// A text that is a page of this site, whatever its host; none if it is no URL, or excluded.
    pub(super) fn page(
        &mut self,
        known: &mut TextCache<Seen>,
        site: u32,
        text: Spelled,
        written: &str,
    ) -> Option<Seen> {
        // The row before may have brought it.
        if let Some(seen) = known.get(text.key).filter(|seen| seen.is_page() || seen.is_excluded()) {
            return seen.is_page().then_some(seen);
        }
        let url = self.namer.parse(written)?;
        if self.excluded(known, text, &host_key(&url, text.way), &url).is_some() {
            return None;
        }
        Some(self.new_page(known, site, text, written, &url))
    }

    fn new_page(
        &mut self,
        known: &mut TextCache<Seen>,
        site: u32,
        text: Spelled,
        written: &str,
        url: &CanonicalUrl<'_>,
    ) -> Seen {
        let key = host_key(url, text.way);
        let (namer, name) = (self.namer, self.sites[site as usize]);
        let host = self.host(site, &key, || namer.owns(name, &key, url));
        let plain_votes = self.hosts[host as usize].plain_votes;
        let start = self.texts.len();
        self.texts.push_str(&key);
        self.texts.push_str(url.path_and_query());
        let votes = if text.way.is_plain() { plain_votes } else { self.odd_votes(host, origin_of(url)) };
        let canonical = &self.texts[start..];
        let number = if text.way.is_plain() && written[text.way.prefix().len()..] == *canonical {
            self.add_pushed(site)
        } else {
            // Not as our own files write it: the URL may be known by its usual text.
            let usual = url_key(canonical);
            match known.get(usual).filter(|seen| seen.is_page()) {
                Some(seen) => {
                    self.texts.truncate(start);
                    seen.url
                }
                None => {
                    let url = self.add_pushed(site);
                    known.set(usual, Seen { url, votes: plain_votes });
                    url
                }
            }
        };
        let seen = Seen { url: number, votes };
        known.set(text.key, seen);
        seen
    }

    /// All texts so far.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |end| &self.texts[std::mem::replace(&mut start, *end)..*end])
    }

    /// Weighs all texts so far, and some more, by a sample.
    pub(super) fn refine_weight(&mut self, more: &[String]) {
        let mut weight = std::mem::take(&mut self.weight);
        weight.refine(self.texts().chain(more.iter().map(String::as_str)));
        self.weight = weight;
    }

    /// Gives back all memory.
    pub(super) fn forget(&mut self) {
        let Self { namer, exclude, sites, .. } = self;
        *self = Self::new(std::mem::take(sites), namer, exclude);
    }

    /// Numbers the text that was pushed last.
    fn add_pushed(&mut self, site: u32) -> u32 {
        let start = self.ends.last().copied().unwrap_or_default();
        self.weight.add(&self.texts[start..]);
        self.ends.push(self.texts.len());
        self.site_of.push(site);
        let of_site = &mut self.of_site[site as usize];
        *of_site += 1;
        *of_site - 1
    }

    fn host(&mut self, site: u32, key: &str, owned: impl FnOnce() -> bool) -> u32 {
        // New pages mostly come site by site.
        if self.hosts.get(self.last_host as usize).is_some_and(|last| last.site == site && *last.key == *key) {
            return self.last_host;
        }
        let named = TextKey::of(key.as_bytes(), u64::from(site));
        if let Some(host) = self.host_numbers.get(named) {
            self.last_host = host;
            return host;
        }
        let number = small(self.hosts.len());
        let plain_votes = small(self.votes.len());
        let owned = owned();
        let entrance = if owned { Entrance::OtherSite } else { self.entrance(key) };
        self.hosts.push(Host { site, key: key.into(), owned, entrance, plain_votes });
        self.votes.extend(Way::PLAIN.map(|_| Votes { host: number, votes: 0, odd: None }));
        self.host_numbers.insert(named, number);
        self.last_host = number;
        number
    }

    /// Which entrance a host is: the same few hosts refer to all sites.
    fn entrance(&mut self, host: &str) -> Entrance {
        let key = TextKey::of(host.as_bytes(), 0);
        self.entrances.get(key).unwrap_or_else(|| {
            let entrance = entrance_of(host);
            self.entrances.insert(key, entrance);
            entrance
        })
    }

    /// Where the votes for an origin are, if the text that has it is odd.
    fn odd_votes(&mut self, host: u32, origin: String) -> u32 {
        let Host { key, plain_votes, .. } = &self.hosts[host as usize];
        let is_plain = |way: &Way| origin.strip_prefix(way.prefix()) == Some(key);
        if let Some(way) = Way::PLAIN.into_iter().find(is_plain) {
            return plain_votes + way.index();
        }
        // The number of the host takes the place of the site's: hosts have few origins.
        let named = TextKey::of(origin.as_bytes(), !u64::from(host));
        if let Some(place) = self.host_numbers.get(named) {
            return place;
        }
        let place = small(self.votes.len());
        self.votes.push(Votes { host, votes: 0, odd: Some(origin.into()) });
        self.host_numbers.insert(named, place);
        place
    }

    /// All URLs, by site.
    pub(super) fn finish(self) -> SiteUrls {
        let Self { host_numbers, texts, ends, site_of, of_site, hosts, votes, .. } = self;
        drop(host_numbers);
        let mut best: Vec<Option<(u64, String)>> = hosts.iter().map(|_| None).collect();
        for (place, vote) in (0_u32..).zip(&votes).filter(|(_, v)| v.votes > 0) {
            let host = &hosts[vote.host as usize];
            let way = Way::PLAIN[((place - host.plain_votes) & 3) as usize];
            let best = &mut best[vote.host as usize];
            if best.as_ref().is_none_or(|(votes, _)| *votes <= vote.votes) {
                let origin = vote.odd.as_deref().map_or_else(|| format!("{}{}", way.prefix(), host.key), str::to_owned);
                *best = best.take().max(Some((vote.votes, origin)));
            }
        }
        let mut hosts_of = vec![0; of_site.len()];
        hosts.iter().for_each(|h| hosts_of[h.site as usize] += 1);
        let host_sites: Vec<u32> = hosts.iter().map(|h| h.site).collect();
        let (host_starts, host_order) = grouped(&host_sites, &hosts_of);
        let mut origins: Vec<(String, String)> =
            hosts.into_iter().zip(best).map(|(h, best)| (h.key.into(), best.unwrap_or_default().1)).collect();
        let origins = host_order.iter().map(|h| std::mem::take(&mut origins[*h as usize])).collect();
        let (starts, order) = grouped(&site_of, &of_site);
        SiteUrls { texts, ends, starts, order, host_starts, origins }
    }
}

fn small(n: usize) -> u32 {
    u32::try_from(n).expect("fewer hosts than URLs")
}

/// The identity of a URL's host. A plain host has nothing to be removed but its `www.`.
fn host_key<'u>(url: &'u CanonicalUrl<'_>, way: Way) -> Cow<'u, str> {
    match url.host().get(way.www_bytes()..) {
        Some(host) if way.is_plain() => Cow::Borrowed(host),
        _ => HostKey::text_of(url.host(), url.port()),
    }
}

fn entrance_of(host: &str) -> Entrance {
    match ReferrerClass::of_host(host) {
        ReferrerClass::Search => Entrance::Search,
        ReferrerClass::Social => Entrance::Social,
        ReferrerClass::OtherSite => Entrance::OtherSite,
    }
}

/// Places of things by the site they belong to, in order: where each site starts, and then all of them.
fn grouped(site_of: &[u32], of_site: &[u32]) -> (Vec<usize>, Vec<u32>) {
    let mut starts = Vec::with_capacity(of_site.len() + 1);
    starts.push(0);
    let mut sum = 0;
    starts.extend(of_site.iter().map(|n| {
        sum += *n as usize;
        sum
    }));
    let mut next = starts.clone();
    let mut order = vec![0; site_of.len()];
    for (place, site) in (0..).zip(site_of) {
        let at = &mut next[*site as usize];
        order[*at] = place;
        *at += 1;
    }
    (starts, order)
}

/// The URLs of a batch, by site.
#[derive(Default)]
pub(super) struct SiteUrls {
    texts: String,
    ends: Vec<usize>,
    starts: Vec<usize>,
    order: Vec<u32>,
    host_starts: Vec<usize>,
    origins: Vec<(String, String)>,
}

impl SiteUrls {
    /// The URLs of a site, in the order of their numbers.
    pub(super) fn of(&self, site: usize) -> impl Iterator<Item = &str> {
        self.order[self.starts[site]..self.starts[site + 1]].iter().map(|url| {
            let url = *url as usize;
            let start = url.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.texts[start..self.ends[url]]
        })
    }

    /// Gives back all memory.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Its hosts as they are written most, by host, with those of known URLs that nobody visited.
    pub(super) fn origins(&mut self, site: usize, known: &[KnownUrl]) -> Vec<(String, String)> {
        let mut origins: Vec<(String, String)> =
            self.origins[self.host_starts[site]..self.host_starts[site + 1]].iter_mut().map(std::mem::take).collect();
        origins.sort_unstable();
        let visited = origins.len();
        for url in known {
            if origins[..visited].binary_search_by(|(host, _)| host.as_str().cmp(&url.host)).is_err() {
                origins.push((url.host.to_string(), url.origin.to_string()));
            }
        }
        // Of two ways to write a host that nobody visited, the greater: https before http.
        origins.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
        origins.dedup_by(|later, first| later.0 == first.0);
        origins
    }
}
