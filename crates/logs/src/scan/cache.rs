//! What was worked out for a text before: for the last one ([`Last`]), or for any ([`TextCache`]).
//!
//! A browser asks for a page and all that it loads in a row, so most lines repeat the address, the agent and the
//! referrer of the line before: comparing bytes is cheaper than hashing them.

use hashbrown::HashTable;

/// The 128-bit fingerprint of a text: two of a billion texts are never mistaken for each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TextKey(u64, u64);

impl TextKey {
    /// Of bytes, under a seed that keeps the kinds of text apart.
    #[inline]
    pub(crate) fn of(bytes: &[u8], seed: u64) -> Self {
        let hash = xxhash_rust::xxh3::xxh3_128_with_seed(bytes, seed);
        Self((hash >> 64) as u64, hash as u64)
    }

    pub(crate) fn parts(self) -> (u64, u64) {
        (self.0, self.1)
    }
}

/// A map from texts to small facts that keeps no text.
#[derive(Debug)]
pub(crate) struct TextCache<V> {
    table: HashTable<(TextKey, V)>,
}

impl<V: Copy> TextCache<V> {
    pub(crate) fn new() -> Self {
        Self { table: HashTable::new() }
    }

    #[inline]
    pub(crate) fn get(&self, key: TextKey) -> Option<V> {
        self.table.find(key.1, |(k, _)| *k == key).map(|(_, v)| *v)
    }

    pub(crate) fn insert(&mut self, key: TextKey, value: V) {
        self.table.insert_unique(key.1, (key, value), |(k, _)| k.1);
    }

    /// The same where the text may be known already.
    pub(crate) fn set(&mut self, key: TextKey, value: V) {
        match self.table.find_mut(key.1, |(k, _)| *k == key) {
            Some(known) => known.1 = value,
            None => self.insert(key, value),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.table.allocation_size()
    }

    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }
}

/// The last text, and what was worked out for it.
#[derive(Debug)]
pub(crate) struct Last<V> {
    text: Vec<u8>,
    value: Option<V>,
}

impl<V: Copy> Last<V> {
    pub(crate) fn new() -> Self {
        Self { text: Vec::new(), value: None }
    }

    /// The value, if the text is the last one.
    #[inline]
    pub(crate) fn get(&self, text: &[u8]) -> Option<V> {
        self.value.filter(|_| self.text == text)
    }

    pub(crate) fn set(&mut self, text: &[u8], value: V) {
        self.text.clear();
        self.text.extend_from_slice(text);
        self.value = Some(value);
    }

    pub(crate) fn forget(&mut self) {
        self.value = None;
    }
}
