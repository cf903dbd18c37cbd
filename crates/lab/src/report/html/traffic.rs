//! The curves of traffic: fetched, cold, discovered; and the numbers behind the conclusion as bars.

use std::fmt::Write as _;

use trodden_report::chart::{Axis, Chart, Labels, Line, draw, zoom};
use trodden_report::number::{area, spoken, thousands};
use trodden_report::text::Escaped;

use super::figure::{self, Entry, Layout, look};
use crate::report::standing::{BREADTH_FIRST, Standings, best, ideal, named, number};
use crate::result::{Comparison, Curve, PagesFor, PolicyResult};

/// One way to measure a crawl by traffic.
struct Kind {
    id: &'static str,
    title: &'static str,
    caption: &'static str,
    y_title: &'static str,
    curve: fn(&PolicyResult) -> &Curve,
    area: fn(&PolicyResult) -> Option<f64>,
    pages: fn(&PolicyResult) -> PagesFor,
}

const KINDS: [Kind; 3] = [
    Kind {
        id: "fetched",
        title: "Traffic fetched",
        caption: "How much of what people read has been fetched, by pages fetched.",
        y_title: "traffic fetched",
        curve: |policy| &policy.curve,
        area: |policy| policy.auc,
        pages: |policy| policy.pages_for,
    },
    Kind {
        id: "cold",
        title: "Cold traffic fetched",
        caption: "The same for URLs that nobody visited in training.",
        y_title: "cold traffic fetched",
        curve: |policy| &policy.cold_curve,
        area: |policy| policy.cold_auc,
        pages: |policy| policy.cold_pages_for,
    },
    Kind {
        id: "discovered",
        title: "Traffic discovered",
        caption: "How much of what people read is known of: fetched, or linked from what is fetched.",
        y_title: "traffic discovered",
        curve: |policy| &policy.discovered_curve,
        area: |policy| policy.discovered_auc,
        pages: |policy| policy.discovered_for,
    },
];

/// Bars and figures, as far as there is traffic.
pub(super) fn push(out: &mut String, of: &Comparison, standings: &Standings) {
    push_bars(out, of, standings);
    for kind in &KINDS {
        if of.policies.iter().any(|policy| number((kind.area)(policy)).is_some() && !(kind.curve)(policy).is_empty()) {
            let _ = writeln!(out, "<h2>{}</h2>", kind.title);
            push_figure(out, of, standings, kind);
        }
    }
}

fn push_figure(out: &mut String, of: &Comparison, standings: &Standings, kind: &Kind) {
    let lines: Vec<Line<'_>> = of
        .policies
        .iter()
        .map(|policy| Line {
            name: &policy.name,
            remark: remark(kind, policy),
            points: (kind.curve)(policy),
            look: look(standings.by_traffic(&policy.name)),
        })
        .collect();
    // The best before all others: the panel must show how it gets there.
    let mut important: Vec<&PolicyResult> =
        of.policies.iter().filter(|policy| standings.by_traffic(&policy.name).is_important()).collect();
    important.sort_by_key(|policy| standings.by_traffic(&policy.name));
    let curves: Vec<&[[f64; 2]]> = important.iter().map(|policy| (kind.curve)(policy).as_slice()).collect();
    let x_title = format!("pages fetched, of {}", thousands(of.pages));
    let zoomed = zoom(&curves);
    let labels = if zoomed.is_some() { Labels::None } else { Labels::Inside };
    let mut chart = Chart {
        id: kind.id,
        title: "The whole crawl",
        x_title: &x_title,
        y_title: kind.y_title,
        until: 1.0,
        axis: Axis::Linear,
        labels,
        lines,
    };
    let mut panels = vec![draw(&chart)];
    if let Some(until) = zoomed {
        let (id, title) = (format!("{}-first", kind.id), format!("Its first {:.0} %", until * 100.0));
        chart = Chart { id: &id, title: &title, until, labels: Labels::AtRight, ..chart };
        panels.push(draw(&chart));
    }
    let mut entries: Vec<Entry<'_>> = of
        .policies
        .iter()
        .enumerate()
        .map(|(line, policy)| Entry { line, name: &policy.name, standing: standings.by_traffic(&policy.name) })
        .collect();
    let layout = if panels.len() == 2 { Layout::NamesAtRight } else { Layout::Even };
    figure::push(out, layout, kind.caption, &panels, &mut entries);
}

/// What is said of a line that is pointed at.
fn remark(kind: &Kind, policy: &PolicyResult) -> String {
    let area = number((kind.area)(policy)).map(|auc| format!("area {}", area(auc)));
    let pages =
        number((kind.pages)(policy).four_fifths).map(|share| format!("80 % with {} of the pages", spoken(share)));
    area.into_iter().chain(pages).collect::<Vec<_>>().join(", ")
}

/// Pages for 80 % of the traffic: the best, breadth-first and the ideal.
fn push_bars(out: &mut String, of: &Comparison, standings: &Standings) {
    let mut shown: Vec<&PolicyResult> = Vec::new();
    for policy in [named(of, BREADTH_FIRST), best(of), ideal(of)].into_iter().flatten() {
        if number(policy.pages_for.four_fifths).is_some() && shown.iter().all(|known| known.name != policy.name) {
            shown.push(policy);
        }
    }
    let needs = |policy: &PolicyResult| number(policy.pages_for.four_fifths).unwrap_or(0.0);
    let most = shown.iter().map(|policy| needs(policy)).fold(0.0, f64::max);
    if best(of).is_none() || shown.len() < 2 || most <= 0.0 {
        return;
    }
    out.push_str(
        "<p class=\"soft\">Pages fetched for 80 % of the traffic, in % of all pages:</p>\n<div class=\"bars\">\n",
    );
    for policy in shown {
        let tint = look(standings.by_traffic(&policy.name)).tint;
        let _ = writeln!(
            out,
            "<span>{}</span><span class=\"bar\"><span class=\"room\"><svg viewBox=\"0 0 100 10\" \
             preserveAspectRatio=\"none\" aria-hidden=\"true\" style=\"width:{:.1}%\"><path class=\"{}\" \
             stroke=\"{}\" stroke-width=\"10\" d=\"M0 5H100\"/></svg></span><b>{}</b></span>",
            Escaped(&policy.name),
            (needs(policy) / most * 100.0).max(0.5),
            tint.class(),
            tint.on_white(),
            spoken(needs(policy)),
        );
    }
    out.push_str("</div>\n");
}
