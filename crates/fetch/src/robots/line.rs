//! What does this line say?
//!
//! Lines end by CR, LF or both. A line is a field, a colon and a value; `#` starts a comment. As Google's parser does,
//! white space may stand for a forgotten colon if it parts exactly two words, a field is told by its first letters
//! (`Disallowed:` is a disallow), and some misspellings count. Nothing here fails: what cannot be read says nothing.

use memchr::{memchr, memchr2};

use super::caps::LINE_BYTES;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RobotsField {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    CrawlDelay,
    Other,
}

/// How fields are spelled, in lower case.
const SPELLINGS: [(&str, RobotsField); 15] = [
    ("user-agent", RobotsField::UserAgent),
    ("useragent", RobotsField::UserAgent),
    ("user agent", RobotsField::UserAgent),
    ("allow", RobotsField::Allow),
    ("disallow", RobotsField::Disallow),
    ("dissallow", RobotsField::Disallow),
    ("dissalow", RobotsField::Disallow),
    ("disalow", RobotsField::Disallow),
    ("diasllow", RobotsField::Disallow),
    ("disallaw", RobotsField::Disallow),
    ("sitemap", RobotsField::Sitemap),
    ("site-map", RobotsField::Sitemap),
    ("crawl-delay", RobotsField::CrawlDelay),
    ("crawldelay", RobotsField::CrawlDelay),
    ("crawl delay", RobotsField::CrawlDelay),
];

impl RobotsField {
    fn named(key: &[u8]) -> Self {
        let starts = |name: &str| key.len() >= name.len() && key[..name.len()].eq_ignore_ascii_case(name.as_bytes());
        SPELLINGS.iter().find(|(name, _)| starts(name)).map_or(Self::Other, |(_, field)| *field)
    }
}

/// The lines of a file, numbered from 1. A last line without an end is a line too.
pub(super) struct Lines<'a> {
    rest: Option<&'a [u8]>,
    number: u32,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: Some(bytes), number: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (u32, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest?;
        self.number += 1;
        let Some(end) = memchr2(b'\r', b'\n', rest) else {
            self.rest = None;
            return Some((self.number, rest));
        };
        let is_pair = rest[end..].starts_with(b"\r\n");
        self.rest = Some(&rest[end + 1 + usize::from(is_pair)..]);
        Some((self.number, &rest[..end]))
    }
}

/// RobotsField and value of a line.
pub(super) fn read(line: &[u8]) -> Option<(RobotsField, &[u8])> {
    let line = &line[..line.len().min(LINE_BYTES)];
    let line = line[..memchr(b'#', line).unwrap_or(line.len())].trim_ascii();
    let (key, value) = match memchr(b':', line) {
        Some(colon) => (line[..colon].trim_ascii_end(), line[colon + 1..].trim_ascii_start()),
        None => two_words(line)?,
    };
    let field = RobotsField::named(key);
    // `Sitemap https://…` without a colon of its own: the first colon is the address's.
    if field == RobotsField::Sitemap && memchr2(b' ', b'\t', key).is_some() {
        return two_words(line).map(|(_, value)| (field, value));
    }
    (!key.is_empty()).then_some((field, value))
}

fn two_words(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let gap = memchr2(b' ', b'\t', line)?;
    let value = line[gap..].trim_ascii_start();
    memchr2(b' ', b'\t', value).is_none().then_some((&line[..gap], value))
}
