//! The curves of a crawl: what people read by pages fetched, and pages by time.

use std::fmt::Write as _;

use trodden_report::chart::{Axis, Chart, Labels, Line, Look, Tint, Weight, draw, swatch};
use trodden_report::number::{counted, spoken, thousands};
use trodden_report::text::Escaped;

use super::words;
use crate::crawl::report::{CrawlReport, CrawlTraffic};

/// The panels, as far as there is something to draw.
pub(super) fn push(out: &mut String, of: &CrawlReport) {
    let mut panels = Vec::new();
    let mut legend = Vec::new();
    let traffic = of.traffic.as_ref().filter(|traffic| traffic.visits > 0.0 && traffic.curve.len() > 1);
    if let Some(traffic) = traffic {
        let lines = lines(traffic);
        legend = lines.iter().map(|line| (line.name.to_owned(), line.look)).collect();
        panels.push(draw(&Chart {
            id: "traffic",
            title: "What people read",
            x_title: &format!("pages fetched, of {}", thousands(of.pages)),
            y_title: "known traffic fetched",
            until: 1.0,
            axis: Axis::Linear,
            labels: Labels::Inside,
            lines,
        }));
    }
    if of.pace.len() > 1 {
        let look = Look { tint: Tint::Blue, dashes: &[], weight: Weight::Heaviest };
        panels.push(draw(&Chart {
            id: "pace",
            title: "Pages over time",
            x_title: &format!("time, of {}", words::time(of.span_ms)),
            y_title: &format!("pages fetched, of {}", thousands(of.pages)),
            until: 1.0,
            axis: Axis::Linear,
            labels: Labels::None,
            lines: vec![Line { name: "pages", remark: String::new(), points: &of.pace, look }],
        }));
    }
    if panels.is_empty() {
        return;
    }
    out.push_str("<h2>How it went</h2>\n<figure>\n");
    if let Some(traffic) = traffic {
        let _ = writeln!(out, "<figcaption>{}</figcaption>", Escaped(&caption(traffic)));
    }
    let _ = writeln!(out, "<div class=\"panels {}\">", if panels.len() == 1 { "single" } else { "pair" });
    for panel in panels {
        let _ = writeln!(out, "<div>{panel}</div>");
    }
    out.push_str("</div>\n");
    if !legend.is_empty() {
        out.push_str("<ul class=\"legend\">\n");
        for (name, look) in legend {
            let _ = writeln!(out, "<li class=\"important\">{}{}</li>", swatch(look), Escaped(&name));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</figure>\n");
}

fn lines(traffic: &CrawlTraffic) -> Vec<Line<'_>> {
    let look = |tint, dashes, weight| Look { tint, dashes, weight };
    let mut lines = vec![
        ("this crawl", &traffic.curve, look(Tint::Blue, &[][..], Weight::Heaviest)),
        ("as expected", &traffic.expected, look(Tint::Vermilion, &[9, 4], Weight::Important)),
        ("best order", &traffic.best, look(Tint::Ink, &[], Weight::Important)),
    ];
    lines.retain(|(_, points, _)| points.len() > 1);
    lines
        .into_iter()
        .map(|(name, points, look)| Line {
            name,
            remark: points.last().map(|end| format!("{} in the end", spoken(end[1]))).unwrap_or_default(),
            points,
            look,
        })
        .collect()
}

fn caption(traffic: &CrawlTraffic) -> String {
    let mut text = format!(
        "Share of the {} in the logs that was fetched, by pages fetched. Best order: the same pages, the most visited first.",
        visits_of(traffic.visits)
    );
    if traffic.expected.len() > 1 {
        text += " As expected: what the order expected of each page, scaled to end at the same share.";
    }
    text
}

fn visits_of(visits: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "visits, which are not negative")]
    let whole = visits.round() as u64;
    counted(whole, "visit")
}
