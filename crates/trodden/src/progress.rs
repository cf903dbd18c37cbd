//! A bar on standard error while logs are read or crawls run; nothing where nobody watches.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use trodden_lab::crawl;
use trodden_logs::{Progress, Stage};

/// Watches a run until it is dropped.
pub(crate) struct Watch {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

const TICK: Duration = Duration::from_millis(100);

impl Watch {
    /// Shows a bar by bytes, with the time left.
    pub(crate) fn logs(progress: Arc<Progress>) -> Self {
        Self::start(move |done| watch_logs(&progress, done))
    }

    /// Shows a bar by pages, with the time left.
    pub(crate) fn crawls(progress: Arc<crawl::Progress>, pages: u64) -> Self {
        Self::start(move |done| watch_crawls(&progress, pages, done))
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

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn watch_crawls(progress: &crawl::Progress, pages: u64, done: &AtomicBool) {
    let bar = ProgressBar::with_draw_target(Some(pages), ProgressDrawTarget::stderr());
    bar.set_style(style("crawling  {bar:30} {human_pos}/{human_len} pages  {per_sec}  {eta} left"));
    while !done.load(Ordering::Relaxed) {
        bar.set_position(progress.fetched.load(Ordering::Relaxed));
        std::thread::sleep(TICK);
    }
    bar.finish_and_clear();
}

fn watch_logs(progress: &Progress, done: &AtomicBool) {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let known = style("{msg:9} {bar:30} {bytes}/{total_bytes}  {binary_bytes_per_sec}  {eta} left");
    let unknown = style("{msg:9} {spinner} {bytes}  {binary_bytes_per_sec}  {elapsed}");
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
