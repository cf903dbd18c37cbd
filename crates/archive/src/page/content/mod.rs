//! What does this page say, and where does it lead?
//!
//! One pass over the tokens of a page gives its links with their anchor texts, its `<base>`, its title, and, if asked for,
//! the words of its body. There is no tree: what matters here is told by tags alone, which `scan` finds.
//!
//! - A link is an `a` or `area` with `href`, in the order of the page. Of an attribute that is there twice the first
//!   counts; entities are resolved; tabs and line ends are taken out of the address, and blanks off its ends, as browsers
//!   do. What is inside `noscript` counts: no scripts are run here. What is inside `template` does not: nobody sees it.
//! - An anchor text goes from `<a>` to the next `</a>` or `<a>`; the `alt` of an image in it counts as its words.
//! - What else leads on (the next page, feeds, frames, a refresh) is kept beside the links, told apart by [`LinkKind`].
//! - White space is one blank. Tags of blocks part words, tags within a line do not: `<b>w</b>ord` is one word.
//! - The words of scripts, styles, frames and templates are no text; the title is kept apart.
//!
//! [`PageContent::resolved`] makes the links absolute. Work is linear in the page; sizes are bounded by [`Caps`].

mod entity;
mod flow;
mod leads;
mod reading;
mod scan;
mod tag;

use std::fmt;

use url::Url;

use self::reading::Reading;
use self::scan::Scan;
use crate::Caps;

/// What is read of a page. The title and what leads on beside the links come with each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Where links lead, without their words: the fastest.
    Hrefs,
    /// Links with their words.
    Links,
    /// Links with their words, and the words of the body.
    LinksAndText,
}

/// By what a page leads on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// `<a href>`.
    Anchor,
    /// `<area href>`, a part of a picture.
    Area,
    /// `<link rel=next>`.
    Next,
    /// `<link rel=prev>`.
    Previous,
    /// `<link rel=alternate>`: the same in another language or form.
    Alternate,
    /// `<link rel=amphtml>`: the same for small screens.
    Amp,
    /// `<link rel=alternate>` of the type of a feed.
    Feed,
    /// `<iframe src>` or `<frame src>`: shown inside the page.
    Frame,
    /// `<meta http-equiv=refresh>`: the reader is sent on.
    Refresh,
}

/// A link as the page writes it.
///
/// `Debug` does not show where it leads: a URL may hold a password.
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, as written, without blanks around it and line ends in it.
    pub href: String,
    /// Its words; empty unless asked for.
    pub anchor: String,
    /// By what the page leads there.
    pub kind: LinkKind,
    /// Whether the page asks crawlers not to follow this one (`rel=nofollow`).
    pub is_nofollow: bool,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("kind", &self.kind).field("is_nofollow", &self.is_nofollow).finish_non_exhaustive()
    }
}

/// What a page says and where it leads.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PageContent {
    /// What the addresses of its links are relative to, as written; none if that is the page itself.
    pub base: Option<String>,
    /// The address that it says is its own (`rel=canonical`), as written.
    pub canonical: Option<String>,
    /// Its title.
    pub title: String,
    /// The words of its body; empty unless asked for.
    pub text: String,
    /// Its links (`a` and `area`), in order.
    pub links: Vec<Link>,
    /// Links over a cap: too many, or too long.
    pub links_left_out: u64,
    /// By what else it leads on: all other kinds, in order.
    pub beside: Vec<Link>,
    /// Those over a cap.
    pub beside_left_out: u64,
    /// What it asks of crawlers, and of us by name, as written: the contents of `<meta name=robots>`.
    pub robots: Vec<String>,
    /// Whether it asks crawlers to follow none of its links (`<meta name=robots content=nofollow>`).
    pub is_nofollow: bool,
}

impl fmt::Debug for PageContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageContent")
            .field("links", &self.links.len())
            .field("text_bytes", &self.text.len())
            .field("is_nofollow", &self.is_nofollow)
            .finish_non_exhaustive()
    }
}

impl PageContent {
    /// Reads a page. Any text will do.
    #[must_use]
    pub fn of(html: &str, want: Want, caps: &Caps) -> Self {
        let mut reading = Reading::new(want, caps);
        Scan::new(html, &mut reading).run();
        reading.finish()
    }

    /// The links as absolute http and https URLs without fragments. Those that are none (`mailto:`, `javascript:`, broken
    /// ones) are passed over.
    pub fn resolved<'a>(&'a self, page: &Url) -> impl Iterator<Item = (Url, &'a Link)> + use<'a> {
        let base = self.base_url(page);
        self.links.iter().filter_map(move |link| Some((absolute(&base, &link.href)?, link)))
    }

    /// The same of what leads on beside them.
    pub fn resolved_beside<'a>(&'a self, page: &Url) -> impl Iterator<Item = (Url, &'a Link)> + use<'a> {
        let base = self.base_url(page);
        self.beside.iter().filter_map(move |link| Some((absolute(&base, &link.href)?, link)))
    }

    /// The address that the page says is its own, if it is one.
    #[must_use]
    pub fn canonical_url(&self, page: &Url) -> Option<Url> {
        absolute(&self.base_url(page), self.canonical.as_deref()?)
    }

    /// What its links are relative to. A base that is no http or https URL does not count.
    #[must_use]
    pub fn base_url(&self, page: &Url) -> Url {
        self.base.as_deref().and_then(|base| absolute(page, base)).unwrap_or_else(|| page.clone())
    }
}

fn absolute(base: &Url, href: &str) -> Option<Url> {
    let mut url = base.join(href).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| {
        url.set_fragment(None);
        url
    })
}

#[cfg(test)]
mod same;
#[cfg(test)]
mod tests;
