//! Several sites together: the least, the mean and the most of each measure, as CIKM 2011 gives them (table 3).
//!
//! Every site counts once, whatever its size. A site without a measure (no visit that counts, no mirror) is left out of its mean.

use std::fmt::Write as _;

use serde::Serialize;
use trodden_mining::TreeKind;
use trodden_mining::quality::{PerTree, TreeQuality};

use super::judged_site::JudgedSite;

/// A measure over sites.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Sites that have it.
    pub sites: u32,
    /// The least.
    pub least: f64,
    /// The mean.
    pub mean: f64,
    /// The most.
    pub most: f64,
}

/// What is gathered of a measure, site by site.
#[derive(Clone, Copy, Debug)]
struct Gathered {
    sites: u32,
    sum: f64,
    least: f64,
    most: f64,
}

impl Default for Gathered {
    fn default() -> Self {
        Self { sites: 0, sum: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY }
    }
}

impl Gathered {
    fn add(&mut self, number: f64) {
        self.sites += 1;
        self.sum += number;
        (self.least, self.most) = (self.least.min(number), self.most.max(number));
    }

    fn spread(&self) -> Option<Spread> {
        let Self { sites, sum, least, most } = *self;
        (sites > 0).then(|| Spread { sites, least, mean: sum / f64::from(sites), most })
    }
}

/// The measures, in the order in which they are shown.
const MEASURES: [(&str, Shown); 6] = [
    ("leaves", Shown::Number),
    ("height", Shown::Number),
    ("URL coverage", Shown::Share),
    ("traffic coverage", Shown::Share),
    ("mirror coverage", Shown::Share),
    ("divergence, bits", Shown::Number),
];

/// How a measure is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Number,
    Share,
}

/// All sites together, as they come.
#[derive(Debug, Default)]
pub struct SiteSums {
    sites: usize,
    measures: [PerTree<Gathered>; MEASURES.len()],
}

/// All sites together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QualitySummary {
    /// How many there are.
    pub sites: usize,
    /// Leaves of the trees.
    pub leaves: PerTree<Option<Spread>>,
    /// Their height.
    pub height: PerTree<Option<Spread>>,
    /// The share of visited URLs that they cover.
    pub url_coverage: PerTree<Option<Spread>>,
    /// The share of visits.
    pub traffic_coverage: PerTree<Option<Spread>>,
    /// The share of the URLs of a mirror.
    pub mirror_coverage: PerTree<Option<Spread>>,
    /// How far visits are from what the patterns say, in bits.
    pub divergence: PerTree<Option<Spread>>,
}

impl SiteSums {
    /// Adds a site.
    pub fn add(&mut self, site: &JudgedSite) {
        self.sites += 1;
        for tree in TreeKind::ALL {
            let of: &TreeQuality = site.quality().trees.get(tree);
            let mirror = site.mirror().and_then(|mirror| mirror.get(tree).of_urls());
            let numbers = [
                Some(f64::from(of.size.leaves)),
                Some(f64::from(of.size.height)),
                of.url_coverage,
                of.traffic_coverage,
                mirror,
                of.divergence,
            ];
            for (gathered, number) in self.measures.iter_mut().zip(numbers) {
                if let Some(number) = number {
                    gathered.get_mut(tree).add(number);
                }
            }
        }
    }

    /// What it comes to.
    #[must_use]
    pub fn summary(&self) -> QualitySummary {
        let [leaves, height, url_coverage, traffic_coverage, mirror_coverage, divergence] =
            self.measures.map(|measure| PerTree::of(|tree| measure.get(tree).spread()));
        let sites = self.sites;
        QualitySummary { sites, leaves, height, url_coverage, traffic_coverage, mirror_coverage, divergence }
    }
}

impl QualitySummary {
    /// For people: least, mean and most of each tree.
    #[must_use]
    pub fn table(&self) -> String {
        let mut out = format!("all {} sites together\n{:<18}", self.sites, "");
        for tree in ["T_SYN", "T_VISIT", "T_TRAN"] {
            let _ = write!(out, "{tree:>27}");
        }
        let _ = write!(out, "\n{:<18}", "");
        for _ in 0..3 {
            let _ = write!(out, "{:>9}{:>9}{:>9}", "least", "mean", "most");
        }
        out.push('\n');
        let measures = [
            &self.leaves,
            &self.height,
            &self.url_coverage,
            &self.traffic_coverage,
            &self.mirror_coverage,
            &self.divergence,
        ];
        for ((name, shown), measure) in MEASURES.iter().zip(measures) {
            if measure.each().iter().all(|spread| spread.is_none()) {
                continue;
            }
            let _ = write!(out, "{name:<18}");
            for spread in measure.each() {
                let numbers = spread.map_or([None; 3], |spread| [spread.least, spread.mean, spread.most].map(Some));
                for number in numbers {
                    let _ = write!(out, "{:>9}", cell(number, *shown));
                }
            }
            out.push('\n');
        }
        out.push('\n');
        out
    }
}

fn cell(number: Option<f64>, shown: Shown) -> String {
    match (number, shown) {
        (None, _) => "-".to_owned(),
        (Some(share), Shown::Share) => format!("{:.1} %", share * 100.0),
        (Some(number), Shown::Number) if number.fract() == 0.0 => format!("{number:.0}"),
        (Some(number), Shown::Number) if number < 10.0 => format!("{number:.3}"),
        (Some(number), Shown::Number) => format!("{number:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cikm11_a_measure_over_sites_has_least_mean_and_most() {
        let mut gathered = Gathered::default();
        assert_eq!(gathered.spread(), None);
        [4.0, 1.0, 10.0].into_iter().for_each(|number| gathered.add(number));
        assert_eq!(gathered.spread(), Some(Spread { sites: 3, least: 1.0, mean: 5.0, most: 10.0 }));
    }

    #[test]
    fn ours_a_number_is_shown_as_exactly_as_it_is_known() {
        let shown = |number, shown| cell(Some(number), shown);
        assert_eq!(shown(12.0, Shown::Number), "12");
        assert_eq!(shown(0.1652, Shown::Number), "0.165");
        assert_eq!(shown(283.66, Shown::Number), "283.7");
        assert_eq!(shown(0.9912, Shown::Share), "99.1 %");
        assert_eq!(cell(None, Shown::Share), "-");
    }
}
