//! A log line as the cleaning sees it: who, when, which URL from which, and what is known so far.

/// No URL: the referrer was empty, or the line's own is not kept.
pub(crate) const NO_URL: u32 = u32::MAX;

/// Facts about a record, as bits of [`Record::traits`].
pub(crate) mod traits {
    /// A stylesheet, script, image, font or the like.
    pub(crate) const ASSET: u8 = 1;
    /// The server answered with an error (4xx, 5xx).
    pub(crate) const ERROR: u8 = 2;
    /// Nobody is named: the record is a user of its own.
    pub(crate) const NOBODY: u8 = 4;
    /// A document: a page that loads nothing.
    pub(crate) const DOCUMENT: u8 = 8;
    /// A visit that was judged before.
    pub(crate) const CLEAN: u8 = 16;
}

/// One line that parsed. Forty bytes; texts are in the [`super::UrlTable`] of the run that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Milliseconds since 1970, UTC.
    pub(crate) time_ms: i64,
    /// Keyed hash of the user.
    pub(crate) user: u64,
    /// Keyed hash of the address, 0 if the log has none.
    pub(crate) address: u64,
    /// The URL asked for.
    pub(crate) target: u32,
    /// The URL it was asked from, or [`NO_URL`].
    pub(crate) referrer: u32,
    /// While scanning: one more than the place of the forwarded client in its run, 0 without one.
    /// After judging: the place of the site in the sorted list of sites.
    pub(crate) extra: u32,
    /// 0 while nothing speaks against the record, else one more than the index of its drop reason.
    pub(crate) verdict: u8,
    /// Bits of [`traits`].
    pub(crate) traits: u8,
}

/// Bytes of a record on disk.
pub(crate) const RECORD_BYTES: usize = 38;

impl Record {
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        let mut b = [0; RECORD_BYTES];
        b[0..8].copy_from_slice(&self.time_ms.to_le_bytes());
        b[8..16].copy_from_slice(&self.user.to_le_bytes());
        b[16..24].copy_from_slice(&self.address.to_le_bytes());
        b[24..28].copy_from_slice(&self.target.to_le_bytes());
        b[28..32].copy_from_slice(&self.referrer.to_le_bytes());
        b[32..36].copy_from_slice(&self.extra.to_le_bytes());
        b[36] = self.verdict;
        b[37] = self.traits;
        out.extend_from_slice(&b);
    }

    pub(crate) fn get(b: &[u8]) -> Self {
        Self {
            time_ms: u64_at(b, 0).cast_signed(),
            user: u64_at(b, 8),
            address: u64_at(b, 16),
            target: u32_at(b, 24),
            referrer: u32_at(b, 28),
            extra: u32_at(b, 32),
            verdict: b[36],
            traits: b[37],
        }
    }

    /// Whether a bit of [`traits`] is set.
    pub(crate) fn is(&self, bit: u8) -> bool {
        self.traits & bit != 0
    }
}

pub(crate) fn u64_at(b: &[u8], at: usize) -> u64 {
    let mut raw = [0; 8];
    raw.copy_from_slice(&b[at..at + 8]);
    u64::from_le_bytes(raw)
}

pub(crate) fn u32_at(b: &[u8], at: usize) -> u32 {
    let mut raw = [0; 4];
    raw.copy_from_slice(&b[at..at + 4]);
    u32::from_le_bytes(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_record_survives_the_disk_and_stays_forty_bytes() {
        let record = Record {
            time_ms: -5,
            user: 7,
            address: u64::MAX,
            target: 3,
            referrer: NO_URL,
            extra: 9,
            verdict: 4,
            traits: traits::NOBODY,
        };
        let mut bytes = Vec::new();
        record.put(&mut bytes);
        assert_eq!(bytes.len(), RECORD_BYTES);
        assert_eq!(Record::get(&bytes), record);
        assert_eq!(size_of::<Record>(), 40);
    }
}
