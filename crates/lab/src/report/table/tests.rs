//! Does the table fit, and say what it should?

use unicode_width::UnicodeWidthStr as _;

use super::super::sample;
use super::*;

#[test]
fn ours_the_table_as_people_see_it() {
    let text = table(&sample::comparison(), 120);
    insta::assert_snapshot!("table-120", text);
    insta::assert_snapshot!("table-72", table(&sample::comparison(), 72));
}

#[test]
fn ours_the_table_fits_every_screen() {
    let mut comparison = sample::comparison();
    comparison.policies[3].name = "similarity-near:pagerank-whole".to_owned();
    comparison.mirror = "百科全书.example".to_owned();
    for width in 40..200 {
        for line in table(&comparison, width).lines() {
            assert!(line.width() <= width, "{} columns in {width}: {line}", line.width());
        }
    }
}

#[test]
fn ours_no_name_rules_the_terminal() {
    let mut comparison = sample::comparison();
    comparison.mirror = "\u{1b}[2Jgone\r\n".to_owned();
    comparison.policies[3].name = "\u{202E}x".to_owned();
    comparison.warnings.push("\u{7}".to_owned());
    comparison.left_out[0].why = "\u{1b}]0;".to_owned();
    comparison.importance[0].metric = "\u{1b}c".to_owned();
    let text = table(&comparison, 100);
    assert!(!text.chars().any(|c| c != '\n' && c.is_control() || c == '\u{202E}'), "{text}");
}

#[test]
fn ours_what_is_not_there_has_no_column() {
    let mut comparison = sample::comparison();
    comparison.importance.clear();
    comparison.left_out.clear();
    for policy in &mut comparison.policies {
        (policy.cold_auc, policy.discovered_auc, policy.ahead_of_breadth_first) = (None, None, None);
    }
    let text = table(&comparison, 200);
    for absent in ["cold 80 %", "found", "ahead", "Hot", "left out"] {
        assert!(!text.contains(absent), "{absent}: {text}");
    }
    assert_eq!(
        table(&sample::empty(), 80),
        "A mirror: 0 pages, 0 links\n\nNo page can be reached from the start: there is nothing to compare.\n"
    );
}

#[test]
fn ours_what_each_ingredient_adds_is_told_the_most_useful_first_and_what_exploring_cost() {
    let mut comparison = sample::comparison();
    assert!(!table(&comparison, 120).contains("to learn"), "nothing was explored");
    sample::of(&mut comparison, "blend").explored = 617;
    for (name, exponent, lead) in [("blend-without:links", 0.9, 0.01), ("blend-without:own", 0.3, 0.2)] {
        let mut without = sample::policy(name, false, [exponent, 0.3, 0.1, 0.2], 0.0);
        without.blend_ahead = Some([lead, lead + 0.005]);
        comparison.policies.push(without);
    }
    let text = table(&comparison, 120);
    let (own, links) = (text.find("\nown ").unwrap(), text.find("\nlinks ").unwrap());
    assert!(own < links && text[own..links].contains("+0.200 to +0.205"), "{text}");
    assert!(text.contains("blend fetched 617 pages (5.0 %) to learn"), "{text}");
    for width in 40..200 {
        for line in table(&comparison, width).lines() {
            assert!(line.width() <= width, "{} columns in {width}: {line}", line.width());
        }
    }
}
