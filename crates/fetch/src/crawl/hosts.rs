//! What is known of hosts: what their robots.txt says, how fast each may be asked, where it is, and when that address is
//! free again.
//!
//! A crawl of the web meets more hosts than there is room for, so only those that were asked of late are here ([`Recent`]).
//! Of the others
//! - robots.txt is on disk, and read again when its origin is asked again: with it comes the delay that it asks for;
//! - how fast answers were, and which address it was, is learnt anew as of a host that is new. Tens of thousands of others were
//!   asked in between: whoever was to be left alone was, for longer than any delay lasts.
//!
//! Addresses that are free need not be known as such.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::time::Duration;

use rustc_hash::FxHashMap;
use trodden_frontier::{Frontier, Pace, QueueId, Span, Time};
use trodden_urls::Origin;

use super::notes::{ROBOTS, Robots};
use super::permission::Unaskable;
use super::{Crawl, Error};
use crate::client::Exchange;
use crate::polite::{Pacer, Weather};
use crate::recent::Recent;
use crate::robots::Verdict;

/// Hosts of one generation.
const HOSTS: usize = 1 << 16;
/// Bytes of robots.txt, as they are in memory, of one generation.
const ROBOTS_BYTES: usize = 32 << 20;
/// What an origin takes beside its rules.
const ORIGIN_BYTES: usize = 256;
/// Addresses that are looked through at least before those that are free go.
const ADDRESSES: usize = 1 << 12;

/// What is known of hosts.
pub(super) struct Hosts {
    pub(super) robots: Recent<Origin, Robots>,
    /// Origins that cannot be asked.
    pub(super) unaskable: Recent<Origin, Unaskable>,
    pub(super) asked: Recent<QueueId, Host>,
    free: FxHashMap<IpAddr, Time>,
    /// How many addresses there are when those that are free go.
    crowd: usize,
    /// Queues that have a pace: those below.
    paced: u32,
    weather: Weather,
    /// Requests under way to hosts that were not known to be prompt.
    unproven: usize,
    /// Hosts that were passed over for lack of a place, in the order of their turns.
    passed_over: VecDeque<QueueId>,
}

/// A host is prompt that answered within this time when it was last asked.
const PROMPT: Duration = Duration::from_secs(5);
/// One in so many places is for hosts that are prompt: others may drip for as long as a request may take.
const PROMPT_PLACES: usize = 4;
/// After this time it is looked again for a host that is prompt.
pub(super) const PLACE_SOON: Span = super::budget::SOON;
/// How long a host that is not prompt waits for a place at most, should nobody bring it back.
const PLACE_AT_LAST: Span = Span::seconds(10);

/// A host that was asked.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Host {
    pub(super) pacer: Pacer,
    address: Option<IpAddr>,
    is_prompt: bool,
}

impl Default for Hosts {
    fn default() -> Self {
        Self::with_room(HOSTS, ROBOTS_BYTES, ADDRESSES)
    }
}

impl Hosts {
    /// Of so many hosts, bytes and addresses.
    pub(super) fn with_room(hosts: usize, robots_bytes: usize, addresses: usize) -> Self {
        Self {
            robots: Recent::new(robots_bytes, |robots| ORIGIN_BYTES + robots.access.bytes()),
            unaskable: Recent::new(hosts, |_| 1),
            asked: Recent::new(hosts, |_| 1),
            free: FxHashMap::default(),
            crowd: addresses,
            paced: 0,
            weather: Weather::default(),
            unproven: 0,
            passed_over: VecDeque::new(),
        }
    }

    fn host(&mut self, queue: QueueId) -> &mut Host {
        if self.asked.get(&queue).is_none() {
            self.asked.keep(queue, Host::default());
        }
        self.asked.get(&queue).expect("it was kept just now")
    }

    fn is_prompt(&self, queue: QueueId) -> bool {
        self.asked.peek(&queue).is_some_and(|host| host.is_prompt)
    }

    /// Takes the address of a host until then; if it is not free, when it will be. What is not known cannot be taken.
    pub(super) fn occupy_of(&mut self, queue: QueueId, until: Time, now: Time) -> Option<Time> {
        let address = self.asked.get(&queue)?.address?;
        let taken = self.free.get(&address).copied().filter(|free| *free > now);
        if taken.is_none() {
            self.occupy(address, until, now);
        }
        taken
    }

    /// An address is asked, or has answered: it is left alone until then.
    fn occupy(&mut self, address: IpAddr, until: Time, now: Time) {
        self.free.insert(address, until);
        if self.free.len() > self.crowd {
            self.free.retain(|_, free| *free > now);
            // What is left is in use; looking through it again must be worth it.
            self.crowd = self.crowd.max(2 * self.free.len());
        }
    }

    #[cfg(test)]
    pub(super) fn sizes(&self) -> [usize; 3] {
        [self.robots.len(), self.asked.len(), self.free.len()]
    }
}

impl Crawl {
    pub(super) fn pacer(&mut self, queue: QueueId) -> &mut Pacer {
        &mut self.hosts.host(queue).pacer
    }

    /// A host answered after this time: it is compared with others.
    pub(super) fn answered(&mut self, queue: QueueId, took: Span) {
        let is_usual = self.hosts.weather.is_usual(queue, took);
        self.hosts.weather.answered(queue, took);
        let pacer = self.pacer(queue);
        let took = if is_usual { pacer.usual(took) } else { took };
        pacer.answered(took);
    }

