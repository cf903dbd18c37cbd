//! Ctrl-C: stop cleanly. A second one stops at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use crate::output::say;

/// Calls `stop` when the operator asks to stop.
pub(crate) fn on_interrupt(stop: impl Fn() + Send + 'static) -> Result<()> {
    let asked = Arc::new(AtomicBool::new(false));
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            say("stopped at once");
            #[expect(clippy::disallowed_methods, reason = "asked twice: there is nothing left to be careful about")]
            std::process::exit(1);
        }
        say("stopping … (once more to stop at once)");
        stop();
    })
    .context("cannot listen for Ctrl-C")
}
