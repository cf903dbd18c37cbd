//! The most fresh visits if revisits come at random times (Azar, Horvitz, Lubetzky, Peres, Shahaf; PNAS 2018).
//!
//! ```text
//! maximize   Σ m·r/(r + D)      under   Σ r = R,  r ≥ 0
//! r = √(mD)·(R + Σ_S D)/Σ_S √(mD) − D      for the pages S that are fetched at all
//! ```
//! S is a prefix of the pages by m/D, descending. Write √λ = Σ_S √(mD)/(R + Σ_S D). A page belongs to S if m/D > λ. To add a page to S
//! moves √λ towards √(m/D) of that page and never past it, because it is the mediant of both. So the first page that does not belong
//! ends S, and one pass is enough. Cost: O(n log n).

use super::scaled;
use crate::revisit::Perishable;

/// Requests a day for each page.
pub(super) fn rates(pages: &[Perishable], budget: f64) -> Vec<f64> {
    let ratio = |page: &Perishable| page.importance() / page.change_rate();
    let root = |page: &Perishable| (page.importance() * page.change_rate()).sqrt();
    // Positive floats sort as their bits do; ties by number.
    let mut order: Vec<(u64, u32)> = pages.iter().map(|page| !ratio(page).to_bits()).zip(0..).collect();
    order.sort_unstable();
    let (mut roots, mut changes, mut kept) = (0.0, budget, 0);
    for (_, page) in &order {
        let page = &pages[*page as usize];
        let (with_roots, with_changes) = (roots + root(page), changes + page.change_rate());
        if ratio(page).sqrt() * with_changes <= with_roots {
            break;
        }
        (roots, changes, kept) = (with_roots, with_changes, kept + 1);
    }
    let mut rates = vec![0.0; pages.len()];
    for (_, page) in &order[..kept] {
        let one = &pages[*page as usize];
        rates[*page as usize] = (root(one) * (changes / roots) - one.change_rate()).max(0.0);
    }
    // A budget far below the change rates is lost in rounding: the best page gets all of it.
    if budget > 0.0
        && rates.iter().all(|rate| *rate == 0.0)
        && let Some((_, best)) = order.first()
    {
        rates[*best as usize] = budget;
    }
    scaled(rates, budget)
}
