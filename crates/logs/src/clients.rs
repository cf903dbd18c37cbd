//! Who asked, once the whole log is known: addresses that are no persons, proxies and the clients behind them, and
//! which rules the log's clock allows.

use std::io;

use crate::clean::{AddressMinute, Cleaning, ClientField, Groups};
use crate::ingest::IngestNote;
use crate::scan::ScanTotals;
use crate::spool::{Sorter, Spool};

/// Adds up the lines of each address. Where clients are forwarded, the counts are needed once more.
pub(crate) fn busy_addresses(
    peers: Sorter<AddressMinute>,
    forwarded: &mut Sorter<AddressMinute>,
    totals: &ScanTotals,
    settings: &Cleaning,
) -> io::Result<Groups> {
    let mut copied = Ok(());
    let groups = Groups::of(peers, settings, |count| {
        if totals.forwarded_lines > 0 && copied.is_ok() {
            copied = forwarded.push(count);
        }
    })?;
    copied.map(|()| groups)
}

/// Decides who the clients are, and which of their addresses are no persons. None if that cannot be told.
pub(crate) fn clients(
    groups: Groups,
    forwarded: Sorter<AddressMinute>,
    totals: &ScanTotals,
    spool: &mut Spool,
    shards: u32,
    settings: &Cleaning,
    notes: &mut Vec<IngestNote>,
) -> io::Result<Option<Groups>> {
    let parsed = totals.records - totals.clean_rows + totals.bot_lines;
    if settings.client_field != ClientField::Auto || !groups.behind_proxy(parsed, settings) {
        return Ok(Some(groups));
    }
    // One line with a made-up client must not speak for a proxy's thousands.
    let clients_known = totals.forwarded_lines * 2 >= groups.busiest_lines;
    notes.push(IngestNote::BehindProxy { share: groups.share(parsed), clients_known });
    if !clients_known {
        return Ok(None);
    }
    spool.use_forwarded_clients(shards)?;
    let mut groups = Groups::of(forwarded, settings, |_| ())?;
    groups.spare_proxy(parsed, settings);
    Ok(Some(groups))
}

/// The rules that this log's clock allows: without times of day nobody can tell what follows what, or how busy a
/// minute was; without dates, not even how busy a day was.
pub(crate) fn rules_by_clock(settings: &Cleaning, totals: &ScanTotals, notes: &mut Vec<IngestNote>) -> Cleaning {
    let mut settings = settings.clone();
    let records = totals.records - totals.clean_rows;
    if records == 0 || (totals.timeless + totals.dated) * 2 <= records {
        return settings;
    }
    settings.embedded = false;
    settings.group_minute = u64::MAX;
    let dates = totals.dated > totals.timeless;
    if !dates {
        settings.group_day = u64::MAX;
    }
    notes.push(IngestNote::NoClock { dates });
    settings
}
