//! What is written for a chart?
//!
//! All looks are attributes, so that a chart also stands alone; the style sheet of a page may overrule them by class,
//! as it does on a dark ground. Every line is drawn twice: as it looks, and wide but unseen, so that a pointer finds it
//! and its name is told.

use std::fmt::Write as _;

use super::axis::{Axis, tick_text};
use super::label::{Place, Rectangle, Way, inside, spread, text_width};
use super::look::{Look, Weight};
use super::polyline::{clipped, simplified};
use super::{Chart, Labels, Line};
use crate::text::Escaped;

/// Below the plot.
const BELOW: f64 = 44.0;

/// Where the plot is and how wide the chart, in pixels: with room to its right for half the number of a tick, or for
/// names. Both are about as wide, so that they are as legible on a phone, where each takes the whole width.
fn layout(labels: Labels) -> (Rectangle, f64) {
    let (right, margin) = if labels == Labels::AtRight { (388.0, 108.0) } else { (450.0, 22.0) };
    (Rectangle { left: 50.0, top: 46.0, right, bottom: 316.0 }, right + margin)
}

/// Of text.
const SIZE: f64 = 12.0;

/// A line in pixels.
struct Drawn<'c> {
    line: &'c Line<'c>,
    number: usize,
    points: Vec<[f64; 2]>,
    ends_early: bool,
}

/// The chart as SVG.
#[must_use]
pub fn draw(chart: &Chart<'_>) -> String {
    let (plot, width) = layout(chart.labels);
    let height = plot.bottom + BELOW;
    let mut out = String::new();
    let _ = write!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{}" font-family="system-ui, sans-serif" font-size="{SIZE}" fill="#222222">"##,
        Escaped(chart.title),
    );
    axes(&mut out, chart, plot);
    let mut drawn: Vec<Drawn<'_>> =
        chart.lines.iter().enumerate().map(|(at, line)| pixels(chart, plot, at, line)).collect();
    drawn.sort_by_key(|drawn| drawn.line.look.weight);
    for drawn in &drawn {
        curve(&mut out, chart.id, drawn);
    }
    match chart.labels {
        Labels::Inside => names_inside(&mut out, &drawn, plot),
        Labels::AtRight => names_at_right(&mut out, &drawn, plot, width),
        Labels::None => {}
    }
    out.push_str("</svg>\n");
    out
}

/// A short piece of a line, for a legend.
#[must_use]
pub fn swatch(look: Look) -> String {
    format!(
        r#"<svg class="swatch" viewBox="0 0 40 10" width="40" height="10" aria-hidden="true"><g {}><path d="M1 5H39"/></g></svg>"#,
        look.attributes()
    )
}

fn y_of(plot: Rectangle, share: f64) -> f64 {
    plot.bottom - share.clamp(0.0, 1.0) * (plot.bottom - plot.top)
}

fn x_of(chart: &Chart<'_>, plot: Rectangle, share: f64) -> f64 {
    plot.left + chart.axis.at(share, chart.until) * (plot.right - plot.left)
}

fn pixels<'c>(chart: &Chart<'_>, plot: Rectangle, number: usize, line: &'c Line<'c>) -> Drawn<'c> {
    let points = clipped(line.points, chart.until);
    let ends_early = points.last().is_some_and(|last| last[0] < chart.until * 0.995);
    let points: Vec<[f64; 2]> = points.iter().map(|[x, y]| [x_of(chart, plot, *x), y_of(plot, *y)]).collect();
    Drawn { line, number, points: simplified(&points), ends_early }
}

fn axes(out: &mut String, chart: &Chart<'_>, plot: Rectangle) {
    let Rectangle { left, top, right, bottom } = plot;
    let _ = write!(
        out,
        r#"<text class="title" x="2" y="15" font-weight="600" font-size="13">{}</text><text class="axis" x="2" y="36">{}</text>"#,
        Escaped(chart.title),
        Escaped(chart.y_title)
    );
    let grid = r##"class="grid" stroke="#d9d9d9" stroke-width="1""##;
    for share in Axis::Linear.ticks(1.0) {
        let y = y_of(plot, share);
        let _ = write!(
            out,
            r#"<path {grid} d="M{left} {y:.1}H{right}"/><text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
            left - 6.0,
            y + 4.0,
            tick_text(share)
        );
    }
    for share in chart.axis.ticks(chart.until) {
        let x = x_of(chart, plot, share);
        let _ = write!(
            out,
            r#"<path {grid} d="M{x:.1} {top}V{bottom}"/><text class="tick" x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            bottom + 18.0,
            tick_text(share)
        );
    }
    let _ = write!(
        out,
        r##"<path class="frame" fill="none" stroke="#555555" d="M{left} {top}V{bottom}H{right}"/><text class="axis" x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>"##,
        f64::midpoint(left, right),
        bottom + 38.0,
        Escaped(chart.x_title)
    );
}

