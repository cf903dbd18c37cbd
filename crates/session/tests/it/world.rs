//! A small made-up web, and a driver that fetches from it: what any driver of a session does.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::{io, path::PathBuf};

use trodden_frontier::{Crash, DiskFrontier, DiskSettings, Rotation, Span, Time, WrittenMemory};
use trodden_ordering::policy::build::AnyPolicy;
use trodden_ordering::{Next, OutcomeKind, Task};
use trodden_session::{Answer, CheckpointStore, FoundLink, Leases, Loss, Session, SessionParts, UrlSource};

/// Pages of the web, over so many hosts.
pub(crate) const PAGES: u64 = 60;
const HOSTS: u64 = 4;

/// Checkpoints in memory, each with the number of writes that the store had then.
#[derive(Clone, Default)]
pub(crate) struct MemoryCheckpoints {
    memory: WrittenMemory,
    log: Arc<Mutex<Vec<(usize, Op)>>>,
}

#[derive(Clone)]
enum Op {
    Write(String, Vec<u8>),
    KeepOnly(String),
}

impl MemoryCheckpoints {
    /// What is left if the crash comes after so many writes of the store: before or after the files of that moment.
    pub(crate) fn after(&self, memory: WrittenMemory, writes: usize, with_last: bool) -> Self {
        let log = self.log.lock().unwrap();
        let is_there = |at: usize| at < writes || (with_last && at == writes);
        let log = log.iter().filter(|(at, _)| is_there(*at)).map(|(_, op)| (0, op.clone())).collect();
        Self { memory, log: Arc::new(Mutex::new(log)) }
    }
}

impl CheckpointStore for MemoryCheckpoints {
    fn write(&mut self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let op = Op::Write(name.to_owned(), parts.concat());
        self.log.lock().unwrap().push((self.memory.writes(), op));
        Ok(())
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let mut found = None;
        for (_, op) in self.log.lock().unwrap().iter() {
            match op {
                Op::Write(written, bytes) if written == name => found = Some(bytes.clone()),
                Op::KeepOnly(kept) if kept != name && name.starts_with("engine-") => found = None,
                _ => {}
            }
        }
        Ok(found)
    }

    fn keep_only(&mut self, name: &str) -> io::Result<()> {
        self.log.lock().unwrap().push((self.memory.writes(), Op::KeepOnly(name.to_owned())));
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(name)
    }
}

/// Where a session lies in memory.
#[derive(Clone, Default)]
pub(crate) struct Place {
    pub(crate) memory: WrittenMemory,
    pub(crate) checkpoints: MemoryCheckpoints,
}

impl Place {
    pub(crate) fn new() -> Self {
        let memory = WrittenMemory::default();
        Self { checkpoints: MemoryCheckpoints { memory: memory.clone(), ..MemoryCheckpoints::default() }, memory }
    }

    /// As a crash after so many writes leaves it.
    pub(crate) fn after(&self, writes: usize, crash: Crash, with_last_file: bool) -> Self {
        let memory = self.memory.after(writes, crash);
        let checkpoints = self.checkpoints.after(memory.clone(), writes, with_last_file);
        Self { memory, checkpoints }
    }

    pub(crate) fn open(&self, policy: AnyPolicy, leases: Leases) -> Session {
        self.open_with(self.frontier(), policy, leases)
    }

    /// By the policy of the model in force.
    pub(crate) fn open_by(&self, policy: impl Fn(u32) -> AnyPolicy, leases: Leases) -> Session {
        let frontier = self.frontier();
        let model = Session::model_in_force(&frontier).unwrap();
        self.open_with(frontier, policy(model), leases)
    }

    fn frontier(&self) -> DiskFrontier {
        let settings = DiskSettings { head: 2, heads: 9, recent: 5, ..DiskSettings::default() };
        DiskFrontier::open_in_memory(self.memory.clone(), settings, Rotation::Even).unwrap()
    }

