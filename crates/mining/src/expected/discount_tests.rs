//! Does the fit find what was planted, and does what is expected lie where it must?

use proptest::prelude::*;

use super::*;
use crate::site_table::SiteTable;
use crate::tree::Outline;
use crate::{Entrance, From, SiteTableBuilder, Triple};

/// Numbers that look like chance (SplitMix64), from 0 up to 1.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn poisson(&mut self, mean: f64) -> u32 {
        let (mut n, mut left) = (0, -mean);
        loop {
            left -= self.next().max(1e-300).ln();
            if left > 0.0 {
                return n;
            }
            n += 1;
        }
    }

    /// Gamma of a whole shape, with mean 1.
    fn gamma(&mut self, shape: u32) -> f64 {
        (0..shape).map(|_| -self.next().max(1e-300).ln()).sum::<f64>() / f64::from(shape)
    }
}

/// A table of URLs with these visits, all of one pattern below the root.
fn table(urls: &[Slices]) -> (SiteTable, Outline, Vec<u32>) {
    let mut builder = SiteTableBuilder::new(1);
    for (n, slices) in urls.iter().enumerate() {
        let target = builder.url(&format!("x.org/{n:06}"));
        for (slice, visits) in slices.iter().enumerate() {
            let triple = Triple { from: From::Outside(Entrance::Direct), target };
            (0..*visits).for_each(|_| builder.add_in(triple, slice));
        }
    }
    (builder.finish("x.org".to_owned()), Outline::new(&[0, 0]), vec![1; urls.len()])
}

fn fitted(urls: &[Slices]) -> Fitted {
    let (table, outline, patterns) = table(urls);
    fit(&table, &outline, &patterns)
}

#[test]
fn ours_the_fit_recovers_a_planted_strength() {
    // Rates are Gamma with shape k and mean 6: a prior that counts for k / 6 slices.
    for shape in [1_u32, 3, 12] {
        let mut chance = Chance(u64::from(shape));
        let urls: Vec<Slices> = (0..20_000)
            .map(|_| {
                let rate = 6.0 * chance.gamma(shape);
                std::array::from_fn(|_| chance.poisson(rate))
            })
            .collect();
        let Forecast { strength, discount, kept, .. } = fitted(&urls).forecast;
        let planted = f64::from(shape) / 6.0;
        assert!((strength / planted).ln().abs() < 0.25, "{shape}: {strength} for {planted}");
        assert!(discount > 0.97 && kept > 0.99, "{discount} {kept}");
    }
}

#[test]
fn ours_the_fit_recovers_how_fast_interest_fades() {
    // Interest is new each slice with probability 1 − ρ: a visit tells ρ times as much a slice later.
    let fit_of = |stays: f64| {
        let mut chance = Chance(7);
        let urls: Vec<Slices> = (0..20_000)
            .map(|_| {
                let mut rate = 8.0 * chance.gamma(1);
                std::array::from_fn(|_| {
                    if chance.next() > stays {
                        rate = 8.0 * chance.gamma(1);
                    }
                    chance.poisson(rate)
                })
            })
            .collect();
        fitted(&urls).forecast.discount
    };
    let (steady, fading) = (fit_of(1.0), fit_of(0.6));
    assert!(steady > 0.97 && fading < 0.75, "{steady} {fading}");
}

#[test]
fn ours_the_fit_recovers_a_planted_rate_of_new_urls() {
    // A thousand URLs that stay, and in each slice 25 new ones with 4 visits.
    let mut urls = vec![[10; SLICES]; 1_000];
    for slice in 0..SLICES {
        let new = std::array::from_fn(|at| if at == slice { 4 } else { 0 });
        urls.extend(vec![new; 25]);
    }
    let found = fitted(&urls);
    assert!((found.nodes[1].novel - 100.0).abs() < 0.2, "{:?}", found.nodes[1]);
    assert!((found.nodes[1].of_unread(true, 50) - 2.0).abs() < 0.01);
    // 10,000 visits a slice stay of 10,100.
    assert!((found.forecast.kept - 0.99).abs() < 0.003, "{}", found.forecast.kept);
}

#[test]
fn ours_without_two_parts_what_was_visited_once_foretells_what_is_new() {
    let last = |n| [0, 0, 0, 0, 0, 0, 0, n];
    let found = fitted(&[last(1), last(1), last(1), last(5)]);
    assert_eq!(found.forecast, Forecast { mean: 0.25, ..Forecast::default() });
    assert_eq!(found.nodes[1].novel, 3.5 / 8.0);
}

#[test]
fn ours_a_branch_nobody_had_seen_is_news_of_the_node_above() {
    let (early, late) = ([1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2, 2, 2, 2]);
    let (table, ..) = table(&[early, late]);
    let outline = Outline::new(&[0, 0, 0]);
    let found = fit(&table, &outline, &[1, 2]).nodes;
    let (half, all) = (found[0].novel, found[0].fresh);
    assert!((all - half - 2.0).abs() < 1e-9 && half < 0.2, "{half} {all}");
    // The branch itself is new, and so are its URLs.
    assert_eq!((found[1].novel, found[1].fresh, found[2].novel, found[2].fresh), (half, half, all, half));
}

fn slices() -> impl Strategy<Value = Slices> {
    proptest::array::uniform8(0_u32..1_000)
}

proptest! {
    #[test]
    fn ours_what_is_expected_lies_between_a_urls_own_rate_and_its_patterns(
        slices in slices(), mean in 0.0..500.0_f64, strength in 0.01..100.0_f64, discount in 0.3..1.0_f64,
    ) {
        let forecast = Forecast { discount, strength, kept: 1.0, mean };
        let (own, expected) = (forecast.own(&slices), forecast.of_visited(&slices, mean));
        let slack = 1e-9 * (own + mean);
        prop_assert!(expected >= own.min(mean) - slack && expected <= own.max(mean) + slack, "{own} {mean} {expected}");
    }

    #[test]
    fn ours_more_evidence_is_less_shrinkage(slices in slices(), mean in 0.0..500.0_f64, strength in 0.01..10.0_f64) {
        // The same rate, known from the first part alone, or from all of it.
        let mut steady = slices;
        steady.copy_within(..FIRST_PART, FIRST_PART);
        let forecast = Forecast { discount: 1.0, strength, kept: 1.0, mean };
        let own = forecast.own(&steady);
        let by = |expected: f64| (expected - own).abs();
        prop_assert!(by(forecast.of_visited(&steady, mean)) <= by(forecast.of_first_part(&steady, mean)) + 1e-9);
    }

    #[test]
    fn ours_the_more_unread_urls_are_found_the_less_each_may_hope_for(
        novel in 0.0..1e6_f64, unread in 0_u64..1_000_000, more in 1_u64..1_000_000,
    ) {
        let expect = Expect { mean: 1.0, novel, fresh: novel };
        for covered in [true, false] {
            prop_assert!(expect.of_unread(covered, unread + more) <= expect.of_unread(covered, unread));
            if novel > 0.0 && unread > 0 {
                prop_assert!(expect.of_unread(covered, unread + more) < expect.of_unread(covered, unread));
            }
        }
    }

    #[test]
    fn ours_any_table_has_finite_parameters(urls in proptest::collection::vec(slices(), 0..20)) {
        let found = fitted(&urls);
        let Forecast { discount, strength, kept, mean } = found.forecast;
        prop_assert!([discount, strength, kept, mean].iter().all(|x| x.is_finite() && *x >= 0.0), "{:?}", found.forecast);
        prop_assert!(found.nodes.iter().all(|n| n.mean.is_finite() && n.novel > 0.0 && n.fresh > 0.0));
    }
}
