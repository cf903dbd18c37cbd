//! Did somebody mine a newer model while the crawl runs?
//!
//! The files that models were copied from are looked at now and then. One that is other than it was, and has stopped changing, is
//! told: the crawl pauses, takes it, and goes on by it. `mine -o` puts a model in its place whole, so there are no halves to see.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// How often it is looked.
const LOOK: Duration = Duration::from_millis(200);

/// Looks at files until it is dropped.
pub(super) struct Watch {
    changed: Arc<AtomicBool>,
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What tells that a file is another: when it was written, and how long it is.
type Look = Vec<Option<(SystemTime, u64)>>;

fn look(files: &[PathBuf]) -> Look {
    let one = |file: &PathBuf| fs::metadata(file).and_then(|file| Ok((file.modified()?, file.len()))).ok();
    files.iter().map(one).collect()
}

impl Watch {
    /// Calls `tell` when a file changes. Copies that are other than their files now count as changed at once.
    pub(super) fn start(files: Vec<PathBuf>, copies: &[PathBuf], tell: impl Fn() + Send + 'static) -> Self {
        let (changed, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let is_same = |(file, copy): (&PathBuf, &PathBuf)| match (fs::read(file), fs::read(copy)) {
            (Ok(file), Ok(copy)) => file == copy,
            // What is not there cannot be taken.
            _ => true,
        };
        // What changes while it is compared is seen to change later.
        let (mut taken, mut last) = (look(&files), None);
        let is_old = !files.iter().zip(copies).all(is_same);
        let (told, watched) = (changed.clone(), done.clone());
        let thread = std::thread::spawn(move || {
            if is_old {
                told.store(true, Ordering::Relaxed);
                tell();
            }
            while !watched.load(Ordering::Relaxed) {
                std::thread::park_timeout(LOOK);
                let now = look(&files);
                // Twice the same, and all there: nobody is writing.
                if now != taken && last.as_ref() == Some(&now) && now.iter().all(Option::is_some) {
                    taken.clone_from(&now);
                    told.store(true, Ordering::Relaxed);
                    tell();
                }
                last = Some(now);
            }
        });
        Self { changed, done, thread: Some(thread) }
    }

    /// Whether there is something newer; then it is taken.
    pub(super) fn take_change(&self) -> bool {
        self.changed.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