    fn open_with(&self, frontier: DiskFrontier, policy: AnyPolicy, leases: Leases) -> Session {
        let checkpoints = Box::new(self.checkpoints.clone());
        let (lease, loss, events_from) = (Span::seconds(60), Loss::Refused, u64::MAX);
        Session::open(SessionParts { frontier, policy, checkpoints, lease, leases, loss, events_from }).unwrap()
    }
}

/// Crashes after every write of what lies here, by the end of the process or of power: what can be seen then is what could be seen after the
/// last write that is left. A checkpoint makes several writes; what is seen in between is what was seen before.
pub(crate) fn crash_everywhere<T: PartialEq + Debug>(
    what: &str,
    place: &Place,
    policy: impl Fn() -> AnyPolicy,
    by_writes: &BTreeMap<usize, T>,
    see: impl Fn(&Session) -> T,
) {
    let (last, mut looked) = (place.memory.writes(), 0);
    for writes in 2..=last {
        for (crash, with_last_file) in [(Crash::Process, true), (Crash::Power, true), (Crash::Power, false)] {
            let left = place.after(writes, crash, with_last_file);
            let kept = left.memory.writes();
            let session = left.open(policy(), Leases::Kept);
            let Some((_, expected)) = by_writes.range(..=kept).next_back() else { continue };
            assert_eq!(see(&session), *expected, "{what}, write {writes} of {last}, {crash:?}");
            looked += 1;
        }
    }
    assert!(looked > 50, "{looked}");
}

/// Makes durable what a session was told, in one of three ways.
pub(crate) fn keep(session: &mut Session, draw: u64) {
    match draw % 8 {
        0..3 => session.sync(),
        3 => session.checkpoint(),
        _ => session.commit(),
    }
    .unwrap();
}

/// Numbers that look random and are not.
pub(crate) fn chance(seed: u64, at: u64) -> u64 {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ at.wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xa076_1d64_78bd_642f);
    bits ^ (bits >> 29)
}

pub(crate) fn url(page: u64) -> String {
    format!("http://h{}.test/{}/{page}", page % HOSTS, page % 7)
}

fn page_of(url: &str) -> u64 {
    url.rsplit('/').next().unwrap().parse().unwrap()
}

pub(crate) fn host(page: u64) -> String {
    format!("h{}.test", page % HOSTS)
}

/// A page that leads nowhere, and that no other leads to.
pub(crate) const LONE: u64 = PAGES;

/// The pages that a page leads to.
fn links(page: u64) -> Vec<u64> {
    if page == LONE {
        return Vec::new();
    }
    (0..3 + chance(7, page) % 6)
        .map(|n| chance(page + 1, n) % PAGES)
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect()
}

pub(crate) fn start(session: &mut Session) {
    session.seed(&url(0), &host(0), Time(0)).unwrap();
    session.commit().unwrap();
}

/// Fetches a URL: most are pages, some are not there.
pub(crate) fn settle(session: &mut Session, task: &Task, now: Time) -> u64 {
    let text = session.url(task.key).unwrap();
    let page = page_of(&text);
    let is_there = page == 0 || page == LONE || !chance(11, page).is_multiple_of(8);
    let found: Vec<(String, String)> = links(page).into_iter().map(|to| (url(to), host(to))).collect();
    let found: Vec<FoundLink<'_>> =
        found.iter().filter(|_| is_there).map(|(url, queue)| FoundLink { url, queue, anchor: "a link" }).collect();
    let kind = if is_there { OutcomeKind::Page } else { OutcomeKind::NotFound };
    let answer = Answer { status: 200, bytes: page, digest: Some(page), ..Answer::of(kind) };
    let source = UrlSource { from: Some(task.key), depth: 1, redirects: 0 };
    session.settle(task, &text, &answer, &found, &source, now).unwrap();
    page
}

/// Goes on one by one until nothing is left; pages in the order in which they were fetched.
pub(crate) fn drain(session: &mut Session, mut now: Time) -> Vec<u64> {
    let mut order = Vec::new();
    loop {
        match session.next(now).unwrap() {
            Next::Fetch(task) => {
                order.push(settle(session, &task, now));
                session.commit().unwrap();
            }
            Next::Wait(until) => now = until,
            Next::Drained | Next::Spent => return order,
        }
    }
}
