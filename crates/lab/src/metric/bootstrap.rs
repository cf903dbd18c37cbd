//! Would other people have given the same result? Intervals over users, by resampling them.
//!
//! The area under the curve of traffic is linear in visits (see [`coverage`](super::coverage)): with `n_u` the visits of user u and
//! `s_u = Σ 1 − (position − 1)/T` over them (a page never fetched adds 0), `AUC = Σ_u s_u / Σ_u n_u`. A resample draws as
//! many users as there are, with replacement; user u is drawn `c_u` times, and `AUC* = Σ c_u·s_u / Σ c_u·n_u`. People are drawn, not visits: the visits of
//! one person are alike.
//!
//! All policies share the resamples (paired), so the interval of a difference is as narrow as it should be. The interval
//! holds the middle 95 % of the resamples (percentiles, interpolated). Users are those with a visit that counts, in order
//! of their number, so the order of visits does not matter.
//!
//! **The best of many.** Who looks for the best order first and then asks how far it is ahead has picked a pair for its result. For that the
//! interval is `d ± q·s` instead: d the difference seen, s its standard deviation over resamples, and q the 95th percentile over resamples of
//! the largest `|d* − d|/s` of all pairs that could have been picked (Tukey's way, by resampling). It holds for all pairs at once.
//!
//! Cost: resamples × users × policies, one multiplication and addition each.

use super::traffic::NEVER;
use crate::chance::Chance;
use crate::graph::PageId;

/// How often users are drawn anew, by default.
pub const RESAMPLES: u32 = 1_000;

/// How often, and by what chance.
#[derive(Clone, Copy, Debug)]
pub struct Resampling {
    /// How many resamples.
    pub resamples: u32,
    /// The seed of all chance.
    pub seed: u64,
}

/// The areas of all policies in all resamples.
#[derive(Clone, Debug)]
pub struct Bootstrap {
    /// By policy, then resample.
    areas: Vec<Vec<f64>>,
    /// By policy: with the users there are.
    seen: Vec<f64>,
}

impl Bootstrap {
    /// Resamples the users of these visits (to reachable pages), for policies given by the position of every page, from 1, or
    /// [`NEVER`]; T is `pages`. None with fewer than two users or without a resample: there is no other choice of people then.
    pub fn over_users(
        visits: &[(u32, PageId)],
        positions: &[&[u32]],
        pages: u32,
        resampling: Resampling,
    ) -> Option<Self> {
        let sums = UserSums::of(visits, positions, pages);
        let users = sums.visits.len();
        if users < 2 || resampling.resamples == 0 {
            return None;
        }
        let policies = positions.len();
        let mut areas = vec![Vec::with_capacity(resampling.resamples as usize); policies];
        let mut chance = Chance::new(resampling.seed);
        let mut drawn = vec![0_u32; users];
        let mut found = vec![0.0; policies];
        for _ in 0..resampling.resamples {
            drawn.fill(0);
            for _ in 0..users {
                drawn[chance.below(users)] += 1;
            }
            found.fill(0.0);
            let mut visits = 0.0;
            for (user, &times) in drawn.iter().enumerate().filter(|(_, times)| **times > 0) {
                let times = f64::from(times);
                visits += times * sums.visits[user];
                let row = &sums.found[user * policies..][..policies];
                found.iter_mut().zip(row).for_each(|(sum, found)| *sum += times * found);
            }
            areas.iter_mut().zip(&found).for_each(|(areas, found)| areas.push(found / visits));
        }
        let all: f64 = sums.visits.iter().sum();
        let seen = (0..policies).map(|at| sums.found.iter().skip(at).step_by(policies).sum::<f64>() / all).collect();
        Some(Self { areas, seen })
    }

    /// The 95 % interval of a policy's area.
    ///
    /// # Panics
    /// If there is no such policy.
    pub fn interval(&self, policy: usize) -> [f64; 2] {
        middle(self.areas[policy].clone())
    }

    /// The 95 % interval of how far a policy is ahead of another.
    ///
    /// # Panics
    /// If there is no such policy.
    pub fn ahead(&self, policy: usize, of: usize) -> [f64; 2] {
        middle(self.areas[policy].iter().zip(&self.areas[of]).map(|(a, b)| a - b).collect())
    }
}

