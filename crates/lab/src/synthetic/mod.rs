//! What would a site look like whose readers we know? A made-up web site with time, its readers, and their log.
//!
//! It is the world of the demonstration and of experiments with pages that are born after training. It is made of a
//! seed and nothing else: same settings, same bytes. It knows nothing of URL patterns: nothing here uses the crates
//! that mine them, and **readers choose by topic, never by URL**.
//!
//! # The site
//! Fifteen sections ([`Section`]), twenty topics that cut across them ([`MadeTopic`]). Every page has a birth, a topic (or
//! none, if it is about everything), and an *appeal*: a level that is typical of its kind (an article has more to say
//! than a profile) times a Pareto draw with exponent 4/3, at most 40. The kind is the only reason why URLs of one shape
//! are read alike. In three sections even that is hidden: their URLs are eight random digits, and one that people read
//! shares its form with one that they do not.
//!
//! Listings show the newest first, so their links change with every birth (`stream`); other links appear at a time and
//! stay (`draft`). Two traps, the filtered search of the shop and the endless calendar, are more than a quarter of the
//! pages and take less than a hundredth of the visits. The site as it stands at a time is [`Site::mirror_at`]; when a
//! page's bytes change is [`Site::changes`].
//!
//! # The readers
//! A reader has a taste w over topics: five favorites, drawn without replacement by the topics' general popularity
//! (1/rank), get w = 1, 2^(−3/2), 3^(−3/2), …; all others a little; pages about everything a fixed share. Readers come
//! with heavy-tailed numbers of sessions, spread over days and hours as people's are. A session enters at the home
//! page, at a page seen before, through a search engine (any page of a topic of theirs, by appeal and freshness),
//! through a social network (a recent page), or through the weekly newsletter. On a page, a reader gives each link
//!
//! v(link) = attention(block, position) · w(topic) · appeal · freshness(age) · novelty,
//!
//! leaves with probability b + (1 − b) · v₀ / (v₀ + Σv), else follows a link with probability v / Σv, or goes back a page
//! (which asks the server nothing) and chooses there. freshness = 2^(−age / half-life) for news and other things that
//! age ([`MadePage::freshness`]). Only links that stood on the page when it was loaded can be followed. The constants are
//! named in `readers`.
//!
//! # The log
//! Combined log format, in order of time, with what real logs have besides reading: pictures and styles, bots that say
//! so, a few programs that do not, scanners, redirects, forms ([`Noise`]). [`Site::visits`] is the truth.
//!
//! # What it deliberately does not do
//! Readers do not influence each other, and appeal does not depend on who read before. Pages never die or move, threads
//! do not rise when answered, texts mean nothing, the bytes in the log are not the lengths of [`Site::html`]. Nothing
//! here was fitted to a real site: results on it show what a method can and cannot see, not what it will gain elsewhere.

mod calendar;
mod draft;
mod forum;
mod home;
mod html;
mod knowledge;
mod links;
mod log;
mod mirror;
mod news;
mod opaque;
mod page;
mod profiles;
mod readers;
mod search;
mod shop;
mod stream;
#[cfg(test)]
mod tests;
mod time;
mod topics;
mod writing;

pub use log::{LogTally, Noise};
pub use mirror::SyntheticMirror;
pub use page::{Block, MadeLink, MadePage, Role, Section};
pub use readers::{Came, MadeVisit, ReaderId};
pub use time::Moment;
pub use topics::{MadeTopic, TOPICS};

use self::draft::{Draft, FixedLink};
use self::stream::Stream;
use crate::graph::PageId;

/// What a synthetic site is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntheticSettings {
    /// The seed of all chance.
    pub seed: u64,
    /// Pages and readers, relative to the default of about 27,000 and 9,000.
    pub scale: f64,
    /// Days that the log covers.
    pub days: u32,
    /// What the log has besides reading.
    pub noise: Noise,
    /// The host, for absolute URLs.
    pub host: String,
}

impl Default for SyntheticSettings {
    fn default() -> Self {
        Self { seed: 1, scale: 1.0, days: 60, noise: Noise::default(), host: "demo.test".to_owned() }
    }
}

