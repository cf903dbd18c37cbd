//! Which URLs are visited alike? The visit-based cut, T_VISIT (CIKM 2011, §3), by minimum description length.
//!
//! A cut Γ = {P_1 … P_K} says of a site that the URLs of each pattern are visited equally often. The best one needs the
//! fewest nats to tell itself and the visits:
//!
//! - model: `L(Γ) = (K−1)/2 · ln F`
//! - data: `L(U|Γ) = −Σ_u F_in(u) · ln p(u|Γ)`, with `p(u|Γ) = (1/|P_k|) · F_in(P_k)/F` for u in P_k
//!
//! Symbols: |n| → `urls[n]`, F_in(n) → `visits[n]`, both of the whole subtree of n; F → `visits[0]`.
//!
//! **\[ours\]** The paper's equation 3 prints a sum of p without the logarithm or the visit weight; the description
//! length that it cites (Li & Abe 1998) has both.
//!
//! Method: both lengths are sums over members, so the best cut is exact and takes one pass, children before parents:
//! `best(n) = min(cost(n), Σ best(child))`, `cost(n) = ½ ln F + F_in(n)·(ln |n| − ln F_in(n) + ln F)`, which is ½ ln F
//! where F_in(n) = 0. It stops at the root. The one model term that is left over, ½ ln F, is the same for all cuts.
//!
//! - On a tie, merge. Sums that differ by less than a share of 10⁻¹² are a tie: `cost` avoids cancellation (it never
//!   takes the difference of two logarithms), and the sums over children carry their rounding error along.
//! - **\[ours\]** A site nobody visits (F = 0) has ln F = 0: all cuts cost nothing, so the root is the cut.
//!
//! [`Weighting::Wagner`] is there because the data length grows with F and the model length with ln F: on a very large
//! log nothing merges. It minimizes `L(Γ) + C·(ln F/F)·L(U|Γ)`, where both grow alike.

use crate::{Cut, Outline};

/// Lengths whose ratio differs from 1 by no more than this are equal.
const TIE: f64 = 1e-12;

/// What the data length counts for against the model length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weighting {
    /// As much: the published method.
    #[default]
    Plain,
    /// Wagner's weighting with this C: the data length counts C·(ln F)/F.
    Wagner(f64),
}

impl Weighting {
    /// The weight of the data length where the site has this many visits.
    fn of_data(self, all_visits: u64) -> f64 {
        match self {
            Self::Plain => 1.0,
            Self::Wagner(_) if all_visits == 0 => 0.0,
            Self::Wagner(c) => c * ln(all_visits) / all_visits as f64,
        }
    }
}

/// The cut with the smallest description length, by the URLs and the visits in the subtree of every node. Takes one
/// pass over the tree.
///
/// # Panics
/// If there is not one number of URLs and of visits for every node.
pub fn visit_cut(outline: &Outline, urls: &[u64], visits: &[u64], weighting: Weighting) -> Cut {
    assert_eq!(urls.len(), outline.len(), "one number of URLs for every node");
    assert_eq!(visits.len(), outline.len(), "one number of visits for every node");
    let lengths = Lengths::new(visits, weighting);
    let mut split = vec![Sum::default(); outline.len()];
    let mut merged = vec![false; outline.len()];
    for node in outline.nodes().rev() {
        let n = node as usize;
        let cost = lengths.cost(urls[n], visits[n]);
        let of_children = split[n].value();
        merged[n] = outline.is_leaf(node) || cost <= of_children * (1.0 + TIE);
        if let Some(parent) = outline.parent(node) {
            split[parent as usize].add(if merged[n] { cost } else { of_children });
        }
    }
    Cut::topmost(outline, |node| merged[node as usize])
}

/// The description length of a cut in nats, L(Γ) + L(U|Γ), weighted: what [`visit_cut`] makes smallest.
pub fn description_length(cut: &Cut, urls: &[u64], visits: &[u64], weighting: Weighting) -> f64 {
    let lengths = Lengths::new(visits, weighting);
    let mut sum = Sum::default();
    for &member in cut.members() {
        sum.add(lengths.cost(urls[member as usize], visits[member as usize]));
    }
    // Over K members there are K half logarithms, and the model has K − 1.
    sum.add(-lengths.half_ln);
    sum.value()
}

