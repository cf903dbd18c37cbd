//! What does a server want to be reminded of? Cookies (RFC 6265), if they are on; usually they are not.
//!
//! An answer's `Set-Cookie` is read, held to its caps and to the rules of who may set what for whom (§5.3), and kept in
//! memory, by site, for as long as the client lives. A request carries those that its host, path and scheme match (§5.4).
//!
//! Invariants: no site gets a cookie of another; none is set for a public suffix, such as `co.uk`; what was set under TLS only
//! never goes without. Sites that were not asked of late are forgotten, so that there is an end to it ([`JAR_BYTES`]).

use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use cookie::{Cookie, Expiration};
use http::HeaderValue;
use trodden_domains::{is_public_suffix, registrable};

use super::exchange::values;
use super::target::Target;
use crate::recent::Recent;

/// The longest `Set-Cookie` that is read (RFC 6265 §6.1).
const COOKIE_BYTES: usize = 4 << 10;
/// The most cookies of one site; the oldest goes (RFC 6265 §6.1).
const SITE_COOKIES: usize = 50;
/// The longest `Cookie` that is sent; many servers take no more in one line.
const HEADER_BYTES: usize = 8 << 10;
/// Bytes of cookies that are kept of sites that were asked of late; see [`Recent`].
const JAR_BYTES: usize = 16 << 20;

/// All cookies.
pub(super) struct Jar {
    /// By registrable domain, or by host where there is none; in the order in which they came.
    sites: Mutex<Recent<Box<str>, Vec<KeptCookie>>>,
}

/// A cookie.
struct KeptCookie {
    name: String,
    value: String,
    /// Whom it is for.
    host: Box<str>,
    reach: Reach,
    path: String,
    is_secure: bool,
    /// Seconds since 1970; none: when the crawl ends.
    ends: Option<i64>,
}

/// Which hosts a cookie is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The one that set it.
    Host,
    /// It, and those below.
    Below,
}

impl KeptCookie {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.value.len() + self.host.len() + self.path.len()
    }

    fn is_over(&self, now: i64) -> bool {
        self.ends.is_some_and(|ends| ends <= now)
    }

    fn is_same(&self, other: &Self) -> bool {
        (&self.name, &self.host, self.reach, &self.path) == (&other.name, &other.host, other.reach, &other.path)
    }

    fn is_for(&self, target: &Target) -> bool {
        let host = &*target.key.host;
        let is_host = host == &*self.host || (self.reach == Reach::Below && is_below(host, &self.host));
        is_host && (target.key.is_https || !self.is_secure) && is_path_below(target.path.path(), &self.path)
    }
}

impl Jar {
    pub(super) fn new() -> Self {
        Self {
            sites: Mutex::new(Recent::new(JAR_BYTES, |kept: &Vec<KeptCookie>| {
                kept.iter().map(KeptCookie::bytes).sum()
            })),
        }
    }

    /// The value of `Cookie` for a request: longer paths first, then older ones; none if there is nothing to say.
    pub(super) fn header(&self, target: &Target, now: SystemTime) -> Option<HeaderValue> {
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        let now = seconds(now);
        let kept = sites.get(&site_of(target))?.iter().filter(|kept| kept.is_for(target) && !kept.is_over(now));
        let mut kept: Vec<&KeptCookie> = kept.collect();
        kept.sort_by_key(|kept| Reverse(kept.path.len()));
        let mut header = Vec::new();
        for KeptCookie { name, value, .. } in kept {
            if header.len() + name.len() + value.len() + 3 > HEADER_BYTES {
                continue;
            }
            if !header.is_empty() {
                header.extend_from_slice(b"; ");
            }
            header.extend([name.as_bytes(), b"=", value.as_bytes()].concat());
        }
        let mut header = HeaderValue::from_bytes(&header).ok().filter(|header| !header.is_empty())?;
        // As with all that is sent and not everybody's business; what servers set is kept as they said it.
        header.set_sensitive(true);
        Some(header)
    }

