//! How does what is learnt reach the URLs that wait, at a bounded cost a page?
//!
//! After a page only its readers have other weights, and only what they read is touched, and what its parents link to. That may be a hundred thousand pages. So each
//! fetched page pays for at most [`STEPS`] steps; what is left waits its turn: short tasks first, so that one busy user
//! holds nobody up, then long ones, step by step.
//!
//! Weights of other users go stale meanwhile, since P(U) moves. Every time the crawl has grown by an [eighth](GROWTH) all are computed anew, in
//! three rounds with the steps that are left: signatures of all users, with their mean and deviation; weights of all users; words and tokens
//! of all URLs that wait. When the last has ended and nothing was fetched meanwhile, everything is as if it were computed from nothing.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use trodden_frontier::UrlId;

use super::Collaborative;
use super::readers::Weights;
use crate::policy::Moves;

/// Steps that a fetched page pays for. A step looks at one page of a user, one link, one user or one URL: some hundredths of a microsecond to a tenth.
pub(super) const STEPS: usize = 8_192;
/// A task of so many steps is short.
const SHORT: usize = 1_024;
/// All is computed anew when the crawl has grown by one in so many pages.
const GROWTH: u64 = 8;
/// And not before so many more pages: early on every page changes everything, and lazily is soon enough.
const LEAST_GROWTH: u64 = 64;

/// Something to be passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PassOn {
    /// The weights of a user, to what they read.
    Reader(u32),
    /// That siblings changed, to what a parent links to.
    Links(u32),
}

/// A long task under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct UnderWay {
    task: PassOn,
    next: u32,
    end: u32,
    /// What a user's pages get.
    users: i32,
    signatures: i32,
}

/// How far computing anew is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Round {
    #[default]
    None,
    Signatures {
        next: u32,
        readers: u32,
        sum: f64,
        squares: f64,
    },
    Weights {
        next: u32,
    },
    Urls {
        next: u32,
    },
}

/// What waits to be passed on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Spread {
    short: VecDeque<PassOn>,
    long: VecDeque<PassOn>,
    under_way: Option<UnderWay>,
    round: Round,
    /// Pages after which all is computed anew.
    anew_at: u64,
}

impl Collaborative {
    /// A user's weights may have changed.
    pub(super) fn reader_changed(&mut self, user: u32) {
        let reader = &mut self.state.readers[user as usize];
        if !std::mem::replace(&mut reader.is_waiting, true) {
            let is_short = self.reference.trace.span(user).len() <= SHORT;
            let spread = &mut self.state.spread;
            if is_short { &mut spread.short } else { &mut spread.long }.push_back(PassOn::Reader(user));
        }
    }

    /// The siblings of a parent's links changed.
    pub(super) fn links_changed(&mut self, place: u32) {
        let parent = &mut self.state.linked.all[place as usize];
        if !std::mem::replace(&mut parent.is_waiting, true) {
            self.state.spread.short.push_back(PassOn::Links(place));
        }
    }

    /// Passes on what was learnt, for so many steps; how many were taken.
    pub(super) fn pass_on(&mut self, steps: usize, moves: &mut Moves) -> usize {
        if self.state.totals.fetched >= self.state.spread.anew_at && self.state.spread.round == Round::None {
            let fetched = self.state.totals.fetched;
            self.state.spread.anew_at = fetched + (fetched / GROWTH).max(LEAST_GROWTH);
            self.begin_anew();
        }
        let mut taken = 0;
        while taken < steps {
            if let Some(task) = self.state.spread.short.pop_front() {
                let Some(mut under_way) = self.begin(task) else {
                    taken += 1;
                    continue;
                };
                taken += 1 + (under_way.end - under_way.next) as usize;
                self.go_on(&mut under_way, usize::MAX, moves);
            } else if let Some(mut under_way) = self.state.spread.under_way.take() {
                taken += self.go_on(&mut under_way, steps - taken, moves);
                self.state.spread.under_way = Some(under_way).filter(|under_way| under_way.next < under_way.end);
            } else if let Some(task) = self.state.spread.long.pop_front() {
                self.state.spread.under_way = self.begin(task);
                taken += 1;
            } else {
                match self.compute_anew(moves) {
                    0 => break,
                    some => taken += some,
                }
            }
        }
        taken
    }

    /// Computes everything anew, to the end.
    #[cfg(test)]
    pub(super) fn refresh(&mut self, moves: &mut Moves) {
        while self.pass_on(STEPS, moves) > 0 {}
        self.begin_anew();
        while self.pass_on(STEPS, moves) > 0 {}
    }

