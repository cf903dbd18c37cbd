//! The walk itself.

use std::borrow::Cow;

use trodden_urls::ComponentKey;
use trodden_urls::component::{MAX_LABELS, MAX_SEGMENTS, UrlParts, readable};
use trodden_urls::{general_shape, segment_shape};
use xxhash_rust::xxh3::xxh3_64;

use super::{Branches, Compiled, Locator, Place, Why};
use crate::key::Key;

/// Memory of the walk, kept from URL to URL.
#[derive(Debug, Default)]
pub struct Scratch {
    shapes: Shapes,
}

/// Shapes of a URL's segments, each worked out when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    text: String,
    ends: [Option<(u32, u32)>; MAX_SEGMENTS],
    used: usize,
    general: String,
}

impl Shapes {
    fn clear(&mut self) {
        self.ends[..self.used].fill(None);
        self.used = 0;
        self.text.clear();
    }

    fn get(&mut self, at: usize, raw: &str) -> &str {
        let (start, end) = match self.ends[at] {
            Some(known) => known,
            None => {
                let start = self.text.len();
                segment_shape(raw, &mut self.text);
                #[expect(clippy::cast_possible_truncation, reason = "at most 32 shapes of some 70 bytes")]
                let place = (start as u32, self.text.len() as u32);
                self.ends[at] = Some(place);
                self.used = self.used.max(at + 1);
                place
            }
        };
        &self.text[start as usize..end as usize]
    }

    fn general(&mut self, at: usize, raw: &str) -> &str {
        let mut general = std::mem::take(&mut self.general);
        general.clear();
        general_shape(self.get(at, raw), &mut general);
        self.general = general;
        &self.general
    }

    /// Whether the shape of a segment, or its general form, is one of these.
    pub(super) fn is_one_of(&mut self, at: usize, raw: &str, classes: &[Box<str>]) -> bool {
        // Most segments of most sites: no need to write their shape down.
        let plain = match raw.as_bytes() {
            digits if digits.iter().all(u8::is_ascii_digit) => Some("#"),
            letters if letters.iter().all(u8::is_ascii_alphabetic) => Some("{word}"),
            _ => None,
        };
        if let Some(plain) = plain {
            return classes.iter().any(|class| &**class == plain);
        }
        let shape = self.get(at, raw);
        if classes.iter().any(|class| **class == *shape) {
            return true;
        }
        let general = self.general(at, raw);
        classes.iter().any(|class| **class == *general)
    }
}

impl Locator {
    /// Where a URL stands: its host as in `HostKey` (no `www.`), and its path and query.
    #[must_use]
    pub fn locate(&self, scratch: &mut Scratch, host: &str, path_and_query: &str) -> Place {
        if !self.exclude.is_empty() && self.exclude.matches_any_spelling(host, path_and_query) {
            return Place::Uncovered(0, Why::Excluded);
        }
        if let Some(page) = self.page(host, path_and_query) {
            return Place::Pattern(page);
        }
        let parts = UrlParts::new(host, path_and_query);
        let shapes = &mut scratch.shapes;
        shapes.clear();
        if self.host.as_ref().is_some_and(|only| **only != *host) {
            return Place::Uncovered(0, Why::NewKey);
        }
        let mut at = 0;
        loop {
            let node = &self.nodes[at as usize];
            for (key, test) in &node.checks {
                if !test.holds(&parts, shapes) {
                    return Place::Uncovered(at, Why::Constant(*key));
                }
            }
            if node.ends {
                return match node.ending(&parts, shapes, self.host.is_some()) {
                    None => Place::Pattern(at),
                    Some(why) => Place::Uncovered(at, why),
                };
            }
            match node.split.as_ref().and_then(|branches| branches.take(&parts, shapes)) {
                Some(child) => at = child,
                None => return Place::Uncovered(at, Why::NoBranch),
            }
        }
    }

