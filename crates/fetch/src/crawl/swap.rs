//! A crawl that goes on by another model: the session swaps it ([`Session::swap_model`](trodden_session::Session::swap_model)), and what was fetched is
//! counted anew, by what the new model says of it.

use trodden_frontier::UrlId;
use trodden_ordering::policy::build::AnyPolicy;

use super::{Crawl, Error, KnownTraffic, SectionBudget};

impl Crawl {
    /// [Swaps](Self::swap) in a pause of a crawl that runs: what was fetched is counted anew, by what the new models say of it.
    ///
    /// # Errors
    /// If it cannot be read or stored.
    pub fn swap_in_pause(
        &mut self,
        policy: Option<AnyPolicy>,
        traffic: KnownTraffic,
        sections: Option<SectionBudget>,
        number: u32,
    ) -> Result<(), Error> {
        let (mut read, mut pages) = (0.0, Vec::new());
        self.session.records().each(|key, record| {
            if record.kind.is_success() {
                read += f64::from(traffic.visits.get(&key).copied().unwrap_or(0.0));
            }
            if sections.is_some() && record.kind.is_page() {
                pages.push(key);
            }
            Ok::<_, Error>(())
        })?;
        self.tally.traffic = read;
        self.sections = sections;
        // What was over the budget of an old pattern may be within that of a new one.
        self.session.release_for_ever()?;
        for key in pages {
            let url = self.session.url(key)?;
            self.sections.iter_mut().for_each(|sections| sections.count_page(&url));
        }
        self.swap(policy, traffic, number)
    }

    /// Goes by another policy from now on, unless the old one stays because no model has a say in it; URLs with visits of their own
    /// are placed anew first, the rest by and by.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn swap(&mut self, policy: Option<AnyPolicy>, traffic: KnownTraffic, number: u32) -> Result<(), Error> {
        let mut evident: Vec<(UrlId, f32)> = traffic.visits.iter().map(|(key, visits)| (*key, *visits)).collect();
        evident.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        self.traffic = traffic;
        // The checkpoint drops the journal that would tell them again.
        self.write_events()?;
        let now = self.now();
        tracing::info!(name: "crawl.model.swapped", number, evident = evident.len());
        Ok(self.session.swap_model(policy, evident.into_iter().map(|(key, _)| key), number, now)?)
    }
}
