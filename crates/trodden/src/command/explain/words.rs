//! The facts, as a person reads them.

use std::fmt::Write as _;

use trodden_mining::Goal;

use super::facts::{Facts, PatternFacts, Varying};
use super::flows::Flow;
use super::uncovered::first_of;
use crate::output::{counted, percent, thousands};
use crate::screen::Screen;

/// The whole explanation.
pub(super) fn text(facts: &Facts, screen: Screen) -> String {
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
            let _ = writeln!(out, "\nit is in no pattern: {}", screen.whole(&uncovered.words));
        }
        (None, None) => {}
    }
    let _ = writeln!(out, "\n{}\n{}\n{}", itself(facts), expectation(facts), facts.conclusion);
    out
}

fn push_walk(out: &mut String, facts: &Facts, screen: Screen) {
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

fn push_matched(out: &mut String, facts: &Facts, screen: Screen) {
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

fn in_words(varying: &Varying) -> String {
    let here = varying.value.as_ref().map_or("missing", String::as_str);
    let classes = match &varying.classes {
        Some(classes) => first_of(classes, " or "),
        None => "anything".to_owned(),
    };
    let optional = if varying.optional { " or missing" } else { "" };
    format!("{} is {here}; it may be {classes}{optional}", varying.key)
}

fn push_pattern(out: &mut String, facts: &Facts, pattern: &PatternFacts, screen: Screen) {
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
            let by = if rank.by == "behavior" { String::new() } else { format!(" by {}", rank.by) };
            format!("{} of {} for {}{by}", ordinal(rank.rank), rank.of, rank.goal)
        })
        .collect();
    let _ = writeln!(out, "  {}", ranks.join(", "));
}

fn push_flows(out: &mut String, pattern: &PatternFacts, screen: Screen) {
    if pattern.visits > 0 {
        let _ = writeln!(out, "\npeople come from");
        push_flow(out, pattern.from_outside, pattern.visits, "outside", screen);
        each_flow(out, &pattern.from, pattern.id, pattern.visits, screen);
    }
    if pattern.to.is_empty() {
        let _ = writeln!(out, "\nnobody goes on from there to another page of the site");
    } else {
        let _ = writeln!(out, "\npeople go on to");
        each_flow(out, &pattern.to, pattern.id, pattern.referrals, screen);
    }
}

fn each_flow(out: &mut String, flows: &[Flow], own: u32, all: u64, screen: Screen) {
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

fn itself(facts: &Facts) -> String {
    match &facts.itself {
        Some(itself) => format!(
            "the URL itself: {} by {}, {} on",
            counted(itself.visits, "visit"),
            counted(itself.users, "user"),
            counted(itself.referrals, "step")
        ),
        None => {
            format!("the URL itself: too few people visited it to be named (fewer than {}, or none)", facts.min_users)
        }
    }
}

/// What it can expect, and why.
fn expectation(facts: &Facts) -> String {
    let expects = &facts.expectation;
    let like_it = few(expects.like_it);
    if let (Some(itself), Some(visits)) = (&facts.itself, expects.visits) {
        let people =
            if itself.users == 1 { "1 person".to_owned() } else { format!("{} people", thousands(itself.users)) };
        return format!("seen by {people}; pages like it by {like_it}; expected {} in as long a time", few(visits));
    }
    let seen = format!("never seen, or by fewer than {} people", facts.min_users);
    if expects.unread == 0 {
        let novel = few(expects.novel);
        return format!("{seen}; in as long a time all new pages of this kind together have {novel} visits");
    }
    let each = expects.novel / expects.unread as f64;
    if each >= 1.0 {
        return format!("{seen}; an unread page of this kind has {} visits in as long a time", few(each));
    }
    format!(
        "{seen}; 1 in {} unread pages of this kind is read in as long a time",
        thousands((1.0 / each).round() as u64)
    )
}

/// A number of visits, with a decimal where it is small.
fn few(visits: f64) -> String {
    if visits < 99.95 { format!("{visits:.1}") } else { thousands(visits.round() as u64) }
}

/// One sentence: so what?
pub(super) fn conclusion(facts: &Facts, goal: Goal) -> String {
    let what = match goal {
        Goal::Fetch => "fetch it",
        Goal::Discovery => "look there for new links",
    };
    let Some(pattern) = &facts.pattern else {
        return format!("so: {what} after all patterns, for what people did says nothing about URLs like it");
    };
    if pattern.visits == 0 {
        return format!("so: {what} late, for nobody visited URLs like it");
    }
    let likes = format!("{} of the visits go to URLs like it", percent(pattern.visits, facts.site_visits));
    if pattern.urls_before == 0 {
        return format!("so: {what} first: no pattern stands before its own, and {likes}");
    }
    let when = match (pattern.urls_before * 100) / facts.site_urls.max(1) {
        0..10 => "early",
        10..50 => "in the first half",
        50..90 => "in the second half",
        _ => "late",
    };
    let before = percent(pattern.urls_before, facts.site_urls);
    format!("so: {what} {when}: {before} of the site's URLs are in patterns before its own, and {likes}")
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
