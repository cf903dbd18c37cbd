//! From tags and text to what they mean, one after another.

use std::borrow::Cow;

use super::entity::{self, Context, Quote};
use super::flow::Flow;
use super::leads;
use super::tag::{Attribute, Tag};
use super::{Link, LinkKind, PageContent, Want};
use crate::Caps;

/// The name by which a page may speak to us alone.
const OUR_NAME: &str = "trodden";
/// The most wishes of a page that are kept.
const ROBOTS: usize = 16;

/// Where the words go that come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Body,
    Title,
    Hidden,
}

/// The value of an attribute.
#[derive(Debug)]
pub(super) enum Value<'h> {
    /// As it is written.
    Raw(&'h str, Quote),
    /// With its entities resolved.
    #[cfg(test)]
    Resolved(String),
}

impl<'h> Value<'h> {
    fn resolved(self) -> Cow<'h, str> {
        match self {
            Self::Raw(text, quote) => entity::resolved(text, Context::Value(quote)),
            #[cfg(test)]
            Self::Resolved(text) => Cow::Owned(text),
        }
    }
}

/// The attributes of the start tag that is being read.
#[derive(Debug, Default)]
struct Attributes<'h> {
    values: [Option<Value<'h>>; Attribute::COUNT],
}

impl<'h> Attributes<'h> {
    fn take(&mut self, attribute: Attribute) -> Option<Cow<'h, str>> {
        self.values[attribute as usize].take().map(Value::resolved)
    }

    /// An address.
    fn address(&mut self, attribute: Attribute) -> Option<String> {
        self.take(attribute).map(|address| cleaned(&address).into_owned())
    }

    fn clear(&mut self) {
        self.values.iter_mut().for_each(|value| *value = None);
    }
}

/// Whether one of the words of an attribute is one of these.
fn has_word(value: &str, wanted: &[&str]) -> bool {
    let mut words = value.split(|c: char| c.is_ascii_whitespace() || c == ',');
    words.any(|word| wanted.iter().any(|w| word.eq_ignore_ascii_case(w)))
}

/// A page that is being read.
pub(super) struct Reading<'h, 'c> {
    caps: &'c Caps,
    want: Want,
    page: PageContent,
    attributes: Attributes<'h>,
    place: Place,
    /// Templates and drawings that are open.
    templates: u32,
    drawings: u32,
    has_title: bool,
    /// Whether the last link is open and takes words.
    in_link: bool,
    title: Flow,
    anchor: Flow,
    text: Flow,
}

impl<'h, 'c> Reading<'h, 'c> {
    pub(super) fn new(want: Want, caps: &'c Caps) -> Self {
        Self {
            caps,
            want,
            page: PageContent::default(),
            attributes: Attributes::default(),
            place: Place::Body,
            templates: 0,
            drawings: 0,
            has_title: false,
            in_link: false,
            title: Flow::new(caps.anchor_bytes),
            anchor: Flow::new(caps.anchor_bytes),
            text: Flow::new(caps.text_bytes),
        }
    }

    /// Whether the attributes of this start tag are wanted. If so, it begins.
    pub(super) fn reads(&mut self, tag: Tag) -> bool {
        let is_read = tag.is_read() && (tag != Tag::Image || self.in_link && self.want != Want::Hrefs);
        if is_read {
            self.attributes.clear();
        }
        is_read
    }

    /// Takes an attribute of the tag that has begun. The first of its name counts.
    pub(super) fn attribute(&mut self, attribute: Attribute, value: Value<'h>) {
        self.values(attribute).get_or_insert(value);
    }

