//! The URLs that the records of a run refer to.
//!
//! Text lives in chunks of one mebibyte, so that growing never copies it. A URL of which only the identity
//! matters (an image that was dropped, but whose referrer counts) has no text.

/// What is known of a URL. Its identity is `host` and `path`; scheme and a leading `www.` do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UrlEntry {
    /// 128-bit fingerprint of canonical path and query.
    pub(crate) path: (u64, u64),
    /// Fingerprint of the URL's shape.
    pub(crate) shape: u64,
    /// The host, by its number in the run's list of hosts.
    pub(crate) host: u32,
    /// What the path itself says: see `clean::kind`.
    pub(crate) kind: u8,
    text_len: u16,
    text_at: u32,
}

impl UrlEntry {
    /// An entry without text.
    pub(crate) fn new(host: u32, path: (u64, u64), shape: u64, kind: u8) -> Self {
        Self { path, shape, host, kind, text_len: 0, text_at: 0 }
    }
}

const CHUNK: usize = 1 << 20;

/// URLs by dense number.
#[derive(Debug, Default)]
pub(crate) struct UrlTable {
    entries: Vec<UrlEntry>,
    chunks: Vec<Vec<u8>>,
}

impl UrlTable {
    /// Adds a URL; `text` is its canonical path and query, or empty if nobody will ask for it.
    ///
    /// # Panics
    /// Never for texts within the cap on URLs, which is far below 64 KiB.
    pub(crate) fn push(&mut self, mut entry: UrlEntry, text: &str) -> u32 {
        let id = u32::try_from(self.entries.len()).expect("a run is cut long before 4 G URLs");
        if !text.is_empty() {
            if self.chunks.last().is_none_or(|c| c.len() + text.len() > CHUNK) {
                // The first one grows: a merge has a table for each of many small blocks.
                let room = if self.chunks.is_empty() { 0 } else { CHUNK };
                self.chunks.push(Vec::with_capacity(room));
            }
            let at = self.chunks.len() - 1;
            let chunk = self.chunks.last_mut().expect("pushed just above if there was none");
            entry.text_at = u32::try_from(at * CHUNK + chunk.len()).expect("a run is cut before 4 GiB of text");
            entry.text_len = u16::try_from(text.len()).expect("URLs are capped below 64 KiB");
            chunk.extend_from_slice(text.as_bytes());
        }
        self.entries.push(entry);
        id
    }

    /// The URL by its number.
    pub(crate) fn entry(&self, id: u32) -> &UrlEntry {
        &self.entries[id as usize]
    }

    /// The canonical path and query; empty if it was not kept.
    pub(crate) fn text(&self, entry: &UrlEntry) -> &str {
        if entry.text_len == 0 {
            return "";
        }
        let (chunk, at) = (entry.text_at as usize / CHUNK, entry.text_at as usize % CHUNK);
        std::str::from_utf8(&self.chunks[chunk][at..at + entry.text_len as usize]).unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Bytes of text that still fit before a run must be cut, whatever its memory.
    pub(crate) fn is_full(&self) -> bool {
        self.chunks.len() >= (u32::MAX as usize / CHUNK) - 8 || self.entries.len() >= (u32::MAX - (1 << 24)) as usize
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<UrlEntry>() + self.chunks.len() * CHUNK
    }

    /// Forgets everything; one chunk and the room for entries stay.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.chunks.truncate(1);
        self.chunks.iter_mut().for_each(Vec::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_texts_come_back_across_chunk_borders() {
        let mut table = UrlTable::default();
        let texts: Vec<String> = (0..3000).map(|i| format!("/{i}/{}", "x".repeat(i % 1500))).collect();
        for (i, text) in texts.iter().enumerate() {
            let entry = UrlEntry::new(0, (i as u64, 0), 0, 0);
            assert_eq!(table.push(entry, text) as usize, i);
        }
        for (i, text) in texts.iter().enumerate() {
            assert_eq!(table.text(table.entry(i as u32)), text);
        }
        let silent = table.push(UrlEntry::new(0, (1, 1), 0, 0), "");
        assert_eq!(table.text(table.entry(silent)), "");
    }
}
