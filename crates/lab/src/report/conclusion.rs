//! What should the reader conclude, in one sentence?
//!
//! Which order that a crawler can run is best, how many pages it needs for four fifths of the traffic beside
//! breadth-first and the ideal, and whether other users would have said the same. Where the numbers cannot carry
//! that, the sentence says so instead.

use super::number::{area, counted, safe, signed, spoken};
use super::standing::{BREADTH_FIRST, IDEAL_FORMULA, RANDOM_FORMULA, best, ideal, named, number};
use crate::result::{Comparison, FEW_PAGES, PolicyResult};

/// What the reader should conclude, in one sentence, without characters that rule a terminal.
#[must_use]
pub fn conclusion(of: &Comparison) -> String {
    safe(&sentence(of))
}

fn sentence(of: &Comparison) -> String {
    let said = if of.pages == 0 {
        return "No page can be reached from the start: there is nothing to compare.".to_owned();
    } else if of.policies.is_empty() {
        return "No policy ran: there is nothing to compare.".to_owned();
    } else if let Some(best) = best(of) {
        with_traffic(of, best)
    } else if of.traffic > 0.0 {
        return "Only ideals ran: there is no order to judge.".to_owned();
    } else {
        without_traffic(of)
    };
    if of.pages < FEW_PAGES {
        return format!("With only {} this proves little, but {said}.", counted(of.pages, "page"));
    }
    let mut chars = said.chars();
    // Names of policies stay as they are typed.
    let starts_with_name = of.policies.iter().any(|policy| said.starts_with(&policy.name));
    match chars.next() {
        Some(first) if !starts_with_name => format!("{}{}.", first.to_uppercase(), chars.as_str()),
        _ => format!("{said}."),
    }
}

/// Pages for four fifths of the traffic.
fn needs(policy: &PolicyResult) -> Option<f64> {
    number(policy.pages_for.four_fifths)
}

fn needed(policy: &PolicyResult) -> String {
    needs(policy).map_or_else(|| "never gets there".to_owned(), |share| format!("needs {}", spoken(share)))
}

fn with_traffic(of: &Comparison, best: &PolicyResult) -> String {
    let beside_ideal =
        ideal(of).and_then(needs).map(|share| format!(", the ideal needs {}", spoken(share))).unwrap_or_default();
    let pages = match needs(best) {
        Some(share) => format!("fetches 80 % of the traffic with {} of the pages", spoken(share)),
        None => "does not get to 80 % of the traffic".to_owned(),
    };
    if best.name == BREADTH_FIRST {
        let rivals = of.policies.iter().any(|policy| !policy.oracle && policy.name != BREADTH_FIRST);
        let who = if rivals { "no policy beats breadth-first here: it" } else { "only breadth-first ran: it" };
        return format!("{who} {pages}{beside_ideal}");
    }
    let name = &best.name;
    let Some(breadth_first) = named(of, BREADTH_FIRST) else {
        return format!(
            "{name} is the best order that ran: it {pages}{beside_ideal}; breadth-first did not run beside it"
        );
    };
    let sure = chance(best);
    let slower = matches!((needs(best), needs(breadth_first)), (Some(ours), Some(theirs)) if ours >= theirs);
    if slower || needs(best).is_none() {
        let areas = match (number(best.auc), number(breadth_first.auc)) {
            (Some(ours), Some(theirs)) => format!(" ({} beside {})", area(ours), area(theirs)),
            _ => String::new(),
        };
        let other = needed(breadth_first);
        return format!(
            "{name} has a larger area than breadth-first{areas} but no fewer pages at 80 %: it {pages}, breadth-first \
             {other}{beside_ideal}; {sure}"
        );
    }
    format!(
        "{name} is the best order that a crawler can run: it {pages}, breadth-first {}{beside_ideal}; {sure}",
        needed(breadth_first)
    )
}

/// Whether other users would have said the same.
fn chance(best: &PolicyResult) -> String {
    let Some([low, high]) = best.ahead_of_breadth_first.filter(|ends| ends.iter().all(|end| end.is_finite())) else {
        return "whether the lead is chance was not measured".to_owned();
    };
    let interval = format!("{} to {} in area, 95 % interval over users", signed(low), signed(high));
    if low > 0.0 {
        format!("the lead is more than chance ({interval})")
    } else {
        format!("but the lead may be chance ({interval})")
    }
}

fn without_traffic(of: &Comparison) -> String {
    let none = "there is no traffic to judge by, only links";
    let Some(metric) = of.importance.first() else {
        return none.to_owned();
    };
    let oracle = |name: &str| named(of, name).is_none_or(|policy| policy.oracle);
    let can_run = metric
        .policies
        .iter()
        .filter(|policy| ![IDEAL_FORMULA, RANDOM_FORMULA].contains(&policy.name.as_str()) && !oracle(&policy.name));
    let best = can_run
        .filter(|policy| policy.threshold_auc.is_finite())
        .reduce(|best, policy| if policy.threshold_auc > best.threshold_auc { policy } else { best });
    match best {
        Some(best) => format!(
            "{none}: by {}, {} gets to the hot pages soonest (area {})",
            metric.metric,
            best.name,
            area(best.threshold_auc)
        ),
        None => none.to_owned(),
    }
}
