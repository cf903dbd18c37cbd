//! Triples: the same user going from the same referrer to the same target counts once.
//!
//! BB §2 counts a record (referrer, target, user) once in thirty days, however often it happens. **\[ours\]** The windows
//! tile the visits from the first day on: window of a visit = ⌊(day − first day) / days⌋, days in UTC. So the count
//! depends on the visits alone, not on the order of their lines.

use crate::calendar::MS_PER_DAY;

/// How often a repeated visit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DedupWindow {
    days: u32,
    first_day: i64,
}

const MS_PER_MINUTE: i64 = 60_000;
const MINUTES_PER_DAY: u32 = 1_440;

impl DedupWindow {
    /// The length of the published method.
    pub const DEFAULT_DAYS: u32 = 30;

    /// Windows of `days` (at least one) from the day of the first visit on.
    pub fn new(days: u32, first_time_ms: i64) -> Self {
        Self { days: days.max(1), first_day: first_time_ms.div_euclid(MS_PER_DAY) }
    }

    /// Minutes from the start of the first day on; times that no log has count as the first or the last there is.
    pub fn minute(&self, time_ms: i64) -> u32 {
        let since = time_ms.saturating_sub(self.first_day.saturating_mul(MS_PER_DAY)).div_euclid(MS_PER_MINUTE);
        u32::try_from(since.max(0)).unwrap_or(u32::MAX)
    }

    /// The number of the window that a [`minute`](Self::minute) lies in.
    pub fn of(&self, minute: u32) -> u32 {
        minute / MINUTES_PER_DAY / self.days
    }
}

/// How somebody came to a site from outside: referrers of other sites count into F_in only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Entrance {
    /// No referrer.
    Direct,
    /// A search engine.
    Search,
    /// A social network.
    Social,
    /// Another site.
    OtherSite,
}

impl Entrance {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Direct, Self::Search, Self::Social, Self::OtherSite];
}

/// Where a visit came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum From {
    /// A page of the same site.
    Page(u32),
    /// Outside.
    Outside(Entrance),
}

/// A visit, de-duplicated. Who is not in it: the user has done their part when duplicates are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Triple {
    /// Where from.
    pub from: From,
    /// The URL visited.
    pub target: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cikm11_windows_tile_the_log_from_its_first_day() {
        let noon = 100 * MS_PER_DAY + MS_PER_DAY / 2;
        let window = DedupWindow::new(30, noon);
        let of = |time_ms| window.of(window.minute(time_ms));
        let at = |days: i64| of(noon + days * MS_PER_DAY);
        assert_eq!([at(0), at(29), at(30), at(59), at(60)], [0, 0, 1, 1, 2]);
        // The first window starts with the first day, not with the first visit.
        assert_eq!(of(130 * MS_PER_DAY - 1), 0);
        assert_eq!(of(130 * MS_PER_DAY), 1);
        assert_eq!((of(i64::MIN), window.minute(i64::MAX)), (0, u32::MAX));
    }
}