impl Bootstrap {
    /// q: how many standard deviations a pair of these may be off, whichever is picked.
    #[must_use]
    pub fn allowance(&self, among: &[usize]) -> f64 {
        let resamples = self.areas.first().map_or(0, Vec::len);
        let mut most = vec![0.0_f64; resamples];
        for (place, &a) in among.iter().enumerate() {
            for &b in &among[..place] {
                let (mean, deviation) = self.difference(a, b);
                if deviation > 0.0 {
                    for (most, (x, y)) in most.iter_mut().zip(self.areas[a].iter().zip(&self.areas[b])) {
                        *most = most.max((x - y - mean).abs() / deviation);
                    }
                }
            }
        }
        most.sort_unstable_by(f64::total_cmp);
        most.get((0.95 * resamples as f64) as usize).or(most.last()).copied().unwrap_or(0.0)
    }

    /// The 95 % interval of how far a policy is ahead of another if the two were picked for their result; see [`allowance`](Self::allowance).
    ///
    /// # Panics
    /// If there is no such policy.
    #[must_use]
    pub fn ahead_if_picked(&self, policy: usize, of: usize, allowance: f64) -> [f64; 2] {
        let (mean, deviation) = self.difference(policy, of);
        [mean - allowance * deviation, mean + allowance * deviation]
    }

    /// The difference of two areas as seen, and its standard deviation over resamples.
    fn difference(&self, a: usize, b: usize) -> (f64, f64) {
        let differences = self.areas[a].iter().zip(&self.areas[b]).map(|(a, b)| a - b);
        let n = self.areas[a].len().max(1) as f64;
        let mean = differences.clone().sum::<f64>() / n;
        let square = differences.map(|d| (d - mean).powi(2)).sum::<f64>() / n;
        (self.seen[a] - self.seen[b], square.sqrt())
    }
}

/// n_u, and s_u by user, then policy.
struct UserSums {
    visits: Vec<f64>,
    found: Vec<f64>,
}

impl UserSums {
    fn of(visits: &[(u32, PageId)], positions: &[&[u32]], pages: u32) -> Self {
        let mut visits = visits.to_vec();
        visits.sort_unstable();
        let mut sums = Self { visits: Vec::new(), found: Vec::new() };
        for of_user in visits.chunk_by(|a, b| a.0 == b.0) {
            sums.visits.push(of_user.len() as f64);
            for positions in positions {
                let found = of_user.iter().map(|&(_, page)| match positions[page as usize] {
                    NEVER => 0.0,
                    position => 1.0 - f64::from(position - 1) / f64::from(pages),
                });
                sums.found.push(found.sum());
            }
        }
        sums
    }
}

/// What lies between the 2.5th and the 97.5th percentile.
fn middle(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_unstable_by(f64::total_cmp);
    [0.025, 0.975].map(|share| {
        let at = share * (values.len() - 1) as f64;
        let (low, part) = (at.floor() as usize, at.fract());
        let high = (low + 1).min(values.len() - 1);
        values[low] + part * (values[high] - values[low])
    })
}

#[cfg(test)]
mod tests {
    use super::super::traffic;
    use super::*;
    use proptest::prelude::*;

    const RESAMPLING: Resampling = Resampling { resamples: 400, seed: 5 };

    #[test]
    fn percentiles_are_interpolated() {
        assert_eq!(middle((0..=1_000).map(f64::from).rev().collect()), [25.0, 975.0]);
        assert_eq!(middle(vec![2.0]), [2.0, 2.0]);
    }

    #[test]
    fn ours_one_user_or_none_has_no_interval() {
        let positions = [1_u32, 2];
        assert!(Bootstrap::over_users(&[], &[&positions], 2, RESAMPLING).is_none());
        assert!(Bootstrap::over_users(&[(7, 0), (7, 1)], &[&positions], 2, RESAMPLING).is_none());
        assert!(Bootstrap::over_users(&[(7, 0), (8, 1)], &[&positions], 2, RESAMPLING).is_some());
    }

    #[test]
    fn ours_users_who_read_alike_leave_no_doubt() {
        let visits: Vec<(u32, PageId)> = (0..50).flat_map(|user| [(user, 0), (user, 2)]).collect();
        let bootstrap = Bootstrap::over_users(&visits, &[&[1, 2, 4, 3], &[4, 3, NEVER, 1]], 4, RESAMPLING).unwrap();
        // (1 + 1/4)/2 and (1/4 + 0)/2.
        assert_eq!((bootstrap.interval(0), bootstrap.interval(1)), ([0.625; 2], [0.125; 2]));
        assert_eq!(bootstrap.ahead(0, 1), [0.5; 2]);
    }

