//! Time stamps of every kind that logs write, as milliseconds since 1970 UTC.
//!
//! * Common log: `26/Jan/2019:19:45:25 +0330`. The day, hour, minute and zone rarely change from one line to the
//!   next, so the last minute is remembered: a hit compares 23 bytes and reads two digits.
//! * ISO 8601 and RFC 3339: `2019-01-26T19:45:25.123+03:30`, a space for the `T`, no zone meaning UTC.
//! * Seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by magnitude, with or without a
//!   fraction.
//!
//! Years 1970 to 9999. An impossible date (30 February, 24:00, second 60) is a fault, not a guess. No clock is read.

use std::cell::Cell;

use trodden_mining::MS_PER_DAY;

use super::entry::LineFault;

/// The last moment of the year 9999.
pub(super) const LATEST_MS: i64 = 253_402_300_799_999;

const MINUTE_MS: i64 = 60_000;

/// Bytes of a stamp in the usual common-log form.
const STAMP: usize = 26;

/// The last minute seen in a common-log stamp: `dd/Mon/yyyy:HH:MM`, the zone, and where that minute starts.
#[derive(Clone, Copy, Default)]
pub(super) struct Minute {
    head: [u64; 2],
    /// The last digit of the minute and the colon after it, then the space and the zone.
    tail: [u8; 8],
    start_ms: i64,
}

/// A stamp of any kind.
#[inline]
pub(super) fn stamp(text: &[u8], last: &Cell<Minute>) -> Result<i64, LineFault> {
    if let Ok(stamp) = <&[u8; STAMP]>::try_from(text)
        && stamp[2] == b'/'
    {
        return common(stamp, last);
    }
    stamp_slow(text).ok_or(LineFault::BadTime)
}

#[inline]
fn common(stamp: &[u8; STAMP], last: &Cell<Minute>) -> Result<i64, LineFault> {
    let &[
        h0,
        h1,
        h2,
        h3,
        h4,
        h5,
        h6,
        h7,
        h8,
        h9,
        h10,
        h11,
        h12,
        h13,
        h14,
        h15,
        m,
        colon,
        s0,
        s1,
        z0,
        z1,
        z2,
        z3,
        z4,
        z5,
    ] = stamp;
    let head = [
        u64::from_le_bytes([h0, h1, h2, h3, h4, h5, h6, h7]),
        u64::from_le_bytes([h8, h9, h10, h11, h12, h13, h14, h15]),
    ];
    let tail = [m, colon, z0, z1, z2, z3, z4, z5];
    let known = last.get();
    let second = two([s0, s1]).filter(|&second| second < 60).ok_or(LineFault::BadTime)?;
    let start_ms = if known.head == head && known.tail == tail {
        known.start_ms
    } else {
        let start_ms = stamp_slow(stamp).ok_or(LineFault::BadTime)? - i64::from(second) * 1_000;
        last.set(Minute { head, tail, start_ms });
        start_ms
    };
    Ok(start_ms + i64::from(second) * 1_000)
}

/// A stamp of any kind, or a date in digits: `20240131`, `2024013113`.
pub(crate) fn any_time(text: &[u8]) -> Option<i64> {
    // Eight digits are a date or nothing; ten may be seconds since 1970.
    let is_date = text.len() == 8 && text.iter().all(u8::is_ascii_digit);
    date_of_digits(text).or_else(|| if is_date { None } else { stamp_slow(text) })
}

/// A date of this age, and perhaps an hour. As seconds since 1970 eight digits would be of 1970 and 1971, ten of 2033 and
/// later.
fn date_of_digits(text: &[u8]) -> Option<i64> {
    let (date, hour) = match text.len() {
        8 => (text, 0),
        10 => (&text[..8], number(&text[8..])?),
        _ => return None,
    };
    let year = number(&date[..4]).filter(|year| (1990..2100).contains(year))?;
    let day = day_number(year, two([date[4], date[5]])?, two([date[6], date[7]])?)?;
    (hour < 24).then(|| day * MS_PER_DAY + i64::from(hour) * 60 * MINUTE_MS)
}

fn stamp_slow(text: &[u8]) -> Option<i64> {
    let ms = match *text {
        [_, b'/', ..] | [_, _, b'/', ..] => common_slow(text)?,
        [_, _, _, _, b'-' | b'/', ..] => iso(text)?,
        _ => epoch(text)?,
    };
    (0..=LATEST_MS).contains(&ms).then_some(ms)
}

/// `dd/Mon/yyyy:HH:MM:SS[.fraction][ zone]`; a one-digit day too.
fn common_slow(text: &[u8]) -> Option<i64> {
    let slash = memchr::memchr(b'/', text)?;
    let (day, rest) = (&text[..slash], &text[slash + 1..]);
    let day = match *day {
        [ones] => two([b'0', ones])?,
        [tens, ones] => two([tens, ones])?,
        _ => return None,
    };
    let (name, rest) = rest.split_at_checked(3)?;
    let rest = rest.strip_prefix(b"/")?;
    let (year, rest) = rest.split_at_checked(4)?;
    let rest = rest.strip_prefix(b":")?;
    let day = day_number(number(year)?, month(name)?, day)?;
    clock(rest, day)
}

