//! What a frontier in memory promises.

use proptest::prelude::*;

use super::*;
use crate::{
    Disposition, Due, Frontier, LaneId, LaneOrder, LaneSettings, Offered, Pace, Pick, Placement, Priority, QueueId,
    Span, UrlId,
};

const NOW: Time = Time(1_000);
const LEASE: Span = Span::seconds(60);
const SITE: QueueId = QueueId(0);

fn exact(value: f64) -> Placement {
    Placement::Exact(Priority::of(value))
}

fn lane(lane: u32) -> Placement {
    Placement::Lane(LaneId(lane))
}

fn frontier(offers: &[(u32, Placement)]) -> MemoryFrontier {
    let mut frontier = MemoryFrontier::new(Rotation::Even);
    for &(key, placement) in offers {
        assert_eq!(frontier.offer(SITE, UrlId(key), placement, NOW).unwrap(), Offered::New);
    }
    frontier
}

/// Takes and settles until nothing is due.
fn drain(frontier: &mut MemoryFrontier, now: Time) -> Vec<u32> {
    let mut taken = Vec::new();
    while let Due::Queue(queue) = frontier.due_queue(now) {
        let leased = frontier.take(queue, Pick::Best, LEASE, now).unwrap().expect("a due queue has a URL");
        frontier.settle(leased.lease, Disposition::Done, now).unwrap();
        taken.push(leased.key.0);
    }
    taken
}

#[test]
fn a_url_is_new_once() {
    let mut frontier = frontier(&[(7, exact(1.0))]);
    assert!(frontier.knows(UrlId(7)) && !frontier.knows(UrlId(8)));
    assert_eq!(frontier.offer(SITE, UrlId(7), exact(9.0), NOW).unwrap(), Offered::Known);
    assert_eq!(drain(&mut frontier, NOW), [7]);
    assert_eq!(frontier.offer(SITE, UrlId(7), exact(9.0), NOW).unwrap(), Offered::Known);
    assert_eq!(frontier.due_queue(NOW), Due::Empty);
}

#[test]
fn the_best_goes_first_and_equals_by_arrival() {
    let mut frontier = frontier(&[(1, exact(1.0)), (2, exact(3.0)), (3, exact(1.0)), (4, lane(0)), (5, lane(1))]);
    frontier.set_lane(LaneId(0), LaneSettings::arrival(Priority::of(2.0)));
    frontier.set_lane(LaneId(1), LaneSettings::arrival(Priority { tier: 1, value: -1.0 }));
    assert_eq!(drain(&mut frontier, NOW), [5, 2, 4, 1, 3]);
}

#[test]
fn a_moved_url_is_taken_once_where_it_went() {
    let mut frontier = frontier(&[(1, lane(0)), (2, lane(0)), (3, lane(1)), (4, exact(0.5))]);
    frontier.set_lane(LaneId(1), LaneSettings::arrival(Priority::of(1.0)));
    frontier.place(UrlId(1), lane(1)).unwrap();
    frontier.place(UrlId(4), exact(2.0)).unwrap();
    frontier.place(UrlId(2), exact(-1.0)).unwrap();
    frontier.place(UrlId(3), Placement::Reject).unwrap();
    frontier.place(UrlId(99), lane(1)).unwrap();
    assert_eq!(frontier.waiting(), 3);
    assert_eq!(drain(&mut frontier, NOW), [4, 1, 2]);
}

#[test]
fn a_lease_that_nobody_settles_ends_and_its_url_is_the_next_again() {
    let mut frontier = frontier(&[(1, lane(0)), (2, lane(0))]);
    let first = frontier.take(SITE, Pick::Best, LEASE, NOW).unwrap().unwrap();
    assert_eq!(first.key, UrlId(1));
    let later = NOW + LEASE;
    assert_eq!(drain(&mut frontier, later), [1, 2]);
    let gone = frontier.settle(first.lease, Disposition::Done, later);
    assert!(matches!(gone, Err(Error::NoSuchLease(_))), "{gone:?}");
}

#[test]
fn while_something_is_out_it_is_not_empty() {
    let mut frontier = frontier(&[(1, exact(0.0))]);
    let leased = frontier.take(SITE, Pick::Best, LEASE, NOW).unwrap().unwrap();
    assert_eq!(frontier.due_queue(NOW), Due::At(NOW + LEASE));
    frontier.settle(leased.lease, Disposition::At(Time(5_000)), NOW).unwrap();
    assert_eq!(frontier.due_queue(NOW), Due::At(Time(5_000)));
    assert_eq!(drain(&mut frontier, Time(4_999)), [] as [u32; 0]);
    assert_eq!(drain(&mut frontier, Time(5_000)), [1]);
}

