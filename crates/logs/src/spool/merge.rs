//! Reading a shard: the merge of its segments, one block of each in memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::record::{RECORD_BYTES, u32_at, u64_at};
use super::run::{Key, RunOrder};
use super::{Record, UrlEntry, UrlTable};

/// A record of a shard, with the tables that its numbers refer to.
pub(crate) struct Item<'m> {
    /// The record.
    pub(crate) record: Record,
    /// The URLs it names.
    pub(crate) urls: &'m UrlTable,
    /// The forwarded clients it may name.
    pub(crate) clients: &'m [(u64, u64)],
}

/// The records of a shard in the order of the run. Cost: one comparison a record and doubling of segments.
pub(crate) struct ShardMerge<'s> {
    order: RunOrder,
    cursors: Vec<Cursor<'s>>,
    heap: BinaryHeap<Reverse<(Key, usize)>>,
    /// Whether the record at the top of the heap has been handed out.
    handed_out: bool,
}

impl<'s> ShardMerge<'s> {
    pub(super) fn new(
        order: RunOrder,
        memory: impl Iterator<Item = (&'s [Record], &'s UrlTable, &'s [(u64, u64)])>,
        disk: impl Iterator<Item = (&'s File, &'s [(u64, usize)])>,
    ) -> io::Result<Self> {
        let memory = memory
            .filter(|(records, ..)| !records.is_empty())
            .map(|(records, urls, clients)| Cursor { at: 0, source: Source::Memory { records, urls, clients } });
        let mut cursors: Vec<_> = memory.collect();
        for (file, blocks) in disk {
            let mut block = Block::default();
            let mut blocks = blocks.iter();
            if let Some(&(at, len)) = blocks.next() {
                block.read(file, at, len)?;
                cursors.push(Cursor { at: 0, source: Source::Disk { file, blocks, block: Box::new(block) } });
            }
        }
        let heap = cursors.iter().enumerate().map(|(i, c)| Reverse((c.key(order), i))).collect();
        Ok(Self { order, cursors, heap, handed_out: false })
    }

    /// The next record. Not an `Iterator`: the item borrows the block that the next call may replace.
    pub(crate) fn next(&mut self) -> io::Result<Option<Item<'_>>> {
        if self.handed_out
            && let Some(mut top) = self.heap.peek_mut()
        {
            let i = top.0.1;
            if self.cursors[i].advance()? {
                top.0.0 = self.cursors[i].key(self.order);
            } else {
                PeekMut::pop(top);
            }
        }
        self.handed_out = true;
        Ok(self.heap.peek().map(|Reverse((_, i))| self.cursors[*i].item()))
    }
}

struct Cursor<'s> {
    at: usize,
    source: Source<'s>,
}

enum Source<'s> {
    Memory { records: &'s [Record], urls: &'s UrlTable, clients: &'s [(u64, u64)] },
    Disk { file: &'s File, blocks: std::slice::Iter<'s, (u64, usize)>, block: Box<Block> },
}

impl Cursor<'_> {
    fn item(&self) -> Item<'_> {
        match &self.source {
            Source::Memory { records, urls, clients } => Item { record: records[self.at], urls, clients },
            Source::Disk { block, .. } => {
                Item { record: block.records[self.at], urls: &block.urls, clients: &block.clients }
            }
        }
    }

    fn key(&self, order: RunOrder) -> Key {
        let item = self.item();
        order.key(&item.record, item.urls)
    }

    /// Moves on; false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        self.at += 1;
        match &mut self.source {
            Source::Memory { records, .. } => Ok(self.at < records.len()),
            Source::Disk { block, .. } if self.at < block.records.len() => Ok(true),
            Source::Disk { file, blocks, block } => {
                let Some(&(at, len)) = blocks.next() else {
                    return Ok(false);
                };
                block.read(file, at, len)?;
                self.at = 0;
                Ok(true)
            }
        }
    }
}

/// A block in memory; its buffers are used again for the next.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    records: Vec<Record>,
    clients: Vec<(u64, u64)>,
    urls: UrlTable,
}

const URL_BYTES: usize = 31;

impl Block {
    fn read(&mut self, file: &File, at: u64, len: usize) -> io::Result<()> {
        self.bytes.resize(len, 0);
        file.read_exact_at(&mut self.bytes, at)?;
        let b = &self.bytes;
        let [records, urls, clients, text] = [0, 4, 8, 12].map(|i| u32_at(b, i) as usize);
        let clients_at = 16 + urls * URL_BYTES;
        let records_at = clients_at + clients * 16;
        let mut text_at = records_at + records * RECORD_BYTES;
        debug_assert_eq!(text_at + text, len);
        self.urls.clear();
        for url in b[16..clients_at].chunks_exact(URL_BYTES) {
            let entry = UrlEntry::new(u32_at(url, 24), (u64_at(url, 0), u64_at(url, 8)), u64_at(url, 16), url[28]);
            let text_len = usize::from(u16::from_le_bytes([url[29], url[30]]));
            let text = std::str::from_utf8(&b[text_at..text_at + text_len]).map_err(io::Error::other)?;
            self.urls.push(entry, text);
            text_at += text_len;
        }
        self.clients.clear();
        self.clients.extend(b[clients_at..records_at].chunks_exact(16).map(|c| (u64_at(c, 0), u64_at(c, 8))));
        self.records.clear();
        self.records.extend(b[records_at..].chunks_exact(RECORD_BYTES).take(records).map(Record::get));
        Ok(())
    }
}
