//! Any order with revisits: within its budget, by change and importance, and across a save.

use std::collections::BTreeMap;
use std::ops::Range;

use trodden_frontier::{MemoryFrontier, QueueId, Rotation, Span, Time, UrlId};
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::by_value::{ByValue, Fineness};
use trodden_ordering::policy::revisiting::{RevisitPlan, Revisiting};
use trodden_ordering::{Change, Engine, Event, Found, Limits, Next, OrderingPolicy, Outcome, OutcomeKind, chance};

const DAY: u64 = 86_400_000;

/// Pages that change at planted rates.
struct Changing {
    /// Changes a day, by page.
    rates: Vec<f64>,
    /// Pages that go, and when.
    gone: BTreeMap<u32, u64>,
}

impl Changing {
    /// How often a page has changed: at times drawn evenly, each day by itself.
    fn version(&self, page: u32, now: Time) -> u64 {
        let days = now.0 / DAY;
        (0..=days)
            .filter(|day| {
                let at = day * DAY + (chance::unit(page.into(), 2 * day) * DAY as f64) as u64;
                at <= now.0 && chance::unit(page.into(), 2 * day + 1) < self.rates[page as usize]
            })
            .count() as u64
    }
}

type Crawl = Engine<MemoryFrontier, Vec<Event>>;

fn begin(policy: Box<dyn OrderingPolicy>) -> Crawl {
    let mut engine = Engine::new(MemoryFrontier::new(Rotation::Even), policy, Limits::default(), Vec::new());
    engine.seed(QueueId(0), UrlId(0), "http://a.org/", Time(0)).unwrap();
    engine
}

/// One answer; or when the next request can be made.
fn step(world: &Changing, engine: &mut Crawl, versions: &mut BTreeMap<u32, u64>, now: Time) -> Option<Time> {
    match engine.next(now).unwrap() {
        Next::Fetch(task) => {
            let page = task.key.0;
            let is_gone = world.gone.get(&page).is_some_and(|at| *at <= now.0);
            let version = world.version(page, now);
            let change = match versions.insert(page, version) {
                None => Change::First,
                Some(before) if before == version => Change::Unchanged,
                Some(_) => Change::Changed,
            };
            let outcome =
                if is_gone { Outcome::of(OutcomeKind::NotFound) } else { Outcome { change, ..Outcome::page(None) } };
            let pages = if page == 0 { 1..world.rates.len() as u32 } else { 0..0 };
            let urls: Vec<String> = pages.clone().map(|page| format!("http://a.org/{page}")).collect();
            let mut found: Vec<Found<'_>> = pages
                .zip(&urls)
                .map(|(page, url)| Found { key: UrlId(page), queue: QueueId(0), url, anchor: "", is_new: false })
                .collect();
            engine.settle(&task, &format!("http://a.org/{page}"), &outcome, &mut found, now).unwrap();
            None
        }
        Next::Wait(until) => Some(until),
        Next::Drained | Next::Spent => panic!("a crawl with revisits has no end"),
    }
}

/// Crawls during some days, with so many requests a day at most. By page: when it was fetched, in days.
fn crawl(world: &Changing, engine: &mut Crawl, days: Range<u64>, a_day: u64) -> BTreeMap<u32, Vec<f64>> {
    let (mut versions, mut now) = (BTreeMap::new(), Time(days.start * DAY));
    let pause = Span(DAY / a_day);
    while now.0 < days.end * DAY {
        now = step(world, engine, &mut versions, now).unwrap_or(now + pause).max(now);
    }
    times(std::mem::take(engine.log_mut()))
}

fn times(events: Vec<Event>) -> BTreeMap<u32, Vec<f64>> {
    let mut times: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for event in events {
        if let Event::Fetched { key, at, .. } = event {
            times.entry(key.0).or_default().push(at.0 as f64 / DAY as f64);
        }
    }
    times
}

fn plan(requests_a_day: f64) -> RevisitPlan {
    RevisitPlan { requests_a_day, max_age: None }
}

fn revisiting(inner: impl OrderingPolicy + 'static, plan: RevisitPlan) -> Box<dyn OrderingPolicy> {
    Box::new(Revisiting::new(Box::new(inner), plan, None))
}

#[test]
fn ours_pages_that_change_or_matter_are_fetched_again_more_often_within_the_budget() {
    // Forty pages; the first half changes every ten days, the second every hundred; of each half every second is read ten times as much.
    let rates = (0..40).map(|page| if page < 20 { 0.1 } else { 0.01 }).collect();
    let world = Changing { rates, gone: BTreeMap::new() };
    let values = (0..40).map(|page| (UrlId(page), if page % 2 == 0 { 10.0 } else { 1.0 }));
    let mut engine = begin(revisiting(ByValue::new(values, Fineness::Levels), plan(4.0)));
    let times = crawl(&world, &mut engine, 0..1_000, 8);
    assert_eq!(times.len(), 40, "all are fetched");
    // From when rates are known: the second half of the time.
    let late = |page: u32| times[&page].iter().filter(|day| **day > 500.0).count();
    let mean = |of: &dyn Fn(u32) -> bool| {
        let pages: Vec<u32> = (1..40).filter(|page| of(*page)).collect();
        pages.iter().map(|page| late(*page)).sum::<usize>() as f64 / pages.len() as f64
    };
    let all: usize = (0..40).map(late).sum();
    assert!((1_600..=2_200).contains(&all), "four a day for 500 days: {all}");
    let read = mean(&|page| page % 2 == 0);
    let unread = mean(&|page| page % 2 == 1);
    assert!(read > 1.5 * unread, "{read} {unread}");
    let fast_and_read = mean(&|page| page < 20 && page % 2 == 0);
    let slow_and_read = mean(&|page| page >= 20 && page % 2 == 0);
    assert!(fast_and_read > 1.5 * slow_and_read, "{fast_and_read} {slow_and_read}");
}

