//! Cells of a table as numbers, times and pages.

use std::borrow::Cow;

use super::row::{RowFault, ViewsRow};
use crate::format::any_time;

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    /// As it is written.
    Text(Cow<'a, str>),
    /// A number of a typed column.
    Number(f64),
    /// A time of a typed column, in milliseconds since 1970.
    Time(i64),
    /// Nothing.
    Missing,
}

impl Cell<'_> {
    /// Its text without white space around it; nothing for typed cells.
    pub(super) fn text(&self) -> &str {
        if let Self::Text(text) = self { text.trim() } else { "" }
    }

    fn is_missing(&self) -> bool {
        match self {
            Self::Missing => true,
            Self::Text(text) => matches!(text.trim(), "" | "-" | "null" | "NULL" | "None" | "n/a" | "N/A"),
            Self::Number(_) | Self::Time(_) => false,
        }
    }
}

/// A count: `1234`, `1,234`, `1 234`, `12.5`, `0.3%`.
pub(super) fn count(cell: &Cell<'_>) -> Result<f64, RowFault> {
    let number = match cell {
        _ if cell.is_missing() => return Err(RowFault::NotANumber),
        Cell::Number(number) => *number,
        Cell::Text(text) => number_of(text.trim()).ok_or(RowFault::NotANumber)?,
        Cell::Time(_) | Cell::Missing => return Err(RowFault::NotANumber),
    };
    match number {
        n if n.is_nan() => Err(RowFault::NotANumber),
        n if n < 0.0 => Err(RowFault::Negative),
        n if n > ViewsRow::MOST_VIEWS => Err(RowFault::TooMany),
        n => Ok(n),
    }
}

/// A count of a bin; none where nobody looked: an empty cell, NaN, or −1, as tables have it before a page is born.
pub(super) fn count_of_bin(cell: &Cell<'_>) -> Result<Option<f64>, RowFault> {
    if cell.is_missing() {
        return Ok(None);
    }
    let number = match cell {
        Cell::Number(number) => Some(*number),
        Cell::Text(text) => number_of(text.trim()),
        Cell::Time(_) | Cell::Missing => None,
    };
    if number.is_some_and(|n| n.is_nan() || n.total_cmp(&-1.0).is_eq()) {
        return Ok(None);
    }
    count(cell).map(Some)
}

fn number_of(text: &str) -> Option<f64> {
    if text.eq_ignore_ascii_case("nan") {
        return Some(f64::NAN);
    }
    let (text, scale) = text.strip_suffix('%').map_or((text, 1.0), |text| (text.trim_end(), 0.01));
    let plain = text.as_bytes().iter().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
    let number: f64 = if plain { text.parse().ok()? } else { without_thousands(text)?.parse().ok()? };
    Some(number * scale)
}

/// `1,234,567` or `1 234 567` (also with spaces that do not break); none for anything else.
fn without_thousands(text: &str) -> Option<String> {
    let mut parts = text.split([',', ' ', '\u{a0}', '\u{202f}', '\'']);
    let first = parts.next()?;
    let mut out = first.to_owned();
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !is_digits(first.trim_start_matches('-')) || first.len() > 4 {
        return None;
    }
    let mut last = false;
    for part in parts {
        let whole = part.split_once('.').map_or(part, |(whole, _)| whole);
        if last || whole.len() != 3 || !is_digits(whole) {
            return None;
        }
        last = whole.len() < part.len();
        out.push_str(part);
    }
    Some(out)
}

/// A time: a date, a stamp of any kind that logs have, `20240131`, or, in a column of hours, `2024013113`.
pub(super) fn time(cell: &Cell<'_>) -> Result<Option<i64>, RowFault> {
    match cell {
        _ if cell.is_missing() => Ok(None),
        Cell::Time(ms) => Ok(Some(*ms)),
        Cell::Number(number) => time_of(&format!("{number}")).map(Some).ok_or(RowFault::BadDate),
        Cell::Text(text) => time_of(text.trim()).map(Some).ok_or(RowFault::BadDate),
        Cell::Missing => Ok(None),
    }
}

/// The time that a text says.
pub(super) fn time_of(text: &str) -> Option<i64> {
    any_time(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Cell<'_> {
        Cell::Text(Cow::Borrowed(text))
    }

    #[test]
    fn ours_counts_as_tools_write_them() {
        for (written, n) in [
            ("0", 0.0),
            ("12", 12.0),
            ("1,234", 1_234.0),
            ("1,234,567", 1_234_567.0),
            ("1\u{a0}234", 1_234.0),
            ("12.5", 12.5),
            ("1e3", 1_000.0),
            ("50%", 0.5),
            (" 7 ", 7.0),
        ] {
            assert_eq!(count(&text(written)), Ok(n), "{written}");
        }
        for (written, fault) in [
            ("", RowFault::NotANumber),
            ("-", RowFault::NotANumber),
            ("nan", RowFault::NotANumber),
            ("NaN", RowFault::NotANumber),
            ("inf", RowFault::NotANumber),
            ("1,23", RowFault::NotANumber),
            ("12,3456", RowFault::NotANumber),
            ("many", RowFault::NotANumber),
            ("-3", RowFault::Negative),
            ("-1,234", RowFault::Negative),
            ("1e13", RowFault::TooMany),
            ("1e999", RowFault::TooMany),
            ("99999999999999999999999", RowFault::TooMany),
        ] {
            assert_eq!(count(&text(written)), Err(fault), "{written}");
        }
        assert_eq!(count(&Cell::Number(f64::NAN)), Err(RowFault::NotANumber));
        assert_eq!(count(&Cell::Number(f64::INFINITY)), Err(RowFault::TooMany));
    }

    #[test]
    fn ours_a_bin_that_nobody_looked_at_is_no_zero() {
        for written in ["", "NaN", "-1", "-1.0", "null"] {
            assert_eq!(count_of_bin(&text(written)), Ok(None), "{written}");
        }
        assert_eq!(count_of_bin(&text("0")), Ok(Some(0.0)));
        assert_eq!(count_of_bin(&text("-2")), Err(RowFault::Negative));
    }

    #[test]
    fn ours_dates_as_tools_write_them() {
        let day = 1_706_659_200_000;
        for written in ["20240131", "2024-01-31", "2024-01-31T00:00:00Z", "1706659200", "2024/01/31"] {
            assert_eq!(time(&text(written)), Ok(Some(day)), "{written}");
        }
        assert_eq!(time(&text("2024013113")), Ok(Some(day + 13 * 3_600_000)));
        assert_eq!(time(&Cell::Number(1_706_659_200.0)), Ok(Some(day)));
        assert_eq!(time(&text("")), Ok(None));
        assert_eq!(time(&text("20241331")), Err(RowFault::BadDate));
        assert_eq!(time(&text("yesterday")), Err(RowFault::BadDate));
    }
}
