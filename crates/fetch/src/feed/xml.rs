//! Which entries are in this feed of XML?
//!
//! An entry is an `item` or `entry`, wherever it stands; what counts of it is directly in it. Names are compared without
//! their prefix, so `atom:link` in RSS and `dc:date` in RDF are read too.
//!
//! | field     | RSS                              | RDF                    | Atom                               |
//! |-----------|----------------------------------|------------------------|------------------------------------|
//! | link      | `link`, else a permanent `guid`  | `link`, else `about`   | `link rel=alternate`, else a web `id` |
//! | published | `pubDate`, else `date`           | `date`                 | `published` (`issued` of 0.3)      |
//! | updated   | `updated`                        | `modified`             | `updated` (`modified` of 0.3)      |

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::caps::{BASES, TIME_BYTES};
use super::{FeedEntry, FeedKind, Taken};
use crate::sitemap::{EVENT_BYTES, Meter, Utf8, lenient, resolve};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FeedField {
    Link,
    /// What may stand in for the link: `guid`, `id`.
    Id,
    Published,
    /// `date` may be either; it counts where nothing better is.
    Date,
    Updated,
}

impl FeedField {
    fn named(name: &str) -> Option<Self> {
        match name {
            "link" => Some(Self::Link),
            "guid" | "id" => Some(Self::Id),
            "pubDate" | "published" | "issued" => Some(Self::Published),
            "date" => Some(Self::Date),
            "updated" | "modified" => Some(Self::Updated),
            _ => None,
        }
    }
}

/// An entry that is being read.
#[derive(Default)]
struct Open {
    entry: FeedEntry,
    id: Option<String>,
    date: Option<String>,
    /// How many elements were open before it.
    depth: usize,
}

struct FeedParser<'t, 'c> {
    taken: &'t mut Taken<'c>,
    has_root: bool,
    /// Elements that are open. A number is enough: feeds leave tags open, and depth must cost nothing.
    depth: usize,
    bases: Vec<(usize, String)>,
    open: Option<Open>,
    field: Option<FeedField>,
    text: String,
}

pub(super) fn read(bytes: &[u8], taken: &mut Taken<'_>) {
    let mut parser = FeedParser {
        taken,
        has_root: false,
        depth: 0,
        bases: Vec::new(),
        open: None,
        field: None,
        text: String::new(),
    };
    let mut reader = lenient(Utf8::new(bytes));
    let mut buf = Vec::new();
    loop {
        buf.clear();
        reader.get_mut().left = EVENT_BYTES;
        match reader.read_event_into(&mut buf) {
            Ok(Event::Eof) => break,
            Ok(event) => {
                if !parser.take(&event) {
                    return;
                }
            }
            Err(_) => {
                parser.taken.read.tally.is_damaged |= parser.has_root;
                break;
            }
        }
    }
    let is_whole = parser.depth == 0 || parser.taken.read.tally.is_cut || !parser.has_root;
    parser.taken.read.tally.is_damaged |= !is_whole;
    // The feed may end inside its last entry. If its link is whole, it counts.
    if parser.open.as_ref().is_some_and(|open| !open.entry.link.is_empty()) {
        parser.close();
    }
}

impl FeedParser<'_, '_> {
    /// False: no more is wanted.
    fn take(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(tag) => return self.start(tag),
            Event::Empty(tag) => return self.start(tag) && self.end(tag.local_name().as_ref()),
            Event::End(tag) => return self.end(tag.local_name().as_ref()),
            Event::Text(text) => self.push(text),
            Event::CData(text) => self.push(text),
            Event::GeneralRef(reference) => match resolve(reference) {
                Some(c) => self.push(c.encode_utf8(&mut [0; 4])),
                None => ["&", &**reference, ";"].into_iter().for_each(|part| self.push(part)),
            },
            _ => {}
        }
        true
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> bool {
        let name = tag.local_name();
        let name: &str = name.as_ref();
        if !self.has_root {
            self.has_root = true;
            self.taken.read.kind = kind_of(name);
            if self.taken.read.kind == FeedKind::Other {
                return false;
            }
        }
        if matches!(name, "item" | "entry") {
            if self.open.is_some() {
                // The end tag of the entry before it was forgotten.
                self.taken.read.tally.is_damaged = true;
                if !self.close() {
                    return false;
                }
            }
            let link = attribute(tag, "rdf:about", self.taken.caps.link_bytes).unwrap_or_default();
            self.open = Some(Open { id: Some(link).filter(|it| is_web(it)), depth: self.depth, ..Open::default() });
        }
        if let Some(base) = attribute(tag, "xml:base", self.taken.caps.link_bytes).filter(|_| self.bases.len() < BASES)
        {
            self.bases.push((self.depth, base));
        }
        self.field = None;
        if let Some(open) = self.open.as_mut().filter(|open| self.depth == open.depth + 1) {
            self.field = FeedField::named(name);
            self.text.clear();
            match self.field {
                Some(FeedField::Link) => {
                    let rel = attribute(tag, "rel", TIME_BYTES);
                    let is_page = rel.as_deref().is_none_or(|rel| rel.eq_ignore_ascii_case("alternate"));
                    if let Some(href) = attribute(tag, "href", usize::MAX).filter(|_| is_page) {
                        set(&mut open.entry.link, href.trim());
                        open.entry.bases = self.bases.iter().map(|(_, base)| base.clone()).collect();
                    }
                    self.field = self.field.filter(|_| is_page);
                }
                Some(FeedField::Id) => {
                    let is_link = attribute(tag, "isPermaLink", TIME_BYTES);
                    self.field = self.field.filter(|_| is_link.is_none_or(|it| !it.eq_ignore_ascii_case("false")));
                }
                _ => {}
            }
        }
        self.depth += 1;
        true
    }

