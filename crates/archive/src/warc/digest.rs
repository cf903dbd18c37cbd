//! Are these the same bytes? SHA-1 in base 32, the convention of web archives.

use std::fmt;

use data_encoding::BASE32;
use sha1::{Digest as _, Sha1};

/// The SHA-1 of a block or payload, written `sha1:` and 32 letters and digits.
///
/// It says that bytes were not damaged and, among pages that nobody forged, that they are the same. It does not
/// withstand an attacker who makes two payloads of one digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 20]);

impl Digest {
    /// Of these bytes. About 1 µs for 2 kB on a processor with instructions for it.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha1::digest(bytes).into())
    }

    /// Of two stretches of bytes, one after the other.
    #[must_use]
    pub fn of_both(first: &[u8], second: &[u8]) -> Self {
        Self(Sha1::new().chain_update(first).chain_update(second).finalize().into())
    }

    /// Reads `sha1:` and base 32 (in any case), or 40 hexadecimal digits as some tools write them. None: another
    /// algorithm, or no digest.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (algorithm, value) = text.trim().split_once(':')?;
        if !matches!(algorithm.to_ascii_lowercase().as_str(), "sha1" | "sha-1") {
            return None;
        }
        let bytes = match value.len() {
            32 => BASE32.decode(value.to_ascii_uppercase().as_bytes()).ok()?,
            40 => data_encoding::HEXLOWER_PERMISSIVE.decode(value.as_bytes()).ok()?,
            _ => return None,
        };
        bytes.try_into().ok().map(Self)
    }

    /// The digest without its algorithm, as indexes have it.
    #[must_use]
    pub fn base32(&self) -> String {
        BASE32.encode(&self.0)
    }

    /// The twenty bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// A digest that was kept as its twenty bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha1:")?;
        f.write_str(&self.base32())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warc11_digests_are_labelled_and_in_base_32() {
        assert_eq!(Digest::of(b"").to_string(), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(Digest::of_both(b"a", b"bc"), Digest::of(b"abc"));
        let hex = "SHA-1:a9993e364706816aba3e25717850c26c9cd0d89d";
        assert_eq!(Digest::parse(hex), Some(Digest::of(b"abc")));
        assert_eq!(Digest::parse(&Digest::of(b"x").to_string().to_lowercase()), Some(Digest::of(b"x")));
        for other in ["", "sha1:", "sha256:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY1"] {
            assert_eq!(Digest::parse(other), None);
        }
    }
}
