//! How many visits can a URL expect, by all that is known of it?

use trodden_frontier::UrlId;
use trodden_mining::{SLICES, Slices};

use super::{Blend, Facts};
use trodden_mining::expected::{KindLevel, LinkEvidence, VisitEvidence};

/// Readers in parts of the average: fewer are not told apart.
const FEW_READERS: f64 = 0.05;

impl Blend {
    /// What the log has of a URL.
    pub(super) fn visits(&self, key: UrlId) -> Option<&Slices> {
        self.past.visits(key).filter(|_| !self.facts(key).is_reused)
    }

    /// The same, as far as a URL's own visits count.
    pub(super) fn own(&self, key: UrlId) -> Option<&Slices> {
        self.visits(key).filter(|_| self.uses.own)
    }

    /// x.
    pub(super) fn links(&self, facts: &Facts) -> LinkEvidence {
        let readers = f64::from(facts.readers) / self.state.fit.readers;
        [f64::from(facts.links).ln_1p(), if self.uses.readers { (FEW_READERS + readers).ln() } else { 0.0 }]
    }

    /// Finds out what unread URLs of each kind have to which no link leads.
    pub(super) fn set_bare(&mut self) {
        let links = self.links(&Facts::default());
        let of = |(kind, level): (u32, &KindLevel)| {
            let discount = self.kinds.outlook(kind).forecast.discount;
            level.of_unread(&self.state.fit.taste, &links, VisitEvidence::of(&[0; SLICES], discount).slices)
        };
        self.state.fit.bare = (0..).zip(&self.state.fit.levels).map(of).collect();
    }

    /// Visits a slice that a URL can expect, as its kind was at the last fit.
    pub(super) fn at_fit(&self, key: UrlId, facts: &Facts) -> f64 {
        let (taste, level) = (&self.state.fit.taste, &self.state.fit.levels[facts.kind as usize]);
        let (links, discount) = (self.links(facts), self.kinds.outlook(facts.kind).forecast.discount);
        match self.own(key) {
            Some(slices) => level.of_read(taste, &links, VisitEvidence::of(slices, discount)),
            None => level.of_unread(taste, &links, VisitEvidence::of(&[0; SLICES], discount).slices),
        }
    }

    /// What is left for each unread URL of a kind since the last fit.
    pub(super) fn shared(&self, kind: u32) -> f64 {
        self.state.fit.levels[kind as usize].shared(self.state.kinds.unread(kind))
    }

    /// Visits a slice that a URL can expect.
    pub(super) fn value(&self, key: UrlId, facts: &Facts) -> f64 {
        let at_fit = self.at_fit(key, facts);
        if self.own(key).is_some() { at_fit } else { at_fit * self.shared(facts.kind) }
    }

    /// The share of visits to come that may go where the crawl has not seen anything yet.
    pub(super) fn out_of_sight(&self) -> f64 {
        let all = self.past.total() / SLICES as f64;
        let unseen = if all > 0.0 { (1.0 - self.state.in_sight / all).max(0.0) } else { 1.0 };
        unseen + (1.0 - unseen) * self.state.fit.novelty
    }
}
