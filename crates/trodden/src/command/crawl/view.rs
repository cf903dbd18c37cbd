//! What is seen while a crawl runs; nothing where nobody watches.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{HumanBytes, HumanDuration, MultiProgress, ProgressBar, ProgressStyle};
use trodden_fetch::crawl::{Budgets, Progress, Tally};

use crate::output::{counted, thousands};

const TICK: Duration = Duration::from_millis(200);
/// Ticks over which the rate is measured.
const WINDOW: usize = 50;

/// A live view until it is dropped.
pub(super) struct View {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl View {
    /// Begins to show.
    pub(super) fn start(progress: Arc<Progress>, budget: &Budgets, traffic: f64) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        if !std::io::stderr().is_terminal() {
            return Self { done, thread: None };
        }
        let (watched, budget) = (done.clone(), *budget);
        Self { done, thread: Some(std::thread::spawn(move || show(&progress, &budget, traffic, &watched))) }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn show(progress: &Progress, budget: &Budgets, traffic: f64, done: &AtomicBool) {
    let lines = MultiProgress::new();
    let line = || {
        let bar = lines.add(ProgressBar::new_spinner());
        bar.set_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar
    };
    let bars = [line(), line(), line()];
    let mut past: Vec<u64> = Vec::new();
    while !done.load(Ordering::Relaxed) {
        let tally = progress.look();
        past.push(tally.spent());
        if past.len() > WINDOW {
            past.remove(0);
        }
        let gone = past.len().saturating_sub(1) as f64 * TICK.as_secs_f64();
        let rate = if gone > 0.0 { (past[past.len() - 1] - past[0]) as f64 / gone } else { 0.0 };
        for (bar, text) in bars.iter().zip(texts(&tally, budget, traffic, rate)) {
            bar.set_message(text);
        }
        std::thread::sleep(TICK);
    }
    bars.iter().for_each(ProgressBar::finish_and_clear);
}

/// Three lines: how far, where, and what went wrong.
fn texts(tally: &Tally, budget: &Budgets, traffic: f64, rate: f64) -> [String; 3] {
    let pages = thousands(tally.pages());
    let of = budget.pages.map_or(String::new(), |pages| format!(" of {}", thousands(pages)));
    let left = match budget.pages {
        Some(pages) => pages.saturating_sub(tally.spent()).min(tally.waiting),
        None => tally.waiting,
    };
    let eta = if rate > 0.0 {
        format!("  {} left", HumanDuration(Duration::from_secs_f64(left as f64 / rate)))
    } else {
        String::new()
    };
    let read = if traffic > 0.0 {
        format!("  {:.1} % of what people read", 100.0 * tally.traffic / traffic)
    } else {
        String::new()
    };
    let first = format!("{pages}{of} pages  {rate:.1}/s  {}{read}{eta}", HumanBytes(tally.bytes));
    let slowed = if tally.slowed > 0 { format!(", {} slowed down", tally.slowed) } else { String::new() };
    let second = format!(
        "{} wait  {}{slowed}  {} under way",
        counted(tally.waiting, "URL"),
        counted(tally.hosts, "host"),
        tally.under_way
    );
    let mut errors: Vec<String> =
        tally.errors().iter().take(5).map(|(kind, n)| format!("{} {kind}", thousands(*n))).collect();
    let put_off = tally.put_off_most_first();
    if !put_off.is_empty() {
        let kinds: Vec<String> = put_off.iter().take(3).map(|(kind, n)| format!("{} {kind}", thousands(*n))).collect();
        errors.push(format!("{} put off ({})", thousands(tally.deferred()), kinds.join(", ")));
    }
    let third = if errors.is_empty() { "no errors".to_owned() } else { errors.join("  ") };
    [first, second, third]
}

#[cfg(test)]
mod tests {
    use super::*;
    use trodden_fetch::outcome::OutcomeKind;

    #[test]
    fn ours_three_lines_tell_how_far_where_and_what_went_wrong() {
        // What robots.txt denies costs nothing, and says nothing of how long the rest takes.
        let outcomes = [
            (OutcomeKind::Page, 1_200),
            (OutcomeKind::NotFound, 3),
            (OutcomeKind::TimeOut, 1),
            (OutcomeKind::RobotsDenied, 9_000),
        ];
        let tally = Tally {
            outcomes: outcomes.into_iter().collect(),
            waiting: 5_000,
            hosts: 2,
            under_way: 2,
            bytes: 1 << 20,
            traffic: 30.0,
            put_off: [(OutcomeKind::Connect, 1), (OutcomeKind::TimeOut, 3)].into_iter().collect(),
            ..Tally::default()
        };
        let budget = Budgets { pages: Some(2_204), ..Budgets::default() };
        let texts = texts(&tally, &budget, 100.0, 10.0);
        assert_eq!(texts[0], "1,200 of 2,204 pages  10.0/s  1.00 MiB  30.0 % of what people read  2 minutes left");
        assert_eq!(texts[1], "5,000 URLs wait  2 hosts  2 under way");
        assert_eq!(texts[2], "9,000 robots-denied  3 not-found  1 time-out  4 put off (3 time-out, 1 connect)");
    }
}
