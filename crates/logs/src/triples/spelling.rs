//! How is a URL written, and which one is it?
//!
//! Within a site, scheme and `www.` do not make two URLs: the table knows them by host and path. Stored URLs are canonical
//! already, so for nearly all of them host and path are simply what stands after scheme and `www.`, and a fingerprint of
//! that tells them apart without parsing.
//!
//! A text is *plain* if it starts with `http://` or `https://`, then a host of lower-case labels that can be nothing but a
//! name (no port, no address, no Punycode), then a slash. Such hosts stay as they are, and what follows them is read by the
//! same rules whatever the scheme; so texts that agree after scheme and `www.` are one URL, even if that is not yet its
//! canonical form. Everything else is *odd*: known by its whole text, and parsed.

use std::borrow::Cow;
use std::sync::Arc;

use trodden_urls::{Aliases, CanonicalUrl, Canonicalizer, HostKey, Rules, SiteGrouping, SiteKeys};

use super::Filled;
use crate::scan::TextKey;
use crate::visits::Visit;

/// Longest URL that is read back: more than any that is written.
const MAX_STORED_URL: usize = 1 << 16;

/// Longest plain text: so much shorter than the cap that no way to write it exceeds that.
const MAX_PLAIN: usize = 1 << 13;

/// How a text is written: 0 to 3, https in bit 0 and `www.` in bit 1, where it is plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way(u8);

impl Way {
    /// All plain ways.
    pub(super) const PLAIN: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];
    /// Not plain.
    pub(super) const ODD: Self = Self(4);

    pub(super) fn is_plain(self) -> bool {
        self != Self::ODD
    }

    /// Its place among the plain ways; 0 for an odd one.
    pub(super) fn index(self) -> u32 {
        u32::from(self.0 & 3)
    }

    /// How many bytes `www.` takes in it.
    pub(super) fn www_bytes(self) -> usize {
        usize::from(self.0 & 2) * 2
    }

    /// What stands before the host.
    pub(super) fn prefix(self) -> &'static str {
        ["http://", "https://", "http://www.", "https://www.", ""][usize::from(self.0)]
    }

    /// The way of a text, by its start alone; also where its path starts, 0 if it is odd.
    fn of(text: &str) -> (Self, usize) {
        let https = text.starts_with("https://");
        if !https && !text.starts_with("http://") || text.len() > MAX_PLAIN {
            return (Self::ODD, 0);
        }
        let host_and_path = &text.as_bytes()[7 + usize::from(https)..];
        let Some(host) = plain_host(host_and_path) else { return (Self::ODD, 0) };
        let www = host.strip_prefix(b"www.").is_some_and(|name| name.contains(&b'.'));
        (Self(u8::from(https) | u8::from(www) << 1), 7 + usize::from(https) + host.len())
    }
}

/// The host before the first slash, if it is lower-case labels with dots between, and a name for certain.
fn plain_host(text: &[u8]) -> Option<&[u8]> {
    let mut label = 0;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' => {}
            b'.' | b'/' if at == label || text[label..at].starts_with(b"xn--") => return None,
            b'.' => label = at + 1,
            // A last label that starts with a digit may be part of an address.
            b'/' => return text[label].is_ascii_lowercase().then_some(&text[..at]),
            _ => return None,
        }
    }
    None
}

/// A text by its fingerprint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spelled {
    pub(super) key: TextKey,
    pub(super) way: Way,
}

/// Spells texts one after the other: most start as the one before.
#[derive(Debug, Default)]
pub(super) struct Speller {
    /// The last plain text, up to and with the slash after its host.
    start: String,
    /// Its way.
    way: Option<Way>,
}

impl Speller {
    /// The fingerprint of a text.
    pub(super) fn spell(&mut self, text: &str) -> Spelled {
        let way = match self.way {
            Some(way) if text.len() <= MAX_PLAIN && text.as_bytes().starts_with(self.start.as_bytes()) => way,
            _ => {
                let (way, path) = Way::of(text);
                if way.is_plain() {
                    self.start.clear();
                    self.start.push_str(&text[..=path]);
                    self.way = Some(way);
                }
                way
            }
        };
        let key = if way.is_plain() { url_key(&text[way.prefix().len()..]) } else { odd_key(text) };
        Spelled { key, way }
    }
}

