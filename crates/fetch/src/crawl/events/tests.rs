//! Are events read as they were written, by every version?

use std::io::Write;

use trodden_ordering::Change;

use super::*;

/// A file of lines, each packed as a frame of its own.
fn packed(lines: &[&str]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    for line in lines {
        file.write_all(&zstd::bulk::compress(format!("{line}\n").as_bytes(), LEVEL).unwrap()).unwrap();
    }
    file
}

fn read(file: &Path) -> Result<(u32, Vec<EventLine<'static>>), Error> {
    let mut lines = Vec::new();
    let version = read_events(file, |line| {
        let text = serde_json::to_string(&line).expect("a line has a JSON");
        lines.push(serde_json::from_str(&text).expect("it is read as it was written"));
        Ok(())
    })?;
    Ok((version, lines))
}

#[test]
fn ours_lines_of_the_first_version_are_still_read() {
    let file = packed(&[
        r#"{"event":"seeded","key":0,"at":5}"#,
        r#"{"event":"fetched","key":0,"at":7,"kind":"page","change":"First","bytes":512}"#,
        r#"{"event":"discovered","key":1,"from":0,"at":7}"#,
    ]);
    let (version, lines) = read(file.path()).unwrap();
    assert_eq!((version, lines.len()), (1, 3));
    let fetched = &lines[1];
    assert_eq!((fetched.event, fetched.at, fetched.key, &*fetched.url), (EventName::Fetched, 7, UrlId(0), ""));
    assert_eq!((fetched.outcome, fetched.change), (Some(OutcomeKind::Page), Some(Change::First)));
    assert_eq!((fetched.bytes, fetched.status, lines[2].from), (Some(512), None, Some(UrlId(0))));
}

#[test]
fn ours_the_fixture_of_the_second_version_stays_readable() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/events-2.jsonl.zst");
    let (version, lines) = read(&path).unwrap();
    assert_eq!(version, 2);
    let names: Vec<EventName> = lines.iter().map(|line| line.event).collect();
    use EventName::{Discovered, Explored, Fetched, Listed, Refused, Seeded};
    assert_eq!(names, [Seeded, Fetched, Discovered, Explored, Fetched, Refused, Listed]);
    let page = &lines[1];
    assert_eq!((&*page.url, page.status, page.took_ms), ("https://example.org/", Some(200), Some(12)));
    assert_eq!(page.pattern.as_deref(), Some("/"));
    assert_eq!((page.media_type.as_deref(), page.expected), (Some("text/html"), Some(0.25)));
    let failed = &lines[4];
    assert_eq!((failed.outcome, failed.status, failed.bytes), (Some(OutcomeKind::TimeOut), None, Some(0)));
}

#[test]
fn ours_a_newer_version_is_refused_by_name_and_damage_is_told() {
    let why = read(packed(&[r#"{"trodden_events":3}"#]).path()).unwrap_err().to_string();
    assert!(why.contains("version 3") && why.contains("versions 1 to 2"), "{why}");
    let why = read(packed(&[r#"{"trodden_events":2}"#, "[]"]).path()).unwrap_err().to_string();
    assert!(why.contains("no event"), "{why}");
    let whole = packed(&[r#"{"trodden_events":2}"#, r#"{"event":"seeded","at":5,"key":0,"url":"http://a.example/"}"#]);
    assert_eq!(read(whole.path()).unwrap().1.len(), 1);
    let length = whole.as_file().metadata().unwrap().len();
    whole.as_file().set_len(length - 1).unwrap();
    assert!(read(whole.path()).is_err(), "a frame that is cut off");
}

#[test]
fn ours_a_new_file_begins_with_its_version_and_ends_with_whole_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl.zst");
    let (mut events, is_damaged) = EventFile::open(&path, EventMark::default()).unwrap();
    assert!(!is_damaged);
    let mark = events.flush(3).unwrap();
    assert_eq!(read(&path).unwrap(), (2, Vec::new()));
    // What a crash left beyond the mark is cut off; the head is not written twice.
    std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"torn").unwrap();
    let (mut events, is_damaged) = EventFile::open(&path, mark).unwrap();
    assert!(!is_damaged && events.flush(4).unwrap().length == mark.length);
    assert_eq!(read(&path).unwrap(), (2, Vec::new()));
}

#[test]
fn ours_a_frame_with_any_bit_flipped_is_not_whole() {
    let frame =
        pack(b"{\"event\":\"seeded\",\"key\":0,\"at\":5}\n{\"event\":\"seeded\",\"key\":1,\"at\":5}\n").unwrap();
    let mut file = tempfile::tempfile().unwrap();
    let mut whole = |bytes: &[u8]| {
        file.set_len(0).unwrap();
        file.rewind().unwrap();
        file.write_all(bytes).unwrap();
        whole_frames(&mut file).unwrap()
    };
    assert_eq!(whole(&frame), frame.len() as u64);
    for bit in 0..8 * frame.len() {
        let mut flipped = frame.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        // A flag that says nothing to a reader may be set.
        let unpacked = zstd::bulk::decompress(&flipped, MAX_FRAME_BYTES).ok();
        let is_the_same =
            unpacked.is_some_and(|lines| lines == zstd::bulk::decompress(&frame, MAX_FRAME_BYTES).unwrap());
        assert!(is_the_same || whole(&flipped) < frame.len() as u64, "bit {bit}");
    }
}
