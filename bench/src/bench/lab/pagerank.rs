//! How long does PageRank of the whole graph take, to a ten-thousand-millionth, and how long do others take?
//!
//! Time is CPU time of the call alone, on one thread, best of some runs; reading and building a library's graph is not in
//! it. Ours needs links both ways: the time with making the reverse is the one that counts, since a library makes for
//! itself what it needs.

use std::path::Path;

use anyhow::{Context, Result};
use trodden_lab::graph::{GraphRows as Links, LinkGraph};
use trodden_ordering::links::{PageRankDamping, Rows, Tolerance, pagerank};

use super::graph::Loaded;
use super::peers::{self, Came, Peer};
use crate::bench::table::{Bar, Good};
use crate::child::own_cpu;

/// The fastest peer over ours, in CPU time.
const SPEED_BAR: f64 = 2.0;
/// The most that any page may differ from networkx, in billionths.
const APART_BAR: f64 = 1.0;

pub(super) const TOLERANCE: Tolerance = Tolerance::WHOLE;
const DAMPINGS: [f64; 2] = [0.85, 0.9];
const RUNS: usize = 7;

/// What we found at one damping.
pub(super) struct Ours {
    pub(super) damping: f64,
    /// Their mean is 1.
    pub(super) scores: Vec<f64>,
    sweeps: u32,
    /// Seconds of CPU time, with links both ways at hand.
    solving: f64,
    /// The same with making the reverse.
    with_reverse: f64,
}

/// Runs ours and the peers.
pub(super) fn run(loaded: &Loaded, folder: &Path, store: &Path) -> Result<Vec<Bar>> {
    let graph = &loaded.mirror.graph;
    let ours = DAMPINGS.into_iter().map(|damping| ours(graph, damping)).collect::<Result<Vec<_>>>()?;
    let links = (0..graph.pages()).flat_map(|page| graph.targets(page).iter().map(move |&to| (page, to)));
    let peers = peers::run(links, &ours, folder, store)?;

    println!("## PageRank to {:e}\n", TOLERANCE.get());
    println!("| solver | damping | CPU s | best of | sum of differences to ours | |\n|---|--:|--:|--:|--:|---|");
    for Ours { damping, sweeps, solving, with_reverse, .. } in &ours {
        println!("| trodden, reverse made too | {damping} | {with_reverse:.3} | {RUNS} | – | {sweeps} sweeps |");
        println!("| trodden, links both ways given | {damping} | {solving:.3} | {RUNS} | – | {sweeps} sweeps |");
    }
    peers.iter().for_each(|peer| println!("{}", peer.row()));
    println!(
        "\nOne thread, CPU time of the call, graphs built before. Scores sum to 1; a peer has solved the problem if its"
    );
    println!("differences to ours sum to at most {:e}.\n", peers::SOLVED);

    let mut bars = Vec::new();
    for ours in &ours {
        let solved = peers.iter().filter(|peer| peer.damping == ours.damping);
        let fastest = solved.filter_map(|peer| Some((peer.solved_in()?, peer)));
        let (seconds, peer) = fastest.min_by(|a, b| a.0.total_cmp(&b.0)).context("no peer has solved the problem")?;
        let name = format!("{}, {}", peer.library, peer.how);
        println!(
            "Damping {}: the fastest that solves it is {name}; with links both ways given the ratio is {:.2} ×.",
            ours.damping,
            seconds / ours.solving
        );
        bars.push((ours, seconds));
    }
    let slowest = bars.iter().map(|(ours, seconds)| seconds / ours.with_reverse).fold(f64::INFINITY, f64::min);
    let apart = most_apart(&peers).context("networkx left no scores")?;
    println!("The page that differs most from networkx differs by {apart:.1e}.\n");
    Ok(vec![
        Bar {
            what: "PageRank, CPU time, fastest peer ÷ trodden with the reverse, at the worse damping",
            good: Good::AtLeast,
            bar: SPEED_BAR,
            aim: None,
            unit: "×",
            measured: slowest,
        },
        Bar {
            what: "PageRank, largest difference to networkx at any page",
            good: Good::Below,
            bar: APART_BAR,
            aim: None,
            unit: "billionths",
            measured: apart * 1e9,
        },
    ])
}

/// The largest difference to networkx at the accuracy that is asked for.
fn most_apart(peers: &[Peer]) -> Option<f64> {
    let exact = peers.iter().filter(|peer| peer.library.starts_with("networkx") && peer.how.ends_with("/pages"));
    let apart = exact.map(|peer| match peer.came {
        Came::Scores { most_apart, .. } => Some(most_apart),
        Came::Fault { .. } => None,
    });
    apart.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
}

fn ours(graph: &LinkGraph, damping: f64) -> Result<Ours> {
    eprintln!("pagerank: ours, damping {damping}");
    let share = PageRankDamping::new(damping).context("a damping is below 1")?;
    let mut best = Ours { damping, scores: Vec::new(), sweeps: 0, solving: f64::INFINITY, with_reverse: f64::INFINITY };
    for _ in 0..RUNS {
        // A graph that has not made its reverse yet.
        let fresh = LinkGraph::from_rows(graph.forward().offsets().to_vec(), graph.forward().targets().to_vec());
        let started = own_cpu()?;
        let backward = rows(fresh.backward());
        let reversed = own_cpu()?;
        let rank = pagerank(&rows(fresh.forward()), &backward, share, TOLERANCE);
        let done = own_cpu()?;
        best.solving = best.solving.min((done - reversed).as_secs_f64());
        best.with_reverse = best.with_reverse.min((done - started).as_secs_f64());
        (best.scores, best.sweeps) = (rank.scores, rank.sweeps);
    }
    Ok(best)
}

fn rows(links: &Links) -> Rows<'_> {
    Rows::new(links.offsets(), links.targets())
}
