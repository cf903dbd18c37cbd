//! `trodden demo`: not there yet, and says so.

use anyhow::{Result, bail};

use crate::args::DemoArgs;

/// Says that there is no demo yet.
pub(crate) fn run(args: &DemoArgs) -> Result<()> {
    let DemoArgs { seed: _, open: _ } = args;
    bail!("the demo is not built yet; it comes with the simulator. Until then: trodden ingest YOUR-ACCESS.log")
}
