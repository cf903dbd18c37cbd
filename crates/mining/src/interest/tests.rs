//! Are planted curves found again, and is nonsense told from news?

use super::*;
use proptest::prelude::*;

/// SplitMix64, and draws from it.
struct Draws(u64);

impl Draws {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A Poisson draw; by the normal distribution where it is large.
    fn poisson(&mut self, mean: f64) -> f64 {
        if mean > 50.0 {
            let normal = (-2.0 * self.unit().max(1e-300).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos();
            return (mean + mean.sqrt() * normal).round().max(0.0);
        }
        let (mut product, mut n, least) = (self.unit(), 0.0, (-mean).exp());
        while product > least {
            product *= self.unit();
            n += 1.0;
        }
        n
    }
}

const DAYS: usize = 60;

fn bins(views: impl IntoIterator<Item = f64>) -> Vec<Bin> {
    views.into_iter().map(|y| Bin::new(y).unwrap()).collect()
}

fn expected(curve: &InterestCurve) -> Vec<f64> {
    (0..DAYS).map(|day| curve.views_between(day as f64, day as f64 + 1.0)).collect()
}

fn fitted(views: &[Bin]) -> InterestCurve {
    Interest::of(views, CurveForm::BinMass).unwrap().fitted().curve
}

fn usual(draws: &mut Draws) -> InterestCurve {
    InterestCurve {
        amount: draws.between(2_000.0, 50_000.0),
        birth: draws.between(5.0, 30.0),
        mu: draws.between(-0.5, 1.5),
        sigma: draws.between(0.3, 1.0),
    }
}

/// How far off Φ(3) is.
fn off(found: &InterestCurve, planted: &InterestCurve) -> f64 {
    (found.share_within(3.0) - planted.share_within(3.0)).abs()
}

#[test]
fn ijcnlp08_planted_curves_are_recovered() {
    let mut draws = Draws(1);
    for _ in 0..200 {
        let planted = usual(&mut draws);
        let found = fitted(&bins(expected(&planted)));
        assert!(off(&found, &planted) < 0.01, "{planted:?} {found:?}");
        // A burst of two days has one of many births: the error is a bin at most.
        assert!((found.birth - planted.birth).abs() < 1.0, "{planted:?} {found:?}");
        assert!((found.amount / planted.amount - 1.0).abs() < 0.02, "{planted:?} {found:?}");
    }
}

#[test]
fn ijcnlp08_under_chance_nineteen_of_twenty_are_near() {
    let mut draws = Draws(2);
    let mut near = 0;
    for _ in 0..200 {
        let planted = usual(&mut draws);
        let views: Vec<f64> = expected(&planted).iter().map(|m| draws.poisson(*m)).collect();
        near += u32::from(off(&fitted(&bins(views)), &planted) < 0.05);
    }
    assert!(near >= 190, "{near}");
}

#[test]
fn ijcnlp08_curves_that_the_window_cuts_are_recovered() {
    let mut draws = Draws(3);
    for _ in 0..200 {
        let before = InterestCurve {
            birth: draws.between(-5.0, 0.0),
            mu: draws.between(0.5, 2.0),
            sigma: draws.between(0.4, 0.9),
            amount: 3_000.0,
        };
        let beyond = InterestCurve { birth: draws.between(45.0, 55.0), ..before };
        for planted in [before, beyond] {
            let found = fitted(&bins(expected(&planted)));
            assert!(off(&found, &planted) < 0.02, "{planted:?} {found:?}");
            assert!((found.birth - planted.birth).abs() < 0.5, "{planted:?} {found:?}");
        }
    }
}

#[test]
fn ijcnlp08_what_was_read_within_a_day_is_temporal() {
    let mut draws = Draws(4);
    for _ in 0..200 {
        let planted = InterestCurve {
            amount: draws.between(100.0, 10_000.0),
            birth: draws.between(1.0, 55.0),
            mu: draws.between(-3.0, -2.0),
            sigma: draws.between(0.25, 0.6),
        };
        let views = bins(expected(&planted).iter().map(|m| draws.poisson(*m)).collect::<Vec<_>>());
        let found = Interest::of(&views, CurveForm::BinMass).unwrap();
        assert!(found.is_temporal(TemporalRule::default(), 1.0), "{planted:?} {found:?}");
        assert!((found.fitted().curve.birth - planted.birth).abs() < 1.5, "{planted:?} {found:?}");
    }
}

#[test]
fn ijcnlp08_weekdays_leave_the_verdict_right_nine_times_of_ten() {
    let mut draws = Draws(5);
    let mut right = 0;
    for _ in 0..300 {
        let planted = usual(&mut draws);
        let weekday = |day: usize| if day % 7 < 5 { 1.1 } else { 0.75 };
        let views: Vec<f64> =
            expected(&planted).iter().enumerate().map(|(day, m)| draws.poisson(m * weekday(day))).collect();
        let found = Interest::of(&bins(views), CurveForm::BinMass).unwrap();
        let rule = TemporalRule::default();
        right += u32::from(found.is_temporal(rule, 1.0) == (planted.share_within(rule.days) > rule.share));
    }
    assert!(right >= 270, "{right}");
}

#[test]
fn ijcnlp08_the_share_is_the_integral_of_the_density() {
    for (mu, sigma) in [(0.0, 0.5), (1.2, 0.3), (-1.0, 1.1), (2.0, 2.0)] {
        let curve = InterestCurve { amount: 1.0, birth: 7.0, mu, sigma };
        // Simpson's rule in the logarithm of age, where the density is smooth.
        for until in [0.5_f64, 1.0, 3.0, 10.0] {
            let (low, high) = (mu - 9.0 * sigma, until.ln());
            let steps = 2_000;
            let width = (high - low) / f64::from(steps);
            let at = |n: i32| {
                let age = (low + width * f64::from(n)).exp();
                curve.density(7.0 + age) * age
            };
            let weight = |n: i32| {
                if n == 0 || n == steps {
                    1.0
                } else if n % 2 == 1 {
                    4.0
                } else {
                    2.0
                }
            };
            let area: f64 = (0..=steps).map(|n| weight(n) * at(n)).sum::<f64>() * width / 3.0;
            assert!((area - curve.share_within(until)).abs() < 1e-8, "{mu} {sigma} {until}: {area}");
        }
        assert!((curve.share_within(curve.bins_until(0.05)) - 0.05).abs() < 1e-8);
        assert!((curve.share_within(curve.half_life()) - 0.5).abs() < 1e-12);
        assert!(curve.activation() < curve.dormancy());
    }
}

#[test]
fn ours_the_paper_s_own_form_fits_points_of_the_density() {
    let mut draws = Draws(6);
    for _ in 0..100 {
        let planted = InterestCurve { mu: draws.between(1.0, 2.0), ..usual(&mut draws) };
        let views = (0..DAYS).map(|day| planted.density(day as f64 + 0.5));
        let found = Interest::of(&bins(views), CurveForm::PointDensity).unwrap().fitted().curve;
        assert!(off(&found, &planted) < 0.02, "{planted:?} {found:?}");
    }
}

#[test]
fn ours_a_gap_is_no_zero() {
    let planted = InterestCurve { amount: 5_000.0, birth: 10.0, mu: 1.5, sigma: 0.6 };
    let mut views = bins(expected(&planted));
    let whole = fitted(&views);
    // The five days after the peak: as zeros they would make a page of three days of one of eight.
    views[13..18].fill(Bin::GAP);
    let with_gap = fitted(&views);
    assert!(off(&with_gap, &whole) < 0.01, "{with_gap:?}");
    views[13..18].fill(Bin::new(0.0).unwrap());
    assert!(off(&fitted(&views), &whole) > 0.1);
}

#[test]
fn ours_interest_that_neither_rises_nor_falls_is_flat() {
    let mut draws = Draws(7);
    let rule = TemporalRule::default();
    for level in [2.0, 20.0, 500.0, 1e9] {
        let flat = bins((0..DAYS).map(|_| draws.poisson(level)).collect::<Vec<_>>());
        assert!(!Interest::of(&flat, CurveForm::BinMass).unwrap().is_temporal(rule, 1.0), "{level}");
        let constant = bins(vec![level; DAYS]);
        let interest = Interest::of(&constant, CurveForm::BinMass).unwrap();
        assert!(!interest.is_curve() && !interest.is_temporal(rule, 1.0), "{level}");
    }
    // A busy day on a page that is read all year.
    let mut spike = vec![20.0; DAYS];
    spike[30] = 400.0;
    assert!(!Interest::of(&bins(spike), CurveForm::BinMass).unwrap().is_temporal(rule, 1.0));
}

#[test]
fn ours_series_that_say_nothing_have_a_reason() {
    let of = |views: &[Bin]| Interest::of(views, CurveForm::BinMass).map(|_| ());
    assert_eq!(of(&[]), Err(SeriesFault::TooShort));
    assert_eq!(of(&bins([0.0; DAYS])), Err(SeriesFault::NoViews));
    assert_eq!(of(&[Bin::GAP; DAYS]), Err(SeriesFault::TooShort));
    assert_eq!(of(&bins([1.0, 2.0, 3.0])), Err(SeriesFault::TooShort));
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(Bin::new(bad).is_none());
    }
    let settings = settings();
    let few = bins((0..DAYS).map(|day| f64::from(u8::from(day == 3)) * 59.0));
    let enough = bins((0..DAYS).map(|day| f64::from(u8::from(day == 3)) * 60.0));
    let pages = [&few, &enough].map(|bins| PageSeries { group: 0, bins });
    let found = analyze(&pages, 1, 0..DAYS, &settings);
    assert_eq!(found.pages[0].interest, Err(SeriesFault::TooFew));
    assert!(found.pages[1].is_temporal);
    assert_eq!(found.left_out().get(&SeriesFault::TooFew), Some(&1));
    assert_eq!(found.groups[0].pages, 1);
}

