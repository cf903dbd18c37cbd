//! Which hosts are seen, and whose are the paths that name none?
//!
//! Workers give every host a number as they meet it. What a host *is* can only be said at the end: a log with
//! paths only belongs to the site that its own referrers name most; `http://x.org` and `https://www.x.org` are one
//! host, written the way that most lines write it. So records carry numbers, and [`Sites`] resolves them once.

use rustc_hash::FxHashMap;
use trodden_urls::{Aliases, Canonicalizer, HostKey, Rules, Scheme, SiteKeys};
use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::error::Error;
use crate::host_book::HostBook;
use crate::named_site::{Doubt, is_doubtful};
use crate::referrer::ReferrerClass;

/// The host of a path that names none.
pub(crate) const OWN: u32 = 0;
/// The host of a referrer that is no URL of the web.
pub(crate) const NOT_WEB: u32 = 1;

/// How a host was written: with or without `www.`, by which scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub(crate) www: bool,
    pub(crate) https: Option<bool>,
}

impl Spelling {
    pub(crate) fn index(self) -> u8 {
        u8::from(self.www) * 3 + self.https.map_or(2, u8::from)
    }
}

const SPELLINGS: usize = 6;

/// How often each spelling of each host was seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostCounts {
    /// In referrers: these say whose the paths are.
    referrers: Vec<[u32; SPELLINGS]>,
    /// In targets.
    targets: Vec<[u32; SPELLINGS]>,
}

impl HostCounts {
    pub(crate) fn referrer(&mut self, host: u32, spelling: u8) {
        count(&mut self.referrers, host, spelling);
    }

    pub(crate) fn target(&mut self, host: u32, spelling: u8) {
        count(&mut self.targets, host, spelling);
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (mine, mut theirs) in [(&mut self.referrers, other.referrers), (&mut self.targets, other.targets)] {
            if mine.len() < theirs.len() {
                std::mem::swap(mine, &mut theirs);
            }
            let add = |(m, t): (&mut u32, u32)| *m = m.saturating_add(t);
            mine.iter_mut().zip(theirs).for_each(|(m, t)| m.iter_mut().zip(t).for_each(add));
        }
    }

    /// Lines with a referrer on a host.
    fn referrer_lines(&self, host: usize) -> u64 {
        self.referrers.get(host).map_or(0, |spellings| spellings.iter().map(|n| u64::from(*n)).sum())
    }

    fn of(&self, host: u32) -> [u64; SPELLINGS] {
        let at = |counts: &[[u32; SPELLINGS]]| counts.get(host as usize).copied().unwrap_or_default();
        let (r, t) = (at(&self.referrers), at(&self.targets));
        std::array::from_fn(|i| u64::from(r[i]) + u64::from(t[i]))
    }
}

fn count(counts: &mut Vec<[u32; SPELLINGS]>, host: u32, spelling: u8) {
    if counts.len() <= host as usize {
        counts.resize(host as usize + 1, [0; SPELLINGS]);
    }
    let count = &mut counts[host as usize][usize::from(spelling)];
    // Four billion lines say enough.
    *count = count.saturating_add(1);
}

/// The site that an operator names.
#[derive(Clone, Debug)]
pub struct NamedSite {
    host: HostKey,
    www: bool,
    scheme: Option<Scheme>,
}

impl NamedSite {
    /// From `https://www.example.org`, `www.example.org` or `example.org`.
    ///
    /// # Errors
    /// If it is no host.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (scheme, full) = match text.split_once("://") {
            Some(("http", _)) => (Some(Scheme::Http), text.to_owned()),
            Some(("https", _)) => (Some(Scheme::Https), text.to_owned()),
            Some((other, _)) => {
                return Err(Error::BadSite {
                    text: text.to_owned(),
                    why: format!("{other} is neither http nor https"),
                });
            }
            None => (None, format!("http://{text}")),
        };
        let url = Canonicalizer::new(Rules::default()).absolute(full.as_bytes()).map(|u| u.into_owned());
        let url = url.map_err(|e| Error::BadSite { text: text.to_owned(), why: e.to_string() })?;
        Ok(Self { host: HostKey::new(url.host(), url.port()), www: url.host().starts_with("www."), scheme })
    }

    /// The host it stands for.
    pub fn host(&self) -> &HostKey {
        &self.host
    }

    /// How it is written; https where the operator does not say.
    pub(crate) fn origin(&self) -> String {
        let scheme = self.scheme.unwrap_or(Scheme::Https);
        let www = if self.www { "www." } else { "" };
        format!("{}://{www}{}", scheme.as_str(), self.host.as_str())
    }
}

