//! Real robots.txt files of 4,231 sites: all are read within the caps, and decided as Protego does or for a reason.
//!
//! The data is not in the repository: it is looked for where `TRODDEN_DATA` points, else at `../shared/data` beside the
//! repository. Protego needs a Python with the package: `TRODDEN_PYTHON=/path/to/python cargo test`. Without them the
//! tests are skipped.

#![expect(clippy::unwrap_used, reason = "tests may fail loudly")]

mod dialect;
mod paths;
mod protego;
mod read;
mod sites;
