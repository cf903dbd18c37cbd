//! As the crawl grows, what it knows is fitted again, and what waits is put where it belongs by that.

use trodden_frontier::UrlId;

use super::{Blend, Doing, Fit};
use crate::policy::Moves;
use trodden_mining::expected::{FitSample, FitTerms, fit};

/// URLs that a fit looks at.
const MAX_SAMPLE: usize = 1 << 16;

impl Blend {
    /// Fits to what is known, and puts everything that waits where it belongs by that.
    pub(super) fn refit(&mut self, moves: &mut Moves) {
        let known: Vec<UrlId> = self.state.known.iter().copied().filter(|key| self.facts(*key).is_counted()).collect();
        if known.is_empty() {
            return;
        }
        let readers: f64 = known.iter().map(|key| f64::from(self.facts(*key).readers)).sum();
        // By powers of two: it says what is little, and URLs need not move for less.
        self.state.fit.readers = (readers / known.len() as f64).log2().round().exp2().max(f64::MIN_POSITIVE);
        let step = known.len().div_ceil(MAX_SAMPLE);
        let samples: Vec<FitSample> = known.iter().step_by(step).map(|key| self.sample(*key)).collect();
        let asked = FitTerms { links: self.uses.links, missed: self.uses.unseen };
        let found = fit(&samples, &self.kinds.tree(), asked);
        let readers = self.state.fit.readers;
        let (taste, levels, novelty) = (found.taste, found.levels, found.novelty);
        self.state.fit = Fit { taste, levels, novelty, readers, bare: Vec::new() };
        self.set_bare();
        self.weigh(&known);
        self.repriced = self.state.lanes.all().collect();
        for key in known {
            let facts = self.facts(key);
            if facts.doing == Doing::Waits {
                let placement = self.lane(key, &facts);
                moves.place(key, placement);
            }
        }
    }

    fn sample(&self, key: UrlId) -> FitSample {
        let facts = self.facts(key);
        let discount = self.kinds.outlook(facts.kind).forecast.discount;
        FitSample::new(facts.kind, self.links(&facts), self.visits(key).copied().unwrap_or_default(), discount)
    }

    /// Weighs the unread URLs of each kind by what was fitted.
    fn weigh(&mut self, known: &[UrlId]) {
        self.state.kinds.clear();
        for key in known {
            let facts = self.facts(*key);
            self.state.kinds.add(facts.kind, self.unread_weight(*key, &facts));
        }
        for (kind, level) in (0..).zip(&mut self.state.fit.levels) {
            level.unread_weight = self.state.kinds.unread(kind);
        }
    }
}
