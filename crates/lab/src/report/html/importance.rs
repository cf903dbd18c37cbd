//! The curves of importance, a figure a metric, and their table.

use std::fmt::Write as _;

use trodden_report::chart::{Axis, Chart, Labels, Line, draw};
use trodden_report::number::{NONE, area, thousands};
use trodden_report::text::Escaped;

use super::figure::{self, Entry, Layout, look};
use crate::report::standing::Standings;
use crate::report::table::importance::{MEANING, columns, hot, names};
use crate::result::{Comparison, Curve, ImportanceCurves, ImportanceResult};

/// A crawl model: its name, what its y-axis shows, and its curve.
type Model = (&'static str, &'static str, &'static str, fn(&ImportanceCurves) -> Option<&Curve>);

const MODELS: [Model; 3] = [
    ("stop", "Crawl and stop", "of K pages visited, among the K best", |policy| Some(&policy.crawl_and_stop)),
    ("hot", "Crawl and stop with threshold", "hot pages visited", |policy| Some(&policy.threshold)),
    ("buffer", "Limited buffer", "hot share of what is kept", |policy| policy.buffer.as_ref()),
];

/// Figures and table, as far as importance was measured.
pub(super) fn push(out: &mut String, of: &Comparison, standings: &Standings) {
    if of.importance.is_empty() {
        return;
    }
    out.push_str("<h2>Importance by links</h2>\n");
    for (number, metric) in of.importance.iter().enumerate() {
        push_metric(out, of, standings, number, metric);
    }
    push_table(out, of);
}

fn push_metric(out: &mut String, of: &Comparison, standings: &Standings, number: usize, metric: &ImportanceResult) {
    let x_title = format!("pages visited, of {}", thousands(of.pages));
    let mut panels = Vec::new();
    for (id, title, y_title, curve) in MODELS {
        let remark = |policy: &ImportanceCurves| format!("area {}", area(policy.threshold_auc));
        let lines: Vec<Line<'_>> = metric
            .policies
            .iter()
            .map(|policy| Line {
                name: &policy.name,
                remark: if id == "hot" { remark(policy) } else { String::new() },
                points: curve(policy).map_or(&[], Vec::as_slice),
                look: look(standings.by_importance(&policy.name)),
            })
            .collect();
        if lines.iter().all(|line| line.points.is_empty()) {
            continue;
        }
        let id = format!("metric-{number}-{id}");
        let chart = Chart {
            id: &id,
            title,
            x_title: &x_title,
            y_title,
            until: 1.0,
            axis: Axis::Linear,
            labels: Labels::Inside,
            lines,
        };
        panels.push(draw(&chart));
    }
    let caption = format!("By {}. Hot: {}.", metric.metric, hot(metric));
    let mut entries: Vec<Entry<'_>> = metric
        .policies
        .iter()
        .enumerate()
        .map(|(line, policy)| Entry { line, name: &policy.name, standing: standings.by_importance(&policy.name) })
        .collect();
    if !panels.is_empty() {
        figure::push(out, Layout::Even, &caption, &panels, &mut entries);
    }
}

/// A column a metric and crawl model.
fn push_table(out: &mut String, of: &Comparison) {
    let columns = columns(of);
    let _ = write!(
        out,
        "<p class=\"soft\">In numbers: {MEANING}.</p>\n<div class=\"scroll\"><table class=\"sortable\">\n<thead><tr>\
         <th scope=\"col\">policy</th>"
    );
    for column in &columns {
        let _ = write!(out, "<th scope=\"col\">{}<br/>{}</th>", Escaped(&column.metric.metric), column.word);
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for name in names(of) {
        let _ = write!(out, "<tr><td data-value=\"{0}\">{0}</td>", Escaped(name));
        for text in columns.iter().map(|column| column.cell(name)) {
            let value = if text == NONE { "" } else { text.as_str() };
            let _ = write!(out, "<td data-value=\"{value}\">{text}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}
