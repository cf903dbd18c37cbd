//! A crawl: next → fetch → settle.
//!
//! The engine asks the frontier which queue is due, takes its best URL, and hands it out as a [`Task`]. Whoever fetched it
//! settles it, with the links that were found: the policy learns from the page, new links are placed and offered, and what
//! the policy wants moved is moved. Everything that happens is told to the [`EventLog`], in order; all that is measured
//! later is measured from that.

mod buffer;
mod by_url;
mod events;
mod lanes;
mod limits;
mod resume;
mod swap;
mod task;

use trodden_frontier::{
    Disposition, Due, Error, Frontier, LaneId, LaneSettings, Leased, Offered, Pick, Placement, Priority, QueueId, Span,
    Time, UrlId,
};

use crate::outcome::{Found, Known, Outcome};
use crate::policy::{Again, Moves, OrderingPolicy};
use buffer::Buffer;
pub use by_url::Updated;
pub use events::{Event, EventLog};
use lanes::{LISTS, Lanes};
pub use limits::{Budget, Limits};
use swap::Old;
pub use swap::SwapWork;
pub use task::{ListTurn, Next, Task};

/// Lanes that are looked into for something to explore: what waits there may not be due.
const MAX_LOOKS: usize = 64;

/// Of so many hand-outs of a queue, one may be a list of URLs that waits among pages: lists tell what there is, and must not keep pages
/// from being fetched.
const PAGES_PER_LIST: u64 = 16;

/// Before all pages.
const FIRST: Priority = Priority { tier: u8::MAX, value: 0.0 };

/// A URL that was taken, and the lane if it was to learn.
type Taken = (Leased, Option<LaneId>);

/// A crawl.
pub struct Engine<F: Frontier, L> {
    frontier: F,
    policy: Box<dyn OrderingPolicy>,
    limits: Limits,
    log: L,
    buffer: Option<Buffer>,
    lanes: Lanes,
    moves: Moves,
    /// What was placed by a policy that went.
    old: Old,
    /// What a swap did and was not asked for since.
    work: SwapWork,
    handed_out: u64,
}

impl<F: Frontier, L: EventLog> Engine<F, L> {
    /// An engine over an empty frontier.
    pub fn new(mut frontier: F, policy: Box<dyn OrderingPolicy>, limits: Limits, log: L) -> Self {
        frontier.set_lane(LISTS, LaneSettings::arrival(Priority::LAST));
        Self {
            frontier,
            policy,
            limits,
            log,
            buffer: limits.buffer.map(Buffer::new),
            lanes: Lanes::default(),
            moves: Moves::default(),
            old: Old::default(),
            work: SwapWork::default(),
            handed_out: 0,
        }
    }

    /// Offers a URL to start from.
    ///
    /// # Errors
    /// If the frontier cannot store it.
    pub fn seed(&mut self, queue: QueueId, key: UrlId, url: &str, now: Time) -> Result<Offered, Error> {
        if self.frontier.knows(key) {
            return Ok(Offered::Known);
        }
        self.log.record(Event::Seeded { key, at: now });
        self.offer(queue, &Known::seed(key, url), now)
    }

    /// Offers a URL that is no page but leads to some, a sitemap say: it goes before all pages, or takes turns with them (one with
    /// every sixteen hand-outs of its queue). No policy is asked.
    ///
    /// # Errors
    /// If the frontier cannot store it.
    pub fn offer_list(&mut self, queue: QueueId, key: UrlId, turn: ListTurn, now: Time) -> Result<Offered, Error> {
        let placement = match turn {
            ListTurn::First => Placement::Exact(FIRST),
            ListTurn::WithPages => Placement::Lane(LISTS),
        };
        self.frontier.offer(queue, key, placement, now)
    }

    /// What to do next.
    ///
    /// # Errors
    /// If the frontier fails.
    pub fn next(&mut self, now: Time) -> Result<Next, Error> {
        if let Budget::Pages(pages) = self.limits.budget
            && self.handed_out >= pages
        {
            return Ok(Next::Spent);
        }
        loop {
            match self.frontier.due_queue(now) {
                Due::Queue(queue) => {
                    if let Some(task) = self.hand_out(queue, self.limits.lease, now)? {
                        return Ok(Next::Fetch(task));
                    }
                }
                Due::At(time) => return Ok(Next::Wait(time)),
                Due::Empty => return Ok(Next::Drained),
            }
        }
    }