    fn begin_anew(&mut self) {
        self.state.spread.round = Round::Signatures { next: 0, readers: 0, sum: 0.0, squares: 0.0 };
    }

    /// A task with what it has to pass on; none if that is nothing.
    fn begin(&mut self, task: PassOn) -> Option<UnderWay> {
        match task {
            PassOn::Reader(user) => {
                let weights = self.weights(user);
                let reader = &mut self.state.readers[user as usize];
                reader.is_waiting = false;
                let (users, signatures) = weights.minus(reader.given);
                reader.given = weights;
                let span = self.reference.trace.span(user);
                let is_any = users != 0 || signatures != 0;
                is_any.then_some(UnderWay { task, next: span.start, end: span.end, users, signatures })
            }
            PassOn::Links(place) => {
                let parent = self.state.linked.all.get_mut(place as usize)?;
                parent.is_waiting = false;
                Some(UnderWay { task, next: 0, end: parent.links.len() as u32, users: 0, signatures: 0 })
            }
        }
    }

    fn weights(&self, user: u32) -> Weights {
        let state = &self.state;
        state.signatures.weights(&state.readers[user as usize], state.totals, &self.settings, self.uses())
    }

    /// Goes on with a task for so many steps; how many were taken.
    fn go_on(&mut self, under_way: &mut UnderWay, steps: usize, moves: &mut Moves) -> usize {
        let begin = under_way.next;
        let end = under_way.end.min(begin.saturating_add(u32::try_from(steps).unwrap_or(u32::MAX)));
        match under_way.task {
            PassOn::Reader(_) => {
                for place in begin..end {
                    let Some(access) = self.reference.trace.at(place).filter(|access| !access.is_again) else {
                        continue;
                    };
                    let note = self.state.notes.slot(UrlId(access.page));
                    note.users += under_way.users;
                    note.signatures += under_way.signatures;
                    self.touch(UrlId(access.page), moves);
                }
            }
            PassOn::Links(place) => {
                for at in begin..end {
                    let parent = self.state.linked.all.get(place as usize);
                    let Some(url) = parent.and_then(|parent| parent.links.get(at as usize)).copied() else { break };
                    self.touch(url, moves);
                }
            }
        }
        under_way.next = end;
        (end - begin) as usize
    }

    /// One step of computing anew; what it cost, 0 if nothing is left.
    fn compute_anew(&mut self, moves: &mut Moves) -> usize {
        let users = self.state.readers.len() as u32;
        match self.state.spread.round {
            Round::None => 0,
            Round::Signatures { next, mut readers, mut sum, mut squares } if next < users => {
                let reader = &self.state.readers[next as usize];
                let (signature, cost) = if self.uses().signatures && reader.tally.pages > 0 {
                    self.state.signatures.of(reader)
                } else {
                    (0.0, 1)
                };
                self.state.readers[next as usize].signature = signature;
                if signature > 0.0 {
                    (readers, sum, squares) = (readers + 1, sum + signature, squares + signature * signature);
                }
                self.state.spread.round = Round::Signatures { next: next + 1, readers, sum, squares };
                cost.max(1)
            }
            Round::Signatures { readers, sum, squares, .. } => {
                let count = f64::from(readers.max(1));
                self.state.signatures.mean = sum / count;
                self.state.signatures.deviation = (squares / count - (sum / count).powi(2)).max(0.0).sqrt();
                self.state.spread.round = Round::Weights { next: 0 };
                1
            }
            Round::Weights { next } if next < users => {
                self.state.spread.round = Round::Weights { next: next + 1 };
                if self.state.readers[next as usize].tally.pages > 0
                    && self.weights(next) != self.state.readers[next as usize].given
                {
                    self.reader_changed(next);
                }
                1
            }
            Round::Weights { .. } => {
                self.state.spread.round = Round::Urls { next: 0 };
                1
            }
            Round::Urls { next } if next < self.state.seen => {
                self.state.spread.round = Round::Urls { next: next + 1 };
                let url = UrlId(next);
                if !self.waits(url) {
                    return 1;
                }
                if self.uses_links() {
                    self.state.linked.look_again(url, self.state.totals, &self.settings);
                }
                self.touch(url, moves);
                8
            }
            Round::Urls { .. } => {
                self.state.spread.round = Round::None;
                1
            }
        }
    }
}
