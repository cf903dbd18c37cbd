//! A crawl that goes on by another model.
//!
//! The engine does the work ([`Engine::swap_policy`](trodden_ordering::Engine::swap_policy)). Here it is made one step: new lanes, what
//! the new policy knows and the number of the model are one batch, so that a crash leaves the crawl with the one or the other.

use trodden_frontier::DiskFrontier;
use trodden_ordering::policy::build::AnyPolicy;

use super::journal::Step;
use super::notes::{self, MODEL, STATE};
use super::{Crawl, Error, KnownTraffic, SectionBudget};

/// The number of the model that a crawl goes by: 0 for its first.
///
/// # Errors
/// If the store cannot be read.
pub fn model_in_force(frontier: &DiskFrontier) -> Result<u32, Error> {
    Ok(notes::get(frontier, STATE, MODEL)?.unwrap_or(0))
}

impl Crawl {
    /// Notes what was placed anew on the way to the next task.
    pub(super) fn note_placed_anew(&mut self) -> Result<(), Error> {
        match self.engine.take_placed_anew() {
            keys if keys.is_empty() => Ok(()),
            keys => self.note_step(&Step::PlacedAnew { keys }),
        }
    }

    /// Places some of what an old model placed anew, while there is nothing else to do; false if nothing is left.
    pub(super) fn place_in_background(&mut self) -> Result<bool, Error> {
        if !self.engine.is_swapping() {
            return Ok(false);
        }
        let more = self.engine.place_more_anew()?;
        self.note_placed_anew()?;
        Ok(more)
    }

    /// [Swaps](Self::swap) in a pause of a crawl that runs: what was fetched is counted anew, by what the new models say of it.
    ///
    /// # Errors
    /// If it cannot be read or stored.
    pub fn swap_in_pause(
        &mut self,
        policy: Option<AnyPolicy<u32>>,
        traffic: KnownTraffic,
        sections: Option<SectionBudget>,
        number: u32,
    ) -> Result<(), Error> {
        let (mut read, mut pages) = (0.0, Vec::new());
        self.record().each(|key, fetched| {
            if fetched.kind.is_success() {
                read += f64::from(traffic.visits.get(&key).copied().unwrap_or(0.0));
            }
            if sections.is_some() && fetched.kind.is_page() {
                pages.push(key);
            }
        })?;
        self.tally.traffic = read;
        self.sections = sections;
        // What was over the budget of an old pattern may be within that of a new one.
        self.engine.frontier_mut().release_for_ever();
        for key in pages {
            let url = self.url(key)?;
            self.sections.iter_mut().for_each(|sections| sections.count_page(&url));
        }
        self.swap(policy, traffic, number)
    }

    /// Goes by another policy from now on, unless the old one stays because no model has a say in it; URLs with visits of their own
    /// are placed anew first, the rest by and by.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn swap(&mut self, policy: Option<AnyPolicy<u32>>, traffic: KnownTraffic, number: u32) -> Result<(), Error> {
        if let Some(policy) = policy {
            let mut evident: Vec<(u32, f32)> = traffic.visits.iter().map(|(key, visits)| (*key, *visits)).collect();
            evident.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            self.engine.frontier_mut().set_rotation(policy.rotation());
            self.engine.swap_policy(policy, evident.into_iter().map(|(key, _)| key))?;
        }
        self.traffic = traffic;
        // Saved with the engine, under a number of its own: the step before has one of the old policy.
        self.steps += 1;
        self.engine.take_placed_anew();
        notes::put(self.engine.frontier_mut(), STATE, MODEL, &number)?;
        self.save_engine()
    }
}
