//! Which patterns do people vote for by going there, and by going on from there? (CIKM 2011, §4)
//!
//! Nodes are patterns. One that people reach from good hubs is a good authority; one from which they go on to good
//! authorities is a good hub:
//!
//! - start: `auth_0(i) = F_in(P_i)/F_in(root)`, `hub_0(i) = F_out(P_i)/F_out(root)`
//! - round: `auth(i) = Σ_j pout_{j→i}·hub(j)`, `hub(i) = Σ_j pin_{i→j}·auth(j)`, both from the previous round
//! - votes: `pout_{j→i} = F_trans(P_j,P_i)/F_out(P_j)`, `pin_{i→j} = F_trans(P_i,P_j)/F_in(P_j)`
//!
//! Symbols: F_in, F_out, F_trans → [`PatternFlows`], auth → [`Ranks::auth`], hub → [`Ranks::hub`], δ → [`Damping`].
//! Fetch ranks by ½(auth + hub), discovery by hub: [`Ranks::of`].
//!
//! Method: x ← unit(δ·update + (1−δ)·x_0) for auth and hub. Stopping rule: the L1 change of both together falls below
//! 10⁻¹², or 500 rounds.
//!
//! **\[ours\]**
//! - Undamped (δ = 1, the paper's own) it degenerates. A page that only refers to itself is a closed class with
//!   eigenvalue 1, while a pattern people enter from outside has less, so in the end junk has all the mass. Hence δ =
//!   0.5 by default, the update not being scaled before it is mixed: that way the weight of the start grows where votes
//!   are lost to the outside. And hence transits of a URL to itself are left out.
//! - Unit length is that of HITS: the squares sum up to 1. The start is scaled to it too, so the F_in and F_out of the
//!   root, which divide all patterns alike, cancel and are not asked for. A vector of zeros stays one.
//! - If all traffic is internal, auth ∝ F_in and hub ∝ F_out is a fixed point, at any δ.
//! - A divisor of 0 counts as 1, lest a transit without a visit break it.

use super::{Goal, PatternFlows};

/// The rounds after which ranking gives up on converging.
const MAX_ROUNDS: u32 = 500;

/// The change below which it has converged.
const CONVERGED: f64 = 1e-12;

/// δ: how much the votes count in a round; the start has the rest. From 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damping(f64);

impl Damping {
    /// Half and half.
    pub const DEFAULT: Self = Self(0.5);
    /// Votes only, as the paper has it.
    pub const PLAIN: Self = Self(1.0);

    /// This δ, if it is from 0 to 1.
    pub fn new(votes: f64) -> Option<Self> {
        (0.0..=1.0).contains(&votes).then_some(Self(votes))
    }

    /// δ.
    pub fn votes(self) -> f64 {
        self.0
    }
}

impl Default for Damping {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A transit between patterns, as two votes.
#[derive(Clone, Copy, Debug)]
struct Vote {
    from: u32,
    to: u32,
    /// The share of the referrals of `from` that go to `to`.
    pout: f64,
    /// The share of the visits of `to` that come from `from`.
    pin: f64,
}

/// Patterns that vote for each other by where people go.
#[derive(Clone, Debug)]
pub struct BehaviorGraph {
    start: Scores,
    votes: Vec<Vote>,
}

#[derive(Clone, Debug)]
struct Scores {
    auth: Vec<f64>,
    hub: Vec<f64>,
}

/// What the votes come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// How much people want to get there, of unit length.
    pub auth: Vec<f64>,
    /// How much people go on from there to where they want to get, of unit length.
    pub hub: Vec<f64>,
    /// How many rounds it took.
    pub rounds: u32,
    /// By how much the last round changed the scores, all together.
    pub residual: f64,
}

