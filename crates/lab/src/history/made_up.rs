//! What could happen to a site of which no history is kept?
//!
//! A history drawn by a seed, with the pace of a large manual (developer.mozilla.org from 2021 to 2025: a page changes seven times in four years in
//! the median, eighteen times at the 90th percentile, some every few days):
//!
//! ```text
//! rate of a page, changes a day = min(X, 74)/370        P(X > x) = x^(−4/3): one in 220 days in the median, one in 66 at the 90th percentile
//! on each day a page changes with that probability, at a time of day drawn evenly
//! of all pages but the start pages, a year: 7 % are born, 4 % go, 3.5 % move to another page
//! ```
//! Each page has chance of its own, so that more pages change nobody's past.

use super::{Happening, History};
use crate::chance::Chance;
use crate::graph::PageId;
use crate::mirror::Mirror;

/// A day in milliseconds.
const DAY_MS: u64 = 86_400_000;
const YEAR_DAYS: f64 = 365.25;
/// The lowest rate: one change in so many days.
const SLOWEST_DAYS: f64 = 370.0;
/// How many times faster the fastest is.
const FASTEST: f64 = 74.0;
/// Shares of the pages a year.
const BORN: f64 = 0.07;
const GONE: f64 = 0.04;
const MOVED: f64 = 0.035;

/// A history that is made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeUp {
    /// How many days it spans, from the beginning of 1970 on.
    pub days: u32,
    /// Of its chance.
    pub seed: u64,
}

impl MadeUp {
    /// The history of a mirror. Cost: a draw for each page and day.
    pub fn history(&self, mirror: &Mirror, starts: &[PageId]) -> History {
        let mut all = Vec::new();
        for page in 0..mirror.pages() {
            let mut chance = Chance::stream(self.seed, page.into());
            let is_start = starts.contains(&page) || mirror.entry == Some(page);
            let fate = if is_start { Fate::Stays } else { self.fate(&mut chance, mirror.pages()) };
            let ends_ms = fate.push(page, &mut all);
            let rate = chance.heavy(FASTEST) / SLOWEST_DAYS;
            for day in 0..u64::from(self.days) {
                if chance.happens(rate) {
                    let at_ms = day * DAY_MS + chance.below(DAY_MS as usize) as u64;
                    if ends_ms.contains(&at_ms) {
                        all.push((page, at_ms, Happening::Changed));
                    }
                }
            }
        }
        let mut history = History::new(all);
        // It is as long as it was asked for, whatever was drawn.
        history.span_ms = Some([0, u64::from(self.days) * DAY_MS]);
        history
    }

    fn fate(&self, chance: &mut Chance, pages: u32) -> Fate {
        let years = f64::from(self.days) / YEAR_DAYS;
        let (drawn, at_ms) = (chance.unit(), 1 + chance.below(self.days as usize * DAY_MS as usize) as u64);
        let to = chance.below(pages as usize) as PageId;
        match drawn / years {
            share if share < BORN => Fate::Born(at_ms),
            share if share < BORN + GONE => Fate::Gone(at_ms),
            share if share < BORN + GONE + MOVED => Fate::Moves(at_ms, to),
            _ => Fate::Stays,
        }
    }
}

/// What becomes of a page.
enum Fate {
    Stays,
    Born(u64),
    Gone(u64),
    Moves(u64, PageId),
}

impl Fate {
    /// Adds it; when the page is there.
    fn push(&self, page: PageId, all: &mut Vec<(PageId, u64, Happening)>) -> std::ops::Range<u64> {
        match *self {
            Self::Stays => 0..u64::MAX,
            Self::Born(at_ms) => {
                all.push((page, at_ms, Happening::Born));
                at_ms + 1..u64::MAX
            }
            Self::Gone(at_ms) => {
                all.push((page, at_ms, Happening::Gone));
                0..at_ms
            }
            Self::Moves(at_ms, to) => {
                all.push((page, at_ms, Happening::Moved(Some(to).filter(|to| *to != page))));
                0..at_ms
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Presence;
    use crate::mirror::{MirrorOptions, open_mirror};

    #[test]
    fn ours_a_made_up_history_has_the_pace_it_says() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("links.tsv");
        let links: String = (0..4_000).map(|n| format!("http://a.org/\thttp://a.org/{n}\n")).collect();
        std::fs::write(&path, links).unwrap();
        let mirror = open_mirror(&[path.display().to_string()], None, &MirrorOptions::default()).unwrap();
        let made_up = MadeUp { days: 1_461, seed: 3 };
        let history = made_up.history(&mirror, &[0]);
        assert_eq!(history, made_up.history(&mirror, &[0]));
        assert_ne!(history, MadeUp { seed: 4, ..made_up }.history(&mirror, &[0]));
        let end = history.span_ms().unwrap()[1];
        let at_end: Vec<Presence> = (1..mirror.pages()).map(|page| history.presence(page, end)).collect();
        let share = |of: fn(&Presence) -> bool| at_end.iter().filter(|p| of(p)).count() as f64 / at_end.len() as f64;
        assert!((share(|p| matches!(p, Presence::Gone)) - 0.16).abs() < 0.03);
        assert!((share(|p| matches!(p, Presence::Moved(_))) - 0.14).abs() < 0.03);
        let unborn = (1..mirror.pages()).filter(|page| history.presence(*page, 0) == Presence::Unborn).count();
        assert!((unborn as f64 / at_end.len() as f64 - 0.28).abs() < 0.03, "{unborn}");
        let mut versions: Vec<u32> = at_end
            .iter()
            .filter_map(|p| if let Presence::There { version } = p { Some(*version) } else { None })
            .collect();
        versions.sort_unstable();
        let [median, high] = [2, 10].map(|part| versions[versions.len() - versions.len() / part]);
        assert!((4..=8).contains(&median) && (14..=26).contains(&high), "{median} {high}");
        // The start is always there.
        assert!(matches!(history.presence(0, 0), Presence::There { .. }));
        assert!(matches!(history.presence(0, end), Presence::There { .. }));
    }
}
