//! Whatever is done to it, a frontier on disk answers as one in memory does, whether or not it is closed in between.

use proptest::prelude::*;

use super::*;

const QUEUES: u32 = 3;
const LANES: u32 = 4;

/// Something that can be done.
#[derive(Clone, Debug)]
enum Act {
    /// A URL: one of those that are known, or a new one.
    Offer(u32, usize, Placement),
    Place(usize, Placement),
    /// A URL, whatever it does: placement, and how much later.
    Put(u32, usize, Placement, u64),
    Remove(usize),
    Block(u32, u64),
    Limit(u32, Option<u64>),
    /// Takes several of all queues that are due.
    TakeMany(usize, u32),
    TakeNamed(u32, u32),
    /// Price and period; the order goes by the number.
    SetLane(LaneId, u8, u64),
    SetPace(u32, Pace),
    Hold(u32, u64),
    /// Asks which queue is due, and takes from it.
    TakeDue,
    Take(u32, Pick),
    Settle(usize, Disposition),
    /// Settles into the future: so much later.
    Retry(usize, u64),
    Wait(u64),
    Commit,
    Reopen,
    Release,
}

fn placement() -> impl Strategy<Value = Placement> {
    prop_oneof![
        6 => (0..LANES).prop_map(lane),
        3 => (0..3_u8).prop_map(|value| exact(f64::from(value))),
        1 => Just(Placement::Reject),
    ]
}

fn lane_id() -> impl Strategy<Value = LaneId> {
    (0..LANES).prop_map(LaneId)
}

/// Two lanes by arrival, one by date, one by period.
fn settings(lane: LaneId, value: u8, period: u64) -> LaneSettings {
    let order = match lane.0 {
        2 => LaneOrder::Date,
        3 => LaneOrder::Period(Span(period)),
        _ => LaneOrder::Arrival,
    };
    LaneSettings { priority: Priority::of(f64::from(value)), order }
}

fn pick() -> impl Strategy<Value = Pick> {
    prop_oneof![Just(Pick::Best), lane_id().prop_map(Pick::Lane)]
}

fn act() -> impl Strategy<Value = Act> {
    let (queue, url) = (0..QUEUES, any::<usize>());
    prop_oneof![
        24 => (queue.clone(), url, placement()).prop_map(|(queue, url, to)| Act::Offer(queue, url, to)),
        10 => (url, placement()).prop_map(|(url, to)| Act::Place(url, to)),
        8 => (queue.clone(), url, placement(), 0..60_u64)
            .prop_map(|(queue, url, to, span)| Act::Put(queue, url, to, span.saturating_sub(20))),
        3 => url.prop_map(Act::Remove),
        1 => (queue.clone(), 0..40_u64).prop_map(|(queue, span)| Act::Block(queue, span)),
        1 => (queue.clone(), prop::option::of(0..9_u64)).prop_map(|(queue, limit)| Act::Limit(queue, limit)),
        3 => (1..4_usize, 1..4_u32).prop_map(|(queues, out)| Act::TakeMany(queues, out)),
        2 => (queue.clone(), 1..4_u32).prop_map(|(queue, out)| Act::TakeNamed(queue, out)),
        4 => (lane_id(), 0..3_u8, 0..80_u64).prop_map(|(lane, value, period)| Act::SetLane(lane, value, period)),
        1 => (queue.clone(), 0..30_u64, 1..4_u32)
            .prop_map(|(queue, delay, at_once)| Act::SetPace(queue, Pace { delay: Span(delay), at_once })),
        1 => (queue.clone(), 0..60_u64).prop_map(|(queue, span)| Act::Hold(queue, span)),
        12 => Just(Act::TakeDue),
        5 => (queue, pick()).prop_map(|(queue, pick)| Act::Take(queue, pick)),
        6 => (url, prop_oneof![Just(Disposition::Done), lane_id().prop_map(Disposition::Into)])
            .prop_map(|(lease, how)| Act::Settle(lease, how)),
        3 => (url, 0..50_u64).prop_map(|(lease, span)| Act::Retry(lease, span)),
        5 => (0..40_u64).prop_map(Act::Wait),
        2 => Just(Act::Commit),
        2 => Just(Act::Reopen),
        1 => Just(Act::Release),
    ]
}

fn rotation() -> impl Strategy<Value = Rotation> {
    prop_oneof![Just(Rotation::Even), Just(Rotation::ByPriority { floor: 0.1 })]
}

