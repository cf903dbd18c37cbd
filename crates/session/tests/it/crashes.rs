//! A session that crashes after any write stands where it stood, byte for byte, and goes on as if nothing had happened.

use std::collections::BTreeMap;

use crate::world::{Place, chance, crash_everywhere, drain, keep, settle, start};
use trodden_frontier::{Crash, Span, Time, UrlId};
use trodden_ordering::policy::backlink::Backlink;
use trodden_ordering::policy::blend::{Blend, Past, Steps, Uses};
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::build::AnyPolicy;
use trodden_ordering::policy::opic::Opic;
use trodden_ordering::standing::{CompiledModels, Standings};
use trodden_ordering::{Next, Task};
use trodden_session::{Leases, Session};

fn blend() -> AnyPolicy {
    let compiled = std::sync::Arc::new(CompiledModels::new([]));
    let outlooks = compiled.outlooks([]);
    Box::new(Blend::new(
        Uses::BLEND,
        trodden_mining::Goal::Fetch,
        Steps::DEFAULT,
        Standings::new(compiled),
        outlooks,
        Past::new([], []).into(),
    ))
}

/// Makes a policy.
type Make = fn() -> AnyPolicy;

fn policies() -> [(&'static str, Make); 4] {
    [
        ("breadth-first", || Box::new(BreadthFirst::default())),
        ("backlink", || Box::new(Backlink::default())),
        ("opic", || Box::new(Opic::new(1))),
        ("blend", blend),
    ]
}

/// What a session knew.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    engine: Vec<u8>,
    waiting: u64,
    urls: u32,
    settled: Vec<(UrlId, u64, u32)>,
}

fn known(session: &Session) -> Known {
    use trodden_frontier::Frontier;
    let mut settled = Vec::new();
    let tell = |key, record: &trodden_session::UrlRecord| {
        settled.push((key, record.order, record.fetches));
        Ok::<_, trodden_session::Error>(())
    };
    session.records().each(tell).unwrap();
    let frontier = session.frontier();
    Known { engine: session.engine_state(), waiting: frontier.waiting(), urls: frontier.numbered(), settled }
}

/// A crawl with several URLs out at once, in an order drawn by chance; what was known by the number of writes.
fn random_crawl(place: &Place, policy: AnyPolicy, seed: u64) -> BTreeMap<usize, Known> {
    let mut session = place.open(policy, Leases::Kept);
    let mut by_writes = BTreeMap::from([(place.memory.writes(), known(&session))]);
    start(&mut session);
    by_writes.insert(place.memory.writes(), known(&session));
    let (mut now, mut out): (Time, Vec<Task>) = (Time(0), Vec::new());
    for step in 0..400 {
        let draw = chance(seed, step);
        match draw % 16 {
            0..6 if out.len() < 5 => match session.next(now).unwrap() {
                Next::Fetch(task) => out.push(task),
                // What is out is not left out until its lease ends.
                Next::Wait(until) => now = if out.is_empty() { until } else { now },
                Next::Drained | Next::Spent => break,
            },
            6..10 if !out.is_empty() => {
                let task = out.swap_remove(draw as usize / 16 % out.len());
                settle(&mut session, &task, now);
            }
            10 if !out.is_empty() => {
                let task = out.swap_remove(draw as usize / 16 % out.len());
                session.defer(&task, now + Span(draw % 50), now).unwrap();
            }
            11 if step > 30 && !out.is_empty() => session.refuse(&out.remove(0), now).unwrap(),
            12 => now = now + Span(draw % 40),
            _ => {
                keep(&mut session, draw / 16);
                by_writes.insert(place.memory.writes(), known(&session));
            }
        }
    }
    session.commit().unwrap();
    by_writes.insert(place.memory.writes(), known(&session));
    by_writes
}

#[test]
fn ours_after_a_crash_at_any_write_a_session_knows_what_it_knew() {
    for (name, policy) in policies() {
        for seed in 0..8 {
            let place = Place::new();
            let by_writes = random_crawl(&place, policy(), seed);
            crash_everywhere(&format!("{name}, seed {seed}"), &place, policy, &by_writes, known);
        }
    }
}

#[test]
fn ours_one_by_one_the_order_after_a_crash_is_that_of_an_undisturbed_crawl() {
    for (name, policy) in policies() {
        let place = Place::new();
        let mut session = place.open(policy(), Leases::Undone);
        start(&mut session);
        let order = drain(&mut session, Time(0));
        assert!(order.len() > 30, "{name}: {order:?}");
        let last = place.memory.writes();
        for writes in (3..=last).step_by(5) {
            let left = place.after(writes, Crash::Process, true);
            let mut resumed = left.open(policy(), Leases::Undone);
            let rest = drain(&mut resumed, Time(0));
            assert!(order.ends_with(&rest), "{name}, write {writes} of {last}: {rest:?} of {order:?}");
        }
    }
}