/// Whose the paths are that name no host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnSite {
    /// Every line names its host.
    NotNeeded,
    /// The operator said so.
    Named,
    /// The referrers say so: the site, lines that name it, and the next likely ones.
    FromReferrers {
        /// The likeliest.
        site: String,
        /// Lines with a referrer of it.
        lines: u64,
        /// Others that come near, with their lines; empty if it is clear.
        rivals: Vec<(String, u64)>,
    },
    /// Nothing says so.
    Unknown,
}

/// The name of a site of which nothing is known.
pub(crate) const UNKNOWN_SITE: &str = "unknown.invalid";

/// A site whose lines are at least this share of the likeliest one's is a rival: too near to call.
const RIVAL_SHARE: f64 = 0.2;

/// A host, resolved.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    /// The same for all numbers that mean the same host.
    pub(crate) identity: u32,
    /// The place of its site in [`Sites::names`].
    pub(crate) site: u32,
    /// `https://www.example.org`, as most lines write it.
    pub(crate) origin: String,
    /// Fingerprint of the host.
    pub(crate) fingerprint: (u64, u64),
}

/// All hosts resolved, and the sites they make up.
#[derive(Debug)]
pub(crate) struct Sites {
    hosts: Vec<Host>,
    /// Sites in the order of their names.
    pub(crate) names: Vec<String>,
    /// How the paths without a host were given one.
    pub(crate) own: OwnSite,
    /// The place of the named site, if the operator named one.
    pub(crate) only: Option<u32>,
    /// What the referrers say against the named site.
    pub(crate) doubt: Option<Doubt>,
}

impl Sites {
    /// Resolves every host of the book.
    pub(crate) fn resolve(
        book: HostBook,
        counts: &HostCounts,
        own_lines: u64,
        named: Option<&NamedSite>,
        keys: &SiteKeys,
        aliases: &Aliases,
        seed: u64,
    ) -> Self {
        let mut names = book.into_names();
        let own = own_site(&names, counts, own_lines, named, keys);
        if let Some(named) = named {
            names[OWN as usize] = named.host.clone();
        } else if let OwnSite::FromReferrers { site, .. } = &own
            && let Some(host) = busiest_host(site, &names, counts, keys)
        {
            names[OWN as usize] = host;
        }
        let aliased: Vec<&HostKey> = names.iter().map(|n| aliases.resolve(n)).collect();
        let mut sites: Vec<String> = aliased.iter().map(|h| keys.site_of(h).as_str().to_owned()).collect();
        sites.sort_unstable();
        sites.dedup();
        sites.shrink_to_fit();
        let mut identities: FxHashMap<&str, u32> = FxHashMap::default();
        let mut spellings = vec![[0_u64; SPELLINGS]; names.len()];
        let mut numbers = Vec::with_capacity(names.len());
        for (number, host) in (0_u32..).zip(&aliased) {
            let identity = *identities.entry(host.as_str()).or_insert(number);
            numbers.push(identity);
            // An alias is written like the host it stands for, so only that one's own spellings count.
            if names[number as usize] == **host {
                let all = &mut spellings[identity as usize];
                all.iter_mut().zip(counts.of(number)).for_each(|(a, c)| *a += c);
            }
        }
        drop(identities);
        let hosts = aliased.iter().zip(&numbers).map(|(host, identity)| {
            let spelled = spellings[*identity as usize];
            let site = keys.site_of(host);
            let hash = xxh3_128_with_seed(host.as_str().as_bytes(), seed);
            Host {
                identity: *identity,
                site: u32::try_from(place_of(&sites, site.as_str())).unwrap_or_default(),
                origin: origin(host, spelled, named.filter(|n| n.host == **host)),
                fingerprint: ((hash >> 64) as u64, hash as u64),
            }
        });
        let hosts: Vec<Host> = hosts.collect();
        let only = named.map(|_| hosts[OWN as usize].site);
        let doubt = only.and_then(|only| doubt(only, &names, &hosts, counts, own_lines));
        Self { hosts, names: sites, own, only, doubt }
    }

