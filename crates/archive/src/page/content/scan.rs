//! Where do tags begin and end?
//!
//! A tokenizer of our own, by the HTML standard. A crawler spends most of its time on a page here, and a general
//! tokenizer is slow because it copies: every text, name and value goes byte by byte into a buffer before anybody asks
//! whether it matters. Here text is passed over by `memchr`, names are compared where they stand, and values are looked
//! at only for the few tags that lead somewhere. On articles of 31 kB it reads addresses at 924 MB a second of one core,
//! links with their words at 777, where html5gum takes 173 to tell the addresses alone (`benches/links.rs`).
//!
//! What is read is the same to the letter as what html5gum reads (the tests ask it, on pages and on soup):
//!
//! ```text
//!          text ◄──┐                       ┌─► attributes ─► Reading::start ─► raw text up to its end tag
//! page ─► memchr '<' ─┬─► letter ─► name ──┘
//!                     ├─► '/' letter ─► name ─► attributes, passed over ─► Reading::end
//!                     ├─► '!' '?' '/' ─► comment, declaration, anything up to '>'
//!                     └─► else it is text
//! ```
//!
//! In every function below, `None` means that the page ends there. Each byte is looked at a fixed number of times.

use memchr::{memchr, memchr2};

use super::entity::{Context, Quote};
use super::reading::{Reading, Value};
use super::tag::{Attribute, Raw, Tag};

pub(super) struct Scan<'h, 'r, 'c> {
    html: &'h str,
    bytes: &'h [u8],
    at: usize,
    reading: &'r mut Reading<'h, 'c>,
    /// Bytes looked at.
    #[cfg(test)]
    steps: usize,
}

impl<'h, 'r, 'c> Scan<'h, 'r, 'c> {
    pub(super) fn new(html: &'h str, reading: &'r mut Reading<'h, 'c>) -> Self {
        Self {
            html,
            bytes: html.as_bytes(),
            at: 0,
            reading,
            #[cfg(test)]
            steps: 0,
        }
    }

    pub(super) fn run(&mut self) {
        while self.markup().is_some() {}
    }

    #[cfg(test)]
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// Text, and the tag or comment after it.
    fn markup(&mut self) -> Option<()> {
        let start = self.at;
        let Some(open) = self.find(b'<', start) else {
            self.text(start, self.bytes.len(), Context::Body);
            return None;
        };
        match (self.bytes.get(open + 1), self.bytes.get(open + 2)) {
            (Some(b'a'..=b'z' | b'A'..=b'Z'), _) => {
                self.text(start, open, Context::Body);
                self.at = open + 1;
                self.start_tag()
            }
            (Some(b'/'), Some(b'a'..=b'z' | b'A'..=b'Z')) => {
                self.text(start, open, Context::Body);
                self.at = open + 2;
                self.end_tag()
            }
            (Some(b'!'), Some(b'-')) if self.bytes.get(open + 3) == Some(&b'-') => {
                self.text(start, open, Context::Body);
                self.comment(open + 4)
            }
            (Some(b'!' | b'?'), _) | (Some(b'/'), Some(_)) => {
                self.text(start, open, Context::Body);
                self.at = self.find(b'>', open + 2)? + 1;
                Some(())
            }
            (Some(b'/'), None) => {
                self.text(start, open + 2, Context::Body);
                None
            }
            _ => {
                self.at = open + 1;
                self.text(start, self.at, Context::Body);
                Some(())
            }
        }
    }

    /// From the first letter of its name to the end of the tag, and of the raw text after it.
    fn start_tag(&mut self) -> Option<()> {
        let name = self.name()?;
        let (tag, raw) = Tag::named(name);
        let is_read = self.reading.reads(tag);
        let closes_itself = self.attributes(is_read)?;
        if !self.reading.start(tag, closes_itself) {
            return Some(());
        }
        let (context, end) = match raw {
            None => return Some(()),
            Some(Raw::Words) => (Context::Words, self.end_of_raw(name)),
            Some(Raw::Text) => (Context::Raw, self.end_of_raw(name)),
            Some(Raw::Script) => (Context::Raw, self.end_of_script()),
            Some(Raw::Rest) => (Context::Raw, None),
        };
        self.text(self.at, end.unwrap_or(self.bytes.len()), context);
        self.at = end? + "</".len() + name.len();
        self.attributes(false)?;
        self.reading.end(tag);
        Some(())
    }

    fn end_tag(&mut self) -> Option<()> {
        let (tag, _) = Tag::named(self.name()?);
        // An end tag may have attributes, which mean nothing.
        self.attributes(false)?;
        self.reading.end(tag);
        Some(())
    }