fn curve(out: &mut String, chart: &str, drawn: &Drawn<'_>) {
    let Some(([x, y], rest)) = drawn.points.split_first() else {
        return;
    };
    let mut path = format!("M{x:.1} {y:.1}L");
    for [x, y] in rest {
        let _ = write!(path, "{x:.1} {y:.1} ");
    }
    let path = path.trim_end_matches([' ', 'L']);
    let (number, line) = (drawn.number, drawn.line);
    let remark = if line.remark.is_empty() { String::new() } else { format!(": {}", Escaped(&line.remark)) };
    let _ = write!(
        out,
        r##"<g {} stroke-linejoin="round" data-line="{number}"><title>{}{remark}</title><path id="{chart}-{number}" d="{path}"/><use class="pointed" href="#{chart}-{number}" stroke="transparent" stroke-width="9" stroke-dasharray="none"/>"##,
        line.look.attributes(),
        Escaped(line.name),
    );
    if drawn.ends_early
        && let Some([x, y]) = drawn.points.last()
    {
        let radius = line.look.width() + 0.8;
        let _ = write!(out, r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" stroke-dasharray="none"/>"#);
    }
    out.push_str("</g>");
}

fn is_named(drawn: &Drawn<'_>) -> bool {
    drawn.line.look.weight > Weight::Thin && !drawn.points.is_empty()
}

fn names_inside(out: &mut String, drawn: &[Drawn<'_>], plot: Rectangle) {
    // The heaviest first: it is the one that must have its name.
    let mut order: Vec<&Drawn<'_>> = drawn.iter().collect();
    order.sort_by_key(|drawn| std::cmp::Reverse(drawn.line.look.weight));
    let ways: Vec<Way<'_>> = order
        .iter()
        .map(|drawn| Way { points: &drawn.points, name: is_named(drawn).then_some(drawn.line.name) })
        .collect();
    for (drawn, place) in order.iter().zip(inside(&ways, plot, SIZE)) {
        let Some(Place { text: [x, y], leader: [from, to] }) = place else { continue };
        let _ = write!(
            out,
            r##"<g {} data-line="{number}"><path stroke-width="1.2" stroke-dasharray="none" d="M{:.1} {:.1}L{:.1} {:.1}"/></g><text class="name halo" x="{x:.1}" y="{:.1}" data-line="{number}" font-weight="{}" stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke">{}</text>"##,
            drawn.line.look.attributes(),
            from[0],
            from[1],
            to[0],
            to[1],
            y + 4.0,
            boldness(drawn.line.look),
            Escaped(drawn.line.name),
            number = drawn.number,
        );
    }
}

fn names_at_right(out: &mut String, drawn: &[Drawn<'_>], plot: Rectangle, width: f64) {
    let named: Vec<&Drawn<'_>> = drawn.iter().filter(|drawn| is_named(drawn)).collect();
    let ends: Vec<[f64; 2]> = named.iter().filter_map(|drawn| drawn.points.last().copied()).collect();
    let wished: Vec<f64> = ends.iter().map(|end| end[1]).collect();
    let heights = spread(&wished, SIZE + 3.0, plot.top, plot.bottom);
    for ((drawn, end), height) in named.iter().zip(ends).zip(heights) {
        let x = plot.right + 16.0;
        let _ = write!(
            out,
            r#"<g {} data-line="{}"><path stroke-width="1.5" stroke-dasharray="none" d="M{:.1} {:.1}L{:.1} {height:.1}"/></g><text class="name" x="{:.1}" y="{:.1}" data-line="{}" font-weight="{}">{}</text>"#,
            drawn.line.look.attributes(),
            drawn.number,
            end[0] + 1.0,
            end[1],
            x - 2.0,
            x + 1.0,
            height + 4.0,
            drawn.number,
            boldness(drawn.line.look),
            Escaped(&cut(drawn.line.name, width - x - 2.0))
        );
    }
}

fn boldness(look: Look) -> u16 {
    if look.weight == Weight::Heaviest { 700 } else { 400 }
}

/// As much of a name as fits.
fn cut(name: &str, width: f64) -> String {
    if text_width(name, SIZE) <= width {
        return name.to_owned();
    }
    let mut kept = String::new();
    for c in name.chars() {
        kept.push(c);
        if text_width(&kept, SIZE) + SIZE > width {
            kept.pop();
            break;
        }
    }
    format!("{}…", kept.trim_end())
}
