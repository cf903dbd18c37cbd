//! Which entries are in this sitemap?
//!
//! An entry is a `url` of a `urlset` or a `sitemap` of a `sitemapindex`; what counts of it are the `loc` and `lastmod`
//! directly in it (images and videos have a `loc` of their own, one level down). Names are compared without their
//! prefix. Without a `lastmod`, the `publication_date` of its `news` will do. Entities that the document defines are never expanded: an unknown one stays as it is written, which is also
//! what a forgotten `&amp;` needs.
//!
//! Tags that do not match are damage, and reading goes on; what is no XML ends it. Memory: one event, at most
//! [`EVENT_BYTES`], and one entry.

use std::io::{self, BufRead, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};

use super::unpack::OverCap;

/// The longest tag, text or comment.
pub(crate) const EVENT_BYTES: usize = 1 << 20;
/// Longest `lastmod` that is kept, in bytes.
const LASTMOD_BYTES: usize = 64;
/// Longest name of an outermost element that is kept, in characters.
const ROOT_CHARS: usize = 64;
/// Elements deeper than this are passed over.
const DEPTH: usize = 8;

/// One entry.
#[derive(Debug, Default)]
pub(super) struct XmlEntry {
    pub(super) loc: String,
    pub(super) lastmod: Option<String>,
    /// When it was published, if it is news.
    published: Option<String>,
    /// The entry is of an index: it names another sitemap.
    pub(super) is_sitemap: bool,
}

/// How a document ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct XmlEnd {
    /// The outermost element, if there was one.
    pub(super) root: Option<String>,
    pub(super) is_damaged: bool,
    pub(super) is_over_cap: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Root,
    XmlEntry,
    Loc,
    Lastmod,
    News,
    Published,
    Other,
}

struct SitemapParser<F> {
    each: F,
    /// Bytes of text that are held; longer ones are known by being longer.
    text_cap: usize,
    open: Vec<(Element, Box<str>)>,
    /// Elements open below those that are held.
    deeper: usize,
    entry: Option<XmlEntry>,
    text: String,
    ended: XmlEnd,
}

/// Tells `each` of every entry until it answers false. A `loc` of more than `url_cap` bytes is cut one byte after it.
pub(super) fn read<R: BufRead>(input: R, url_cap: usize, each: impl FnMut(XmlEntry) -> bool) -> XmlEnd {
    let text_cap = (url_cap + 1).max(LASTMOD_BYTES + 1);
    let mut parser = SitemapParser {
        each,
        text_cap,
        open: Vec::new(),
        deeper: 0,
        entry: None,
        text: String::new(),
        ended: XmlEnd::default(),
    };
    let mut reader = lenient(input);
    let mut buf = Vec::new();
    loop {
        buf.clear();
        reader.get_mut().left = EVENT_BYTES;
        match reader.read_event_into(&mut buf) {
            Ok(Event::Eof) => break,
            Ok(event) => {
                if !parser.take(&event) {
                    return parser.ended;
                }
            }
            Err(error) => {
                let is_over_cap =
                    matches!(&error, quick_xml::Error::Io(e) if e.get_ref().is_some_and(|e| e.is::<OverCap>()));
                parser.ended.is_over_cap |= is_over_cap;
                parser.ended.is_damaged |= !is_over_cap;
                break;
            }
        }
    }
    // The file may end inside its last entry. If its `loc` is whole, it counts.
    parser.ended.is_damaged |= !parser.open.is_empty() && !parser.ended.is_over_cap;
    parser.ended.is_damaged |= parser.ended.root.is_none();
    parser.close_whole_entry();
    parser.ended
}