    /// The same for one text, `host/path?query`.
    #[must_use]
    pub fn locate_text(&self, scratch: &mut Scratch, url: &str) -> Place {
        let (host, path_and_query) = url.split_at(url.find(['/', '?']).unwrap_or(url.len()));
        self.locate(scratch, host, path_and_query)
    }

    fn page(&self, host: &str, path_and_query: &str) -> Option<u32> {
        if self.pages.is_empty() {
            return None;
        }
        let same = |page: &str| page.strip_prefix(host).is_some_and(|rest| rest == path_and_query);
        let found = self.pages.find(page_hash(path_and_query), |(page, _)| same(page))?;
        Some(found.1)
    }
}

/// Pages are found by path and query; most sites have one host.
pub(super) fn page_hash(path_and_query: &str) -> u64 {
    xxh3_64(path_and_query.as_bytes())
}

impl Compiled {
    /// Why a URL that came to the end of the tree is not in the pattern.
    fn ending(&self, parts: &UrlParts<'_>, shapes: &mut Shapes, one_host: bool) -> Option<Why> {
        for (key, test) in &self.likes {
            if !test.holds(parts, shapes) {
                return Some(Why::Class(*key));
            }
        }
        if !one_host && parts.labels().take(MAX_LABELS).count() > self.labels {
            return Some(Why::NewKey);
        }
        // Both lists are by name.
        let mut known = self.parameters.iter().peekable();
        for (name, values) in parts.parameters() {
            while let Some((key, _, _, optional)) = known.next_if(|(_, known, _, _)| **known < *name) {
                if !optional {
                    return Some(Why::Missing(*key));
                }
            }
            let Some((key, _, test, _)) = known.next_if(|(_, known, _, _)| **known == *name) else {
                return Some(Why::NewKey);
            };
            if !test.holds_of_value(&values.readable()) {
                return Some(Why::Class(*key));
            }
        }
        known.find(|(_, _, _, optional)| !optional).map(|(key, ..)| Why::Missing(*key))
    }
}

impl Branches {
    fn take(&self, parts: &UrlParts<'_>, shapes: &mut Shapes) -> Option<u32> {
        let Some(key) = &self.key else {
            return self.other;
        };
        let value = match key {
            Key::HostLabel(at) => parts.labels().nth(usize::from(*at)).map(Cow::Borrowed),
            Key::Depth => Some(number(parts.depth())),
            Key::TrailingSlash => {
                Some(Cow::Borrowed(if parts.trailing_slash() { ComponentKey::YES } else { ComponentKey::NO }))
            }
            Key::Value(at) => parts.segments().get(usize::from(*at)).map(|raw| readable(raw)),
            Key::Shape(at) => {
                let at = usize::from(*at);
                let Some(raw) = parts.segments().get(at) else {
                    return self.absent.or(self.other);
                };
                let exact = self.child(shapes.get(at, raw));
                return exact.or_else(|| self.child(shapes.general(at, raw))).or(self.other);
            }
            Key::Parameter(name) => {
                parts.parameters().find(|(found, _)| *found == &**name).map(|(_, values)| values.readable())
            }
        };
        match value {
            Some(value) => self.child(&value).or(self.other),
            None => self.absent.or(self.other),
        }
    }

    fn child(&self, value: &str) -> Option<u32> {
        if self.many.is_empty() {
            return self.few.iter().find(|(kept, _)| **kept == *value).map(|(_, child)| *child);
        }
        self.many.find(xxh3_64(value.as_bytes()), |(kept, _)| **kept == *value).map(|(_, child)| *child)
    }
}

/// Depths as texts; only hostile paths are deeper than the table.
fn number(depth: usize) -> Cow<'static, str> {
    const NUMBERS: [&str; 33] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
        "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32",
    ];
    NUMBERS.get(depth).map_or_else(|| Cow::Owned(depth.to_string()), |number| Cow::Borrowed(*number))
}