#[test]
fn ours_what_is_gone_is_asked_for_ever_more_rarely_and_max_age_starves_nothing() {
    // Page 3 goes on day 50. Page 5 changes so often that nobody can keep up with it.
    let mut rates = vec![0.02; 10];
    rates[5] = 1.0;
    let world = Changing { rates, gone: BTreeMap::from([(3, 50 * DAY)]) };
    let plan = RevisitPlan { requests_a_day: 1.0, max_age: Some(Span(60 * DAY)) };
    let mut engine = begin(revisiting(BreadthFirst::default(), plan));
    let times = crawl(&world, &mut engine, 0..1_000, 4);
    let after: Vec<f64> = times[&3].iter().copied().filter(|day| *day > 50.0).collect();
    let gaps: Vec<f64> = after.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.len() >= 3, "{after:?}");
    for (gap, days) in gaps.iter().zip([30.0, 60.0, 120.0, 240.0]) {
        assert!((gap - days).abs() < 2.0, "{gaps:?}");
    }
    for (page, times) in times.iter().filter(|(page, _)| **page != 3) {
        let longest = times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        assert!(longest < 66.0, "page {page} waited for {longest} days");
    }
}

#[test]
fn ours_first_fetches_of_an_order_without_visits_share_the_budget() {
    let world = Changing { rates: vec![0.05; 400], gone: BTreeMap::new() };
    let mut engine = begin(revisiting(BreadthFirst::default(), plan(10.0)));
    let times = crawl(&world, &mut engine, 0..30, 10);
    let requests: usize = times.values().map(Vec::len).sum();
    // Half of three hundred requests, or more while there is little to revisit.
    assert!((280..=301).contains(&requests), "{requests}");
    assert!((140..=260).contains(&times.len()), "{} pages", times.len());
    assert!(times.len() < requests, "some were fetched again");
}

#[test]
fn ours_a_saved_crawl_with_revisits_goes_on_as_if_nothing_had_happened() {
    let world = Changing {
        rates: (0..12).map(|page| 0.02 * f64::from(page + 1)).collect(),
        gone: BTreeMap::from([(7, 30 * DAY)]),
    };
    let make = || {
        let values = (0..12).map(|page| (UrlId(page), f64::from(1 + page % 4)));
        revisiting(ByValue::new(values, Fineness::Levels), plan(2.0))
    };
    let pause = Span(DAY / 4);
    let run = |pause_at: Option<usize>| {
        let (mut engine, mut versions, mut now) = (begin(make()), BTreeMap::new(), Time(0));
        let mut events = Vec::new();
        for at in 0..400 {
            if pause_at == Some(at) {
                let mut restored = make();
                restored.restore(&engine.policy().save()).unwrap();
                assert_eq!(restored.save(), engine.policy().save());
                let saved = engine.save();
                events.append(engine.log_mut());
                engine = Engine::new(engine.into_frontier(), restored, Limits::default(), Vec::new());
                engine.restore(&saved).unwrap();
            }
            now = step(&world, &mut engine, &mut versions, now).unwrap_or(now + pause).max(now);
        }
        events.append(engine.log_mut());
        times(events)
    };
    let whole = run(None);
    assert!(whole.values().map(Vec::len).sum::<usize>() > 100);
    for pause_at in (0..400).step_by(7) {
        assert_eq!(run(Some(pause_at)), whole, "saved after {pause_at}");
    }
}

#[test]
fn ours_a_removed_page_is_forgotten_and_its_number_begins_anew() {
    let world = Changing { rates: vec![0.5; 6], gone: BTreeMap::new() };
    let mut engine = begin(revisiting(BreadthFirst::default(), plan(6.0)));
    crawl(&world, &mut engine, 0..20, 8);
    // Page 0 still links to it: it is found and fetched for the first time again, and then revisited like the others.
    assert!(engine.remove(UrlId(4)).unwrap());
    let again = crawl(&world, &mut engine, 20..60, 8);
    let fewest = again.values().map(Vec::len).min().unwrap();
    assert!(again.len() == 6 && again[&4].len() > 10 && fewest > 10, "{again:?}");
    // One that nothing leads to is not fetched again.
    (0..6).for_each(|page| assert!(engine.remove(UrlId(page)).unwrap()));
    assert_eq!(engine.next(Time(70 * DAY)).unwrap(), Next::Drained);
}
