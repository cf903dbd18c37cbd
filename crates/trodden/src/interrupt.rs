//! Ctrl-C: stop cleanly. A second one stops at once.

use std::sync::{Mutex, Once, PoisonError};

use anyhow::{Context, Result};

use crate::output::say;

/// What to call when the operator asks to stop.
static STOPS: Mutex<Vec<Box<dyn Fn() + Send>>> = Mutex::new(Vec::new());

/// Calls `stop` when the operator asks to stop. Stages of a run may each add theirs.
pub(crate) fn on_interrupt(stop: impl Fn() + Send + 'static) -> Result<()> {
    static LISTENING: Once = Once::new();
    STOPS.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(stop));
    let mut listening = Ok(());
    LISTENING.call_once(|| {
        let mut asked = false;
        listening = ctrlc::set_handler(move || {
            if std::mem::replace(&mut asked, true) {
                say("stopped at once");
                #[expect(
                    clippy::disallowed_methods,
                    reason = "asked twice: there is nothing left to be careful about"
                )]
                std::process::exit(1);
            }
            say("stopping … (once more to stop at once)");
            STOPS.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|stop| stop());
        });
    });
    listening.context("cannot listen for Ctrl-C")
}
