//! Are the cuts the ones that the formulas ask for, on any small tree?
//!
//! Both are held against the plainest program there is: the visit cut against all cuts of a tree, the transit cut
//! against algorithm 1 with full matrices, everything computed anew after every merge.

use proptest::prelude::*;
use trodden_mining::cut::{Flows, Weighting, description_length, transit_cut, visit_cut};
use trodden_mining::{Cut, Outline};

#[derive(Clone, Debug)]
struct Site {
    outline: Outline,
    urls: Vec<u64>,
    visits: Vec<u64>,
    referrals: Vec<u64>,
    transits: Vec<(u32, u32, u64)>,
}

/// Adds up what leaves have, to all nodes.
fn subtree_totals(outline: &Outline, mut counts: Vec<u64>) -> Vec<u64> {
    for node in outline.nodes().rev() {
        if let Some(parent) = outline.parent(node) {
            counts[parent as usize] += counts[node as usize];
        }
    }
    counts
}

fn site(nodes: std::ops::Range<usize>) -> impl Strategy<Value = Site> {
    let parents = prop::collection::vec(any::<u32>(), nodes).prop_map(|mut parents| {
        for (node, parent) in parents.iter_mut().enumerate() {
            *parent %= node.max(1) as u32;
        }
        Outline::new(&parents)
    });
    parents.prop_flat_map(|outline| {
        let per_node = |max: u64| prop::collection::vec(0..max, outline.len());
        // Visits of very different sizes, and often none.
        let entrances = prop::collection::vec(prop_oneof![Just(0u64), 0..4u64, 0..3000u64], outline.len());
        let transits = prop::collection::vec((any::<u32>(), any::<u32>(), 1..30u64), 0..40);
        (Just(outline.clone()), per_node(50), entrances, transits).prop_map(|(outline, urls, entrances, transits)| {
            let leaves = outline.leaves();
            let leaf = |seed: u32| leaves.members()[seed as usize % leaves.len()];
            let mut transits: Vec<_> = transits.into_iter().map(|(a, b, count)| (leaf(a), leaf(b), count)).collect();
            transits.sort_unstable();
            transits.dedup_by_key(|(from, to, _)| (*from, *to));
            let at_leaves = |of: &dyn Fn(usize) -> u64| {
                outline.nodes().map(|n| if outline.is_leaf(n) { of(n as usize) } else { 0 }).collect::<Vec<_>>()
            };
            let urls = at_leaves(&|n| urls[n] + 1);
            let mut visits = at_leaves(&|n| entrances[n]);
            let mut referrals = vec![0; outline.len()];
            for &(from, to, count) in &transits {
                referrals[from as usize] += count;
                visits[to as usize] += count;
            }
            Site {
                urls: subtree_totals(&outline, urls),
                visits: subtree_totals(&outline, visits),
                referrals: subtree_totals(&outline, referrals),
                transits,
                outline,
            }
        })
    })
}

/// All cuts of the subtree of a node.
fn all_cuts(outline: &Outline, node: u32) -> Vec<Vec<u32>> {
    let mut of_children = vec![Vec::new()];
    for &child in outline.children(node) {
        let of_child = all_cuts(outline, child);
        let with =
            |before: &Vec<u32>| of_child.iter().map(move |c| [before.as_slice(), c].concat()).collect::<Vec<_>>();
        of_children = of_children.iter().flat_map(with).collect();
    }
    if outline.is_leaf(node) {
        of_children.clear();
    }
    of_children.push(vec![node]);
    of_children
}

/// Minus the sum over URLs of F_in(u)·ln p(u|Γ), plus the model length, straight from the definition, given that the
/// URLs of a pattern share a probability.
fn length_by_definition(site: &Site, cut: &[u32]) -> f64 {
    let all = site.visits[0].max(1) as f64;
    let data: f64 = cut
        .iter()
        .map(|&k| (site.urls[k as usize] as f64, site.visits[k as usize] as f64))
        .filter(|(_, visits)| *visits > 0.0)
        .map(|(urls, visits)| -visits * (1.0 / urls * visits / all).ln())
        .sum();
    (cut.len() - 1) as f64 / 2.0 * all.ln() + data
}

