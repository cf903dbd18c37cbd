//! A running crawl goes by another model: the best by the new one comes first, and nothing is lost.

use std::collections::BTreeSet;

use trodden_frontier::{DiskFrontier, DiskSettings, LaneId, Placement, Priority, QueueId, Rotation, Time, UrlId};
use trodden_ordering::chance;
use trodden_ordering::{Engine, Known, Limits, Next, OrderingPolicy, Outcome, OutcomeKind, SaveFault};

const URLS: u32 = 20_000;
const LANES: u64 = 100;

/// By some number of a URL, which another seed makes another number.
struct ByNumber {
    seed: u64,
}

impl ByNumber {
    fn lane(&self, url: &str) -> LaneId {
        let number: u64 = url.rsplit('/').next().unwrap().parse().unwrap();
        // A hundred groups of neighbors, in an order that the seed decides.
        LaneId((chance::number(self.seed, number / (u64::from(URLS) / LANES)) % LANES) as u32)
    }
}

impl OrderingPolicy for ByNumber {
    fn place(&mut self, url: &Known<'_>, _: Time) -> Placement {
        Placement::Lane(self.lane(url.url))
    }
    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        Placement::Lane(self.lane(url.url))
    }
    fn lane_priority(&self, lane: LaneId, _: Time) -> Priority {
        Priority::of(f64::from(lane.0))
    }
    fn estimate(&self, _: UrlId) -> f64 {
        0.0
    }
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }
    fn restore(&mut self, _: &[u8]) -> Result<(), SaveFault> {
        Ok(())
    }
}

type Crawl = Engine<DiskFrontier, ()>;

fn open(folder: &std::path::Path, policy: ByNumber) -> Crawl {
    let settings = DiskSettings { head: 64, ..DiskSettings::default() };
    let frontier = DiskFrontier::open(folder, settings, Rotation::Even).unwrap();
    Engine::new(frontier, Box::new(policy), Limits::default(), ())
}

fn hand_out(crawl: &mut Crawl, most: usize) -> Vec<String> {
    let mut urls = Vec::new();
    while urls.len() < most
        && let Next::Fetch(task) = crawl.next(Time(0)).unwrap()
    {
        let url = crawl.frontier().url(task.key).unwrap().unwrap();
        crawl.settle(&task, &url, &Outcome::of(OutcomeKind::NotFound), &mut [], Time(0)).unwrap();
        urls.push(url);
    }
    urls
}

#[test]
fn ours_after_a_swap_the_best_by_the_new_policy_comes_first_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut crawl = open(folder.path(), ByNumber { seed: 1 });
    for number in 0..URLS {
        let url = format!("http://a.example/{number}");
        let key = crawl.frontier_mut().number(&url).unwrap();
        crawl.seed(QueueId(0), key, &url, Time(0)).unwrap();
    }
    let before = hand_out(&mut crawl, 500);
    let new = ByNumber { seed: 2 };
    let mut rest: Vec<String> = (0..URLS).map(|number| format!("http://a.example/{number}")).collect();
    let gone: BTreeSet<&String> = before.iter().collect();
    rest.retain(|url| !gone.contains(url));
    rest.sort_by_key(|url| std::cmp::Reverse(new.lane(url)));
    crawl.swap_policy(Box::new(new), [], Time(0)).unwrap();
    assert!(crawl.is_swapping());

    let after = hand_out(&mut crawl, 1_000);
    let worst = ByNumber { seed: 2 }.lane(&rest[999]);
    let good = after.iter().filter(|url| ByNumber { seed: 2 }.lane(url) >= worst).count();
    assert!(good >= 900, "{good} of the first 1,000 belong there");

    // Cut off in the middle of it, and gone on with.
    let saved = crawl.save();
    crawl.frontier_mut().commit().unwrap();
    drop(crawl);
    let mut crawl = open(folder.path(), ByNumber { seed: 2 });
    crawl.restore(&saved).unwrap();
    assert!(crawl.is_swapping());
    let last = hand_out(&mut crawl, usize::MAX);
    let mut all: Vec<&String> = before.iter().chain(&after).chain(&last).collect();
    all.sort();
    all.dedup();
    assert_eq!((all.len(), before.len() + after.len() + last.len()), (URLS as usize, URLS as usize));
    assert!(!crawl.is_swapping());
}

#[test]
fn ours_what_was_put_off_has_its_place_by_the_new_policy_when_its_time_comes() {
    let folder = tempfile::tempdir().unwrap();
    let mut crawl = open(folder.path(), ByNumber { seed: 1 });
    let rare = "http://a.example/63";
    let others = (0..63).map(|number| format!("http://a.example/{number}"));
    // It comes alone, so that its lane is empty while it is put off.
    for url in std::iter::once(rare.to_owned()).chain(others) {
        let key = crawl.frontier_mut().number(&url).unwrap();
        crawl.seed(QueueId(0), key, &url, Time(0)).unwrap();
        if url == rare {
            let Next::Fetch(task) = crawl.next(Time(0)).unwrap() else { panic!("something waits") };
            crawl.defer(&task, Time(10), Time(0)).unwrap();
        }
    }
    crawl.swap_policy(Box::new(Rare), [], Time(0)).unwrap();
    assert_eq!(hand_out(&mut crawl, 40).len(), 40);
    let Next::Fetch(task) = crawl.next(Time(10)).unwrap() else { panic!("more waits") };
    assert_eq!(crawl.frontier().url(task.key).unwrap().unwrap(), rare);
}

#[test]
fn ours_the_best_of_every_lane_are_found_while_there_is_nothing_else_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut crawl = open(folder.path(), ByNumber { seed: 1 });
    for number in 0..URLS {
        let url = format!("http://a.example/{number}");
        let key = crawl.frontier_mut().number(&url).unwrap();
        crawl.seed(QueueId(0), key, &url, Time(0)).unwrap();
    }
    crawl.swap_policy(Box::new(Rare), [], Time(0)).unwrap();
    let mut after = Vec::new();
    for _ in 0..200 {
        // The time between two requests to a host is enough for more.
        for _ in 0..20 {
            crawl.place_more_anew(Time(0)).unwrap();
        }
        after.extend(hand_out(&mut crawl, 1));
    }
    let rare = |url: &String| Rare::is_rare(url);
    let exact = (0..URLS).filter(|number| rare(&format!("http://a.example/{number}"))).count();
    assert_eq!(exact, 200);
    let good = after.iter().filter(|url| rare(url)).count();
    assert!(good >= 180, "{good} of the first 200 belong there");
}

/// One in a hundred is worth more than all others.
struct Rare;

impl Rare {
    fn is_rare(url: &str) -> bool {
        url.rsplit('/').next().unwrap().parse::<u64>().unwrap() % 100 == 63
    }
}

impl OrderingPolicy for Rare {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        self.place_again(url, now)
    }
    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        Placement::Lane(LaneId(u32::from(Self::is_rare(url.url))))
    }
    fn lane_priority(&self, lane: LaneId, _: Time) -> Priority {
        Priority::of(f64::from(lane.0))
    }
    fn estimate(&self, _: UrlId) -> f64 {
        0.0
    }
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }
    fn restore(&mut self, _: &[u8]) -> Result<(), SaveFault> {
        Ok(())
    }
}
