//! What does an answer say, and where does it lead?
//!
//! A redirect leads to its target, a page to its links, what stands beside them and what its head names; unless robots
//! directives say otherwise. The same code that reads kept pages reads fresh ones.
//!
//! Reading needs nothing of the crawl that changes, so any thread can do it ([`prepare`](super::prepare)).

use std::sync::Arc;

use trodden_archive::http::Response;
use trodden_archive::page::read_answer;
use trodden_archive::{Caps, LinkKind, PageContent};
use url::Url;

use super::discover::{Discovery, Leads};
use super::fetch_task::FetchTask;
use super::join::Base;
use super::read;
use super::settings::{CrawlSettings, MAX_REDIRECTS};
use crate::client::HttpAnswer;
use crate::link_header::links_of;
use crate::outcome::OutcomeKind;
use crate::robots_tag::{PageUse, RobotsTag};

/// Words of the title of a page that says there is no such page.
const NOT_FOUND_TITLES: [&str; 6] =
    ["404", "not found", "page not found", "nicht gefunden", "non trouvée", "no encontrada"];
/// A longer title says something else.
const NOT_FOUND_TITLE_BYTES: usize = 80;

/// The words of a page, where the policy reads them; else empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    pub(super) title: String,
    pub(super) body: String,
}

/// What an answer says.
pub(super) struct Reading {
    pub(super) kind: OutcomeKind,
    pub(super) leads: Leads,
    /// Those that redirects lead to.
    pub(super) is_redirect: bool,
    /// Where a redirect leads, if that does not belong to the crawl.
    pub(super) led_away: Option<String>,
    pub(super) words: Option<Words>,
    pub(super) feeds: Vec<String>,
    pub(super) tag: RobotsTag,
}

impl Reading {
    fn of(kind: OutcomeKind) -> Self {
        let (leads, tag) = (Leads::default(), RobotsTag::default());
        Self { kind, leads, is_redirect: false, led_away: None, words: None, feeds: Vec::new(), tag }
    }
}

/// Reads answers.
pub(super) struct PageReader {
    pub(super) settings: CrawlSettings,
    pub(super) discovery: Arc<Discovery>,
}

impl PageReader {
    /// What an answer says, and where it leads.
    pub(super) fn read(&self, fetch: &FetchTask, answer: &HttpAnswer, kind: OutcomeKind) -> Reading {
        let (caps, head) = (Caps::default(), answer.archived_head());
        let response = read::response(answer, &head, &caps);
        let token = &self.settings.robots_token;
        let mut reading = Reading::of(kind);
        reading.tag = RobotsTag::parse(response.headers.all("X-Robots-Tag"), token);
        let Ok(page) = Url::parse(&fetch.url) else { return reading };
        if kind == OutcomeKind::Redirect {
            self.read_redirect(&mut reading, fetch, answer, &page);
            return reading;
        }
        if kind != OutcomeKind::Page {
            return reading;
        }
        let media_type = response.media_type().unwrap_or_default();
        if !media_type.is_empty() && !self.settings.wants(&media_type) {
            reading.kind = OutcomeKind::NotWanted;
            return reading;
        }
        if !matches!(media_type.as_str(), "text/html" | "application/xhtml+xml" | "") {
            reading.kind = OutcomeKind::Document;
            reading.words = Some(Words::default());
            return reading;
        }
        let content = read_answer(&response, fetch.want, &caps).content;
        let metas = content.robots.iter().map(|value| ("robots", value.as_str()));
        reading.tag = reading.tag.and(RobotsTag::parse_meta(metas, token));
        if is_soft_not_found(&content.title) {
            reading.kind = OutcomeKind::SoftNotFound;
            return reading;
        }
        if !reading.tag.refuses(PageUse::Follow) {
            self.read_links(&mut reading, fetch, &response, &content, &page);
        }
        reading.words = Some(Words { title: content.title, body: content.text });
        reading
    }

    fn read_redirect(&self, reading: &mut Reading, fetch: &FetchTask, answer: &HttpAnswer, page: &Url) {
        let source = fetch.source;
        reading.is_redirect = true;
        if source.redirects >= MAX_REDIRECTS {
            reading.kind = OutcomeKind::TooManyRedirects;
            return;
        }
        let base = Base::new(page.clone(), &self.discovery.canonicalizer);
        let Some(to) = answer.header("Location").filter(|to| base.any(to).is_some()) else {
            reading.kind = OutcomeKind::BadRedirect;
            return;
        };
        if fetch.is_seed
            && let Some(Ok(lead)) = base.any(to).and_then(|to| self.discovery.seed(to.as_str()))
        {
            // What was named to start from is there now.
            reading.leads.leads.extend(Some(lead).filter(|lead| lead.url != fetch.url));
            return;
        }
        self.discovery.add(&mut reading.leads, &base, std::iter::once((to, "")), &fetch.url, source.depth);
        if reading.leads.beyond > 0 {
            reading.led_away = base.any(to).map(Into::into);
        }
    }

    fn read_links(
        &self,
        reading: &mut Reading,
        fetch: &FetchTask,
        response: &Response<'_>,
        content: &PageContent,
        page: &Url,
    ) {
        let depth = fetch.source.depth.saturating_add(1);
        let base = Base::new(content.base_url(page), &self.discovery.canonicalizer);
        let followed = content.links.iter().filter(|link| !link.is_nofollow);
        let links = followed.map(|link| (link.href.as_str(), link.anchor.as_str()));
        self.discovery.add(&mut reading.leads, &base, links, &fetch.url, depth);
        let leads_on = |kind: LinkKind| match kind {
            LinkKind::Next | LinkKind::Previous | LinkKind::Alternate | LinkKind::Amp | LinkKind::Refresh => true,
            LinkKind::Frame => self.settings.frames,
            _ => false,
        };
        let beside = content.beside.iter().filter(|link| leads_on(link.kind)).map(|link| link.href.as_str());
        self.discovery.add(&mut reading.leads, &base, beside.map(|href| (href, "")), &fetch.url, depth);
        let headers = links_of(response.headers.all("Link")).into_iter().filter(|link| {
            link.rels.iter().any(|rel| matches!(rel.as_str(), "next" | "prev" | "alternate" | "canonical"))
        });
        let headers: Vec<String> = headers.map(|link| link.href).collect();
        if !headers.is_empty() {
            // What a header says is beside the page, whatever base the page names.
            let base = Base::new(page.clone(), &self.discovery.canonicalizer);
            let headers = headers.iter().map(|href| (href.as_str(), ""));
            self.discovery.add(&mut reading.leads, &base, headers, &fetch.url, depth);
        }
        let canonical = content.canonical.as_deref().map(|href| (href, ""));
        self.discovery.add(&mut reading.leads, &base, canonical.into_iter(), &fetch.url, depth);
        if self.settings.feeds {
            let feeds = content.resolved_beside(page).filter(|(_, link)| link.kind == LinkKind::Feed);
            reading.feeds = feeds.map(|(url, _)| url.into()).collect();
        }
    }
}

/// Whether a page says that there is no such page.
fn is_soft_not_found(title: &str) -> bool {
    let title = title.trim();
    if title.len() > NOT_FOUND_TITLE_BYTES || title.is_empty() {
        return false;
    }
    let title = title.to_lowercase();
    NOT_FOUND_TITLES.iter().any(|words| {
        title == *words || title.strip_prefix(words).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}
