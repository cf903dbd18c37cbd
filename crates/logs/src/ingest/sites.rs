//! Whose are the lines, and is that what the operator says?

use std::sync::PoisonError;

use trodden_urls::SiteKeys;

use super::{Ingest, Setup};
use crate::clean::AddressMinute;
use crate::error::Error;
use crate::hosts::{OwnSite, Sites};
use crate::named_site::share_in_log;
use crate::scan::{ScanShared, ScanTotals, TextKey};
use crate::spool::{Sorter, Spool};

/// Lines of addresses, as they were counted while reading.
pub(super) struct AddressLines {
    /// Of those who asked.
    pub(super) peers: Sorter<AddressMinute>,
    /// Of the clients that they forwarded for.
    pub(super) forwarded: Sorter<AddressMinute>,
}

/// Finds out which hosts are one, and whose the paths without a host are.
///
/// # Errors
/// If the operator wants that to be clear and it is not.
pub(super) fn name_sites(
    job: &Ingest,
    shared: ScanShared,
    totals: &ScanTotals,
) -> Result<(Sites, AddressLines), Error> {
    let ScanShared { hosts, peers, forwarded, seed, .. } = shared;
    let keys = SiteKeys::new(job.grouping, job.aliases.clone());
    let sites = Sites::resolve(hosts, &totals.hosts, totals.own_lines, job.site.as_ref(), &keys, &job.aliases, seed);
    if let (true, OwnSite::FromReferrers { site, lines, rivals }) = (job.site_must_be_clear, &sites.own)
        && !rivals.is_empty()
    {
        let all = std::iter::once((site, lines)).chain(rivals.iter().map(|(site, lines)| (site, lines)));
        let candidates: Vec<String> = all.map(|(site, lines)| format!("{site}: {lines}")).collect();
        return Err(Error::AmbiguousSite { candidates: candidates.join(", ") });
    }
    let [peers, forwarded] = [peers, forwarded].map(|m| m.into_inner().unwrap_or_else(PoisonError::into_inner));
    Ok((sites, AddressLines { peers, forwarded }))
}

/// Where the log shows that it is of another site than the operator says, nothing that is made of it would be right.
pub(super) fn refuse_other_site(job: &Ingest, sites: &Sites, records: &Spool, setup: &Setup) -> Result<(), Error> {
    let (Some(doubt), Some(named), false) = (&sites.doubt, &job.site, job.site_insisted) else { return Ok(()) };
    let home = TextKey::of(b"/", setup.key.seed()).parts().0;
    let Some(share) =
        share_in_log(doubt, sites, records, &records.shard_keys(), home).map_err(|e| setup.scratch.failed(e))?
    else {
        return Ok(());
    };
    Err(Error::OtherSite {
        named: named.host().as_str().to_owned(),
        site: sites.names[doubt.site as usize].clone(),
        origin: doubt.origin.clone(),
        lines: doubt.lines,
        named_lines: doubt.named_lines,
        percent: (100.0 * share) as u32,
    })
}
