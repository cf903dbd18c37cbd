//! How do millions of texts become small numbers, within memory?
//!
//! All text lies in one arena of chunks that never move; an id is the order of arrival. The hash table holds ids
//! only and reads the text back from the arena, so a text costs its bytes plus
//!
//! ```text
//! where it starts     8 bytes, the vector growing by a quarter       ≤ 10.0
//! hash table          5 bytes a bucket, between 7/16 and 7/8 full     ≤ 11.5
//! ```
//!
//! under 24 bytes in all. Ids do not depend on the hash; the seed is an argument for those who fear texts made to
//! collide.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The first chunk's size, in bytes; chunks double up to [`LARGEST_CHUNK`].
const FIRST_CHUNK: usize = 1 << 12;
/// The largest chunk's size, in bytes; a longer text gets a chunk of its own.
const LARGEST_CHUNK: usize = 1 << 20;

/// Where a text starts.
#[derive(Clone, Copy, Debug)]
struct Place {
    chunk: u32,
    start: u32,
}

/// Gives texts dense ids: 0, 1, 2, … in the order of their first arrival.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    chunks: Vec<String>,
    /// The chunk being filled.
    open: usize,
    places: Vec<Place>,
    table: HashTable<u32>,
    seed: u64,
}

impl Interner {
    /// An empty interner.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty interner whose hash nobody can foresee who does not know `seed`.
    #[must_use]
    pub fn with_seed(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// The id of `text`, a new one if it has none.
    ///
    /// # Panics
    /// At 2³² texts.
    pub fn intern(&mut self, text: &str) -> u32 {
        let hash = xxh3_64_with_seed(text.as_bytes(), self.seed);
        let Self { chunks, places, table, seed, .. } = self;
        let found = table.find(hash, |&id| text_at(chunks, places, id) == text);
        if let Some(&id) = found {
            return id;
        }
        let id = u32::try_from(places.len()).expect("fewer than 2^32 texts");
        let rehash = |&id: &u32| xxh3_64_with_seed(text_at(chunks, places, id).as_bytes(), *seed);
        table.insert_unique(hash, id, rehash);
        self.append(text);
        id
    }

    /// The id of `text`, if it has one.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<u32> {
        let hash = xxh3_64_with_seed(text.as_bytes(), self.seed);
        self.table.find(hash, |&id| self.text(id) == text).copied()
    }

    /// The text of an id.
    ///
    /// # Panics
    /// If this interner never gave out `id`.
    #[must_use]
    pub fn text(&self, id: u32) -> &str {
        text_at(&self.chunks, &self.places, id)
    }

    /// How many texts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// All memory held, in bytes: text, table and places, with what is reserved but not filled.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let text: usize = self.chunks.iter().map(String::capacity).sum();
        text + self.chunks.capacity() * size_of::<String>()
            + self.places.capacity() * size_of::<Place>()
            + self.table.allocation_size()
    }

    /// Forgets all texts and keeps the memory.
    pub fn clear(&mut self) {
        self.chunks.iter_mut().for_each(String::clear);
        self.open = 0;
        self.places.clear();
        self.table.clear();
    }

    /// All ids with their texts, in the order of the ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, &str)> {
        let end = u32::try_from(self.places.len()).expect("fewer than 2^32 texts");
        (0..end).map(|id| (id, self.text(id)))
    }

    fn append(&mut self, text: &str) {
        while self.chunks.get(self.open).is_some_and(|chunk| chunk.capacity() - chunk.len() < text.len()) {
            self.open += 1;
        }
        if self.open == self.chunks.len() {
            let size = FIRST_CHUNK.checked_shl(self.open.min(16) as u32).unwrap_or(LARGEST_CHUNK);
            self.chunks.push(String::with_capacity(size.min(LARGEST_CHUNK).max(text.len())));
        }
        let chunk = &mut self.chunks[self.open];
        let place = Place {
            chunk: u32::try_from(self.open).expect("fewer chunks than texts"),
            start: u32::try_from(chunk.len()).expect("a chunk is 1 MiB, or holds one text"),
        };
        chunk.push_str(text);
        if self.places.len() == self.places.capacity() {
            // By a quarter, not double: this vector is the larger part of what a text costs.
            self.places.reserve_exact(self.places.len() / 4 + 16);
        }
        self.places.push(place);
    }
}

/// The text from its place to the next one's, or to the end of its chunk.
fn text_at<'a>(chunks: &'a [String], places: &[Place], id: u32) -> &'a str {
    let id = id as usize;
    let place = places[id];
    let chunk = &chunks[place.chunk as usize];
    match places.get(id + 1) {
        Some(next) if next.chunk == place.chunk => &chunk[place.start as usize..next.start as usize],
        _ => &chunk[place.start as usize..],
    }
}

#[cfg(test)]
mod tests;
