//! How is a crawl run?

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use trodden_frontier::Span;
use trodden_ordering::ScopeSettings;

use super::error::BadSetting;
use super::fetch_task::ROBOTS_REDIRECTS;
use crate::address::Network;
use crate::client::{CONNECT_TIME, FIRST_BYTE_TIME, STALL_TIME, Times, WHOLE_TIME};
use crate::polite::LONGEST_CRAWL_DELAY;

/// No request may take longer, in milliseconds.
const LONGEST_MS: u64 = 3_600_000;
/// No crawl has more requests under way: each takes memory and a port.
const MOST_AT_ONCE: u64 = 10_000;
/// The name under which robots.txt knows us, unless we are told otherwise.
pub const ROBOTS_TOKEN: &str = "trodden";
/// Redirects that are followed one after another.
pub const MAX_REDIRECTS: u8 = 10;

/// How a crawl is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrawlSettings {
    /// What belongs to it.
    pub scope: ScopeSettings,
    /// What it may spend.
    pub budget: Budgets,
    /// Requests under way at once, over all hosts.
    pub at_once: usize,
    /// Requests under way at once to one host.
    pub at_once_per_host: u32,
    /// Milliseconds from an answer of a host to the next request to it.
    pub delay_ms: u64,
    /// Milliseconds from an answer of an address to the next request to it, whatever the host.
    pub address_delay_ms: u64,
    /// No longer `Crawl-delay` of robots.txt is obeyed, in seconds.
    pub longest_crawl_delay_s: u64,
    /// A crawl ends when all that is left must wait longer than so many seconds.
    pub patience_s: u64,
    /// Where nobody watches in a terminal, progress is told once in so many seconds; 0: never.
    pub progress_s: u64,
    /// Whether sitemaps named by robots.txt are read.
    pub sitemaps: bool,
    /// Whether feeds that pages name are read.
    pub feeds: bool,
    /// What sitemaps and feeds of one site may cost.
    pub lists: ListBudgets,
    /// Whether frames lead somewhere as links do.
    pub frames: bool,
    /// Media types that are kept and, where they are HTML, read; `*` at the end stands for anything.
    pub content_types: Vec<String>,
    /// Most bytes of a body, as sent.
    pub body_bytes: usize,
    /// What we call ourselves; none: our own name, with its version.
    pub user_agent: Option<String>,
    /// The name under which robots.txt knows us.
    pub robots_token: String,
    /// Whether answers are archived.
    pub archive: bool,
    /// Whether cookies are taken and sent; they are forgotten when a run ends.
    pub cookies: bool,
    /// Milliseconds that it may take to connect, over all addresses of a host; and again for the handshake of TLS.
    pub connect_ms: u64,
    /// Milliseconds from the request to the end of the answer's head.
    pub first_byte_ms: u64,
    /// Milliseconds in which a body must bring eight kilobytes, again and again.
    pub stall_ms: u64,
    /// Milliseconds that a request may take, everything together.
    pub whole_ms: u64,
    /// Networks that may be asked though they are private, or otherwise not of the Internet.
    pub allow_addresses: Vec<Network>,
    /// Name servers that are asked instead of the machine's.
    pub name_servers: Vec<SocketAddr>,
    /// Files with certificates of issuers that are trusted beside the public ones, in PEM or DER.
    pub ca_files: Vec<PathBuf>,
}

impl Default for CrawlSettings {
    fn default() -> Self {
        Self {
            scope: ScopeSettings::default(),
            budget: Budgets::default(),
            at_once: 32,
            at_once_per_host: 1,
            delay_ms: 1_000,
            address_delay_ms: 100,
            longest_crawl_delay_s: LONGEST_CRAWL_DELAY.0 / 1_000,
            patience_s: 300,
            progress_s: 10,
            sitemaps: true,
            feeds: true,
            lists: ListBudgets::default(),
            frames: false,
            content_types: vec!["text/html".to_owned(), "application/xhtml+xml".to_owned()],
            body_bytes: 16 << 20,
            user_agent: None,
            robots_token: ROBOTS_TOKEN.to_owned(),
            archive: true,
            cookies: false,
            connect_ms: millis(CONNECT_TIME),
            first_byte_ms: millis(FIRST_BYTE_TIME),
            stall_ms: millis(STALL_TIME),
            whole_ms: millis(WHOLE_TIME),
            allow_addresses: Vec::new(),
            name_servers: Vec::new(),
            ca_files: Vec::new(),
        }
    }
}

/// What a crawl may spend; none: without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budgets {
    /// Pages.
    pub pages: Option<u64>,
    /// Bytes of answers, as sent.
    pub bytes: Option<u64>,
    /// Seconds, over all runs of the crawl.
    pub seconds: Option<u64>,
    /// Pages of one site.
    pub pages_per_site: Option<u64>,
    /// Pages of one pattern of a model.
    pub pages_per_pattern: Option<u64>,
    /// Pages below one path prefix (the first two folders) of a site that no model knows.
    pub pages_per_prefix: Option<u64>,
}

