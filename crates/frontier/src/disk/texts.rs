//! Where is the text of a URL? In a block of up to 64 that came together: one write instead of 64, and they are alike.
//!
//! ```text
//! key    number of the last URL in the block, so that the first key from a number on is that of its block
//! value  for each URL: length of the text (2 bytes), when it was made (8 bytes), text
//! ```
//! Texts of URLs that were removed are dropped (they have no bytes then) when they are half of a block's.

use std::sync::{Mutex, PoisonError};

use fjall::Slice;

use super::store::{Space, Store};
use crate::error::Error;
use crate::time::Time;
use crate::url_id::UrlId;

/// URLs in a block.
const BLOCK: usize = 64;
/// Blocks that are at hand after they were read: URLs that were found together are often fetched together.
const AT_HAND: usize = 512;

/// Texts that are not committed, the first of them by number.
#[derive(Debug, Default)]
pub(super) struct Texts {
    first: u32,
    /// One after the other.
    bytes: String,
    ends: Vec<usize>,
    created: Vec<Time>,
}

impl Texts {
    pub(super) fn from(first: u32) -> Self {
        Self { first, ..Self::default() }
    }

    /// The number of the first text that is not committed, or of the next.
    pub(super) fn first(&self) -> UrlId {
        UrlId(self.first)
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn push(&mut self, url: &str, created: Time) {
        self.bytes.push_str(url);
        self.ends.push(self.bytes.len());
        self.created.push(created);
    }

    fn text(&self, at: usize) -> Option<(&str, Time)> {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        Some((&self.bytes[start..*self.ends.get(at)?], self.created[at]))
    }

    pub(super) fn find(&self, number: UrlId) -> Option<(&str, Time)> {
        self.text(number.0.checked_sub(self.first)? as usize)
    }

    /// The blocks of all texts, by key; there are none afterwards.
    pub(super) fn blocks(&mut self) -> Vec<(u32, Slice)> {
        let mut blocks = Vec::with_capacity(self.len().div_ceil(BLOCK));
        for start in (0..self.len()).step_by(BLOCK) {
            let end = (start + BLOCK).min(self.len());
            let mut block = Vec::new();
            for (text, created) in (start..end).filter_map(|at| self.text(at)) {
                write(&mut block, text.as_bytes(), created);
            }
            blocks.push((self.first + end as u32 - 1, block.into()));
        }
        self.first += self.len() as u32;
        self.bytes.clear();
        self.ends.clear();
        self.created.clear();
        blocks
    }
}

/// Which blocks are in the store. A block has the number of its last URL for a key.
#[derive(Debug)]
pub(super) struct Committed {
    /// In order.
    keys: Vec<u32>,
    /// By block: texts that are in it, and nobody asks for any more.
    dropped: Vec<u8>,
    /// By where they are among the keys, modulo how many are at hand.
    at_hand: Mutex<Vec<Option<(u32, Slice)>>>,
}

impl Default for Committed {
    fn default() -> Self {
        Self { keys: Vec::new(), dropped: Vec::new(), at_hand: Mutex::new(vec![None; AT_HAND]) }
    }
}

impl Committed {
    /// A block was written behind all others.
    pub(super) fn push(&mut self, key: u32) {
        self.keys.push(key);
        self.dropped.push(0);
    }

    /// Where the block of a URL is among all, and the number of its first URL.
    fn place(&self, number: UrlId) -> (usize, u32) {
        let place = self.keys.partition_point(|key| *key < number.0);
        (place, place.checked_sub(1).map_or(0, |before| self.keys[before] + 1))
    }

    /// Nobody asks for the text of a URL any more; the number of the last URL in its block, if the block should be
    /// [made anew](Self::without).
    pub(super) fn drop_text(&mut self, number: UrlId) -> Option<u32> {
        let (place, first) = self.place(number);
        let (key, dropped) = (*self.keys.get(place)?, &mut self.dropped[place]);
        *dropped += 1;
        (2 * u32::from(*dropped) > key - first).then_some(key)
    }

    /// A block without the texts that nobody asks for any more.
    pub(super) fn without(
        &mut self,
        store: &Store,
        key: u32,
        is_dropped: impl Fn(UrlId) -> bool,
    ) -> Result<Slice, Error> {
        let damaged = || store.damaged("a URL cannot be read");
        let (place, first) = self.place(UrlId(key));
        let block = store.get(Space::Urls, &key.to_be_bytes())?.ok_or_else(damaged)?;
        let mut rest = Vec::with_capacity(block.len());
        for (number, text) in (first..).map(UrlId).zip(raw(&block)) {
            let (text, created) = text.ok_or_else(damaged)?;
            write(&mut rest, if is_dropped(number) { &[] } else { text }, created);
        }
        self.dropped[place] = 0;
        Ok(rest.into())
    }

