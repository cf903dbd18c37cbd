//! PageRank against a solver too plain to be wrong, and against itself.

use proptest::prelude::*;

use super::components::Components;
use super::{GrowingGraph, PageRank, PageRankDamping, Rows, Tolerance, pagerank};

/// Rows that own their links.
struct Owned {
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Owned {
    fn new(links: &[Vec<u32>]) -> Self {
        let mut offsets = vec![0];
        offsets.extend(links.iter().scan(0, |end, row| {
            *end += row.len() as u32;
            Some(*end)
        }));
        Self { offsets, targets: links.concat() }
    }

    fn rows(&self) -> Rows<'_> {
        Rows::new(&self.offsets, &self.targets)
    }
}

fn reversed(links: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut reversed = vec![Vec::new(); links.len()];
    for (from, row) in (0..).zip(links) {
        row.iter().for_each(|&to| reversed[to as usize].push(from));
    }
    reversed
}

fn solved(links: &[Vec<u32>], d: f64, tolerance: f64) -> PageRank {
    let (forward, backward) = (Owned::new(links), Owned::new(&reversed(links)));
    pagerank(&forward.rows(), &backward.rows(), PageRankDamping::new(d).unwrap(), Tolerance::at_least(tolerance))
}

/// IR by repetition of its own formula, pages without links linking to all.
fn repeated(links: &[Vec<u32>], d: f64) -> Vec<f64> {
    let pages = links.len();
    let mut scores = vec![1.0; pages];
    for _ in 0..2_000 {
        let mut next = vec![1.0 - d; pages];
        for (row, score) in links.iter().zip(&scores) {
            if row.is_empty() {
                next.iter_mut().for_each(|next| *next += d * score / pages as f64);
            }
            row.iter().for_each(|&to| next[to as usize] += d * score / row.len() as f64);
        }
        scores = next;
    }
    scores
}

