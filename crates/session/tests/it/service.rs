//! A session that a service drives: clients put URLs, lease several at once, update them by name and go away; two of them at once.
//! It crashes after every write, like the one that a fetcher drives.

use std::collections::BTreeMap;

use trodden_frontier::{Frontier, LaneId, LaneOrder, Pace, Placement, Priority, QueueId, Span, Time, UrlId, UrlState};
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::build::AnyPolicy;
use trodden_ordering::policy::opic::Opic;
use trodden_ordering::{Known, OrderingPolicy, OutcomeKind, SaveFault, Task};
use trodden_session::{Answer, LeaseRequest, Leases, ListedUrl, Recall, Session};

use crate::world::{Place, chance, crash_everywhere, host, keep, url};

/// The order of the wire contract: one lane by date.
struct ByDate;

impl OrderingPolicy for ByDate {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        self.place_again(url, now)
    }
    fn place_again(&self, _: &Known<'_>, _: Time) -> Placement {
        Placement::Lane(LaneId(0))
    }
    fn lane_priority(&self, _: LaneId, _: Time) -> Priority {
        Priority::default()
    }
    fn lane_order(&self, _: LaneId) -> LaneOrder {
        LaneOrder::Date
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

type Make = fn() -> AnyPolicy;

fn policies() -> [(&'static str, Make); 3] {
    [
        ("by date", || Box::new(ByDate)),
        ("breadth-first", || Box::new(BreadthFirst::default())),
        ("opic", || Box::new(Opic::new(1))),
    ]
}

/// Everything that a client can see.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    engine: Vec<u8>,
    listed: Vec<Vec<ListedUrl>>,
    records: Vec<(UrlId, u32)>,
    is_active: bool,
}

fn seen(session: &Session) -> Seen {
    let queues = 0..session.frontier().queues();
    let listed = queues.map(|queue| session.list(QueueId(queue), UrlId(0), 1_000).unwrap()).collect();
    let mut records = Vec::new();
    let tell = |key, record: &trodden_session::UrlRecord| {
        records.push((key, record.fetches));
        Ok::<_, trodden_session::Error>(())
    };
    session.records().each(tell).unwrap();
    Seen { engine: session.engine_state(), listed, records, is_active: session.is_active() }
}

fn request(draw: u64) -> LeaseRequest {
    LeaseRequest {
        queue: None,
        queues: 1 + draw as usize % 3,
        urls_per_queue: 1 + (draw / 3 % 3) as u32,
        span: Span(20 + draw % 50),
    }
}

/// What two clients do, drawn by chance; what could be seen by the number of writes.
fn serve(place: &Place, policy: AnyPolicy, seed: u64) -> BTreeMap<usize, Seen> {
    let mut session = place.open(policy, Leases::Kept);
    let mut by_writes = BTreeMap::from([(place.memory.writes(), seen(&session))]);
    let (mut now, mut out): (Time, [Vec<Task>; 2]) = (Time(1_000), [Vec::new(), Vec::new()]);
    for step in 0..300 {
        let draw = chance(seed, step);
        let (page, client) = (draw / 32 % 40, (draw / 7 % 2) as usize);
        let (text, queue) = (url(page), host(page));
        match draw % 32 {
            0..8 => drop(session.seed(&text, &queue, now).unwrap()),
            8..14 => out[client].extend(session.lease(&request(draw / 32), now).unwrap()),
            14..20 if !out[client].is_empty() => {
                let task = out[client].remove(0);
                // Its lease may have run out, or its URL may be gone: an update holds all the same.
                let text = session.url(task.key).unwrap();
                let queue = session.frontier().queue_name(task.queue).to_owned();
                let recall = if draw.is_multiple_of(3) { Recall::From(now + Span(draw % 90)) } else { Recall::Never };
                let answer = Answer { status: 200, bytes: draw % 999, ..Answer::of(OutcomeKind::Page) };
                session.update(&text, &queue, recall, Some(&answer), now).unwrap();
            }
            20..23 => {
                let recall = if draw.is_multiple_of(2) { Recall::From(now + Span(draw % 60)) } else { Recall::Never };
                session.update(&text, &queue, recall, None, now).unwrap();
            }
            23 => {
                if let Some(key) = session.find(&text) {
                    assert!(session.remove(key, now).unwrap());
                    assert_eq!(session.find(&text), None);
                }
            }
            24 => {
                if let Some(key) = session.find(&text) {
                    session.revive(key, now + Span(draw % 40), now).unwrap();
                }
            }
            25 if draw.is_multiple_of(5) => {
                let id = session.queue(&queue).unwrap();
                match draw % 4 {
                    0 => drop(session.remove_queue(id, now).unwrap()),
                    1 => drop(session.purge(id, Time(now.0 - 60), now).unwrap()),
                    2 => session.set_done_limit(id, Some(draw % 7).filter(|limit| *limit > 0)),
                    _ => session.block(id, now + Span(draw % 30)),
                }
            }
            26 => session.set_active(!draw.is_multiple_of(4)).unwrap(),
            27..29 => now = now + Span(draw % 30),
            _ => {
                keep(&mut session, draw / 32);
                by_writes.insert(place.memory.writes(), seen(&session));
            }
        }
    }
    session.commit().unwrap();
    by_writes.insert(place.memory.writes(), seen(&session));
    by_writes
}

#[test]
fn ours_a_service_that_crashes_at_any_write_shows_its_clients_what_it_showed() {
    for (name, policy) in policies() {
        for seed in 0..6 {
            let place = Place::new();
            let by_writes = serve(&place, policy(), seed);
            crash_everywhere(&format!("{name}, seed {seed}"), &place, policy, &by_writes, seen);
        }
    }
}

fn by_date() -> (Place, Session) {
    let place = Place::new();
    let session = place.open(Box::new(ByDate), Leases::Kept);
    (place, session)
}

fn leased(session: &mut Session, request: &LeaseRequest, now: Time) -> Vec<String> {
    let tasks = session.lease(request, now).unwrap();
    texts(session, &tasks)
}

fn texts(session: &Session, tasks: &[Task]) -> Vec<String> {
    tasks.iter().map(|task| session.url(task.key).unwrap()).collect()
}

const ALL: LeaseRequest = LeaseRequest { queue: None, queues: usize::MAX, urls_per_queue: 100, span: Span(30) };

#[test]
fn ours_urls_are_handed_out_by_the_date_that_a_client_gave() {
    let (_, mut session) = by_date();
    for (name, date) in [("c", 300), ("a", 100), ("b", 200), ("d", 900)] {
        session.update(name, "q", Recall::From(Time(date)), None, Time(50)).unwrap();
    }
    assert_eq!(session.seed("e", "q", Time(60)).unwrap().map(|key| key.0), Some(4));
    assert_eq!(session.seed("a", "q", Time(60)).unwrap(), None, "it is known");
    let tasks = session.lease(&ALL, Time(300)).unwrap();
    assert_eq!(texts(&session, &tasks), ["e", "a", "b", "c"]);
    assert_eq!(session.lease(&ALL, Time(310)).unwrap(), [], "all that is due is out");
    // An update by name ends the lease; its date counts, and an earlier entry of it does not.
    session.update("a", "q", Recall::From(Time(400)), None, Time(320)).unwrap();
    session.update("d", "q", Recall::From(Time(2_000)), None, Time(320)).unwrap();
    session.update("b", "q", Recall::Never, None, Time(320)).unwrap();
    let tasks = session.lease(&ALL, Time(1_000)).unwrap();
    assert_eq!(texts(&session, &tasks), ["e", "c", "a"], "what ran out waits where it was; d has another date");
    let key = session.find("b").unwrap();
    assert_eq!(session.frontier().state(key).unwrap(), Some(UrlState::Done));
    assert!(session.revive(key, Time(1_500), Time(1_000)).unwrap());
    let tasks = session.lease(&ALL, Time(1_499)).unwrap();
    assert!(!texts(&session, &tasks).contains(&"b".to_owned()));
    let tasks = session.lease(&ALL, Time(1_500)).unwrap();
    assert_eq!(texts(&session, &tasks), ["b"]);
}

#[test]
fn ours_an_empty_poll_costs_a_queue_nothing_and_a_full_one_its_delay() {
    let (place, mut session) = by_date();
    let queue = session.queue("q").unwrap();
    session.set_pace(queue, Pace { delay: Span(1_000), at_once: u32::MAX });
    for poll in 0..50 {
        assert_eq!(session.lease(&ALL, Time(poll)).unwrap(), []);
    }
    for name in ["a", "b", "c", "d"] {
        session.seed(name, "q", Time(50)).unwrap();
    }
    let two = LeaseRequest { urls_per_queue: 2, span: Span(10_000), ..ALL };
    let named = LeaseRequest { queue: Some(queue), urls_per_queue: 3, ..two };
    assert_eq!(leased(&mut session, &two, Time(50)), ["a", "b"]);
    assert_eq!(session.lease(&named, Time(1_049)).unwrap(), [], "within its delay");
    assert_eq!(session.lease(&two, Time(1_050)).unwrap(), [], "two are out");
    assert_eq!(leased(&mut session, &named, Time(1_050)), ["c"]);
    // Delay, leases and what else a queue has survive.
    session.commit().unwrap();
    drop(session);
    let mut session = place.open(Box::new(ByDate), Leases::Kept);
    let four = LeaseRequest { urls_per_queue: 4, ..named };
    assert_eq!(session.lease(&four, Time(2_049)).unwrap(), []);
    assert_eq!(session.frontier().counts(queue).out, 3);
    session.block(queue, Time(5_000));
    assert_eq!(session.lease(&four, Time(4_000)).unwrap(), []);
    session.block(queue, Time(0));
    session.update("a", "q", Recall::Never, None, Time(4_000)).unwrap();
    session.set_done_limit(queue, Some(1));
    assert_eq!(session.lease(&four, Time(4_000)).unwrap(), [], "one is done");
    session.set_done_limit(queue, None);
    session.set_active(false).unwrap();
    assert_eq!(session.lease(&four, Time(4_000)).unwrap(), []);
    session.set_active(true).unwrap();
    assert_eq!(leased(&mut session, &four, Time(4_000)), ["d"]);
}

#[test]
fn ours_a_session_that_adds_and_removes_for_ever_does_not_grow() {
    let (place, mut session) = by_date();
    for round in 0..200 {
        for n in 0..10 {
            session.seed(&format!("http://r{round}.test/{n}"), "q", Time(round)).unwrap();
        }
        let queue = session.queue("q").unwrap();
        let gone = if round % 2 == 0 {
            session.remove_queue(queue, Time(round))
        } else {
            session.purge(queue, Time(round + 1), Time(round))
        };
        assert_eq!(gone.unwrap(), 10);
        if round % 3 == 0 {
            session.checkpoint().unwrap();
        }
    }
    assert!(session.frontier().numbered() <= 40, "{} numbers", session.frontier().numbered());
    session.seed("http://last.test/", "q", Time(300)).unwrap();
    session.commit().unwrap();
    drop(session);
    let mut session = place.open(Box::new(ByDate), Leases::Kept);
    assert_eq!((session.find("http://r5.test/3"), session.find("http://r199.test/0")), (None, None));
    let tasks = session.lease(&ALL, Time(300)).unwrap();
    assert_eq!(texts(&session, &tasks), ["http://last.test/"]);
    let listed = session.list(session.frontier().find_queue("q").unwrap(), UrlId(0), 9).unwrap();
    assert_eq!((listed.len(), listed[0].created), (1, Time(300)));
}
