//! Which day is it, in UTC?
//!
//! Gregorian, by the shifted-year method: years that start in March end with the leap day, and months from March on have a
//! regular length: 153 days are 5 months.

/// Milliseconds of a day.
pub const MS_PER_DAY: i64 = 86_400_000;

/// A time as `2016-02-29 23:59:59`, UTC.
#[must_use]
pub fn moment(time_ms: i64) -> String {
    let second = time_ms.rem_euclid(MS_PER_DAY) / 1_000;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{} {hour:02}:{minute:02}:{second:02}", date(time_ms.div_euclid(MS_PER_DAY)))
}

/// A day since 1970 as `2016-02-29`.
#[must_use]
pub fn date(day: i64) -> String {
    let (year, month, day) = civil(day);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a day since 1970.
#[must_use]
pub fn civil(day: i64) -> (i64, i64, i64) {
    let shifted = day + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, of_year - (153 * from_march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_days_have_the_dates_of_the_calendar() {
        for (day, text) in [(0, "1970-01-01"), (-1, "1969-12-31"), (16_860, "2016-02-29"), (16_861, "2016-03-01")] {
            assert_eq!(date(day), text);
        }
        assert_eq!(moment(16_860 * MS_PER_DAY + MS_PER_DAY - 1), "2016-02-29 23:59:59");
    }
}
