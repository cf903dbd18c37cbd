//! What is asked for, by whom, from where?

use crate::graph::PageId;
use crate::synthetic::time::Moment;

/// Files that every page loads.
pub(super) const STATIC_FILES: u8 = 4;

/// A line of the log to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) at: Moment,
    pub(super) client: Client,
    pub(super) ask: Ask,
    pub(super) from: Referrer,
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Client {
    /// A person.
    Reader(u32),
    /// A bot that says so.
    Bot(u8),
    /// A program that calls itself a browser.
    Scraper(u8),
    /// A program that looks for holes.
    Scanner(u8),
    /// The operator's own check.
    Monitor,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    /// A page, which is there.
    Page(PageId),
    /// A short link, which redirects to a page.
    ShortLink(PageId),
    /// A file that all pages load.
    Static(u8),
    /// A picture of a page.
    Image(PageId, u8),
    /// A form sent from a page.
    Form(PageId),
    /// A page that is not there.
    Missing(u32),
    /// What only scanners ask for.
    Hole(u8),
    /// robots.txt.
    Robots,
    /// Whether the home page answers.
    Check,
}

impl Ask {
    /// Whether a browser asks for it by itself.
    pub(super) fn is_asset(self) -> bool {
        matches!(self, Self::Static(_) | Self::Image(..))
    }
}

/// Where a request comes from, as it says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Referrer {
    /// It does not say.
    None,
    /// A page of the site.
    Page(PageId),
    /// A search engine.
    Search,
    /// A social network.
    Social,
    /// A mail program in a browser.
    Mail,
}
