//! What is said of a crawl that was judged: a sentence, and a table.

use super::{JudgedCrawl, Judgment};
use crate::result::FEW_PAGES;
use trodden_report::grid::Grid;
use trodden_report::number::{NONE, area, counted, percent, signed, spoken, thousands};
use trodden_report::text::safe;

/// What the reader should conclude. Leads that may be chance are none.
#[must_use]
pub fn conclusion(of: &Judgment) -> String {
    let (Some(crawl), Some(ideal)) = (of.crawls.first(), &of.ideal) else {
        return format!(
            "None of the {} in the log is to a page that was fetched: there is nothing to judge by.",
            counted(of.elsewhere, "visit")
        );
    };
    let mut said = match of.crawls.get(1) {
        Some(other) => beside(crawl, other, of.ahead),
        None => alone(crawl, ideal),
    };
    if of.pages < FEW_PAGES {
        said += &format!(" With only {} this proves little.", counted(of.pages, "page"));
    }
    said
}

fn needs(crawl: &JudgedCrawl) -> String {
    match crawl.pages_for.four_fifths {
        Some(share) => format!("with {} of the pages", spoken(share)),
        None => "never".to_owned(),
    }
}

fn interval(of: Option<[f64; 2]>) -> String {
    match of {
        Some([low, high]) => format!(" (95 % interval over readers {} to {})", area(low), area(high)),
        None => String::new(),
    }
}

fn alone(crawl: &JudgedCrawl, ideal: &JudgedCrawl) -> String {
    let areas = match (crawl.auc, ideal.auc) {
        (Some(own), Some(best)) => {
            format!("; its area is {}{}, that of the ideal {}", area(own), interval(crawl.auc_interval), area(best))
        }
        _ => String::new(),
    };
    format!(
        "{} had 80 % of what people read on its pages {}, the ideal order of the same pages {}{areas}.",
        crawl.name,
        needs(crawl),
        needs(ideal)
    )
}

fn beside(crawl: &JudgedCrawl, other: &JudgedCrawl, ahead: Option<[f64; 2]>) -> String {
    let each = format!(
        "80 % of what people read on the pages of both: {} {}, {} {}",
        crawl.name,
        needs(crawl),
        other.name,
        needs(other)
    );
    let Some([low, high]) = ahead else {
        return format!("Whether the lead is chance was not measured. {each}.");
    };
    let lead = |low: f64, high: f64| format!("{} to {} in area, 95 % interval over readers", signed(low), signed(high));
    if low > 0.0 {
        format!("{} has the better order of the two, by more than chance ({}). {each}.", crawl.name, lead(low, high))
    } else if high < 0.0 {
        format!("{} has the better order of the two, by more than chance ({}). {each}.", other.name, lead(-high, -low))
    } else {
        format!("The two are level: the lead may be chance ({}). {each}.", lead(low, high))
    }
}

/// What the columns of an order are.
pub(super) const HEADS: [&str; 8] = ["order", "pages", "traffic", "area", "95 % interval", "50 %", "80 %", "90 %"];

/// The orders, a line each, in so many columns.
#[must_use]
pub fn table(of: &Judgment, columns: usize) -> String {
    let none = || NONE.to_owned();
    let share = |share: f64| format!("{} %", percent(share, 1));
    let needed = |needed: Option<f64>| needed.map_or_else(none, share);
    let mut grid = Grid::new(HEADS.map(str::to_owned).to_vec());
    for crawl in of.crawls.iter().chain(&of.ideal) {
        grid.push(vec![
            safe(&crawl.name),
            thousands(crawl.fetched),
            needed(crawl.share),
            crawl.auc.map_or_else(none, area),
            crawl.auc_interval.map_or_else(none, |[low, high]| format!("{} to {}", area(low), area(high))),
            needed(crawl.pages_for.half),
            needed(crawl.pages_for.four_fifths),
            needed(crawl.pages_for.nine_tenths),
        ]);
    }
    if of.ideal.is_some() {
        let mean = (of.pages + 1) as f64 / (2 * of.pages) as f64;
        let [half, four_fifths, nine_tenths] = [0.5, 0.8, 0.9].map(share);
        let (name, pages) = ("chance".to_owned(), thousands(of.pages));
        grid.push(vec![name, pages, share(1.0), area(mean), none(), half, four_fifths, nine_tenths]);
    }
    grid.text(columns)
}
