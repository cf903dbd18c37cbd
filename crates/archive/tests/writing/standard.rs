//! What ISO 28500 asks of a writer, read back by our own reader.

use std::collections::BTreeSet;
use std::io::Read;

use proptest::prelude::*;
use trodden_archive::warc::write::{
    BlockDigests, Message, Metadata, Original, Repeat, RobotsPolicy, Truncated, WarcExchange, WarcSettings,
};
use trodden_archive::warc::{Digest, check};
use trodden_archive::{Caps, Error, RecordKind, WarcWriter};

use crate::support::{Folder, HEAD, NOT_MODIFIED, REQUEST, date, full, ids, original, response, write_some};

#[test]
fn warc11_a_file_begins_with_who_wrote_it_and_names_no_machine() {
    let folder = Folder::new();
    let mut writer = folder.writer_with(WarcSettings {
        user_agent: Some("trodden/1 (+https://example.org/bot)".to_owned()),
        operator: Some("ops@example.org\r\nhostname: x".to_owned()),
        robots: RobotsPolicy::Ignored,
        more: vec![("isPartOf".to_owned(), "spring".to_owned())],
        ..WarcSettings::default()
    });
    writer.write(&WarcExchange::new("http://example.org/", date(0), response(b"x"))).unwrap();
    writer.finish().unwrap();
    let records = folder.records();
    let info = &records[0];
    assert_eq!(info.kind, RecordKind::Warcinfo);
    assert_eq!(info.target, None);
    assert_eq!(info.date.as_deref(), Some("2026-11-16T15:04:05.123Z"));
    assert_eq!(info.headers.get("Content-Type"), Some("application/warc-fields"));
    assert_eq!(info.headers.get("WARC-Filename"), Some("trodden-20261116150405-00001.warc.gz"));
    let text = String::from_utf8(info.body.clone()).unwrap();
    for line in [
        "format: WARC File Format 1.1",
        "http-header-user-agent: trodden/1 (+https://example.org/bot)",
        "operator: ops@example.org  hostname: x",
        "robots: ignore",
        "isPartOf: spring",
    ] {
        assert!(text.contains(&format!("{line}\r\n")), "{text}");
    }
    assert!(text.starts_with("software: trodden/") && !text.contains("\nhostname"), "{text}");
}

#[test]
fn warc11_every_record_has_the_fields_it_must_have() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    write_some(&mut writer, 12);
    writer.finish().unwrap();
    let records = folder.records();
    let mut seen = BTreeSet::new();
    for record in &records {
        let id = record.headers.get("WARC-Record-ID").unwrap();
        assert!(id.starts_with("<urn:uuid:") && id.ends_with('>') && seen.insert(id), "{id}");
        assert!(record.date.as_deref().unwrap().ends_with('Z'));
        assert_eq!(record.length, record.body.len() as u64);
        assert!(record.headers.get("Content-Type").is_some());
        let is_info = record.kind == RecordKind::Warcinfo;
        assert_eq!(record.target.is_none(), is_info);
        assert_eq!(record.headers.get("WARC-Warcinfo-ID").is_none(), is_info);
        assert_eq!(record.headers.get("WARC-Profile").is_some(), record.kind == RecordKind::Revisit);
        let names: BTreeSet<&str> = record.headers.iter().map(|(n, _)| n).collect();
        let repeated = record.headers.len() - names.len();
        assert_eq!(repeated, record.headers.all("WARC-Protocol").count().saturating_sub(1), "only protocols repeat");
    }
    let kinds: BTreeSet<RecordKind> = records.iter().map(|r| r.kind).collect();
    use RecordKind::{Metadata, Request, Response, Revisit, Warcinfo};
    assert_eq!(kinds, [Warcinfo, Request, Response, Revisit, Metadata].into());
}

