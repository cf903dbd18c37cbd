//! URLs, requests and changes, where time passes.

use std::fmt::Write as _;

use trodden_report::text::Escaped;

use crate::report::table::requests::{HEADS, MEANING, cells};
use crate::result::Comparison;

/// The table, if time passed.
pub(super) fn push(out: &mut String, of: &Comparison) {
    if of.assumed.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<h2>URLs, requests, changes</h2>\n<p class=\"soft\">{}</p>\n<div class=\"scroll\"><table>\n<thead><tr>",
        Escaped(MEANING)
    );
    for head in HEADS {
        let _ = write!(out, "<th scope=\"col\">{head}</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for policy in &of.policies {
        out.push_str("<tr>");
        for cell in cells(policy) {
            let _ = write!(out, "<td>{}</td>", Escaped(&cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}
