//! What does a page lead to that the crawl has not seen?

use trodden_frontier::UrlId;
use trodden_mining::SLICES;

use super::{Blend, Doing};
use crate::policy::Moves;

impl Blend {
    /// Learns what the page fetched last led to, beyond what was foretold.
    pub(super) fn learn_lead(&mut self) {
        let Some((kind, foretold)) = self.state.leader.take() else { return };
        let led_to = (self.state.led_to.drain(..).sum::<f64>() - f64::from(foretold)).max(0.0);
        self.state.kinds.led(kind, led_to);
        self.check_price(kind);
    }

    /// What is behind a page that is not known: the value of URLs it led people to.
    pub(super) fn behind(&self, key: UrlId) -> f64 {
        let unknown = |to: &UrlId| self.facts(*to).doing == Doing::Unknown;
        self.past.led_to(key).filter(unknown).map(|to| self.hearsay(to)).sum()
    }

    /// The value of a URL that is known from the log alone.
    pub(super) fn hearsay(&self, key: UrlId) -> f64 {
        self.visits(key).map_or(0.0, |slices| f64::from(slices.iter().sum::<u32>()) / SLICES as f64)
    }

    /// A URL is known now: it is no longer behind any page.
    pub(super) fn comes_to_light(&mut self, key: UrlId, moves: &mut Moves) {
        let value = self.hearsay(key);
        if value == 0.0 {
            return;
        }
        let pages: Vec<UrlId> = self.past.came_from(key).collect();
        for page in pages {
            let mut facts = self.facts(page);
            if facts.doing != Doing::Waits {
                continue;
            }
            facts.behind = (f64::from(facts.behind) - value).max(0.0) as f32;
            if f64::from(facts.behind) < value * 1e-4 {
                facts.behind = 0.0;
            }
            *self.state.facts.slot(page) = facts;
            let placement = self.lane(page, &facts);
            moves.place(page, placement);
        }
    }
}
