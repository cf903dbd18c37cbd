//! Which URLs belong to a crawl?
//!
//! ```text
//! in scope = (a host, domain or prefix that was named) and not excluded and (included, if anything is) and near enough
//! ```
//! - A *host* is meant with and without `www.`, under any scheme and port; a *domain* with every host below it; a *prefix*
//!   is the beginning of a URL without its scheme: `example.org/docs/`.
//! - *Include* and *exclude* are globs over the path and query, or, if they do not begin with `/`, over the whole URL
//!   ([`UrlGlobs`]).
//! - *Depth* is the number of links from a seed; a seed has 0.
//! - URLs that append to themselves ([`repeats_itself`]) are traps, and belong to no crawl, unless it is said that they do.
//!
//! What is out of scope is not kept anywhere: a scope that was widened meets its URLs again on pages yet to be fetched.

use rustc_hash::FxHashSet;
pub use trodden_urls::GlobFault;
use trodden_urls::{UrlGlobs, repeats_itself};

/// Where a URL leaves the scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Beyond {
    /// Another host.
    Host,
    /// A glob excludes it.
    Excluded,
    /// No glob includes it.
    NotIncluded,
    /// Too many links from a seed.
    Depth,
    /// It appends to itself: a trap.
    Repeats,
}

/// What an operator asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScopeSettings {
    /// Hosts.
    pub hosts: Vec<String>,
    /// Domains with all hosts below them.
    pub domains: Vec<String>,
    /// How URLs begin, with or without their scheme.
    pub prefixes: Vec<String>,
    /// Globs of which one must match, if there are any.
    pub include: Vec<String>,
    /// Globs of which none may match.
    pub exclude: Vec<String>,
    /// Most links from a seed.
    pub max_depth: Option<u16>,
    /// Any host will do.
    pub anywhere: bool,
    /// URLs that append to themselves belong to it too: `/a/b/a/b/a/b`.
    pub repeating: bool,
}

impl ScopeSettings {
    /// Whether nothing says which hosts belong to it.
    #[must_use]
    pub fn is_unsaid(&self) -> bool {
        !self.anywhere && self.hosts.is_empty() && self.domains.is_empty() && self.prefixes.is_empty()
    }
}

/// Which URLs belong to a crawl.
#[derive(Clone, Debug)]
pub struct Scope {
    hosts: FxHashSet<String>,
    domains: Vec<String>,
    prefixes: Vec<String>,
    include: UrlGlobs,
    exclude: UrlGlobs,
    max_depth: Option<u16>,
    anywhere: bool,
    repeating: bool,
}

/// A host as it is compared: lower case, without `www.`.
fn bare(host: &str) -> String {
    let host = host.trim().trim_end_matches('.').to_ascii_lowercase();
    host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
}

