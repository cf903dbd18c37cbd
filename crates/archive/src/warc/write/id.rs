//! How is a record named?

use std::fmt;

/// Gives the random bytes of record ids. The crate reads no randomness of its own; a closure will do.
pub trait IdSource {
    /// Sixteen bytes that no other record has.
    fn bytes(&mut self) -> [u8; 16];
}

impl<F: FnMut() -> [u8; 16]> IdSource for F {
    fn bytes(&mut self) -> [u8; 16] {
        self()
    }
}

/// The name of a record: a random UUID, written `<urn:uuid:…>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId([u8; 16]);

impl RecordId {
    /// From random bytes; six bits become the mark of a random UUID (RFC 9562, version 4).
    #[must_use]
    pub fn from_random(mut bytes: [u8; 16]) -> Self {
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Self(bytes)
    }

    /// The sixteen bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = u128::from_be_bytes(self.0);
        let part = |from: u32, digits: u32| number >> (4 * (32 - from - digits)) & ((1 << (4 * digits)) - 1);
        write!(
            f,
            "<urn:uuid:{:08x}-{:04x}-{:04x}-{:04x}-{:012x}>",
            part(0, 8),
            part(8, 4),
            part(12, 4),
            part(16, 4),
            part(20, 12)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc9562_ids_are_random_uuids() {
        let id = RecordId::from_random([0xff; 16]);
        assert_eq!(id.to_string(), "<urn:uuid:ffffffff-ffff-4fff-bfff-ffffffffffff>");
        let counted = std::array::from_fn(|i| u8::try_from(i * 17).unwrap());
        assert_eq!(RecordId::from_random(counted).to_string(), "<urn:uuid:00112233-4455-4677-8899-aabbccddeeff>");
    }
}
