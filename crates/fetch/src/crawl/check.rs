//! Is a crawl directory whole? Every byte of it is read, and nothing is changed.

use std::fs;
use std::path::Path;

use trodden_archive::cdxj::INDEX;
use trodden_archive::warc::{RecordKind, check as check_warc};
use trodden_archive::{Caps, Error as ArchiveError};
use trodden_frontier::{DiskFrontier, DiskSettings, Frontier, Rotation};
use trodden_report::number::thousands;
use trodden_session::{CheckpointFolder, Records, Session};

use super::Error;
use super::events::{self, EventMark};
use super::integrity::{self, Depth};
use super::notes::{EVENTS, STATE};

/// A part of a crawl directory that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Which part.
    pub part: String,
    /// What is there.
    pub found: String,
    /// What is wrong with it, if something is.
    pub fault: Option<String>,
}

impl Checked {
    fn good(part: &str, found: String) -> Self {
        Self { part: part.to_owned(), found, fault: None }
    }

    fn bad(part: &str, fault: String) -> Self {
        Self { part: part.to_owned(), found: String::new(), fault: Some(fault) }
    }
}

/// Checks a crawl that is not running. What is damaged is among the answers, not an error.
///
/// # Errors
/// If there is no crawl, or it is running.
pub fn check(folder: &Path) -> Result<Vec<Checked>, Error> {
    let path = folder.join("frontier");
    if !path.is_dir() {
        return Ok(vec![Checked::bad("frontier", "is missing: what waits and what came of it is lost".to_owned())]);
    }
    let frontier = match DiskFrontier::open(&path, DiskSettings::default(), Rotation::Even) {
        Ok(frontier) => frontier,
        Err(why @ trodden_frontier::Error::InUse(_)) => return Err(why.into()),
        Err(why) => return Ok(vec![Checked::bad("frontier", why.to_string())]),
    };
    let records = Records::of(&frontier);
    let (numbered, waiting) = (frontier.numbered(), frontier.waiting());
    let mut checked = vec![Checked::good(
        "frontier",
        format!("{} URLs known, {} waiting", thousands(numbered.into()), thousands(waiting)),
    )];
    checked.push(session(folder, &frontier));
    let mut settled = 0_u64;
    checked.push(
        match records.each(|_, _| -> Result<(), Error> {
            settled += 1;
            Ok(())
        }) {
            Ok(()) => Checked::good("records", format!("{} URLs settled", thousands(settled))),
            Err(why) => Checked::bad("records", why.to_string()),
        },
    );
    let archive = folder.join("archive");
    checked.extend(archives(&archive, records)?);
    checked.extend(index(&archive)?);
    checked.push(events(folder, records)?);
    Ok(checked)
}

fn session(folder: &Path, frontier: &DiskFrontier) -> Checked {
    match Session::check(frontier, &CheckpointFolder::new(folder)) {
        Ok(steps) => Checked::good("session", format!("{} steps, checkpoint and journal whole", thousands(steps))),
        Err(why) => Checked::bad("session", why.to_string()),
    }
}

/// Every file of the archive: as long as it must be, the same bytes, every record whole, every digest right.
fn archives(folder: &Path, records: Records<'_>) -> Result<Vec<Checked>, Error> {
    let mut checked = Vec::new();
    for state in integrity::look(folder, records, Depth::Whole)? {
        if state.archived.length == 0 {
            continue;
        }
        let part = format!("archive/{}", state.archived.file);
        if let Some((why, whole)) = state.fault {
            let length = state.archived.length;
            checked.push(Checked::bad(
                &part,
                format!("{why}: {} of {} bytes are whole records", thousands(whole), thousands(length)),
            ));
            continue;
        }
        let report = match check_warc(&state.path, &Caps::default()) {
            Ok(report) => report,
            Err(why) => {
                checked.push(Checked::bad(&part, why.to_string()));
                continue;
            }
        };
        let found = format!(
            "{} records, {} digests verified",
            thousands(report.records.values().sum()),
            thousands(report.digests_verified)
        );
        checked.push(if report.is_sound() {
            Checked::good(&part, found)
        } else {
            Checked::bad(&part, format!("{} of its records are not what they should be", report.faults))
        });
    }
    Ok(checked)
}

/// Whether the index lists what the archive has.
fn index(folder: &Path) -> Result<Option<Checked>, Error> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(None) };
    let mut records = 0;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.to_string_lossy().ends_with(".warc.gz") {
            let report = match check_warc(&path, &Caps::default()) {
                Ok(report) => report,
                Err(ArchiveError::Unreadable { .. }) => continue,
                Err(why) => return Err(why.into()),
            };
            let listed = [RecordKind::Response, RecordKind::Revisit, RecordKind::Resource];
            records += listed.iter().filter_map(|kind| report.records.get(kind)).sum::<u64>();
        }
    }
    let lines = match fs::read(folder.join(INDEX)) {
        Ok(bytes) => bytes.iter().filter(|byte| **byte == b'\n').count() as u64,
        Err(_) if records == 0 => return Ok(None),
        Err(_) => 0,
    };
    let part = format!("archive/{INDEX}");
    Ok(Some(if lines == records {
        Checked::good(&part, format!("{} lines", thousands(lines)))
    } else {
        Checked::bad(
            &part,
            format!("has {lines} lines for {records} records; it is made again when the crawl is resumed"),
        )
    }))
}

fn events(folder: &Path, records: Records<'_>) -> Result<Checked, Error> {
    let (path, part) = (folder.join("events.jsonl.zst"), "events.jsonl.zst");
    let mark: EventMark = records.driver_note(STATE, EVENTS)?.unwrap_or_default();
    let length = fs::metadata(&path).map_or(0, |metadata| metadata.len());
    if length < mark.length {
        return Ok(Checked::bad(part, format!("has {length} of {} bytes", mark.length)));
    }
    let mut lines = 0_u64;
    let read = events::read_events(&path, |_| {
        lines += 1;
        Ok(())
    });
    Ok(match read {
        Ok(_) => Checked::good(part, format!("{} events", thousands(lines))),
        Err(Error::Unread { why, .. }) => Checked::bad(part, format!("cannot be read to its end: {why}")),
        Err(why) => Checked::bad(part, why.to_string()),
    })
}
