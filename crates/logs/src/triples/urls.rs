//! The URLs of a batch of sites, by number.
//!
//! A text is looked up by its fingerprint; only one that was never seen is parsed. What is remembered of a text is the
//! number of its URL within its site, and the *place of its votes*: every host counts how often it was written in each
//! of its ways, since the table forgets scheme and `www.`, and a crawler needs them back.
//!
//! A page that is never a target may still refer; a referrer of another site is no page, only one of three entrances.

use trodden_mining::Entrance;
use trodden_urls::HostKey;

use super::rows::ENTRANCES_FROM;
use super::spelling::{KnownUrl, Namer, Spelled, Way, origin_of, url_key};
use crate::referrer::ReferrerClass;
use crate::scan::{TextCache, TextKey};

/// What is remembered of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// The number of its URL within its site; [`NO_PAGE`] if it was only seen as a referrer of another site, or is no URL.
    url: u32,
    /// Where its votes are; from [`ENTRANCES_FROM`] up, which entrance it is.
    votes: u32,
}

const NO_PAGE: u32 = u32::MAX;

struct Host {
    site: u32,
    key: Box<str>,
    /// Whether its pages are the site's own as referrers, too. A host that was renamed when it was taken in is not.
    owned: bool,
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

/// The URLs of a batch of sites.
pub(super) struct Urls<'a> {
    namer: &'a Namer,
    sites: &'a [(String, u64)],
    seen: TextCache<Seen>,
    /// Host and path of every URL, in the order of arrival.
    texts: String,
    ends: Vec<usize>,
    site_of: Vec<u32>,
    of_site: Vec<u32>,
    hosts: Vec<Host>,
    host_numbers: TextCache<u32>,
    votes: Vec<Votes>,
}

impl<'a> Urls<'a> {
    pub(super) fn new(sites: &'a [(String, u64)], namer: &'a Namer) -> Self {
        Self {
            namer,
            sites,
            seen: TextCache::new(),
            texts: String::new(),
            ends: Vec::new(),
            site_of: Vec::new(),
            of_site: vec![0; sites.len()],
            hosts: Vec::new(),
            host_numbers: TextCache::new(),
            votes: Vec::new(),
        }
    }

    /// What is known of a text so far.
    #[inline]
    pub(super) fn look_up(&self, key: TextKey) -> Option<Seen> {
        self.seen.get(key)
    }

    /// The number of a target; none if it is no URL.
    pub(super) fn target(&mut self, site: u32, text: Spelled, seen: Option<Seen>, written: &str) -> Option<u32> {
        let seen = match seen {
            Some(seen) if seen.url != NO_PAGE => seen,
            _ => self.page(site, text, written)?,
        };
        self.votes[(seen.votes + text.way.index()) as usize].votes += 1;
        Some(seen.url)
    }

    /// Where a referrer is: a page of the site, or an entrance.
    pub(super) fn from(&mut self, site: u32, text: Spelled, seen: Option<Seen>, written: &str) -> u32 {
        let seen = seen.or_else(|| self.seen.get(text.key)).unwrap_or_else(|| self.referrer(site, text, written));
        if seen.votes >= ENTRANCES_FROM {
            return seen.votes;
        }
        let votes = &mut self.votes[(seen.votes + text.way.index()) as usize];
        let host = &self.hosts[votes.host as usize];
        if !host.owned {
            return ENTRANCES_FROM + host.entrance as u32;
        }
        votes.votes += 1;
        seen.url
    }

    fn referrer(&mut self, site: u32, text: Spelled, written: &str) -> Seen {
        let mut entrance = Entrance::OtherSite;
        if let Some(url) = self.namer.parse(written) {
            let host = HostKey::text_of(url.host(), url.port());
            if self.namer.owns(&self.sites[site as usize].0, &host, &url)
                && let Some(page) = self.page(site, text, written)
            {
                return page;
            }
            entrance = entrance_of(&host);
        }
        let seen = Seen { url: NO_PAGE, votes: ENTRANCES_FROM + entrance as u32 };
        self.seen.set(text.key, seen);
        seen
    }

    /// A text that is a page of this site, whatever its host.
    fn page(&mut self, site: u32, text: Spelled, written: &str) -> Option<Seen> {
        // The row before may have brought it.
        let before = self.seen.get(text.key);
        if let Some(seen) = before.filter(|seen| seen.url != NO_PAGE) {
            return Some(seen);
        }
        let url = self.namer.parse(written)?;
        let key = HostKey::text_of(url.host(), url.port());
        let host = self.host(site, &key, || self.namer.owns(&self.sites[site as usize].0, &key, &url));
        let plain_votes = self.hosts[host as usize].plain_votes;
        let start = self.texts.len();
        self.texts.push_str(&key);
        self.texts.push_str(url.path_and_query());
        let votes = if text.way.is_plain() { plain_votes } else { self.odd_votes(host, origin_of(&url)) };
        let canonical = &self.texts[start..];
        let number = if text.way.is_plain() && written[text.way.prefix().len()..] == *canonical {
            self.add_pushed(site)
        } else {
            // Not as our own files write it: the URL may be known by its usual text.
            let usual = url_key(site, canonical);
            match self.seen.get(usual).filter(|seen| seen.url != NO_PAGE) {
                Some(seen) => {
                    self.texts.truncate(start);
                    seen.url
                }
                None => {
                    let url = self.add_pushed(site);
                    self.seen.set(usual, Seen { url, votes: plain_votes });
                    url
                }
            }
        };
        let seen = Seen { url: number, votes };
        match before {
            None => self.seen.insert(text.key, seen),
            Some(_) => self.seen.set(text.key, seen),
        }
        Some(seen)
    }

    /// Numbers the text that was pushed last.
    fn add_pushed(&mut self, site: u32) -> u32 {
        self.ends.push(self.texts.len());
        self.site_of.push(site);
        let of_site = &mut self.of_site[site as usize];
        *of_site += 1;
        *of_site - 1
    }

    fn host(&mut self, site: u32, key: &str, owned: impl FnOnce() -> bool) -> u32 {
        let named = url_key(site, key);
        if let Some(host) = self.host_numbers.get(named) {
            return host;
        }
        let number = small(self.hosts.len());
        let plain_votes = small(self.votes.len());
        let owned = owned();
        self.hosts.push(Host { site, key: key.into(), owned, entrance: entrance_of(key), plain_votes });
        self.votes.extend(Way::PLAIN.map(|_| Votes { host: number, votes: 0, odd: None }));
        self.host_numbers.insert(named, number);
        number
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

    /// All URLs, by site; the fingerprints are given back.
    pub(super) fn finish(self) -> SiteUrls {
        let Self { seen, host_numbers, texts, ends, site_of, of_site, hosts, votes, .. } = self;
        drop((seen, host_numbers));
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