fn graphs(pages: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec<u32>>> {
    pages.prop_flat_map(|pages| {
        let row = prop_oneof![
            2 => Just(Vec::new()),
            // Templates: the same links on many pages.
            2 => Just((0..pages.min(4) as u32).collect()),
            4 => prop::collection::vec(0..pages as u32, 0..8),
        ];
        prop::collection::vec(row, pages).prop_map(|mut links| {
            for (page, row) in (0..).zip(&mut links) {
                row.sort_unstable();
                row.dedup();
                row.retain(|&to| to != page);
            }
            links
        })
    })
}

fn off(scores: &[f64], exact: &[f64]) -> f64 {
    scores.iter().zip(exact).map(|(score, exact)| (score - exact).abs()).sum::<f64>() / exact.len() as f64
}

#[test]
fn www98_scores_of_two_pages_that_link_to_each_other_and_one_that_links_to_one() {
    // x2 = .1; x0 = .1 + .9·x1 + .9·.1; x1 = .1 + .9·x0.
    let x0 = (0.1 + 0.09 + 0.09) / (1.0 - 0.81);
    let x1 = 0.1 + 0.9 * x0;
    let PageRank { scores, .. } = solved(&[vec![1], vec![0], vec![0]], 0.9, 1e-12);
    assert!(off(&scores, &[x0, x1, 0.1]) < 1e-12, "{scores:?}");
}

#[test]
fn www98_a_page_without_links_links_to_every_page() {
    // IR(1) = 1.5 − … by hand: a = .1 + .9·b/2, b = .1 + .9·a + .9·b/2, a + b = 2.
    let b = (0.1 + 1.8) / 1.45;
    let PageRank { scores, .. } = solved(&[vec![1], vec![]], 0.9, 1e-12);
    assert!(off(&scores, &[2.0 - b, b]) < 1e-12, "{scores:?}");
}

#[test]
fn a_graph_of_no_pages_has_no_scores() {
    assert!(solved(&[], 0.9, 1e-10).scores.is_empty());
    assert_eq!(solved(&[vec![], vec![]], 0.9, 1e-10).scores, [1.0, 1.0]);
}

#[test]
fn ours_a_ring_of_rings_is_solved_although_leaps_may_mislead() {
    // Long cycles have complex eigenvalues close to d: changes do not shrink at a steady pace.
    let pages = 600_u32;
    let row = |page: u32| {
        let mut row = vec![(page + pages - 1) % pages];
        row.extend(page.is_multiple_of(7).then_some((page * 5 + 2) % pages).filter(|to| *to != page && *to != row[0]));
        row
    };
    let links: Vec<Vec<u32>> = (0..pages).map(row).collect();
    for d in [0.5, 0.85, 0.9, 0.97] {
        assert!(off(&solved(&links, d, 1e-10).scores, &repeated(&links, d)) <= 1e-10, "{d}");
    }
}

/// By page: what can be reached from it, itself included.
fn reach(links: &[Vec<u32>]) -> Vec<Vec<bool>> {
    (0..links.len())
        .map(|start| {
            let mut seen = vec![false; links.len()];
            let mut waiting = vec![start];
            while let Some(page) = waiting.pop() {
                if !std::mem::replace(&mut seen[page], true) {
                    waiting.extend(links[page].iter().map(|&to| to as usize));
                }
            }
            seen
        })
        .collect()
}

proptest! {
    #[test]
    fn ours_the_error_of_all_pages_together_is_within_the_tolerance(
        links in graphs(1..40), d in prop_oneof![Just(0.0), Just(0.5), Just(0.85), Just(0.9), Just(0.97)],
        tolerance in prop_oneof![Just(1e-3), Just(1e-6), Just(1e-10)],
    ) {
        let exact = repeated(&links, d);
        let found = solved(&links, d, tolerance);
        prop_assert!((found.scores.iter().sum::<f64>() - links.len() as f64).abs() < 1e-9);
        prop_assert!(off(&found.scores, &exact) <= tolerance + 1e-13);
    }

    #[test]
    fn pages_share_a_component_if_each_reaches_the_other(links in graphs(1..25)) {
        let backward = Owned::new(&reversed(&links));
        let found = Components::of(&backward.rows());
        let reach = reach(&links);
        let mut sorted = found.order.clone();
        sorted.sort_unstable();
        prop_assert!(sorted.into_iter().eq(0..links.len() as u32));
        let component = |at: usize| found.ends.partition_point(|&end| end as usize <= at);
        for (a, &p) in found.order.iter().enumerate() {
            for (b, &q) in found.order.iter().enumerate() {
                let (p, q) = (p as usize, q as usize);
                prop_assert_eq!(component(a) == component(b), reach[p][q] && reach[q][p]);
                if reach[p][q] {
                    prop_assert!(component(a) <= component(b), "links lead to later components");
                }
            }
        }
    }

    #[test]
    fn ours_a_growing_graph_ends_with_the_scores_of_the_whole(
        links in graphs(1..40), fetched in prop::collection::vec(any::<prop::sample::Index>(), 0..60), every in 1_usize..9,
    ) {
        let mut graph = GrowingGraph::new(PageRankDamping::DEFAULT);
        let mut known = vec![Vec::new(); links.len()];
        graph.see(links.len() as u32 - 1);
        for (step, page) in fetched.iter().enumerate() {
            let page = page.index(links.len());
            graph.fetched(page as u32, &links[page]);
            known[page].clone_from(&links[page]);
            if step % every == 0 {
                graph.rerank(Tolerance::at_least(1e-4));
            }
        }
        graph.rerank(Tolerance::at_least(1e-12));
        let exact = solved(&known, 0.9, 1e-12).scores;
        let scale = f64::from(graph.pages()) / graph.total();
        let scores: Vec<f64> = (0..graph.pages()).map(|page| graph.score(page) * scale).collect();
        prop_assert!(off(&scores, &exact) < 1e-10);
    }

    #[test]
    fn ours_scores_never_fall_and_are_too_low_by_no_more_than_promised(
        links in graphs(1..30), fetched in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let tolerance = 1e-3;
        let mut graph = GrowingGraph::new(PageRankDamping::DEFAULT);
        let mut last: Vec<f64> = Vec::new();
        for (step, page) in fetched.iter().enumerate() {
            let page = page.index(links.len());
            graph.fetched(page as u32, &links[page]);
            if step % 3 == 2 {
                graph.rerank(Tolerance::at_least(tolerance));
                let mut exact = graph.clone();
                exact.rerank(Tolerance::LEAST);
                let missing = exact.total() - graph.total();
                prop_assert!((0.0..=tolerance * 9.0 * f64::from(graph.pages())).contains(&missing));
            }
            let now: Vec<f64> = (0..graph.pages()).map(|page| graph.score(page)).collect();
            prop_assert!(last.iter().zip(&now).all(|(last, now)| last <= now));
            last = now;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn ours_larger_components_are_solved_to_the_same_tolerance(links in graphs(150..250), d in 0.8..0.98) {
        prop_assert!(off(&solved(&links, d, 1e-10).scores, &repeated(&links, d)) <= 1e-10);
    }
}

#[test]
fn a_growing_graph_survives_being_saved() {
    let mut graph = GrowingGraph::default();
    graph.fetched(0, &[1, 2]);
    graph.rerank(Tolerance::at_least(1e-4));
    graph.fetched(2, &[0]);
    let bytes = postcard::to_allocvec(&graph).unwrap();
    assert_eq!(postcard::from_bytes::<GrowingGraph>(&bytes).unwrap(), graph);

    let (short, pages) = (&bytes[..bytes.len() - 1], graph.pages());
    assert!(postcard::from_bytes::<GrowingGraph>(short).is_err());
    let mut wrong = bytes.clone();
    *wrong.last_mut().unwrap() = u8::try_from(pages).unwrap();
    assert!(postcard::from_bytes::<GrowingGraph>(&wrong).is_err(), "the last link leads nowhere");
}

#[test]
fn the_first_links_of_a_page_stand() {
    let mut graph = GrowingGraph::default();
    graph.fetched(0, &[2]);
    graph.fetched(0, &[1]);
    assert_eq!(
        (graph.targets(0), graph.targets(1), graph.targets(9)),
        ([2_u32].as_slice(), [].as_slice(), [].as_slice())
    );
    assert_eq!((graph.pages(), graph.links(), graph.score(9)), (3, 1, 0.0));
}
