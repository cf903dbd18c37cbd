//! How does a session go by another model?
//!
//! The engine does the work ([`Engine::swap_policy`](trodden_ordering::Engine::swap_policy)): new lanes now, what waits placed anew
//! with the hand-outs that follow. Here it is made durable: a checkpoint of the new policy, under a number of its own, in one batch
//! with the number of the model. URLs may be out meanwhile; when they are settled, the policy in force then learns from them.

use trodden_frontier::{DiskFrontier, Time, UrlId};
use trodden_ordering::policy::build::AnyPolicy;

use crate::error::Error;
use crate::notes::{self, MODEL, STATE};
use crate::session::Session;

impl Session {
    /// The number of the model that a session goes by, before it is opened: 0 for its first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn model_in_force(frontier: &DiskFrontier) -> Result<u32, Error> {
        Ok(notes::get(frontier, STATE, MODEL)?.unwrap_or(0))
    }

    /// Goes by another policy from now on, unless the old one stays because no model has a say in it. `evident` are URLs that the
    /// new one has evidence of its own for, the most important first.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn swap_model(
        &mut self,
        policy: Option<AnyPolicy>,
        evident: impl IntoIterator<Item = UrlId>,
        number: u32,
        now: Time,
    ) -> Result<(), Error> {
        self.latest = self.latest.max(now);
        if let Some(policy) = policy {
            self.engine.frontier_mut().set_rotation(policy.rotation());
            self.engine.swap_policy(policy, evident, self.latest)?;
            self.engine.take_swap_work();
        }
        // The checkpoint of the step before has one of the old policy.
        self.steps += 1;
        notes::put(self.engine.frontier_mut(), STATE, MODEL, &number)?;
        self.checkpoint()
    }

    /// Whether URLs wait that were placed by a model that went.
    #[must_use]
    pub fn is_swapping(&self) -> bool {
        self.engine.is_swapping()
    }

    /// Places some of them by the model in force, while there is nothing else to do; false if nothing is left.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn place_more(&mut self, now: Time) -> Result<bool, Error> {
        if !self.engine.is_swapping() {
            return Ok(false);
        }
        self.latest = self.latest.max(now);
        let more = self.engine.place_more_anew(self.latest)?;
        self.write_swap_work()?;
        Ok(more)
    }
}
