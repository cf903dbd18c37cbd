//! How is a comparison of schedules shown?

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use trodden_report::chart::{Axis, Chart, Labels, Line, Look, Tint, Weight, draw};
use trodden_report::file::write_whole;
use trodden_report::grid::Grid;
use trodden_report::number::{NONE, counted, significant, spoken, thousands};
use trodden_report::page;
use trodden_report::text::{Escaped, wrapped};

use super::compare::{RevisitComparison, ScheduleResult};
use super::discovery::DiscoveryResult;

/// What [`write()`] writes.
pub const FILES: [&str; 3] = ["result.json", "freshness.svg", "report.html"];

/// The comparison as one JSON document.
#[must_use]
pub fn json(of: &RevisitComparison) -> String {
    trodden_report::json::to_json(of)
}

/// The comparison as tables, one for each budget.
#[must_use]
pub fn table(of: &RevisitComparison, width: usize) -> String {
    let mut out = wrapped(&about(of), width, 0);
    for budget in budgets(of) {
        let _ =
            write!(out, "\n\n{} requests a page and week\n{}", significant(budget, 2), grid(of, budget).text(width));
    }
    if !of.discovery.is_empty() {
        let _ = write!(out, "\n\n{}\n{}", wrapped(&about_births(of), width, 0), birth_grid(of).text(width));
    }
    let _ = write!(out, "\n\n{}\n\n{}\n", wrapped(MEANING, width, 0), wrapped(&conclusion(of), width, 0));
    out
}

const MEANING: &str = "fresh: the share of visits that meet the current version; halves: the same for two halves of the pages, drawn by hash; \
     age: days since the copy that a visit meets went stale; changed: requests that found another version.";

fn about(of: &RevisitComparison) -> String {
    let weighed = match of.visited_pages {
        None => "all count alike".to_owned(),
        Some(visited) => format!("{} of them with visits", thousands(visited)),
    };
    format!(
        "{}: {} ({weighed}; {} at a time), {} in {} days, {} a page and week; rates are pooled in {}",
        of.history,
        counted(of.pages, "page"),
        thousands(of.mean_pages.round() as u64),
        counted(of.changes, "change"),
        thousands(of.days.round() as u64),
        significant(of.mean_rate, 2),
        counted(of.groups, "folder"),
    )
}

fn about_births(of: &RevisitComparison) -> String {
    let weighed = if of.births_by_visits { "weighed by visits" } else { "all alike" };
    format!("New pages ({}, {weighed}), by the share of pages that is asked for a day", thousands(of.births))
}

const BIRTH_HEADS: [&str; 8] =
    ["asked a day", "by", "found in a day", "half A", "half B", "found", "median", "requests"];

fn birth_cells(result: &DiscoveryResult) -> [String; 8] {
    let [a, b] = result.within_a_day_halves;
    [
        spoken(result.share),
        result.seeker.clone(),
        share(result.within_a_day),
        share(a),
        share(b),
        share(result.found),
        result.median_days.map_or_else(|| NONE.to_owned(), |days| format!("{days:.1} d")),
        thousands(result.requests),
    ]
}

fn birth_grid(of: &RevisitComparison) -> Grid {
    let mut grid = Grid::new(BIRTH_HEADS.map(str::to_owned).to_vec());
    of.discovery.iter().for_each(|result| grid.push(birth_cells(result).to_vec()));
    grid
}

fn budgets(of: &RevisitComparison) -> Vec<f64> {
    let mut budgets: Vec<f64> = of.results.iter().map(|result| result.budget).collect();
    budgets.dedup();
    budgets
}

fn results(of: &RevisitComparison, budget: f64) -> impl Iterator<Item = &ScheduleResult> {
    of.results.iter().filter(move |result| result.budget == budget)
}

const HEADS: [&str; 7] = ["schedule", "fresh", "half A", "half B", "age", "requests", "changed"];

fn cells(result: &ScheduleResult) -> [String; 7] {
    let [a, b] = result.fresh_halves;
    [
        result.schedule.clone(),
        share(result.fresh),
        share(a),
        share(b),
        format!("{:.1} d", result.mean_age),
        thousands(result.requests),
        spoken(result.changed as f64 / result.requests.max(1) as f64),
    ]
}

fn share(share: f64) -> String {
    trodden_report::number::area(share)
}

fn grid(of: &RevisitComparison, budget: f64) -> Grid {
    let mut grid = Grid::new(HEADS.map(str::to_owned).to_vec());
    results(of, budget).for_each(|result| grid.push(cells(result).to_vec()));
    grid
}

/// Shares of fresh visits that differ by less are level: the halves of the pages differ as much.
const LEVEL: f64 = 0.005;

