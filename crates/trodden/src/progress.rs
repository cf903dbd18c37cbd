//! A bar on standard error while logs are read or crawls run; nothing where nobody watches.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use trodden_lab::crawl;
use trodden_logs::{IngestProgress, Stage};

use crate::output::thousands;

/// Watches a run until it is dropped.
pub(crate) struct Watch {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

const TICK: Duration = Duration::from_millis(100);

impl Watch {
    /// Shows a bar by bytes, with the time left.
    pub(crate) fn logs(progress: Arc<IngestProgress>) -> Self {
        Self::start(move |done| watch_logs(&progress, done))
    }

    /// Shows a bar by pages, with the time left.
    pub(crate) fn crawls(progress: Arc<crawl::Progress>, pages: u64) -> Self {
        Self::start(move |done| watch_crawls(&progress, pages, "pages", done))
    }

    /// Shows a bar by schedules that were tried.
    pub(crate) fn trials(progress: Arc<crawl::Progress>, trials: u64) -> Self {
        Self::start(move |done| watch_crawls(&progress, trials, "schedules", done))
    }

    fn start(watch: impl FnOnce(&AtomicBool) + Send + 'static) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        if !std::io::stderr().is_terminal() {
            return Self { done, thread: None };
        }
        let watched = done.clone();
        Self { done, thread: Some(std::thread::spawn(move || watch(&watched))) }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A style by its template; `{rate}` is things a second, as people read it.
pub(crate) fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
        let _ = out.write_str(&rate(state.per_sec()));
    })
}

/// Things a second: a decimal only where there are few.
fn rate(a_second: f64) -> String {
    if a_second < 99.95 { format!("{a_second:.1}/s") } else { format!("{}/s", thousands(a_second.round() as u64)) }
}

fn watch_crawls(progress: &crawl::Progress, total: u64, things: &str, done: &AtomicBool) {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    bar.set_style(style(&format!("crawling  {{bar:30}} {{human_pos}}/{{human_len}} {things}  {{rate}}  {{eta}} left")));
    while !done.load(Ordering::Relaxed) {
        bar.set_position(progress.fetched.load(Ordering::Relaxed));
        std::thread::sleep(TICK);
    }
    bar.finish_and_clear();
}

fn watch_logs(progress: &IngestProgress, done: &AtomicBool) {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let known = style("{msg:9} {bar:30} {decimal_bytes}/{decimal_total_bytes}  {decimal_bytes_per_sec}  {eta} left");
    let unknown = style("{msg:9} {spinner} {decimal_bytes}  {decimal_bytes_per_sec}  {elapsed}");
    let later = style("{msg:9} {spinner} {elapsed}");
    while !done.load(Ordering::Relaxed) {
        let (bytes, total) = progress.bytes();
        let stage = progress.stage();
        bar.set_message(match stage {
            Stage::Reading => "reading",
            Stage::Observing => "observing",
            Stage::Judging => "judging",
            Stage::Writing => "writing",
        });
        match (stage, total) {
            (Stage::Reading, 0) => bar.set_style(unknown.clone()),
            (Stage::Reading, _) => {
                bar.set_style(known.clone());
                bar.set_length(total.max(bytes));
            }
            _ => bar.set_style(later.clone()),
        }
        bar.set_position(bytes);
        bar.tick();
        std::thread::sleep(TICK);
    }
    bar.finish_and_clear();
}

#[cfg(test)]
mod tests {
    use super::rate;

    #[test]
    fn ours_rates_have_no_more_digits_than_anybody_reads() {
        assert_eq!([0.0, 0.26, 99.9, 99.96, 664_115.580_8].map(rate).join(" "), "0.0/s 0.3/s 99.9/s 100/s 664,116/s");
    }
}
