//! When is it on the synthetic site? Seconds since 1970, in UTC, and never from a clock.

use std::fmt;
use std::ops::{Add, Sub};

use crate::chance::Chance;

/// Seconds of a day.
pub(super) const DAY: i64 = 86_400;

/// A second since 1970 (UTC).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date {
    pub(super) year: i64,
    pub(super) month: usize,
    pub(super) day: i64,
}

/// How much of a day's reading and writing falls into each hour (UTC), relative to the busiest.
const HOURS: [f64; 24] = [
    0.20, 0.12, 0.08, 0.06, 0.07, 0.12, 0.28, 0.48, 0.66, 0.74, 0.78, 0.80, 0.84, 0.80, 0.76, 0.74, 0.76, 0.82, 0.92,
    1.00, 0.98, 0.84, 0.60, 0.36,
];

/// The same for the days of a week, from Monday.
const WEEKDAYS: [f64; 7] = [1.0, 0.98, 0.96, 0.94, 0.86, 0.66, 0.74];

impl Moment {
    /// 2024-03-01T00:00:00Z, a Friday: when the log of every synthetic site begins.
    pub const START: Self = Self(1_709_251_200);

    /// From seconds since 1970.
    pub fn from_unix(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Seconds since 1970.
    pub fn unix(self) -> i64 {
        self.0
    }

    /// A number of days later, or earlier.
    pub fn plus_days(self, days: i64) -> Self {
        Self(self.0 + days * DAY)
    }

    /// Days since 1970.
    pub(super) fn day(self) -> i64 {
        self.0.div_euclid(DAY)
    }

    /// The day of the calendar.
    pub(super) fn date(self) -> Date {
        Date::of_day(self.day())
    }

    /// A moment in [from, to), by the rhythm of day and week; uniform in a span shorter than a day.
    pub(super) fn between(from: Self, to: Self, chance: &mut Chance) -> Self {
        let span = usize::try_from(to.0 - from.0).unwrap_or(0);
        let draw = |chance: &mut Chance| Self(from.0 + chance.below(span) as i64);
        if (span as i64) < DAY {
            return draw(chance);
        }
        loop {
            let at = draw(chance);
            let hour = at.0.rem_euclid(DAY) / 3_600;
            // 1970-01-01 was a Thursday.
            let weekday = (at.day() + 3).rem_euclid(7);
            if chance.happens(HOURS[hour as usize] * WEEKDAYS[weekday as usize]) {
                return at;
            }
        }
    }
}

impl Add<i64> for Moment {
    type Output = Self;
    fn add(self, seconds: i64) -> Self {
        Self(self.0 + seconds)
    }
}

impl Sub for Moment {
    type Output = i64;
    fn sub(self, other: Self) -> i64 {
        self.0 - other.0
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Date { year, month, day } = self.date();
        let second = self.0.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

impl Date {
    /// Days in a month.
    pub(super) fn days_of(year: i64, month: usize) -> i64 {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// The day so many days after 1970-01-01. Counts months, so it is for days near our own.
    fn of_day(days: i64) -> Self {
        let (mut year, mut month, mut left) = (1970, 1, days.max(0));
        loop {
            let length = Self::days_of(year, month);
            if left < length {
                return Self { year, month, day: left + 1 };
            }
            left -= length;
            (year, month) = next_month(year, month);
        }
    }
}

/// The month after.
pub(super) fn next_month(year: i64, month: usize) -> (i64, usize) {
    if month == 12 { (year + 1, 1) } else { (year, month + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_days_fall_where_the_calendar_has_them() {
        assert_eq!(Moment::START.to_string(), "2024-03-01T00:00:00Z");
        assert_eq!(Moment::START.plus_days(-1).to_string(), "2024-02-29T00:00:00Z");
        assert_eq!((Moment::START.plus_days(306) + 61).to_string(), "2025-01-01T00:01:01Z");
        assert_eq!(Moment::from_unix(951_782_400).to_string(), "2000-02-29T00:00:00Z");
    }

    #[test]
    fn ours_nights_and_sundays_are_quiet() {
        let mut chance = Chance::new(3);
        let at: Vec<Moment> =
            (0..20_000).map(|_| Moment::between(Moment::START, Moment::START.plus_days(28), &mut chance)).collect();
        let hour = |h: i64| at.iter().filter(|m| m.unix() % DAY / 3_600 == h).count();
        let weekday = |d: i64| at.iter().filter(|m| (m.day() + 3) % 7 == d).count();
        assert!(hour(19) > 8 * hour(3), "{} {}", hour(19), hour(3));
        assert!(weekday(0) * 10 > weekday(5) * 13, "{} {}", weekday(0), weekday(5));
    }
}