    /// Keeps what an answer sets.
    pub(super) fn take(&self, target: &Target, head: &[u8], now: SystemTime) {
        let now = seconds(now);
        let mut new = values(head, "Set-Cookie").filter_map(|line| read(line, target, now)).peekable();
        if new.peek().is_none() {
            return;
        }
        let (mut sites, site) = (self.sites.lock().unwrap_or_else(PoisonError::into_inner), site_of(target));
        let mut kept = sites.take(&site).unwrap_or_default();
        for new in new {
            match kept.iter_mut().find(|old| old.is_same(&new)) {
                Some(old) => *old = new,
                None => kept.push(new),
            }
            kept.retain(|kept| !kept.is_over(now));
            if kept.len() > SITE_COOKIES {
                kept.remove(0);
            }
        }
        if !kept.is_empty() {
            sites.keep(site, kept);
        }
    }
}

/// A line of `Set-Cookie`, if whoever answered may set it.
fn read(line: &[u8], target: &Target, now: i64) -> Option<KeptCookie> {
    let text = std::str::from_utf8(line).ok().filter(|line| line.len() <= COOKIE_BYTES)?;
    let cookie = Cookie::parse(text).ok()?;
    let is_secure = cookie.secure().unwrap_or(false);
    let has_control = |text: &str| text.bytes().any(|byte| byte.is_ascii_control());
    if (is_secure && !target.key.is_https) || has_control(cookie.name()) || has_control(cookie.value()) {
        return None;
    }
    let (host, reach) = match cookie.domain().map(|domain| domain.trim_start_matches('.').to_ascii_lowercase()) {
        Some(domain) if !domain.is_empty() => whom(&target.key.host, &domain, target.literal.is_some())?,
        _ => (&*target.key.host, Reach::Host),
    };
    let path = cookie.path().filter(|path| path.starts_with('/')).unwrap_or_else(|| folder(target.path.path()));
    let ends = match (cookie.max_age(), cookie.expires()) {
        (Some(age), _) => Some(now.saturating_add(age.whole_seconds())),
        (None, Some(Expiration::DateTime(date))) => Some(date.unix_timestamp()),
        (None, Some(Expiration::Session) | None) => None,
    };
    Some(KeptCookie {
        name: cookie.name().to_owned(),
        value: cookie.value().to_owned(),
        host: host.into(),
        reach,
        path: path.to_owned(),
        is_secure,
        ends,
    })
}

/// Whom a cookie is for that `host` sets for `domain`; none if it may not.
fn whom<'h>(host: &'h str, domain: &str, is_address: bool) -> Option<(&'h str, Reach)> {
    let is_suffix = || is_public_suffix(domain);
    if host == domain {
        let reach = if is_address || is_suffix() { Reach::Host } else { Reach::Below };
        return Some((host, reach));
    }
    let may = !is_address && is_below(host, domain) && !is_suffix();
    may.then(|| (&host[host.len() - domain.len()..], Reach::Below))
}

fn is_below(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
}

fn is_path_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || folder.ends_with('/') || rest.starts_with('/'))
}

/// The folder of a path (§5.1.4).
fn folder(path: &str) -> &str {
    match path.rfind('/') {
        None | Some(0) => "/",
        Some(end) => &path[..end],
    }
}

/// Where the cookies of a host are kept.
fn site_of(target: &Target) -> Box<str> {
    let host = &*target.key.host;
    if target.literal.is_some() { host.into() } else { registrable(host).unwrap_or(host).into() }
}

