//! Charts of interest as one self-contained page: pages as small multiples, sites as histograms.
//!
//! A chart of a page has its bins as bars, the curve as a line, and shades the share of interest that comes within n days of
//! its birth. A histogram of a site has its pages by Φ(1), in ten bars.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use trodden_mining::interest::{Bin, Interest, InterestCurve, TemporalRule};

use super::findings::Findings;
use crate::args::TemporalArgs;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 110.0;
const LEFT: f64 = 34.0;
const BOTTOM: f64 = 18.0;
const TOP: f64 = 6.0;

/// Points of a curve between two bins.
const POINTS_A_BIN: usize = 4;

/// The whole page, by the rule that was used: the typed one or a tuned one.
pub(super) fn page(found: &Findings<'_>, rule: TemporalRule, args: &TemporalArgs) -> Result<String> {
    let pages = chosen(found, args)?;
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Interest</title>\n<style>\
         body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:66rem;padding:0 1rem;color:#222;background:#fff}\
         .grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(19rem,1fr));gap:1rem}\
         figure{margin:0}figcaption{font-size:12px;overflow-wrap:anywhere}small{color:#666}svg{width:100%;height:auto}\
         </style>\n<h1>What do people read while it is new?</h1>\n",
    );
    let judged = found.judged.pages.iter().filter(|page| page.interest.is_ok()).count();
    let temporal = found.judged.pages.iter().filter(|page| page.is_temporal).count();
    let _ = writeln!(
        out,
        "<p>{temporal} of {judged} pages are temporal: more than {:.0} % of their interest comes within {} days of their birth. \
         Bars are views a bin of {}, the line is the curve that fits best, and shaded is what it has within {} days.</p>",
        100.0 * rule.share,
        rule.days,
        args.bin.in_words(),
        rule.days,
    );
    let sites: Vec<usize> = found.listed.iter().copied().filter(|site| found.site_may_be_named(*site)).collect();
    if !sites.is_empty() {
        out.push_str("<h2>Sites: pages by the share of their interest within one day of birth, Φ(1)</h2>\n<div class=\"grid\">\n");
        sites.iter().for_each(|site| histogram(&mut out, found, *site));
        out.push_str("</div>\n");
    }
    out.push_str("<h2>Pages</h2>\n<div class=\"grid\">\n");
    for place in pages {
        if let Ok(interest) = found.judged.pages[place].interest {
            figure(&mut out, found, place, &interest, rule.days);
        }
    }
    out.push_str("</div>\n</html>\n");
    Ok(out)
}

/// The pages that were asked for, else temporal and other ones in turn.
fn chosen(found: &Findings<'_>, args: &TemporalArgs) -> Result<Vec<usize>> {
    if args.charts.is_empty() {
        let (temporal, others): (Vec<usize>, Vec<usize>) =
            found.named_pages().into_iter().partition(|place| found.judged.pages[*place].is_temporal);
        let half = args.top.div_ceil(2);
        return Ok(temporal.into_iter().take(half).chain(others.into_iter().take(half)).collect());
    }
    let mut places = Vec::new();
    for asked in &args.charts {
        let name = asked.trim_start_matches("https://").trim_start_matches("http://");
        let name = name.strip_prefix("www.").unwrap_or(name);
        let place = found.table.pages.binary_search_by(|page| page.page.as_str().cmp(name));
        match place {
            Ok(place) if found.may_be_named(place) => places.push(place),
            _ => bail!("--chart {asked}: there is no such page, or it may not be named (--public)"),
        }
    }
    Ok(places)
}

struct Scale {
    bins: f64,
    most: f64,
}

impl Scale {
    fn x(&self, bin: f64) -> f64 {
        LEFT + (WIDTH - LEFT - 4.0) * bin / self.bins
    }

    fn y(&self, views: f64) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (views / self.most).min(1.0)
    }
}

fn begin(out: &mut String, label: &str) {
    let _ = write!(
        out,
        "<figure><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"10\" fill=\"#555\">",
        escaped(label)
    );
}

fn axis(out: &mut String, left: &str, right: &str, most: &str) {
    let base = HEIGHT - BOTTOM;
    let _ = write!(
        out,
        "<path d=\"M{LEFT} {base}H{}\" stroke=\"#999\"/><text x=\"{LEFT}\" y=\"{}\">{left}</text>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{right}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{most}</text>\
         <text x=\"{}\" y=\"{base}\" text-anchor=\"end\">0</text>",
        WIDTH - 4.0,
        HEIGHT - 5.0,
        WIDTH - 4.0,
        HEIGHT - 5.0,
        LEFT - 4.0,
        TOP + 8.0,
        LEFT - 4.0,
    );
}

