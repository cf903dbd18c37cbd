//! When is a page there, and when does it change? In days from the beginning of the history.

use trodden_ordering::chance;

use crate::error::Error;
use crate::history::{Happening, History};
use crate::urls::UrlTexts;

const DAY_MS: f64 = 86_400_000.0;

/// What happens to a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageLife {
    /// From when to when it is there, in the order of time.
    pub present: Vec<[f64; 2]>,
    /// When its text becomes another, ascending.
    pub changes: Vec<f64>,
    /// Whether nothing is known of it before the first of these times: it is found then, not born.
    pub is_found: bool,
}

impl PageLife {
    /// In which of the times it is [there](Self::present) at a time.
    pub fn at(&self, day: f64) -> Option<usize> {
        let began = self.present.partition_point(|[from, _]| *from <= day).checked_sub(1)?;
        (day < self.present[began][1]).then_some(began)
    }

    /// How often it has changed until a time.
    pub fn version(&self, day: f64) -> usize {
        self.changes.partition_point(|at| *at <= day)
    }

    /// When the next change after a version is.
    pub fn end_of_version(&self, version: usize) -> f64 {
        self.changes.get(version).copied().unwrap_or(f64::INFINITY)
    }

    /// Days that it is there.
    pub fn days(&self) -> f64 {
        self.present.iter().map(|[from, to]| to - from).sum()
    }

    /// Of what happens. A page that is found when the table begins is there from that row on: nothing is known of the time before.
    fn new(happenings: &[(u64, Happening)], first_ms: u64, last_day: f64) -> Self {
        let is_found = matches!(happenings.first(), Some((_, Happening::Found)));
        let mut life = Self { is_found, ..Self::default() };
        // Whether it was there before its first row.
        let mut since = match happenings.first() {
            None | Some((_, Happening::Changed | Happening::Gone | Happening::Moved(_))) => Some(0.0),
            Some((_, Happening::Born | Happening::Found)) => None,
        };
        for (at_ms, what) in happenings {
            let day = at_ms.saturating_sub(first_ms) as f64 / DAY_MS;
            match (what, since) {
                (Happening::Gone | Happening::Moved(_), Some(from)) => {
                    life.present.push([from, day]);
                    since = None;
                }
                (Happening::Gone | Happening::Moved(_), None) | (Happening::Found, Some(_)) => {}
                (Happening::Changed | Happening::Born, Some(_)) => life.changes.push(day),
                (Happening::Changed | Happening::Born | Happening::Found, None) => since = Some(day),
            }
        }
        life.present.extend(since.map(|from| [from, last_day]));
        // Times of no length are none.
        life.present.retain(|[from, to]| from < to);
        life
    }
}

/// What happens to all pages.
#[derive(Clone, Debug, Default)]
pub struct PageLives {
    /// By page.
    pub lives: Vec<PageLife>,
    /// By page: which pages are alike. Groups are numbered from 0.
    pub groups: Vec<u32>,
    /// By page: the half it belongs to.
    pub halves: Vec<u8>,
    /// When it ends.
    pub days: f64,
}

impl PageLives {
    /// Of a history; `urls` are the pages'.
    ///
    /// # Errors
    /// If nothing ever happens.
    pub fn new(history: &History, urls: &UrlTexts, pages: u32) -> Result<Self, Error> {
        let Some([first, last]) = history.span_ms().filter(|[first, last]| first < last) else {
            return Err(Error::NothingHappens);
        };
        let days = (last - first) as f64 / DAY_MS;
        let lives = (0..pages).map(|page| PageLife::new(history.of_page(page), first, days)).collect();
        let half =
            |page: u32| (chance::number(HALVES_SEED, xxhash_rust::xxh3::xxh3_64(urls.get(page).as_bytes())) & 1) as u8;
        Ok(Self { lives, groups: super::knowledge::folders(urls, pages), halves: (0..pages).map(half).collect(), days })
    }

    /// Changes a day and page, while pages are there.
    pub fn mean_rate(&self) -> f64 {
        let changes: usize = self.lives.iter().map(|life| life.changes.len()).sum();
        changes as f64 / self.lives.iter().map(PageLife::days).sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// How many pages are there, on average over time.
    pub fn mean_pages(&self) -> f64 {
        self.lives.iter().map(PageLife::days).sum::<f64>() / self.days
    }
}

/// Any number: it draws the halves.
const HALVES_SEED: u64 = 7;

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400_000;

    #[test]
    fn ours_a_life_is_when_a_page_is_there_and_changes() {
        use Happening::{Born, Changed, Found, Gone, Moved};
        let life = |rows: &[(u64, Happening)]| {
            let rows: Vec<(u64, Happening)> = rows.iter().map(|(day, what)| (day * DAY, *what)).collect();
            PageLife::new(&rows, 0, 100.0)
        };
        assert_eq!(life(&[]), PageLife { present: vec![[0.0, 100.0]], ..PageLife::default() });
        let two = life(&[(10, Born), (20, Changed), (30, Gone), (50, Born), (60, Changed), (70, Moved(None))]);
        assert_eq!(
            two,
            PageLife { present: vec![[10.0, 30.0], [50.0, 70.0]], changes: vec![20.0, 60.0], is_found: false }
        );
        assert_eq!(
            [5.0, 10.0, 29.0, 30.0, 55.0, 70.0].map(|day| two.at(day)),
            [None, Some(0), Some(0), None, Some(1), None]
        );
        assert_eq!((two.version(19.0), two.version(20.0), two.end_of_version(1), two.days()), (0, 1, 60.0, 40.0));
        assert_eq!(
            life(&[(7, Changed)]),
            PageLife { present: vec![[0.0, 100.0]], changes: vec![7.0], is_found: false }
        );
        assert_eq!(
            life(&[(9, Found), (12, Changed)]),
            PageLife { present: vec![[9.0, 100.0]], changes: vec![12.0], is_found: true }
        );
        assert_eq!(life(&[(8, Gone), (8, Gone)]), PageLife { present: vec![[0.0, 8.0]], ..PageLife::default() });
    }
}