/// A URL without its scheme.
fn schemeless(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

impl Scope {
    /// As asked for.
    ///
    /// # Errors
    /// If a glob is none.
    pub fn new(settings: &ScopeSettings) -> Result<Self, GlobFault> {
        let without_www = |url: &str| url.strip_prefix("www.").unwrap_or(url).to_owned();
        Ok(Self {
            hosts: settings.hosts.iter().map(|host| bare(host)).collect(),
            domains: settings.domains.iter().map(|domain| bare(domain)).collect(),
            prefixes: settings.prefixes.iter().map(|prefix| without_www(schemeless(prefix))).collect(),
            include: UrlGlobs::new(&settings.include)?,
            exclude: UrlGlobs::new(&settings.exclude)?,
            max_depth: settings.max_depth,
            anywhere: settings.anywhere,
            repeating: settings.repeating,
        })
    }

    /// Whether a URL belongs to the crawl; if not, why.
    ///
    /// # Errors
    /// Why not.
    pub fn admits(&self, url: &str, host: &str, path: &str, depth: u16) -> Result<(), Beyond> {
        if !self.is_at_home(url, host) {
            return Err(Beyond::Host);
        }
        if self.max_depth.is_some_and(|most| depth > most) {
            return Err(Beyond::Depth);
        }
        if !self.exclude.is_empty() && self.exclude.matches(url, path) {
            return Err(Beyond::Excluded);
        }
        if !self.include.is_empty() && !self.include.matches(url, path) {
            return Err(Beyond::NotIncluded);
        }
        if !self.repeating && repeats_itself(path) {
            return Err(Beyond::Repeats);
        }
        Ok(())
    }

    /// Whether less belongs to the crawl than whole hosts.
    #[must_use]
    pub fn has_filters(&self) -> bool {
        !self.prefixes.is_empty() || !self.include.is_empty() || !self.exclude.is_empty() || self.max_depth.is_some()
    }

    /// Whether a crawl may start from a URL: its host belongs to the crawl, or part of its host does. Globs, depth and the path of a
    /// prefix are for what it leads to.
    #[must_use]
    pub fn admits_seed(&self, url: &str, host: &str) -> bool {
        self.is_at_home(url, host)
            || self.prefixes.iter().any(|prefix| {
                let named = prefix.split('/').next().unwrap_or_default();
                named.split(':').next() == Some(host.strip_prefix("www.").unwrap_or(host))
            })
    }

    fn is_at_home(&self, url: &str, host: &str) -> bool {
        let host = host.strip_prefix("www.").unwrap_or(host);
        self.anywhere
            || self.hosts.contains(host)
            || self.domains.iter().any(|domain| {
                host.strip_suffix(domain.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            })
            || self.prefixes.iter().any(|prefix| {
                let url = schemeless(url);
                url.strip_prefix("www.").unwrap_or(url).starts_with(prefix.as_str())
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_urls_that_append_to_themselves_belong_to_no_crawl_unless_asked_for() {
        let admits = |repeating| {
            let settings = ScopeSettings { hosts: vec!["a.com".to_owned()], repeating, ..ScopeSettings::default() };
            Scope::new(&settings).unwrap().admits("http://a.com/a/b/a/b/a/b", "a.com", "/a/b/a/b/a/b", 1)
        };
        assert_eq!((admits(false), admits(true)), (Err(Beyond::Repeats), Ok(())));
    }

    fn beyond(settings: &ScopeSettings, url: &str, depth: u16) -> Option<Beyond> {
        let rest = schemeless(url);
        let (host, path) = rest.split_at(rest.find('/').unwrap());
        let host = host.split(':').next().unwrap();
        Scope::new(settings).unwrap().admits(url, host, path, depth).err()
    }

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn ours_a_host_is_meant_with_and_without_www_under_any_scheme_and_port() {
        let scope = ScopeSettings { hosts: texts(&["WWW.Example.org"]), ..ScopeSettings::default() };
        for inside in ["http://example.org/", "https://www.example.org/x", "http://example.org:8080/"] {
            assert_eq!(beyond(&scope, inside, 9), None, "{inside}");
        }
        for outside in ["http://sub.example.org/", "http://example.org.evil.com/", "http://notexample.org/"] {
            assert_eq!(beyond(&scope, outside, 0), Some(Beyond::Host), "{outside}");
        }
    }

    #[test]
    fn ours_a_domain_has_every_host_below_it_and_no_other() {
        let scope = ScopeSettings { domains: texts(&["example.org"]), ..ScopeSettings::default() };
        assert_eq!(beyond(&scope, "http://a.b.example.org/", 0), None);
        assert_eq!(beyond(&scope, "http://example.org/", 0), None);
        assert_eq!(beyond(&scope, "http://notexample.org/", 0), Some(Beyond::Host));
    }

    #[test]
    fn ours_a_seed_is_admitted_whatever_filters_say() {
        let scope = ScopeSettings {
            prefixes: texts(&["https://www.example.org:8080/docs/"]),
            include: texts(&["/docs/*"]),
            exclude: texts(&["/"]),
            max_depth: Some(0),
            ..ScopeSettings::default()
        };
        let scope = Scope::new(&scope).unwrap();
        assert!(scope.admits_seed("https://example.org/", "example.org"));
        assert!(scope.admits_seed("https://www.example.org/x", "www.example.org"));
        assert!(!scope.admits_seed("https://example.com/docs/", "example.com"));
        assert!(scope.admits("https://example.org/", "example.org", "/", 0).is_err());
    }

    #[test]
    fn ours_prefixes_globs_and_depth_narrow_it() {
        let scope = ScopeSettings {
            prefixes: texts(&["https://example.org/docs/"]),
            include: texts(&["*.html", "/docs/api/*"]),
            exclude: texts(&["/*\\?*print=*"]),
            max_depth: Some(2),
            ..ScopeSettings::default()
        };
        assert_eq!(beyond(&scope, "http://www.example.org/docs/a.html", 2), None);
        assert_eq!(beyond(&scope, "http://example.org/docs/api/x/y", 0), None);
        assert_eq!(beyond(&scope, "http://example.org/other/a.html", 0), Some(Beyond::Host));
        assert_eq!(beyond(&scope, "http://example.org/docs/a.txt", 0), Some(Beyond::NotIncluded));
        assert_eq!(beyond(&scope, "http://example.org/docs/a.html?x=1&print=2", 0), Some(Beyond::Excluded));
        assert_eq!(beyond(&scope, "http://example.org/docs/a.html", 3), Some(Beyond::Depth));
        let fault = Scope::new(&ScopeSettings { include: texts(&["/a[b"]), ..ScopeSettings::default() }).unwrap_err();
        assert!(fault.to_string().contains("/a[b"), "{fault}");
    }
}