fn settings() -> AnalysisSettings {
    AnalysisSettings {
        bins_a_day: 1.0,
        rule: TemporalRule::default(),
        least_views_a_day: 1.0,
        form: CurveForm::BinMass,
    }
}

proptest! {
    #[test]
    fn ours_whatever_was_viewed_the_answer_is_a_number(
        views in prop::collection::vec(prop_oneof![Just(0.0), 0.0..1e3, 0.0..1e38, Just(1e9)], 4..90),
        gaps in prop::collection::vec(any::<bool>(), 90),
        density in any::<bool>(),
    ) {
        let mut views = bins(views);
        views.iter_mut().zip(gaps).filter(|(_, gap)| *gap).step_by(3).for_each(|(view, _)| *view = Bin::GAP);
        let form = if density { CurveForm::PointDensity } else { CurveForm::BinMass };
        if let Ok(interest) = Interest::of(&views, form) {
            let Fitted { curve, r_squared, explained } = *interest.fitted();
            let all = [curve.amount, curve.birth, curve.mu, curve.sigma, r_squared, explained, curve.dormancy(), curve.half_life()];
            prop_assert!(all.iter().all(|x| x.is_finite()), "{interest:?}");
            prop_assert!((0.0..=1.0).contains(&curve.share_within(3.0)));
            prop_assert!((-1e-9..=1.0 + 1e-9).contains(&explained), "{interest:?}");
        }
    }
}

