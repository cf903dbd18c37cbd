//! Archives of any tool: reading, checking, repairing.

use std::fs;

use trodden_archive::cdxj::{SORT_BYTES, rebuild_index};
use trodden_archive::http::Response;
use trodden_archive::warc::{check, repair};
use trodden_archive::{Caps, WarcReader, pages_in};

fn caps() -> Caps {
    Caps { record_bytes: 16 << 10, body_bytes: 64 << 10, head_bytes: 4 << 10, header_count: 64, ..Caps::default() }
}

/// Records are within their caps, and the tally counts them. Each record's answer is read as well.
pub(super) fn records(input: &[u8]) {
    let caps = caps();
    let mut reader = WarcReader::new(input, caps.clone());
    let mut count = 0;
    for record in reader.by_ref() {
        let record = record.expect("bytes in memory can be read");
        count += 1;
        assert!(record.body.len() <= caps.record_bytes && record.headers.len() <= caps.header_count);
        assert!(record.cut.is_some() || record.body.len() as u64 == record.length);
        assert!(!format!("{record:?}").is_empty());
        if let Ok(response) = Response::parse(&record.body, &caps) {
            assert!(response.decoded(&caps).body.len() <= caps.body_bytes);
        }
    }
    assert_eq!(reader.tally().records, count);
}

/// A file that is repaired is sound where it is kept, needs no second repair, and has an index.
pub(super) fn repaired(input: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("fuzz-20260101000000-00001.warc.gz");
    fs::write(&path, input).expect("a temporary file can be written");
    let first = repair(&path, 0).expect("a temporary file can be repaired");
    assert_eq!(first.kept_bytes + first.cut_bytes, input.len() as u64);
    assert_eq!(
        fs::read(&path).expect("it is there"),
        input[..input.len() - usize::try_from(first.cut_bytes).expect("it fits")]
    );
    let second = repair(&path, 0).expect("a temporary file can be repaired");
    assert_eq!((second.cut_bytes, second.walked), (0, first.walked), "repaired twice");
    let report = check(&path, &caps()).expect("a temporary file can be read");
    assert!(report.records.values().sum::<u64>() >= first.walked, "whole records that a reader does not find");
    assert_eq!(report.tally.damaged(), 0, "damage in what was kept");
    let lines = rebuild_index(folder.path(), SORT_BYTES).expect("an index can be written");
    assert!(lines <= first.walked);
    let pages = pages_in(&path, &caps()).expect("it is there");
    assert!(pages.count() as u64 <= first.walked);
}
