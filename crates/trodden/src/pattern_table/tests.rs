//! Does the table fit, and say what it should?

use trodden_mining::Strategy;

use super::*;
use crate::sample;

const BEHAVIOR: By = (Goal::Fetch, Order::Pattern(Strategy::Behavior));
const VISITS: By = (Goal::Fetch, Order::Pattern(Strategy::OverallVisit));

fn screen(width: usize) -> Screen {
    Screen { width, told: true, isolates: false }
}

#[test]
fn ours_the_table_fits_every_screen() {
    let mut model = sample::shop();
    let ranking = model.ranking(Goal::Fetch, Strategy::Behavior);
    for pattern in ["/short", "/产品目录/手机/全部/#", "/خرید/یخچال/فریزر/سامسونگ/#", &"/long".repeat(60)]
    {
        model.nodes[ranking[0].id as usize].pattern = pattern.to_owned();
        for columns in 40..160 {
            let text = draw(&model, &ranking, None, BEHAVIOR, screen(columns));
            for line in text.lines() {
                assert!(width(line) <= columns, "{} columns in {columns}: {line}", width(line));
            }
        }
    }
}

#[test]
fn ours_the_table_as_people_see_it() {
    let model = sample::by_hand();
    let ranking = model.ranking(Goal::Fetch, Strategy::Behavior);
    let text = draw(&model, &ranking, Some(4), BEHAVIOR, screen(80));
    let (heading, rows) = text.split_once("\n\n").unwrap();
    assert!(heading.starts_with("a.com: 60 URLs, 1,000 visits by 300 users in 4 days\npatterns: "), "{heading}");
    assert_eq!(
        rows,
        "\
#  id  pattern           URLs  visits   share                fetch score
1   3  /list                1     150  15.0 %  ███                  0.60
2   1  /item/#             30     600  60.0 %  ████████████         0.50
3   4  /list?page=#        20     100  10.0 %  ██                   0.30
4   7  /                    1     100  10.0 %  ██                   0.20
…      one more pattern     8      50   5.0 %

# a number
"
    );
}

#[test]
fn ours_what_urls_can_expect_is_told_by_the_day() {
    let model = sample::by_hand();
    let by = (Goal::Fetch, Order::Expected);
    let ranking = model.ranking_by(by.0, by.1);
    let text = draw(&model, &ranking, Some(3), by, screen(90));
    let rows: Vec<&str> = text.lines().skip(3).take(4).collect();
    assert!(rows[0].ends_with("visits/URL/day"), "{text}");
    let patterns: Vec<&str> = rows[1..].iter().map(|row| row.split_whitespace().nth(2).unwrap()).collect();
    assert_eq!(patterns, ["/list", "/", "/item/#"], "visits a URL, not visits of all: {text}");
}

#[test]
fn ours_patterns_stay_whole_on_a_narrow_screen_and_in_a_pipe() {
    let mut model = sample::shop();
    let ranking = model.ranking(Goal::Fetch, Strategy::Behavior);
    let long = format!("/a{}/#", "/very-long-segment".repeat(4));
    model.nodes[ranking[0].id as usize].pattern = long.clone();
    let narrow = draw(&model, &ranking, None, BEHAVIOR, screen(40));
    assert!(narrow.lines().all(|line| width(line) <= 40), "{narrow}");
    let joined: String = narrow.split_whitespace().collect();
    assert!(joined.contains(&long) && !narrow.contains('…'), "{narrow}");
    let piped = draw(&model, &ranking, None, BEHAVIOR, Screen { width: 100, told: false, isolates: false });
    assert!(piped.lines().any(|line| line.contains(&format!("  {long}  ")) && line.contains(" %")), "{piped}");
}

#[test]
fn ours_columns_stay_in_line_whatever_the_script() {
    let mut model = sample::shop();
    let ranking = model.ranking(Goal::Fetch, Strategy::Behavior);
    model.nodes[ranking[0].id as usize].pattern = "/产品目录/手机".to_owned();
    model.nodes[ranking[1].id as usize].pattern = "/خرید/یخچال/#".to_owned();
    for isolates in [false, true] {
        let text = draw(&model, &ranking, None, BEHAVIOR, Screen { width: 100, told: true, isolates });
        assert_eq!(text.contains('\u{2066}'), isolates, "only terminals see them");
        let rows: Vec<&str> = text.lines().skip(3).take(1 + ranking.len()).collect();
        let end_of_share = |row: &&str| width(&row[..row.find(" %").unwrap()]);
        let ends: Vec<usize> = rows[1..].iter().map(end_of_share).collect();
        assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}\n{text}");
    }
}

#[test]
fn ours_the_table_says_what_is_not_in_it() {
    let model = sample::shop();
    let ranking = model.ranking(Goal::Fetch, Strategy::OverallVisit);
    let text = draw(&model, &ranking, Some(1), VISITS, screen(100));
    let all = thousands(model.nodes[0].visits);
    assert!(text.starts_with(&format!("a.com: 191 URLs, {all} visits by 300 users in 4 days\n")), "{text}");
    assert!(text.contains("all further patterns"), "{text}");
    assert!(!draw(&model, &ranking, None, BEHAVIOR, screen(100)).contains("further"), "{text}");
    // Whole scores are counts.
    let first = model.nodes[ranking[0].id as usize].visits;
    assert!(text.lines().nth(4).unwrap().ends_with(&format!("  {}", thousands(first))), "{text}");
}

#[test]
fn ours_the_legend_is_of_the_patterns_that_are_shown() {
    let model = sample::by_hand();
    let ranking = model.ranking(Goal::Fetch, Strategy::OverallVisit);
    let last = |top| draw(&model, &ranking, top, VISITS, screen(100)).lines().last().unwrap().to_owned();
    assert_eq!(last(None), "# a number, {word} one word");
    assert_eq!(last(Some(1)), "# a number");
}

#[test]
fn ours_scores_are_written_so_that_they_can_be_told_apart() {
    let write = |scores: &[f64]| {
        let ranking: Vec<Ranked> = (0..).zip(scores).map(|(id, score)| Ranked { id, score: *score }).collect();
        scores.iter().map(|score| score_format(&ranking)(*score)).collect::<Vec<_>>()
    };
    assert_eq!(write(&[0.51, 0.00012, 0.0]), ["0.51000", "0.00012", "0.00000"]);
    assert_eq!(write(&[0.51, 0.000_000_012]), ["0.510000", "0.000000"], "six decimals at most");
    assert_eq!(write(&[12_345.0, 7.0]), ["12,345", "7"]);
    assert_eq!(write(&[12.5, 10.0]), ["12.5", "10.0"]);
    assert_eq!(write(&[1.0, 0.0]), ["1.0", "0.0"], "a site of one pattern is not counted in ones");
}
