//! How many visits can a URL expect, by all that is known of it?

use trodden_frontier::UrlId;
use trodden_mining::{SLICES, Slices};

use super::kinds::Like;
use super::shares::Links;
use super::{Blend, Facts};

/// A kind that nobody reads may be one that the log does not see: what it then has counts for this much.
const NEVER_READ: f64 = 0.25;
/// A kind is hardly read that has this part of what its links say.
const HARDLY_READ: f64 = 0.1;
/// Readers in parts of the average: fewer are not told apart.
const FEW_READERS: f64 = 0.05;

impl Blend {
    pub(super) fn visits(&self, key: UrlId) -> Option<&Slices> {
        self.past.visits(key).filter(|_| self.uses.own && !self.facts(key).is_reused)
    }

    /// x, and by the first part alone.
    pub(super) fn links(&self, facts: &Facts) -> (Links, Links) {
        let links = f64::from(facts.links).ln_1p();
        let unit = self.state.fit.readers;
        let readers =
            |readers: f32| if self.uses.readers { (FEW_READERS + f64::from(readers) / unit).ln() } else { 0.0 };
        ([links, readers(facts.readers)], [links, readers(facts.first_readers)])
    }

    /// The mean of visited URLs of a kind, a slice.
    pub(super) fn mean(&self, kind: u32) -> f64 {
        let outlook = self.kinds.outlook(kind);
        if self.uses.kinds { outlook.expect.mean } else { outlook.forecast.mean }
    }

    /// Visits a slice that a URL with visits can expect.
    pub(super) fn of_visited(&self, facts: &Facts, slices: &Slices) -> f64 {
        let outlook = self.kinds.outlook(facts.kind);
        let expected = outlook.forecast.of_visited(slices, self.mean(facts.kind));
        if self.uses.links {
            self.state.fit.returning.value(expected, &self.links(facts).0)
        } else {
            expected * outlook.forecast.kept
        }
    }

    /// Visits a slice that a URL without visits can expect, beyond what its kind gives for a unit of weight.
    pub(super) fn beyond_kind(&self, facts: &Facts) -> f64 {
        let fit = &self.state.fit;
        let links = self.links(facts).0;
        let share = fit.novel.weight(&links);
        if !self.uses.unseen {
            return share;
        }
        let like = self.like_others(facts);
        // What its kind has of what its links say, against a tenth of that.
        let unread = 1.0 / (1.0 + (like.has / HARDLY_READ).powi(2));
        let missed = self.state.kinds.beside(facts.kind) * unread * fit.unseen.of(like.as_branch);
        let never = NEVER_READ * (1.0 - like.alive) * fit.unseen.of(like.as_kind);
        let unseen = like.alive * fit.unseen_of_kind.of(like.of_kind) + never.max(missed);
        share + unseen / SLICES as f64 / self.state.kinds.hope(&self.kinds, facts.kind)
    }

    pub(super) fn like_others(&self, facts: &Facts) -> Like {
        let links = self.links(facts).0;
        let (weight, kind_weight) = (self.state.fit.all.weight(&links), self.state.fit.kind.weight(&links));
        self.state.kinds.like_others(&self.kinds, facts.kind, weight, kind_weight)
    }

    /// Visits a slice that a URL can expect.
    pub(super) fn value(&self, key: UrlId, facts: &Facts) -> f64 {
        match self.visits(key) {
            Some(slices) => self.of_visited(facts, slices),
            None => self.state.kinds.hope(&self.kinds, facts.kind) * self.beyond_kind(facts),
        }
    }
}