    fn end(&mut self, name: &str) -> bool {
        self.depth = self.depth.saturating_sub(1);
        if let (Some(field), Some(open)) = (self.field.take(), &mut self.open) {
            let text = self.text.trim();
            let time = || Some(text.to_owned()).filter(|text| !text.is_empty() && text.len() <= TIME_BYTES);
            match field {
                FeedField::Link => {
                    if set(&mut open.entry.link, text) {
                        open.entry.bases = self.bases.iter().map(|(_, base)| base.clone()).collect();
                    }
                }
                FeedField::Id if is_web(text) => open.id = Some(text.to_owned()),
                FeedField::Id => {}
                FeedField::Published => open.entry.published = time(),
                FeedField::Date => open.date = time(),
                FeedField::Updated => open.entry.updated = time(),
            }
        }
        let is_entry = matches!(name, "item" | "entry") && self.open.is_some();
        let goes_on = !is_entry || self.close();
        self.bases.retain(|(depth, _)| *depth < self.depth);
        goes_on
    }

    /// Gives the entry that is open. False: no more is wanted.
    fn close(&mut self) -> bool {
        let Some(open) = self.open.take() else { return true };
        // What was left open in it is closed with it.
        self.taken.read.tally.is_damaged |= self.depth > open.depth + 1;
        self.depth = open.depth;
        self.field = None;
        let mut entry = open.entry;
        set(&mut entry.link, &open.id.unwrap_or_default());
        entry.published = entry.published.or(open.date);
        self.taken.take(entry)
    }

    fn push(&mut self, text: &str) {
        if self.field.is_some() {
            let text = if self.text.is_empty() { text.trim_start() } else { text };
            // One character over the cap is enough to be over it.
            let room = (self.taken.caps.link_bytes.max(TIME_BYTES) + 1).saturating_sub(self.text.len());
            self.text.push_str(&text[..text.ceil_char_boundary(room)]);
        }
    }
}

/// The first that is not empty counts.
fn set(link: &mut String, text: &str) -> bool {
    let is_set = link.is_empty() && !text.is_empty();
    if is_set {
        text.clone_into(link);
    }
    is_set
}

fn is_web(text: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|it| it.eq_ignore_ascii_case(scheme)))
}

/// The value of an attribute that is not longer than the cap.
fn attribute(tag: &BytesStart<'_>, name: &str, cap: usize) -> Option<String> {
    let found = tag.attributes().with_checks(false).flatten().find(|it| AsRef::<str>::as_ref(&it.key) == name)?;
    let value: &str = &found.value;
    // Entities of XML itself only; what cannot be resolved is left as it is written.
    let value = quick_xml::escape::unescape(value).map_or_else(|_| value.to_owned(), |it| it.into_owned());
    Some(value).filter(|value| value.len() <= cap)
}

fn kind_of(root: &str) -> FeedKind {
    match root {
        "rss" => FeedKind::Rss,
        "RDF" => FeedKind::Rdf,
        "feed" => FeedKind::Atom,
        _ => FeedKind::Other,
    }
}

/// By the first element in these bytes.
pub(super) fn kind_by_start(start: &[u8]) -> FeedKind {
    let mut reader = Reader::from_reader(Meter { input: Utf8::new(start), left: EVENT_BYTES });
    let mut buf = Vec::new();
    loop {
        buf.clear();
        match reader.read_event_into(&mut buf) {
            Ok(Event::Start(tag) | Event::Empty(tag)) => return kind_of(tag.local_name().as_ref()),
            Ok(Event::Text(text)) if !text.trim().is_empty() => return FeedKind::Other,
            Ok(Event::Eof) | Err(_) => return FeedKind::Other,
            Ok(_) => {}
        }
    }
}