/// `yyyy-mm-dd` or `yyyy/mm/dd`, then `T`, a space or `_`, then the clock.
fn iso(text: &[u8]) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let day = date_of(date)?;
    match *rest {
        [] => Some(day * MS_PER_DAY),
        [b'T' | b't' | b' ' | b'_', ref clock_text @ ..] => clock(clock_text, day),
        _ => None,
    }
}

/// `yyyy-mm-dd` as days since 1970.
pub(super) fn date_of(date: &[u8]) -> Option<i64> {
    match *date {
        [a, b, c, d, dash, m1, m2, dash2, d1, d2] if matches!(dash, b'-' | b'/') && dash == dash2 => {
            day_number(number(&[a, b, c, d])?, two([m1, m2])?, two([d1, d2])?)
        }
        _ => None,
    }
}

/// `HH:MM[:SS[.fraction]][ zone]` on a day, as milliseconds since 1970.
pub(super) fn clock(text: &[u8], day: i64) -> Option<i64> {
    let [h1, h2, b':', m1, m2, ref rest @ ..] = *text else {
        return None;
    };
    let (second, rest) = match *rest {
        [b':', s1, s2, ref rest @ ..] => (two([s1, s2])?, rest),
        _ => (0, rest),
    };
    let (hour, minute) = (two([h1, h2])?, two([m1, m2])?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (fraction, rest) = match *rest {
        [b'.' | b',', ref digits @ ..] => {
            let end = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
            (milliseconds(&digits[..end])?, &digits[end..])
        }
        _ => (0, rest),
    };
    let offset = offset_minutes(rest.strip_prefix(b" ").unwrap_or(rest))?;
    let minutes = i64::from(hour) * 60 + i64::from(minute) - i64::from(offset);
    Some(day * MS_PER_DAY + minutes * MINUTE_MS + i64::from(second) * 1_000 + fraction)
}

/// `+0330`, `+03:30`, `+03`, `Z`, `UTC`, `GMT`, or nothing at all.
pub(super) fn offset_minutes(zone: &[u8]) -> Option<i32> {
    let (sign, digits) = match *zone {
        [] | [b'Z' | b'z'] => return Some(0),
        [b'+', ref digits @ ..] => (1, digits),
        [b'-', ref digits @ ..] => (-1, digits),
        _ => return matches!(zone, b"UTC" | b"GMT").then_some(0),
    };
    let (hours, minutes) = match *digits {
        [h1, h2] => (two([h1, h2])?, 0),
        [h1, h2, m1, m2] | [h1, h2, b':', m1, m2] => (two([h1, h2])?, two([m1, m2])?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then(|| sign * (i32::from(hours) * 60 + i32::from(minutes)))
}

/// A number since 1970, its unit by magnitude.
pub(super) fn epoch(text: &[u8]) -> Option<i64> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    if end == 0 || end > 19 {
        return None;
    }
    let whole =
        text[..end].iter().try_fold(0i64, |sum, digit| sum.checked_mul(10)?.checked_add(i64::from(digit - b'0')))?;
    let fraction = match &text[end..] {
        [] => 0,
        [b'.' | b',', digits @ ..] => milliseconds(digits)?,
        _ => return None,
    };
    epoch_ms(whole, fraction)
}

/// Milliseconds since 1970 from a whole number of seconds (plus `fraction` ms), ms, µs or ns.
///
/// Seconds end at 10¹¹ (the year 5138), milliseconds at 10¹⁴, microseconds at 10¹⁷: so each unit starts in 1973.
pub(super) fn epoch_ms(whole: i64, fraction: i64) -> Option<i64> {
    match whole {
        ..0 => None,
        0..100_000_000_000 => Some(whole * 1_000 + fraction),
        100_000_000_000..100_000_000_000_000 => Some(whole),
        100_000_000_000_000..100_000_000_000_000_000 => Some(whole / 1_000),
        _ => Some(whole / 1_000_000),
    }
}

/// The first three digits of a fraction of a second; digits only.
fn milliseconds(digits: &[u8]) -> Option<i64> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |at: usize| i64::from(digits.get(at).map_or(0, |byte| byte - b'0'));
    Some(digit(0) * 100 + digit(1) * 10 + digit(2))
}

/// Two ASCII digits.
#[inline]
pub(super) fn two([tens, ones]: [u8; 2]) -> Option<u8> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| tens * 10 + ones)
}

/// Up to nine ASCII digits and nothing else.
pub(super) fn number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 9 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
}

