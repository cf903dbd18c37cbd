//! How is a crawl asked to stop?

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Asks a crawl to stop: what is under way is finished.
#[derive(Debug, Default)]
pub struct Stop {
    asked: AtomicBool,
    pub(super) notify: Notify,
}

impl Stop {
    /// Asks.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::Relaxed);
        self.notify.notify_one();
    }

    /// Takes it back: what asked for a pause has had it.
    pub fn take_back(&self) {
        self.asked.store(false, Ordering::Relaxed);
    }

    pub(super) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}
