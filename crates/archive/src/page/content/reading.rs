//! From tokens to what they mean, one after another.

use std::borrow::Cow;

use html5gum::State;
use html5gum::emitters::callback::CallbackEvent;

use super::flow::Flow;
use super::tag::{Attribute, Tag, state_after};
use super::{Link, PageContent, Want};
use crate::Caps;

/// Where the words go that come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Body,
    Title,
    Hidden,
}

/// The attributes of the start tag that is being read.
#[derive(Debug, Default)]
struct Attributes {
    values: [Option<String>; Attribute::COUNT],
    /// Whose value comes next.
    open: Option<Attribute>,
}

impl Attributes {
    /// The first of its name counts.
    fn name(&mut self, name: &[u8]) {
        let named = Attribute::named(name);
        self.open = named.filter(|a| self.values[*a as usize].is_none());
        if let Some(attribute) = self.open {
            self.values[attribute as usize] = Some(String::new());
        }
    }

    fn value(&mut self, value: &[u8]) {
        if let Some(attribute) = self.open.take() {
            self.values[attribute as usize] = Some(String::from_utf8_lossy(value).into_owned());
        }
    }

    fn take(&mut self, attribute: Attribute) -> Option<String> {
        self.values[attribute as usize].take()
    }

    /// Whether one of the words of an attribute is one of these.
    fn has_word(&mut self, attribute: Attribute, wanted: &[&str]) -> bool {
        let value = self.take(attribute).unwrap_or_default();
        let mut words = value.split(|c: char| c.is_ascii_whitespace() || c == ',');
        words.any(|word| wanted.iter().any(|w| word.eq_ignore_ascii_case(w)))
    }

    fn clear(&mut self) {
        self.values.iter_mut().for_each(|value| *value = None);
        self.open = None;
    }
}

/// A page that is being read.
pub(super) struct Reading<'c> {
    caps: &'c Caps,
    want: Want,
    page: PageContent,
    /// The start tag that is being read, and how what follows it is to be read.
    tag: Option<(Tag, Option<State>)>,
    attributes: Attributes,
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

impl<'c> Reading<'c> {
    pub(super) fn new(want: Want, caps: &'c Caps) -> Self {
        Self {
            caps,
            want,
            page: PageContent::default(),
            tag: None,
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

    /// Takes a token; says how the tokenizer must go on, if not as before.
    pub(super) fn event(&mut self, event: &CallbackEvent<'_>) -> Option<State> {
        match *event {
            CallbackEvent::OpenStartTag { name } => {
                let tag = Tag::named(name);
                if tag.is_read() {
                    self.attributes.clear();
                }
                self.tag = Some((tag, state_after(name)));
            }
            CallbackEvent::AttributeName { name } if self.tag.is_some_and(|(tag, _)| tag.is_read()) => {
                self.attributes.name(name);
            }
            CallbackEvent::AttributeValue { value } => self.attributes.value(value),
            CallbackEvent::CloseStartTag { self_closing } => {
                // Inside a drawing a tag can close itself; elsewhere the slash means nothing.
                let is_empty = self_closing && self.drawings > 0;
                return self.tag.take().filter(|_| !is_empty).and_then(|(tag, state)| {
                    self.start(tag);
                    state
                });
            }
            CallbackEvent::EndTag { name } => self.end(Tag::named(name)),
            CallbackEvent::String { value } => self.words(value),
            _ => {}
        }
        None
    }

    pub(super) fn finish(mut self) -> PageContent {
        self.close_link();
        self.close_title();
        self.page.text = self.text.take();
        self.page
    }

    fn start(&mut self, tag: Tag) {
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
            Tag::Anchor => self.start_link(),
            Tag::Area if is_seen => self.add_area(),
            Tag::Image if self.in_link && is_seen => {
                if let Some(alt) = self.attributes.take(Attribute::Alt) {
                    self.anchor.gap();
                    self.anchor.push(&alt);
                    self.anchor.gap();
                }
            }
            Tag::Base if is_seen && self.page.base.is_none() => {
                self.page.base = self.attributes.take(Attribute::Href).map(|href| cleaned(&href).into_owned());
            }
            Tag::Link if is_seen && self.page.canonical.is_none() => self.read_canonical(),
            Tag::Meta if is_seen => self.read_robots(),
            _ => {}
        }
    }

    fn read_canonical(&mut self) {
        if self.attributes.has_word(Attribute::Rel, &["canonical"]) {
            self.page.canonical = self.attributes.take(Attribute::Href).map(|href| cleaned(&href).into_owned());
        }
    }

    fn read_robots(&mut self) {
        if self.attributes.has_word(Attribute::Name, &["robots"]) {
            self.page.is_nofollow |= self.attributes.has_word(Attribute::Content, &["nofollow", "none"]);
        }
    }

    fn end(&mut self, tag: Tag) {
        // An end tag may have attributes, which mean nothing.
        self.attributes.open = None;
        if tag.parts_words() {
            self.part_words();
        }
        match tag {
            Tag::Template => self.templates = self.templates.saturating_sub(1),
            Tag::Drawing => self.drawings = self.drawings.saturating_sub(1),
            Tag::Anchor if self.templates == 0 => self.close_link(),
            Tag::Title => self.close_title(),
            Tag::Hidden => self.place = Place::Body,
            _ => {}
        }
    }

    fn words(&mut self, value: &[u8]) {
        let is_wanted = match self.place {
            Place::Hidden => false,
            Place::Title => true,
            Place::Body => self.templates == 0 && (self.in_link || self.want == Want::LinksAndText),
        };
        if !is_wanted {
            return;
        }
        let words = String::from_utf8_lossy(value);
        if self.place == Place::Title {
            return self.title.push(&words);
        }
        if self.in_link {
            self.anchor.push(&words);
        }
        if self.want == Want::LinksAndText {
            self.text.push(&words);
        }
    }

    fn part_words(&mut self) {
        self.anchor.gap();
        self.text.gap();
    }

    fn start_link(&mut self) {
        if self.templates > 0 {
            return;
        }
        self.close_link();
        self.in_link = self.add_link();
    }

    fn add_area(&mut self) {
        let alt = self.attributes.take(Attribute::Alt);
        if self.add_link()
            && let (Some(link), Some(alt)) = (self.page.links.last_mut(), alt)
        {
            let mut words = Flow::new(self.caps.anchor_bytes);
            words.push(&alt);
            link.anchor = words.take();
        }
    }

    /// Adds a link without words, if the tag is one; says whether it did.
    fn add_link(&mut self) -> bool {
        let Some(href) = self.attributes.take(Attribute::Href) else { return false };
        let href = cleaned(&href);
        if self.page.links.len() >= self.caps.links || href.len() > self.caps.href_bytes {
            self.page.links_left_out += 1;
            return false;
        }
        let is_nofollow = self.attributes.has_word(Attribute::Rel, &["nofollow"]);
        // An area in the middle of a link ends it here: words after it would go to the wrong one.
        self.close_link();
        self.page.links.push(Link { href: href.into_owned(), anchor: String::new(), is_nofollow });
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
    if href.contains(['\t', '\n', '\r']) {
        Cow::Owned(href.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(href)
    }
}