/// The number of an English month name of three letters.
pub(super) fn month(name: &[u8]) -> Option<u8> {
    const NAMES: &[u8; 36] = b"janfebmaraprmayjunjulaugsepoctnovdec";
    let at = NAMES.chunks_exact(3).position(|known| known.eq_ignore_ascii_case(name))?;
    u8::try_from(at + 1).ok()
}

/// Days since 1970 of a date that exists (Howard Hinnant's `days_from_civil`, for years 1970 to 9999).
pub(super) fn day_number(year: u32, month: u8, day: u8) -> Option<i64> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let length = match month {
        2 => 28 + u8::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1970..=9999).contains(&year) || day == 0 || day > length {
        return None;
    }
    let year = i64::from(year) - i64::from(month <= 2);
    let (era, of_era) = (year / 400, year % 400);
    let shifted = (i64::from(month) + 9) % 12;
    let of_year = (153 * shifted + 2) / 5 + i64::from(day) - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<i64> {
        stamp(text.as_bytes(), &Cell::default()).ok()
    }

    #[test]
    fn ours_stamps_of_every_kind() {
        let cases = [
            ("26/Jan/2019:19:45:25 +0330", 1_548_519_325_000),
            ("26/Jan/2019:16:15:25 +0000", 1_548_519_325_000),
            ("6/Jan/2019:16:15:25 +0000", 1_546_791_325_000),
            ("26/Jan/2019:16:15:25.125 +0000", 1_548_519_325_125),
            ("26/Jan/2019:16:15:25", 1_548_519_325_000),
            ("2019-01-26T19:45:25+03:30", 1_548_519_325_000),
            ("2019-01-26T19:45:25.1239+0330", 1_548_519_325_123),
            ("2019-01-26 16:15:25", 1_548_519_325_000),
            ("2019-01-26 16:15:25,5 UTC", 1_548_519_325_500),
            ("2019-01-26T16:15Z", 1_548_519_300_000),
            ("2019-01-26", 1_548_460_800_000),
            ("1548519325", 1_548_519_325_000),
            ("1548519325.504", 1_548_519_325_504),
            ("1548519325504", 1_548_519_325_504),
            ("1548519325504999", 1_548_519_325_504),
            ("1548519325504999999", 1_548_519_325_504),
            ("0", 0),
            ("29/Feb/2000:00:00:00 +0000", 951_782_400_000),
            ("31/Dec/9999:23:59:59 +0000", 253_402_300_799_000),
        ];
        for (text, ms) in cases {
            assert_eq!(read(text), Some(ms), "{text}");
        }
    }

    #[test]
    fn ours_impossible_times_are_faults() {
        let cases = [
            "30/Feb/2019:19:45:25 +0330",
            "29/Feb/1900:19:45:25 +0330",
            "00/Jan/2019:19:45:25 +0330",
            "26/Jan/1969:19:45:25 +0330",
            "01/Jan/1970:00:00:00 +0330",
            "26/Jan/2019:24:45:25 +0330",
            "26/Jan/2019:19:60:25 +0330",
            "26/Jan/2019:19:45:60 +0330",
            "26/Jen/2019:19:45:25 +0330",
            "26/Jan/2019:19:45:25 +2430",
            "26/Jan/2019:19:45:25 -03:3",
            "2019-02-29T00:00:00Z",
            "2019-01-26T19:45:25 nonsense",
            "2019-01-26X19:45:25",
            "-5",
            "",
            "-",
            "1548519325x",
            "15485193255049999999",
        ];
        for text in cases {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn ours_the_remembered_minute_changes_no_result() {
        let last = Cell::default();
        let stamps = [
            "26/Jan/2019:19:45:25 +0330",
            "26/Jan/2019:19:45:59 +0330",
            "26/Jan/2019:19:45:59 +0000",
            "26/Jan/2019:19:46:00 +0000",
            "26/Jan/2019:19:46:61 +0000",
            "27/Jan/2019:19:46:00 +0000",
        ];
        for text in stamps {
            assert_eq!(stamp(text.as_bytes(), &last).ok(), read(text), "{text}");
            assert_eq!(stamp(text.as_bytes(), &last).ok(), read(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn ours_days_follow_each_other(day in 0i64..2_932_896) {
            // Walk the calendar by Hinnant's inverse and come back to the same day.
            let shifted = day + 719_468;
            let (era, of_era) = (shifted / 146_097, shifted % 146_097);
            let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
            let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
            let month = (5 * of_year + 2) / 153;
            let (date, month) = (of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
            let year = era * 400 + year_of_era + i64::from(month <= 2);
            let text = format!("{year:04}-{month:02}-{date:02}");
            prop_assert_eq!(date_of(text.as_bytes()), Some(day));
        }

        #[test]
        fn ours_times_never_panic(text: Vec<u8>) {
            let _ = stamp(&text, &Cell::default());
        }
    }
}