fn figure(out: &mut String, found: &Findings<'_>, place: usize, interest: &Interest, days: f64) {
    let page = &found.table.pages[place];
    let bins = &page.bins[found.window.clone()];
    let curve = interest.fitted().curve;
    let bins_a_day = found.table.bins_a_day();
    let most = bins.iter().filter_map(|bin| bin.views()).fold(1.0, f64::max);
    let scale = Scale { bins: bins.len() as f64, most };
    begin(out, &page.page);
    bars(out, bins, &scale);
    line(out, &curve, &scale, days * bins_a_day);
    axis(out, "0", &format!("{:.0} days", bins.len() as f64 / bins_a_day), &format!("{most:.0}"));
    let kind = match (found.judged.pages[place].is_temporal, interest.is_curve()) {
        (true, _) => "temporal",
        (false, true) => "not temporal",
        (false, false) => "flat",
    };
    let _ = writeln!(
        out,
        "</svg><figcaption>{}<br><small>{kind}; Φ({}) = {:.2}, Φ(1) = {:.2}, half within {:.1} days; R² {:.2}</small></figcaption></figure>",
        escaped(&page.page),
        days,
        curve.share_within(days * bins_a_day),
        curve.share_within(bins_a_day),
        curve.half_life() / bins_a_day,
        interest.fitted().r_squared,
    );
}

/// Bins as bars; gaps are hatched lines at the bottom, so that they are not taken for zeros.
fn bars(out: &mut String, bins: &[Bin], scale: &Scale) {
    let width = scale.x(1.0) - scale.x(0.0);
    let (mut seen, mut gaps) = (String::new(), String::new());
    for (bin, views) in bins.iter().enumerate() {
        let x = scale.x(bin as f64);
        match views.views() {
            Some(views) if views > 0.0 => {
                let y = scale.y(views);
                let _ = write!(
                    seen,
                    "M{x:.1} {:.1}V{y:.1}h{:.2}V{:.1}z",
                    scale.y(0.0),
                    (width - 0.4).max(0.4),
                    scale.y(0.0)
                );
            }
            Some(_) => {}
            None => {
                let _ = write!(gaps, "M{x:.1} {:.1}h{width:.2}", scale.y(0.0) + 2.0);
            }
        }
    }
    let _ =
        write!(out, "<path d=\"{seen}\" fill=\"#b9c7d6\"/><path d=\"{gaps}\" stroke=\"#d55e00\" stroke-width=\"2\"/>");
}

/// The curve, and what it has within so many bins of its birth, shaded.
fn line(out: &mut String, curve: &InterestCurve, scale: &Scale, within: f64) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bins of a window")]
    let points = scale.bins as usize * POINTS_A_BIN;
    let (mut path, mut shade) = (String::new(), String::new());
    let until = curve.birth + within;
    for point in 0..=points {
        let at = point as f64 / POINTS_A_BIN as f64;
        // Views of a bin around the point, so that the line can be compared with the bars.
        let views = curve.views_between(at - 0.5, at + 0.5);
        let (x, y) = (scale.x(at), scale.y(views));
        let _ = write!(path, "{}{x:.1} {y:.1}", if point == 0 { "M" } else { "L" });
        if at >= curve.birth && at <= until {
            let _ = write!(shade, "{}{x:.1} {y:.1}", if shade.is_empty() { "M" } else { "L" });
        }
    }
    if !shade.is_empty() {
        let (start, end) = (curve.birth.max(0.0), until.min(scale.bins));
        let base = scale.y(0.0);
        let _ = write!(
            out,
            "<path d=\"{shade}L{:.1} {base:.1}L{:.1} {base:.1}z\" fill=\"#0072b2\" fill-opacity=\"0.25\"/>",
            scale.x(end),
            scale.x(start)
        );
    }
    let _ = write!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"1.5\"/>");
}

fn histogram(out: &mut String, found: &Findings<'_>, site: usize) {
    const BARS: usize = 10;
    let bins_a_day = found.table.bins_a_day();
    let mut counts = [0_u32; BARS];
    let pages = found.judged.pages.iter().zip(&found.groups.site_of).filter(|(_, of)| **of as usize == site);
    for interest in pages.filter_map(|(page, _)| page.interest.ok()) {
        // Flat interest has no birth to speak of.
        let share = if interest.is_curve() { interest.fitted().curve.share_within(bins_a_day) } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share is between 0 and 1")]
        let bar = (share * BARS as f64) as usize;
        counts[bar.min(BARS - 1)] += 1;
    }
    let most = f64::from(counts.iter().copied().max().unwrap_or(1).max(1));
    let scale = Scale { bins: BARS as f64, most };
    let name = &found.groups.sites.names()[site];
    let name = if name.is_empty() { "all pages" } else { name };
    begin(out, name);
    let width = scale.x(1.0) - scale.x(0.0) - 2.0;
    for (bar, count) in counts.iter().enumerate() {
        let y = scale.y(f64::from(*count));
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"#0072b2\"/>",
            scale.x(bar as f64),
            scale.y(0.0) - y
        );
    }
    axis(out, "Φ(1) = 0", "1", &format!("{most:.0}"));
    let score = &found.judged.groups[site];
    let _ = writeln!(
        out,
        "</svg><figcaption>{}<br><small>{} of {} pages temporal, score {:.2}</small></figcaption></figure>",
        escaped(name),
        score.temporal_pages,
        score.pages,
        score.score(found.weights)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