/// A synthetic site and all that people read on it.
#[derive(Debug)]
pub struct Site {
    settings: SyntheticSettings,
    pages: Vec<MadePage>,
    /// The fixed links of page p are `fixed[offsets[p] .. offsets[p + 1]]`.
    offsets: Vec<u32>,
    fixed: Vec<FixedLink>,
    streams: Vec<Stream>,
    heads: Vec<Vec<(usize, usize)>>,
    header: Vec<PageId>,
    footer: Vec<PageId>,
    /// By page, then time.
    revisions: Vec<(PageId, Moment)>,
    /// By topic: the listing of its items.
    topics: Vec<usize>,
    /// Pages in the order of their paths.
    by_path: Vec<PageId>,
    visits: Vec<MadeVisit>,
}

impl Site {
    /// The home page.
    pub const HOME: PageId = 0;

    /// Makes the site, and lets people read it.
    pub fn build(settings: &SyntheticSettings) -> Self {
        let mut site = Self::without_readers(settings);
        site.visits = readers::all_visits(&site);
        site
    }

    fn without_readers(settings: &SyntheticSettings) -> Self {
        let mut draft = Draft::new(settings.seed, settings.scale, settings.days);
        let home = home::home(&mut draft);
        let mut footer = home::about(&mut draft);
        let news = news::build(&mut draft);
        let members = profiles::build(&mut draft);
        let forum = forum::build(&mut draft, &members);
        let shop = shop::build(&mut draft);
        search::build(&mut draft, &shop);
        let calendar = calendar::build(&mut draft);
        let docs = knowledge::docs(&mut draft);
        let wiki = knowledge::wiki(&mut draft);
        let guides = writing::guides(&mut draft);
        let blog = writing::blog(&mut draft);
        let stories = opaque::stories(&mut draft);
        let records = opaque::records(&mut draft);
        let gallery = opaque::gallery(&mut draft);
        let (all_topics, topics) = home::topics(&mut draft);
        home::relate(&mut draft, &topics);

        let parts = [news, stories, shop.part, guides, blog, gallery, calendar, wiki];
        let newest = parts.into_iter().zip([8, 4, 3, 2, 3, 3, 1, 1]).map(|(part, shown)| (part.newest, shown));
        let threads = forum.newest.iter().take(4).map(|&board| (board, 1));
        draft.show_heads(home, newest.chain(threads).collect());
        let mut header = vec![home];
        header.extend(parts.map(|part| part.front));
        header.extend([forum.front, docs, all_topics]);
        footer.extend([records.front, members.front]);
        Self::of(draft, settings.clone(), header, footer, topics)
    }

    fn of(
        mut draft: Draft,
        settings: SyntheticSettings,
        header: Vec<PageId>,
        footer: Vec<PageId>,
        topics: Vec<usize>,
    ) -> Self {
        // Stable: the links of a page stay in their order.
        draft.fixed.sort_by_key(|link| link.0);
        draft.revisions.sort_unstable();
        let count = draft.pages.len() as PageId;
        let offsets = (0..=count).map(|page| draft.fixed.partition_point(|link| link.0 < page) as u32).collect();
        let mut by_path: Vec<PageId> = (0..count).collect();
        by_path.sort_by(|&a, &b| draft.pages[a as usize].path.cmp(&draft.pages[b as usize].path));
        Self {
            settings,
            pages: draft.pages,
            offsets,
            fixed: draft.fixed.into_iter().map(|(_, link)| link).collect(),
            streams: draft.streams,
            heads: draft.heads,
            header,
            footer,
            revisions: draft.revisions,
            topics,
            by_path,
            visits: Vec::new(),
        }
    }

    /// What it was made of.
    pub fn settings(&self) -> &SyntheticSettings {
        &self.settings
    }

    /// When the log begins.
    pub fn start(&self) -> Moment {
        Moment::START
    }

    /// When the log ends; all pages are born by then.
    pub fn end(&self) -> Moment {
        Moment::START.plus_days(self.settings.days.into())
    }

    /// All pages that there will ever be, by number.
    pub fn pages(&self) -> &[MadePage] {
        &self.pages
    }

    /// A page.
    pub fn page(&self, page: PageId) -> &MadePage {
        &self.pages[page as usize]
    }

    /// Its absolute URL.
    pub fn url(&self, page: PageId) -> String {
        format!("http://{}{}", self.settings.host, self.page(page).path)
    }

    /// The page of a path and query, born or not.
    pub fn find(&self, path: &str) -> Option<PageId> {
        let at = self.by_path.binary_search_by(|&page| self.page(page).path.as_str().cmp(path)).ok()?;
        Some(self.by_path[at])
    }

    /// The truth: all that people read, in order of time.
    pub fn visits(&self) -> &[MadeVisit] {
        &self.visits
    }
}
