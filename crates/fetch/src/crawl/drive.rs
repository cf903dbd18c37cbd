//! The loop of a crawl: what is due is asked for, what came back is applied, what changed is written.
//!
//! Everything here runs in one thread. It never waits for one server: requests are futures, and pages are read by other threads
//! ([`prepare`](super::prepare)).

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use trodden_frontier::Time;
use trodden_ordering::Next;

use super::fetch_task::run_fetch;
use super::{BudgetKind, Crawl, Ended, Error, Stop, budget, hosts, settings};

/// Tasks that are looked at before looking whether somebody is back.
const TASKS_A_TURN: usize = 256;
/// Hosts that are passed over for lack of a place before looking whether somebody is back: a crawl may know a hundred thousand of them.
const PASSED_OVER: u32 = 4;

impl Crawl {
    /// Crawls until nothing is left, the budget is spent, or somebody asks to stop.
    ///
    /// # Errors
    /// If something cannot be stored. What was done before is safe.
    pub async fn run(&mut self, stop: &Stop) -> Result<Ended, Error> {
        tracing::info!(name: "crawl.run.started", waiting = self.tally.waiting, known = self.tally.known, pages = self.tally.pages());
        let client = self.client.clone();
        let ended = client.watch(self.drive(stop)).await?;
        tracing::info!(name: "crawl.run.ended", ended = ?ended, pages = self.tally.pages(), waiting = self.tally.waiting);
        Ok(ended)
    }

    async fn drive(&mut self, stop: &Stop) -> Result<Ended, Error> {
        let mut under_way = FuturesUnordered::new();
        let mut synced = Instant::now();
        let ended = loop {
            if self.spent() == Some(BudgetKind::Time) {
                // What is under way could drip for minutes. It is asked for again if the crawl goes on.
                self.asking.clear();
                self.pages_under_way = 0;
                break Ended::Spent(BudgetKind::Time);
            }
            let mut wait = None;
            let (mut tasks, mut passed_over) = (0, 0);
            let mut end = stop.is_asked().then_some(Ended::Stopped);
            while end.is_none() && wait.is_none() && under_way.len() < self.settings.at_once && tasks < TASKS_A_TURN {
                tasks += 1;
                end = self.spent().map(Ended::Spent);
                if end.is_some() || !self.has_room() {
                    break;
                }
                if self.passes_over() {
                    passed_over += 1;
                    if passed_over == PASSED_OVER {
                        wait = Some(self.now() + hosts::PLACE_SOON);
                    }
                    continue;
                }
                match self.session.next(self.now())? {
                    Next::Fetch(task) => {
                        if let Some(fetch) = self.fetch_task(task)? {
                            under_way.push(run_fetch(self.client.clone(), Arc::clone(&self.preparer), fetch));
                            self.tally.under_way = under_way.len();
                        }
                    }
                    Next::Wait(until) => wait = Some(until),
                    Next::Drained => end = Some(Ended::Drained),
                    Next::Spent => end = Some(Ended::Spent(BudgetKind::Pages)),
                }
            }
            self.tally.under_way = under_way.len();
            if under_way.is_empty() {
                match (end, wait) {
                    (Some(end), _) => break end,
                    (None, Some(Time(u64::MAX))) => break Ended::Spent(self.over_budget()),
                    (None, Some(until)) if self.is_too_late(until) => break Ended::Later(until),
                    _ => {}
                }
            }
            self.show_if_due(wait);
            let pause = match wait {
                Some(until) => Duration::from_millis(until.0.saturating_sub(self.now().0)),
                None if tasks == TASKS_A_TURN => Duration::ZERO,
                None => settings::SYNC_EVERY,
            };
            let pause = pause.min(settings::SYNC_EVERY).min(self.batch.rest());
            let pause =
                if pause > Duration::ZERO && self.session.place_more(self.now())? { Duration::ZERO } else { pause };
            tokio::select! {
                biased;
                Some(fetched) = under_way.next() => self.apply(*fetched)?,
                () = stop.notify.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
            if synced.elapsed() >= settings::SYNC_EVERY {
                self.make_safe()?;
                synced = Instant::now();
            }
            self.commit_if_due()?;
        };
        self.finish()?;
        Ok(ended)
    }

    /// Whether that is too late to be waited for. Who reached nobody at all does not wait: there is something to mend.
    fn is_too_late(&self, until: Time) -> bool {
        until > self.now() + self.settings.patience().max(budget::SOON) || self.tally.has_reached_nobody()
    }
}