    /// Says what came of a task: its outcome, and the links that were found. Which of them are new is filled in.
    ///
    /// # Errors
    /// If the lease has run out, or the frontier fails.
    pub fn settle(
        &mut self,
        task: &Task,
        url: &str,
        outcome: &Outcome<'_>,
        found: &mut [Found<'_>],
        now: Time,
    ) -> Result<(), Error> {
        if !self.frontier.is_out(task.lease) {
            return Err(Error::NoSuchLease(task.lease));
        }
        let (kind, change, bytes) = (outcome.kind, outcome.change, outcome.bytes);
        self.log.record(Event::Fetched { key: task.key, at: now, kind, change, bytes });
        for link in found.iter_mut() {
            link.is_new = !self.frontier.knows(link.key);
        }
        let known = Known { key: task.key, url, from: None, anchor: "" };
        self.policy.settled(&known, outcome, found, &mut self.moves, now);
        let disposition = self.disposition(&known, outcome, now);
        self.frontier.settle(task.lease, disposition, now)?;
        for link in found.iter().filter(|link| link.is_new) {
            self.log.record(Event::Discovered { key: link.key, from: task.key, at: now });
            let known = Known { key: link.key, url: link.url, from: Some(task.key), anchor: link.anchor };
            self.offer(link.queue, &known, now)?;
        }
        self.act(now)?;
        if let Some(buffer) = &mut self.buffer
            && outcome.is_page()
            && let Some(evicted) = buffer.keep(task.key, |key| self.policy.estimate(key))
        {
            self.log.record(Event::Evicted { key: evicted, at: now });
        }
        Ok(())
    }

    /// What becomes of a URL that was settled, by the policy's word.
    fn disposition(&mut self, known: &Known<'_>, outcome: &Outcome<'_>, now: Time) -> Disposition {
        match self.policy.again(known, outcome, now) {
            Again::Never => Disposition::Done,
            Again::At(time) => Disposition::At(time),
            Again::Into(lane) => {
                self.name_lane(lane, now);
                Disposition::Into(self.lanes.outer_lane(lane))
            }
        }
    }

    /// Says that a task could not be done now: its URL waits again, where it was, but not before a time. It has cost
    /// nothing. Whether it waits in a lane of a policy that went: it is placed anew.
    ///
    /// # Errors
    /// If the lease has run out, or the frontier fails.
    pub fn defer(&mut self, task: &Task, until: Time, now: Time) -> Result<bool, Error> {
        self.handed_out = self.handed_out.saturating_sub(1);
        self.frontier.settle(task.lease, Disposition::At(until), now)?;
        let is_old = self.frontier.lane_of(task.key).is_some_and(|lane| lane.0 < self.lanes.base());
        if is_old {
            self.old.defer(task.key);
        }
        Ok(is_old)
    }

    /// Says that a task will never be done: nobody may ask for its URL. It has cost nothing, and nothing is learnt.
    ///
    /// # Errors
    /// If the lease has run out, or the frontier fails.
    pub fn refuse(&mut self, task: &Task, now: Time) -> Result<(), Error> {
        self.handed_out = self.handed_out.saturating_sub(1);
        self.frontier.settle(task.lease, Disposition::Done, now)?;
        self.log.record(Event::Refused { key: task.key, at: now });
        Ok(())
    }

    /// Moves what the policy wants moved, and tells lanes what they are worth by now.
    fn act(&mut self, now: Time) -> Result<(), Error> {
        let mut moves = std::mem::take(&mut self.moves);
        for (key, placement) in moves.drain() {
            if let Placement::Lane(lane) = placement {
                self.name_lane(lane, now);
            }
            self.frontier.place(key, self.lanes.outer(placement))?;
        }
        self.moves = moves;
        self.reprice(now);
        Ok(())
    }

    /// Tells the frontier what lanes are worth by now. Cost: the lanes that changed, whatever the number of queues.
    fn reprice(&mut self, now: Time) {
        for lane in self.policy.repriced() {
            // One that no URL ever went into is told when the first does.
            if !self.lanes.is_new(lane) {
                self.tell_price(lane, now);
            }
        }
    }

    /// Whether the policy needs the text of URLs; if not, they may be empty.
    pub fn reads_urls(&self) -> bool {
        self.policy.reads_urls()
    }

    /// Whether the policy needs the text of pages.
    pub fn reads_text(&self) -> bool {
        self.policy.reads_text()
    }

    /// Whether the policy needs the text of links.
    pub fn reads_anchors(&self) -> bool {
        self.policy.reads_anchors()
    }

    /// The policy, to be asked what it has learnt.
    pub fn policy(&self) -> &dyn OrderingPolicy {
        &*self.policy
    }

    /// The frontier.
    pub fn frontier(&self) -> &F {
        &self.frontier
    }

    /// The frontier, to be told what is no matter of order: how fast a queue may be asked, say.
    pub fn frontier_mut(&mut self) -> &mut F {
        &mut self.frontier
    }

    /// URLs handed out so far that cost something.
    pub fn handed_out(&self) -> u64 {
        self.handed_out
    }

    /// Whoever listens.
    pub fn log_mut(&mut self) -> &mut L {
        &mut self.log
    }

    /// What waits, for an engine that takes its place.
    pub fn into_frontier(self) -> F {
        self.frontier
    }

    /// What happened.
    pub fn into_log(self) -> L {
        self.log
    }

    fn offer(&mut self, queue: QueueId, known: &Known<'_>, now: Time) -> Result<Offered, Error> {
        let placement = self.policy.place(known, now);
        if let Placement::Lane(lane) = placement {
            self.name_lane(lane, now);
        }
        self.frontier.offer(queue, known.key, self.lanes.outer(placement), now)
    }

    /// Hands out a URL of a queue that is due.
    fn hand_out(&mut self, queue: QueueId, lease: Span, now: Time) -> Result<Option<Task>, Error> {
        if self.is_swapping() {
            self.place_some_anew(queue, now)?;
        }
        let Some((leased, explored)) = self.take(queue, lease, now)? else { return Ok(None) };
        self.handed_out += 1;
        self.lanes.hand_out(queue);
        Ok(Some(Task { lease: leased.lease, key: leased.key, queue, explored }))
    }

    /// The best of a queue, or now and then one that teaches more.
    fn take(&mut self, queue: QueueId, lease: Span, now: Time) -> Result<Option<Taken>, Error> {
        let hand_out = self.lanes.next_hand_out(queue);
        if hand_out.is_multiple_of(PAGES_PER_LIST)
            && let Some(list) = self.frontier.take(queue, Pick::Lane(LISTS), lease, now)?
        {
            return Ok(Some((list, None)));
        }
        if self.policy.explores(hand_out) {
            for lane in self.most_curious(queue) {
                if let Some(leased) = self.frontier.take(queue, Pick::Lane(self.lanes.outer_lane(lane)), lease, now)? {
                    self.policy.explored(lane);
                    self.log.record(Event::Explored { key: leased.key, at: now });
                    return Ok(Some((leased, Some(lane))));
                }
            }
        }
        let leased = self.frontier.take(queue, Pick::Best, lease, now)?;
        if let Some(leased) = &leased {
            self.old_handed_out(queue, leased.priority);
        }
        Ok(leased.map(|leased| (leased, None)))
    }

    /// The lanes of a queue in which something waits that one is most curious about, as the policy numbers them; of equals the lowest first.
    fn most_curious(&self, queue: QueueId) -> impl Iterator<Item = LaneId> + use<F, L> {
        let lanes = self.frontier.lanes(queue).into_iter().filter_map(|lane| self.lanes.inner_lane(lane));
        let mut curious: Vec<(Priority, LaneId)> =
            lanes.filter_map(|lane| Some((self.policy.curiosity(lane)?, lane))).collect();
        curious.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        curious.into_iter().take(MAX_LOOKS).map(|(_, lane)| lane)
    }

    /// A lane is about to be used: the frontier is told what it is worth, if it never was.
    fn name_lane(&mut self, lane: LaneId, now: Time) {
        if self.lanes.is_new(lane) {
            self.tell_price(lane, now);
        }
    }

    fn tell_price(&mut self, lane: LaneId, now: Time) {
        let priority = self.policy.lane_priority(lane, now);
        self.set_lane(lane, LaneSettings { priority, order: self.policy.lane_order(lane) });
    }

    fn set_lane(&mut self, lane: LaneId, settings: LaneSettings) {
        self.lanes.told(lane, settings);
        self.frontier.set_lane(self.lanes.outer_lane(lane), settings);
    }
}