    /// The site that the log is of: the operator's own, which is no secret.
    pub(crate) fn own_site(&self) -> Option<u32> {
        (self.own != OwnSite::NotNeeded).then(|| self.hosts[OWN as usize].site)
    }

    /// A host by its number.
    pub(crate) fn host(&self, number: u32) -> &Host {
        &self.hosts[number as usize]
    }
}

fn place_of(sites: &[String], site: &str) -> usize {
    sites.binary_search_by(|name| name.as_str().cmp(site)).unwrap_or_default()
}

fn own_site(
    names: &[HostKey],
    counts: &HostCounts,
    own_lines: u64,
    named: Option<&NamedSite>,
    keys: &SiteKeys,
) -> OwnSite {
    if named.is_some() {
        return OwnSite::Named;
    }
    if own_lines == 0 {
        return OwnSite::NotNeeded;
    }
    let mut lines: FxHashMap<String, u64> = FxHashMap::default();
    for (number, name) in names.iter().enumerate().skip(NOT_WEB as usize + 1) {
        let seen = counts.referrer_lines(number);
        if seen > 0 && ReferrerClass::of_host(name.as_str()) == ReferrerClass::OtherSite {
            *lines.entry(keys.site_of(name).as_str().to_owned()).or_default() += seen;
        }
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let Some((site, most)) = lines.first().cloned() else {
        return OwnSite::Unknown;
    };
    #[expect(clippy::cast_precision_loss, reason = "a share of lines needs no more than 53 bits")]
    let near = |n: u64| n as f64 >= RIVAL_SHARE * most as f64;
    let rivals = lines.into_iter().skip(1).filter(|(_, n)| near(*n)).take(5).collect();
    OwnSite::FromReferrers { site, lines: most, rivals }
}

/// The other site that referrers name most, if that is far more often than the named one.
fn doubt(only: u32, names: &[HostKey], hosts: &[Host], counts: &HostCounts, own_lines: u64) -> Option<Doubt> {
    if own_lines == 0 {
        return None;
    }
    let mut lines: FxHashMap<u32, u64> = FxHashMap::default();
    for (number, name) in names.iter().enumerate().skip(NOT_WEB as usize + 1) {
        if ReferrerClass::of_host(name.as_str()) == ReferrerClass::OtherSite || hosts[number].site == only {
            *lines.entry(hosts[number].site).or_default() += counts.referrer_lines(number);
        }
    }
    let named_lines = lines.remove(&only).unwrap_or_default();
    let (&site, &most) = lines.iter().max_by_key(|(site, n)| (**n, std::cmp::Reverse(**site)))?;
    let of_site = (NOT_WEB as usize + 1..names.len()).filter(|number| hosts[*number].site == site);
    let busiest = of_site.max_by_key(|number| (counts.referrer_lines(*number), std::cmp::Reverse(*number)))?;
    let origin = hosts[busiest].origin.clone();
    is_doubtful(most, named_lines, own_lines).then_some(Doubt { site, origin, lines: most, named_lines })
}

/// A site by registrable domain has several hosts: the paths belong to the one that referrers name most.
fn busiest_host(site: &str, names: &[HostKey], counts: &HostCounts, keys: &SiteKeys) -> Option<HostKey> {
    let of_site = names.iter().enumerate().skip(NOT_WEB as usize + 1).filter(|(_, n)| keys.site_of(n).as_str() == site);
    let seen = |number: usize| counts.referrer_lines(number);
    let busiest = of_site.max_by(|(a, an), (b, bn)| seen(*a).cmp(&seen(*b)).then_with(|| bn.cmp(an)));
    busiest.map(|(_, n)| n.clone())
}

/// Scheme and host as most lines write them; http and no `www.` where nothing is known.
fn origin(host: &HostKey, spelled: [u64; SPELLINGS], named: Option<&NamedSite>) -> String {
    let [http, https, any, www_http, www_https, www_any] = spelled;
    let www = named.map_or(www_http + www_https + www_any > http + https + any, |n| n.www);
    let scheme = named.and_then(|n| n.scheme).unwrap_or(if https + www_https > http + www_http {
        Scheme::Https
    } else {
        Scheme::Http
    });
    format!("{}://{}{}", scheme.as_str(), if www { "www." } else { "" }, host.as_str())
}