    /// What is known of the robots.txt of an origin, fresh or not.
    pub(super) fn robots_of(&mut self, origin: &Origin) -> Result<Option<&Robots>, Error> {
        if self.hosts.robots.get(origin).is_none()
            && let Some(known) = self.session.records().driver_note(ROBOTS, origin.to_string().as_bytes())?
        {
            self.hosts.robots.keep(origin.clone(), known);
        }
        Ok(self.hosts.robots.get(origin).map(|robots| &*robots))
    }

    /// What is known of whether a path may be asked for, none if robots.txt must be asked for first; the delay that it asks for
    /// holds.
    pub(super) fn verdict(
        &mut self,
        queue: QueueId,
        origin: &Origin,
        path: &str,
        now: Time,
    ) -> Result<Option<Verdict>, Error> {
        if self.unaskable(origin, now).is_some() {
            return Ok(Some(Verdict::Disallowed));
        }
        let Some(robots) = self.robots_of(origin)?.filter(|robots| robots.is_fresh(now)) else { return Ok(None) };
        let (verdict, delay) = (robots.access.verdict(path), robots.access.crawl_delay());
        let longest = self.settings.longest_crawl_delay();
        self.pacer(queue).asked(delay, longest);
        Ok(Some(verdict))
    }

    /// Whether the host whose turn it is must wait for a place: some of them are for hosts that are prompt. It is passed over until one of the others
    /// is free; who was passed over first gets it.
    pub(super) fn passes_over(&mut self) -> bool {
        let (places, now) = (self.settings.at_once, self.now());
        if self.hosts.unproven < places - places / PROMPT_PLACES {
            // With nobody under way, nobody comes back to make room for the next.
            let most = if self.tally.under_way == 0 { usize::MAX } else { 1 };
            for _ in 0..most {
                let Some(queue) = self.hosts.passed_over.pop_front() else { break };
                self.session.bring_back(queue);
            }
            return false;
        }
        let Some(queue) = self.session.due_queue(now) else { return false };
        let must_wait = !self.hosts.is_prompt(queue);
        if must_wait {
            self.session.set_aside(queue, now + PLACE_AT_LAST);
            self.hosts.passed_over.push_back(queue);
        }
        must_wait
    }

    /// A host is asked that may not be prompt; whether it is.
    pub(super) fn takes_place(&mut self, queue: QueueId) -> bool {
        let is_prompt = self.hosts.is_prompt(queue);
        self.hosts.unproven += usize::from(!is_prompt);
        is_prompt
    }

    /// A request is back.
    pub(super) fn leaves_place(&mut self, was_prompt: bool) {
        self.hosts.unproven = self.hosts.unproven.saturating_sub(usize::from(!was_prompt));
    }

    /// A host answered, or did not: its address is known, and left alone for a while; and it is known whether it is prompt.
    pub(super) fn learn_address(&mut self, queue: QueueId, exchange: &Exchange, now: Time) {
        self.hosts.host(queue).is_prompt = exchange.answer.is_ok() && exchange.took.whole <= PROMPT;
        if let Some(address) = exchange.address {
            self.hosts.host(queue).address = Some(address);
            let until = now + Span(self.settings.address_delay_ms);
            self.hosts.occupy(address, until, now);
        }
    }

    /// A host was asked: it is left alone for as long as its pacer says.
    pub(super) fn charge_delay(&mut self, queue: QueueId) {
        let wanted = self.settings.delay();
        let delay = self.pacer(queue).delay(wanted);
        self.set_delay(queue, delay);
    }

    /// The time from what is settled next to the next request.
    pub(super) fn set_delay(&mut self, queue: QueueId, delay: Span) {
        let left = self.pages_left_of(queue).map_or(u32::MAX, |left| u32::try_from(left).unwrap_or(u32::MAX));
        // One that has nothing left is held when its turn comes.
        let pace = Pace { delay, at_once: self.settings.at_once_per_host.min(left.max(1)) };
        self.session.set_pace(queue, pace);
    }

    /// Queues that are new get their pace.
    pub(super) fn pace_new_queues(&mut self) {
        let queues = self.session.frontier().queues();
        for queue in self.hosts.paced..queues {
            self.set_delay(QueueId(queue), self.settings.delay());
        }
        self.hosts.paced = queues;
        self.tally.hosts = u64::from(queues);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_addresses_that_are_free_are_forgotten_and_others_are_not() {
        let mut hosts = Hosts::with_room(8, 8, 16);
        for n in 0..1_000 {
            let address = IpAddr::from([127, 0, (n / 256) as u8, (n % 256) as u8]);
            let queue = QueueId(n);
            hosts.host(queue).address = Some(address);
            hosts.occupy(address, Time(u64::from(n) + 10), Time(u64::from(n)));
            let until = Time(u64::from(n) + 20);
            assert_eq!(hosts.occupy_of(queue, until, Time(u64::from(n))), Some(Time(u64::from(n) + 10)));
            assert!(hosts.free.len() <= 32 && hosts.asked.len() <= 16, "{:?}", hosts.sizes());
        }
        assert_eq!(hosts.occupy_of(QueueId(999), Time(1_020), Time(1_009)), None);
        assert_eq!(
            hosts.occupy_of(QueueId(999), Time(1_021), Time(1_010)),
            Some(Time(1_020)),
            "two at once are one too many"
        );
    }
}
