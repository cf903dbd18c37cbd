//! Can the records of an exchange be packed before it is their turn to be written?
//!
//! Packing and digests are what an archive costs beside the write itself, and need nothing of the file but the name of its `warcinfo` record. So whoever
//! has a core to spare packs ([`WarcPacker`]) under names that the writer gave out ([`WarcWriter::names`](super::WarcWriter::names)), and the
//! writer appends. If another file was begun in the meantime, or the payload proves to be a repeat, the writer packs anew: what is
//! written is always the same as if it had packed itself.

use super::batch::{Answer, Batch};
use super::{RecordId, Repeat, WarcExchange, WarcSettings};
use crate::Error;
use crate::cdxj::line::answer_facts;

/// The names of the records of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordNames {
    /// Of the `warcinfo` record of the file that is likely to have them.
    pub(super) info: RecordId,
    pub(super) answer: RecordId,
    pub(super) request: RecordId,
    pub(super) metadata: RecordId,
}

/// The records of an exchange, ready to be appended.
pub struct PackedRecords {
    pub(super) names: RecordNames,
    pub(super) bytes: Vec<u8>,
    pub(super) answer: Answer,
    /// Media type and status, for the index.
    pub(super) facts: (String, Option<u16>),
}

impl PackedRecords {
    /// How many bytes they have.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Whether they can be appended to a file as they are.
    pub(super) fn fits(&self, info: RecordId, exchange: &WarcExchange<'_>) -> bool {
        self.names.info == info && exchange.repeat == Repeat::No
    }
}

/// Packs records, beside a writer. One a thread.
pub struct WarcPacker {
    batch: Batch,
}

impl WarcPacker {
    /// Packs as a writer with these settings does.
    #[must_use]
    pub fn new(settings: &WarcSettings) -> Self {
        Self { batch: Batch::new(settings) }
    }

    /// Packs the records of an exchange that is no repeat, as far as that is known.
    ///
    /// # Errors
    /// [`Error::HeadTooLong`] if a record's head is more than a reader takes.
    pub fn pack(&mut self, exchange: &WarcExchange<'_>, names: RecordNames) -> Result<PackedRecords, Error> {
        self.batch.clear();
        let answer = self.batch.exchange(exchange, &names)?;
        let facts = answer_facts(answer.kind, exchange.response.head);
        Ok(PackedRecords { names, bytes: self.batch.bytes().to_vec(), answer, facts })
    }
}

impl std::fmt::Debug for PackedRecords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PackedRecords").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for WarcPacker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WarcPacker").finish_non_exhaustive()
    }
}
