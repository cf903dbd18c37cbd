//! Where does a URL stand, by all that is known of it?

use trodden_frontier::{Placement, Priority, UrlId};

use super::composite::{Kind, Ratios};
use super::lanes::{self, Class};
use super::settings::Composite;
use super::tally::PARTS;
use super::{Collaborative, Note, TopicReasons};
use crate::chance;
use crate::policy::Moves;
use crate::policy::by_value::Fineness;

/// What nearness is worth may be off by so many nats before lanes get another price.
const PRICE_STEP: f64 = 0.125;
/// What chance may add to an exact value: less than any evidence.
const CHANCE: f64 = 1e-3;

/// Whether and where a URL of this note stands in the trace.
fn class_of(note: Note) -> Class {
    if !note.has(Note::READ) {
        Class::Unread
    } else if note.has(Note::NEAR) {
        Class::Near
    } else {
        Class::Far
    }
}

impl Collaborative {
    /// Whether and where a URL stands in the trace.
    pub(super) fn class(&self, url: UrlId) -> Class {
        class_of(self.state.notes.get(url))
    }

    /// Whether a URL was placed and not fetched.
    pub(super) fn waits(&self, url: UrlId) -> bool {
        let note = self.state.notes.get(url);
        note.has(Note::PLACED) && !note.has(Note::DONE)
    }

    /// All evidence for a URL.
    pub(super) fn ratios(&self, url: UrlId) -> Ratios {
        let mut ratios = self.ratios_apart_from_locality(url);
        ratios.set(Kind::Locality, self.nearness(self.class(url)));
        ratios
    }

    fn ratios_apart_from_locality(&self, url: UrlId) -> Ratios {
        let note = self.state.notes.get(url);
        let mut ratios = Ratios::default();
        if note.has(Note::READ) && (note.users != 0 || note.signatures != 0) {
            let by = match self.recipe.composite() {
                Composite::Product => PARTS,
                Composite::Learnt => PARTS * (self.reference.trace.places_of(url.0).len() as f64).max(1.0).sqrt(),
            };
            ratios.set(Kind::Users, f64::from(note.users) / by);
            ratios.set(Kind::Signatures, f64::from(note.signatures) / by);
        }
        if self.uses_links() {
            self.state.linked.ratios(url, self.state.totals.base(), &mut ratios);
        }
        ratios
    }

    /// Evidence joined, in nats.
    fn joined(&self, ratios: &Ratios) -> f64 {
        match self.recipe.composite() {
            Composite::Product => ratios.0.iter().sum(),
            Composite::Learnt => self.state.regression.score(ratios),
        }
    }

    /// What a URL is worth, in nats.
    pub(super) fn worth(&self, url: UrlId) -> f64 {
        self.joined(&self.ratios(url))
    }

    /// Where a URL belongs. What nearness is worth is in the price of its lane.
    pub(super) fn placement(&self, url: UrlId) -> Placement {
        let class = self.class(url);
        match self.fineness {
            Fineness::Levels => {
                let nats = self.joined(&self.ratios_apart_from_locality(url));
                Placement::Lane(lanes::lane(class, nats, url, self.seed))
            }
            Fineness::Exact => {
                let ratios = self.ratios(url);
                let chance = if class == Class::Unread { 0.0 } else { chance::unit(self.seed, u64::from(url.0)) };
                let nats = self.joined(&ratios);
                let nats = if self.state.sinks { nats } else { nats.max(0.0) };
                Placement::Exact(Priority::of(nats + CHANCE * chance))
            }
        }
    }

    /// Something about a URL changed: if it waits, it moves to where it belongs now.
    pub(super) fn touch(&mut self, url: UrlId, moves: &mut Moves) {
        if !self.waits(url) {
            return;
        }
        let placement = self.placement(url);
        if let Placement::Lane(lane) = placement {
            let note = self.state.notes.slot(url);
            if note.lane == lane.0 + 1 {
                return;
            }
            note.lane = lane.0 + 1;
        }
        moves.place(url, placement);
    }

    /// Prices of lanes follow what nearness is worth, and evidence against URLs counts from some page on.
    pub(super) fn set_prices(&mut self) {
        let sinks = self.state.totals.fetched >= self.settings.min_candidates;
        let is_new = sinks != self.state.sinks;
        self.state.sinks = sinks;
        for class in Class::ALL {
            let mut alone = Ratios::default();
            alone.set(Kind::Locality, self.nearness(class));
            let worth = self.joined(&alone);
            let offset = &mut self.state.offsets[class as usize];
            if is_new || (worth - *offset).abs() > PRICE_STEP {
                *offset = worth;
                self.state.repriced.extend(lanes::of_class(class));
            }
        }
    }

    /// What speaks for a URL, in counts.
    pub fn reasons(&self, url: UrlId) -> TopicReasons {
        let ratios = self.ratios(url);
        let (linked_from, linked_from_satisfying) = self.state.linked.linked_from(url);
        let mut reasons = TopicReasons {
            is_near: self.class(url) == Class::Near,
            linked_from,
            linked_from_satisfying,
            ratios: ratios.0.map(f64::exp),
            ratio: self.joined(&ratios).exp(),
            ..TopicReasons::default()
        };
        if self.class(url) != Class::Unread {
            for user in self.reference.trace.readers(url.0) {
                let given = self.state.readers[user as usize].given;
                let nats = i32::from(given.users) + i32::from(given.signatures);
                reasons.users += 1;
                reasons.users_for += u32::from(nats > 0);
                reasons.users_against += u32::from(nats < 0);
            }
        }
        reasons
    }
}
