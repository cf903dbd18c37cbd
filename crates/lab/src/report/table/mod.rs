//! What does the table of an experiment look like on a terminal?
//!
//! What was compared, what to conclude, what to beware of; then a row a policy; then, if importance was measured, a
//! row a policy and a column a metric; then what did not run and why. Where the screen is narrow, columns go, the
//! least important first, and at last names are cut.

pub(super) mod calibration;
mod column;
mod harvest;
pub(super) mod importance;
mod ingredients;
pub(super) mod requests;
#[cfg(test)]
mod tests;

use trodden_report::grid::Grid;
use trodden_report::number::{amount, counted, percent, spoken, thousands};
use trodden_report::text::{safe, wrapped};

use super::conclusion::conclusion;
use crate::result::Comparison;
use column::Column;
pub(super) use column::ahead;

/// The narrowest screen that lines are made for.
const MIN_WIDTH: usize = 40;

/// The table for a terminal of so many columns. Warnings and left-out policies are in it. Ends with a line feed.
#[must_use]
pub fn table(comparison: &Comparison, width: usize) -> String {
    let width = width.max(MIN_WIDTH);
    let mut parts = vec![wrapped(&heading(comparison), width, 2), wrapped(&conclusion(comparison), width, 0)];
    if !comparison.assumed.is_empty() {
        parts.push(wrapped(&assumed(comparison), width, 9));
    }
    if !comparison.warnings.is_empty() {
        let lines: Vec<String> = comparison
            .warnings
            .iter()
            .map(|warning| wrapped(&format!("warning: {}", safe(warning)), width, 9))
            .collect();
        parts.push(lines.join("\n"));
    }
    if comparison.policies.iter().any(|policy| policy.auc.is_some() || policy.discovered_auc.is_some()) {
        parts.push(rows(comparison, width));
    }
    parts.extend(requests::block(comparison, width));
    parts.extend(ingredients::block(comparison, width));
    parts.extend(calibration::blocks(comparison, width));
    parts.extend(harvest::block(comparison, width));
    parts.extend(importance::block(comparison, width));
    if !comparison.left_out.is_empty() {
        let lines: Vec<String> = comparison
            .left_out
            .iter()
            .map(|left| wrapped(&format!("left out: {}: {}", safe(&left.name), safe(&left.why)), width, 10))
            .collect();
        parts.push(lines.join("\n"));
    }
    let mut text = parts.join("\n\n");
    text.push('\n');
    text
}

/// What was compared.
pub(super) fn heading(of: &Comparison) -> String {
    let name = if of.mirror.is_empty() { "A mirror".to_owned() } else { safe(&of.mirror) };
    let mut text = format!("{name}: {}, {}", counted(of.pages, "page"), counted(of.links, "link"));
    if of.traffic > 0.0 {
        text = format!("{text}, {} visits in the test", amount(of.traffic));
        let cold = spoken(of.cold_traffic / of.traffic);
        text = format!("{text} ({cold} of them cold: to URLs without a visit in training)");
    }
    text
}

/// What was assumed about time.
pub(super) fn assumed(of: &Comparison) -> String {
    format!("assumed: {}", safe(&of.assumed.join("; ")))
}

/// Decimals that tell one page from the next, at most two.
pub(super) fn decimals(pages: u64) -> usize {
    if pages < 5_000 { 1 } else { 2 }
}

/// A share of the pages in a column of percents.
pub(super) fn of_pages(comparison: &Comparison, share: Option<f64>) -> String {
    share.map_or_else(|| trodden_report::number::NONE.to_owned(), |share| percent(share, decimals(comparison.pages)))
}

fn rows(of: &Comparison, width: usize) -> String {
    let mut columns = Column::of(of);
    let grid = loop {
        let mut grid = Grid::new(columns.iter().map(|column| column.head().to_owned()).collect());
        for policy in &of.policies {
            grid.push(columns.iter().map(|column| column.text(of, policy)).collect());
        }
        if grid.width() <= width {
            break grid;
        }
        match Column::least_important(&columns) {
            Some(at) => columns.remove(at),
            None => break grid,
        };
    };
    format!("{}\n{}", grid.text(width), wrapped(&legend(of, &columns), width, 0))
}

fn legend(of: &Comparison, columns: &[Column]) -> String {
    let mut said: Vec<String> =
        vec![format!("50 %, 80 %, 90 %: pages needed for that much, in % of {}", thousands(of.pages))];
    said.extend(columns.iter().filter_map(|column| column.meaning()).map(str::to_owned));
    if of.policies.iter().any(|policy| policy.oracle) {
        said.push("* knows what no crawler can know".to_owned());
    }
    format!("{}.", said.join("; "))
}
