//! How is a crawl run?

use std::time::Duration;

use serde::{Deserialize, Serialize};
use trodden_frontier::Span;
use trodden_ordering::ScopeSettings;

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
    /// A crawl ends when all that is left must wait longer than so many seconds.
    pub patience_s: u64,
    /// Whether sitemaps named by robots.txt are read.
    pub sitemaps: bool,
    /// Whether feeds that pages name are read.
    pub feeds: bool,
    /// Whether frames lead somewhere as links do.
    pub frames: bool,
    /// Media types that are kept and, where they are HTML, read; `*` at the end stands for anything.
    pub content_types: Vec<String>,
    /// Most bytes of a body, as sent.
    pub body_bytes: usize,
    /// The name under which robots.txt knows us.
    pub robots_token: String,
    /// Whether answers are archived.
    pub archive: bool,
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
            patience_s: 300,
            sitemaps: true,
            feeds: true,
            frames: false,
            content_types: vec!["text/html".to_owned(), "application/xhtml+xml".to_owned()],
            body_bytes: 16 << 20,
            robots_token: "trodden".to_owned(),
            archive: true,
        }
    }
}

/// What a crawl may spend; none: without end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
}

impl CrawlSettings {
    /// From an answer of a host to the next request.
    #[must_use]
    pub fn delay(&self) -> Span {
        Span(self.delay_ms)
    }

    /// The longest wait that is waited for.
    #[must_use]
    pub fn patience(&self) -> Span {
        Span::seconds(self.patience_s)
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

/// How often what was done is made safe against loss of power.
pub(super) const SYNC_EVERY: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_media_types_are_wanted_by_name_or_by_their_beginning() {
        let mut settings = CrawlSettings::default();
        assert!(settings.wants("text/html") && !settings.wants("image/png"));
        settings.content_types = vec!["image/*".to_owned(), "*".to_owned()];
        assert!(settings.wants("image/png") && settings.wants("anything/else"));
    }
}
