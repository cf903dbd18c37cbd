//! Do schedules keep their promises?

use proptest::prelude::*;
use trodden_frontier::Time;

use super::schedule::FixedInterval;
use super::*;
use crate::chance;
use crate::outcome::Change;

/// Fresh visits: what a schedule gains.
fn gain(pages: &[Perishable], rates: &[f64], share: fn(f64, f64) -> f64) -> f64 {
    pages.iter().zip(rates).map(|(page, rate)| page.importance() * share(*rate, page.change_rate())).sum()
}

/// The best of all divisions of a budget into equal parts, by dynamic programming: exact on its grid, and blind to any formula.
fn brute_force(pages: &[Perishable], budget: f64, share: fn(f64, f64) -> f64) -> f64 {
    const PARTS: usize = 600;
    let mut best = vec![0.0; PARTS + 1];
    for page in pages {
        let gain = |parts: usize| page.importance() * share(budget * parts as f64 / PARTS as f64, page.change_rate());
        let own: Vec<f64> = (0..=PARTS).map(gain).collect();
        let with = |of: usize| (0..=of).map(|parts| best[of - parts] + own[parts]).fold(0.0, f64::max);
        best = (0..=PARTS).map(with).collect();
    }
    best[PARTS]
}

fn few_pages() -> impl Strategy<Value = Vec<Perishable>> {
    let page = (-4.0..4.0_f64, -4.0..4.0_f64).prop_map(|(m, d)| Perishable::new(m.exp(), d.exp()));
    prop::collection::vec(page, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn pnas18_azar_reaches_the_optimum_of_brute_force(pages in few_pages(), budget in -3.0..3.0_f64) {
        let budget = budget.exp();
        let best = brute_force(&pages, budget, fresh_share_at_random);
        let ours = gain(&pages, &Schedule::Azar.rates(&pages, budget), fresh_share_at_random);
        prop_assert!(ours >= best * (1.0 - 1e-12), "{ours} {best}");
        // The grid is fine enough to come near.
        prop_assert!(ours <= best * 1.01, "{ours} {best}");
    }

    #[test]
    fn ours_fixed_intervals_reach_the_optimum_of_brute_force(pages in few_pages(), budget in -3.0..3.0_f64) {
        let budget = budget.exp();
        let best = brute_force(&pages, budget, fresh_share);
        let ours = gain(&pages, &Schedule::FixedInterval.rates(&pages, budget), fresh_share);
        prop_assert!(ours >= best * (1.0 - 1e-9), "{ours} {best}");
        prop_assert!(ours <= best * 1.01, "{ours} {best}");
    }

    #[test]
    fn neurips19_lambda_crawl_spends_the_budget_and_starves_nothing(pages in few_pages(), budget in -6.0..6.0_f64) {
        let rates = Schedule::LambdaCrawl.rates(&pages, budget.exp());
        prop_assert!((rates.iter().sum::<f64>() / budget.exp() - 1.0).abs() < 1e-9);
        prop_assert!(rates.iter().all(|rate| *rate > 0.0));
        // All pages pay the same price: the derivative of the penalty.
        let price = |page: &Perishable, r: f64| page.importance() * page.change_rate() / (r * (r + page.change_rate()));
        let prices: Vec<f64> = pages.iter().zip(&rates).map(|(page, rate)| price(page, *rate)).collect();
        prop_assert!(prices.iter().all(|one| (one / prices[0] - 1.0).abs() < 1e-6), "{prices:?}");
    }

    #[test]
    fn ours_every_schedule_spends_what_there_is_and_no_number_is_none(
        numbers in prop::collection::vec((any::<f64>(), any::<f64>()), 0..6), budget in any::<f64>()
    ) {
        let pages: Vec<Perishable> = numbers.iter().map(|(m, d)| Perishable::new(*m, *d)).collect();
        for schedule in Schedule::ALL {
            let rates = schedule.rates(&pages, budget);
            prop_assert_eq!(rates.len(), pages.len());
            prop_assert!(rates.iter().all(|rate| rate.is_finite() && *rate >= 0.0), "{} {:?}", schedule, rates);
            let most = pages.len() as f64 * 86_400_000.0;
            let wanted = if budget >= 1e-15 { budget.min(most) } else { 0.0 };
            let spent: f64 = rates.iter().sum();
            prop_assert!((spent - wanted).abs() <= wanted * 1e-6, "{} {} {}", schedule, spent, wanted);
        }
    }

    #[test]
    fn ours_an_interval_is_where_a_refetch_is_worth_its_price(m in -9.0..9.0_f64, d in -9.0..9.0_f64, share in 1e-9..0.999_f64) {
        let page = Perishable::new(m.exp(), d.exp());
        let price = share * page.importance() / page.change_rate();
        let days = interval_at_price(&page, price);
        prop_assert!((refetch_value(&page, days) / price - 1.0).abs() < 1e-6, "{days}");
        prop_assert!(interval_at_price(&page, price * 2.0 / share).is_infinite());
    }
}

#[test]
fn ours_corners_of_budgets_and_pages() {
    let extremes = [0.0, -1.0, 1e-300, 1.0, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let pages: Vec<Perishable> =
        extremes.iter().flat_map(|m| extremes.iter().map(|d| Perishable::new(*m, *d))).collect();
    let same = vec![Perishable::new(2.0, 0.3); 50];
    for schedule in Schedule::ALL {
        for budget in [0.0, -3.0, f64::NAN, 1e-9, 1.0, 1e9, f64::INFINITY] {
            for pages in [&pages[..], &same[..], &same[..1], &[]] {
                let rates = schedule.rates(pages, budget);
                assert!(rates.iter().all(|rate| rate.is_finite() && *rate >= 0.0), "{schedule} {budget}");
            }
        }
        // One page gets all of it, equal pages equal shares.
        assert!((schedule.rates(&same[..1], 0.01)[0] - 0.01).abs() < 1e-9, "{schedule}");
        let rates = schedule.rates(&same, 10.0);
        assert!(rates.iter().all(|rate| (rate - 0.2).abs() < 1e-9), "{schedule}: {rates:?}");
    }
}

#[test]
fn ours_a_page_that_is_hardly_worth_its_price_gets_what_is_left() {
    // The second page is worth the whole budget but for its end: there a little of the first gains more. Between the prices at which
    // the first gets nothing and a thirtieth of its D there is no number.
    let pages = [Perishable::new(0.312_564, 1.0), Perishable::new(0.076_389_6, 0.037_612_7)];
    let budget = 0.078_226;
    let rates = Schedule::FixedInterval.rates(&pages, budget);
    assert!(rates[0] > 0.01 && rates[0] < 1.0 / 30.0, "{rates:?}");
    assert!((rates[0] + rates[1] - budget).abs() < 1e-12);
    let ours = gain(&pages, &rates, fresh_share);
    assert!(ours >= brute_force(&pages, budget, fresh_share) * (1.0 - 1e-9));
}

#[test]
fn ours_the_price_of_a_budget_gives_the_intervals_of_the_optimum() {
    let pages: Vec<Perishable> =
        (0..200).map(|n| Perishable::new(1.0 / f64::from(n + 1), 0.01 * f64::from(n % 17 + 1))).collect();
    for budget in [0.01, 0.5, 5.0, 500.0] {
        let schedule = FixedInterval::for_budget(&pages, budget, None);
        for (page, rate) in pages.iter().zip(schedule.rates(&pages, budget)) {
            let interval = interval_at_price(page, schedule.price());
            let expected = if interval.is_finite() { 1.0 / interval } else { 0.0 };
            assert!((rate - expected).abs() <= 1e-6 * expected.max(1e-6), "{budget}: {rate} {expected}");
        }
    }
}

#[test]
fn ours_the_value_of_an_uncertain_rate_is_the_mean_over_what_it_can_be() {
    // The mean over a Gamma distribution, by drawing the rate at many quantiles: an exponential one for shape 1.
    for (importance, rate, days) in [(2.0, 0.1, 5.0), (1.0, 0.01, 400.0), (3.0, 2.0, 0.2)] {
        let page = Perishable::estimated(importance, RateEstimate { rate, shape: 1.0 });
        let draws = 200_000;
        let value = |n: u32| {
            let quantile = (f64::from(n) + 0.5) / f64::from(draws);
            refetch_value(&Perishable::new(importance, -rate * (1.0 - quantile).ln()), days)
        };
        let mean = (0..draws).map(value).sum::<f64>() / f64::from(draws);
        assert!((refetch_value(&page, days) / mean - 1.0).abs() < 1e-3, "{mean}");
    }
    // Well known is known; little known is asked for in the end, whatever the price.
    let known = Perishable::new(1.0, 0.2);
    let almost = Perishable::estimated(1.0, RateEstimate { rate: 0.2, shape: 9_000.0 });
    assert!((refetch_value(&almost, 7.0) / refetch_value(&known, 7.0) - 1.0).abs() < 1e-3);
    for shape in [0.02, 0.3, 1.0, 1.5, 40.0] {
        let page = Perishable::estimated(1.0, RateEstimate { rate: 0.2, shape });
        for price in [1e-9, 1e-3, 1.0, 4.9, 20.0] {
            let days = interval_at_price(&page, price);
            let worth = refetch_value(&page, days);
            let never = shape > 1.0 && price >= 5.0 * shape / (shape - 1.0);
            assert_eq!(days.is_infinite(), never, "{shape} {price}: {days}");
            assert!(never || (worth / price - 1.0).abs() < 1e-5, "{shape} {price}: {days} {worth}");
        }
    }
    // A change within a day tells more than one within a year.
    let like = PriorRate::Like { rate: 0.02 };
    let shape = |days: f64| {
        let mut evidence = ChangeEvidence::default();
        (0..5).for_each(|_| evidence.add(days, true));
        evidence.estimate(like).shape
    };
    assert!(shape(1.0) > 2.0 * shape(3_650.0), "{} {}", shape(1.0), shape(3_650.0));
}

#[test]
fn ours_fixed_intervals_beat_random_times_and_first_fetches_have_a_floor() {
    for rate in [0.01, 0.1, 1.0, 10.0] {
        assert!(fresh_share(rate, 0.3) > fresh_share_at_random(rate, 0.3));
    }
    assert_eq!([fresh_share(0.0, 1.0), fresh_share(1.0, 0.0), fresh_share(f64::INFINITY, 1.0)], [0.0, 1.0, 1.0]);
    let (slow, fast) = (Perishable::new(2.0, 0.001), Perishable::new(2.0, 5.0));
    assert!((first_value(&slow) - 2_000.0).abs() < 1e-6);
    assert!((first_value(&fast) - 60.0).abs() < 1e-6);
    assert!((refetch_value(&slow, f64::INFINITY) - 2_000.0).abs() < 1e-6);
}

/// Requests at these intervals for a page that changes at this rate; what is seen.
fn observe(seed: u64, rate: f64, intervals: impl Iterator<Item = f64>) -> (ChangeEvidence, Vec<f64>, f64) {
    let (mut evidence, mut changed, mut unchanged) = (ChangeEvidence::default(), Vec::new(), 0.0);
    for (n, days) in (0..).zip(intervals) {
        let is_changed = chance::unit(seed, n) < -(-rate * days).exp_m1();
        evidence.add(days, is_changed);
        if is_changed { changed.push(days) } else { unchanged += days }
    }
    (evidence, changed, unchanged)
}

#[test]
fn cho03_a_planted_rate_is_found_again() {
    for (seed, rate) in (0..).zip([0.002, 0.02, 0.2, 2.0, 200.0, 1_000.0, 5_000.0]) {
        // Intervals that vary by a factor of nine around 1/D.
        let intervals = (0..4_000).map(|n| (chance::unit(99, n) * 2.2 - 1.1).exp() / rate);
        let (evidence, changed, unchanged) = observe(seed, rate, intervals);
        let prior = PriorRate::Unknown { interval_days: 1.0 / rate };
        let changed: Vec<(f64, f64)> = changed.iter().map(|days| (*days, 1.0)).collect();
        let exact = change_rate(&changed, unchanged, prior).rate;
        assert!((exact / rate - 1.0).abs() < 0.06, "{rate}: {exact}");
        // Where nothing fades, what is kept of the intervals is enough.
        let kept = evidence.estimate(prior).rate;
        assert!(rate < 100.0 || (kept / exact - 1.0).abs() < 0.02, "{kept} {exact}");
    }
}

#[test]
fn cho03_equal_intervals_have_the_closed_form() {
    for (changed, unchanged) in [(0, 5), (5, 0), (3, 7), (40, 2)] {
        let mut evidence = ChangeEvidence::default();
        (0..changed).for_each(|_| evidence.add(0.004, true));
        (0..unchanged).for_each(|_| evidence.add(0.004, false));
        let (n, quiet) = (f64::from(changed + unchanged), f64::from(unchanged));
        let closed = ((n + 1.0) / (quiet + 0.5)).ln() / 0.004;
        let found = evidence.estimate(PriorRate::Unknown { interval_days: 0.004 }).rate;
        assert!((found / closed - 1.0).abs() < 1e-3, "{changed} {unchanged}: {found} {closed}");
    }
}

#[test]
fn ours_a_page_without_a_past_changes_as_those_like_it_and_evidence_outweighs_them() {
    let like = PriorRate::Like { rate: 0.05 };
    assert!((ChangeEvidence::default().estimate(like).rate / 0.05 - 1.0).abs() < 1e-5);
    assert!((like.estimate().shape - 0.5).abs() < 1e-5);
    let (evidence, _, _) = observe(5, 5.0, (0..3_000).map(|_| 0.1));
    assert!((evidence.estimate(like).rate / 5.0 - 1.0).abs() < 0.1);
    // What was seen long ago counts less than what was seen since.
    let mut past = ChangeEvidence::default();
    (0..100).for_each(|_| past.add(10.0, true));
    let busy = past.estimate(like).rate;
    (0..100).for_each(|_| past.add(10.0, false));
    assert!(past.estimate(like).rate < busy / 10.0, "{busy} {}", past.estimate(like).rate);
    // Odd input is no evidence, and odd priors give numbers.
    let mut odd = ChangeEvidence::default();
    [0.0, -1.0, f64::NAN, f64::INFINITY].iter().for_each(|days| odd.add(*days, true));
    assert!(odd.is_empty());
    let mut one = ChangeEvidence::default();
    one.add(3.0, true);
    for number in [0.0, 1e-30, 1e-9, 1e12, 1e30, f64::INFINITY] {
        for prior in [PriorRate::Like { rate: number }, PriorRate::Unknown { interval_days: number }] {
            let found = one.estimate(prior);
            assert!(found.rate.is_finite() && found.rate > 0.0 && found.shape.is_finite(), "{prior:?}: {found:?}");
        }
    }
}

#[test]
fn ours_the_past_of_a_page_is_what_was_seen() {
    const DAY: u64 = 86_400_000;
    let mut past = PageHistory::default();
    for (day, change) in [(10, Change::First), (12, Change::Unchanged), (16, Change::Changed)] {
        past.fetched(change, Time(day * DAY));
    }
    assert_eq!((past.first, past.last_changed, past.fetches), (Time(10 * DAY), Time(16 * DAY), 3));
    assert!((past.age_days(Time(17 * DAY)) - 1.0).abs() < 1e-12);
    let mut seen = ChangeEvidence::default();
    seen.add(2.0, false);
    seen.add(4.0, true);
    assert_eq!(past.evidence, seen);
}

#[test]
fn ours_names_are_read_back_and_nutchs_interval_keeps_its_bounds() {
    for schedule in Schedule::ALL {
        assert_eq!(schedule.name().parse(), Ok(schedule));
    }
    assert!("daily".parse::<Schedule>().unwrap_err().to_string().contains("fixed-interval"));
    let mut interval = AdaptiveInterval::default();
    interval.fetched(Change::First);
    assert_eq!(interval.days(), 30.0);
    interval.fetched(Change::Unchanged);
    assert!((interval.days() - 42.0).abs() < 1e-9);
    (0..100).for_each(|_| interval.fetched(Change::Unchanged));
    assert_eq!(interval.days(), 365.0);
    (0..100).for_each(|_| interval.fetched(Change::Changed));
    assert!((interval.days() - 60.0 / 86_400.0).abs() < 1e-9);
}