#[test]
fn warc11_records_of_an_exchange_are_tied_together() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    let written = writer.write(&full("http://example.org/a", 1, b"payload")).unwrap();
    writer.finish().unwrap();
    let [info, response, request, metadata] = <[_; 4]>::try_from(folder.records()).unwrap();
    assert_eq!(response.headers.get("WARC-Record-ID"), Some(written.record.to_string().as_str()));
    for record in [&response, &request, &metadata] {
        assert_eq!(record.headers.get("WARC-Warcinfo-ID"), info.headers.get("WARC-Record-ID"));
        assert_eq!(record.target.as_deref(), Some("http://example.org/a"));
        assert_eq!(record.date.as_deref(), Some("2026-11-16T15:04:06.123Z"), "one moment for all");
    }
    for record in [&request, &metadata] {
        assert_eq!(record.headers.get("WARC-Concurrent-To"), response.headers.get("WARC-Record-ID"));
    }
    assert_eq!(response.headers.get("Content-Type"), Some("application/http; msgtype=response"));
    assert_eq!(request.headers.get("Content-Type"), Some("application/http; msgtype=request"));
    assert_eq!((response.body, request.body), ([HEAD, b"payload"].concat(), REQUEST.to_vec()));
    assert_eq!(response.headers.get("WARC-IP-Address"), Some("192.0.2.7"));
    assert_eq!(response.headers.all("WARC-Protocol").collect::<Vec<_>>(), ["h2", "tls/1.3"]);
    assert_eq!(metadata.body, b"via: http://example.org/\r\nhops: 1\r\nfetchTimeMs: 12\r\n");
}

#[test]
fn warc11_what_was_not_kept_has_no_record() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    writer.write(&WarcExchange::new("http://example.org/", date(0), response(b""))).unwrap();
    writer.finish().unwrap();
    let kinds: Vec<RecordKind> = folder.records().iter().map(|r| r.kind).collect();
    assert_eq!(kinds, [RecordKind::Warcinfo, RecordKind::Response]);
}

#[test]
fn warc11_digests_are_of_the_block_and_of_the_payload() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    let mut exchange = full("http://example.org/", 0, b"payload");
    exchange.request = Some(Message { head: b"POST / HTTP/1.1\r\n\r\n", payload: b"form" });
    let written = writer.write(&exchange).unwrap();
    assert_eq!(written.payload_digest, Some(Digest::of(b"payload")));
    writer.finish().unwrap();
    for record in folder.records() {
        let block = Digest::of(&record.body).to_string();
        assert_eq!(record.headers.get("WARC-Block-Digest"), Some(block.as_str()));
        let payload = match record.kind {
            RecordKind::Response => Some(Digest::of(b"payload").to_string()),
            RecordKind::Request => Some(Digest::of(b"form").to_string()),
            _ => None,
        };
        assert_eq!(record.headers.get("WARC-Payload-Digest"), payload.as_deref());
    }
}

#[test]
fn warc11_a_block_needs_no_digest_and_a_payload_is_hashed_once() {
    let folder = Folder::new();
    let settings = WarcSettings { block_digests: BlockDigests::LeftOut, ..WarcSettings::default() };
    let mut writer = folder.writer_with(settings);
    let given = Digest::of(b"the caller's word");
    let exchange = WarcExchange { payload_digest: Some(given), ..full("http://example.org/", 0, b"payload") };
    assert_eq!(writer.write(&exchange).unwrap().payload_digest, Some(given));
    writer.finish().unwrap();
    let records = folder.records();
    assert!(records.iter().all(|r| r.headers.get("WARC-Block-Digest").is_none()));
    assert_eq!(records[1].headers.get("WARC-Payload-Digest"), Some(given.to_string().as_str()));
}

#[test]
fn warc11_a_payload_seen_before_is_a_revisit_of_its_head() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    let first = writer.write(&WarcExchange::new("http://example.org/a", date(0), response(b"same"))).unwrap();
    let repeat = Repeat::SamePayload(original("http://example.org/a", 0, &first));
    let exchange = WarcExchange { repeat, ..WarcExchange::new("http://example.org/b", date(9), response(b"same")) };
    let second = writer.write(&exchange).unwrap();
    assert_eq!(second.payload_digest, first.payload_digest);
    writer.finish().unwrap();
    let records = folder.records();
    let revisit = records.last().unwrap();
    assert_eq!((revisit.kind, revisit.body.as_slice()), (RecordKind::Revisit, HEAD));
    let profile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
    for (name, value) in [
        ("WARC-Profile", profile),
        ("WARC-Refers-To", &first.record.to_string()),
        ("WARC-Refers-To-Target-URI", "http://example.org/a"),
        ("WARC-Refers-To-Date", "2026-11-16T15:04:05.123Z"),
        ("WARC-Truncated", "length"),
        ("WARC-Payload-Digest", &Digest::of(b"same").to_string()),
    ] {
        assert_eq!(revisit.headers.get(name), Some(value), "{name}");
    }
}

