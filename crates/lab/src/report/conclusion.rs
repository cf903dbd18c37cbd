//! What should the reader conclude, in one sentence?
//!
//! Which order that a crawler can run is best, how many pages it needs for four fifths of the traffic beside the next best,
//! breadth-first and the ideal, and whether other users would have said the same. Orders between which no lead is more
//! than chance are level, and no winner is named among them. Where the numbers cannot carry any of that, the sentence says so.

use trodden_report::number::{area, counted, signed, spoken};
use trodden_report::text::safe;

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

/// The orders that a crawler can run and that are level with the best, without that one.
fn level_with<'c>(of: &'c Comparison, best: &PolicyResult) -> Vec<&'c PolicyResult> {
    let is_level = |policy: &&PolicyResult| {
        let by_chance = policy.behind_best.is_some_and(|ends| ends[0] <= 0.0);
        let is_other = !policy.oracle && policy.name != best.name && number(policy.auc).is_some();
        is_other && (by_chance || policy.auc == best.auc)
    };
    of.policies.iter().filter(is_level).collect()
}

/// So many of the orders that are level are named.
const NAMED: usize = 4;

/// No winner among these.
fn tied(of: &Comparison, level: &[&PolicyResult], beside_ideal: &str) -> String {
    let shown = &level[..level.len().min(NAMED)];
    let each: Vec<String> = shown.iter().map(|policy| format!("{} {}", policy.name, needed(policy))).collect();
    let more = match level.len() - shown.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let names: Vec<&str> = shown.iter().map(|policy| policy.name.as_str()).collect();
    let breadth_first = named(of, BREADTH_FIRST).filter(|other| level.iter().all(|policy| policy.name != other.name));
    let beside = breadth_first.map(|other| format!(", breadth-first {}", needed(other))).unwrap_or_default();
    format!(
        "{}{more} are level, no lead among them is more than chance: for 80 % of the traffic {}{beside}{beside_ideal}",
        listed(&names, more.is_empty()),
        each.join(", ")
    )
}

/// `a, b and c`, or `a, b, c` if something follows.
fn listed(names: &[&str], ends: bool) -> String {
    match names.split_last() {
        Some((last, first)) if ends && !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.join(", "),
    }
}

fn with_traffic(of: &Comparison, best: &PolicyResult) -> String {
    let beside_ideal =
        ideal(of).and_then(needs).map(|share| format!(", the ideal needs {}", spoken(share))).unwrap_or_default();
    let level = level_with(of, best);
    if !level.is_empty() {
        return tied(of, &[&[best], &level[..]].concat(), &beside_ideal);
    }
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
    let next = next_best(of, best);
    let Some(breadth_first) = named(of, BREADTH_FIRST) else {
        return format!(
            "{name} is the best order that ran: it {pages}{next}{beside_ideal}; breadth-first did not run beside it"
        );
    };
    let sure = chance(best, breadth_first);
    let slower = matches!((needs(best), needs(breadth_first)), (Some(ours), Some(theirs)) if ours >= theirs);
    if slower || needs(best).is_none() {
        let areas = match (number(best.auc), number(breadth_first.auc)) {
            (Some(ours), Some(theirs)) => format!(" ({} beside {})", area(ours), area(theirs)),
            _ => String::new(),
        };
        let other = needed(breadth_first);
        return format!(
            "{name} has a larger area than breadth-first{areas} but no fewer pages at 80 %: it {pages}{next}, breadth-first \
             {other}{beside_ideal}; {sure}"
        );
    }
    format!(
        "{name} is the best order that a crawler can run: it {pages}{next}, breadth-first {}{beside_ideal}; {sure}",
        needed(breadth_first)
    )
}

/// The order with the next largest area beside breadth-first, which is named anyway.
fn next_best(of: &Comparison, best: &PolicyResult) -> String {
    let others =
        of.policies.iter().filter(|policy| !policy.oracle && policy.name != best.name && policy.name != BREADTH_FIRST);
    let next = others.filter(|policy| number(policy.auc).is_some()).reduce(|a, b| if b.auc > a.auc { b } else { a });
    next.map(|next| format!(", {}, the next best, {}", next.name, needed(next))).unwrap_or_default()
}

/// Whether other users would have said the same.
fn chance(best: &PolicyResult, breadth_first: &PolicyResult) -> String {
    let finite = |ends: &[f64; 2]| ends.iter().all(|end| end.is_finite());
    let (ends, allowing) = match breadth_first.behind_best.filter(finite) {
        Some(ends) => (Some(ends), ", allowing for the choice of the best"),
        None => (best.ahead_of_breadth_first.filter(finite), ""),
    };
    let Some([low, high]) = ends else {
        return "whether the lead is chance was not measured".to_owned();
    };
    let interval = format!("{} to {} in area, 95 % interval over users{allowing}", signed(low), signed(high));
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