/// What a member of a cut costs on a site.
struct Lengths {
    all_visits: u64,
    half_ln: f64,
    data_weight: f64,
}

impl Lengths {
    fn new(visits: &[u64], weighting: Weighting) -> Self {
        let all_visits = visits.first().copied().unwrap_or(0);
        Self { all_visits, half_ln: ln(all_visits) / 2.0, data_weight: weighting.of_data(all_visits) }
    }

    /// cost(n). ln F − ln F_in is taken as ln(1 + (F − F_in)/F_in), which is exact to the last digits even where
    /// nearly all visits are in n: there the difference of two logarithms has no digits left, times millions of visits.
    fn cost(&self, urls: u64, visits: u64) -> f64 {
        if visits == 0 {
            return self.half_ln;
        }
        let elsewhere = self.all_visits.saturating_sub(visits) as f64;
        let nats_per_visit = ln(urls) + (elsewhere / visits as f64).ln_1p();
        self.half_ln + self.data_weight * visits as f64 * nats_per_visit
    }
}

/// ln, and 0 for 0.
fn ln(count: u64) -> f64 {
    (count.max(1) as f64).ln()
}

/// A sum that carries its rounding error along (Neumaier), so that ten thousand terms do not blur a tie.
#[derive(Clone, Copy, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        let (large, small) = if self.sum.abs() >= term.abs() { (self.sum, term) } else { (term, self.sum) };
        self.lost += (large - sum) + small;
        self.sum = sum;
    }

    fn value(self) -> f64 {
        self.sum + self.lost
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;

    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
    }

    fn plain(parents: &[u32], urls: &[u64], visits: &[u64]) -> Vec<u32> {
        visit_cut(&Outline::new(parents), urls, visits, Weighting::Plain).members().to_vec()
    }

    #[test]
    fn cikm11_cost_of_a_member_by_hand() {
        let lengths = Lengths::new(&[64], Weighting::Plain);
        // ½ ln 64 + 16·(ln 8 − ln 16 + ln 64) = 3 ln 2 + 16·(3 − 4 + 6)·ln 2 = 83 ln 2
        assert!(close(lengths.cost(8, 16), 83.0 * LN_2));
        // Never visited: the half logarithm only.
        assert!(close(lengths.cost(1000, 0), 3.0 * LN_2));
        // All visits on one URL: nothing to tell.
        assert!(close(lengths.cost(1, 64), 3.0 * LN_2));
        // (F−1)·ln(F/(F−1)) tends to 1, which no difference of logarithms would show at F = 2⁵⁰.
        let lengths = Lengths::new(&[1 << 50], Weighting::Plain);
        assert!(close(lengths.cost(1, (1 << 50) - 1), 25.0 * LN_2 + 1.0));
    }

    #[test]
    fn cikm11_equal_visits_merge() {
        // Two leaves, 2 URLs and 4 visits each; F = 8. In units of ln 2:
        //   cost(root) = 3/2 + 8·(2 − 3 + 3) = 17.5
        //   cost(leaf) = 3/2 + 4·(1 − 2 + 3) = 9.5, twice: 19
        let (parents, urls, visits) = ([0, 0, 0], [4, 2, 2], [8, 4, 4]);
        assert_eq!(plain(&parents, &urls, &visits), [0]);
        // L(root) = 0·3/2 + 16; L(leaves) = 1·3/2 + 16
        let outline = Outline::new(&parents);
        let root = Cut::checked(&outline, vec![0]).unwrap();
        assert!(close(description_length(&root, &urls, &visits, Weighting::Plain), 16.0 * LN_2));
        assert!(close(description_length(&outline.leaves(), &urls, &visits, Weighting::Plain), 17.5 * LN_2));
    }

    #[test]
    fn cikm11_unequal_visits_stay_apart() {
        // Two leaves of 1 URL, 63 visits and 1; F = 64:
        //   cost(root) = 2.0794 + 64·0.6931 = 46.4409
        //   cost(63)   = 2.0794 + 63·0.015748 = 3.0716;  cost(1) = 2.0794 + 4.1589 = 6.2383;  together 9.3099
        assert_eq!(plain(&[0, 0, 0], &[2, 1, 1], &[64, 63, 1]), [1, 2]);
        let cut = Outline::new(&[0, 0, 0]).leaves();
        let length = description_length(&cut, &[2, 1, 1], &[64, 63, 1], Weighting::Plain);
        assert!((length - (9.3099 - 2.0794)).abs() < 1e-3, "{length}");
    }

    #[test]
    fn cikm11_part_of_a_tree_merges() {
        // Under 1 two equal leaves, under 2 two unequal ones; node 2 as a whole is visited far more than 1.
        let parents = [0, 0, 0, 1, 1, 2, 2];
        let urls = [40, 20, 20, 10, 10, 10, 10];
        let visits = [1040, 40, 1000, 20, 20, 990, 10];
        assert_eq!(plain(&parents, &urls, &visits), [1, 5, 6]);
    }

    #[test]
    fn cikm11_a_tie_is_cut() {
        // F = 4, ½ ln F = ln 2. One leaf of `a` URLs with all 4 visits, four leaves of 1 URL with none. In units of ln
        // 2, with a = 4:
        //   cost(root) = 1 + 4·log2 8 = 13
        //   leaves: (1 + 4·log2 4) + 4·1 = 13: a tie, but for rounding
        let with = |a: u64| plain(&[0; 6], &[a + 4, a, 1, 1, 1, 1], &[4, 4, 0, 0, 0, 0]);
        assert_eq!(with(4), [0]);
        // a = 5: 4·ln(9/5) = 2.35 is less than 4·ln 2, so merge; a = 3: 4·ln(7/3) = 3.39 is more, so do not.
        assert_eq!(with(5), [0]);
        assert_eq!(with(3), [1, 2, 3, 4, 5]);
        // An only child with all that its parent has is a tie as well.
        assert_eq!(plain(&[0, 0, 0, 1], &[2, 1, 1, 1], &[64, 63, 1, 63]), [1, 2]);
    }

    #[test]
    fn ours_wagner_weighting_merges_what_a_large_log_keeps_apart() {
        // 600 and 400 visits; F = 1000. Data: 1000·ln 2 = 693.15 against 600·ln(1/.6) + 400·ln(1/.4) = 673.01, which
        // gains 20.14, more than ½ ln 1000 = 3.45. Weighted by ln F/F = 0.0069 it gains 0.139, and less than 3.45.
        let outline = Outline::new(&[0, 0, 0]);
        let cut = |w| visit_cut(&outline, &[2, 1, 1], &[1000, 600, 400], w).members().to_vec();
        assert_eq!(cut(Weighting::Plain), [1, 2]);
        assert_eq!(cut(Weighting::Wagner(1.0)), [0]);
        assert_eq!(cut(Weighting::Wagner(30.0)), [1, 2], "0.139·30 = 4.2 is more than 3.45");
        let root = Cut::checked(&outline, vec![0]).unwrap();
        let length = description_length(&root, &[2, 1, 1], &[1000, 600, 400], Weighting::Wagner(1.0));
        assert!(close(length, LN_2 * 1000f64.ln()), "C·(ln F/F)·F·ln 2: {length}");
    }

    #[test]
    fn ours_a_site_without_visits_is_cut_at_the_root() {
        for weighting in [Weighting::Plain, Weighting::Wagner(1.0)] {
            let outline = Outline::new(&[0, 0, 0, 1, 1]);
            assert_eq!(visit_cut(&outline, &[5, 3, 2, 1, 2], &[0; 5], weighting).members(), [0]);
            assert!(description_length(&outline.leaves(), &[5, 3, 2, 1, 2], &[0; 5], weighting).abs() < 1e-12);
        }
        assert_eq!(plain(&[0, 0, 0], &[2, 1, 1], &[1, 1, 0]), [1, 2], "one visit is already something to tell");
    }

    #[test]
    fn ours_a_tie_survives_billions_of_visits() {
        // Nodes 1, 3 and 4 are a chain with all visits but one: they tie at any size, and 2 stays apart.
        let visits = [1 << 40, (1 << 40) - 1, 1, (1 << 40) - 1, (1 << 40) - 1];
        assert_eq!(plain(&[0, 0, 0, 1, 3], &[2_000, 1_000, 1_000, 1_000, 1_000], &visits), [1, 2]);
    }
}