impl BehaviorGraph {
    /// The graph of a site.
    ///
    /// # Panics
    /// If there are not as many patterns with referrals as with visits, or a transit has a pattern that does not exist.
    pub fn new(flows: &PatternFlows<'_>) -> Self {
        let PatternFlows { visits, referrals, transits, .. } = *flows;
        assert_eq!(visits.len(), referrals.len(), "one number of visits and of referrals for every pattern");
        let start = |counts: &[u64]| unit(counts.iter().map(|&count| count as f64).collect());
        let mut transits = transits.to_vec();
        transits.sort_unstable();
        let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
        let vote = |(from, to, count): (u32, u32, u64)| Vote {
            from,
            to,
            pout: share(count, referrals[from as usize]),
            pin: share(count, visits[to as usize]),
        };
        Self {
            start: Scores { auth: start(visits), hub: start(referrals) },
            votes: transits.into_iter().map(vote).collect(),
        }
    }

    /// Lets the patterns vote until the scores stand still. A round costs a step a vote.
    pub fn rank(&self, damping: Damping) -> Ranks {
        let mut scores = self.start.clone();
        let mut rounds = 0;
        let mut residual = f64::INFINITY;
        while rounds < MAX_ROUNDS && residual >= CONVERGED {
            let next = self.round(&scores, damping);
            residual = change(&scores.auth, &next.auth) + change(&scores.hub, &next.hub);
            scores = next;
            rounds += 1;
        }
        Ranks { auth: scores.auth, hub: scores.hub, rounds, residual }
    }

    fn round(&self, scores: &Scores, Damping(votes): Damping) -> Scores {
        let start = |from: &[f64]| from.iter().map(|score| (1.0 - votes) * score).collect();
        let mut next = Scores { auth: start(&self.start.auth), hub: start(&self.start.hub) };
        for vote in &self.votes {
            let (from, to) = (vote.from as usize, vote.to as usize);
            next.auth[to] += votes * vote.pout * scores.hub[from];
            next.hub[from] += votes * vote.pin * scores.auth[to];
        }
        Scores { auth: unit(next.auth), hub: unit(next.hub) }
    }
}

impl Ranks {
    /// The rank of every pattern for a goal.
    pub fn of(&self, goal: Goal) -> Vec<f64> {
        match goal {
            Goal::Fetch => self.auth.iter().zip(&self.hub).map(|(auth, hub)| (auth + hub) / 2.0).collect(),
            Goal::Discovery => self.hub.clone(),
        }
    }
}

/// Scaled so that the squares sum up to 1. Zeros stay zeros.
fn unit(mut scores: Vec<f64>) -> Vec<f64> {
    let length = scores.iter().map(|score| score * score).sum::<f64>().sqrt();
    if length > 0.0 {
        for score in &mut scores {
            *score /= length;
        }
    }
    scores
}

