//! A session goes by another model while URLs are out. Whatever write a crash comes after, it goes on by the model that was in force then,
//! and knows what it knew; what is settled later teaches the policy in force.

use std::collections::BTreeMap;

use trodden_frontier::{Crash, Frontier, LaneId, Placement, Priority, Span, Time, UrlId};
use trodden_ordering::policy::build::AnyPolicy;
use trodden_ordering::{Found, Known, Moves, Next, OrderingPolicy, Outcome, SaveFault, Task};
use trodden_session::{Leases, Session};

use crate::world::{Place, chance, settle, start};

/// URLs by chance over a few lanes; each model deals them anew. It knows how much it was taught.
struct Dealt {
    model: u32,
    taught: u8,
}

const LANES: u64 = 5;

impl OrderingPolicy for Dealt {
    fn place(&mut self, url: &Known<'_>, now: Time) -> Placement {
        self.place_again(url, now)
    }
    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        let text = url.url.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        Placement::Lane(LaneId((chance(self.model.into(), text) % LANES) as u32))
    }
    fn settled(&mut self, _: &Known<'_>, _: &Outcome<'_>, _: &[Found<'_>], _: &mut Moves, _: Time) {
        self.taught += 1;
    }
    fn lane_priority(&self, lane: LaneId, _: Time) -> Priority {
        Priority::of(f64::from(lane.0))
    }
    fn estimate(&self, _: UrlId) -> f64 {
        f64::from(self.taught)
    }
    fn save(&self) -> Vec<u8> {
        vec![self.taught]
    }
    fn restore(&mut self, saved: &[u8]) -> Result<(), SaveFault> {
        self.taught = saved[0];
        Ok(())
    }
}

fn policy(model: u32) -> AnyPolicy {
    Box::new(Dealt { model, taught: 0 })
}

#[derive(Clone, Debug, PartialEq)]
struct Seen {
    model: u32,
    engine: Vec<u8>,
    waiting: u64,
    out: usize,
}

fn seen(session: &Session) -> Seen {
    let frontier = session.frontier();
    Seen {
        model: Session::model_in_force(frontier).unwrap(),
        engine: session.engine_state(),
        waiting: frontier.waiting(),
        out: frontier.leases().count(),
    }
}

/// A crawl with several URLs out that changes its model now and then.
fn crawl(place: &Place, seed: u64) -> (BTreeMap<usize, Seen>, u32) {
    let mut session = place.open(policy(0), Leases::Kept);
    start(&mut session);
    let mut by_writes = BTreeMap::from([(place.memory.writes(), seen(&session))]);
    let (mut now, mut out, mut model): (Time, Vec<Task>, u32) = (Time(0), Vec::new(), 0);
    for step in 0..300 {
        let draw = chance(seed ^ 77, step);
        match draw % 16 {
            0..7 if out.len() < 5 => match session.next(now).unwrap() {
                Next::Fetch(task) => out.push(task),
                Next::Wait(until) => now = if out.is_empty() { until } else { now },
                Next::Drained | Next::Spent => break,
            },
            7..11 if !out.is_empty() => {
                let task = out.swap_remove(draw as usize / 16 % out.len());
                settle(&mut session, &task, now);
            }
            11 if !out.is_empty() => session.defer(&out.remove(0), now + Span(draw % 50), now).unwrap(),
            12 => now = now + Span(draw % 40),
            13 if draw.is_multiple_of(3) => {
                model += 1;
                session.swap_model(Some(policy(model)), [], model, now).unwrap();
                by_writes.insert(place.memory.writes(), seen(&session));
            }
            14 => drop(session.place_more(now).unwrap()),
            _ => {
                session.commit().unwrap();
                by_writes.insert(place.memory.writes(), seen(&session));
            }
        }
    }
    session.commit().unwrap();
    by_writes.insert(place.memory.writes(), seen(&session));
    (by_writes, model)
}

#[test]
fn ours_after_a_crash_at_any_write_of_a_swap_a_session_goes_by_the_model_in_force() {
    let mut swaps = 0;
    for seed in 0..8 {
        let place = Place::new();
        let (by_writes, models) = crawl(&place, seed);
        swaps += models;
        let last = place.memory.writes();
        for writes in 3..=last {
            for (crash, with_last_file) in [(Crash::Process, true), (Crash::Power, true), (Crash::Power, false)] {
                let left = place.after(writes, crash, with_last_file);
                let kept = left.memory.writes();
                let Some((_, expected)) = by_writes.range(..=kept).next_back() else { continue };
                let session = left.open_by(policy, Leases::Kept);
                assert_eq!(seen(&session), *expected, "seed {seed}, write {writes} of {last}, {crash:?}");
            }
        }
    }
    assert!(swaps > 8, "{swaps}");
}

#[test]
fn ours_what_is_settled_after_a_swap_teaches_the_policy_in_force() {
    let place = Place::new();
    let mut session = place.open(policy(0), Leases::Kept);
    start(&mut session);
    let Next::Fetch(task) = session.next(Time(0)).unwrap() else { panic!("it is due") };
    session.swap_model(Some(policy(1)), [], 1, Time(1)).unwrap();
    assert!(session.frontier().is_out(task.lease));
    settle(&mut session, &task, Time(2));
    assert_eq!(session.estimate(task.key), 1.0, "the new policy has learnt from one page");
    session.commit().unwrap();
    drop(session);
    let session = place.open_by(policy, Leases::Undone);
    assert_eq!(session.estimate(task.key), 1.0);
}
