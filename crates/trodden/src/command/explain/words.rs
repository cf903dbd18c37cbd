//! The facts, as a person reads them.

use std::fmt::Write as _;

use trodden_mining::Goal;
use trodden_mining::explain::{ExplainedPattern, Explanation, FlowShare, VaryingKey, first_of};
use trodden_report::screen::Screen;

use crate::output::{counted, number, percent, thousands};

/// The whole explanation.
pub(super) fn text(facts: &Explanation, goal: Goal, screen: Screen) -> String {
    let mut out = format!("{}\n\n", screen.whole(&facts.url));
    push_walk(&mut out, facts, screen);
    match (&facts.pattern, &facts.uncovered) {
        (Some(pattern), _) => {
            push_matched(&mut out, facts, screen);
            push_pattern(&mut out, facts, pattern, screen);
            push_flows(&mut out, pattern, screen);
        }
        (None, Some(uncovered)) => {
            push_matched(&mut out, facts, screen);
            let by = if uncovered.why == "excluded" { " (mine --exclude)" } else { "" };
            let _ = writeln!(out, "\nit is in no pattern: {}{by}", screen.whole(&uncovered.words));
        }
        (None, None) => {}
    }
    let _ = writeln!(out, "\n{}\n{}\n{}", itself(facts), expectation(facts, goal), facts.conclusion);
    out
}

fn push_walk(out: &mut String, facts: &Explanation, screen: Screen) {
    for (depth, step) in facts.walk.iter().enumerate() {
        if depth == 0 {
            let all = format!("all {} of {}", counted(step.urls, "URL"), facts.site);
            let _ = writeln!(out, "{all} ({})", counted(step.visits, "visit"));
        } else {
            let indent = "  ".repeat(depth - 1);
            let (urls, share) = (counted(step.urls, "URL"), percent(step.visits, facts.site_visits));
            let _ = writeln!(out, "{indent}→ {} ({urls}, {share} of visits)", screen.whole(&step.condition));
        }
    }
}

fn push_matched(out: &mut String, facts: &Explanation, screen: Screen) {
    if !facts.constants.is_empty() {
        let all: Vec<String> =
            facts.constants.iter().map(|constant| format!("{} = {}", constant.key, constant.value)).collect();
        let _ = writeln!(out, "\nlike all URLs there it has {}", screen.whole(&all.join(", ")));
    }
    if !facts.varies.is_empty() {
        let _ = writeln!(out, "\nwhat varies there");
    }
    for varying in &facts.varies {
        let _ = writeln!(out, "  {}", screen.show(&in_words(varying), screen.width.saturating_sub(2)));
    }
}

fn in_words(varying: &VaryingKey) -> String {
    let here = varying.value.as_ref().map_or("missing", String::as_str);
    let classes = match &varying.classes {
        Some(classes) => first_of(classes, " or "),
        None => "anything".to_owned(),
    };
    let optional = if varying.optional { " or missing" } else { "" };
    format!("{} is {here}; it may be {classes}{optional}", varying.key)
}

fn push_pattern(out: &mut String, facts: &Explanation, pattern: &ExplainedPattern, screen: Screen) {
    let name = screen.show(&pattern.pattern, screen.width.saturating_sub(20));
    let _ = writeln!(out, "\nso it is in pattern {}: {name}", pattern.id);
    let visited = if pattern.visited < pattern.urls {
        format!(" ({} of them visited)", thousands(pattern.visited))
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "  {}{visited}, {} ({} of the site's), {} on to other pages",
        counted(pattern.urls, "URL"),
        counted(pattern.visits, "visit"),
        percent(pattern.visits, facts.site_visits),
        counted(pattern.referrals, "step")
    );
    let ranks: Vec<String> = pattern
        .ranks
        .iter()
        .map(|rank| {
            let by = if rank.by == "expected" { "what a URL can expect" } else { rank.by };
            format!("{} of {} for {} by {by}", ordinal(rank.rank), rank.of, rank.goal)
        })
        .collect();
    let _ = writeln!(out, "  {}", ranks.join(", "));
}

fn push_flows(out: &mut String, pattern: &ExplainedPattern, screen: Screen) {
    if pattern.visits > 0 {
        let _ = writeln!(out, "\nvisits come from");
        push_flow(out, pattern.from_outside, pattern.visits, "outside", screen);
        each_flow(out, &pattern.from, pattern.id, pattern.visits, screen);
    }
    if pattern.to.is_empty() {
        let _ = writeln!(out, "\nno visit goes on from there to another page of the site");
    } else {
        let _ = writeln!(out, "\nvisits go on to");
        each_flow(out, &pattern.to, pattern.id, pattern.referrals, screen);
    }
}

fn each_flow(out: &mut String, flows: &[FlowShare], own: u32, all: u64, screen: Screen) {
    for flow in flows {
        let name = if flow.id == own { "other URLs of the same pattern" } else { &flow.pattern };
        push_flow(out, flow.steps, all, name, screen);
    }
}

fn push_flow(out: &mut String, steps: u64, all: u64, what: &str, screen: Screen) {
    if steps > 0 {
        let shown = screen.show(what, screen.width.saturating_sub(24));
        let _ = writeln!(out, "  {:>8}  {:>10}  {shown}", percent(steps, all), thousands(steps));
    }
}

fn itself(facts: &Explanation) -> String {
    match &facts.itself {
        Some(itself) => format!(
            "the URL itself: {} by {}, {} on",
            counted(itself.visits, "visit"),
            counted(itself.users, "user"),
            counted(itself.referrals, "step")
        ),
        None => {
            format!("the URL itself has no name: fewer than {} users visited it, or none", facts.min_users)
        }
    }
}

/// What it can expect, and why. Visits are compared with visits only: users are fewer.
fn expectation(facts: &Explanation, goal: Goal) -> String {
    let expects = &facts.expectation;
    let what = match goal {
        Goal::Fetch => "visits",
        Goal::Discovery => "steps on",
    };
    let expected = format!("it can expect {} {what} a day", number(expects.a_day, 3));
    let days = in_days(expects.days);
    if let Some(itself) = &facts.itself {
        let had = format!("{expected}: it had {} {days}", counted(itself.visits, "visit"));
        let is_alone = facts.pattern.as_ref().is_none_or(|pattern| pattern.urls == 1);
        return if is_alone { had } else { format!("{had}, a URL of its pattern {}", few(expects.like_it)) };
    }
    if facts.pattern.is_none() {
        return format!("{expected}, as new kinds of URLs had there {days}");
    }
    if expects.nameless_urls == 0 {
        return format!(
            "{expected}: all other URLs of its pattern have a name, so it counts as those above in the tree"
        );
    }
    let urls = counted(expects.nameless_urls, "URL");
    format!(
        "{expected}, as the {urls} of its pattern without a name: they had {} {what} {days}",
        thousands(expects.nameless_visits)
    )
}

fn in_days(days: f64) -> String {
    if days < 1.0 { format!("in {:.1} hours", days * 24.0) } else { format!("in {days:.1} days") }
}

/// A number of visits, with a decimal where it is small.
fn few(visits: f64) -> String {
    if visits < 99.95 { format!("{visits:.1}") } else { thousands(visits.round() as u64) }
}

/// 1st, 2nd, 3rd, 4th, 11th, 21st.
fn ordinal(n: usize) -> String {
    let ending = match (n % 100, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{}{ending}", thousands(n as u64))
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn ours_places_are_said_as_people_say_them() {
        let said: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 1_003].map(ordinal).into();
        assert_eq!(said.join(" "), "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th 1,003rd");
    }
}
