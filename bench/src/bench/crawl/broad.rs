//! What does a page cost in a crawl of many hosts, and does that grow with their number?
//!
//! nginx is a proxy for made-up hosts: `h` and a number of up to some digits. Each has ten pages, and links to the ten hosts whose
//! numbers have one digit more, so 1,110, 11,110 and 111,110 hosts are all numbers of up to three, four and five digits. Nothing lies
//! on disk: the pages are in nginx's configuration.

use std::path::Path;

use anyhow::{Result, bail};

use super::cores::Cores;
use super::nginx::Nginx;
use super::{Bar, Good, Measured, Usage, megabytes};

/// Pages of a host.
const PAGES: u64 = 10;
/// The orders that are compared.
const ORDERS: [&str; 2] = ["breadth-first", "blend"];
/// Megabytes of a crawl of a hundred thousand hosts.
const MEMORY_BAR: f64 = 1_000.0;

/// One crawl.
struct Row {
    hosts: u64,
    order: &'static str,
    at_once: u32,
    pages: u64,
    usage: Usage,
}

impl Row {
    fn cost(&self) -> f64 {
        self.usage.cpu.as_secs_f64() * 1e3 / self.pages.max(1) as f64
    }
}

/// Hosts with numbers of up to so many digits.
fn hosts(digits: u32) -> u64 {
    (1..=digits).map(|digits| 10_u64.pow(digits)).sum()
}

/// The server blocks of all hosts with numbers of up to so many digits.
fn servers(digits: u32, port: u16) -> String {
    let pages: String = (1..PAGES).map(|n| format!("<a href=\"/p/{n}\">page {n}</a> ")).collect();
    let children: String = (0..10).map(|n| format!("<a href=\"http://h${{d}}{n}.test/\">h{n}</a> ")).collect();
    let block = |digits: String, links: &str| {
        format!(
            "  server {{\n    listen 127.0.0.1:{port};\n    server_name ~^h(?<d>\\d{digits})\\.test$;\n    default_type text/html;\n    \
             location = / {{ return 200 '<title>host $d</title>{pages}{links}'; }}\n    \
             location /p/ {{ return 200 '<title>page of $d</title><p>$uri</p><a href=\"/\">home</a> {pages}'; }}\n    \
             location = /robots.txt {{ return 404; }}\n  }}\n"
        )
    };
    let inner = if digits > 1 { block(format!("{{1,{}}}", digits - 1), &children) } else { String::new() };
    // A regular expression with braces must be quoted.
    let text = inner + &block(format!("{{{digits}}}"), "");
    text.lines()
        .map(|line| match line.trim_start().strip_prefix("server_name ") {
            Some(name) => format!("    server_name \"{}\";\n", name.trim_end_matches(';')),
            None => format!("{line}\n"),
        })
        .collect()
}

fn crawl(trodden: &Path, scratch: &Path, digits: u32, order: &'static str, at_once: u32) -> Result<Row> {
    let server = Nginx::start(&scratch.join("nginx-broad"), Cores::All, |port| servers(digits, port))?;
    let folder = scratch.join("broad");
    std::fs::create_dir_all(&folder)?;
    let mut arguments: Vec<String> = vec!["crawl".to_owned()];
    arguments.extend((0..10).map(|n| format!("http://h{n}.test/")));
    let (proxy, crawl) = (server.url(""), folder.join("c").display().to_string());
    let at_once_word = at_once.to_string();
    let words = [
        "-o",
        &crawl,
        "--proxy",
        &proxy,
        "--anywhere",
        "--no-archive",
        "--policy",
        order,
        "--at-once",
        &at_once_word,
        "--delay",
        "0ms",
        "--address-delay",
        "0ms",
        "--allow-private",
        "--contact",
        "bench@example.org",
        "--format",
        "json",
    ];
    arguments.extend(words.iter().map(|word| (*word).to_owned()));
    let arguments: Vec<std::ffi::OsString> = arguments.into_iter().map(Into::into).collect();
    let usage = Measured::start_silent(trodden.as_os_str(), &arguments, scratch.join("usage.json"))?.finish_anyhow()?;
    let asked = server.asked()?;
    std::fs::remove_dir_all(&folder)?;
    let row = Row { hosts: hosts(digits), order, at_once, pages: asked.pages.len() as u64, usage };
    if row.pages != PAGES * row.hosts {
        bail!("{} pages of {} were fetched by {order}; run the crawl alone to see why", row.pages, PAGES * row.hosts);
    }
    eprintln!("{} hosts, {order}, {at_once} at once: {:.2} CPU s", row.hosts, row.usage.cpu.as_secs_f64());
    Ok(row)
}

/// Crawls up to hosts with numbers of so many digits.
pub(super) fn run(trodden: &Path, scratch: &Path, digits: u32, runs: u32) -> Result<Vec<Bar>> {
    println!("Many hosts of {PAGES} pages behind one nginx; the middle of {runs} runs in turns.\n");
    println!(
        "| hosts | order | at once | CPU ms a page | wall s | peak MB | kB a host |\n|--:|---|--:|--:|--:|--:|--:|"
    );
    let mut rows: Vec<Row> = Vec::new();
    for digits in 3..=digits {
        let plans: &[(&'static str, u32)] = if digits == 4 {
            &[(ORDERS[0], 32), (ORDERS[1], 32), (ORDERS[1], 512)]
        } else {
            &[(ORDERS[0], 32), (ORDERS[1], 32)]
        };
        let mut all: Vec<Vec<Row>> = plans.iter().map(|_| Vec::new()).collect();
        // A crawl of a million pages is steady enough to be measured once.
        for _ in 0..if digits < 5 { runs } else { 1 } {
            for ((order, at_once), rows) in plans.iter().zip(&mut all) {
                rows.push(crawl(trodden, scratch, digits, order, *at_once)?);
            }
        }
        for mut of_plan in all {
            of_plan.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
            rows.push(of_plan.swap_remove(of_plan.len() / 2));
        }
    }
    for row in &rows {
        let (wall, peak) = (row.usage.wall.as_secs_f64(), megabytes(&row.usage));
        let Row { hosts, order, at_once, .. } = row;
        let host = peak * 1e3 / *hosts as f64;
        println!("| {hosts} | {order} | {at_once} | {:.3} | {wall:.1} | {peak:.0} | {host:.1} |", row.cost());
    }
    println!();
    let find = |digits: u32, order: &str, at_once: u32| {
        rows.iter().find(|row| row.hosts == hosts(digits) && row.order == order && row.at_once == at_once)
    };
    let ratio = |what, ours: Option<f64>, theirs: Option<f64>, bar| {
        Some(Bar { what, good: Good::Below, bar, aim: None, unit: "×", measured: ours? / theirs? })
    };
    let cost = |digits, order| find(digits, order, 32).map(Row::cost);
    let wall = |at_once| find(4, ORDERS[1], at_once).map(|row| row.usage.wall.as_secs_f64());
    let bars = [
        ratio("CPU a page, 11,110 hosts, blend : breadth-first", cost(4, ORDERS[1]), cost(4, ORDERS[0]), 1.5),
        ratio("CPU a page by blend, most hosts : 1,110", cost(digits, ORDERS[1]), cost(3, ORDERS[1]), 1.3),
        ratio("wall time, 512 at once : 32", wall(512), wall(32), 1.1),
        find(5, ORDERS[1], 32).map(|row| Bar {
            what: "memory, 111,110 hosts",
            good: Good::Below,
            bar: MEMORY_BAR,
            aim: None,
            unit: "MB",
            measured: megabytes(&row.usage),
        }),
    ];
    Ok(bars.into_iter().flatten().collect())
}