fn change(before: &[f64], after: &[f64]) -> f64 {
    before.iter().zip(after).map(|(b, a)| (b - a).abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(visits: &[u64], referrals: &[u64], transits: &[(u32, u32, u64)]) -> BehaviorGraph {
        BehaviorGraph::new(&PatternFlows { urls: &[], visits, referrals, transits })
    }

    fn assert_close(got: &[f64], expected: &[f64], by: f64) {
        assert!(got.len() == expected.len() && change(got, expected) < by, "{got:?} is not {expected:?}");
    }

    /// Pattern 0: 3 visits, one from outside, 4 referrals, all to 1. Pattern 1: 4 visits, 2 referrals, both to 0.
    fn two() -> BehaviorGraph {
        graph(&[3, 4], &[4, 2], &[(0, 1, 4), (1, 0, 2)])
    }

    #[test]
    fn cikm11_votes_by_hand() {
        let votes: Vec<_> = two().votes.iter().map(|v| (v.from, v.to, v.pout, v.pin)).collect();
        assert_eq!(votes, [(0, 1, 4.0 / 4.0, 4.0 / 4.0), (1, 0, 2.0 / 2.0, 2.0 / 3.0)]);
    }

    #[test]
    fn cikm11_two_undamped_rounds_by_hand() {
        let graph = two();
        assert_close(&graph.start.auth, &[0.6, 0.8], 1e-15);
        let s = 20f64.sqrt();
        assert_close(&graph.start.hub, &[4.0 / s, 2.0 / s], 1e-15);
        // auth(0) = 1·hub(1) = 2/s, auth(1) = 1·hub(0) = 4/s: of length 1 already.
        // hub(0) = 1·auth(1) = 0.8, hub(1) = 2/3·auth(0) = 0.4; length √0.8.
        let first = graph.round(&graph.start, Damping::PLAIN);
        assert_close(&first.auth, &[2.0 / s, 4.0 / s], 1e-15);
        assert_close(&first.hub, &[0.8 / 0.8f64.sqrt(), 0.4 / 0.8f64.sqrt()], 1e-15);
        // auth = (hub(1), hub(0)) = (0.4, 0.8)/√0.8 = (1, 2)/√5.
        // hub = (auth(1), 2/3·auth(0)) = (4, 4/3)/s, of length 4/s·√(10/9): (3, 1)/√10.
        let second = graph.round(&first, Damping::PLAIN);
        assert_close(&second.auth, &[1.0 / 5f64.sqrt(), 2.0 / 5f64.sqrt()], 1e-15);
        assert_close(&second.hub, &[3.0 / 10f64.sqrt(), 1.0 / 10f64.sqrt()], 1e-15);
    }

    #[test]
    fn ours_two_damped_rounds_by_hand() {
        let graph = two();
        // auth: ½(0.447214 + 0.6), ½(0.894427 + 0.8) ∝ (1.047214, 1.694427), of length 1.991919.
        // hub: ½(0.8 + 0.894427), ½(0.4 + 0.447214) ∝ (2, 1): as before.
        let first = graph.round(&graph.start, Damping::DEFAULT);
        assert_close(&first.auth, &[0.525731, 0.850651], 2e-6);
        assert_close(&first.hub, &[0.894427, 0.447214], 2e-6);
        // auth: hub has not changed, nor does it.
        // hub: (0.850651 + 0.894427, 2/3·0.525731 + 0.447214) = (1.745078, 0.797701), of length 1.918756.
        let second = graph.round(&first, Damping::DEFAULT);
        assert_close(&second.auth, &[0.525731, 0.850651], 2e-6);
        assert_close(&second.hub, &[0.909484, 0.415739], 2e-6);
    }

    #[test]
    fn cikm11_fetch_ranks_by_both_and_discovery_by_hubs() {
        let ranks = Ranks { auth: vec![0.6, 0.8], hub: vec![1.0, 0.0], rounds: 1, residual: 0.0 };
        assert_eq!(ranks.of(Goal::Fetch), [0.8, 0.4]);
        assert_eq!(ranks.of(Goal::Discovery), [1.0, 0.0]);
    }

    #[test]
    fn ours_closed_traffic_is_a_fixed_point() {
        // Every visit is from a page of the site and every referral to one: F_in and F_out are the sums of F_trans.
        let transits =
            [(0, 0, 2), (0, 1, 3), (0, 2, 4), (1, 0, 5), (1, 2, 1), (2, 0, 6), (2, 1, 7), (2, 3, 1), (3, 2, 2)];
        let (mut visits, mut referrals) = ([0; 4], [0; 4]);
        for (from, to, count) in transits {
            referrals[from as usize] += count;
            visits[to as usize] += count;
        }
        let graph = graph(&visits, &referrals, &transits);
        for damping in [Damping::PLAIN, Damping::DEFAULT, Damping::new(0.9).unwrap()] {
            let ranks = graph.rank(damping);
            assert_close(&ranks.auth, &unit(visits.map(|v| v as f64).to_vec()), 1e-12);
            assert_close(&ranks.hub, &unit(referrals.map(|v| v as f64).to_vec()), 1e-12);
            assert_eq!(ranks.rounds, 1);
        }
    }

    /// 0 and 1 are a site that people enter from outside; 2 is a page of five visits that only refers to itself.
    const VISITS: [u64; 3] = [1000, 500, 5];
    const REFERRALS: [u64; 3] = [300, 300, 5];
    const TRANSITS: [(u32, u32, u64); 3] = [(0, 1, 300), (1, 0, 300), (2, 2, 5)];

    #[test]
    fn ours_undamped_a_self_referring_page_takes_everything() {
        let ranks = graph(&VISITS, &REFERRALS, &TRANSITS).rank(Damping::PLAIN);
        assert!(ranks.auth[2] > 0.999 && ranks.hub[2] > 0.999, "{ranks:?}");
        assert!(ranks.residual < 1e-12 && ranks.rounds < 500);
    }

    #[test]
    fn ours_damped_a_self_referring_page_stays_small() {
        let ranks = graph(&VISITS, &REFERRALS, &TRANSITS).rank(Damping::DEFAULT);
        assert!(ranks.auth[2] < 0.05 && ranks.hub[2] < 0.05, "{ranks:?}");
        assert!(ranks.auth[0] > ranks.auth[1] && ranks.auth[1] > 0.5, "{ranks:?}");
    }

    #[test]
    fn ours_without_its_transits_to_itself_a_page_gets_no_votes() {
        let graph = graph(&VISITS, &REFERRALS, &TRANSITS[..2]);
        let plain = graph.rank(Damping::PLAIN);
        assert_eq!((plain.auth[2], plain.hub[2]), (0.0, 0.0));
        // That alone does not cure it: 0 → 1 keeps pin·pout = 0.6 of its mass in two rounds and 1 → 0 only 0.3, so the
        // entrance page, with most of the visits, ends with none.
        assert!(plain.auth[0] < 1e-9 && plain.auth[1] > 0.999, "{plain:?}");
        let damped = graph.rank(Damping::DEFAULT);
        assert!(damped.auth[0] > damped.auth[1] && damped.auth[1] > 0.3, "{damped:?}");
        assert!(damped.auth[2] > 0.0 && damped.auth[2] < 0.01, "what it has is its start: {damped:?}");
    }

    #[test]
    fn ours_no_votes_at_all_count_by_visits() {
        let graph = graph(&[3, 4], &[0, 0], &[]);
        let ranks = graph.rank(Damping::DEFAULT);
        assert_close(&ranks.auth, &[0.6, 0.8], 1e-15);
        assert_eq!(ranks.hub, [0.0, 0.0], "zeros stay zeros");
        assert_eq!(graph.rank(Damping::PLAIN).auth, [0.0, 0.0]);
        let none = BehaviorGraph::new(&PatternFlows { urls: &[], visits: &[], referrals: &[], transits: &[] });
        assert!(none.rank(Damping::DEFAULT).of(Goal::Fetch).is_empty());
    }

    #[test]
    fn ours_transits_without_visits_are_still_numbers() {
        let ranks = graph(&[0, 0], &[0, 0], &[(0, 1, 4)]).rank(Damping::DEFAULT);
        assert!(ranks.auth.iter().chain(&ranks.hub).all(|score| score.is_finite()));
    }

    #[test]
    fn damped_scores_converge_and_do_not_depend_on_the_order_of_transits() {
        let mut transits = vec![(0, 1, 30), (0, 2, 5), (1, 2, 7), (2, 0, 1), (2, 2, 3), (3, 0, 9)];
        let ranks = graph(&[90, 40, 20, 10], &[35, 7, 4, 9], &transits).rank(Damping::DEFAULT);
        assert!(ranks.residual < 1e-12 && ranks.rounds > 2 && ranks.rounds < 100, "{ranks:?}");
        transits.reverse();
        assert_eq!(graph(&[90, 40, 20, 10], &[35, 7, 4, 9], &transits).rank(Damping::DEFAULT), ranks);
    }

    #[test]
    fn a_damping_is_from_zero_to_one() {
        assert_eq!(Damping::new(1.0), Some(Damping::PLAIN));
        assert_eq!(Damping::new(0.25).map(Damping::votes), Some(0.25));
        assert!([-0.1, 1.1, f64::NAN, f64::INFINITY].into_iter().all(|d| Damping::new(d).is_none()));
        assert_eq!(Damping::default(), Damping::DEFAULT);
    }
}
