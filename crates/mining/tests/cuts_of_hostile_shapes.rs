//! Do the cuts stay within their bounds on trees that nobody would draw?
//!
//! Bounds are on counted work, which is the same on every machine, not on time.

use trodden_mining::cut::{Flows, Weighting, transit_cut, visit_cut};
use trodden_mining::{Cut, Outline};

/// Visits and referrals of every node, added up from the transits.
fn totals(outline: &Outline, transits: &[(u32, u32, u64)]) -> (Vec<u64>, Vec<u64>) {
    let (mut visits, mut referrals) = (vec![0; outline.len()], vec![0; outline.len()]);
    for &(from, to, count) in transits {
        referrals[from as usize] += count;
        visits[to as usize] += count;
    }
    for node in outline.nodes().rev() {
        if let Some(parent) = outline.parent(node) {
            visits[parent as usize] += visits[node as usize];
            referrals[parent as usize] += referrals[node as usize];
        }
    }
    (visits, referrals)
}

/// Numbers below a bound that look random and are always the same.
fn scatter(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % below
}

fn sorted(mut transits: Vec<(u32, u32, u64)>) -> Vec<(u32, u32, u64)> {
    transits.sort_unstable();
    transits.dedup_by_key(|(from, to, _)| (*from, *to));
    transits
}

#[test]
fn one_node() {
    let outline = Outline::new(&[0]);
    assert_eq!(visit_cut(&outline, &[3], &[7], Weighting::Plain).members(), [0]);
    let flows = Flows { visits: &[7], referrals: &[7], transits: &[(0, 0, 7)] };
    let result = transit_cut(&outline, &outline.leaves(), &flows, 0.9);
    assert_eq!((result.cut.members(), result.merged.len()), ([0].as_slice(), 0));
}

