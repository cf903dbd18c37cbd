//! What did a run of `simulate` find? The part of `result.json` that the document is made of.

use anyhow::{Context, Result};
use serde::Deserialize;

/// A curve: share of pages, share of what was to be had.
pub(super) type Curve = Vec<[f64; 2]>;

/// One run.
#[derive(Clone, Deserialize)]
pub(super) struct Outcome {
    pub(super) pages: u64,
    pub(super) links: u64,
    pub(super) traffic: f64,
    pub(super) cold_traffic: f64,
    pub(super) policies: Vec<Policy>,
    pub(super) importance: Vec<Metric>,
    pub(super) calibration: Vec<Calibration>,
    pub(super) warnings: Vec<String>,
    /// Pages that only the artificial entry page links to; said on standard error, not in the JSON.
    #[serde(skip)]
    pub(super) only_from_entry: Option<u64>,
}

/// Visits foretold beside visits seen, by one policy in one part.
#[derive(Clone, Deserialize)]
pub(super) struct Calibration {
    pub(super) policy: String,
    pub(super) part: String,
    pub(super) all: Tally,
    pub(super) classes: Vec<Tally>,
}

/// Of some pages.
#[derive(Clone, Deserialize)]
pub(super) struct Tally {
    pub(super) group: String,
    pub(super) foretold: f64,
    pub(super) seen: f64,
}

/// Pages needed for half, four fifths and nine tenths.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct PagesFor {
    #[serde(rename = "50")]
    pub(super) half: Option<f64>,
    #[serde(rename = "80")]
    pub(super) four_fifths: Option<f64>,
    #[serde(rename = "90")]
    pub(super) nine_tenths: Option<f64>,
}

/// One crawl by traffic.
#[derive(Clone, Deserialize)]
pub(super) struct Policy {
    pub(super) name: String,
    pub(super) oracle: bool,
    pub(super) auc: Option<f64>,
    pub(super) fetched: u64,
    pub(super) ahead_of_breadth_first: Option<[f64; 2]>,
    pub(super) blend_ahead: Option<[f64; 2]>,
    pub(super) cold_blend_ahead: Option<[f64; 2]>,
    pub(super) explored: u64,
    pub(super) pages_for: PagesFor,
    pub(super) cold_auc: Option<f64>,
    pub(super) cold_pages_for: PagesFor,
    pub(super) discovered_auc: Option<f64>,
    pub(super) discovered_for: PagesFor,
    pub(super) curve: Curve,
    pub(super) cold_curve: Curve,
    pub(super) discovered_curve: Curve,
}

/// Every policy by one metric of importance.
#[derive(Clone, Deserialize)]
pub(super) struct Metric {
    pub(super) metric: String,
    pub(super) threshold: f64,
    pub(super) hot: u64,
    pub(super) policies: Vec<Models>,
}

/// One policy by one metric, in the three crawl models.
#[derive(Clone, Deserialize)]
pub(super) struct Models {
    pub(super) name: String,
    pub(super) crawl_and_stop: Curve,
    pub(super) threshold: Curve,
    pub(super) threshold_auc: f64,
    pub(super) buffer: Option<Curve>,
}

/// The formulas' names among policies.
pub(super) const IDEAL_FORMULA: &str = "ideal (formula)";
/// See [`IDEAL_FORMULA`].
pub(super) const RANDOM_FORMULA: &str = "random (formula)";

impl Outcome {
    pub(super) fn policy(&self, name: &str) -> Result<&Policy> {
        self.policies.iter().find(|policy| policy.name == name).with_context(|| format!("{name} did not run"))
    }

    pub(super) fn metric(&self, name: &str) -> Result<&Metric> {
        self.importance.iter().find(|metric| metric.metric == name).with_context(|| format!("no importance by {name}"))
    }

    /// The best by area that a crawler can run; the first of equals.
    pub(super) fn best(&self, area: impl Fn(&Policy) -> Option<f64>) -> Result<&Policy> {
        let can_run = self.policies.iter().filter(|policy| !policy.oracle && area(policy).is_some());
        can_run.reduce(|best, next| if area(next) > area(best) { next } else { best }).context("no policy has an area")
    }
}

impl Metric {
    pub(super) fn policy(&self, name: &str) -> Result<&Models> {
        self.policies.iter().find(|policy| policy.name == name).with_context(|| format!("{name} did not run"))
    }

    /// Policies without the formulas and the oracle of PageRank, the largest area of hot pages first.
    pub(super) fn by_hot(&self) -> Vec<&Models> {
        let mut policies: Vec<&Models> =
            self.policies.iter().filter(|p| !p.name.ends_with("(formula)") && !is_oracle(&p.name)).collect();
        policies.sort_by(|a, b| b.threshold_auc.total_cmp(&a.threshold_auc));
        policies
    }
}

/// Orders that know what no crawler can.
pub(super) fn is_oracle(name: &str) -> bool {
    matches!(name, "pagerank-whole" | "ideal" | "ideal-unlinked")
}

impl Models {
    /// Area under crawl and stop.
    pub(super) fn stop_area(&self) -> f64 {
        area_under(&self.crawl_and_stop)
    }

    /// The hot share of what is kept in the end.
    pub(super) fn kept(&self) -> Option<f64> {
        self.buffer.as_ref()?.last().map(|point| point[1])
    }
}

/// Area under a curve, by trapezoids over its pages.
pub(super) fn area_under(curve: &[[f64; 2]]) -> f64 {
    let Some(first) = curve.first() else { return 0.0 };
    // From no page to the first point the curve is taken to be flat.
    first[0] * first[1]
        + curve.windows(2).map(|pair| (pair[1][0] - pair[0][0]) * f64::midpoint(pair[0][1], pair[1][1])).sum::<f64>()
}

/// The height of a curve at a share of the pages; of its last point before, if none is there.
pub(super) fn height_at(curve: &[[f64; 2]], share: f64) -> f64 {
    let after = curve.partition_point(|point| point[0] < share);
    match (after.checked_sub(1).and_then(|at| curve.get(at)), curve.get(after)) {
        (Some(a), Some(b)) if b[0] > a[0] => a[1] + (b[1] - a[1]) * (share - a[0]) / (b[0] - a[0]),
        (_, Some(b)) => b[1],
        (Some(a), None) => a[1],
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_area_and_height_of_a_straight_line() {
        let line = [[0.0, 0.0], [0.5, 0.5], [1.0, 1.0]];
        assert!((area_under(&line) - 0.5).abs() < 1e-12);
        assert!((height_at(&line, 0.25) - 0.25).abs() < 1e-12);
        assert!((height_at(&line, 1.0) - 1.0).abs() < 1e-12);
    }
}