fn seconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs().cast_signed())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const NOW: SystemTime = UNIX_EPOCH;

    /// What is sent to a URL after another has set these.
    fn after(set: &str, cookies: &[&str], asked: &str) -> String {
        let jar = Jar::new();
        tell(&jar, set, cookies, NOW);
        sent(&jar, asked, NOW)
    }

    fn tell(jar: &Jar, url: &str, cookies: &[&str], now: SystemTime) {
        let lines: String = cookies.iter().map(|cookie| format!("set-cookie: {cookie}\r\n")).collect();
        jar.take(&Target::parse(url).unwrap(), format!("HTTP/1.1 200 OK\r\n{lines}\r\n").as_bytes(), now);
    }

    fn sent(jar: &Jar, url: &str, now: SystemTime) -> String {
        let header = jar.header(&Target::parse(url).unwrap(), now);
        assert!(header.as_ref().is_none_or(HeaderValue::is_sensitive));
        header.map(|header| header.to_str().unwrap().to_owned()).unwrap_or_default()
    }

    #[test]
    fn rfc6265_cookies_go_to_the_hosts_they_are_for() {
        let set = "http://www.a.example/x/y";
        for (cookie, asked, expected) in [
            ("n=v", "http://www.a.example/x/z", "n=v"),
            ("n=v", "http://a.example/x/", ""),
            ("n=v; Domain=.A.example", "http://b.a.example/x/", "n=v"),
            ("n=v; Domain=a.example", "http://a.example/x/", "n=v"),
            ("n=v; Domain=a.example", "http://nota.example/x/", ""),
            ("n=v; Domain=b.a.example", "http://b.a.example/x/", ""),
            ("n=v; Domain=other.example", "http://other.example/x/", ""),
            ("n=v; Domain=example", "http://b.example/x/", ""),
            ("n=v; Domain=", "http://www.a.example/x/", "n=v"),
        ] {
            assert_eq!(after(set, &[cookie], asked), expected, "{cookie} {asked}");
        }
        assert_eq!(after("http://a.co.uk/", &["n=v; Domain=co.uk"], "http://b.co.uk/"), "", "a public suffix");
        assert_eq!(after("http://127.0.0.1/", &["n=v; Domain=127.0.0.1"], "http://127.0.0.1:81/"), "n=v");
        assert_eq!(after("http://127.0.0.1/", &["n=v; Domain=0.0.1"], "http://127.0.0.1/"), "");
    }

    #[test]
    fn rfc6265_cookies_go_to_the_paths_they_are_for_and_secure_ones_only_under_tls() {
        let set = "https://a.example/x/y?q";
        for (cookie, asked, expected) in [
            ("n=v", "https://a.example/x", "n=v"),
            ("n=v", "https://a.example/", ""),
            ("n=v; Path=/", "https://a.example/", "n=v"),
            ("n=v; Path=/x/y", "https://a.example/x/yz", ""),
            ("n=v; Path=/x/y", "https://a.example/x/y/z", "n=v"),
            ("n=v; Path=odd", "https://a.example/x/z", "n=v"),
            ("n=v; Secure", "http://a.example/x/z", ""),
            ("n=v; Secure", "https://a.example/x/z", "n=v"),
        ] {
            assert_eq!(after(set, &[cookie], asked), expected, "{cookie} {asked}");
        }
        assert_eq!(after("http://a.example/", &["n=v; Secure"], "https://a.example/"), "", "not set without TLS");
        let several = ["a=1; Path=/", "b=2; Path=/x", "c=3; Path=/", "a=4; Path=/"];
        assert_eq!(after(set, &several, "https://a.example/x/"), "b=2; a=4; c=3", "longer paths, then older ones");
    }

    #[test]
    fn rfc6265_cookies_end_when_they_say_so() {
        let (jar, url) = (Jar::new(), "http://a.example/");
        tell(&jar, url, &["a=1; Max-Age=10", "b=2; Expires=Thu, 01 Jan 1970 00:00:20 GMT", "c=3"], NOW);
        let at = |seconds| sent(&jar, url, NOW + Duration::from_secs(seconds));
        assert_eq!([at(9), at(10), at(20)], ["a=1; b=2; c=3", "b=2; c=3", "c=3"]);
        tell(&jar, url, &["c=; Max-Age=0"], NOW);
        assert_eq!(at(9), "a=1; b=2");
    }

    #[test]
    fn ours_a_hostile_jar_has_a_bottom() {
        let (jar, url) = (Jar::new(), "http://a.example/");
        let many: Vec<String> = (0..200).map(|n| format!("n{n}={}", "v".repeat(1_000))).collect();
        tell(&jar, url, &many.iter().map(String::as_str).collect::<Vec<_>>(), NOW);
        let header = sent(&jar, url, NOW);
        assert!(header.starts_with("n150=") && header.len() <= HEADER_BYTES, "{}", header.len());
        assert_eq!(after(url, &[&format!("n={}", "v".repeat(COOKIE_BYTES))], url), "");
        assert_eq!(after(url, &["n=\u{1}", "=v", "no cookie", ""], url), "");
        for n in 0..10_000 {
            let url = format!("http://h{n}.example/");
            tell(&jar, &url, &[&format!("n={}", "v".repeat(4_000))], NOW);
        }
        assert!(jar.sites.lock().unwrap().len() < 2 * (JAR_BYTES / 4_000 + 1));
    }
}
