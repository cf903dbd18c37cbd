//! Where would somebody end up who follows links at random? PageRank of a whole graph (WWW 1998, §2).
//!
//! `IR(p) = (1−d) + d·Σ_i IR(t_i)/c_i` over the pages `t_i` that link to p, `c_i` = how many links `t_i` has; a page
//! without links counts as linking to every page, itself included. So the scores sum up to the number of pages n, and
//! `IR(p)/n` is the probability form, which other programs compute.
//!
//! Symbols: d → [`Damping`], IR → [`PageRank::scores`].
//!
//! Method
//! 1. What pages without links give is the same for all pages, as is (1−d); so it only scales the result. With it left
//!    out, `x(p) = (1−d) + d·Σ x(t_i)/c_i`, and `IR = x·n/Σx`.
//! 2. Components (pages that can reach each other) are settled one after the other, those that feed others first.
//!    Most are one page, whose score is a single sum.
//! 3. A larger one is solved by sweeps in place: `block`.
//!
//! Stopping rule and error. Let `r = (1−d) + d·Σ x/c − x` be the residual. A component is done when its residuals are
//! at most `τ·(1−d)/2` times its scores (L1), hence `‖r‖₁ ≤ τ·(1−d)/2·Σx`. What is missing from x is
//! `e = Σ_k (d·Pᵀ)^k r`, so `‖e‖₁ ≤ ‖r‖₁/(1−d) ≤ τ/2·Σx`. Scaling to sum 1 at most doubles that. So **the scores in
//! probability form are off by at most τ, all pages together** (rounding aside). Other programs stop at a change of τ, or
//! of τ·n, which is 1/(1−d) to n/(1−d) times weaker.

use super::block::{Block, Surroundings};
use super::components::Components;
use super::{PageRankDamping, Rows, Tolerance};

/// The scores of all pages.
#[derive(Clone, Debug)]
pub struct PageRank {
    /// By page; their mean is 1.
    pub scores: Vec<f64>,
    /// How many sweeps the component took that took most.
    pub sweeps: u32,
}

/// PageRank of a graph, given by its links both ways. No page may link to itself, and no link may be there twice.
///
/// Cost: one step a link for the components, then one a link and sweep, of which there are some ten to some hundred.
///
/// # Panics
/// If `backward` does not hold the links of `forward`, reversed.
pub fn pagerank(forward: &Rows<'_>, backward: &Rows<'_>, damping: PageRankDamping, tolerance: Tolerance) -> PageRank {
    let pages = forward.pages();
    assert_eq!(pages, backward.pages(), "the same pages both ways");
    let d = damping.share();
    let share = tolerance.get() * (1.0 - d) / 2.0;

    let Components { order, ends } = Components::of(backward);
    let mut place = vec![0; pages];
    for (at, &page) in (0..).zip(&order) {
        place[page as usize] = at;
    }
    let mut scores = vec![0.0; pages];
    let mut hands = vec![0.0; pages];
    let mut sweeps = 0;
    let mut block = Block::default();
    let mut start = 0;
    for &end in &ends {
        let members = &order[start as usize..end as usize];
        if let &[page] = members {
            let from = backward.of(page).iter();
            scores[page as usize] = from.fold(1.0 - d, |sum, &from| sum + hands[from as usize]);
        } else {
            block.set_up(members, start, &Surroundings { forward, backward, damping, place: &place, hands: &hands });
            sweeps = sweeps.max(block.settle(share, damping));
            for (&page, &score) in members.iter().zip(&block.score) {
                scores[page as usize] = score;
            }
        }
        for &page in members {
            // A page without links hands nothing to anybody in particular.
            hands[page as usize] = d * scores[page as usize] / f64::from(forward.count(page).max(1));
        }
        start = end;
    }

    let scale = pages as f64 / scores.iter().sum::<f64>();
    scores.iter_mut().for_each(|score| *score *= scale);
    PageRank { scores, sweeps }
}