impl<F: FnMut(XmlEntry) -> bool> SitemapParser<F> {
    /// False: no more is wanted.
    fn take(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(tag) => return self.start(tag.local_name().as_ref()),
            Event::End(tag) => return self.end(tag.local_name().as_ref()),
            // An empty root still says what the document is.
            Event::Empty(tag) => return self.start(tag.local_name().as_ref()) && self.end(tag.local_name().as_ref()),
            Event::Text(text) => self.push(text),
            Event::CData(text) => self.push(text),
            Event::GeneralRef(reference) => match resolve(reference) {
                Some(c) => self.push(c.encode_utf8(&mut [0; 4])),
                None => {
                    for part in ["&", &**reference, ";"] {
                        self.push(part);
                    }
                }
            },
            _ => {}
        }
        true
    }

    fn start(&mut self, name: &str) -> bool {
        if self.open.len() >= DEPTH {
            self.deeper += 1;
            return true;
        }
        let is_entry = matches!(name, "url" | "sitemap");
        let element = match self.open.last().map(|open| open.0) {
            None => {
                self.ended.is_damaged |= self.ended.root.is_some();
                self.ended.root.get_or_insert_with(|| name.chars().take(ROOT_CHARS).collect());
                if is_sitemap(name) { Element::Root } else { Element::Other }
            }
            Some(Element::Root) if is_entry => Element::XmlEntry,
            Some(Element::XmlEntry | Element::Loc | Element::Lastmod | Element::News | Element::Published)
                if is_entry =>
            {
                // The end tag of the entry before it was forgotten.
                self.ended.is_damaged = true;
                if !self.close_down_to(1) {
                    return false;
                }
                Element::XmlEntry
            }
            Some(Element::XmlEntry) if name == "loc" => Element::Loc,
            Some(Element::XmlEntry) if name == "lastmod" => Element::Lastmod,
            Some(Element::XmlEntry) if name == "news" => Element::News,
            Some(Element::News) if name == "publication_date" => Element::Published,
            Some(_) => Element::Other,
        };
        if element == Element::XmlEntry {
            self.entry = Some(XmlEntry { is_sitemap: name == "sitemap", ..XmlEntry::default() });
        }
        self.text.clear();
        self.open.push((element, name.into()));
        true
    }

    /// Closes the nearest element of this name, and what was left open in it.
    fn end(&mut self, name: &str) -> bool {
        if self.deeper > 0 {
            self.deeper -= 1;
            return true;
        }
        let at = self.open.iter().rposition(|(_, open)| **open == *name);
        self.ended.is_damaged |= at.is_none_or(|at| at + 1 < self.open.len());
        at.is_none_or(|at| self.close_down_to(at))
    }

    fn close_down_to(&mut self, depth: usize) -> bool {
        while self.open.len() > depth
            && let Some((element, _)) = self.open.pop()
        {
            let text = self.text.trim();
            match (element, &mut self.entry) {
                (Element::Loc, Some(entry)) if entry.loc.is_empty() => text.clone_into(&mut entry.loc),
                (Element::Lastmod, Some(entry)) if !text.is_empty() && text.len() <= LASTMOD_BYTES => {
                    entry.lastmod = Some(text.to_owned());
                }
                (Element::Published, Some(entry)) if !text.is_empty() && text.len() <= LASTMOD_BYTES => {
                    entry.published = Some(text.to_owned());
                }
                _ => {}
            }
            if element == Element::XmlEntry && !self.close_entry() {
                return false;
            }
        }
        true
    }

    fn close_whole_entry(&mut self) {
        self.open.clear();
        if self.entry.as_ref().is_some_and(|entry| !entry.loc.is_empty()) {
            self.close_entry();
        }
    }

    /// False: no more is wanted.
    fn close_entry(&mut self) -> bool {
        let Some(mut entry) = self.entry.take() else { return true };
        entry.lastmod = entry.lastmod.or_else(|| entry.published.take());
        (self.each)(entry)
    }

    fn push(&mut self, text: &str) {
        if matches!(self.open.last(), Some((Element::Loc | Element::Lastmod | Element::Published, _))) {
            let text = if self.text.is_empty() { text.trim_start() } else { text };
            let mut room = self.text_cap.saturating_sub(self.text.len()).min(text.len());
            // One byte over the cap is enough to be over it, wherever a character ends.
            while !text.is_char_boundary(room) {
                room += 1;
            }
            self.text.push_str(&text[..room]);
        }
    }
}

/// Whether an outermost element is that of a sitemap or of an index.
pub(super) fn is_sitemap(root: &str) -> bool {
    matches!(root, "urlset" | "sitemapindex")
}

/// The five entities of XML itself, and characters by number.
pub(crate) fn resolve(reference: &BytesRef<'_>) -> Option<char> {
    match &**reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => reference.resolve_char_ref().ok().flatten(),
    }
}

/// Reads XML as strangers write it, under the cap of an event.
pub(crate) fn lenient<R: BufRead>(input: R) -> Reader<Meter<R>> {
    let mut reader = Reader::from_reader(Meter { input, left: EVENT_BYTES });
    reader.config_mut().allow_dangling_amp = true;
    reader.config_mut().allow_unmatched_ends = true;
    reader.config_mut().check_end_names = false;
    reader
}

/// Fails when one event takes too much.
pub(crate) struct Meter<R> {
    pub(crate) input: R,
    pub(crate) left: usize,
}

impl<R: BufRead> Read for Meter<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(out)?;
        self.left = self.left.saturating_sub(n);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Meter<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a tag or text is too long"));
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.left = self.left.saturating_sub(n);
        self.input.consume(n);
    }
}
