//! Which stretches of time are compared?
//!
//! The source compares calendar months. **\[ours\]** In UTC; logs shorter than [`MONTHLY_FROM_DAYS`] are cut into days, those
//! shorter than [`DAILY_FROM_DAYS`] into tenths of their span. A stretch has a number that grows with time and is not
//! dense: nobody pays for the months in which nothing happened.

pub use crate::calendar::moment;
use crate::calendar::{MS_PER_DAY, civil, date};

/// The shortest log, in days, that is cut into months.
pub const MONTHLY_FROM_DAYS: i64 = 60;
/// The shortest log, in days, that is cut into days.
pub const DAILY_FROM_DAYS: i64 = 2;

const TENTHS: i64 = 10;

/// A way to cut time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Periods {
    /// Calendar months.
    Months,
    /// Days.
    Days,
    /// Ten parts of the same length.
    Tenths {
        /// When the first begins, in ms since 1970.
        first_ms: i64,
        /// When the last ends, inclusive.
        last_ms: i64,
    },
}

impl Periods {
    /// The way to cut visits between these two times.
    #[must_use]
    pub fn between(first_ms: i64, last_ms: i64) -> Self {
        match last_ms.saturating_sub(first_ms) {
            span if span >= MONTHLY_FROM_DAYS * MS_PER_DAY => Self::Months,
            span if span >= DAILY_FROM_DAYS * MS_PER_DAY => Self::Days,
            _ => Self::Tenths { first_ms, last_ms },
        }
    }

    /// What one of them is called.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Months => "month",
            Self::Days => "day",
            Self::Tenths { .. } => "tenth",
        }
    }

    /// The number of the stretch that a time lies in.
    #[must_use]
    pub fn number(self, time_ms: i64) -> i64 {
        let day = time_ms.div_euclid(MS_PER_DAY);
        match self {
            Self::Months => {
                let (year, month, _) = civil(day);
                year * 12 + month - 1
            }
            Self::Days => day,
            Self::Tenths { first_ms, last_ms } => {
                let span = last_ms.saturating_sub(first_ms).saturating_add(1).max(1);
                let past = time_ms.saturating_sub(first_ms).clamp(0, span - 1);
                i64::try_from(i128::from(past) * i128::from(TENTHS) / i128::from(span)).unwrap_or(TENTHS - 1)
            }
        }
    }

    /// The name of a stretch by its number: `2016-02`, `2016-02-29`; for a tenth when it begins, `2016-02-29 23:59:59`.
    #[must_use]
    pub fn name(self, number: i64) -> String {
        match self {
            Self::Months => format!("{:04}-{:02}", number.div_euclid(12), number.rem_euclid(12) + 1),
            Self::Days => date(number),
            Self::Tenths { first_ms, last_ms } => {
                let span = i128::from(last_ms.saturating_sub(first_ms).saturating_add(1));
                // The least time that has this number.
                let past = (span * i128::from(number) + i128::from(TENTHS) - 1) / i128::from(TENTHS);
                moment(first_ms.saturating_add(i64::try_from(past).unwrap_or(i64::MAX)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = MS_PER_DAY / 2;
    /// 2016-02-29.
    const LEAP_DAY: i64 = 16_860 * MS_PER_DAY;

    #[test]
    fn cikm11_long_logs_are_cut_into_calendar_months() {
        let months = Periods::between(0, 60 * MS_PER_DAY);
        assert_eq!(months, Periods::Months);
        let name = |time| months.name(months.number(time));
        assert_eq!(name(LEAP_DAY + NOON), "2016-02");
        assert_eq!(name(LEAP_DAY + MS_PER_DAY - 1), "2016-02");
        assert_eq!(name(LEAP_DAY + MS_PER_DAY), "2016-03");
        assert_eq!([name(0), name(-1)], ["1970-01", "1969-12"]);
    }

    #[test]
    fn ours_shorter_logs_are_cut_into_days_and_the_shortest_into_tenths() {
        let days = Periods::between(0, 60 * MS_PER_DAY - 1);
        assert_eq!((days, days.name(days.number(LEAP_DAY + NOON))), (Periods::Days, "2016-02-29".to_owned()));
        let tenths = Periods::between(LEAP_DAY, LEAP_DAY + 99_999);
        let number = |past| tenths.number(LEAP_DAY + past);
        assert_eq!([number(0), number(9_999), number(10_000), number(99_999)], [0, 0, 1, 9]);
        assert_eq!([tenths.name(0), tenths.name(7)], ["2016-02-29 00:00:00", "2016-02-29 00:01:10"]);
    }

    #[test]
    fn ours_no_time_breaks_the_cut() {
        for (first, last) in [(i64::MIN, i64::MAX), (5, 5), (9, 3), (i64::MAX - 5, i64::MAX), (i64::MIN, i64::MIN)] {
            let periods = Periods::between(first, last);
            for time in [i64::MIN, -1, 0, first, last, i64::MAX] {
                assert!(!periods.name(periods.number(time)).is_empty());
            }
        }
    }
}
