//! The text between two fields, and how it is looked for.
//!
//! Nearly all literals are one to three bytes (`" "`), and nearly all short fields are under sixteen. Calls into
//! `memcmp` and `memchr` cost more than the work itself there, so both are done eight bytes at a time in registers.

use memchr::{memchr, memchr2};

/// A literal that ends a field; never empty.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    bytes: Box<[u8]>,
    /// The first eight bytes, little-endian, and which bits of them count.
    word: u64,
    mask: u64,
}

impl Literal {
    /// `None` for no bytes.
    pub(super) fn new(bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() {
            return None;
        }
        let mut head = [0; 8];
        let len = bytes.len().min(8);
        head[..len].copy_from_slice(&bytes[..len]);
        Some(Self { bytes: bytes.into(), word: u64::from_le_bytes(head), mask: u64::MAX >> (64 - 8 * len) })
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the lowest byte is what is wanted")]
    pub(super) fn first(&self) -> u8 {
        self.word as u8
    }

    /// Whether `text` has the literal at `at`.
    #[inline]
    pub(super) fn stands_at(&self, text: &[u8], at: usize) -> bool {
        match word_at(text, at) {
            Some(word) => {
                word & self.mask == self.word && (self.bytes.len() <= 8 || text[at..].starts_with(&self.bytes))
            }
            None => text.get(at..).is_some_and(|tail| tail.starts_with(&self.bytes)),
        }
    }

    /// Where the first byte of the literal is next; for fields of a few bytes.
    #[inline]
    pub(super) fn near(&self, text: &[u8], from: usize) -> Option<usize> {
        near_byte(self.first(), text, from)
    }

    /// Where the first byte of the literal is next.
    #[inline]
    pub(super) fn far(&self, text: &[u8], from: usize) -> Option<usize> {
        memchr(self.first(), text.get(from..)?).map(|found| from + found)
    }

    /// Where the first byte of the literal, or a backslash, is next.
    #[inline]
    pub(super) fn far_or_backslash(&self, text: &[u8], from: usize) -> Option<usize> {
        memchr2(self.first(), b'\\', text.get(from..)?).map(|found| from + found)
    }
}

/// Where a byte is next, if it is expected within a few bytes.
#[inline]
pub(super) fn near_byte(wanted: u8, text: &[u8], from: usize) -> Option<usize> {
    const LOW: u64 = u64::MAX / 255;
    const HIGH: u64 = LOW << 7;
    let mut at = from;
    while let Some(word) = word_at(text, at) {
        // The classic search for a zero byte: its high bit is set in `hits`, and none below it is.
        let difference = word ^ (LOW * u64::from(wanted));
        let hits = difference.wrapping_sub(LOW) & !difference & HIGH;
        if hits != 0 {
            return Some(at + hits.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    text.get(at..)?.iter().position(|&byte| byte == wanted).map(|found| at + found)
}

#[inline]
fn word_at(text: &[u8], at: usize) -> Option<u64> {
    let bytes = text.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ours_near_and_far_agree_with_a_plain_search(
            text in prop::collection::vec(prop_oneof![Just(b' '), Just(b'"'), Just(b'!'), any::<u8>()], 0..40),
            literal in prop::collection::vec(prop_oneof![Just(b' '), Just(b'"'), any::<u8>()], 1..12),
            from in 0usize..48,
        ) {
            let known = Literal::new(&literal).expect("not empty");
            let plain = (from..text.len()).find(|&at| text[at] == literal[0]);
            prop_assert_eq!(known.near(&text, from), plain);
            prop_assert_eq!(known.far(&text, from), plain);
            let here = text.get(from..).is_some_and(|tail| tail.starts_with(&literal));
            prop_assert_eq!(known.stands_at(&text, from), here);
            let mut with = text.clone();
            with.extend(&literal);
            prop_assert!(known.stands_at(&with, text.len()));
        }
    }
}
