//! Do schedules stand where they should, on a made-up site and on a real one?

use std::sync::atomic::{AtomicBool, AtomicU64};

use trodden_ordering::revisit::Schedule;

use super::births::{births_by_paths, order_by_paths};
use super::weights::read_weights;
use super::*;
use crate::chance::Chance;
use crate::history::{Happening, History, table};
use crate::result::Record;
use crate::urls::UrlTexts;

const DAY_MS: f64 = 86_400_000.0;

fn compare(lives: &PageLives, weights: &[f64], settings: &RevisitSettings) -> RevisitComparison {
    let world = RevisitWorld { name: "test", lives, weights: Some(weights), births: &[], order: &[] };
    let watched = (&AtomicU64::new(0), &AtomicBool::new(false));
    compare_schedules(&world, settings, Record::default(), watched).unwrap()
}

fn fresh(of: &RevisitComparison, budget: f64, schedule: &str) -> f64 {
    of.results.iter().find(|one| one.budget == budget && one.schedule == schedule).unwrap().fresh
}

/// Six hundred pages, for two years. Rates and visits have heavy tails and nothing to do with each other.
fn made_up(seed: u64) -> (PageLives, Vec<f64>) {
    let (mut urls, mut rows, mut weights) = (UrlTexts::default(), Vec::new(), Vec::new());
    for page in 0..600 {
        urls.push(&format!("http://a.org/{}/{page}", page % 12)).unwrap();
        let mut chance = Chance::stream(seed, page.into());
        rows.push((page, 0, Happening::Found));
        let rate = chance.heavy(100.0) / 300.0;
        rows.extend((0..730_u32).filter_map(|day| {
            let at = (f64::from(day) + 0.001 + 0.998 * chance.unit()) * DAY_MS;
            chance.happens(rate).then_some((page, at as u64, Happening::Changed))
        }));
        weights.push(chance.heavy(1_000.0) - 0.999);
    }
    rows.push((0, (730.0 * DAY_MS) as u64, Happening::Changed));
    (PageLives::new(&History::new(rows), &urls, 600).unwrap(), weights)
}

#[test]
fn ours_the_default_schedule_is_ahead_on_a_made_up_site_at_every_budget() {
    let (lives, weights) = made_up(1);
    let settings = RevisitSettings { budgets: vec![0.01, 0.03, 0.1, 0.3], schedules: Vec::new() };
    let compared = compare(&lives, &weights, &settings);
    assert_eq!(compared.results.len(), 4 * 9);
    for budget in settings.budgets {
        let of = |schedule| fresh(&compared, budget, schedule);
        let ours = of("fixed-interval");
        for schedule in ["uniform", "change", "adaptive"] {
            assert!(ours > of(schedule), "{budget} {schedule}: {} {ours}", of(schedule));
        }
        for schedule in ["popularity", "root-popularity"] {
            assert!(ours > 0.98 * of(schedule), "{budget} {schedule}: {} {ours}", of(schedule));
        }
        assert!(ours > 0.9 * of("oracle"), "{budget}: {} {ours}", of("oracle"));
        // Every schedule spends what there is, and not more.
        let requests: Vec<u64> =
            compared.results.iter().filter(|one| one.budget == budget).map(|one| one.requests).collect();
        assert!(requests.iter().all(|one| *one == requests[0]), "{requests:?}");
        let wanted = budget / 7.0 * compared.mean_pages * lives.days;
        assert!((requests[0] as f64 - wanted).abs() < 2.0, "{} {wanted}", requests[0]);
    }
}

