//! Does a log foretell what was planted, and is nothing it says impossible?

use proptest::prelude::*;

use super::*;
use crate::random::{GAMMA, mix};
use crate::site_table::Slices;
use crate::{Entrance, From, SiteTableBuilder, Triple};

/// Numbers that look like chance (SplitMix64), from 0 up to 1.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(GAMMA);
        (mix(self.0) >> 11) as f64 / (1_u64 << 53) as f64
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
        {
            let (table, outline, patterns) = table(&urls);
            OfLog::new(&table, &outline, &patterns).forecast.discount
        }
    };
    let (steady, fading) = (fit_of(1.0), fit_of(0.6));
    assert!(steady > 0.97 && fading < 0.75, "{steady} {fading}");
}

#[test]
fn ours_urls_that_stay_have_what_they_had_and_new_ones_share_what_goes_to_new_ones() {
    // A thousand URLs that stay, in each slice 25 new ones with 4 visits, and 200 that nobody has read.
    let mut urls = vec![[10; SLICES]; 1_000];
    for slice in 0..SLICES {
        let new = std::array::from_fn(|at| if at == slice { 4 } else { 0 });
        urls.extend(vec![new; 25]);
    }
    urls.extend(vec![[0; SLICES]; 200]);
    let (table, outline, patterns) = table(&urls);
    let of_log = OfLog::new(&table, &outline, &patterns);
    assert!((of_log.of_url(3) / 10.0 - 1.0).abs() < 0.05, "{}", of_log.of_url(3));
    // A hundred visits a slice go to new ones: half a visit for each of those that are unread.
    let expect = of_log.nodes(|_| false)[1];
    assert!((0.2..1.0).contains(&expect.unread), "{expect:?}");
    assert_eq!(of_log.of_url(1_300), expect.unread);
    // Without a name they are one of all: 10,100 visits a slice, 1,400 URLs.
    assert!((expect.unnamed / 7.2 - 1.0).abs() < 0.15, "{expect:?}");
    let few = of_log.nodes(|url| url < 1_000)[1].unnamed;
    assert!(few < 1.0, "those that stay are named: {few}");
}

#[test]
fn ours_what_was_born_under_a_new_branch_tells_of_branches_to_come() {
    // A branch for each slice, read in that slice only; beside it one that is always read.
    let mut urls = vec![[5; SLICES]; 40];
    let mut patterns = vec![1; 40];
    for slice in 0..SLICES {
        urls.extend(vec![std::array::from_fn(|at| if at == slice { 8 } else { 0 }); 10]);
        patterns.extend([2 + slice as u32; 10]);
    }
    let (table, ..) = table(&urls);
    let outline = Outline::new(&[0; 2 + SLICES]);
    let expect = OfLog::new(&table, &outline, &patterns).nodes(|_| true);
    let (steady, yesterday, tomorrow) = (expect[1].unread, expect[9].unread, expect[0].uncovered);
    // 80 visits a slice went to URLs under branches that were new; as many as are known share them.
    assert!(tomorrow > 2.0 * steady && yesterday > steady, "{tomorrow} {steady} {yesterday}");
}

fn slices() -> impl Strategy<Value = Slices> {
    proptest::array::uniform8(0_u32..1_000)
}

proptest! {
    #[test]
    fn ours_any_table_foretells_finite_numbers(urls in proptest::collection::vec(slices(), 1..20)) {
        let (table, outline, patterns) = table(&urls);
        let of_log = OfLog::new(&table, &outline, &patterns);
        prop_assert!((0.3..=1.0).contains(&of_log.forecast.discount));
        prop_assert!((0..urls.len() as u32).all(|url| of_log.of_url(url).is_finite() && of_log.of_url(url) >= 0.0));
        for expect in of_log.nodes(|url| url % 2 == 0) {
            let all = [expect.unnamed, expect.unread, expect.uncovered];
            prop_assert!(all.iter().all(|rate| rate.is_finite() && *rate >= 0.0), "{:?}", expect);
        }
    }

    #[test]
    fn ours_more_visits_never_foretell_less(slices in slices(), at in 0_usize..SLICES) {
        let mut more = slices;
        more[at] += 1;
        let (table, outline, patterns) = table(&[slices, more, [3; SLICES], [0; SLICES]]);
        let of_log = OfLog::new(&table, &outline, &patterns);
        prop_assert!(of_log.of_url(1) >= of_log.of_url(0));
    }
}
