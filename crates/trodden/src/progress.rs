//! A bar on standard error while logs are read; nothing where nobody watches.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use trodden_logs::{Progress, Stage};

/// Watches a run until it is dropped.
pub(crate) struct Watch {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

const TICK: Duration = Duration::from_millis(100);

impl Watch {
    /// Shows a bar by bytes, with the time left.
    pub(crate) fn new(progress: Arc<Progress>) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        if !std::io::stderr().is_terminal() {
            return Self { done, thread: None };
        }
        let watched = done.clone();
        let thread = std::thread::spawn(move || watch(&progress, &watched));
        Self { done, thread: Some(thread) }
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

fn watch(progress: &Progress, done: &AtomicBool) {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style =
        |template: &str| ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
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