#[test]
fn ours_a_comparison_is_the_same_each_time_and_shown_with_losses_first() {
    let (lives, weights) = made_up(2);
    let settings = RevisitSettings {
        budgets: vec![0.1],
        schedules: vec![Schedule::Uniform, Schedule::LambdaCrawl, Schedule::FixedInterval],
    };
    let one = compare(&lives, &weights, &settings);
    let mut other = compare(&lives, &weights, &settings);
    assert_eq!(show::json(&one), show::json(&other));
    let text = show::table(&one, 100);
    assert!(
        text.contains("fixed-interval")
            && text.contains("oracle")
            && text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    assert!(show::html(&one).contains("<svg"));
    // A better one is named, and where.
    other.results.iter_mut().filter(|one| one.schedule == "uniform").for_each(|one| one.fresh = 1.0);
    assert!(
        show::table(&other, 300).contains("fixed-interval: at 0.10 requests a page and week uniform is ahead of it")
    );
    // What differs by less than the halves do is level.
    let own = other.results.iter().find(|one| one.schedule == "fixed-interval").unwrap().fresh;
    other.results.iter_mut().filter(|one| one.schedule == "uniform").for_each(|one| one.fresh = own - 0.004);
    other.results.retain(|one| one.schedule != "lambda-crawl");
    assert!(show::table(&other, 300).contains("at 0.10 it is level with uniform"));
}

#[test]
fn ours_a_site_where_nothing_changes_is_always_fresh_and_one_without_visits_is_refused() {
    let mut urls = UrlTexts::default();
    ["http://a.org/", "http://a.org/1"].iter().for_each(|url| urls.push(url).unwrap());
    let history =
        History::new([(0, 0, Happening::Found), (1, 0, Happening::Found), (1, 90 * 86_400_000, Happening::Gone)]);
    let lives = PageLives::new(&history, &urls, 2).unwrap();
    let compared = compare(&lives, &[1.0, 1.0], &RevisitSettings { budgets: vec![1.0], schedules: Vec::new() });
    assert!(compared.results.iter().all(|one| one.fresh == 1.0 && one.mean_age == 0.0 && one.changed == 0));
    let world = RevisitWorld { name: "", lives: &lives, weights: Some(&[0.0, 0.0]), births: &[], order: &[] };
    let watched = (&AtomicU64::new(0), &AtomicBool::new(false));
    let refused = compare_schedules(&world, &RevisitSettings::default(), Record::default(), watched);
    assert!(matches!(refused, Err(crate::Error::NothingWeighs)));
    assert!(matches!(PageLives::new(&History::default(), &urls, 2), Err(crate::Error::NothingHappens)));
}

#[test]
fn ours_on_a_real_manual_the_default_is_ahead_and_near_the_oracle() {
    let Some(changes) = trodden_testing::data("mdn/changes.tsv.gz") else { return };
    let Some(popularity) = trodden_testing::data("mdn/popularity.tsv.gz") else { return };
    let (urls, history) = table::read_alone(&changes).unwrap();
    let lives = PageLives::new(&history, &urls, urls.len() as u32).unwrap();
    let (weights, _) = read_weights(&popularity, &urls).unwrap();
    let births = births_by_paths(&lives, &urls);
    let order = order_by_paths(&urls, urls.len() as u32);
    let world = RevisitWorld { name: "mdn", lives: &lives, weights: Some(&weights), births: &births, order: &order };
    use Schedule::{Adaptive, Change, FixedInterval, Popularity, RootPopularity, Uniform};
    let settings = RevisitSettings {
        budgets: vec![0.1],
        schedules: vec![Uniform, Change, Adaptive, Popularity, RootPopularity, FixedInterval],
    };
    let watched = (&AtomicU64::new(0), &AtomicBool::new(false));
    let compared = compare_schedules(&world, &settings, Record::default(), watched).unwrap();
    let of = |schedule| fresh(&compared, 0.1, schedule);
    let best_other =
        ["uniform", "change", "adaptive", "popularity", "root-popularity"].map(of).into_iter().fold(0.0, f64::max);
    assert!(of("fixed-interval") > best_other, "{} {best_other}", of("fixed-interval"));
    assert!(of("fixed-interval") > 0.95 * of("oracle"));
    for share in [0.01, 0.05, 0.1] {
        let within = |seeker: &str| {
            compared.discovery.iter().find(|one| one.share == share && one.seeker == seeker).unwrap().within_a_day
        };
        assert!(within("births") > 2.0 * within("uniform").max(within("breadth-first")), "{share}");
    }
}
