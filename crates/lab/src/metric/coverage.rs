//! What share of a treasure had been found after K pages?
//!
//! `shares[K]` is the share after K pages, K from 0 to the number of pages fetched; T is the number of pages there are. A crawl
//! that stopped early holds its last share.
//!
//! - **Area:** `AUC = (1/T)·Σ_{K=1..T} share(K)`, the mean share over the crawl. A page of weight w found at position k
//!   (from 1) is there for K = k … T, so it adds `w·(1 − (k−1)/T)`: the area is linear in the weights, which is what
//!   makes intervals over users cheap. The best possible is near 1, random order near ½, and a page never found adds 0.
//! - **Pages needed** for a share: the smallest K that has it, over T; none if it is never reached.

use super::thin::thin;
use crate::result::{Curve, PagesFor};

/// Sums of many weights may miss a share that they equal by rounding: by no more than this part of it.
const ROUNDING: f64 = 1e-12;

/// Shares found after K = 0, 1, 2, … pages.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    pages: u32,
    shares: Vec<f64>,
}

impl Coverage {
    /// From what each page of a crawl of T pages added, in order, `start` being there before the first; as shares of
    /// `total`. None if there is nothing to find or no page.
    pub fn new(pages: u32, start: f64, added: impl IntoIterator<Item = f64>, total: f64) -> Option<Self> {
        if pages == 0 || total.is_nan() || total <= 0.0 {
            return None;
        }
        let sums = added.into_iter().take(pages as usize).scan(start, |sum, added| {
            *sum += added;
            Some(*sum / total)
        });
        Some(Self { pages, shares: std::iter::once(start / total).chain(sums).collect() })
    }

    /// The share after K pages.
    pub fn after(&self, pages: u32) -> f64 {
        self.shares.get(pages as usize).copied().unwrap_or_else(|| self.last())
    }

    /// Area under the curve.
    pub fn area(&self) -> f64 {
        let fetched = self.shares.len() - 1;
        let held = (self.pages as usize - fetched) as f64 * self.last();
        (self.shares[1..].iter().sum::<f64>() + held) / f64::from(self.pages)
    }

    /// The share of pages that it took to find a share, if it was found.
    pub fn pages_for_share(&self, share: f64) -> Option<f64> {
        let needed = self.shares.iter().position(|&found| found >= share * (1.0 - ROUNDING))?;
        Some(needed as f64 / f64::from(self.pages))
    }

    /// The shares of pages that it took to find half, four fifths and nine tenths.
    pub fn pages_for(&self) -> PagesFor {
        PagesFor {
            half: self.pages_for_share(0.5),
            four_fifths: self.pages_for_share(0.8),
            nine_tenths: self.pages_for_share(0.9),
        }
    }

    /// The curve, in no more points than a report needs; it ends where the crawl did.
    pub fn curve(&self) -> Curve {
        let point = |(fetched, &share): (usize, &f64)| [fetched as f64 / f64::from(self.pages), share];
        thin(&self.shares.iter().enumerate().map(point).collect::<Curve>())
    }

    fn last(&self) -> f64 {
        self.shares.last().copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_area_and_pages_needed_by_hand() {
        let coverage = Coverage::new(4, 0.0, [5.0, 0.0, 3.0], 10.0).unwrap();
        assert_eq!([0, 1, 2, 3, 4].map(|pages| coverage.after(pages)), [0.0, 0.5, 0.5, 0.8, 0.8]);
        assert!((coverage.area() - (0.5 + 0.5 + 0.8 + 0.8) / 4.0).abs() < 1e-12);
        assert_eq!(coverage.pages_for(), PagesFor { half: Some(0.25), four_fifths: Some(0.75), nine_tenths: None });
        assert_eq!(coverage.curve(), [[0.0, 0.0], [0.25, 0.5], [0.5, 0.5], [0.75, 0.8]]);
    }

    #[test]
    fn ours_what_is_there_at_the_start_needs_no_page() {
        let coverage = Coverage::new(2, 6.0, [4.0], 10.0).unwrap();
        assert_eq!(coverage.pages_for_share(0.5), Some(0.0));
        assert_eq!(coverage.area(), 1.0);
    }

    #[test]
    fn ours_rounding_does_not_hide_a_share() {
        let coverage = Coverage::new(10, 0.0, [0.1; 8], 1.0).unwrap();
        assert!(coverage.after(8) < 0.8, "the sum is rounded down");
        assert_eq!(coverage.pages_for_share(0.8), Some(0.8));
    }

    #[test]
    fn nothing_to_find_has_no_coverage() {
        assert_eq!(Coverage::new(4, 0.0, [0.0], 0.0), None);
        assert_eq!(Coverage::new(0, 0.0, [], 1.0), None);
        assert_eq!(Coverage::new(4, 0.0, [], f64::NAN), None);
    }
}