    fn values(&mut self, attribute: Attribute) -> &mut Option<Value<'h>> {
        &mut self.attributes.values[attribute as usize]
    }

    /// A start tag is over. False: it is over with all that is in it.
    pub(super) fn start(&mut self, tag: Tag, closes_itself: bool) -> bool {
        // Inside a drawing a tag can close itself; elsewhere the slash means nothing.
        if closes_itself && self.drawings > 0 {
            return false;
        }
        if tag.parts_words() {
            self.part_words();
        }
        let is_seen = self.templates == 0;
        match tag {
            Tag::Template => self.templates += 1,
            Tag::Drawing => self.drawings += 1,
            Tag::Hidden => self.place = Place::Hidden,
            Tag::Title if self.has_title || self.drawings > 0 || !is_seen => self.place = Place::Hidden,
            Tag::Title => self.place = Place::Title,
            Tag::Anchor if is_seen => {
                self.close_link();
                self.in_link = self.add_link(LinkKind::Anchor);
            }
            Tag::Area if is_seen => self.add_area(),
            Tag::Image if self.in_link && is_seen && self.want != Want::Hrefs => self.add_alt(),
            Tag::Base if is_seen && self.page.base.is_none() => {
                self.page.base = self.attributes.address(Attribute::Href);
            }
            Tag::Link if is_seen => self.read_link(),
            Tag::Meta if is_seen => self.read_meta(),
            Tag::Frame if is_seen => self.read_frame(),
            Tag::InlineFrame => {
                self.place = Place::Hidden;
                if is_seen {
                    self.read_frame();
                }
            }
            _ => {}
        }
        true
    }

    pub(super) fn end(&mut self, tag: Tag) {
        if tag.parts_words() {
            self.part_words();
        }
        match tag {
            Tag::Template => self.templates = self.templates.saturating_sub(1),
            Tag::Drawing => self.drawings = self.drawings.saturating_sub(1),
            Tag::Anchor if self.templates == 0 => self.close_link(),
            Tag::Title => self.close_title(),
            Tag::Hidden | Tag::InlineFrame => self.place = Place::Body,
            _ => {}
        }
    }

    /// Whether words that come next are of interest.
    pub(super) fn wants_words(&self) -> bool {
        match self.place {
            Place::Hidden => false,
            Place::Title => !self.title.is_full(),
            Place::Body if self.templates > 0 => false,
            Place::Body => match self.want {
                Want::Hrefs => false,
                Want::Links => self.in_link && !self.anchor.is_full(),
                Want::LinksAndText => self.in_link && !self.anchor.is_full() || !self.text.is_full(),
            },
        }
    }

    /// Takes words as they are written; they are wanted.
    pub(super) fn words(&mut self, text: &str, context: Context) {
        self.resolved_words(&entity::resolved(text, context));
    }

    pub(super) fn resolved_words(&mut self, words: &str) {
        if self.place == Place::Title {
            return self.title.push(words);
        }
        if self.in_link {
            self.anchor.push(words);
        }
        if self.want == Want::LinksAndText {
            self.text.push(words);
        }
    }

    pub(super) fn finish(mut self) -> PageContent {
        self.close_link();
        self.close_title();
        self.page.text = self.text.take();
        self.page
    }

    fn part_words(&mut self) {
        self.anchor.gap();
        self.text.gap();
    }

    /// `link`: the page's own address, the next page, a feed.
    fn read_link(&mut self) {
        let rel = self.attributes.take(Attribute::Rel).unwrap_or_default();
        if self.page.canonical.is_none() && has_word(&rel, &["canonical"]) {
            self.page.canonical = self.attributes.address(Attribute::Href);
            return;
        }
        let media_type = self.attributes.take(Attribute::Type);
        if let Some(kind) = leads::kind_of(&rel, media_type.as_deref())
            && let Some(href) = self.attributes.take(Attribute::Href)
        {
            self.add_beside(&href, kind, has_word(&rel, &["nofollow"]));
        }
    }

    fn read_meta(&mut self) {
        let name = self.attributes.take(Attribute::Name).unwrap_or_default();
        let is_refresh =
            self.attributes.take(Attribute::HttpEquiv).is_some_and(|it| it.trim().eq_ignore_ascii_case("refresh"));
        let is_wish = has_word(&name, &["robots", OUR_NAME]);
        if !is_wish && !is_refresh {
            return;
        }
        let content = self.attributes.take(Attribute::Content).unwrap_or_default();
        if is_wish {
            self.page.is_nofollow |= has_word(&content, &["nofollow", "none"]);
            if self.page.robots.len() < ROBOTS {
                let mut words = Flow::new(self.caps.anchor_bytes);
                words.push(&content);
                self.page.robots.push(words.take());
            }
        }
        if is_refresh && let Some(address) = leads::refreshed(&content) {
            self.add_beside(address, LinkKind::Refresh, false);
        }
    }

    fn read_frame(&mut self) {
        if let Some(src) = self.attributes.take(Attribute::Src) {
            self.add_beside(&src, LinkKind::Frame, false);
        }
    }

    fn add_beside(&mut self, href: &str, kind: LinkKind, is_nofollow: bool) {
        let href = cleaned(href);
        if self.page.beside.len() >= self.caps.beside || href.len() > self.caps.href_bytes {
            self.page.beside_left_out += 1;
        } else {
            self.page.beside.push(Link { href: href.into_owned(), anchor: String::new(), kind, is_nofollow });
        }
    }

    fn add_alt(&mut self) {
        if !self.anchor.is_full()
            && let Some(alt) = self.attributes.take(Attribute::Alt)
        {
            self.anchor.gap();
            self.anchor.push(&alt);
            self.anchor.gap();
        }
    }

    fn add_area(&mut self) {
        if self.add_link(LinkKind::Area)
            && self.want != Want::Hrefs
            && let (Some(link), Some(alt)) = (self.page.links.last_mut(), self.attributes.take(Attribute::Alt))
        {
            let mut words = Flow::new(self.caps.anchor_bytes);
            words.push(&alt);
            link.anchor = words.take();
        }
    }

    /// Adds a link without words, if the tag is one; says whether it did.
    fn add_link(&mut self, kind: LinkKind) -> bool {
        if self.values(Attribute::Href).is_none() {
            return false;
        }
        // What is not kept is not looked at.
        let href =
            (self.page.links.len() < self.caps.links).then(|| self.attributes.address(Attribute::Href)).flatten();
        let Some(href) = href.filter(|href| href.len() <= self.caps.href_bytes) else {
            self.page.links_left_out += 1;
            return false;
        };
        let is_nofollow = self.attributes.take(Attribute::Rel).is_some_and(|rel| has_word(&rel, &["nofollow"]));
        // An area in the middle of a link ends it here: words after it would go to the wrong one.
        self.close_link();
        self.page.links.push(Link { href, anchor: String::new(), kind, is_nofollow });
        true
    }

    fn close_link(&mut self) {
        if std::mem::take(&mut self.in_link)
            && let Some(link) = self.page.links.last_mut()
        {
            link.anchor = self.anchor.take();
        }
    }

    fn close_title(&mut self) {
        if self.place == Place::Title {
            self.page.title = self.title.take();
            self.has_title = true;
        }
        self.place = Place::Body;
    }
}

/// An address without the line ends and tabs in it, and without the blanks around it.
fn cleaned(href: &str) -> Cow<'_, str> {
    let href = href.trim_matches(|c: char| c <= ' ');
    if memchr::memchr3(b'\t', b'\n', b'\r', href.as_bytes()).is_some() {
        Cow::Owned(href.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(href)
    }
}