/// More pages than this below one folder are a trap more often than not; what is over it waits for a larger budget.
const PAGES_PER_PREFIX: u64 = 100_000;

impl Default for Budgets {
    fn default() -> Self {
        let (pages, bytes, seconds, pages_per_site, pages_per_pattern) = (None, None, None, None, None);
        let pages_per_prefix = Some(PAGES_PER_PREFIX);
        Self { pages, bytes, seconds, pages_per_site, pages_per_pattern, pages_per_prefix }
    }
}

/// What lists of URLs (sitemaps, feeds) of one site may cost: an index of fifty thousand sitemaps may name as many again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListBudgets {
    /// Lists that are asked for.
    pub number: u64,
    /// Bytes of them, as sent.
    pub bytes: u64,
    /// URLs that are taken from them.
    pub urls: u64,
}

impl Default for ListBudgets {
    fn default() -> Self {
        Self { number: 1_000, bytes: 1 << 30, urls: 1_000_000 }
    }
}

impl CrawlSettings {
    /// From an answer of a host to the next request.
    #[must_use]
    pub fn delay(&self) -> Span {
        Span(self.delay_ms)
    }

    /// The longest `Crawl-delay` that is obeyed.
    #[must_use]
    pub fn longest_crawl_delay(&self) -> Span {
        Span::seconds(self.longest_crawl_delay_s.min(u64::from(u32::MAX)))
    }

    /// The longest wait that is waited for.
    #[must_use]
    pub fn patience(&self) -> Span {
        Span::seconds(self.patience_s)
    }

    /// What numbers of the right type can still get wrong.
    ///
    /// # Errors
    /// If a time is none at all, or without sense.
    pub fn check(&self) -> Result<(), BadSetting> {
        // Nobody could ever be asked.
        for (name, value) in
            [("crawl.at_once", self.at_once as u64), ("crawl.at_once_per_host", self.at_once_per_host.into())]
        {
            if !(1..=MOST_AT_ONCE).contains(&value) {
                return Err(BadSetting { name, value, least: 1, most: MOST_AT_ONCE });
            }
        }
        for (name, value) in [
            ("crawl.connect_ms", self.connect_ms),
            ("crawl.first_byte_ms", self.first_byte_ms),
            ("crawl.stall_ms", self.stall_ms),
            ("crawl.whole_ms", self.whole_ms),
        ] {
            if !(1..=LONGEST_MS).contains(&value) {
                return Err(BadSetting { name, value, least: 1, most: LONGEST_MS });
            }
        }
        Ok(())
    }

    /// How long the client waits.
    #[must_use]
    pub fn times(&self) -> Times {
        Times {
            connect: Duration::from_millis(self.connect_ms),
            tls: Duration::from_millis(self.connect_ms),
            first_byte: Duration::from_millis(self.first_byte_ms),
            stall: Duration::from_millis(self.stall_ms),
            whole: Duration::from_millis(self.whole_ms),
            ..Times::default()
        }
    }

    /// How long a URL may be out: longer than robots.txt with all its redirects, a pause and the URL itself may take.
    pub(super) fn lease(&self) -> Span {
        Span(self.whole_ms.saturating_mul(ROBOTS_REDIRECTS as u64 + 3) + 2 * self.longest_crawl_delay().0)
    }

    /// Whether a media type is wanted.
    #[must_use]
    pub fn wants(&self, media_type: &str) -> bool {
        self.content_types.iter().any(|wanted| match wanted.strip_suffix('*') {
            Some(start) => media_type.starts_with(start),
            None => media_type == wanted,
        })
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// How often what was done is made safe against loss of power.
pub(super) const SYNC_EVERY: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_times_are_those_of_the_client_and_none_of_them_is_nothing() {
        let settings = CrawlSettings::default();
        assert_eq!((settings.times(), settings.check()), (Times::default(), Ok(())));
        let none = CrawlSettings { first_byte_ms: 0, ..settings.clone() }.check().unwrap_err().to_string();
        assert_eq!(none, "crawl.first_byte_ms is 0; it must be from 1 to 3600000");
        let nobody = CrawlSettings { at_once: 0, ..settings.clone() }.check().unwrap_err().to_string();
        assert_eq!(nobody, "crawl.at_once is 0; it must be from 1 to 10000");
        assert!(CrawlSettings { at_once_per_host: 0, ..settings.clone() }.check().is_err());
        assert!(CrawlSettings { whole_ms: LONGEST_MS + 1, ..settings.clone() }.check().is_err());
        assert!(settings.lease().0 > 7 * settings.whole_ms);
    }

    #[test]
    fn ours_media_types_are_wanted_by_name_or_by_their_beginning() {
        let mut settings = CrawlSettings::default();
        assert!(settings.wants("text/html") && !settings.wants("image/png"));
        settings.content_types = vec!["image/*".to_owned(), "*".to_owned()];
        assert!(settings.wants("image/png") && settings.wants("anything/else"));
    }
}
