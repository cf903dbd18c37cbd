//! What a check finds.

use std::fs;

use trodden_archive::warc::{Fault, check};
use trodden_archive::{Caps, RecordKind};

use crate::support::{Folder, write_some};

#[test]
fn ours_what_we_write_is_sound_and_every_digest_holds() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    write_some(&mut writer, 20);
    writer.finish().unwrap();
    let report = check(&folder.archives()[0], &Caps::default()).unwrap();
    assert!(report.is_sound(), "{report:?}");
    let count = |kind| report.records.get(&kind).copied().unwrap_or(0);
    let total: u64 = report.records.values().sum();
    assert_eq!(count(RecordKind::Response) + count(RecordKind::Revisit), 20);
    assert_eq!(report.digests_verified, total + count(RecordKind::Response));
    assert_eq!(report.digests_skipped, count(RecordKind::Revisit));
}

#[test]
fn ours_the_first_fault_is_told() {
    let folder = Folder::new();
    let path = folder.path().join("a.warc");
    let record = |digest: &str, chunked: &str, body: &str| {
        let block = format!("HTTP/1.1 200 OK\r\n{chunked}\r\n{body}");
        format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n{digest}Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    let abc = "WARC-Payload-Digest: sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5\r\n";
    let chunked = record(abc, "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n");
    let other = record("WARC-Block-Digest: md5:x\r\n", "", "x");
    let good = record(abc, "", "abc");
    for (text, faults, first) in [
        ([&good, &chunked, &other].map(String::as_str).concat(), 0, None),
        ([&good, &record(abc, "", "abd")].map(String::as_str).concat(), 1, Some((2, Fault::PayloadDigest))),
        (record(&abc.replace("Payload", "Block"), "", "abc"), 1, Some((1, Fault::BlockDigest))),
        (good.replace("WARC-Date", "X-Date"), 1, Some((1, Fault::MissingHeader("WARC-Date")))),
        ([good.as_str(), "junk\r\n"].concat(), 1, Some((1, Fault::Damage))),
        (good[..good.len() - 6].to_owned(), 1, Some((1, Fault::Damage))),
    ] {
        fs::write(&path, &text).unwrap();
        let report = check(&path, &Caps::default()).unwrap();
        assert_eq!((report.faults, report.first_fault), (faults, first), "{text}");
    }
}
