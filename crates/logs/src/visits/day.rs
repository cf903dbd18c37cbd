//! Days and their folders: `day=2019-01-26`, in UTC.

use std::path::Path;

use trodden_mining::MS_PER_DAY;
use trodden_mining::calendar::date;

/// Before the date, in the name of a folder.
const FOLDER_PREFIX: &str = "day=";

/// The folder of a day since 1970.
pub(crate) fn day_folder(day: u32) -> String {
    format!("{FOLDER_PREFIX}{}", date(i64::from(day)))
}

/// The day since 1970 of the folder that a file lies in, if it is one of visits.
pub(crate) fn day_of_file(file: &Path) -> Option<i64> {
    day_of_date(file.parent()?.file_name()?.to_str()?.strip_prefix(FOLDER_PREFIX)?)
}

/// The date of a day since 1970.
pub(crate) fn date_text(day: i64) -> String {
    date(day.max(0))
}

/// A time in milliseconds since 1970 as `2019-01-26T03:56:14Z`; beyond what four digits of a year can say, the first or last
/// moment that they can.
pub fn time_text(time_ms: i64) -> String {
    const LAST_DAY: i64 = 2_932_896;
    let time_ms = time_ms.clamp(0, LAST_DAY * MS_PER_DAY + MS_PER_DAY - 1);
    let seconds = time_ms % MS_PER_DAY / 1_000;
    format!("{}T{:02}:{:02}:{:02}Z", date(time_ms / MS_PER_DAY), seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// Days since 1970 of a date such as `2019-01-26`; nothing for what is not a date of the calendar.
pub fn day_of_date(text: &str) -> Option<i64> {
    let mut parts = text.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let (year_from_march, month_from_march) = match month {
        3..=12 => (year, month - 3),
        1..=2 => (year.checked_sub(1)?, month + 9),
        _ => return None,
    };
    let of_year = (153 * month_from_march + 2) / 5 + day.checked_sub(1)?;
    let (era, year_of_era) = (year_from_march / 400, year_from_march % 400);
    let of_era = 365 * year_of_era + year_of_era / 4 - year_of_era / 100 + of_year;
    let since = (i64::from(era) * 146_097 + i64::from(of_era)).checked_sub(719_468)?;
    // What does not come back as it was written is no date: 2023-02-29, or one before 1970.
    (since >= 0 && date(since) == text).then_some(since)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_times_are_written_to_the_second() {
        for (time, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_548_474_974_999, "2019-01-26T03:56:14Z"),
            (i64::MIN, "1970-01-01T00:00:00Z"),
            (i64::MAX, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(time_text(time), expected);
        }
    }

    #[test]
    fn ours_days_have_the_dates_of_the_calendar() {
        for (day, expected) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (17_922, "2019-01-26"),
            (19_782, "2024-02-29"),
            (19_783, "2024-03-01"),
        ] {
            assert_eq!(date(day), expected);
            assert_eq!(day_of_date(expected), Some(day));
        }
        assert!((0..200_000).step_by(17).all(|day| day_of_date(&date(day)) == Some(day)));
        for none in [
            "2023-02-29",
            "2024-13-01",
            "2024-00-01",
            "2024-1-1",
            "2024-01",
            "",
            "x-y-z",
            "1969-12-31",
            "2024-01-01-01",
        ] {
            assert_eq!(day_of_date(none), None, "{none}");
        }
        assert_eq!(day_of_file(Path::new("v/day=1970-01-02/visits-1.parquet")), Some(1));
        assert_eq!(day_of_file(Path::new("v/1970-01-02/visits-1.parquet")), None);
    }
}
