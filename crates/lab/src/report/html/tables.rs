//! The table of policies, which sorts by any column where scripts run.

use std::fmt::Write as _;

use trodden_report::number::{NONE, area, signed, thousands};
use trodden_report::text::Escaped;

use crate::report::standing::{best, number};
use crate::report::table::{ahead, of_pages};
use crate::result::{Comparison, PolicyResult};

/// The heads of the columns; each may break before what stands in the second half.
const HEADS: [(&str, &str); 12] = [
    ("policy", ""),
    ("area", ""),
    ("95 %", "interval"),
    ("50 %", "of traffic"),
    ("80 %", "of traffic"),
    ("90 %", "of traffic"),
    ("cold", "area"),
    ("80 %", "of cold"),
    ("found", "area"),
    ("80 %", "found"),
    ("ahead of", "breadth-first"),
    ("pages", "fetched"),
];

/// A cell: what is read, and what it is sorted by.
type Cell = (String, String);

/// The table, if any policy can be judged by traffic.
pub(super) fn push_policies(out: &mut String, of: &Comparison) {
    if of.policies.iter().all(|policy| policy.auc.is_none() && policy.discovered_auc.is_none()) {
        return;
    }
    out.push_str(
        "<h2>The table</h2>\n<p class=\"soft\">Pages needed are in % of all pages. In italics: policies that know what no \
         crawler can know. In bold: the best that a crawler can run.</p>\n<div class=\"scroll\"><table class=\"sortable\">\n<thead><tr>",
    );
    for (first, second) in HEADS {
        let _ = write!(out, "<th scope=\"col\">{first}{}{second}</th>", if second.is_empty() { "" } else { "<br/>" });
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    let best = best(of).map(|policy| policy.name.as_str());
    for policy in &of.policies {
        let class = match policy {
            policy if policy.oracle => " class=\"oracle\"",
            policy if Some(policy.name.as_str()) == best => " class=\"best\"",
            _ => "",
        };
        let _ = write!(out, "<tr{class}>");
        for (text, value) in cells(of, policy) {
            let _ = write!(out, "<td data-value=\"{}\">{}</td>", Escaped(&value), Escaped(&text));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

fn cells(of: &Comparison, policy: &PolicyResult) -> [Cell; 12] {
    let value = |x: Option<f64>| number(x).map(|x| x.to_string()).unwrap_or_default();
    let as_area = |x: Option<f64>| (number(x).map_or_else(|| NONE.to_owned(), area), value(x));
    let as_pages = |x: Option<f64>| (of_pages(of, number(x)), value(x));
    let interval = policy.auc_interval;
    let lead = policy.ahead_of_breadth_first;
    let lead_text = match (ahead(policy), lead) {
        ("", _) | (_, None) => String::new(),
        (word, Some([low, high])) => format!("{word} ({} to {})", signed(low), signed(high)),
    };
    [
        (policy.name.clone(), policy.name.clone()),
        as_area(policy.auc),
        (
            interval.map_or_else(|| NONE.to_owned(), |[low, high]| format!("{}–{}", area(low), area(high))),
            value(interval.map(|ends| ends[0])),
        ),
        as_pages(policy.pages_for.half),
        as_pages(policy.pages_for.four_fifths),
        as_pages(policy.pages_for.nine_tenths),
        as_area(policy.cold_auc),
        as_pages(policy.cold_pages_for.four_fifths),
        as_area(policy.discovered_auc),
        as_pages(policy.discovered_for.four_fifths),
        (lead_text, value(lead.map(|ends| ends[0]))),
        (thousands(policy.fetched), policy.fetched.to_string()),
    ]
}
