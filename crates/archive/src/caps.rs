//! How much may a file make us hold, and how much may a compressed byte become?

/// The longest head of a record or of an HTTP message, in bytes.
pub const HEAD_BYTES: usize = 1 << 16;
/// The most header lines of one head.
pub const HEADER_COUNT: usize = 512;
/// The most bytes of one record that are kept.
pub const RECORD_BYTES: usize = 16 << 20;
/// The most bytes of one body, after its codings are undone.
pub const BODY_BYTES: usize = 16 << 20;
/// How many bytes one compressed byte may become. Deflate cannot do more than 1,032.
pub const RATIO: u64 = 1_100;
/// The most links of one page that are kept.
pub const LINKS: usize = 1 << 14;
/// The most addresses of one page that are kept beside its links.
pub const BESIDE: usize = 1 << 8;
/// The longest address of a link, in bytes.
pub const HREF_BYTES: usize = 1 << 13;
/// The most bytes of an anchor text or a title that are kept.
pub const ANCHOR_BYTES: usize = 512;
/// The most bytes of a page's words that are kept.
pub const TEXT_BYTES: usize = 1 << 20;

/// Bytes that a file may give before its ratio is looked at: small ones may be anything.
pub(crate) const RATIO_FREE_BYTES: u64 = 64 << 20;

/// Limits on what is read; each default is a constant of this crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Longest head of a record or HTTP message, in bytes ([`HEAD_BYTES`]); a longer one costs its record.
    pub head_bytes: usize,
    /// Most header lines of a head ([`HEADER_COUNT`]); more cost the record.
    pub header_count: usize,
    /// Most bytes kept of a record ([`RECORD_BYTES`]); the rest is passed over, and the record is marked as cut.
    pub record_bytes: usize,
    /// Most bytes of a decoded body ([`BODY_BYTES`]); the rest is left out.
    pub body_bytes: usize,
    /// Most bytes that one compressed byte may become ([`RATIO`]).
    pub ratio: u64,
    /// Most links kept of a page ([`LINKS`]); the rest is counted.
    pub links: usize,
    /// Most addresses kept beside the links ([`BESIDE`]); the rest is counted.
    pub beside: usize,
    /// Longest address of a link, in bytes ([`HREF_BYTES`]); a longer one is counted and left out.
    pub href_bytes: usize,
    /// Most bytes kept of an anchor text or title ([`ANCHOR_BYTES`]).
    pub anchor_bytes: usize,
    /// Most bytes kept of a page's words ([`TEXT_BYTES`]).
    pub text_bytes: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            head_bytes: HEAD_BYTES,
            header_count: HEADER_COUNT,
            record_bytes: RECORD_BYTES,
            body_bytes: BODY_BYTES,
            ratio: RATIO,
            links: LINKS,
            beside: BESIDE,
            href_bytes: HREF_BYTES,
            anchor_bytes: ANCHOR_BYTES,
            text_bytes: TEXT_BYTES,
        }
    }
}