    /// The text of a URL.
    pub(super) fn find(&self, store: &Store, number: UrlId) -> Result<Option<(String, Time)>, Error> {
        let (place, first) = self.place(number);
        let Some(key) = self.keys.get(place) else { return Ok(None) };
        let damaged = || store.damaged("a URL cannot be read");
        let mut at_hand = self.at_hand.lock().unwrap_or_else(PoisonError::into_inner);
        let block = match &mut at_hand[place % AT_HAND] {
            Some((of, block)) if of == key => block,
            other => {
                let block = store.get(Space::Urls, &key.to_be_bytes())?.ok_or_else(damaged)?;
                &mut other.insert((*key, block)).1
            }
        };
        let text = text_in(block, number.0 - first);
        text.map(|(text, created)| Some((text.to_owned(), created))).ok_or_else(damaged)
    }
}

fn write(block: &mut Vec<u8>, text: &[u8], created: Time) {
    block.extend((text.len() as u16).to_be_bytes());
    block.extend(created.0.to_be_bytes());
    block.extend(text);
}

/// All texts of a block, in order; none in place of what cannot be read, and then no more.
pub(super) fn each(block: &[u8]) -> impl Iterator<Item = Option<&str>> {
    raw(block).map(|text| text.and_then(|(text, _)| std::str::from_utf8(text).ok()))
}

/// Texts and when they were made.
fn raw(mut block: &[u8]) -> impl Iterator<Item = Option<(&[u8], Time)>> {
    std::iter::from_fn(move || {
        if block.is_empty() {
            return None;
        }
        let head = block.split_first_chunk().and_then(|(length, rest)| Some((length, rest.split_first_chunk()?)));
        let split = head.and_then(|(length, (created, rest))| {
            let (text, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
            Some((text, Time(u64::from_be_bytes(*created)), rest))
        });
        block = split.map_or(&[], |(_, _, rest)| rest);
        Some(split.map(|(text, created, _)| (text, created)))
    })
}

/// The how-many-eth text of a block, from 0, if all of it can be read.
fn text_in(block: &[u8], at: u32) -> Option<(&str, Time)> {
    let mut found = None;
    for (place, text) in (0..).zip(raw(block)) {
        let text = text?;
        found = if place == at { Some(text) } else { found };
    }
    let (text, created) = found?;
    Some((std::str::from_utf8(text).ok()?, created))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_text_is_found_in_its_block_with_its_time() {
        let mut texts = Texts::from(10);
        let url = |number: u32| "u".repeat(number as usize);
        let time = |number: u32| Time(1 << (number % 60));
        (10..150).for_each(|number| texts.push(&url(number), time(number)));
        assert_eq!((texts.find(UrlId(9)), texts.find(UrlId(150))), (None, None));
        assert_eq!(texts.find(UrlId(10)), Some((&url(10)[..], time(10))));
        assert_eq!(texts.find(UrlId(149)), Some((&url(149)[..], time(149))));
        let blocks = texts.blocks();
        assert_eq!(blocks.iter().map(|block| block.0).collect::<Vec<_>>(), [73, 137, 149]);
        for number in 10..150 {
            let block = (number - 10) / 64;
            let found = text_in(&blocks[block as usize].1, (number - 10) % 64);
            assert_eq!(found, Some((&url(number)[..], time(number))));
        }
        assert_eq!((texts.len(), texts.find(UrlId(149))), (0, None));
        texts.push("next", Time(3));
        assert_eq!(texts.find(UrlId(150)), Some(("next", Time(3))));
    }

    #[test]
    fn ours_a_damaged_block_holds_nothing() {
        let block = |length: u8, rest: &[u8]| [&[0, length, 0, 0, 0, 0, 0, 0, 0, 7], rest].concat();
        assert_eq!(text_in(&block(1, b"a"), 0), Some(("a", Time(7))));
        assert_eq!(text_in(&block(9, b"a"), 0), None);
        assert_eq!(text_in(&block(1, b"a"), 1), None);
        assert_eq!(text_in(&block(1, &[0xff]), 0), None);
        assert_eq!(text_in(&[], 0), None);
        assert_eq!(text_in(&block(1, b"a\0"), 0), None);
        assert_eq!(each(&block(1, b"a\0")).collect::<Vec<_>>(), [Some("a"), None]);
    }
}
