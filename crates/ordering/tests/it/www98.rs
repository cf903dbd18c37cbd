//! What the URL-ordering paper says of its orders (WWW 1998).

use trodden_ordering::policy::backlink::Backlink;
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::pagerank::{PageRankSoFar, Rerank};
use trodden_ordering::{Event, Limits};

use crate::world::{Policy, World, events, order};

/// A start page that leads to a cluster (10 to 21) and to two good pages (1 and 2), behind which are seven more. The pages of
/// the cluster all link to each other and, as pages do, to the start: each link counts, none is worth much.
fn clustered() -> World {
    let cluster: Vec<u32> = (10..22).collect();
    let mut links: Vec<Vec<u32>> = vec![Vec::new(); 22];
    links[0] = vec![10, 11, 1, 2];
    links[1] = vec![3, 4, 5];
    links[2] = vec![6, 7, 8, 9];
    for &page in &cluster {
        let others = cluster.iter().copied().filter(|other| *other != page);
        links[page as usize] = others.chain([0]).collect();
    }
    World::of(&links.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// How many pages outside the cluster were fetched before its last one, the start left out.
fn others_before_the_cluster_is_done(order: &[u32]) -> usize {
    let last = order.iter().rposition(|page| *page >= 10).unwrap();
    order[..last].iter().filter(|page| (1..10).contains(*page)).count()
}

#[test]
fn www98_backlink_goes_deep_into_a_cluster_and_pagerank_does_not() {
    let backlink = order(&clustered(), Box::new(Backlink::default()));
    assert_eq!(others_before_the_cluster_is_done(&backlink), 0, "{backlink:?}");
    let pagerank = order(&clustered(), Box::new(PageRankSoFar::new(Rerank::Every(1))));
    assert_eq!(others_before_the_cluster_is_done(&pagerank), 9, "{pagerank:?}");
    let breadth_first = order(&clustered(), Box::new(BreadthFirst::default()));
    assert_eq!(breadth_first[1..7], [10, 11, 1, 2, 12, 13]);
}

#[test]
fn www98_a_limited_buffer_gives_up_the_least_important_page() {
    let world = World::of(&[&[1, 2, 3, 4], &[], &[1], &[4], &[]]);
    let run = |policy: Policy| {
        let events = events(&world, policy, Limits { buffer: Some(2), ..Limits::default() });
        let evicted: Vec<u32> = events
            .iter()
            .filter_map(|event| match event {
                Event::Evicted { key, .. } => Some(key.0),
                _ => None,
            })
            .collect();
        evicted
    };
    // Fetched 0 1 2 3 4. Nobody links to 0, so it goes for 2; 1 has two links by then. Of 2 and 3, with one each, the later
    // goes; when 4 comes it has two, and 2 goes.
    assert_eq!(run(Box::<Backlink>::default()), [0, 3, 2]);
    // Breadth-first keeps what it found first.
    assert_eq!(run(Box::<BreadthFirst>::default()), [2, 3, 4]);
}
