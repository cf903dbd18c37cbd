//! Which day is `26/Jan/2019`, and what is it called some days later?
//!
//! Days are counted from 1970-01-01 in the proleptic Gregorian calendar, with the era method of Howard Hinnant
//! (<https://howardhinnant.github.io/date_algorithms.html>). Years of four digits only, as logs have them.

const MONTHS: [&[u8; 3]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];

/// The length of `26/Jan/2019`.
pub(super) const LENGTH: usize = 11;

/// The day that starts `text`, if one does.
pub(super) fn parse(text: &[u8]) -> Option<i64> {
    let text = text.get(..LENGTH)?;
    if text[2] != b'/' || text[6] != b'/' {
        return None;
    }
    let day = digits(&text[..2])?;
    let month = MONTHS.iter().position(|name| name[..] == text[3..6])? as i64 + 1;
    let year = digits(&text[7..])?;
    (1..=31).contains(&day).then(|| days(year, month, day))
}

/// The day as logs write it.
pub(super) fn format(days: i64) -> [u8; LENGTH] {
    let (year, month, day) = civil(days);
    let mut text = *b"00/Jan/0000";
    put_digits(&mut text[..2], day);
    text[3..6].copy_from_slice(MONTHS[(month - 1) as usize]);
    put_digits(&mut text[7..], year);
    text
}

/// The day as `2019-01-26`.
pub(super) fn iso(days: i64) -> String {
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |sum, c| c.is_ascii_digit().then(|| sum * 10 + i64::from(c - b'0')))
}

fn put_digits(text: &mut [u8], mut number: i64) {
    for place in text.iter_mut().rev() {
        *place = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        assert_eq!(parse(b"01/Jan/1970:00:00:00"), Some(0));
        assert_eq!(parse(b"26/Jan/2019"), Some(17_922));
        assert_eq!(&format(17_922 + 7), b"02/Feb/2019");
        assert_eq!(iso(17_922), "2019-01-26");
        assert_eq!(&format(days(2016, 2, 28) + 1), b"29/Feb/2016");
    }

    #[test]
    fn every_day_comes_back() {
        for day in -10_000..60_000 {
            assert_eq!(parse(&format(day)), Some(day));
        }
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for bad in ["", "26/Jan", "26/Foo/2019", "2x/Jan/2019", "26-Jan-2019", "00/Jan/2019"] {
            assert_eq!(parse(bad.as_bytes()), None, "{bad}");
        }
    }
}
