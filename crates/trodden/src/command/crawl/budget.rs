//! Which budget is spent, and how would a crawl go on? In words, and as flags.

use trodden_fetch::crawl::{BudgetKind, Budgets, Tally};

use crate::args::Seconds;
use crate::output::counted;
use crate::size::Bytes;

/// That a budget is spent.
pub(super) fn spent(kind: BudgetKind, budget: &Budgets) -> String {
    let pages = |most: Option<u64>| counted(most.unwrap_or(0), "page");
    let what = match kind {
        BudgetKind::Pages => pages(budget.pages),
        BudgetKind::Bytes => Bytes(budget.bytes.unwrap_or(0)).to_string(),
        BudgetKind::Time => Seconds(budget.seconds.unwrap_or(0)).to_string(),
        BudgetKind::PagesPerSite => format!("{} a site", pages(budget.pages_per_site)),
        BudgetKind::PagesPerPattern => format!("{} a pattern", pages(budget.pages_per_pattern)),
        BudgetKind::PagesPerPrefix => format!("{} below one folder", pages(budget.pages_per_prefix)),
    };
    format!("the budget of {what} is spent")
}

/// Flags by which a crawl goes on that has spent a budget: each has as much again.
pub(super) fn more(kind: BudgetKind, budget: &Budgets, tally: &Tally) -> String {
    let flag = |kind: BudgetKind| match kind {
        BudgetKind::Pages => format!("--pages {}", again(budget.pages, tally.pages())),
        BudgetKind::Bytes => format!("--bytes {}", Bytes(again(budget.bytes, tally.bytes))),
        BudgetKind::Time => {
            format!("--time {}", Seconds(again(budget.seconds, tally.elapsed_ms.div_ceil(1_000))))
        }
        BudgetKind::PagesPerSite => format!("--pages-per-site {}", again(budget.pages_per_site, 0)),
        BudgetKind::PagesPerPattern => format!("--pages-per-pattern {}", again(budget.pages_per_pattern, 0)),
        BudgetKind::PagesPerPrefix => format!("--pages-per-prefix {}", again(budget.pages_per_prefix, 0)),
    };
    match kind {
        // One of them alone may not be enough.
        BudgetKind::PagesPerSite | BudgetKind::PagesPerPattern | BudgetKind::PagesPerPrefix => {
            tally.over.iter().map(|kind| flag(*kind)).collect::<Vec<_>>().join(" ")
        }
        kind => flag(kind),
    }
}

/// A budget with as much again beyond what was spent; one of nothing gets something.
fn again(budget: Option<u64>, spent: u64) -> u64 {
    let budget = budget.unwrap_or(0);
    budget.max(spent).saturating_add(budget.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_what_is_printed_to_go_on_is_more_than_was_spent() {
        let budget = Budgets {
            pages: Some(10),
            bytes: Some(2_000),
            seconds: Some(90),
            pages_per_site: Some(1),
            pages_per_pattern: Some(7),
            pages_per_prefix: Some(3),
        };
        let mut tally = Tally { bytes: 5_000, elapsed_ms: 200_500, ..Tally::default() };
        tally.over.extend([BudgetKind::PagesPerSite, BudgetKind::PagesPerPattern]);
        for (kind, words, flags) in [
            (BudgetKind::Pages, "10 pages", "--pages 20"),
            (BudgetKind::Bytes, "2kB", "--bytes 7kB"),
            (BudgetKind::Time, "90s", "--time 291s"),
            (BudgetKind::PagesPerSite, "1 page a site", "--pages-per-site 2 --pages-per-pattern 14"),
            (BudgetKind::PagesPerPrefix, "3 pages below one folder", "--pages-per-site 2 --pages-per-pattern 14"),
            (BudgetKind::PagesPerPattern, "7 pages a pattern", "--pages-per-site 2 --pages-per-pattern 14"),
        ] {
            assert_eq!(spent(kind, &budget), format!("the budget of {words} is spent"));
            assert_eq!(more(kind, &budget, &tally), flags);
        }
    }
}