    fn name(&mut self) -> Option<&'h [u8]> {
        let start = self.at;
        self.pass(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'/' | b'>'))?;
        Some(&self.bytes[start..self.at])
    }

    /// Up to behind the `>`. Says whether there was a `/` before it.
    fn attributes(&mut self, is_read: bool) -> Option<bool> {
        loop {
            match self.pass(is_space)? {
                b'>' => {
                    self.at += 1;
                    return Some(false);
                }
                b'/' => {
                    self.at += 1;
                    if self.bytes.get(self.at) == Some(&b'>') {
                        self.at += 1;
                        return Some(true);
                    }
                    continue;
                }
                _ => {}
            }
            let start = self.at;
            // A name may start with `=`.
            self.at += 1;
            let after = self.pass(|byte| !is_space(byte) && !matches!(byte, b'/' | b'>' | b'='))?;
            let name = &self.bytes[start..self.at];
            let after = if is_space(after) { self.pass(is_space)? } else { after };
            let value = if after == b'=' { self.value()? } else { Value::Raw("", Quote::None) };
            if is_read && let Some(attribute) = Attribute::named(name) {
                self.reading.attribute(attribute, value);
            }
        }
    }

    /// What comes after `=`.
    fn value(&mut self) -> Option<Value<'h>> {
        self.at += 1;
        let first = self.pass(is_space)?;
        let quote = match first {
            b'"' => Quote::Double,
            b'\'' => Quote::Single,
            _ => Quote::None,
        };
        let (start, end) = if quote == Quote::None {
            let start = self.at;
            self.pass(|byte| !is_space(byte) && byte != b'>')?;
            (start, self.at)
        } else {
            let end = self.find(first, self.at + 1)?;
            let start = self.at + 1;
            self.at = end + 1;
            (start, end)
        };
        Some(Value::Raw(self.slice(start, end), quote))
    }

    /// A comment ends at `-->` or `--!>`; at its very start `>` and `->` will do.
    fn comment(&mut self, start: usize) -> Option<()> {
        let mut at = start;
        loop {
            let end = self.find(b'>', at)?;
            let inside = &self.bytes[start..end];
            at = end + 1;
            if inside.is_empty() || inside == b"-" || inside.ends_with(b"--") || inside.ends_with(b"--!") {
                self.at = at;
                return Some(());
            }
        }
    }

    /// Where the end tag of this name begins.
    fn end_of_raw(&mut self, name: &[u8]) -> Option<usize> {
        let mut at = self.at;
        loop {
            at = self.find(b'<', at)?;
            if self.closes(at, name) {
                return Some(at);
            }
            at += 1;
        }
    }

    /// In a script, `<!--` hides a `<script>` and its end tag, up to `-->`: pages wrote scripts that write scripts so.
    fn end_of_script(&mut self) -> Option<usize> {
        const NAME: &[u8] = b"script";
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Hidden {
            Nothing,
            Comment,
            Script,
        }
        let mut hidden = Hidden::Nothing;
        let mut at = self.at;
        loop {
            at = if hidden == Hidden::Nothing { self.find(b'<', at)? } else { self.find_either(b'<', b'>', at)? };
            let rest = &self.bytes[at..];
            if rest[0] == b'>' {
                if self.bytes[..at].ends_with(b"--") {
                    hidden = Hidden::Nothing;
                }
                at += 1;
                continue;
            }
            let is_end = self.closes(at, NAME);
            match hidden {
                Hidden::Nothing | Hidden::Comment if is_end => return Some(at),
                Hidden::Nothing if rest.starts_with(b"<!--") => {
                    hidden = Hidden::Comment;
                    at += "<!--".len();
                }
                Hidden::Comment if self.is_name_at(at + 1, NAME) => {
                    hidden = Hidden::Script;
                    at += 1 + NAME.len() + 1;
                }
                Hidden::Script if is_end => {
                    hidden = Hidden::Comment;
                    at += 2 + NAME.len() + 1;
                }
                _ => at += 1,
            }
        }
    }

    fn closes(&self, at: usize, name: &[u8]) -> bool {
        self.bytes.get(at + 1) == Some(&b'/') && self.is_name_at(at + 2, name)
    }

    /// Whether this name stands there, whole.
    fn is_name_at(&self, at: usize, name: &[u8]) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let after = rest.get(name.len());
        rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && after.is_some_and(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))
    }

    fn text(&mut self, start: usize, end: usize, context: Context) {
        if start < end && self.reading.wants_words() {
            self.looked(end - start);
            let text = self.slice(start, end);
            self.reading.words(text, context);
        }
    }

    /// All borders are beside ASCII characters, so they are those of characters.
    fn slice(&self, start: usize, end: usize) -> &'h str {
        self.html.get(start..end).unwrap_or_default()
    }

    /// Goes on while it holds; gives the first byte for which it does not.
    #[inline]
    fn pass(&mut self, holds: impl Fn(u8) -> bool) -> Option<u8> {
        let rest = self.bytes.get(self.at..)?;
        let passed = rest.iter().position(|byte| !holds(*byte));
        let n = passed.unwrap_or(rest.len());
        self.looked(n + 1);
        self.at += n;
        rest.get(n).copied()
    }

    #[inline]
    fn find(&mut self, byte: u8, from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        let found = memchr(byte, rest);
        self.looked(found.unwrap_or(rest.len()) + 1);
        Some(from + found?)
    }

    fn find_either(&mut self, one: u8, other: u8, from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        let found = memchr2(one, other, rest);
        self.looked(found.unwrap_or(rest.len()) + 1);
        Some(from + found?)
    }

    #[cfg(test)]
    fn looked(&mut self, bytes: usize) {
        self.steps += bytes;
    }

    #[cfg(not(test))]
    #[inline]
    #[expect(clippy::unused_self, reason = "only tests count")]
    fn looked(&mut self, _bytes: usize) {}
}

/// White space of HTML. A line end may be any of the old three.
#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}