#[test]
fn ijcnlp08_scores_by_hand() {
    let mut site = GroupScore::default();
    site.add(90.0, true);
    site.add(10.0, true);
    site.add(100.0, false);
    site.add(200.0, false);
    assert_eq!((site.score1(), site.score2()), (0.5, 0.25));
    assert!((site.score(ScoreWeights::default()) - (0.6 * 0.5 + 0.4 * 0.25)).abs() < 1e-12);
    assert_eq!(ScoreWeights::new(3.0, 2.0), Some(ScoreWeights::default()));
    assert!(ScoreWeights::new(0.0, 0.0).is_none() && ScoreWeights::new(-1.0, 2.0).is_none());
    let mut other = GroupScore::default();
    other.add(5.0, true);
    let none = GroupScore::default();
    let groups = [none, site, other];
    assert_eq!(rank(&groups, ScoreWeights::default()), [2, 1, 0]);
    // The paper's own numbers: 70,110 temporal of 91,996 listed pages, of 135,939 in all.
    let listed = GroupScore { pages: 91_996, temporal_pages: 70_110, ..none };
    let rest = GroupScore { pages: 1_000_000, temporal_pages: 135_939 - 70_110, ..none };
    let quality = judge_list(&[listed, rest], &[0, 0]);
    assert!((quality.f - 0.615).abs() < 5e-4, "{quality:?}");
    assert!((quality.precision - 0.762).abs() < 5e-4 && (quality.recall - 0.516).abs() < 5e-4);
    assert_eq!(judge_list(&[none], &[0]).f, 0.0);
}

#[test]
fn ijcnlp08_the_tuned_rule_is_the_best_of_all() {
    let mut draws = Draws(8);
    let pages: Vec<Labelled> = (0..60)
        .map(|_| {
            let curve = InterestCurve {
                amount: 1_000.0,
                birth: 1.0,
                mu: draws.between(-1.0, 3.0),
                sigma: draws.between(0.3, 1.2),
            };
            let fitted = Fitted { curve, r_squared: 1.0, explained: 1.0 };
            let is_temporal = curve.half_life() < 2.0 && draws.unit() < 0.9 || draws.unit() < 0.05;
            Labelled { interest: Interest::Curve(fitted), is_temporal }
        })
        .collect();
    let gains = Gains { hit: 1.0, miss: 2.0, false_alarm: 0.5 };
    let tuned = tune_rule(&pages, 1.0, gains).unwrap();
    let gain = |rule: TemporalRule| -> f64 {
        let of = |page: &Labelled| match (page.interest.is_temporal(rule, 1.0), page.is_temporal) {
            (true, true) => gains.hit,
            (false, true) => -gains.miss,
            (true, false) => -gains.false_alarm,
            (false, false) => 0.0,
        };
        pages.iter().map(of).sum()
    };
    assert!((gain(tuned.rule) - tuned.gain).abs() < 1e-9, "{tuned:?}");
    for days in [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 14.0] {
        for share in 0..200 {
            let rule = TemporalRule { days, share: f64::from(share) / 200.0 };
            assert!(gain(rule) <= tuned.gain + 1e-9, "{rule:?} {} {tuned:?}", gain(rule));
        }
    }
    assert!(tune_rule(&[], 1.0, gains).is_none());
}

