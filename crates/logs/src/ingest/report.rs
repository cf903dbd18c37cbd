//! What came of an ingest?

use super::{Ingest, OpenedLogs};
use crate::clean::{BadReason, DropReason};
use crate::files::FileNote;
use crate::hosts::{OwnSite, Sites};
use crate::judge::Judged;
use crate::ledger::Ledger;
use crate::scan::ScanTotals;

/// Something the operator should know.
#[derive(Clone, Debug, PartialEq)]
pub enum IngestNote {
    /// One address has most lines: the log was written behind a proxy.
    BehindProxy {
        /// Its share of all lines.
        share: f64,
        /// Whether lines name the clients behind it, so that those count.
        clients_known: bool,
    },
    /// Most lines have no time of day, or not even a date: the rules that need one are left out.
    NoClock {
        /// Whether there are dates.
        dates: bool,
    },
    /// More than fits in memory: this many runs went to disk.
    Spilled(usize),
}

/// How much a site was read.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SiteVisits {
    /// The site.
    pub site: String,
    /// Visits, before de-duplication.
    pub visits: u64,
    /// By how many users.
    pub users: u64,
}

/// What came of an ingest.
#[derive(Debug)]
pub struct Report {
    /// What became of every line.
    pub ledger: Ledger,
    /// How each file was read.
    pub files: Vec<FileNote>,
    /// Whose the paths without a host are.
    pub own_site: OwnSite,
    /// Visits by site, most first. Sites that fewer than [`Ingest::min_users`] people read are not named.
    pub sites: Vec<SiteVisits>,
    /// What else to know.
    pub notes: Vec<IngestNote>,
    /// Days written.
    pub days: usize,
    /// Files of the same log that made room.
    pub replaced: usize,
}

/// What became of every line.
pub(super) fn ledger(opened: &OpenedLogs, totals: ScanTotals, judged: &Judged) -> Ledger {
    let mut ledger = Ledger {
        lines: totals.lines,
        visits: judged.visit_lines,
        users: judged.users,
        sites: judged.sites.len() as u64,
        urls: judged.urls,
        ..Ledger::default()
    };
    DropReason::ALL.iter().zip(totals.dropped).for_each(|(reason, n)| ledger.add_dropped(*reason, n));
    DropReason::ALL.iter().zip(judged.dropped).for_each(|(reason, n)| ledger.add_dropped(*reason, n));
    BadReason::ALL.iter().zip(totals.bad).for_each(|(reason, n)| ledger.add_bad(*reason, n));
    ledger.places = totals.places.resolve(&totals.block_lines, &opened.names);
    debug_assert_eq!(ledger.lines, ledger.accounted());
    ledger
}

/// How much each site was read, the most read first; sites of few users are not named.
pub(super) fn by_site(job: &Ingest, sites: &Sites, judged: &Judged) -> Vec<SiteVisits> {
    let named = sites.own_site();
    let mut by_site: Vec<SiteVisits> = judged
        .sites
        .iter()
        .filter(|(site, counts)| counts.users() >= job.min_users || Some(**site) == named)
        .map(|(site, counts)| SiteVisits {
            site: sites.names[*site as usize].clone(),
            visits: counts.visits,
            users: counts.users(),
        })
        .collect();
    by_site.sort_unstable_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.site.cmp(&b.site)));
    by_site
}
