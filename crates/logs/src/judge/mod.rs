//! The second and third reading: observe what users and URLs do, then judge every line.
//!
//! Both read the shards of the first reading in the same order: users one after the other, each in the order of
//! time. [`observe`] counts what the rules need to know ([`Observed`]); [`judge`] applies them and keeps what
//! remains, by day.

mod observe;
mod slots;
mod verdict;

pub(crate) use observe::{Observed, observe};
pub(crate) use verdict::{Judged, Rules, judge};

use crate::hosts::Sites;
use crate::spool::{NO_URL, UrlEntry, UrlTable};

/// One number for a URL, the same whichever run it comes from: fingerprint of the path, mixed with its host.
fn url_id(entry: &UrlEntry, sites: &Sites) -> u64 {
    entry.path.1 ^ u64::from(sites.host(entry.host).identity).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The same for a number of the run; none for no URL.
fn url_id_of(id: u32, urls: &UrlTable, sites: &Sites) -> Option<u64> {
    (id != NO_URL).then(|| url_id(urls.entry(id), sites))
}
