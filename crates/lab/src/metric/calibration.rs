//! Did people read as much as was foretold?
//!
//! A policy that foretells says how many visits a page will have in a time as long as training was (both measured in visits;
//! [`Foretold`]). Times the exposure, the length of the test beside that of training, this stands against what the page
//! had in the test. An order needs only the ranks of these numbers to be right; here the numbers themselves are judged:
//!
//! - **in all**: Σ foretold beside Σ seen, over the pages whose URL the crawl knew at its end;
//! - **by class** of how often a page was visited in training: unread, 1, 2–3, 4–10, more. Who believes own counts too much
//!   foretells too much for the upper classes and too little for the unread;
//! - **by tenth**: pages by what is foretold for them, the most first, cut into ten groups with a tenth of all that is
//!   foretold in each (a page on a border goes to the group that its middle falls into). Each group should see
//!   a tenth, too. Groups of equally many pages would say little: on most sites a tenth of the pages has nearly all visits.
//!
//! Numbers are of two moments: `foretold` at the end of the crawl, when all links are known; `foretold_at_fetch` when the page was fetched,
//! which is the number that its place in the order came from.

use serde::{Deserialize, Serialize};

use crate::graph::PageId;

/// What a policy foretold, by page: visits in a time as long as training was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foretold {
    /// When the crawl was over; NaN for a page that it never knew of.
    pub at_end: Vec<f64>,
    /// When the page was fetched for the first time; NaN for one that never was.
    pub at_fetch: Vec<f64>,
}

/// Visits foretold and visits seen, of some pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CalibrationTally {
    /// Which pages.
    pub group: String,
    /// How many.
    pub pages: u64,
    /// Foretold at the end of the crawl.
    pub foretold: f64,
    /// Foretold when each was fetched; of pages never fetched nothing.
    pub foretold_at_fetch: f64,
    /// Seen.
    pub seen: f64,
}

/// Foretold beside seen, for one policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The policy.
    pub policy: String,
    /// What foretold what.
    pub part: Part,
    /// The length of the part that was foretold beside the one learnt from, in visits.
    pub exposure: f64,
    /// All pages.
    pub all: CalibrationTally,
    /// By visits in training.
    pub classes: Vec<CalibrationTally>,
    /// By tenths of what is foretold, the most promising pages first.
    pub tenths: Vec<CalibrationTally>,
}

/// What foretold what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Training foretold the test.
    Test,
    /// The first half of training foretold its second half.
    Training,
}

/// Classes by visits in training: the fewest of each, and its name.
const CLASSES: [(f64, &str); 5] = [(0.0, "unread"), (1.0, "1"), (2.0, "2–3"), (4.0, "4–10"), (11.0, "more")];

/// Groups by what is foretold.
const GROUPS: usize = 10;

/// What to judge by.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// By page: visits in training.
    pub trained: &'a [f64],
    /// By page: visits seen in what was foretold.
    pub seen: &'a [f64],
    /// By page: whether it can be reached.
    pub reachable: &'a [bool],
    /// The length of the part that was foretold beside the one learnt from.
    pub exposure: f64,
}

/// Sets what was foretold beside what was seen.
#[must_use]
pub fn calibrate(policy: &str, part: Part, foretold: &Foretold, facts: &Facts<'_>) -> Calibration {
    let known = |page: PageId| facts.reachable[page as usize] && foretold.at_end[page as usize].is_finite();
    let pages: Vec<PageId> = (0..facts.reachable.len() as PageId).filter(|page| known(*page)).collect();
    let tally = |group: String, pages: &[PageId]| {
        let mut tally = CalibrationTally { group, pages: pages.len() as u64, ..CalibrationTally::default() };
        for page in pages.iter().map(|page| *page as usize) {
            tally.foretold += foretold.at_end[page] * facts.exposure;
            let at_fetch = foretold.at_fetch[page];
            tally.foretold_at_fetch += if at_fetch.is_finite() { at_fetch * facts.exposure } else { 0.0 };
            tally.seen += facts.seen[page];
        }
        tally
    };
    let class = |page: &PageId| {
        let visits = facts.trained[*page as usize];
        CLASSES.iter().rposition(|(least, _)| visits >= *least).unwrap_or(0)
    };
    let classes = CLASSES.iter().enumerate().map(|(at, (_, name))| {
        let members: Vec<PageId> = pages.iter().copied().filter(|page| class(page) == at).collect();
        tally((*name).to_owned(), &members)
    });
    let tenths = tenths(&pages, &foretold.at_end).into_iter().enumerate();
    Calibration {
        policy: policy.to_owned(),
        part,
        exposure: facts.exposure,
        classes: classes.collect(),
        tenths: tenths.map(|(at, members)| tally((at + 1).to_string(), &members)).collect(),
        all: tally("all".to_owned(), &pages),
    }
}

