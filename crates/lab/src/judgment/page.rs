//! How good the order was, by what people read: a sentence, curves and a table.

use std::fmt::Write as _;

use trodden_report::chart::{Axis, Chart, Labels, Line, Look, Tint, Weight, draw};
use trodden_report::number::{NONE, area, counted, percent, spoken, thousands};
use trodden_report::page::{Cell, push_table, unbroken};
use trodden_report::text::Escaped;

use super::words::HEADS;
use super::{JudgedCrawl, Judgment, conclusion};

/// A part of the page of a crawl.
#[must_use]
pub fn section(of: &Judgment) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<h2>Was the order any good?</h2>\n<p>{}</p>\n<p class=\"soft\">Judged by {} of {} to the {} that were fetched; {} more to other URLs.</p>",
        Escaped(&unbroken(&conclusion(of))),
        counted(of.traffic, "visit"),
        counted(of.readers, "reader"),
        counted(of.pages, "page"),
        thousands(of.elsewhere),
    );
    let Some(ideal) = &of.ideal else { return out };
    let looks = [
        Look { tint: Tint::Blue, dashes: &[], weight: Weight::Heaviest },
        Look { tint: Tint::Vermilion, dashes: &[9, 4], weight: Weight::Important },
    ];
    let line = |crawl: &'_ JudgedCrawl| crawl.pages_for.four_fifths.map(|share| format!("80 % at {}", spoken(share)));
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (crawl, look) in of.crawls.iter().zip(looks) {
        lines.push(Line { name: &crawl.name, remark: line(crawl).unwrap_or_default(), points: &crawl.curve, look });
    }
    let look = Look { tint: Tint::Ink, dashes: &[], weight: Weight::Important };
    lines.push(Line { name: "ideal", remark: line(ideal).unwrap_or_default(), points: &ideal.curve, look });
    let chart = draw(&Chart {
        id: "judged",
        title: "What people read, by the log",
        x_title: &format!("pages fetched, of {}", thousands(of.pages)),
        y_title: "visits to them",
        until: 1.0,
        axis: Axis::Linear,
        labels: Labels::Inside,
        lines,
    });
    let _ = writeln!(out, "<figure>\n<div class=\"panels single\">\n<div>{chart}</div>\n</div>\n</figure>");
    let rows = of.crawls.iter().chain([ideal]).map(row);
    push_table(&mut out, &HEADS, rows, 0);
    out
}

fn row(crawl: &JudgedCrawl) -> Vec<Cell> {
    let none = || (NONE.to_owned(), String::new());
    let share = |share: Option<f64>| share.map_or_else(none, |it| (format!("{} %", percent(it, 1)), it.to_string()));
    vec![
        (crawl.name.clone(), crawl.name.clone()),
        (thousands(crawl.fetched), crawl.fetched.to_string()),
        share(crawl.share),
        crawl.auc.map_or_else(none, |it| (area(it), it.to_string())),
        crawl
            .auc_interval
            .map_or_else(none, |[low, high]| (format!("{} to {}", area(low), area(high)), low.to_string())),
        share(crawl.pages_for.half),
        share(crawl.pages_for.four_fifths),
        share(crawl.pages_for.nine_tenths),
    ]
}
