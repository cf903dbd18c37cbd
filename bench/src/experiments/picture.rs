//! What does the reader see? One SVG a picture: panels side by side on white, every line with its name beside it.
//!
//! The charts are those of the reports ([`trodden_report::chart`]). A policy looks the same in every picture.

use std::fmt::Write as _;

use trodden_report::chart::{Axis, Chart, Labels, Line, Look, Tint, Weight, draw, zoom};

use super::number::thousands;
use super::outcome::{Curve, IDEAL_FORMULA, Metric, Models, Outcome, Policy, RANDOM_FORMULA};

/// One panel: its title, what its y-axis shows, and its curves by name.
pub(super) struct Panel<'a> {
    pub(super) title: String,
    pub(super) y_title: &'static str,
    pub(super) span: Span,
    pub(super) curves: Vec<(&'a str, &'a Curve)>,
}

/// How many of the pages a panel shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    /// All.
    Whole,
    /// The first few percent, where the curves rise.
    Rise,
}

/// The policies that pictures of traffic show, the most interesting first.
const BY_TRAFFIC: [&str; 9] =
    ["blend", "expected", "url-visit", "behavior", "pagerank", "backlink", "breadth-first", "random", "ideal"];

/// The policies that pictures of importance show.
const BY_IMPORTANCE: [&str; 8] =
    ["pagerank", "backlink", "breadth-first", "random", "location", "pagerank-whole", IDEAL_FORMULA, RANDOM_FORMULA];

/// A panel of traffic.
pub(super) fn traffic<'a>(
    title: String,
    y_title: &'static str,
    span: Span,
    of: &'a Outcome,
    curve: fn(&Policy) -> &Curve,
) -> Panel<'a> {
    let find = |name: &str| of.policies.iter().find(|policy| policy.name == name);
    let curves = BY_TRAFFIC.into_iter().filter_map(find).map(|policy| (policy.name.as_str(), curve(policy)));
    Panel { title, y_title, span, curves: curves.filter(|(_, curve)| !curve.is_empty()).collect() }
}

/// A panel of hot pages by a metric, for the usual policies.
pub(super) fn hot<'a>(title: String, of: &'a Metric) -> Panel<'a> {
    hot_of(title, of, &BY_IMPORTANCE)
}

/// A panel of hot pages by a metric, for these policies.
pub(super) fn hot_of<'a>(title: String, of: &'a Metric, names: &[&str]) -> Panel<'a> {
    let find = |name: &&str| of.policies.iter().find(|policy| policy.name == *name);
    let curve = |policy: &'a Models| (policy.name.as_str(), &policy.threshold);
    let curves = names.iter().filter_map(find).map(curve).collect();
    Panel { title, y_title: "hot pages visited", span: Span::Whole, curves }
}

/// The panels side by side, over this many pages.
pub(super) fn picture(id: &str, pages: &[u64], panels: &[Panel<'_>]) -> String {
    let mut inside = String::new();
    let (mut left, mut height) = (0.0, 0.0_f64);
    for (number, (panel, pages)) in panels.iter().zip(pages).enumerate() {
        let svg = panel_svg(&format!("{id}-{number}"), *pages, panel);
        let (width, tall) = size(&svg);
        let place = format!(r#"x="{left}" y="0" width="{width}" height="{tall}" viewBox="#);
        inside.push_str(&svg.replacen(r#"class="chart" viewBox="#, &place, 1));
        left += width + 14.0;
        height = height.max(tall);
    }
    let mut out = String::new();
    let _ = write!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -6 {} {}"><rect x="-8" y="-6" width="100%" height="100%" fill="#ffffff"/>
{inside}</svg>
"##,
        left + 2.0,
        height + 12.0
    );
    out
}

fn panel_svg(id: &str, pages: u64, panel: &Panel<'_>) -> String {
    let lines = panel.curves.iter().enumerate().map(|(at, (name, curve))| Line {
        name: short(name),
        remark: String::new(),
        points: curve.as_slice(),
        look: look(name, at),
    });
    let until = match panel.span {
        Span::Whole => 1.0,
        Span::Rise => zoom(&panel.curves.iter().map(|(_, curve)| curve.as_slice()).collect::<Vec<_>>()).unwrap_or(1.0),
    };
    draw(&Chart {
        id,
        title: &panel.title,
        x_title: &format!("pages fetched, of {}", thousands(pages)),
        y_title: panel.y_title,
        until,
        axis: Axis::Linear,
        labels: if until < 1.0 { Labels::AtRight } else { Labels::Inside },
        lines: lines.collect(),
    })
}

/// Width and height of a chart, from its view box.
fn size(svg: &str) -> (f64, f64) {
    let numbers = svg.split(r#"viewBox="0 0 "#).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("472 360");
    let mut numbers = numbers.split(' ').filter_map(|number| number.parse().ok());
    (numbers.next().unwrap_or(472.0), numbers.next().unwrap_or(360.0))
}

/// Names that fit beside a line.
fn short(name: &str) -> &str {
    match name {
        IDEAL_FORMULA => "ideal by formula",
        RANDOM_FORMULA => "random by formula",
        "similarity:breadth-first" => "topic first",
        "similarity-near:breadth-first" => "topic and near",
        _ => name,
    }
}

fn look(name: &str, at: usize) -> Look {
    let (tint, dashes, weight): (Tint, &'static [u8], Weight) = match name {
        "blend" => (Tint::Blue, &[], Weight::Heaviest),
        "expected" => (Tint::Blue, &[2, 2], Weight::Important),
        "similarity:breadth-first" => (Tint::Blue, &[], Weight::Important),
        "breadth-first" => (Tint::Vermilion, &[9, 4], Weight::Important),
        "pagerank" => (Tint::Green, &[3, 3], Weight::Important),
        "pagerank-whole" => (Tint::Green, &[], Weight::Important),
        "behavior" | "similarity-near:breadth-first" => (Tint::Purple, &[11, 3, 2, 3], Weight::Important),
        "url-visit" | "location" => (Tint::Orange, &[16, 3], Weight::Important),
        "backlink" => (Tint::Blue, &[7, 2, 2, 2, 2, 2], Weight::Important),
        "ideal" | IDEAL_FORMULA => (Tint::Ink, &[], Weight::Important),
        // How much was learnt from.
        "no log" => (Tint::Gray, &[], Weight::Important),
        "one day" => (Tint::Vermilion, &[2, 3], Weight::Important),
        "a week" => (Tint::Orange, &[9, 4], Weight::Important),
        "a month" => (Tint::Green, &[3, 3], Weight::Important),
        "half a year" => (Tint::Purple, &[11, 3, 2, 3], Weight::Important),
        "all of it" => (Tint::Blue, &[], Weight::Heaviest),
        "random" => (Tint::Gray, &[2, 5], Weight::Important),
        RANDOM_FORMULA => (Tint::Gray, &[], Weight::Important),
        _ => return Look::thin(at),
    };
    Look { tint, dashes, weight }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_panels_stand_side_by_side_on_white() {
        let curve = vec![[0.0, 0.0], [1.0, 1.0]];
        let panel = |title: &str| Panel {
            title: title.to_owned(),
            y_title: "y",
            span: Span::Whole,
            curves: vec![("random", &curve)],
        };
        let svg = picture("p", &[10, 20], &[panel("left"), panel("right")]);
        assert!(svg.contains(r#"<svg xmlns="http://www.w3.org/2000/svg" x="486""#), "{svg}");
        assert!(svg.contains("pages fetched, of 20") && svg.contains("#ffffff"));
        assert_eq!(svg.matches("<svg").count(), 3);
    }
}
