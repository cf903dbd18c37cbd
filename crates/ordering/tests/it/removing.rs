//! URLs that are removed: links to them count no more once another URL has their number, and their links do not pile up.

use trodden_frontier::{QueueId, Time, UrlId};
use trodden_ordering::policy::opic::Opic;
use trodden_ordering::policy::pagerank::{PageRankSoFar, Rerank};
use trodden_ordering::policy::rankmass::RankMass;
use trodden_ordering::{Found, Known, Moves, Outcome};

use crate::world::Policy;

fn all() -> [(&'static str, Policy); 3] {
    [
        ("pagerank", Box::new(PageRankSoFar::new(Rerank::Every(1)))),
        ("rankmass", Box::new(RankMass::new(1))),
        ("opic", Box::new(Opic::new(1))),
    ]
}

/// A policy that is told what a crawl would tell it.
struct Crawl {
    policy: Policy,
    moves: Moves,
}

impl Crawl {
    fn place(&mut self, key: u32, from: Option<u32>) {
        let url = Known { from: from.map(UrlId), ..Known::seed(UrlId(key), "http://site.test/") };
        self.policy.place(&url, Time(0));
    }

    fn settle(&mut self, key: u32, links: &[u32]) {
        let link = |key: &u32| Found { key: UrlId(*key), queue: QueueId(0), url: "", anchor: "", is_new: false };
        let found: Vec<Found<'_>> = links.iter().map(link).collect();
        let page = Known::seed(UrlId(key), "http://site.test/");
        self.policy.settled(&page, &Outcome::page(None), &found, &mut self.moves, Time(0));
    }

    /// What each of some URLs is worth.
    fn estimates<const N: usize>(&self, keys: [u32; N]) -> [f64; N] {
        keys.map(|key| self.policy.estimate(UrlId(key)))
    }
}

#[test]
fn ours_links_to_a_removed_url_do_not_lead_to_the_one_that_has_its_number() {
    for (name, policy) in all() {
        let mut crawl = Crawl { policy, moves: Moves::default() };
        crawl.place(0, None);
        (1..=4).for_each(|key| crawl.place(key, Some(0)));
        // Page 0 links to 1 and 2, both link to 3.
        crawl.settle(0, &[1, 2]);
        crawl.settle(1, &[3]);
        crawl.settle(2, &[3]);
        let [linked, alone] = crawl.estimates([3, 4]);
        assert!(linked > alone, "{name}: {linked} {alone}");
        crawl.policy.forget(UrlId(3));
        crawl.place(3, Some(0));
        let [again, alone] = crawl.estimates([3, 4]);
        assert_eq!(again, alone, "{name}: nothing is known of either");
        // A page that is fetched later gives to the pages that are there.
        crawl.settle(0, &[1, 2]);
        crawl.settle(4, &[2]);
        let [again, alone, other] = crawl.estimates([3, 4, 1]);
        assert!(again <= alone && other > again, "{name}: {again} {alone} {other}");
    }
}

#[test]
fn ours_what_comes_and_goes_leaves_nothing_behind() {
    for (name, policy) in all() {
        let mut crawl = Crawl { policy, moves: Moves::default() };
        crawl.place(0, None);
        let mut sizes = Vec::new();
        for round in 0..200 {
            (1..=50).for_each(|key| crawl.place(key, Some(0)));
            crawl.settle(0, &(1..=50).collect::<Vec<_>>());
            (1..=50).for_each(|key| crawl.settle(key, &[0, 1 + key % 50]));
            (1..=50).for_each(|key| crawl.policy.forget(UrlId(key)));
            sizes.extend((round % 100 == 99).then(|| crawl.policy.save().len()));
        }
        assert!(sizes[1] <= sizes[0] + sizes[0] / 20, "{name}: {sizes:?}");
    }
}
