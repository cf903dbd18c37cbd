//! Where is the text of a URL? In a block of up to 64 that came together: one write instead of 64, and they are alike.
//!
//! ```text
//! key    number of the last URL in the block, so that the first key from a number on is that of its block
//! value  for each URL: length of the text (2 bytes), when it was made (8 bytes), text
//! ```

use std::ops::Bound;

use fjall::Slice;

use super::store::{Space, Store};
use crate::error::Error;
use crate::time::Time;
use crate::url_id::UrlId;

/// URLs in a block.
const BLOCK: usize = 64;

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
                block.extend((text.len() as u16).to_be_bytes());
                block.extend(created.0.to_be_bytes());
                block.extend(text.as_bytes());
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

/// The text of a URL that was committed.
pub(super) fn committed(store: &Store, number: UrlId) -> Result<Option<(String, Time)>, Error> {
    // Without an end, the store would look into all files behind it.
    let end = number.0.saturating_add(BLOCK as u32 - 1);
    let (from, to) = (number.to_be_bytes(), end.to_be_bytes());
    let found = store.range(Space::Urls, Bound::Included(&from), Bound::Included(&to)).next();
    let Some((key, block)) = found.transpose()? else { return Ok(None) };
    let text = key[..].try_into().ok().and_then(|key| text_in(&block, u32::from_be_bytes(key).checked_sub(number.0)?));
    text.map(|(text, created)| Some((text.to_owned(), created))).ok_or_else(|| store.damaged("a URL cannot be read"))
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

/// The text that is so far from the last of a block.
fn text_in(block: &[u8], from_last: u32) -> Option<(&str, Time)> {
    let texts: Vec<(&[u8], Time)> = raw(block).collect::<Option<_>>()?;
    let (text, created) = texts[texts.len().checked_sub(1 + from_last as usize)?];
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
            let (last, block) = blocks.iter().find(|block| block.0 >= number).unwrap();
            assert_eq!(text_in(block, last - number), Some((&url(number)[..], time(number))));
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
