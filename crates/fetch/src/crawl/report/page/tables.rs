//! The tables of a crawl.

use std::fmt::Write as _;

use trodden_report::number::{NONE, counted, percent, thousands};
use trodden_report::page::{Cell, push_table};
use trodden_report::text::{Breakable, Escaped};

use super::{cut, words};
use crate::crawl::report::{CrawlReport, FetchedPage, GroupedBy};

fn text(text: &str) -> Cell {
    (cut(text), cut(text))
}

fn count(n: u64) -> Cell {
    (thousands(n), n.to_string())
}

fn size(bytes: u64) -> Cell {
    (words::size(bytes), bytes.to_string())
}

fn time(ms: u64) -> Cell {
    (words::time(ms), ms.to_string())
}

fn share(part: f64, whole: f64) -> Cell {
    if whole > 0.0 {
        (format!("{} %", percent(part / whole, 1)), part.to_string())
    } else {
        (NONE.to_owned(), String::new())
    }
}

/// Pages, bytes and traffic of patterns or sections.
pub(super) fn push_groups(out: &mut String, of: &CrawlReport) {
    if of.groups.rows.is_empty() {
        return;
    }
    let (title, head) = match of.grouped_by {
        GroupedBy::Pattern => ("By pattern", "pattern"),
        GroupedBy::Section => ("By section", "section"),
    };
    let _ = writeln!(out, "<h2>{title}</h2>");
    let visits = of.traffic.as_ref().map(|traffic| traffic.visits);
    let mut heads = vec![head, "pages", "of all", "bytes"];
    heads.extend(visits.map(|_| "traffic<br/>fetched"));
    #[expect(clippy::cast_precision_loss, reason = "shares are shown with one decimal")]
    let rows = of.groups.rows.iter().map(|group| {
        let mut row =
            vec![text(&group.name), count(group.pages), share(group.pages as f64, of.pages as f64), size(group.bytes)];
        row.extend(visits.map(|visits| share(group.visits, visits)));
        row
    });
    push_table(out, &heads, rows, of.groups.left_out);
}

/// What came of requests, and examples of what went wrong.
pub(super) fn push_outcomes(out: &mut String, of: &CrawlReport) {
    if of.outcomes.is_empty() && of.put_off.is_empty() {
        return;
    }
    out.push_str("<h2>Outcomes</h2>\n");
    if !of.outcomes.is_empty() {
        let rows = of.outcomes.iter().map(|outcome| vec![text(&outcome.kind), count(outcome.count)]);
        push_table(out, &["outcome", "URLs"], rows, 0);
    }
    if !of.put_off.is_empty() {
        let rows = of.put_off.iter().map(|(kind, tries)| vec![text(kind), count(*tries)]);
        push_table(out, &["deferred", "tries"], rows, 0);
    }
    for outcome in of.outcomes.iter().filter(|outcome| !outcome.examples.is_empty()) {
        let _ = writeln!(
            out,
            "<h3>{}</h3>\n<ul class=\"urls\">",
            Escaped(&format!("{}: {}", outcome.kind, counted(outcome.count, "URL")))
        );
        for (url, from) in &outcome.examples {
            let _ = write!(out, "<li><code>{}</code>", Breakable(&cut(url)));
            if let Some(from) = from {
                let _ =
                    write!(out, "<br/><span class=\"soft\">linked from <code>{}</code></span>", Breakable(&cut(from)));
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ul>\n");
    }
}

/// What readers get no page from, and where it is linked.
pub(super) fn push_broken(out: &mut String, of: &CrawlReport) {
    if of.broken.rows.is_empty() {
        return;
    }
    out.push_str(
        "<h2>Broken links</h2>\n<p class=\"soft\">A reader who follows one of these links gets no page. \
         <code>trodden report DIR --broken FILE</code> lists all of them, with every page that has one.</p>\n",
    );
    let rows = of.broken.rows.iter().map(|broken| {
        let answer =
            if broken.status == 0 { broken.outcome.clone() } else { format!("{} {}", broken.status, broken.outcome) };
        let linked = broken.linked.map_or((NONE.to_owned(), String::new()), count);
        let pages: Vec<String> = broken.pages.iter().map(|page| cut(page)).collect();
        vec![text(&broken.url), text(&answer), linked, (pages.join("\n"), pages.join(" "))]
    });
    push_table(out, &["URL", "outcome", "pages with<br/>a link", "linked from"], rows, of.broken.left_out);
}

/// How hosts answered.
pub(super) fn push_hosts(out: &mut String, of: &CrawlReport) {
    if of.hosts.rows.is_empty() {
        return;
    }
    out.push_str(
        "<h2>Hosts, the slowest first</h2>\n<p class=\"soft\">Delay: the pause from an answer to the next request, by the settings or by robots.txt, whichever is longer. A throttled host waits longer.</p>\n",
    );
    let rows = of.hosts.rows.iter().map(|host| {
        vec![
            text(&host.host),
            count(host.requests),
            time(host.mean_ms),
            time(host.most_ms),
            time(host.delay_ms),
            count(host.errors),
        ]
    });
    push_table(
        out,
        &["host", "requests", "mean<br/>time", "95th<br/>percentile", "delay", "errors"],
        rows,
        of.hosts.left_out,
    );
}

/// Large pages and slow ones.
pub(super) fn push_pages(out: &mut String, of: &CrawlReport) {
    for (title, pages) in [("The largest pages", &of.largest), ("The slowest pages", &of.slowest)] {
        if pages.is_empty() {
            continue;
        }
        let _ = writeln!(out, "<h2>{title}</h2>");
        let row = |page: &FetchedPage| vec![text(&page.url), size(page.bytes), time(page.took_ms)];
        push_table(out, &["URL", "bytes", "took"], pages.iter().map(row), 0);
    }
}

/// What waits.
pub(super) fn push_waiting(out: &mut String, of: &CrawlReport) {
    if of.waiting.rows.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<h2>Waiting URLs</h2>\n<p class=\"soft\">{} of the {} that are known.</p>",
        counted(of.waiting_in_all, "URL"),
        thousands(of.known)
    );
    let rows = of.waiting.rows.iter().map(|(host, n)| vec![text(host), count(*n)]);
    push_table(out, &["host", "URLs"], rows, of.waiting.left_out);
}

/// The options and settings of the crawl.
pub(super) fn push_settings(out: &mut String, of: &CrawlReport) {
    out.push_str("<h2>Settings</h2>\n<dl class=\"record\">\n");
    for (name, value) in &of.settings {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", Escaped(&cut(name)), Escaped(&cut(value)));
    }
    out.push_str("</dl>\n");
}