#[test]
fn warc11_an_answer_304_is_a_revisit_of_what_was_not_modified() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    let known = Original {
        target: "http://example.org/a",
        date: date(0),
        record: None,
        payload_digest: Some(Digest::of(b"old")),
    };
    let message = Message { head: NOT_MODIFIED, payload: b"" };
    for original in [known, Original { payload_digest: None, ..known }] {
        let exchange = WarcExchange::new("http://example.org/a", date(9), message);
        let written = writer.write(&WarcExchange { repeat: Repeat::NotModified(original), ..exchange }).unwrap();
        assert_eq!(written.payload_digest, original.payload_digest);
    }
    writer.finish().unwrap();
    let records = folder.records();
    let profile = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";
    for (record, digest) in records[1..].iter().zip([known.payload_digest, None]) {
        assert_eq!((record.kind, record.body.as_slice()), (RecordKind::Revisit, NOT_MODIFIED));
        assert_eq!(record.headers.get("WARC-Profile"), Some(profile));
        assert_eq!(record.headers.get("WARC-Refers-To"), None);
        assert_eq!(record.headers.get("WARC-Truncated"), None);
        assert_eq!(record.headers.get("WARC-Payload-Digest"), digest.map(|d| d.to_string()).as_deref());
    }
}

#[test]
fn warc11_a_payload_that_is_not_whole_says_why() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    let reasons = [Truncated::Length, Truncated::Time, Truncated::Disconnect, Truncated::Unspecified];
    for reason in reasons {
        let exchange = WarcExchange::new("http://example.org/", date(0), response(b"x"));
        let typed = WarcExchange { identified_type: Some("image/png"), truncated: Some(reason), ..exchange };
        writer.write(&typed).unwrap();
    }
    writer.finish().unwrap();
    let records = folder.records();
    let said: Vec<&str> = records.iter().filter_map(|r| r.headers.get("WARC-Truncated")).collect();
    assert_eq!(said, ["length", "time", "disconnect", "unspecified"]);
    assert_eq!(records[1].headers.get("WARC-Identified-Payload-Type"), Some("image/png"));
}

#[test]
fn warc11_every_record_is_a_gzip_member_of_its_own() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    let written = write_some(&mut writer, 10);
    writer.finish().unwrap();
    let bytes = std::fs::read(&folder.archives()[0]).unwrap();
    for w in &written {
        let member = &bytes[usize::try_from(w.offset).unwrap()..][..usize::try_from(w.length).unwrap()];
        let mut text = Vec::new();
        flate2::bufread::MultiGzDecoder::new(member).read_to_end(&mut text).unwrap();
        assert!(text.starts_with(b"WARC/1.1\r\nWARC-Type: re") && text.ends_with(b"\r\n\r\n"));
        assert!(memchr::memmem::find(&text, w.record.to_string().as_bytes()).is_some());
    }
}

#[test]
fn ours_a_file_is_closed_at_its_size_and_the_next_one_goes_on() {
    let folder = Folder::new();
    let settings = WarcSettings { file_bytes: 4_000, prefix: "my.crawl".to_owned(), ..WarcSettings::default() };
    let mut writer = folder.writer_with(settings.clone());
    let written = write_some(&mut writer, 30);
    let open = folder.archives().iter().filter(|p| p.extension().unwrap() == "open").count();
    assert_eq!(open, 1, "one file is being written: {:?}", folder.names());
    writer.finish().unwrap();
    let names = folder.names();
    let archives: Vec<&String> = names.iter().filter(|n| n.ends_with(".warc.gz")).collect();
    assert!(archives.len() > 2 && !names.iter().any(|n| n.ends_with(".open")), "{names:?}");
    assert!(
        archives
            .iter()
            .zip(1..)
            .all(|(n, i)| n.starts_with("my.crawl-2026") && n.ends_with(&format!("-{i:05}.warc.gz")))
    );
    assert_eq!(written.last().unwrap().file.as_ref(), archives.last().unwrap().as_str());
    for path in &folder.archives()[..archives.len() - 1] {
        assert!((4_000..8_000).contains(&std::fs::metadata(path).unwrap().len()));
    }
    let infos = folder.records().iter().filter(|r| r.kind == RecordKind::Warcinfo).count();
    assert_eq!(infos, archives.len());
    // A second run goes on with the next number.
    let mut writer = folder.writer_with(settings);
    let next = write_some(&mut writer, 1);
    assert!(next[0].file.ends_with(&format!("-{:05}.warc.gz", archives.len() + 1)));
}

