//! How are tables and curves written for spreadsheets and data frames?
//!
//! RFC 4180 with line feeds. Shares are fractions, as in JSON. What is no number is empty.

use std::fmt::Write as _;

use trodden_report::csv::{number, push_row, quoted};

use crate::result::{Comparison, Curve, PagesFor, PolicyResult};

/// A row a policy: areas, intervals, pages needed; then its area by every metric of importance.
#[must_use]
pub fn table_csv(comparison: &Comparison) -> String {
    let mut head: Vec<String> = [
        "policy",
        "oracle",
        "fetched",
        "auc",
        "auc_low",
        "auc_high",
        "ahead_of_breadth_first_low",
        "ahead_of_breadth_first_high",
        "pages_for_50",
        "pages_for_80",
        "pages_for_90",
        "cold_auc",
        "cold_auc_low",
        "cold_auc_high",
        "cold_pages_for_50",
        "cold_pages_for_80",
        "cold_pages_for_90",
        "discovered_auc",
        "discovered_for_50",
        "discovered_for_80",
        "discovered_for_90",
        "requests",
        "changed",
        "seconds",
    ]
    .map(str::to_owned)
    .to_vec();
    head.extend(comparison.importance.iter().map(|metric| format!("{}_threshold_auc", metric.metric)));
    let mut out = String::new();
    push_row(&mut out, &head);
    for policy in &comparison.policies {
        push_row(&mut out, &row(comparison, policy));
    }
    out
}

fn row(comparison: &Comparison, policy: &PolicyResult) -> Vec<String> {
    let ends =
        |interval: Option<[f64; 2]>| [number(interval.map(|ends| ends[0])), number(interval.map(|ends| ends[1]))];
    let pages = |pages: PagesFor| [pages.half, pages.four_fifths, pages.nine_tenths].map(number);
    let mut row = vec![policy.name.clone(), policy.oracle.to_string(), policy.fetched.to_string(), number(policy.auc)];
    row.extend(ends(policy.auc_interval));
    row.extend(ends(policy.ahead_of_breadth_first));
    row.extend(pages(policy.pages_for));
    row.push(number(policy.cold_auc));
    row.extend(ends(policy.cold_auc_interval));
    row.extend(pages(policy.cold_pages_for));
    row.push(number(policy.discovered_auc));
    row.extend(pages(policy.discovered_for));
    row.extend([policy.requests.to_string(), policy.changed.to_string(), number(Some(policy.seconds))]);
    row.extend(comparison.importance.iter().map(|metric| {
        let curves = metric.policies.iter().find(|curves| curves.name == policy.name);
        number(curves.map(|curves| curves.threshold_auc))
    }));
    row
}

/// A row a point: `policy,curve,x,y`. Curves are `traffic`, `cold` and `discovered`, and for every metric of importance
/// `METRIC/crawl-and-stop`, `METRIC/threshold` and `METRIC/buffer`.
#[must_use]
pub fn curves_csv(comparison: &Comparison) -> String {
    let mut out = String::from("policy,curve,x,y\n");
    for policy in &comparison.policies {
        push_curve(&mut out, &policy.name, "traffic", &policy.curve);
        push_curve(&mut out, &policy.name, "cold", &policy.cold_curve);
        push_curve(&mut out, &policy.name, "discovered", &policy.discovered_curve);
    }
    for metric in &comparison.importance {
        let named = |model: &str| format!("{}/{model}", metric.metric);
        for policy in &metric.policies {
            push_curve(&mut out, &policy.name, &named("crawl-and-stop"), &policy.crawl_and_stop);
            push_curve(&mut out, &policy.name, &named("threshold"), &policy.threshold);
            if let Some(buffer) = &policy.buffer {
                push_curve(&mut out, &policy.name, &named("buffer"), buffer);
            }
        }
    }
    out
}

fn push_curve(out: &mut String, policy: &str, curve: &str, points: &Curve) {
    let start = format!("{},{}", quoted(policy), quoted(curve));
    for [x, y] in points.iter().filter(|point| point.iter().all(|x| x.is_finite())) {
        let _ = writeln!(out, "{start},{x},{y}");
    }
}
