//! A policy that asks for a URL again gets it at its time, also after a crash; and time never goes back.

use trodden_frontier::{Crash, LaneId, LaneOrder, Placement, Priority, Span, Time, UrlId};
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::build::AnyPolicy;
use trodden_ordering::policy::revisiting::{RevisitPlan, Revisiting as WithRevisits};
use trodden_ordering::{Again, Change, Known, Next, OrderingPolicy, Outcome, SaveFault};
use trodden_session::{Leases, Session};

use crate::world::{LONE, PAGES, Place, host, settle, start, url};

/// How long it waits before it fetches a URL for the second time, and between any two after that.
const SECOND: Span = Span(100);
const PERIOD: Span = Span(40);

/// Fetches everything again: once at a time, then in a lane with a period.
struct Revisiting;

impl OrderingPolicy for Revisiting {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        self.place_again(url, now)
    }
    fn place_again(&self, _: &Known<'_>, _: Time) -> Placement {
        Placement::Lane(LaneId(0))
    }
    fn again(&mut self, _: &Known<'_>, outcome: &Outcome<'_>, now: Time) -> Again {
        match outcome.change {
            Change::First => Again::At(now + SECOND),
            _ => Again::Into(LaneId(1)),
        }
    }
    fn lane_priority(&self, lane: LaneId, _: Time) -> Priority {
        Priority::of(f64::from(lane.0))
    }
    fn lane_order(&self, lane: LaneId) -> LaneOrder {
        if lane == LaneId(1) { LaneOrder::Period(PERIOD) } else { LaneOrder::Arrival }
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

fn revisiting() -> AnyPolicy {
    Box::new(Revisiting)
}

/// Fetches one URL as soon as it may be, so often; when that was.
fn times(session: &mut Session, mut now: Time, fetches: usize) -> Vec<u64> {
    let mut times = Vec::new();
    while times.len() < fetches {
        match session.next(now).unwrap() {
            Next::Fetch(task) => {
                settle(session, &task, now);
                times.push(now.0);
                session.commit().unwrap();
            }
            Next::Wait(until) => now = until,
            next => panic!("{next:?}"),
        }
    }
    times
}

#[test]
fn ours_a_url_is_fetched_again_at_its_time_whatever_happens_in_between() {
    let place = Place::new();
    let mut session = place.open(revisiting(), Leases::Undone);
    session.seed(&url(LONE), &host(LONE), Time(1_000)).unwrap();
    session.commit().unwrap();
    let calm = times(&mut session, Time(1_000), 5);
    assert_eq!(calm, [1_000, 1_100, 1_140, 1_180, 1_220]);
    let record = session.records().record(UrlId(0)).unwrap().unwrap();
    assert_eq!((record.fetches, record.changes, record.order), (5, 0, 0), "one URL, five requests, no change");
    for writes in 3..place.memory.writes() {
        let left = place.after(writes, Crash::Process, true);
        let mut resumed = left.open(revisiting(), Leases::Undone);
        let done = resumed.records().record(UrlId(0)).unwrap().map_or(0, |record| record.fetches as usize);
        let now = Time(calm[done.saturating_sub(1)]);
        assert_eq!(times(&mut resumed, now, 5 - done), calm[done..], "write {writes}");
    }
}

/// An order with revisits, of ten requests a second: the crawl below lasts seconds.
fn with_revisits() -> AnyPolicy {
    let plan = RevisitPlan { requests_a_day: 864_000.0, max_age: None };
    Box::new(WithRevisits::new(Box::new(BreadthFirst::default()), plan, None))
}

/// Makes so many requests, ten a second; which pages, and when.
fn requests(session: &mut Session, mut now: Time, many: usize) -> Vec<(u64, u64)> {
    let mut made = Vec::new();
    while made.len() < many {
        match session.next(now).unwrap() {
            Next::Fetch(task) => {
                made.push((settle(session, &task, now), now.0));
                session.commit().unwrap();
                now = now + Span(100);
            }
            Next::Wait(until) => now = until,
            next => panic!("{next:?}"),
        }
    }
    made
}

#[test]
fn ours_an_order_with_revisits_goes_on_after_a_crash_as_if_nothing_had_happened() {
    const MANY: usize = 120;
    let place = Place::new();
    let mut session = place.open(with_revisits(), Leases::Undone);
    start(&mut session);
    let calm = requests(&mut session, Time(1_000), MANY);
    let again = calm.iter().enumerate().filter(|(at, (page, _))| calm[..*at].iter().any(|(before, _)| before == page));
    assert!(again.count() > 20, "{calm:?}");
    drop(session);
    let writes = place.memory.writes();
    for at in (writes / 4..writes).step_by(writes / 24) {
        let left = place.after(at, Crash::Process, true);
        let mut resumed = left.open(with_revisits(), Leases::Undone);
        let done: u32 = (0..PAGES as u32)
            .filter_map(|key| resumed.records().record(UrlId(key)).ok().flatten())
            .map(|record| record.fetches)
            .sum();
        let done = done as usize;
        assert!(done > 0 && done <= MANY, "{done}");
        let from = calm[done - 1].1 + 100;
        assert_eq!(requests(&mut resumed, Time(from), MANY - done), calm[done..], "write {at} of {writes}");
    }
}

#[test]
fn ours_an_earlier_time_counts_as_the_last() {
    let place = Place::new();
    let mut session = place.open(revisiting(), Leases::Undone);
    session.seed(&url(LONE), &host(LONE), Time(5_000)).unwrap();
    let Next::Fetch(task) = session.next(Time(10)).unwrap() else { panic!("it is due") };
    settle(&mut session, &task, Time(20));
    assert_eq!(session.latest(), Time(5_000));
    assert_eq!(session.records().record(UrlId(0)).unwrap().unwrap().time_ms, 5_000);
    session.commit().unwrap();
    drop(session);
    let mut session = place.open(revisiting(), Leases::Undone);
    assert_eq!(session.latest(), Time(5_000));
    assert_eq!(session.next(Time(0)).unwrap(), Next::Wait(Time(5_100)));
}
