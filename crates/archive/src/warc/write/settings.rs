//! How are archives written, and what do they say about their writer?

use crate::Error;

/// How the names of files start by default.
pub const PREFIX: &str = "trodden";
/// The size at which a file is closed by default, in bytes; the last exchange may go beyond it.
pub const FILE_BYTES: u64 = 1_000_000_000;
/// How hard records are packed by default, on gzip's scale of 1 to 9. On articles of an encyclopedia, 1 takes under half
/// of the time of 6 and two fifths more room; 3 lies between (`docs/formats/archive.md`).
pub const LEVEL: u32 = 1;
/// The longest prefix of a file name, in bytes.
const PREFIX_BYTES: usize = 100;

/// How robots.txt was treated, for the `warcinfo` record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RobotsPolicy {
    /// It was obeyed.
    #[default]
    Obeyed,
    /// It was not asked.
    Ignored,
}

impl RobotsPolicy {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Obeyed => "obey",
            Self::Ignored => "ignore",
        }
    }
}

/// Whether records carry a digest of their whole block, beside that of their payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockDigests {
    /// Every record does.
    #[default]
    Written,
    /// None does: half the hashing.
    LeftOut,
}

/// Settings of a [`WarcWriter`](super::WarcWriter).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarcSettings {
    /// How file names start ([`PREFIX`]): letters, digits, `-`, `_` and `.`.
    pub prefix: String,
    /// The size at which a file is closed ([`FILE_BYTES`]).
    pub file_bytes: u64,
    /// How hard records are packed ([`LEVEL`]): 0 to 9.
    pub level: u32,
    /// Whether blocks get a digest of their own.
    pub block_digests: BlockDigests,
    /// The program, for `warcinfo`.
    pub software: String,
    /// What the crawler called itself, for `warcinfo`.
    pub user_agent: Option<String>,
    /// Whom to write to, for `warcinfo`.
    pub operator: Option<String>,
    /// How robots.txt was treated, for `warcinfo`.
    pub robots: RobotsPolicy,
    /// Further fields of `warcinfo`, by name.
    pub more: Vec<(String, String)>,
}

impl Default for WarcSettings {
    fn default() -> Self {
        Self {
            prefix: PREFIX.to_owned(),
            file_bytes: FILE_BYTES,
            level: LEVEL,
            block_digests: BlockDigests::default(),
            software: concat!("trodden/", env!("CARGO_PKG_VERSION")).to_owned(),
            user_agent: None,
            operator: None,
            robots: RobotsPolicy::default(),
            more: Vec::new(),
        }
    }
}

impl WarcSettings {
    /// A prefix becomes a part of file names: it must not lead elsewhere.
    pub(super) fn check(&self) -> Result<(), Error> {
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
        let prefix = &self.prefix;
        if prefix.is_empty() || prefix.len() > PREFIX_BYTES || prefix.starts_with('.') || !prefix.bytes().all(is_plain)
        {
            return Err(Error::BadPrefix { prefix: prefix.clone() });
        }
        Ok(())
    }
}
