//! What are the records of one exchange, packed and ready for one write?
//!
//! ```text
//! warcinfo?  response | revisit   request?   metadata?
//! └ first in a file   └ its id is named by the two after it (WARC-Concurrent-To)
//! ```
//!
//! The answer comes first, so that a crash in the middle of a write is most likely to leave it whole.

use super::exchange::{Message, Metadata, Repeat, Truncated, WarcExchange};
use super::head::Lines;
use super::pack::Packer;
use super::packed::RecordNames;
use super::settings::BlockDigests;
use super::{RecordId, WarcSettings};
use crate::caps::HEAD_BYTES;
use crate::warc::{Digest, WarcDate};
use crate::{Error, RecordKind};

const SAME_PAYLOAD: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
const NOT_MODIFIED: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";
const CONFORMS_TO: &str = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/";
/// A buffer larger than this is given back after use.
const KEPT_BYTES: usize = 8 << 20;
/// What follows a block.
const END: &[u8] = b"\r\n\r\n";

/// Packs records into a buffer.
pub(super) struct Batch {
    packer: Packer,
    block_digests: BlockDigests,
    lines: Lines,
    fields: Lines,
    out: Vec<u8>,
}

/// Where the answer lies in the batch.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    pub(super) kind: RecordKind,
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) payload_digest: Option<Digest>,
}

