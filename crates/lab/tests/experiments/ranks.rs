//! PageRank as another program has it.
//!
//! Needs a Python with the packages `networkx` and `scipy`: `TRODDEN_PYTHON=/path/to/python cargo test`. Without it the
//! test is skipped.

use std::ffi::OsStr;
use std::io::Write as _;
use std::process::{Command, Stdio};

use trodden_lab::chance::Chance;
use trodden_lab::graph::LinkGraphBuilder;
use trodden_lab::importance::pagerank_of;

/// Reads "pages", then links; writes a score a line. What pages without links have goes to all pages alike.
const RANK: &str = r#"
import sys, networkx as nx
lines = sys.stdin.read().split("\n")
graph = nx.DiGraph()
graph.add_nodes_from(range(int(lines[0])))
graph.add_edges_from(tuple(map(int, line.split())) for line in lines[1:] if line)
# It stops when the sum of all changes is below pages * tol.
ranks = nx.pagerank(graph, alpha=0.9, tol=1e-14 / len(graph), max_iter=10000)
for page in range(len(ranks)):
    print(repr(float(ranks[page])))
"#;

/// The scores by networkx, of which the sum is 1.
fn by_networkx(python: &OsStr, pages: u32, links: &[(u32, u32)]) -> Vec<f64> {
    let mut child =
        Command::new(python).arg("-c").arg(RANK).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{pages}").unwrap();
    links.iter().for_each(|(from, to)| writeln!(input, "{from} {to}").unwrap());
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn www98_pagerank_is_that_of_networkx_to_a_thousand_millionth() {
    let Some(python) = trodden_testing::python("networkx and scipy") else { return };
    let mut chance = Chance::new(98);
    // Few links, so that many pages have none; many; a star; a chain that ends; a page alone.
    let by_chance = |chance: &mut Chance, pages: u32, links: u32| -> Vec<(u32, u32)> {
        (0..links).map(|_| (chance.below(pages as usize) as u32, chance.below(pages as usize) as u32)).collect()
    };
    let graphs = [
        (200, by_chance(&mut chance, 200, 150)),
        (400, by_chance(&mut chance, 400, 2_500)),
        (50, (1..50).map(|page| (page, 0)).collect()),
        (30, (0..29).map(|page| (page, page + 1)).collect()),
        (1, Vec::new()),
    ];
    for (pages, mut links) in graphs {
        links.retain(|(from, to)| from != to);
        let mut builder = LinkGraphBuilder::default();
        builder.page(pages - 1);
        links.iter().for_each(|(from, to)| builder.link(*from, *to));
        let (graph, _) = builder.finish().unwrap();
        let without = (0..pages).filter(|page| graph.targets(*page).is_empty()).count();
        assert!(pages == 400 || without > 0, "{pages} pages, all with links");
        let ours = pagerank_of(&graph);
        assert!((ours.iter().sum::<f64>() / f64::from(pages) - 1.0).abs() < 1e-9);
        let theirs = by_networkx(&python, pages, &links);
        assert_eq!(theirs.len(), ours.len());
        for (page, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
            let theirs = theirs * f64::from(pages);
            assert!((ours - theirs).abs() < 1e-9, "page {page} of {pages}: {ours} beside {theirs}");
        }
    }
}