/// Sites of a made-up web: news sites, encyclopedias, and what is between; with what each page is.
struct Web {
    series: Vec<Vec<Bin>>,
    sites: Vec<u32>,
    truth: Vec<bool>,
}

fn web(sites: u32) -> Web {
    let mut draws = Draws(9);
    let mut web = Web { series: Vec::new(), sites: Vec::new(), truth: Vec::new() };
    for site in 0..sites {
        // One site in ten is of news; the others have some of it, most hardly any.
        let share = if site % 10 == 0 { draws.between(0.6, 1.0) } else { draws.between(0.0, 0.5).powi(2) };
        let popularity = draws.between(0.0, 4.0).exp() * 100.0;
        for _ in 0..12 {
            let is_temporal = draws.unit() < share;
            let amount = popularity * draws.between(1.0, 4.0);
            let curve = if is_temporal {
                InterestCurve {
                    amount,
                    birth: draws.between(0.0, 50.0),
                    mu: draws.between(-1.0, 0.3),
                    sigma: draws.between(0.3, 0.6),
                }
            } else {
                InterestCurve {
                    amount,
                    birth: draws.between(-30.0, 20.0),
                    mu: draws.between(2.5, 4.0),
                    sigma: draws.between(0.5, 1.0),
                }
            };
            web.series.push(bins(expected(&curve).iter().map(|m| draws.poisson(*m)).collect::<Vec<_>>()));
            web.sites.push(site);
            web.truth.push(is_temporal);
        }
    }
    web
}

#[test]
fn ijcnlp08_the_top_of_a_thousand_sites_beats_chance_and_traffic() {
    let web = web(1_000);
    let pages: Vec<PageSeries<'_>> =
        web.series.iter().zip(&web.sites).map(|(bins, site)| PageSeries { group: *site, bins }).collect();
    let found = analyze(&pages, 1_000, 0..DAYS, &settings());
    let mut truth = vec![GroupScore::default(); 1_000];
    for ((page, site), is_temporal) in found.pages.iter().zip(&web.sites).zip(&web.truth) {
        truth[*site as usize].add(page.views, *is_temporal);
    }
    let top = &rank(&found.groups, ScoreWeights::default())[..100];
    let ours = judge_list(&truth, top).f;
    let mut by_traffic: Vec<usize> = (0..1_000).collect();
    by_traffic.sort_by(|a, b| truth[*b].views.total_cmp(&truth[*a].views));
    let traffic = judge_list(&truth, &by_traffic[..100]).f;
    let mut draws = Draws(10);
    let random: Vec<usize> = (0..100).map(|_| (draws.unit() * 1_000.0) as usize).collect();
    let random = judge_list(&truth, &random).f;
    assert!(ours > 2.0 * traffic.max(random) && ours > 0.5, "{ours} {traffic} {random}");
    let wrong = found
        .pages
        .iter()
        .zip(&web.truth)
        .filter(|(page, truth)| page.interest.is_ok() && page.is_temporal != **truth)
        .count();
    let judged = found.pages.iter().filter(|page| page.interest.is_ok()).count();
    assert!(wrong * 20 < judged, "{wrong} of {judged}");
    // Weights tuned on the truth are no worse than the paper's.
    let (_, tuned) = tune_weights(&found.groups, &truth, 100);
    assert!(tuned >= ours);
}

#[test]
fn ours_windows_slide_back_from_the_end_and_tell_who_came_and_went() {
    let only = |bins| vec![(0, bins)];
    let bounds = |bins| windows(bins, 60, 7).iter().map(|w| (w.start, w.end)).collect::<Vec<_>>();
    assert_eq!(bounds(60), only(60));
    assert_eq!(bounds(10), only(10));
    assert_eq!(windows(0, 60, 7), Vec::<std::ops::Range<usize>>::new());
    assert_eq!(windows(75, 60, 7), [1..61, 8..68, 15..75]);
    assert_eq!(changes(&[1, 2, 3], &[4, 3]), ListChange { joined: vec![4], left: vec![1, 2] });
}

#[test]
fn ours_many_pages_at_once_are_each_as_if_alone() {
    let mut draws = Draws(11);
    let planted = usual(&mut draws);
    let one = bins(expected(&planted));
    let pages = vec![PageSeries { group: 0, bins: &one }; 5_000];
    let found = analyze(&pages, 1, 0..DAYS, &settings());
    let alone = Interest::of(&one, CurveForm::BinMass).unwrap();
    assert!(found.pages.iter().all(|page| page.interest == Ok(alone)));
}