#[test]
fn a_queue_is_asked_no_faster_than_its_pace() {
    let mut frontier = frontier(&[(1, lane(0)), (2, lane(0)), (3, lane(0))]);
    frontier.set_pace(SITE, Pace { delay: Span::seconds(2), at_once: 1 });
    let leased = frontier.take(SITE, Pick::Best, LEASE, NOW).unwrap().unwrap();
    assert_eq!(frontier.due_queue(NOW), Due::At(NOW + LEASE), "one at a time");
    let settled = Time(1_500);
    frontier.settle(leased.lease, Disposition::Done, settled).unwrap();
    assert_eq!(frontier.due_queue(settled), Due::At(Time(3_500)));
    assert_eq!(frontier.due_queue(Time(3_500)), Due::Queue(SITE));
}

#[test]
fn lanes_by_date_and_period_go_by_their_times() {
    let mut frontier = MemoryFrontier::new(Rotation::Even);
    let set = |order| LaneSettings { priority: Priority::of(0.0), order };
    frontier.set_lane(LaneId(0), set(LaneOrder::Date));
    frontier.set_lane(LaneId(1), set(LaneOrder::Period(Span(500))));
    for (key, at) in [(3, 30), (9, 20), (2, 20)] {
        frontier.offer(SITE, UrlId(key), lane(0), Time(at)).unwrap();
    }
    frontier.offer(SITE, UrlId(5), lane(1), Time(10)).unwrap();
    assert_eq!(drain(&mut frontier, Time(20)), [2, 9]);
    assert_eq!(frontier.due_queue(Time(20)), Due::At(Time(30)));
    assert_eq!(drain(&mut frontier, Time(40)), [3]);
    assert_eq!(frontier.due_queue(Time(40)), Due::At(Time(510)));
    // A shorter period makes it due sooner, without touching the URL.
    frontier.set_lane(LaneId(1), set(LaneOrder::Period(Span(100))));
    assert_eq!(frontier.due_queue(Time(110)), Due::Queue(SITE));
    let leased = frontier.take(SITE, Pick::Best, LEASE, Time(110)).unwrap().unwrap();
    assert_eq!(leased.key, UrlId(5));
    frontier.settle(leased.lease, Disposition::Into(LaneId(1)), Time(120)).unwrap();
    assert_eq!(frontier.due_queue(Time(120)), Due::At(Time(220)));
}

#[test]
fn ours_urls_of_one_date_go_by_their_texts() {
    let mut frontier = MemoryFrontier::new(Rotation::Even);
    frontier.set_lane(LaneId(0), LaneSettings { priority: Priority::of(1.0), order: LaneOrder::Date });
    let urls = [(1, "http://a.example/c", 900), (2, "http://a.example/a/b", 900), (3, "http://a.example/z", 800)];
    for (number, text, date) in urls.into_iter().chain([(4, "http://a.example/a", 900)]) {
        frontier.set_text(UrlId(number), text);
        frontier.put(SITE, UrlId(number), lane(0), Time(date), NOW).unwrap();
    }
    assert_eq!(drain(&mut frontier, NOW), [3, 4, 2, 1]);
}

#[test]
fn a_lane_can_be_picked_by_name() {
    let mut frontier = frontier(&[(1, lane(0)), (2, lane(4)), (3, exact(9.0))]);
    assert_eq!(
        frontier.take(SITE, Pick::Lane(LaneId(4)), LEASE, NOW).unwrap().map(|leased| leased.key),
        Some(UrlId(2))
    );
    assert_eq!(frontier.take(SITE, Pick::Lane(LaneId(4)), LEASE, NOW).unwrap(), None);
}

/// How often each of three queues with these best values is taken from, of so many times.
fn shares(rotation: Rotation, values: [f64; 3], times: u32) -> [u32; 3] {
    let mut frontier = MemoryFrontier::new(rotation);
    for key in 0..3 * times {
        let queue = key % 3;
        frontier.offer(QueueId(queue), UrlId(key), exact(values[queue as usize]), NOW).unwrap();
    }
    let mut taken = [0; 3];
    for _ in 0..times {
        let Due::Queue(queue) = frontier.due_queue(NOW) else { panic!("all are due") };
        let leased = frontier.take(queue, Pick::Best, LEASE, NOW).unwrap().unwrap();
        frontier.settle(leased.lease, Disposition::Done, NOW).unwrap();
        taken[queue.0 as usize] += 1;
    }
    taken
}

