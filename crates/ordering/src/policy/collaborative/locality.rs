//! What do people read shortly before and after a satisfying page?
//!
//! A page is in TL(U) if some user accessed it within n accesses before or after one to a page that is known to satisfy U; that page itself does not
//! count. f1 and f2 are the shares of satisfying pages among the fetched ones inside and outside; the ratio of a URL that waits is f1/P or f2/P.
//! A page that comes to be inside after it was fetched counts inside from then on.

use trodden_frontier::UrlId;

use super::lanes::Class;
use super::settings::Evidence;
use super::{Collaborative, Note};
use crate::policy::Moves;

impl Collaborative {
    /// A page of the trace was fetched. If it satisfies, what was read around it is near from now on.
    pub(super) fn count_near(&mut self, url: UrlId, satisfies: bool, moves: &mut Moves) {
        if !self.recipe.has(Evidence::Locality) || self.class(url) == Class::Unread {
            return;
        }
        let is_near = self.state.notes.get(url).has(Note::NEAR);
        let tally = if is_near { &mut self.state.near } else { &mut self.state.far };
        tally.count(satisfies);
        if !satisfies {
            return;
        }
        let trace = self.reference.trace.clone();
        for &place in trace.places_of(url.0) {
            let span = trace.span(trace.user_at(place));
            let first = place.saturating_sub(self.settings.near).max(span.start);
            let end = place.saturating_add(self.settings.near).saturating_add(1).min(span.end);
            let around = (first..end).filter_map(|place| trace.at(place)).map(|access| UrlId(access.page));
            around.filter(|page| *page != url).for_each(|page| self.comes_near(page, moves));
        }
    }

    fn comes_near(&mut self, page: UrlId, moves: &mut Moves) {
        let note = self.state.notes.slot(page);
        if note.has(Note::NEAR) || note.has(Note::OTHER) {
            return;
        }
        note.flags |= Note::NEAR;
        let note = *note;
        if note.has(Note::COUNTED) {
            let satisfies = note.has(Note::SATISFIES);
            self.state.far.take_back(satisfies);
            self.state.near.count(satisfies);
        }
        self.touch(page, moves);
    }

    /// The logarithm of the ratio of a class.
    pub(super) fn nearness(&self, class: Class) -> f64 {
        let base = self.state.totals.base();
        match class {
            _ if !self.recipe.has(Evidence::Locality) => 0.0,
            Class::Unread => 0.0,
            Class::Far => self.state.far.nats(base),
            Class::Near => self.state.near.nats(base),
        }
    }
}
