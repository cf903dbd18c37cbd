//! Which hosts of the crawl are hosts of the logs under another name?
//!
//! A model of a site in production orders the crawl of its copy elsewhere: `--alias staging.example:8080=example.org`. URLs of
//! the copy are looked up as those of the original, and what logs know of the original is known of the copy: its URLs are
//! seeds there, and their visits are evidence. What is known of the original itself counts only if it is crawled as well.

use anyhow::{Context, Result};
use trodden_ordering::Scope;
use trodden_urls::{Aliases, CanonicalUrl, HostKey, Scheme};

use super::request::Request;

/// Hosts that stand for hosts of the logs.
#[derive(Clone, Default)]
pub(super) struct HostAliases {
    pub(super) aliases: Aliases,
    names: Vec<Name>,
    /// What is crawled; none if that is what logs name.
    scope: Option<Scope>,
}

/// A host that stands for another.
#[derive(Clone)]
struct Name {
    /// What it stands for.
    of: HostKey,
    /// Its origin, if a seed has it.
    origin: Option<String>,
    /// Host and port as they were typed.
    typed: String,
}

impl HostAliases {
    /// As they were typed, for a crawl.
    pub(super) fn new(texts: &[String], request: &Request) -> Result<Self> {
        let aliases = Aliases::parse(texts).context("--alias")?;
        let scope = (!request.crawl.scope.is_unsaid()).then(|| Scope::new(&request.crawl.scope)).transpose()?;
        let typed = |key: &HostKey| {
            let sides = texts.iter().filter_map(|text| text.split_once('='));
            let mut hosts = sides.map(|(host, _)| host.trim().to_ascii_lowercase());
            hosts.find(|host| HostKey::parse(host).as_ref() == Ok(key)).unwrap_or_else(|| key.as_str().to_owned())
        };
        let names = aliases.iter().map(|(key, of)| Name {
            of: of.clone(),
            origin: origin_of(key, request.seeds.iter().chain(&request.sitemaps)),
            typed: typed(key),
        });
        let names = names.collect();
        Ok(Self { aliases, names, scope })
    }

    /// Hosts under which a URL of the logs is crawled, each by a number of its own; 0 is its own host.
    pub(super) fn copies(&self, url: &CanonicalUrl<'_>) -> Vec<(usize, String)> {
        let host = HostKey::of(url);
        let named = (1..).zip(&self.names).filter(|(_, name)| name.of == host);
        let mut copies: Vec<(usize, String)> =
            named.map(|(number, name)| (number, format!("{}{}", name.origin(url), url.path_and_query()))).collect();
        let is_crawled = |scope: &Scope| scope.admits_seed(url.as_str(), url.host());
        if copies.is_empty() || self.scope.as_ref().is_some_and(is_crawled) {
            copies.insert(0, (0, url.as_str().to_owned()));
        }
        copies
    }
}

impl Name {
    /// Where it is asked: as a seed says, or else as the port or the original suggests.
    fn origin(&self, original: &CanonicalUrl<'_>) -> String {
        if let Some(origin) = &self.origin {
            return origin.clone();
        }
        let has_port = HostKey::parse(&self.typed).is_ok_and(|key| key.host() != key.as_str());
        let scheme = if has_port { Scheme::Http } else { original.scheme() };
        format!("{}://{}", scheme.as_str(), self.typed)
    }
}

/// The origin of the first URL of a host.
fn origin_of<'u>(host: &HostKey, urls: impl Iterator<Item = &'u String>) -> Option<String> {
    let canonicalizer = trodden_fetch::crawl::canonicalizer();
    let mut urls = urls.filter_map(|url| canonicalizer.absolute(url.as_bytes()).ok());
    let url = urls.find(|url| HostKey::of(url) == *host)?;
    Some(url.as_str()[..url.as_str().len() - url.path_and_query().len()].to_owned())
}