#[test]
fn ours_sites_share_by_the_best_they_offer_and_none_starves() {
    assert_eq!(shares(Rotation::Even, [8.0, 1.0, 0.0], 300), [100, 100, 100]);
    let [first, second, third] = shares(Rotation::ByPriority { floor: 0.05 }, [8.0, 1.0, 0.0], 900);
    assert!((750..850).contains(&first), "{first}");
    assert!((80..130).contains(&second), "{second}");
    assert!((10..30).contains(&third), "no less than a twentieth of an even share: {third}");
}

proptest! {
    /// Whatever is done to it, every URL that was offered and not rejected is taken exactly once, best first.
    #[test]
    fn everything_is_taken_once_and_best_first(
        offers in prop::collection::vec((0_u32..40, 0_u8..3, -3_i8..3), 1..60),
        moves in prop::collection::vec((0_u32..40, 0_u8..3, -3_i8..3), 0..80),
    ) {
        let mut frontier = MemoryFrontier::new(Rotation::Even);
        for id in 0..6_u32 {
            frontier.set_lane(LaneId(id), LaneSettings::arrival(Priority::of(f64::from(id) - 3.0)));
        }
        let placement = |kind: u8, value: i8| match kind {
            0 => lane(u32::from((value + 3).cast_unsigned())),
            1 => exact(f64::from(value)),
            _ => Placement::Reject,
        };
        // By key: the value it has; none if rejected.
        let mut model = std::collections::BTreeMap::new();
        for &(key, kind, value) in &offers {
            let new = frontier.offer(SITE, UrlId(key), placement(kind, value), NOW).unwrap() == Offered::New;
            prop_assert_eq!(new, !model.contains_key(&key));
            model.entry(key).or_insert_with(|| (kind < 2).then_some(value));
        }
        for &(key, kind, value) in &moves {
            frontier.place(UrlId(key), placement(kind, value)).unwrap();
            if let Some(Some(known)) = model.get_mut(&key).filter(|known| known.is_some()) {
                if kind < 2 { *known = value } else { model.insert(key, None); }
            }
        }
        let waiting = model.values().flatten().count();
        prop_assert_eq!(frontier.waiting(), waiting as u64);
        let taken = drain(&mut frontier, NOW);
        let values: Vec<i8> = taken.iter().filter_map(|key| model.remove(key).flatten()).collect();
        prop_assert_eq!(values.len(), taken.len(), "taken twice, or though rejected");
        prop_assert_eq!(values.len(), waiting);
        prop_assert!(values.is_sorted_by(|a, b| a >= b), "{:?}", values);
    }
}

#[test]
fn ours_a_queue_that_is_set_aside_keeps_its_turn_and_comes_back() {
    let mut frontier = MemoryFrontier::new(Rotation::Even);
    for queue in 0..3 {
        frontier.offer(QueueId(queue), UrlId(queue), lane(0), NOW).unwrap();
    }
    let soon = NOW + Span::seconds(10);
    frontier.set_aside(SITE, soon);
    assert_eq!(frontier.due_queue(NOW), Due::Queue(QueueId(1)));
    frontier.set_aside(QueueId(1), soon);
    frontier.set_aside(QueueId(2), soon);
    assert_eq!(frontier.due_queue(NOW), Due::At(soon));
    frontier.bring_back(QueueId(1));
    assert_eq!(frontier.due_queue(NOW), Due::Queue(QueueId(1)));
    frontier.bring_back(SITE);
    assert_eq!(frontier.due_queue(NOW), Due::Queue(SITE), "it was first, and still is");
    frontier.set_aside(SITE, soon);
    frontier.offer(SITE, UrlId(7), lane(0), NOW).unwrap();
    assert_eq!(frontier.due_queue(NOW), Due::Queue(SITE), "something happened to it");
    // Nobody brings the third back.
    frontier.take(SITE, Pick::Best, LEASE, NOW).unwrap().unwrap();
    assert_eq!(frontier.due_queue(soon), Due::Queue(QueueId(1)));
    frontier.set_aside(QueueId(1), Time(u64::MAX));
    assert_eq!(frontier.due_queue(soon), Due::Queue(QueueId(2)));
}
