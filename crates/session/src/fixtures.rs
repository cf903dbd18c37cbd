//! What earlier programs wrote is read as it was meant: bytes of each format, kept as files, never made anew. A change that makes one of
//! these tests fail changes a format, and needs a new version with a new file.

use std::path::PathBuf;

use trodden_frontier::{DiskFrontier, DiskSettings, LaneId, QueueId, Rotation, Span, Time, UrlId};
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::{Change, OutcomeKind, SwapWork};

use crate::checkpoint::{self, CheckpointFolder};
use crate::error::Error;
use crate::journal::{Step, StepLink, StepOutcome, TimedStep, steps_of};
use crate::notes;
use crate::record::{ArchivePlace, UrlRecord};
use crate::{Leases, Loss, Session, SessionParts};

/// Name and bytes of each line.
fn lines(file: &str) -> Vec<(String, Vec<u8>)> {
    let path = folder().join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let line = |line: &str| {
        let (name, hex) = line.split_once(' ').unwrap();
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (name.to_owned(), (0..hex.len()).step_by(2).map(byte).collect())
    };
    text.lines().map(line).collect()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn steps() -> Vec<(&'static str, Step)> {
    let (key, queue) = (UrlId(7), QueueId(3));
    let page = StepOutcome {
        kind: OutcomeKind::Page,
        change: Change::Unchanged,
        bytes: 512,
        has_validators: true,
        text: Some(("T".to_owned(), "B".to_owned())),
    };
    let redirect =
        StepOutcome { kind: OutcomeKind::Redirect, change: Change::First, bytes: 0, has_validators: false, text: None };
    let link = StepLink { key: UrlId(9), queue, is_new: true, anchor: "a link".to_owned() };
    vec![
        ("seeded", Step::Seeded { key }),
        ("swapped", Step::Swapped { work: SwapWork::default() }),
        ("handed-out", Step::HandedOut { key, queue, explored: Some(LaneId(300)) }),
        ("deferred", Step::Deferred { key, is_old: true }),
        ("refused", Step::Refused { key: UrlId(7) }),
        ("undone", Step::Undone { queue, explored: None }),
        ("revived", Step::Revived { key }),
        ("updated", Step::Updated { key, outcome: Some(redirect), is_new: true }),
        ("removed", Step::Removed { key: UrlId(70_000) }),
        ("settled", Step::Settled { key, outcome: page, links: vec![link] }),
    ]
}

#[test]
fn ours_a_journal_of_format_4_is_read() {
    let mut written = lines("journal-4.hex");
    let steps = steps();
    // All of them, one after the other.
    let (name, block) = written.pop().unwrap();
    let read: Vec<Step> = steps_of(&block).map(|step| step.unwrap().step).collect();
    assert_eq!((name.as_str(), read), ("block", steps.iter().map(|(_, step)| step.clone()).collect()));
    assert!(steps_of(&block[..block.len() - 1]).last().unwrap().is_err(), "a block that is cut off");
    assert_eq!(written.len(), steps.len());
    for ((name, bytes), (expected, step)) in written.into_iter().zip(steps) {
        assert_eq!(name, expected);
        let step = TimedStep { at: Time(1_700_000_000_000), step };
        assert_eq!(notes::read::<TimedStep>(&bytes).unwrap(), step, "{name}");
        assert_eq!(postcard::to_stdvec(&step).unwrap(), bytes, "{name}");
    }
}

#[test]
fn ours_a_record_of_format_4_is_read() {
    let record = UrlRecord {
        order: 5,
        time_ms: 1_700_000_000_000,
        kind: OutcomeKind::Page,
        status: 200,
        bytes: 4_096,
        media_type: Some("text/html".to_owned()),
        took_ms: 31,
        queue: 2,
        expected: 1.5,
        etag: Some("\"e\"".to_owned()),
        last_modified: None,
        is_noindex: false,
        digest: Some(1 << 63),
        archived: Some(ArchivePlace { file: 1, start: 300, end: 9_000 }),
        fetches: 3,
        changes: 1,
    };
    let (_, bytes) = lines("record-4.hex").remove(0);
    assert_eq!(notes::read::<UrlRecord>(&bytes).unwrap(), record);
    assert_eq!(postcard::to_stdvec(&record).unwrap(), bytes);
}

#[test]
fn ours_a_checkpoint_of_format_1_is_read_and_others_are_refused_by_name() {
    let name = checkpoint::name(7);
    let whole = std::fs::read(folder().join("checkpoint-1.bin")).unwrap();
    let place = tempfile::tempdir().unwrap();
    let store = CheckpointFolder::new(place.path());
    std::fs::write(place.path().join(&name), &whole).unwrap();
    assert_eq!(checkpoint::read(&store, 7).unwrap(), b"what the engine knew");
    for other in [0, 2, 99] {
        let mut bytes = whole.clone();
        bytes[11] = other;
        std::fs::write(place.path().join(&name), &bytes).unwrap();
        let refused = checkpoint::read(&store, 7).unwrap_err();
        assert!(matches!(refused, Error::Version { found, known: 1 } if found == u32::from(other)), "{refused}");
        let told = refused.to_string();
        assert!(told.contains(&format!("format {other}")) && told.contains("go on with the program"), "{told}");
    }
}

#[test]
fn ours_notes_of_another_format_are_refused_by_name() {
    let place = tempfile::tempdir().unwrap();
    let open = || DiskFrontier::open(place.path(), DiskSettings::default(), Rotation::Even).unwrap();
    let session = |frontier| {
        Session::open(SessionParts {
            frontier,
            policy: Box::new(BreadthFirst::default()),
            checkpoints: Box::new(CheckpointFolder::new(place.path())),
            lease: Span::seconds(60),
            leases: Leases::Undone,
            loss: Loss::Refused,
            events_from: u64::MAX,
        })
    };
    drop(session(open()).unwrap());
    for other in [notes::VERSION - 1, notes::VERSION + 1] {
        let mut frontier = open();
        notes::put(&mut frontier, notes::STATE, notes::VERSION_KEY, &other).unwrap();
        frontier.commit().unwrap();
        let refused = session(frontier).err().unwrap().to_string();
        let expected = (format!("format {other}"), "go on with the program");
        assert!(refused.contains(&expected.0) && refused.contains(expected.1), "{refused}");
    }
}