/// Pages, the most promising first, in groups with a tenth of all that is foretold in each; equals by number.
fn tenths(pages: &[PageId], foretold: &[f64]) -> Vec<Vec<PageId>> {
    let mut sorted = pages.to_vec();
    sorted.sort_by(|a, b| foretold[*b as usize].total_cmp(&foretold[*a as usize]).then(a.cmp(b)));
    let total: f64 = sorted.iter().map(|page| foretold[*page as usize]).sum();
    let mut groups = vec![Vec::new(); GROUPS];
    let mut before = 0.0;
    for page in sorted {
        let own = foretold[page as usize];
        let middle = if total > 0.0 { (before + own / 2.0) / total } else { 0.0 };
        groups[((middle * GROUPS as f64) as usize).min(GROUPS - 1)].push(page);
        before += own;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn facts<'a>(trained: &'a [f64], seen: &'a [f64], reachable: &'a [bool]) -> Facts<'a> {
        Facts { trained, seen, reachable, exposure: 1.0 }
    }

    #[test]
    fn ours_classes_and_totals_by_hand() {
        let trained = [0.0, 1.0, 2.0, 3.0, 4.0, 10.0, 11.0, 0.0];
        let seen = [1.0, 0.0, 2.0, 2.0, 5.0, 9.0, 12.0, 100.0];
        let reachable = [true, true, true, true, true, true, true, false];
        let at_end = vec![0.5, 0.5, 1.5, 2.5, 4.0, 9.0, 10.0, 7.0];
        let mut at_fetch = at_end.clone();
        at_fetch[0] = f64::NAN;
        let found = calibrate("p", Part::Test, &Foretold { at_end, at_fetch }, &facts(&trained, &seen, &reachable));
        let rows: Vec<_> = found
            .classes
            .iter()
            .map(|t| (t.group.as_str(), t.pages, t.foretold, t.foretold_at_fetch, t.seen))
            .collect();
        assert_eq!(
            rows,
            [
                ("unread", 1, 0.5, 0.0, 1.0),
                ("1", 1, 0.5, 0.5, 0.0),
                ("2–3", 2, 4.0, 4.0, 4.0),
                ("4–10", 2, 13.0, 13.0, 14.0),
                ("more", 1, 10.0, 10.0, 12.0)
            ]
        );
        assert_eq!((found.all.pages, found.all.foretold, found.all.seen), (7, 28.0, 31.0));
    }

    #[test]
    fn ours_a_tenth_holds_a_tenth_of_what_is_foretold() {
        let foretold: Vec<f64> = (0..1_000).map(|n| f64::from(n % 7)).collect();
        let pages: Vec<PageId> = (0..1_000).collect();
        let total: f64 = foretold.iter().sum();
        for group in tenths(&pages, &foretold) {
            let held: f64 = group.iter().map(|page| foretold[*page as usize]).sum();
            assert!((held / total - 0.1).abs() < 0.01, "{held} of {total}");
        }
    }

    #[test]
    fn ours_who_foretells_nothing_has_one_group() {
        let found = calibrate(
            "p",
            Part::Training,
            &Foretold { at_end: vec![0.0; 3], at_fetch: vec![0.0; 3] },
            &facts(&[0.0; 3], &[1.0; 3], &[true; 3]),
        );
        assert_eq!((found.tenths[0].pages, found.all.foretold, found.all.seen), (3, 0.0, 3.0));
    }

    proptest! {
        #[test]
        fn ours_every_known_page_is_in_one_class_and_one_tenth(
            pages in prop::collection::vec((0.0..50.0_f64, 0_u32..20, 0_u32..20, any::<bool>()), 1..60), exposure in 0.1..3.0_f64,
        ) {
            let at_end: Vec<f64> = pages.iter().map(|p| p.0).collect();
            let trained: Vec<f64> = pages.iter().map(|p| f64::from(p.1)).collect();
            let seen: Vec<f64> = pages.iter().map(|p| f64::from(p.2)).collect();
            let reachable: Vec<bool> = pages.iter().map(|p| p.3).collect();
            let facts = Facts { exposure, ..facts(&trained, &seen, &reachable) };
            let found = calibrate("p", Part::Test, &Foretold { at_fetch: at_end.clone(), at_end }, &facts);
            for groups in [&found.classes, &found.tenths] {
                prop_assert_eq!(groups.iter().map(|t| t.pages).sum::<u64>(), found.all.pages);
                prop_assert!((groups.iter().map(|t| t.foretold).sum::<f64>() - found.all.foretold).abs() < 1e-6);
                prop_assert!((groups.iter().map(|t| t.seen).sum::<f64>() - found.all.seen).abs() < 1e-6);
            }
        }
    }
}
