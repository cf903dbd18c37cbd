//! A log line as the cleaning sees it: who, when, which URL from which, and what is known so far.

use crate::clean::DropReason;

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
    /// The forwarded client while lines are read, the site once they are judged.
    pub(crate) of: ClientOrSite,
    /// Why it is no visit; none while nothing speaks against it.
    pub(crate) verdict: Option<DropReason>,
    /// Bits of [`traits`].
    pub(crate) traits: u8,
}

/// What a record belongs to besides its user, in four bytes. Records are by far the most of what is in memory, and no record
/// has both: a forwarded client is settled before sites are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClientOrSite(u32);

impl ClientOrSite {
    /// Neither.
    pub(crate) const NONE: Self = Self(0);
    /// Set for sites.
    const SITE: u32 = 1 << 31;

    /// The forwarded client at this place of its run.
    pub(crate) fn client(place: usize) -> Self {
        let place = u32::try_from(place).ok().filter(|place| *place < Self::SITE - 1);
        Self(place.expect("a run has fewer records: it goes to disk long before") + 1)
    }

    /// The site at this place of the sorted list of sites.
    pub(crate) fn site(place: u32) -> Self {
        assert!(place < Self::SITE, "there are fewer sites: their names alone would fill the memory");
        Self(place | Self::SITE)
    }

    /// The place of the forwarded client, if there is one.
    pub(crate) fn client_place(self) -> Option<usize> {
        if self.0 & Self::SITE == 0 { self.0.checked_sub(1).map(|place| place as usize) } else { None }
    }

    /// The place of the site, if it is known.
    pub(crate) fn site_place(self) -> Option<usize> {
        (self.0 & Self::SITE != 0).then_some((self.0 & !Self::SITE) as usize)
    }
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
        b[32..36].copy_from_slice(&self.of.0.to_le_bytes());
        b[36] = self.verdict.map_or(0, DropReason::mark);
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
            of: ClientOrSite(u32_at(b, 32)),
            verdict: DropReason::of_mark(b[36]),
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
        let verdicts = DropReason::ALL.map(Some).into_iter().chain([None]);
        let belongs = [ClientOrSite::NONE, ClientOrSite::client(0), ClientOrSite::client(9), ClientOrSite::site(0)];
        for (verdict, of) in verdicts.zip(belongs.into_iter().cycle()) {
            let record = Record {
                time_ms: -5,
                user: 7,
                address: u64::MAX,
                target: 3,
                referrer: NO_URL,
                of,
                verdict,
                traits: traits::NOBODY,
            };
            let mut bytes = Vec::new();
            record.put(&mut bytes);
            assert_eq!(bytes.len(), RECORD_BYTES);
            assert_eq!(Record::get(&bytes), record);
        }
        assert_eq!(size_of::<Record>(), 40);
    }

    #[test]
    fn ours_a_client_is_never_taken_for_a_site() {
        for place in [0, 1, 1_000_000] {
            let (client, site) = (ClientOrSite::client(place), ClientOrSite::site(place as u32));
            assert_eq!((client.client_place(), client.site_place()), (Some(place), None));
            assert_eq!((site.client_place(), site.site_place()), (None, Some(place)));
        }
        assert_eq!((ClientOrSite::NONE.client_place(), ClientOrSite::NONE.site_place()), (None, None));
        assert!(ClientOrSite::site(3) < ClientOrSite::site(4), "by site is by its place");
    }
}
