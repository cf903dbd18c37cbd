//! As the crawl grows, what it knows is fitted again, and what waits is put where it belongs by that.

use trodden_frontier::UrlId;
use trodden_mining::SLICES;
use trodden_mining::expected::FIRST_PART;

use super::kinds::Part;
use super::returning::{Returner, Returning};
use super::shares::{Sharer, Slopes};
use super::unseen::Tally;
use super::{Blend, Doing};
use crate::policy::Moves;

/// URLs that a fit looks at.
const MAX_SAMPLE: usize = 1 << 16;

impl Blend {
    /// Fits to what is known, and puts everything that waits where it belongs by that.
    pub(super) fn refit(&mut self, moves: &mut Moves) {
        let (mut returners, mut unread, mut all, mut within) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let known: Vec<UrlId> = self.state.known.iter().copied().filter(|key| self.facts(*key).is_counted()).collect();
        if known.is_empty() {
            return;
        }
        let readers: f64 = known.iter().map(|key| f64::from(self.facts(*key).readers)).sum();
        self.state.fit.readers = (readers / known.len() as f64).max(f64::MIN_POSITIVE);
        let (mut kept, mut rows) = (0.0, 0.0);
        let step = known.len().div_ceil(MAX_SAMPLE);
        for key in known.iter().step_by(step) {
            let facts = self.facts(*key);
            let (links, first_links) = self.links(&facts);
            let slices = self.visits(*key).copied().unwrap_or_default();
            let (first, second) = slices.split_at(FIRST_PART);
            let [first, second] = [first, second].map(|part| f64::from(part.iter().sum::<u32>()));
            if first > 0.0 {
                let outlook = self.kinds.outlook(facts.kind);
                let expected = outlook.forecast.of_first_part(&slices, self.mean(facts.kind));
                // In visits a slice, as it is used.
                let visits = second / (SLICES - FIRST_PART) as f64;
                returners.push(Returner { expected, links: first_links, visits });
                kept += outlook.forecast.kept;
                rows += 1.0;
            } else {
                let group = if self.uses.kinds { facts.kind } else { 0 };
                unread.push(Sharer { group, links: first_links, visits: second });
            }
            let site = self.kinds.outlook(facts.kind).site;
            all.push(Sharer { group: site, links, visits: first + second });
            within.push(Sharer { group: facts.kind, links, visits: first + second });
        }
        unread.sort_by_key(|sharer| sharer.group);
        all.sort_by_key(|sharer| sharer.group);
        within.sort_by_key(|sharer| sharer.group);
        let kept = if rows > 0.0 { kept / rows } else { 1.0 };
        self.state.fit.returning = Returning::fit(&returners, kept);
        self.state.fit.novel = Slopes::fit(&unread);
        self.state.fit.all = Slopes::fit(&all);
        self.state.fit.kind = Slopes::fit(&within);
        self.state.kinds.clear();
        for key in &known {
            let facts = self.facts(*key);
            let part = self.part(*key, &facts);
            self.state.kinds.change(&self.kinds, facts.kind, Part::default(), part);
        }
        if self.uses.unseen {
            self.learn_unseen(&known);
        }
        self.repriced = self.state.lanes.all().collect();
        for key in known {
            let facts = self.facts(key);
            if facts.doing == Doing::Waits {
                let placement = self.lane(key, &facts);
                moves.place(key, placement);
            }
        }
    }

    /// Learns what URLs may have that the log does not see.
    fn learn_unseen(&mut self, known: &[UrlId]) {
        self.state.kinds.believe(&self.kinds);
        let (mut of_kind, mut of_site) = (Tally::default(), Tally::default());
        for key in known {
            let facts = self.facts(*key);
            let visits = f64::from(self.visits(*key).map_or(0, |slices| slices.iter().sum()));
            let like = self.like_others(&facts);
            if like.alive > 0.5 {
                of_kind.add(like.of_kind, visits);
            }
            of_site.add(like.of_site, visits);
        }
        self.state.fit.unseen_of_kind = of_kind.curve();
        self.state.fit.unseen = of_site.average();
    }
}
