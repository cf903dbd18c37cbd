//! Which schedule of revisits keeps the most visits fresh?
//!
//! A crawl holds a copy of every page and has a budget of requests a day. Pages change as a [`History`](crate::history::History) says.
//! Each schedule ([`Schedule`](trodden_ordering::revisit::Schedule)) spends the same budget, and we measure:
//!
//! ```text
//! freshness  = Σ m·(time that the copy is right) / Σ m·(time that the page is there)        share of visits that meet the current version
//! mean age   = Σ m·∫(time since the copy went stale) / the same                             days, 0 while it is right
//! ```
//! m are visits from before the history or from elsewhere; without any, all pages count alike.
//!
//! What makes it fair:
//!
//! 1. A schedule learns from its own requests alone: at each, whether the page is another than at the one before ([`knowledge`]). The oracle
//!    knows the true mean rates, and no more.
//! 2. All pages are revisited at fixed intervals. At every tick of the budget, the page goes first whose share of its interval has passed
//!    furthest ([`lanes`]). So every schedule spends exactly the budget, and only the proportions of its rates count.
//! 3. The crawl begins with a fresh copy of all pages, and first requests are spread evenly over the interval. A page that is born later is
//! 4. A page that is gone costs the request that finds it out, and none after that.
//! 5. Each result is also given for two halves of the pages, drawn by a hash of their URL: what was designed on one half is judged on the
//!    other.
//!
//! Read on: [`lives`] (what happens to a page), [`weights`] (m), [`trial`] (one schedule), [`compare`] (all of them), [`births`] and
//! [`discovery`] (new pages), [`show`].

pub mod births;
pub mod compare;
pub mod discovery;
pub mod knowledge;
pub mod lanes;
pub mod lives;
mod meter;
pub mod show;
#[cfg(test)]
mod tests;
pub mod trial;
pub mod weights;

pub use compare::{RevisitComparison, RevisitSettings, RevisitWorld, ScheduleResult, compare_schedules};
pub use lives::{PageLife, PageLives};