/// The fingerprint of a URL by its host and path.
pub(super) fn url_key(host_and_path: &str) -> TextKey {
    TextKey::of(host_and_path.as_bytes(), 0)
}

fn odd_key(text: &str) -> TextKey {
    TextKey::of(text.as_bytes(), 1)
}

/// Parses what is stored, and tells whose it is.
pub(super) struct Namer {
    canonicalizer: Canonicalizer,
    keys: SiteKeys,
}

/// A URL that the operator gave.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KnownUrl {
    pub(super) site: Arc<str>,
    pub(super) host: Arc<str>,
    pub(super) path: Box<str>,
    pub(super) origin: Arc<str>,
}

impl KnownUrl {
    /// Host and path, as tables know it.
    pub(super) fn text(&self) -> String {
        [&*self.host, &*self.path].concat()
    }
}

impl Namer {
    pub(super) fn new(grouping: SiteGrouping) -> Self {
        // What is stored is canonical already, by the rules of whoever stored it: nothing more may be taken from it than
        // what no table may hold.
        let rules = Rules { fragment: true, credentials: true, ..Rules::whatwg() };
        let canonicalizer = Canonicalizer::new(rules).with_max_bytes(MAX_STORED_URL);
        Self { canonicalizer, keys: SiteKeys::new(grouping, Aliases::none()) }
    }

    pub(super) fn parse<'t>(&self, text: &'t str) -> Option<CanonicalUrl<'t>> {
        self.canonicalizer.absolute(text.as_bytes()).ok()
    }

    /// Whether a host belongs to a site.
    pub(super) fn owns(&self, site: &str, host: &str, url: &CanonicalUrl<'_>) -> bool {
        // Where sites are hosts, there is nothing to work out.
        host == site || self.keys.site_of(&HostKey::of(url)).as_str() == site
    }

    /// Whether a URL is of a site.
    pub(super) fn is_of(&self, site: &str, url: &CanonicalUrl<'_>) -> bool {
        self.keys.site_of(&HostKey::of(url)).as_str() == site
    }

    /// The site of a row: as the file says, else by the host of its target.
    pub(super) fn site<'v>(&self, visit: &Visit<'v>) -> Option<Cow<'v, str>> {
        match visit.site {
            Some(site) => Some(Cow::Borrowed(site)),
            None => Some(Cow::Owned(self.keys.site_of(&HostKey::of(&self.parse(visit.target)?)).as_str().to_owned())),
        }
    }

    /// The known URLs of these sites, by site. Those of others, and those that are none, are noted.
    pub(super) fn known(&self, texts: &[String], sites: &[(String, u64)], filled: &mut Filled) -> Vec<KnownUrl> {
        let mut known = Vec::with_capacity(texts.len());
        for (place, text) in texts.iter().enumerate() {
            let Some(url) = self.parse(text) else {
                filled.known_faulty.push(place);
                continue;
            };
            let host = HostKey::of(&url);
            let site = self.keys.site_of(&host);
            if sites.binary_search_by(|(name, _)| name.as_str().cmp(site.as_str())).is_err() {
                filled.known_elsewhere.push(place);
                continue;
            }
            let origin = origin_of(&url);
            // Lists go host by host: most URLs share these texts with the one before.
            let (site, host, origin) = match known.last() {
                Some(KnownUrl { site, host: last, origin: written, .. })
                    if **last == *host.as_str() && **written == *origin =>
                {
                    (site.clone(), last.clone(), written.clone())
                }
                _ => (site.as_str().into(), host.as_str().into(), origin.into()),
            };
            known.push(KnownUrl { site, host, path: url.path_and_query().into(), origin });
        }
        known.sort_unstable();
        known
    }
}

/// Scheme, host and port as they are written in a request; never credentials.
pub(super) fn origin_of(url: &CanonicalUrl<'_>) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}", url.scheme(), url.host())
}