/// Both of them, and what is known about what was done.
struct Both {
    memory: MemoryFrontier,
    disk: Option<DiskFrontier>,
    folder: tempfile::TempDir,
    rotation: Rotation,
    now: Time,
    urls: u32,
    leases: Vec<crate::LeaseId>,
    lanes: Vec<LaneSettings>,
}

impl Both {
    fn new(rotation: Rotation) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let disk = Some(DiskFrontier::open(folder.path(), TINY, rotation).unwrap());
        let memory = MemoryFrontier::new(rotation);
        let lanes = (0..LANES).map(|lane| settings(LaneId(lane), 0, 40)).collect();
        let mut both = Self { memory, disk, folder, rotation, now: Time(0), urls: 0, leases: Vec::new(), lanes };
        (0..LANES).map(LaneId).for_each(|lane| both.memory.set_lane(lane, settings(lane, 0, 40)));
        both.say_lanes();
        both
    }

    /// What is not on disk is said again by whoever decides about the order.
    fn say_lanes(&mut self) {
        for (lane, settings) in (0..).map(LaneId).zip(self.lanes.clone()) {
            self.disk().set_lane(lane, settings);
        }
    }

    fn disk(&mut self) -> &mut DiskFrontier {
        self.disk.as_mut().unwrap()
    }

    fn reopen(&mut self) {
        self.disk().commit().unwrap();
        self.disk = None;
        self.disk = Some(DiskFrontier::open(self.folder.path(), TINY, self.rotation).unwrap());
        self.say_lanes();
    }

    fn take(&mut self, queue: QueueId, pick: Pick) -> bool {
        let now = self.now;
        let taken = self.memory.take(queue, pick, Span(30), now).unwrap();
        assert_eq!(self.disk().take(queue, pick, Span(30), now).unwrap(), taken);
        self.leases.extend(taken.map(|leased| leased.lease));
        taken.is_some()
    }

    fn settle(&mut self, lease: usize, how: Disposition) {
        if self.leases.is_empty() {
            return;
        }
        let (lease, now) = (self.leases.swap_remove(lease % self.leases.len()), self.now);
        let settled = self.memory.settle(lease, how, now).is_ok();
        assert_eq!(self.disk().settle(lease, how, now).is_ok(), settled);
    }

    /// One of those that are known, or a new one.
    fn any_url(&mut self, url: usize) -> UrlId {
        let key = UrlId((url % (self.urls as usize + 4)).min(self.urls as usize) as u32);
        self.urls = self.urls.max(key.0 + 1);
        self.memory.set_text(key, &key.0.to_string());
        key
    }

    /// As many as may be out, as a service does.
    fn take_several(&mut self, queue: QueueId, out: u32) {
        let now = self.now;
        while self.memory.counts(queue).out < u64::from(out) && self.take(queue, Pick::Best) {}
        self.memory.pause(queue, now);
        self.disk().pause(queue, now);
    }

    /// What each URL does, and what each queue has.
    fn compare(&mut self) {
        let disk = self.disk.as_ref().unwrap();
        for key in (0..self.urls).map(UrlId) {
            assert_eq!(disk.state(key).unwrap(), self.memory.state(key).unwrap(), "{key:?}");
            assert_eq!(disk.lease_of(key), self.memory.lease_of(key));
        }
        for queue in (0..QUEUES).map(QueueId) {
            assert_eq!(disk.counts(queue), self.memory.counts(queue));
            assert_eq!(disk.lanes(queue), self.memory.lanes(queue), "those in which something waits");
            let all = self.memory.list(queue, UrlId(0), usize::MAX);
            assert_eq!(disk.list(queue, UrlId(0), usize::MAX), all);
            let (first, rest) = all.split_at(all.len() / 2);
            let from = first.last().map_or(UrlId(0), |last| UrlId(last.0 + 1));
            assert_eq!(disk.list(queue, UrlId(0), first.len()), first);
            assert_eq!(disk.list(queue, from, usize::MAX), rest, "a page goes on where the last one ended");
        }
        assert_eq!(disk.deferred(), self.memory.deferred());
    }

    fn due(&mut self) -> Due {
        let now = self.now;
        let due = self.memory.due_queue(now);
        assert_eq!(self.disk().due_queue(now), due);
        due
    }

    fn act(&mut self, act: &Act) {
        let now = self.now;
        match *act {
            Act::Offer(queue, url, placement) => {
                let key = self.any_url(url);
                assert_eq!(self.disk().number(&key.0.to_string()).unwrap(), key);
                let offered = self.memory.offer(QueueId(queue), key, placement, now).unwrap();
                assert_eq!(self.disk().offer(QueueId(queue), key, placement, now).unwrap(), offered);
                assert!(offered == Offered::Known || self.disk().knows(key));
            }
            Act::Place(url, placement) => {
                let key = UrlId((url % (self.urls as usize + 1)) as u32);
                let placed = self.memory.place(key, placement).unwrap();
                assert_eq!(self.disk().place(key, placement).unwrap(), placed);
            }
            Act::Put(queue, url, placement, span) => {
                let key = self.any_url(url);
                self.disk().number(&key.0.to_string()).unwrap();
                let from = now + Span(span);
                let put = self.memory.put(QueueId(queue), key, placement, from, now).unwrap();
                assert_eq!(self.disk().put(QueueId(queue), key, placement, from, now).unwrap(), put);
            }
            Act::Remove(url) => {
                let key = UrlId((url % (self.urls as usize + 1)) as u32);
                let removed = self.memory.remove(key).unwrap();
                assert_eq!(self.disk().remove(key).unwrap(), removed);
                // It gets its number again, whatever else has come: the model goes by numbers.
                self.disk().free_removed().unwrap();
                if removed {
                    assert_eq!(self.disk().number(&key.0.to_string()).unwrap(), key);
                }
            }
            Act::Block(queue, span) => {
                self.memory.block(QueueId(queue), now + Span(span));
                self.disk().block(QueueId(queue), now + Span(span));
            }
            Act::Limit(queue, limit) => {
                self.memory.set_done_limit(QueueId(queue), limit);
                self.disk().set_done_limit(QueueId(queue), limit);
            }
            Act::TakeMany(queues, out) => {
                let due = self.memory.due_queues(queues, out, now);
                assert_eq!(self.disk().due_queues(queues, out, now), due);
                for queue in due {
                    self.take_several(queue, out);
                }
            }
            Act::TakeNamed(queue, out) => {
                let queue = QueueId(queue);
                let is_due = self.memory.is_due(queue, out, now);
                assert_eq!(self.disk().is_due(queue, out, now), is_due);
                if is_due {
                    self.take_several(queue, out);
                }
            }
            Act::SetLane(lane, value, period) => {
                let settings = settings(lane, value, period);
                self.lanes[lane.0 as usize] = settings;
                self.memory.set_lane(lane, settings);
                self.disk().set_lane(lane, settings);
            }
            Act::SetPace(queue, pace) => {
                self.memory.set_pace(QueueId(queue), pace);
                self.disk().set_pace(QueueId(queue), pace);
            }
            Act::Hold(queue, span) => {
                self.memory.hold(QueueId(queue), now + Span(span));
                self.disk().hold(QueueId(queue), now + Span(span));
            }
            Act::TakeDue => {
                if let Due::Queue(queue) = self.due() {
                    self.take(queue, Pick::Best);
                }
            }
            Act::Take(queue, pick) => drop(self.take(QueueId(queue), pick)),
            Act::Settle(lease, how) => self.settle(lease, how),
            Act::Retry(lease, span) => self.settle(lease, Disposition::At(now + Span(span))),
            Act::Wait(span) => self.now = now + Span(span),
            Act::Commit => self.disk().commit().unwrap(),
            Act::Reopen => {
                self.reopen();
                self.compare();
            }
            Act::Release => {
                self.memory.release_leases();
                self.disk().release_leases();
            }
        }
        let counts =
            |frontier: &dyn Fn(QueueId) -> u64| (0..QUEUES).map(|id| frontier(QueueId(id))).collect::<Vec<_>>();
        let disk = self.disk.as_ref().unwrap();
        assert_eq!(disk.waiting(), self.memory.waiting());
        assert_eq!(disk.queues(), self.memory.queues());
        assert_eq!(counts(&|id| disk.waiting_in(id)), counts(&|id| self.memory.waiting_in(id)));
    }

    /// Takes everything, in whatever time it needs.
    fn drain(&mut self) {
        self.compare();
        for queue in (0..QUEUES).map(QueueId) {
            self.memory.set_done_limit(queue, None);
            self.disk().set_done_limit(queue, None);
        }
        loop {
            match self.due() {
                Due::Queue(queue) => {
                    if self.take(queue, Pick::Best) {
                        self.settle(self.leases.len() - 1, Disposition::Done);
                    }
                }
                Due::At(time) => self.now = time,
                Due::Empty => break,
            }
        }
        assert_eq!((self.disk().waiting(), self.memory.waiting()), (0, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn ours_disk_and_memory_give_the_same_answers(
        rotation in rotation(),
        acts in prop::collection::vec(act(), 1..250),
    ) {
        let mut both = Both::new(rotation);
        for act in &acts {
            both.act(act);
        }
        both.drain();
    }
}