#[test]
fn ours_a_prefix_leads_nowhere_else() {
    let folder = Folder::new();
    for prefix in ["", "../x", "a/b", ".hidden", "a b", "ü", &"x".repeat(101)] {
        let settings = WarcSettings { prefix: prefix.to_owned(), ..WarcSettings::default() };
        let opened = WarcWriter::open(folder.path(), settings, ids(1));
        assert!(matches!(opened, Err(Error::BadPrefix { .. })), "{prefix}");
    }
}

#[test]
fn ours_a_head_that_no_reader_takes_is_refused_and_nothing_is_written() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    let long = format!("http://example.org/{}", "x".repeat(70_000));
    let refused = writer.write(&WarcExchange::new(&long, date(0), response(b"x")));
    assert!(matches!(refused, Err(Error::HeadTooLong { .. })));
    write_some(&mut writer, 2);
    writer.finish().unwrap();
    assert!(folder.records().iter().all(|r| r.target.as_ref().is_none_or(|t| t.len() < 100)));
}

#[test]
fn ours_debug_shows_neither_urls_nor_messages() {
    let mut exchange = full("http://user:secret@example.org/secret", 0, b"secret");
    exchange.metadata.via = Some("http://secret/");
    exchange.repeat =
        Repeat::SamePayload(Original { target: "http://secret/", date: date(0), record: None, payload_digest: None });
    let shown = format!("{exchange:?} {:?} {:?}", exchange.metadata, exchange.repeat);
    assert!(!shown.contains("secret"), "{shown}");
}

/// What a server may send: any head, any payload, packed or not.
fn messages() -> impl Strategy<Value = Vec<(Vec<u8>, Vec<u8>, String, bool)>> {
    let odd = "HTTP/1.[01] [0-9]{3}[ -~]{0,9}\r\n([A-Za-z-]{1,9}:[ -~\t\u{80}-\u{ff}]{0,20}\r?\n){0,5}\r\n";
    let head = prop_oneof![odd.prop_map(String::into_bytes), proptest::collection::vec(any::<u8>(), 0..60)];
    let large = (0_usize..400_000, any::<u8>()).prop_map(|(n, b)| vec![b; n]);
    let payload = prop_oneof![8 => proptest::collection::vec(any::<u8>(), 0..3_000), 1 => large, 1 => Just(Vec::new())];
    proptest::collection::vec((head, payload, "\\PC{0,30}", any::<bool>()), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn warc11_any_exchange_is_read_back_byte_by_byte(messages in messages(), level in 0_u32..10) {
        let folder = Folder::new();
        let mut writer = folder.writer_with(WarcSettings { level, file_bytes: 100_000, ..WarcSettings::default() });
        for (head, payload, target, more) in &messages {
            let target = format!("http://example.org/{target}");
            let exchange = WarcExchange::new(&target, date(0), Message { head, payload });
            let metadata = Metadata { more: &[("note", target.as_str())], ..Metadata::default() };
            let request = Some(Message { head: payload, payload: head });
            let exchange = if *more { WarcExchange { request, metadata, ..exchange } } else { exchange };
            writer.write(&exchange).unwrap();
        }
        writer.finish().unwrap();
        let records = folder.records();
        let bodies = |kind| records.iter().filter(move |r| r.kind == kind).map(|r| r.body.clone()).collect::<Vec<_>>();
        let responses: Vec<Vec<u8>> = messages.iter().map(|(h, p, ..)| [h.as_slice(), p].concat()).collect();
        prop_assert_eq!(bodies(RecordKind::Response), responses);
        let requests: Vec<Vec<u8>> =
            messages.iter().filter(|m| m.3).map(|(h, p, ..)| [p.as_slice(), h].concat()).collect();
        prop_assert_eq!(bodies(RecordKind::Request).len(), requests.len());
        prop_assert_eq!(bodies(RecordKind::Request), requests);
        for path in folder.archives() {
            let report = check(&path, &Caps::default()).unwrap();
            prop_assert_eq!(report.tally.damaged(), 0);
        }
    }
}
