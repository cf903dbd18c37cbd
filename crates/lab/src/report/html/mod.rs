//! What does the page of an experiment say, and in which order?
//!
//! The conclusion; what to beware of; the numbers behind the conclusion as bars; the curves of traffic; the table; the
//! plot of visits foretold and seen; the curves of importance; what did not run; how to read it all; and what was run, so that it can be run again.
//!
//! One file, and nothing in it is fetched from elsewhere: a policy in its head forbids it. It reads the same without
//! its script, which only sorts the table and hides curves. It is well-formed XML too, so that a test can prove that
//! every text stays in its place: names and URLs come from outside.

mod calibration;
mod figure;
mod importance;
mod requests;
mod tables;
mod traffic;

use std::fmt::Write as _;

use trodden_report::page::{end, head, unbroken};
use trodden_report::text::Escaped;

use super::conclusion::conclusion;
use super::standing::standings;
use super::table::{assumed, heading};
use crate::result::Comparison;

/// The words that a reader may not know.
const READING: [(&str, &str); 8] = [
    (
        "Traffic",
        "visits by people in the test period, which no policy has seen; shares are of the traffic to pages that can be reached from the start.",
    ),
    (
        "Curves",
        "the share of the traffic that is covered after a share of the site was fetched: a good order rises early.",
    ),
    (
        "Area (AUC)",
        "the area under a curve, between 0 and 1: the mean share of the traffic that is there, over the whole crawl. An order by chance has about 0.5.",
    ),
    (
        "Interval",
        "where 95 of 100 areas would be if the test had counted other users of the same kind. An order is ahead of breadth-first if the interval of their difference is above 0.",
    ),
    ("Cold", "traffic to URLs that nobody visited in training. What was counted there is of no direct use for them."),
    ("Discovered", "traffic to pages that are fetched or linked from a page that is: what a crawler knows of."),
    (
        "Ideal",
        "an order that knows the traffic of the test and takes the best page that a link leads to: no crawler can do that, and none can do better by much. In italics: policies that know what no crawler can know.",
    ),
    (
        "Hot pages",
        "pages at least as important as a threshold, by a metric of the whole graph. Crawl and stop: of K pages visited, how many are among the K most important.",
    ),
];

/// The page.
#[must_use]
pub fn html(comparison: &Comparison) -> String {
    let mut out = String::new();
    let title = if comparison.mirror.is_empty() {
        "Crawl orders compared".to_owned()
    } else {
        format!("Crawl orders compared on {}", comparison.mirror)
    };
    head(&mut out, &title);
    let _ = write!(
        out,
        "<h1>{}</h1>\n<p class=\"of\">{}</p>\n<p class=\"conclusion\">{}</p>\n",
        Escaped(&title),
        Escaped(&unbroken(&heading(comparison))),
        Escaped(&unbroken(&conclusion(comparison)))
    );
    if !comparison.assumed.is_empty() {
        let _ = writeln!(out, "<p class=\"soft\">{}</p>", Escaped(&assumed(comparison)));
    }
    if !comparison.warnings.is_empty() {
        let items = comparison.warnings.iter().map(|warning| format!("<li>{}</li>", Escaped(warning)));
        let _ = writeln!(out, "<ul class=\"warnings\">{}</ul>", items.collect::<String>());
    }
    let standings = standings(comparison);
    traffic::push(&mut out, comparison, &standings);
    tables::push_policies(&mut out, comparison);
    requests::push(&mut out, comparison);
    calibration::push(&mut out, comparison, &standings);
    importance::push(&mut out, comparison, &standings);
    push_left_out(&mut out, comparison);
    push_reading(&mut out);
    push_record(&mut out, comparison);
    end(&mut out);
    out
}

fn push_left_out(out: &mut String, of: &Comparison) {
    if of.left_out.is_empty() {
        return;
    }
    out.push_str("<h2>What did not run, and why</h2>\n<dl class=\"record\">\n");
    for left in &of.left_out {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", Escaped(&left.name), Escaped(&left.why));
    }
    out.push_str("</dl>\n");
}

fn push_reading(out: &mut String) {
    out.push_str("<h2>How to read this</h2>\n<dl class=\"reading\">\n");
    for (word, meaning) in READING {
        let _ = writeln!(out, "<dt>{word}</dt><dd>{meaning}</dd>");
    }
    out.push_str("</dl>\n");
}

fn push_record(out: &mut String, of: &Comparison) {
    let record = &of.record;
    out.push_str("<h2>What was run</h2>\n<dl class=\"record\">\n");
    let seed = record.seed.to_string();
    let fixed = [("version", record.version.as_str()), ("seed", seed.as_str())];
    let settings = record.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in fixed.into_iter().chain(settings) {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", Escaped(name), Escaped(value));
    }
    for (file, hash) in &record.inputs {
        let _ = writeln!(out, "<dt>input {}</dt><dd>{}</dd>", Escaped(file), Escaped(hash));
    }
    out.push_str("</dl>\n");
}