    #[test]
    fn ours_the_interval_is_that_of_a_mean_of_as_many_users() {
        // Half of 400 users find their page first, half never: the area is a mean of coins, σ = ½/√400 = 0.025.
        let visits: Vec<(u32, PageId)> = (0..400).map(|user| (user, user % 2)).collect();
        let sampling = Resampling { resamples: 4_000, seed: 1 };
        let bootstrap = Bootstrap::over_users(&visits, &[&[1, NEVER], &[NEVER, 1]], 2, sampling).unwrap();
        let [low, high] = bootstrap.interval(0);
        assert!((low - 0.451).abs() < 0.005 && (high - 0.549).abs() < 0.005, "{low} {high}");
        // Paired: what one policy wins the other loses, so the difference is twice as wide, not √2 times.
        let [low, high] = bootstrap.ahead(0, 1);
        assert!((high - low - 4.0 * 1.96 * 0.025).abs() < 0.01, "{low} {high}");
    }

    #[test]
    fn ours_who_picks_the_best_of_many_is_less_sure() {
        // Twenty orders that differ by chance alone: page k first, all others last. The best of them is ahead of the worst beyond chance if
        // nobody says that it was picked.
        let mut chance = Chance::new(3);
        let visits: Vec<(u32, PageId)> = (0..200).map(|user| (user, chance.below(20) as PageId)).collect();
        let orders: Vec<Vec<u32>> =
            (0..20_usize).map(|first| (0..20).map(|page| if page == first { 1 } else { NEVER }).collect()).collect();
        let positions: Vec<&[u32]> = orders.iter().map(Vec::as_slice).collect();
        let bootstrap = Bootstrap::over_users(&visits, &positions, 20, RESAMPLING).unwrap();
        let all: Vec<usize> = (0..20).collect();
        let by = |a: &&usize, b: &&usize| bootstrap.seen[**a].total_cmp(&bootstrap.seen[**b]);
        let (best, worst) = (*all.iter().max_by(by).unwrap(), *all.iter().min_by(by).unwrap());
        assert!(bootstrap.ahead(best, worst)[0] > 0.0);
        let allowance = bootstrap.allowance(&all);
        assert!(allowance > 2.5, "{allowance}");
        assert!(bootstrap.ahead_if_picked(best, worst, allowance)[0] <= 0.0);
        // With one pair there is nothing to pick, and two that are the same are level.
        let alone = bootstrap.allowance(&[best, worst]);
        assert!((1.7..2.3).contains(&alone), "{alone}");
        assert_eq!(bootstrap.ahead_if_picked(best, best, allowance), [0.0, 0.0]);
    }

    proptest! {
        #[test]
        fn ours_a_resample_is_the_area_of_the_visits_drawn(
            visits in prop::collection::vec((0_u32..6, 0_u32..5), 2..30), seed in any::<u64>(), stop in 0_usize..6,
        ) {
            let mut order = vec![3, 1, 4, 0, 2];
            order.truncate(stop);
            let positions = traffic::positions(&order, 5);
            let resampling = Resampling { resamples: 3, seed };
            let Some(bootstrap) = Bootstrap::over_users(&visits, &[&positions], 5, resampling) else { return Ok(()) };
            let mut users: Vec<u32> = visits.iter().map(|visit| visit.0).collect();
            users.sort_unstable();
            users.dedup();
            let mut chance = Chance::new(seed);
            for &area in &bootstrap.areas[0] {
                let mut weights = [0.0; 5];
                for _ in 0..users.len() {
                    let user = users[chance.below(users.len())];
                    visits.iter().filter(|visit| visit.0 == user).for_each(|visit| weights[visit.1 as usize] += 1.0);
                }
                let expected = traffic::fetched(&order, &weights, &[true; 5]).unwrap().area();
                prop_assert!((area - expected).abs() < 1e-12);
            }
            let mut shuffled = visits.clone();
            shuffled.reverse();
            let again = Bootstrap::over_users(&shuffled, &[&positions], 5, resampling).unwrap();
            prop_assert_eq!(again.areas, bootstrap.areas);
        }
    }
}
