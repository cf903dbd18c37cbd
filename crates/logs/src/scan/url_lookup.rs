//! From a target or referrer as written to a URL of the run.

use std::collections::HashMap;

use trodden_urls::{Canonicalizer, HostKey, Scheme, is_token_like, url_shape};

use super::cache::{Last, TextCache, TextKey};
use super::shared::ScanShared;
use crate::clean::{Kind, kind_of_path};
use crate::format::Entry;
use crate::hosts::{HostCounts, NOT_WEB, OWN, Spelling};
use crate::privacy::without_secrets;
use crate::spool::{UrlEntry, UrlTable};

/// A URL that was met before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// Its number in the run.
    pub(crate) url: u32,
    pub(crate) host: u32,
    pub(crate) spelling: u8,
    pub(crate) kind: Kind,
}

/// The targets and referrers of one run.
pub(crate) struct UrlLookup {
    seen: TextCache<Seen>,
    last_referrer: Last<Seen>,
    /// Hosts as targets name them, by their bytes.
    hosts: HashMap<Vec<u8>, Option<(u32, Spelling)>>,
    counts: HostCounts,
    shape: String,
}

/// A target that is no URL.
pub(crate) struct NotAUrl;

/// Distinct host spellings that are remembered; a log with more is an attack on memory.
const MAX_HOSTS: usize = 1 << 16;

impl UrlLookup {
    pub(crate) fn new() -> Self {
        Self {
            seen: TextCache::new(),
            last_referrer: Last::new(),
            hosts: HashMap::new(),
            counts: HostCounts::default(),
            shape: String::new(),
        }
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.seen.heap_bytes()
    }

    /// Forgets URLs, for a new run; hosts and their counts stay.
    pub(crate) fn clear(&mut self) {
        self.seen = TextCache::new();
        self.last_referrer.forget();
    }

    pub(crate) fn into_counts(self) -> HostCounts {
        self.counts
    }

    /// The URL asked for, made canonical by the rules for logs or by those for what was stored before.
    pub(crate) fn target(
        &mut self,
        entry: &Entry<'_>,
        canonicalizer: &Canonicalizer,
        urls: &mut UrlTable,
        shared: &ScanShared,
    ) -> Result<Seen, NotAUrl> {
        // Where the log gives content types, a name that looks like an image may be a page: keep its text.
        let typed = u64::from(!entry.content_type.is_empty());
        // The scheme is counted as it is written on each line, so each way of writing is known apart.
        let https = entry.https.map_or(0, |https| 1 + u64::from(https));
        let mut seed = shared.seed ^ (typed << 1) ^ (https << 32);
        if !entry.host.is_empty() {
            seed ^= xxhash_rust::xxh3::xxh3_64_with_seed(entry.host, shared.seed) | 4;
        }
        let key = TextKey::of(entry.target, seed);
        let seen = match self.seen.get(key) {
            Some(seen) => seen,
            None => {
                let seen = self.new_target(entry, typed != 0, canonicalizer, urls, shared)?;
                self.seen.insert(key, seen);
                seen
            }
        };
        if seen.host != OWN {
            self.counts.target(seen.host, seen.spelling);
        }
        Ok(seen)
    }

    fn new_target(
        &mut self,
        entry: &Entry<'_>,
        typed: bool,
        canonicalizer: &Canonicalizer,
        urls: &mut UrlTable,
        shared: &ScanShared,
    ) -> Result<Seen, NotAUrl> {
        if entry.target.first() == Some(&b'/') {
            let (host, spelling) = self.host_of(entry, shared)?;
            let text = canonicalizer.origin_form(entry.target).map_err(|_| NotAUrl)?;
            return Ok(self.add(host, spelling, &text, typed, urls, shared));
        }
        let url = canonicalizer.absolute(entry.target).map_err(|_| NotAUrl)?;
        let host = shared.hosts.number(&HostKey::of(&url));
        let spelling = Spelling { www: url.host().starts_with("www."), https: Some(url.scheme() == Scheme::Https) };
        Ok(self.add(host, spelling, url.path_and_query(), typed, urls, shared))
    }

