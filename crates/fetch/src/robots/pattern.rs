//! Does this pattern match that path?
//!
//! A pattern is pieces of text with `*` between them; the first piece stands at the start of the path, and with `$` the
//! last stands at its end. Each piece in between is taken at the first place where it fits, which leaves the most for
//! the rest, so nothing is ever tried twice.
//!
//! Cost: a search starts where the one before it ended and is linear in what it passes and in its piece, so a path of n
//! bytes and a pattern of m bytes take O(n + m), whatever the pattern. A verdict is the sum over the rules. Most cost
//! less: a pattern with a letter that the path has not is passed over by one comparison.

use memchr::{memchr, memmem};
use serde::{Deserialize, Serialize};

use super::octets::{Letters, MatchedPath, open_query, plain_run, push};

/// The path of an `Allow` or `Disallow` line, in the spelling that is compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Pattern {
    /// `*` is any text, `$` (only at the end) is the end. Both as themselves are escaped.
    text: Box<str>,
    /// How long it is, as written: the longest match decides.
    octets: u32,
    /// Length of the text before the first `*` or `$`.
    head: u32,
    /// What every path that it matches has.
    letters: Letters,
}

/// A pattern as it is kept: what cannot be worked out.
#[derive(Serialize, Deserialize)]
struct Stored {
    text: Box<str>,
    octets: u32,
}

impl From<Stored> for Pattern {
    fn from(Stored { text, octets }: Stored) -> Self {
        let head = text.find(['*', '$']).unwrap_or(text.len());
        let letters = text.split(['*', '$']).map(Letters::of).fold(Letters::default(), Letters::and);
        Self { octets, head: u32::try_from(head).unwrap_or(u32::MAX), letters, text }
    }
}

impl From<Pattern> for Stored {
    fn from(Pattern { text, octets, .. }: Pattern) -> Self {
        Self { text, octets }
    }
}

impl Pattern {
    /// Reads the value of a line. Nothing if it can match no path: an empty one, or one that starts neither with a
    /// slash nor with `*`.
    pub(super) fn new(value: &[u8]) -> Option<Self> {
        if !matches!(value.first(), Some(b'/' | b'*')) {
            return None;
        }
        let mut text = String::with_capacity(value.len());
        let mut octets = 0;
        let mut at = 0;
        while at < value.len() {
            let before = text.len();
            let run = plain_run(&value[at..]);
            text.push_str(run);
            at += run.len();
            match value.get(at) {
                None => {}
                // One star says all that many say, but the pattern is as long as it is written.
                Some(b'*') if text.ends_with('*') => octets += 1,
                Some(b'*') => text.push('*'),
                Some(b'$') if at + 1 == value.len() => text.push('$'),
                // Inside, `$` is itself. It counts as the one octet it is.
                Some(b'$') => {
                    text.push_str("%24");
                    octets -= 2;
                }
                Some(_) => at += push(value, at, &mut text) - 1,
            }
            octets += (text.len() - before) as i64;
            at += 1;
        }
        if let Some(opened) = open_query(&text) {
            text = opened;
        }
        Some(Stored { text: text.into(), octets: u32::try_from(octets).unwrap_or(u32::MAX) }.into())
    }

    /// What an `Allow` of `…/index.html` allows besides: the folder itself, as Google has it.
    pub(super) fn of_folder(&self) -> Option<Self> {
        let slash = self.text.rfind('/')?;
        if !self.text[slash..].starts_with("/index.htm") {
            return None;
        }
        Self::new([&self.text.as_bytes()[..=slash], b"$"].concat().as_slice())
    }

    /// The pattern in the spelling that is compared.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How specific it is (RFC 9309 §2.2.2): its octets.
    pub fn octets(&self) -> u32 {
        self.octets
    }

    pub(super) fn matches(&self, target: &MatchedPath<'_>) -> bool {
        if !target.letters.include(self.letters) {
            return false;
        }
        let path = match &target.opened {
            Some(opened) if memchr(b'?', self.text.as_bytes()).is_some() => opened,
            _ => target.plain.as_ref(),
        };
        self.matches_by(path.as_bytes(), find)
    }

    /// `find` gives the first place of a piece in a text; tests count what it is asked.
    pub(super) fn matches_by(&self, path: &[u8], mut find: impl FnMut(&[u8], &[u8]) -> Option<usize>) -> bool {
        let Some((head, rest)) = self.text.as_bytes().split_at_checked(self.head as usize) else {
            return false;
        };
        let Some(mut path) = path.strip_prefix(head) else {
            return false;
        };
        let (rest, is_anchored) = match rest.strip_suffix(b"$") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let mut pieces = rest.split(|byte| *byte == b'*').skip(1);
        let Some(mut piece) = pieces.next() else {
            return !is_anchored || path.is_empty();
        };
        for next in pieces {
            let Some(at) = find(path, piece) else { return false };
            path = &path[at + piece.len()..];
            piece = next;
        }
        if is_anchored { path.ends_with(piece) } else { piece.is_empty() || find(path, piece).is_some() }
    }
}

fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    match piece {
        // A searcher for one byte would cost more than the search.
        [byte] => memchr(*byte, text),
        _ => memmem::find(text, piece),
    }
}