impl Batch {
    pub(super) fn new(settings: &WarcSettings) -> Self {
        Self {
            packer: Packer::new(settings.level),
            block_digests: settings.block_digests,
            lines: Lines::default(),
            fields: Lines::default(),
            out: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.out
    }

    pub(super) fn clear(&mut self) {
        self.out.clear();
        self.out.shrink_to(KEPT_BYTES);
    }

    /// The record about the file and its writer. It names no machine.
    pub(super) fn warcinfo(
        &mut self,
        settings: &WarcSettings,
        info: RecordId,
        date: WarcDate,
        file: &str,
    ) -> Result<(), Error> {
        let fields = self.fields.fields();
        fields.foreign("software", &settings.software);
        fields.ours("format", "WARC File Format 1.1").ours("conformsTo", CONFORMS_TO);
        if let Some(agent) = &settings.user_agent {
            fields.foreign("http-header-user-agent", agent);
        }
        if let Some(operator) = &settings.operator {
            fields.foreign("operator", operator);
        }
        fields.ours("robots", settings.robots.as_str());
        for (name, value) in &settings.more {
            fields.foreign(name, value);
        }
        let lines = self.lines.record("warcinfo");
        lines.ours("WARC-Record-ID", info).ours("WARC-Date", date).ours("WARC-Filename", file);
        lines.ours("Content-Type", "application/warc-fields");
        self.finish_fields()
    }

    /// All records of an exchange.
    pub(super) fn exchange(&mut self, x: &WarcExchange<'_>, names: &RecordNames) -> Result<Answer, Error> {
        let RecordNames { info, answer: id, request: request_id, metadata: metadata_id } = *names;
        let answer = self.answer(x, id, info)?;
        if let Some(request) = x.request {
            self.request(x, request, request_id, id, info)?;
        }
        if !x.metadata.is_empty() {
            self.metadata(x, metadata_id, id, info)?;
        }
        Ok(answer)
    }

    /// Records that were packed elsewhere; where their answer lies now.
    pub(super) fn packed(&mut self, bytes: &[u8], answer: Answer) -> Answer {
        let offset = self.out.len() as u64 + answer.offset;
        self.out.extend_from_slice(bytes);
        Answer { offset, ..answer }
    }

    /// The response or revisit.
    fn answer(&mut self, x: &WarcExchange<'_>, id: RecordId, info: RecordId) -> Result<Answer, Error> {
        let Message { head, payload } = x.response;
        let (kind, name, payload) = match x.repeat {
            Repeat::No => (RecordKind::Response, "response", payload),
            Repeat::SamePayload(_) => (RecordKind::Revisit, "revisit", &b""[..]),
            Repeat::NotModified(_) => (RecordKind::Revisit, "revisit", payload),
        };
        let payload_digest = match x.repeat {
            Repeat::NotModified(original) => original.payload_digest,
            _ => Some(x.payload_digest.unwrap_or_else(|| Digest::of(x.response.payload))),
        };
        self.start(name, x, id, info, "application/http; msgtype=response");
        match x.repeat {
            Repeat::No => {}
            Repeat::SamePayload(original) | Repeat::NotModified(original) => {
                let is_same = matches!(x.repeat, Repeat::SamePayload(_));
                self.lines.ours("WARC-Profile", if is_same { SAME_PAYLOAD } else { NOT_MODIFIED });
                if let Some(record) = original.record {
                    self.lines.ours("WARC-Refers-To", record);
                }
                self.lines.uri("WARC-Refers-To-Target-URI", original.target);
                self.lines.ours("WARC-Refers-To-Date", original.date);
            }
        }
        // The standard wants a payload that was left out to be told as truncated.
        let truncated = if let Repeat::SamePayload(_) = x.repeat { Some(Truncated::Length) } else { x.truncated };
        if let Some(truncated) = truncated {
            self.lines.ours("WARC-Truncated", truncated.as_str());
        }
        if let Some(media_type) = x.identified_type {
            self.lines.foreign("WARC-Identified-Payload-Type", media_type);
        }
        if let Some(digest) = payload_digest {
            self.lines.ours("WARC-Payload-Digest", digest);
        }
        let offset = self.out.len() as u64;
        self.finish(head, payload)?;
        Ok(Answer { kind, offset, length: self.out.len() as u64 - offset, payload_digest })
    }

    /// The question.
    fn request(
        &mut self,
        x: &WarcExchange<'_>,
        message: Message<'_>,
        id: RecordId,
        answer: RecordId,
        info: RecordId,
    ) -> Result<(), Error> {
        self.start("request", x, id, info, "application/http; msgtype=request");
        self.lines.ours("WARC-Concurrent-To", answer);
        if !message.payload.is_empty() {
            self.lines.ours("WARC-Payload-Digest", Digest::of(message.payload));
        }
        self.finish(message.head, message.payload)
    }

    /// What else is told.
    fn metadata(&mut self, x: &WarcExchange<'_>, id: RecordId, answer: RecordId, info: RecordId) -> Result<(), Error> {
        let Metadata { fetch_ms, via, hops, more } = x.metadata;
        let fields = self.fields.fields();
        if let Some(via) = via {
            fields.uri("via", via);
        }
        if let Some(hops) = hops {
            fields.ours("hops", hops);
        }
        if let Some(ms) = fetch_ms {
            fields.ours("fetchTimeMs", ms);
        }
        for (name, value) in more {
            fields.foreign(name, value);
        }
        let lines = self.lines.record("metadata");
        lines.ours("WARC-Record-ID", id).ours("WARC-Date", x.date).uri("WARC-Target-URI", x.target);
        lines.ours("WARC-Warcinfo-ID", info).ours("WARC-Concurrent-To", answer);
        lines.ours("Content-Type", "application/warc-fields");
        self.finish_fields()
    }

    /// The lines that both messages have.
    fn start(&mut self, kind: &str, x: &WarcExchange<'_>, id: RecordId, info: RecordId, media_type: &str) {
        let lines = self.lines.record(kind);
        lines.ours("WARC-Record-ID", id).ours("WARC-Date", x.date).uri("WARC-Target-URI", x.target);
        lines.ours("WARC-Warcinfo-ID", info);
        if let Some(ip) = x.ip {
            lines.ours("WARC-IP-Address", ip.to_canonical());
        }
        for protocol in x.protocols {
            lines.foreign("WARC-Protocol", protocol);
        }
        lines.ours("Content-Type", media_type);
    }

    /// Ends the head and packs it with its block.
    fn finish(&mut self, first: &[u8], second: &[u8]) -> Result<(), Error> {
        if self.block_digests == BlockDigests::Written {
            self.lines.ours("WARC-Block-Digest", Digest::of_both(first, second));
        }
        self.lines.ours("Content-Length", first.len() + second.len());
        let head = self.lines.end();
        if head.len() > HEAD_BYTES {
            return Err(Error::HeadTooLong { bytes: head.len(), cap: HEAD_BYTES });
        }
        self.packer.member(&[head, first, second, END], &mut self.out);
        Ok(())
    }

    fn finish_fields(&mut self) -> Result<(), Error> {
        let fields = std::mem::take(&mut self.fields);
        let finished = self.finish(fields.as_bytes(), b"");
        self.fields = fields;
        finished
    }
}
