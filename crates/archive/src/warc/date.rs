//! When was it fetched, as archives write it?

use std::fmt;

/// The last millisecond of the year 9999: what four digits can tell.
const LAST_MS: u64 = 253_402_300_799_999;
const MS_A_DAY: u64 = 86_400_000;

/// A moment in UTC, to the millisecond: `2026-11-16T15:04:05.123Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WarcDate(u64);

impl WarcDate {
    /// From the milliseconds since 1970; the end of the year 9999 is the latest.
    #[must_use]
    pub fn from_unix_ms(ms: u64) -> Self {
        Self(ms.min(LAST_MS))
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn unix_ms(self) -> u64 {
        self.0
    }

    /// `20261116150405`, as indexes and file names have it.
    #[must_use]
    pub fn digits(self) -> String {
        let (year, month, day, h, m, s) = self.fields();
        format!("{year:04}{month:02}{day:02}{h:02}{m:02}{s:02}")
    }

    /// Year, month, day, hour, minute, second.
    fn fields(self) -> (u64, u64, u64, u64, u64, u64) {
        // Years that begin in March put the leap day last, so that months have a regular length: 153 days are 5 months.
        let days = self.0 / MS_A_DAY + 719_468;
        let (era, in_era) = (days / 146_097, days % 146_097);
        let year_in_era = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
        let in_year = in_era - (365 * year_in_era + year_in_era / 4 - year_in_era / 100);
        let from_march = (5 * in_year + 2) / 153;
        let day = in_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = era * 400 + year_in_era + u64::from(month <= 2);
        let seconds = self.0 % MS_A_DAY / 1_000;
        (year, month, day, seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }
}

impl fmt::Display for WarcDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day, h, m, s) = self.fields();
        write!(f, "{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}.{:03}Z", self.0 % 1_000)
    }
}

/// The fourteen digits of a `WARC-Date` as it is written. Version 1.1 allows to leave out the smaller units; they are
/// filled up with the earliest moment.
pub(crate) fn digits_of(date: &str) -> Option<String> {
    const EARLIEST: &str = "00000101000000";
    let whole = date.split(['.', 'Z']).next().unwrap_or_default();
    let mut digits: String = whole.chars().filter(char::is_ascii_digit).take(EARLIEST.len()).collect();
    if digits.len() < 4 {
        return None;
    }
    digits.push_str(&EARLIEST[digits.len()..]);
    Some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warc11_dates_are_utc_with_milliseconds() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_794_841_445_123, "2026-11-16T15:04:05.123Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (u64::MAX, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(WarcDate::from_unix_ms(ms).to_string(), text);
            assert_eq!(digits_of(text), Some(WarcDate::from_unix_ms(ms).digits()));
        }
    }

    #[test]
    fn warc11_a_date_may_leave_out_what_is_not_known() {
        assert_eq!(digits_of("2016").as_deref(), Some("20160101000000"));
        assert_eq!(digits_of("2016-07-03T11:02Z").as_deref(), Some("20160703110200"));
        assert_eq!(digits_of("soon"), None);
    }

    #[test]
    fn ours_every_day_follows_the_day_before() {
        let mut before = WarcDate::from_unix_ms(0).digits();
        for day in 1..80_000 {
            let digits = WarcDate::from_unix_ms(day * MS_A_DAY).digits();
            assert!(digits > before, "{before} and {digits}");
            before = digits;
        }
    }
}