/// Algorithm 1 with full matrices. Returns the leaves and the smallest distance of any decision from the threshold.
fn algorithm_1(site: &Site, start: &Cut, threshold: f64) -> (Vec<u32>, f64) {
    let Site { outline, visits, referrals, .. } = site;
    let len = outline.len();
    let mut leaves = start.members().to_vec();
    let mut asked = vec![false; len];
    let mut closest = f64::INFINITY;
    let under = |mut node: u32, of: u32| {
        while node > of {
            node = outline.parent(node).expect("only the root has none");
        }
        node == of
    };
    loop {
        let ready = |n: u32| {
            !asked[n as usize]
                && !outline.is_leaf(n)
                && !leaves.contains(&n)
                && outline.children(n).iter().all(|c| leaves.contains(c))
        };
        let depth = |n: u32| outline.depth(n);
        let Some(node) = outline.nodes().filter(|&n| ready(n)).min_by_key(|&n| (std::cmp::Reverse(depth(n)), n)) else {
            return (leaves, closest);
        };
        asked[node as usize] = true;
        // F_trans between the leaves that there are now.
        let mut trans = vec![vec![0.0; len]; len];
        for &(from, to, count) in &site.transits {
            let leaf = |n: u32| *leaves.iter().find(|&&leaf| under(n, leaf)).expect("a cut") as usize;
            trans[leaf(from)][leaf(to)] += count as f64;
        }
        let tree = f64::from(leaves.iter().map(|&l| depth(l)).max().expect("a leaf"));
        let m = |k: u32, n: u32| match k == n {
            true => 1.0,
            false if under(k, n) => (depth(n)..depth(k)).map(|h| f64::from(h) / tree).product(),
            false => 0.0,
        };
        let p_hat = |k: u32| -> [Vec<f64>; 2] {
            let pin = |i: u32| trans[i as usize][k as usize] / visits[k as usize].max(1) as f64;
            let pout = |i: u32| trans[k as usize][i as usize] / referrals[k as usize].max(1) as f64;
            [
                outline.nodes().map(|n| leaves.iter().map(|&i| pin(i) * m(i, n)).sum()).collect(),
                outline.nodes().map(|n| leaves.iter().map(|&i| pout(i) * m(i, n)).sum()).collect(),
            ]
        };
        let cosine = |a: &[f64], b: &[f64]| {
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let (aa, bb) = (dot(a, a), dot(b, b));
            if aa == 0.0 && bb == 0.0 {
                1.0
            } else if aa == 0.0 || bb == 0.0 {
                0.0
            } else {
                dot(a, b) / (aa * bb).sqrt()
            }
        };
        let rows: Vec<_> = outline.children(node).iter().map(|&c| p_hat(c)).collect();
        let mut minimum = f64::INFINITY;
        for (i, [a_in, a_out]) in rows.iter().enumerate() {
            for [b_in, b_out] in &rows[i + 1..] {
                minimum = minimum.min((cosine(a_in, b_in) + cosine(a_out, b_out)) / 2.0);
            }
        }
        closest = closest.min((minimum - threshold).abs());
        if minimum > threshold {
            leaves.retain(|l| !outline.children(node).contains(l));
            leaves.push(node);
            leaves.sort_unstable();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn cikm11_the_visit_cut_is_the_shortest_of_all_cuts(site in site(1..13)) {
        let Site { outline, urls, visits, .. } = &site;
        for weighting in [Weighting::Plain, Weighting::Wagner(1.0), Weighting::Wagner(20.0)] {
            let cut = visit_cut(outline, urls, visits, weighting);
            let length = |cut: &Cut| description_length(cut, urls, visits, weighting);
            let all: Vec<_> =
                all_cuts(outline, 0).into_iter().map(|members| Cut::checked(outline, members).unwrap()).collect();
            prop_assert!(all.contains(&cut), "{:?} is no cut", cut);
            let shortest = all.iter().map(length).fold(f64::INFINITY, f64::min);
            prop_assert!((length(&cut) - shortest).abs() <= 1e-9 * shortest.abs().max(1.0));
            // On a tie, merge: no cut that is as short has fewer members above ours.
            let of = |coarse: &Cut| {
                let member = coarse.member_of(outline);
                cut.members().iter().all(|&m| member[m as usize].is_some())
            };
            for coarser in all.iter().filter(|other| **other != cut && of(other)) {
                prop_assert!(length(coarser) > shortest, "{coarser:?} is as short as {cut:?} and coarser");
            }
        }
    }

    #[test]
    fn cikm11_the_description_length_is_that_of_the_definition(site in site(1..10)) {
        for members in all_cuts(&site.outline, 0) {
            let expected = length_by_definition(&site, &members);
            let cut = Cut::checked(&site.outline, members).unwrap();
            let length = description_length(&cut, &site.urls, &site.visits, Weighting::Plain);
            prop_assert!((length - expected).abs() <= 1e-9 * expected.abs().max(1.0));
        }
    }

    #[test]
    fn cikm11_the_transit_cut_is_that_of_algorithm_1_with_full_matrices(
        site in site(2..24),
        threshold in prop_oneof![Just(0.9), Just(0.5), 0.1..0.99f64],
        from_visits in any::<bool>(),
    ) {
        let Site { outline, urls, visits, referrals, transits } = &site;
        let start =
            if from_visits { visit_cut(outline, urls, visits, Weighting::Plain) } else { outline.leaves() };
        let (leaves, closest) = algorithm_1(&site, &start, threshold);
        // A decision that rounding could turn is none to compare. ½ and 1 are common similarities.
        prop_assume!(closest > 1e-6);
        let flows = Flows { visits, referrals, transits };
        let result = transit_cut(outline, &start, &flows, threshold);
        prop_assert_eq!(result.cut.members(), leaves.as_slice());
        prop_assert!(Cut::checked(outline, leaves).is_some());
    }

    #[test]
    fn cuts_are_antichains_that_cover_every_leaf(site in site(1..300)) {
        let Site { outline, urls, visits, referrals, transits } = &site;
        let by_visits = visit_cut(outline, urls, visits, Weighting::Plain);
        let flows = Flows { visits, referrals, transits };
        let by_transits = transit_cut(outline, &by_visits, &flows, 0.6).cut;
        for cut in [&outline.leaves(), &by_visits, &by_transits] {
            prop_assert_eq!(Cut::checked(outline, cut.members().to_vec()), Some(cut.clone()));
        }
        let above = by_transits.member_of(outline);
        prop_assert!(by_visits.members().iter().all(|&m| above[m as usize].is_some()), "the second cut is coarser");
    }
}
