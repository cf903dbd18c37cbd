//! How do the policies do by importance?

use trodden_report::grid::Grid;
use trodden_report::number::{NONE, area, counted};
use trodden_report::text::{safe, wrapped};

use crate::result::{Comparison, Curve, ImportanceCurves, ImportanceResult};

/// What a block gives of a policy by a metric.
type Measure = fn(&ImportanceCurves) -> Option<f64>;

/// By crawl model, what is measured, in a word.
const MEASURES: [(&str, Measure); 3] = [
    ("hot", |policy| Some(policy.threshold_auc)),
    ("stop", |policy| curve_area(&policy.crawl_and_stop)),
    ("kept", |policy| Some(policy.buffer.as_ref()?.last()?[1])),
];

/// The area under a curve, over what it spans.
fn curve_area(curve: &Curve) -> Option<f64> {
    let span = curve.last()?[0] - curve.first()?[0];
    let area: f64 =
        curve.windows(2).map(|ends| (ends[1][0] - ends[0][0]) * f64::midpoint(ends[0][1], ends[1][1])).sum();
    (span > 0.0).then_some(area / span)
}

/// Names by importance, in the order in which metrics have them.
pub(in crate::report) fn names(of: &Comparison) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for policy in of.importance.iter().flat_map(|metric| &metric.policies) {
        if !names.contains(&policy.name.as_str()) {
            names.push(&policy.name);
        }
    }
    names
}

/// Which pages are hot, by metric.
pub(in crate::report) fn hot(metric: &ImportanceResult) -> String {
    let buffer = metric.buffer.map(|pages| format!(", a buffer of {}", counted(pages, "page"))).unwrap_or_default();
    format!("{} at least {:.4} ({}{buffer})", safe(&metric.metric), metric.threshold, counted(metric.hot, "page"))
}

/// A column of the tables: a metric and a crawl model that was run with it.
pub(in crate::report) struct MetricColumn<'c> {
    pub(in crate::report) metric: &'c ImportanceResult,
    pub(in crate::report) word: &'static str,
    measure: Measure,
}

impl MetricColumn<'_> {
    /// What a policy has there, as text.
    pub(in crate::report) fn cell(&self, name: &str) -> String {
        let policy = self.metric.policies.iter().find(|policy| policy.name == name);
        policy.and_then(self.measure).map_or_else(|| NONE.to_owned(), area)
    }
}

/// All columns that have anything, by metric.
pub(in crate::report) fn columns(of: &Comparison) -> Vec<MetricColumn<'_>> {
    let all = of.importance.iter().flat_map(|metric| {
        MEASURES.iter().map(move |(word, measure)| MetricColumn { metric, word, measure: *measure })
    });
    all.filter(|column| column.metric.policies.iter().any(|policy| (column.measure)(policy).is_some())).collect()
}

/// What the words above the columns mean.
pub(in crate::report) const MEANING: &str = "hot: area under the share of hot pages visited; stop: area under the share \
    of K pages visited that are among the K most important; kept: hot share of a limited buffer in the end";

/// The block for a terminal: a column a metric and crawl model.
pub(super) fn block(of: &Comparison, width: usize) -> Option<String> {
    let columns = columns(of);
    let names = names(of);
    // As many columns side by side as fit; the others below them.
    let mut rest = columns.as_slice();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let grid = |many: usize| {
            let shown = &rest[..many];
            let heads = shown.iter().map(|column| format!("{} {}", safe(&column.metric.metric), column.word));
            let mut grid = Grid::new(["by importance".to_owned()].into_iter().chain(heads).collect());
            for name in &names {
                grid.push([safe(name)].into_iter().chain(shown.iter().map(|column| column.cell(name))).collect());
            }
            grid
        };
        let many = (2..=rest.len()).take_while(|many| grid(*many).width() <= width).last().unwrap_or(1);
        parts.push(grid(many).text(width));
        rest = &rest[many..];
    }
    let hot: Vec<String> = of.importance.iter().map(hot).collect();
    parts.push(wrapped(&format!("{MEANING}. Hot are: {}.", hot.join("; ")), width, 0));
    (!columns.is_empty()).then(|| parts.join("\n"))
}