    fn host_of(&mut self, entry: &Entry<'_>, shared: &ScanShared) -> Result<(u32, Spelling), NotAUrl> {
        if entry.host.is_empty() {
            return Ok((OWN, Spelling { www: false, https: entry.https }));
        }
        if let Some(known) = self.hosts.get(entry.host) {
            let (host, spelling) = known.ok_or(NotAUrl)?;
            return Ok((host, Spelling { https: entry.https.or(spelling.https), ..spelling }));
        }
        let port = entry.host.rsplit(|b| *b == b':').next().filter(|p| p.len() < entry.host.len());
        let https = entry.https.or(match port {
            Some(b"443") => Some(true),
            Some(b"80") => Some(false),
            _ => None,
        });
        let mut text = if https == Some(true) { b"https://".to_vec() } else { b"http://".to_vec() };
        text.extend_from_slice(entry.host);
        text.push(b'/');
        let url = shared.canonicalizer.absolute(&text).ok();
        let known =
            url.map(|u| (shared.hosts.number(&HostKey::of(&u)), Spelling { www: u.host().starts_with("www."), https }));
        if self.hosts.len() < MAX_HOSTS {
            self.hosts.insert(entry.host.to_vec(), known);
        }
        known.ok_or(NotAUrl)
    }

    fn add(
        &mut self,
        host: u32,
        spelling: Spelling,
        path_and_query: &str,
        typed: bool,
        urls: &mut UrlTable,
        shared: &ScanShared,
    ) -> Seen {
        let kind = kind_of_path(path_and_query);
        let keep = typed || shared.keeps(kind);
        let url = self.push(host, path_and_query, kind, keep, urls, shared);
        Seen { url, host, spelling: spelling.index(), kind }
    }

    fn push(
        &mut self,
        host: u32,
        path_and_query: &str,
        kind: Kind,
        keep: bool,
        urls: &mut UrlTable,
        shared: &ScanShared,
    ) -> u32 {
        let text = without_secrets(path_and_query);
        let path = TextKey::of(text.as_bytes(), shared.seed).parts();
        self.shape.clear();
        if keep {
            url_shape(&text, &mut self.shape);
        }
        let shape = TextKey::of(self.shape.as_bytes(), shared.seed).parts().1;
        urls.push(UrlEntry::new(host, path, shape, kind as u8), if keep { &text } else { "" })
    }

    /// The URL it was asked from.
    pub(crate) fn referrer(&mut self, raw: &[u8], urls: &mut UrlTable, shared: &ScanShared) -> u32 {
        let seen = self.last_referrer.get(raw).unwrap_or_else(|| {
            let key = TextKey::of(raw, shared.seed ^ 0x7265_6665_7272_6572);
            let seen = self.seen.get(key).unwrap_or_else(|| {
                let seen = self.new_referrer(raw, urls, shared);
                self.seen.insert(key, seen);
                seen
            });
            self.last_referrer.set(raw, seen);
            seen
        });
        self.counts.referrer(seen.host, seen.spelling);
        seen.url
    }

    fn new_referrer(&mut self, raw: &[u8], urls: &mut UrlTable, shared: &ScanShared) -> Seen {
        let raw =
            raw.strip_prefix(b"android-app://").map_or_else(|| raw.into(), |app| [b"https://", app].concat().into());
        let raw: std::borrow::Cow<'_, [u8]> = raw;
        let Ok(url) = shared.canonicalizer.absolute(&raw) else {
            let url = self.push(NOT_WEB, "/", Kind::Page, false, urls, shared);
            return Seen { url, host: NOT_WEB, spelling: 0, kind: Kind::Page };
        };
        let key = HostKey::of(&url);
        // A host can be a secret, too: a share, a tunnel, somebody's bucket.
        let host = if key.as_str().split('.').any(is_token_like) { NOT_WEB } else { shared.hosts.number(&key) };
        let spelling = Spelling { www: url.host().starts_with("www."), https: Some(url.scheme() == Scheme::Https) };
        // Kept whole for now: only when all sites are known can the judge tell which referrers are of another site, and
        // cuts those to their origin.
        let url = self.push(host, url.path_and_query(), Kind::Page, true, urls, shared);
        Seen { url, host, spelling: spelling.index(), kind: Kind::Page }
    }
}