/// What to take away: where the default loses, before where it wins.
fn conclusion(of: &RevisitComparison) -> String {
    const OURS: &str = "fixed-interval";
    let (mut behind, mut level) = (Vec::new(), Vec::new());
    let mut ahead = 0_usize;
    for budget in budgets(of) {
        let Some(ours) = results(of, budget).find(|result| result.schedule == OURS) else { continue };
        let others = results(of, budget).filter(|result| !["oracle", OURS].contains(&result.schedule.as_str()));
        let Some(best) = others.max_by(|a, b| a.fresh.total_cmp(&b.fresh)) else { continue };
        let at = significant(budget, 2);
        let (theirs, own) = (share(best.fresh), share(ours.fresh));
        if best.fresh > ours.fresh + LEVEL {
            behind.push(format!(
                "at {at} requests a page and week {} is ahead of it ({theirs} against {own})",
                best.schedule
            ));
        } else if best.fresh > ours.fresh - LEVEL {
            level.push(format!("at {at} it is level with {} ({own} and {theirs})", best.schedule));
        } else {
            ahead += 1;
        }
    }
    let mut parts = behind;
    parts.extend(level);
    match (parts.is_empty(), ahead) {
        (true, 0) => "Nothing to compare with.".to_owned(),
        (true, n) => format!("{OURS} is ahead of all other schedules at {}.", counted(n as u64, "budget")),
        (false, 0) => format!("{OURS}: {}.", parts.join("; ")),
        (false, n) => {
            format!("{OURS}: {}; at {} it is ahead of all.", parts.join("; "), counted(n as u64, "other budget"))
        }
    }
}

/// Freshness over budgets.
fn chart(of: &RevisitComparison) -> String {
    let budgets = budgets(of);
    let mut names: Vec<&str> = of.results.iter().map(|result| result.schedule.as_str()).collect();
    names.truncate(results(of, budgets.first().copied().unwrap_or_default()).count());
    let points: Vec<Vec<[f64; 2]>> = names
        .iter()
        .map(|name| {
            let own = of.results.iter().filter(|result| result.schedule == *name);
            let mut points: Vec<[f64; 2]> = own.map(|result| [result.budget, result.fresh]).collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            points
        })
        .collect();
    let lines = names.iter().zip(&points).enumerate();
    let lines = lines.map(|(at, (name, points))| Line { name, remark: String::new(), points, look: look(name, at) });
    draw(&Chart {
        id: "freshness",
        title: "Which schedule keeps most visits fresh?",
        x_title: "pages requested a week",
        y_title: "visits that meet the current version",
        until: budgets.iter().copied().fold(0.01, f64::max),
        axis: Axis::Logarithmic,
        labels: Labels::AtRight,
        lines: lines.collect(),
    })
}

fn look(name: &str, at: usize) -> Look {
    let (tint, dashes, weight): (Tint, &'static [u8], Weight) = match name {
        "fixed-interval" => (Tint::Blue, &[], Weight::Heaviest),
        "oracle" => (Tint::Ink, &[], Weight::Important),
        "uniform" => (Tint::Vermilion, &[9, 4], Weight::Important),
        "popularity" => (Tint::Green, &[3, 3], Weight::Important),
        "root-popularity" => (Tint::Purple, &[11, 3, 2, 3], Weight::Important),
        "change" => (Tint::Orange, &[16, 3], Weight::Important),
        _ => return Look::thin(at),
    };
    Look { tint, dashes, weight }
}

/// One page with the chart and all tables.
#[must_use]
pub fn html(of: &RevisitComparison) -> String {
    let mut out = String::new();
    page::head(&mut out, "Revisits");
    let _ = writeln!(out, "<main>\n<h1>Revisits</h1>\n<p>{}</p>", Escaped(&about(of)));
    let _ = writeln!(out, "<p>{}</p>\n<figure>{}</figure>", Escaped(&conclusion(of)), chart(of));
    for budget in budgets(of) {
        let _ = writeln!(out, "<h2>{} requests a page and week</h2>", significant(budget, 2));
        let rows = results(of, budget).map(|result| {
            let sorted = [result.fresh, result.fresh_halves[0], result.fresh_halves[1], result.mean_age]
                .into_iter()
                .chain([result.requests, result.changed].map(|count| count as f64));
            let sorted = std::iter::once(result.schedule.clone()).chain(sorted.map(|number| number.to_string()));
            cells(result).into_iter().zip(sorted).collect()
        });
        page::push_table(&mut out, &HEADS, rows, 0);
    }
    if !of.discovery.is_empty() {
        let _ = writeln!(out, "<h2>New pages</h2>\n<p>{}</p>", Escaped(&about_births(of)));
        let rows = of.discovery.iter().map(|result| {
            let [a, b] = result.within_a_day_halves;
            let median = result.median_days.unwrap_or(f64::INFINITY);
            let numbers = [result.within_a_day, a, b, result.found, median, result.requests as f64];
            let sorted = [result.share.to_string(), result.seeker.clone()];
            let sorted = sorted.into_iter().chain(numbers.map(|number| number.to_string()));
            birth_cells(result).into_iter().zip(sorted).collect()
        });
        page::push_table(&mut out, &BIRTH_HEADS, rows, 0);
    }
    let _ = writeln!(out, "<p class=\"soft\">{}</p>\n</main>", Escaped(MEANING));
    page::end(&mut out);
    out
}

/// Writes `result.json`, `freshness.svg` and `report.html` into a folder, which is made if it is missing. Gives their paths.
///
/// # Errors
/// If the folder or a file cannot be written.
pub fn write(dir: &Path, of: &RevisitComparison) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(dir)?;
    let texts = [json(of), chart(of), html(of)];
    FILES.into_iter().zip(texts).map(|(name, text)| write_whole(dir, name, &text)).collect()
}