#[test]
fn no_node() {
    let outline = Outline::new(&[]);
    assert!(visit_cut(&outline, &[], &[], Weighting::Plain).is_empty());
    let flows = Flows { visits: &[], referrals: &[], transits: &[] };
    assert!(transit_cut(&outline, &outline.leaves(), &flows, 0.9).cut.is_empty());
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes() {
    let len = 100_000;
    let parents: Vec<u32> = (0..len).map(|n: u32| n.saturating_sub(1)).collect();
    let outline = Outline::new(&parents);
    assert_eq!(outline.depth(len - 1), len - 1);
    assert_eq!(outline.leaves().height(&outline), len - 1);
    let counts = vec![5; parents.len()];
    assert_eq!(visit_cut(&outline, &counts, &counts, Weighting::Plain).members(), [0]);
    let flows = Flows { visits: &counts, referrals: &counts, transits: &[(len - 1, len - 1, 5)] };
    let result = transit_cut(&outline, &outline.leaves(), &flows, 0.9);
    assert_eq!(result.cut.members(), [0]);
    assert!(result.merged.iter().copied().eq((0..len - 1).rev()), "from the deepest up");
    assert!(result.entries < 10, "nothing to compare: {}", result.entries);
}

#[test]
fn a_comb_as_deep_as_it_is_wide() {
    // 1,000 levels; at each a leaf beside the way down. All refer to the first.
    let levels = 1000;
    let parents: Vec<u32> = (0..2 * levels + 1u32).map(|n| (n.max(1) - 1) / 2 * 2).collect();
    let outline = Outline::new(&parents);
    let transits = sorted(outline.leaves().members().iter().map(|&leaf| (leaf, 1, 3)).collect());
    let (visits, referrals) = totals(&outline, &transits);
    let flows = Flows { visits: &visits, referrals: &referrals, transits: &transits };
    let result = transit_cut(&outline, &outline.leaves(), &flows, 0.9);
    // Nobody comes to any but 1, and all lead to 1: only 1 itself, at the root, differs.
    assert_eq!(result.cut.members(), [1, 2]);
    assert_eq!(result.merged.len(), levels as usize - 1);
    // Two children a level, each with one out-entry; the target lies right under the root.
    assert!(result.entries < 40 * u64::from(levels), "{}", result.entries);
}

#[test]
fn a_star_of_ten_thousand_leaves() {
    let leaves = 10_000u32;
    let outline = Outline::new(&vec![0; leaves as usize + 1]);
    let pairs = u64::from(leaves) * u64::from(leaves - 1) / 2;
    let cut = |transits: &[(u32, u32, u64)]| {
        let (visits, referrals) = totals(&outline, transits);
        let flows = Flows { visits: &visits, referrals: &referrals, transits };
        transit_cut(&outline, &outline.leaves(), &flows, 0.9)
    };
    // Nobody refers to anybody: all alike.
    let silent = cut(&[]);
    assert_eq!((silent.cut.members(), silent.comparisons), ([0].as_slice(), 0));
    // All refer to the leaves 1 to 20, and they to each other: nearly alike, all pairs but those are.
    let near: Vec<_> = (1..=leaves)
        .flat_map(|from| (1..=20).map(move |to| (from, to, 100 + u64::from((from * 7 + to * 13) % 40))))
        .collect();
    let near = cut(&sorted(near));
    assert_eq!(near.cut.len(), leaves as usize, "20 are visited and the others are not");
    assert!(near.comparisons < pairs / 1000, "{}", near.comparisons);
    // Everybody refers to somebody else.
    let mut seed = 7;
    let far = (1..=leaves).map(|from| (from, 1 + scatter(&mut seed, u64::from(leaves)) as u32, 1)).collect();
    let far = cut(&sorted(far));
    assert_eq!((far.cut.len(), far.comparisons), (leaves as usize, 0));
    assert!(far.entries < 20 * u64::from(leaves), "{}", far.entries);
}

#[test]
fn visits_of_a_star_are_cut_exactly() {
    // Ten thousand leaves of one URL with the same visits, and with one of them a thousand times as busy.
    let leaves = 10_000usize;
    let outline = Outline::new(&vec![0; leaves + 1]);
    let cut = |visits: Vec<u64>| {
        let all = visits.iter().sum();
        let urls: Vec<u64> = std::iter::once(leaves as u64).chain(vec![1; leaves]).collect();
        visit_cut(&outline, &urls, &[vec![all], visits].concat(), Weighting::Plain)
    };
    assert_eq!(cut(vec![50; leaves]).members(), [0]);
    let mut uneven = vec![50; leaves];
    for busy in &mut uneven[..leaves / 2] {
        *busy = 5000;
    }
    assert_eq!(cut(uneven).len(), leaves);
}

/// A site of 1,000 leaves: 10 sections of 10 folders of 10 pages.
fn three_levels() -> Outline {
    let mut parents = vec![0; 11];
    parents.extend((0..100).map(|folder| 1 + folder / 10));
    parents.extend((0..1000).map(|page| 11 + page / 10));
    Outline::new(&parents)
}

const FIRST_PAGE: u32 = 111;

#[test]
fn a_thousand_leaves_that_refer_at_random_take_little_work() {
    let outline = three_levels();
    let mut seed = 1;
    let mut page = || FIRST_PAGE + scatter(&mut seed, 1000) as u32;
    let transits = sorted((0..52_000).map(|i| (page(), page(), 1 + i % 9)).collect());
    assert!(transits.len() > 50_000);
    let (visits, referrals) = totals(&outline, &transits);
    let flows = Flows { visits: &visits, referrals: &referrals, transits: &transits };
    let result = transit_cut(&outline, &outline.leaves(), &flows, 0.9);
    assert_eq!(result.cut, outline.leaves());
    // Every transit is read twice to start, and at either end once as such and with what it adds to three ancestors.
    let bound = 2 * transits.len() as u64 * (1 + 1 + 4 + 4);
    assert!(result.entries < bound, "{} of {bound}", result.entries);
}

#[test]
fn a_thousand_leaves_that_refer_alike_merge_level_by_level() {
    // All pages of a folder go to the same 50 pages; folders of a section to the same; sections differ.
    let outline = three_levels();
    let mut transits = Vec::new();
    for page in 0..1000u32 {
        let section = page / 100;
        transits.extend((0..50).map(|i| (FIRST_PAGE + page, FIRST_PAGE + (section + 1) % 10 * 100 + i * 2, 20)));
    }
    let transits = sorted(transits);
    assert_eq!(transits.len(), 50_000);
    let (visits, referrals) = totals(&outline, &transits);
    let flows = Flows { visits: &visits, referrals: &referrals, transits: &transits };
    // Half the pages are never visited: 0 in, which parts them from their siblings at any threshold above ½.
    let apart = transit_cut(&outline, &outline.leaves(), &flows, 0.9);
    assert_eq!(apart.cut, outline.leaves());
    let result = transit_cut(&outline, &outline.leaves(), &flows, 0.49);
    assert_eq!(result.cut, Cut::checked(&outline, (1..=10).collect()).unwrap());
    assert_eq!(result.merged.len(), 110);
    let height = 3;
    let bound = 2 * transits.len() as u64 * (2 + height * 2 * (1 + height)) + result.comparisons * 400;
    assert!(result.entries < bound, "{} of {bound}", result.entries);
    assert!(result.comparisons <= 110 * 45, "at most all pairs of ten children: {}", result.comparisons);
}
