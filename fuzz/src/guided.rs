//! A target under libFuzzer, which keeps the inputs that reach new code. `TRODDEN_FUZZ_TARGET` names it.
//!
//! Built with instruments (`-Cpasses=sancov-module`) by `cargo xtask soak fuzz`; the arguments are libFuzzer's own.
#![no_main]

use std::sync::LazyLock;

use trodden_fuzz::round;
use trodden_fuzz::target::{Target, named};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("TRODDEN_FUZZ_TARGET").expect("TRODDEN_FUZZ_TARGET names a target");
    named(&name).expect("there is a target of this name; `fuzz --list` has them all")
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| round::once(&TARGET, input));
