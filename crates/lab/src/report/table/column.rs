//! What stands in the columns of the table, and which go first?

use trodden_report::number::{NONE, area, signed};
use trodden_report::text::safe;

use super::of_pages;
use crate::report::standing::{BREADTH_FIRST, number};
use crate::result::{Comparison, PolicyResult};

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Policy,
    Area,
    Interval,
    Draws,
    Half,
    FourFifths,
    NineTenths,
    Cold,
    Discovered,
    Ahead,
    AheadBy,
}

impl Column {
    /// The columns in which a comparison has anything, left to right.
    pub(super) fn of(comparison: &Comparison) -> Vec<Self> {
        let any = |has: fn(&PolicyResult) -> bool| comparison.policies.iter().any(has);
        let mut columns = vec![Self::Policy, Self::Area];
        if any(|policy| policy.auc_interval.is_some()) {
            columns.push(Self::Interval);
        }
        if any(|policy| policy.draws.is_some()) {
            columns.push(Self::Draws);
        }
        columns.extend([Self::Half, Self::FourFifths, Self::NineTenths]);
        if any(|policy| policy.cold_auc.is_some()) {
            columns.push(Self::Cold);
        }
        if any(|policy| policy.discovered_auc.is_some()) {
            columns.push(Self::Discovered);
        }
        if any(|policy| policy.ahead_of_breadth_first.is_some()) {
            columns.extend([Self::Ahead, Self::AheadBy]);
        }
        columns
    }

    /// The place of the column that goes first where there is no room; none if all that is left must stay.
    pub(super) fn least_important(columns: &[Self]) -> Option<usize> {
        let order = [
            Self::AheadBy,
            Self::Interval,
            Self::NineTenths,
            Self::Half,
            Self::Discovered,
            Self::Draws,
            Self::Ahead,
            Self::Cold,
        ];
        order.iter().find_map(|column| columns.iter().position(|known| known == column))
    }

    pub(super) fn head(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Area => "area",
            Self::Interval => "95 % interval",
            Self::Draws => "of draws",
            Self::Half => "50 %",
            Self::FourFifths => "80 %",
            Self::NineTenths => "90 %",
            Self::Cold => "cold 80 %",
            Self::Discovered => "found 80 %",
            Self::Ahead => "ahead",
            Self::AheadBy => "by",
        }
    }

    /// What the legend says of it.
    pub(super) fn meaning(self) -> Option<&'static str> {
        match self {
            Self::Area => Some("area: the mean share of the traffic fetched, over the crawl"),
            Self::Interval => Some("interval: over users"),
            Self::Draws => Some(
                "of draws: least and largest area over draws of the order of the entry page; all other numbers are means",
            ),
            Self::Cold => Some("cold: of the traffic to URLs without a visit in training"),
            Self::Discovered => Some("found: of the traffic to URLs fetched or linked from what is fetched"),
            Self::Ahead => Some("ahead: of breadth-first in area, beyond chance"),
            _ => None,
        }
    }

    pub(super) fn text(self, of: &Comparison, policy: &PolicyResult) -> String {
        match self {
            Self::Policy => format!("{}{}", safe(&policy.name), if policy.oracle { " *" } else { "" }),
            Self::Area => number(policy.auc).map_or_else(|| NONE.to_owned(), area),
            Self::Interval => {
                policy.auc_interval.map_or_else(String::new, |ends| format!("{}–{}", area(ends[0]), area(ends[1])))
            }
            Self::Draws => {
                let ends = policy.draws.and_then(|draws| draws.auc);
                ends.map_or_else(String::new, |ends| format!("{}–{}", area(ends[0]), area(ends[1])))
            }
            Self::Half => of_pages(of, policy.pages_for.half),
            Self::FourFifths => of_pages(of, policy.pages_for.four_fifths),
            Self::NineTenths => of_pages(of, policy.pages_for.nine_tenths),
            Self::Cold => of_pages(of, policy.cold_pages_for.four_fifths),
            Self::Discovered => of_pages(of, policy.discovered_for.four_fifths),
            Self::Ahead => ahead(policy).to_owned(),
            Self::AheadBy => policy
                .ahead_of_breadth_first
                .filter(|_| policy.name != BREADTH_FIRST)
                .map_or_else(String::new, |ends| format!("{} to {}", signed(ends[0]), signed(ends[1]))),
        }
    }
}

/// Whether a policy is ahead of breadth-first.
pub(in crate::report) fn ahead(policy: &PolicyResult) -> &'static str {
    match policy.ahead_of_breadth_first {
        _ if policy.name == BREADTH_FIRST => "",
        None => "",
        Some([low, _]) if low > 0.0 => "yes",
        Some([_, high]) if high < 0.0 => "no",
        Some(_) => "unsure",
    }
}
