//! What may a URL have that the log does not see?
//!
//! A log does not see everything: a section may be younger than it, or read by others. Of such a URL nothing is known but
//! its links, and that it has no visit. Let the log miss a share q of all URLs, and let URLs with such links that it does
//! not miss have m visits on average. Of them, `P₀(m) = (1 + m/r)^(−r)` have none by chance (negative binomial); of all,
//! `q + (1 − q)·P₀(m)`. q and r are those that explain best, over octaves of what links say, how many have none. Then a URL
//! without visits is one that the log misses with this probability, and has what the others have:
//!
//! ```text
//! unseen = m · q / (q + (1 − q)·P₀(m)) · trust        m = ȳ / (1 − q), ȳ the mean of all with such links
//! ```
//! A complete log has no URL with many links that nobody reads; so q is 0. Between octaves the curve is straight.
//!
//! *trust*: on any site some well-linked pages are wanted by nobody (1 in 20), and where most are not read (1 in 2) it is usual
//! not to be; between that q is believed. What explains hardly more than chance (by the likelihood ratio) is not.
//!
//! Kinds that nobody reads at all stand outside of this: no share of them is read that could be told from another. They get a
//! part of ȳ, by links alone: a quarter; or, where ten or more branches beside theirs are read and theirs is not, as many in
//! a hundred as of those are read. One section of many that the log does not have is one that it missed.

use serde::{Deserialize, Serialize};

/// Octaves of w, the first of them for all below.
const OCTAVES: usize = 24;
const LOWEST: f64 = -8.0;

/// The share of well-linked pages that nobody wants, on any site.
const UNWANTED: f64 = 0.05;

/// By octaves of what links say.
#[derive(Clone, Copy, Debug, Default)]
struct Octave {
    urls: f64,
    unread: f64,
    visits: f64,
}

/// Collects URLs.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    octaves: [Octave; OCTAVES],
}

/// The curve, by octave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Unseen([f64; OCTAVES]);

fn place(expected: f64) -> f64 {
    (expected.max(f64::MIN_POSITIVE).log2() - LOWEST).clamp(0.0, (OCTAVES - 1) as f64)
}

impl Tally {
    /// A URL that should have so many visits by its links, and has so many.
    pub(super) fn add(&mut self, expected: f64, visits: f64) {
        let octave = &mut self.octaves[place(expected).round() as usize];
        octave.urls += 1.0;
        octave.unread += if visits == 0.0 { 1.0 } else { 0.0 };
        octave.visits += visits;
    }

    /// The curve that explains best how many have no visit.
    pub(super) fn curve(&self) -> Unseen {
        let (mut best, mut share, mut size, mut without) = (f64::NEG_INFINITY, 0.0, 1.0, f64::NEG_INFINITY);
        for q in (0..=45).map(|n| f64::from(n) / 50.0) {
            for r in (0..=20).map(|n| 0.05 * 1.3_f64.powi(n)) {
                let likelihood = self.likelihood(q, r);
                if likelihood > best {
                    (best, share, size) = (likelihood, q, r);
                }
            }
            if q == 0.0 {
                without = best;
            }
        }
        // What explains hardly more than chance does not count.
        let trust = trust(share) * (1.0 - (without - best).exp());
        Unseen(self.octaves.map(|octave| {
            let mean = octave.visits / octave.urls.max(1.0) / (1.0 - share);
            let unseen = share / (share + (1.0 - share) * by_chance(mean, size));
            mean * unseen * trust
        }))
    }

    /// What URLs have on average, read or not.
    pub(super) fn average(&self) -> Unseen {
        Unseen(self.octaves.map(|octave| octave.visits / octave.urls.max(1.0)))
    }

    /// The logarithm of the likelihood of the URLs without visits if the log misses a share q, and visits vary with r.
    fn likelihood(&self, q: f64, r: f64) -> f64 {
        let mut sum = 0.0;
        for octave in self.octaves.iter().filter(|octave| octave.urls > 0.0) {
            let none = q + (1.0 - q) * by_chance(octave.visits / octave.urls / (1.0 - q), r);
            let none = none.clamp(1e-9, 1.0 - 1e-9);
            sum += octave.unread * none.ln() + (octave.urls - octave.unread) * (1.0 - none).ln();
        }
        sum
    }
}

/// How far a share q of URLs that are left out is taken to be not seen: q between 1 in 20 and 1 in 2, with soft edges.
fn trust(q: f64) -> f64 {
    1.0 / (1.0 + (UNWANTED / q.max(f64::MIN_POSITIVE)).powi(3)) / (1.0 + (q / (1.0 - q)).powi(3))
}

/// The probability that a URL with so many visits on average has none.
fn by_chance(mean: f64, r: f64) -> f64 {
    (1.0 + mean / r).powf(-r)
}

impl Unseen {
    /// What a URL without visits may have that should have so many by its links.
    pub(super) fn of(&self, expected: f64) -> f64 {
        let place = place(expected);
        let (low, part) = (place.floor() as usize, place.fract());
        let high = (low + 1).min(OCTAVES - 1);
        self.0[low] * (1.0 - part) + self.0[high] * part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(urls: impl Iterator<Item = (f64, f64)>) -> Unseen {
        let mut tally = Tally::default();
        urls.for_each(|(expected, visits)| tally.add(expected, visits));
        tally.curve()
    }

    /// So many URLs of each octave, of which a share is hidden, and of the others as many unread as chance has it (r = 1).
    fn site(hidden: f64) -> Unseen {
        curve((0..8).flat_map(move |octave| {
            let mean = f64::from(1 << octave);
            let read = (1.0 - hidden) * (1.0 - by_chance(mean, 1.0));
            (0..1_000).map(move |n| {
                let is_read = f64::from(n) < 1_000.0 * read;
                (mean, if is_read { mean * (1.0 - hidden) / read } else { 0.0 })
            })
        }))
    }

    #[test]
    fn ours_zeros_that_chance_explains_are_no_sign_of_anything() {
        let curve = site(0.0);
        assert!((0..8).all(|octave| curve.of(f64::from(1 << octave)) < 0.2), "{curve:?}");
    }

    #[test]
    fn ours_a_page_like_all_others_that_has_no_visit_is_not_seen() {
        // A third is hidden: a page with many links has what others like it have, one with few mostly is unlucky.
        let third = site(0.33);
        assert!(third.of(128.0) > 0.75 * 128.0 && third.of(1.0) < 0.6, "{third:?}");
        // One in fifty is: so many are on any site. Nine in ten are: it is usual not to be read.
        for few_or_most in [0.02, 0.9] {
            let curve = site(few_or_most);
            assert!(curve.of(128.0) < 16.0, "{few_or_most}: {curve:?}");
        }
    }
}
