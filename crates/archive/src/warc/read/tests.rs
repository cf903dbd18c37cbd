//! Promises of the reader: what other tools write is read, damage costs one entry, nothing grows without bound.

use std::io::Write;

use proptest::prelude::*;

use super::*;
use crate::RecordKind;

fn record(kind: &str, target: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head =
        format!("WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {target}\r\nContent-Length: {length}\r\n\r\n");
    [head.as_bytes(), body, b"\r\n\r\n"].concat()
}

/// Records that differ, and do not pack to nothing.
fn records(n: u32) -> Vec<Vec<u8>> {
    let noise = |i: u32| (0..800 + 37 * i).flat_map(move |k| (k.wrapping_mul(2_654_435_761) ^ i).to_le_bytes());
    (0..n).map(|i| record("response", &format!("http://e.org/{i}"), &noise(i).collect::<Vec<u8>>())).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read(bytes: &[u8]) -> (Vec<WarcRecord>, WarcTally) {
    read_with(bytes, Caps::default())
}

fn read_with(bytes: &[u8], caps: Caps) -> (Vec<WarcRecord>, WarcTally) {
    let mut reader = WarcReader::new(bytes, caps);
    let records = reader.by_ref().map(Result::unwrap).collect();
    (records, *reader.tally())
}

fn targets(records: &[WarcRecord]) -> Vec<&str> {
    records.iter().map(|r| r.target.as_deref().unwrap_or("").rsplit('/').next().unwrap_or("")).collect()
}

/// Whole records, and how many spots were damaged.
fn whole(bytes: &[u8]) -> (Vec<String>, u64) {
    let (records, tally) = read(bytes);
    let whole: Vec<WarcRecord> = records.into_iter().filter(|r| r.cut.is_none()).collect();
    (targets(&whole).into_iter().map(str::to_owned).collect(), tally.damaged())
}

#[test]
fn warc11_records_are_read_however_they_are_packed() {
    let plain = records(9).concat();
    let (expected, tally) = read(&plain);
    assert_eq!((expected.len(), tally.records, tally.damaged()), (9, 9, 0));
    assert_eq!(targets(&expected)[..3], ["0", "1", "2"]);
    assert_eq!((expected[3].kind, expected[3].body.len()), (RecordKind::Response, 4 * (800 + 3 * 37)));
    let by_record: Vec<u8> = records(9).iter().flat_map(|r| gzip(r)).collect();
    let by_bytes: Vec<u8> = plain.chunks(1_000).flat_map(gzip).collect();
    let padded = [by_record.as_slice(), &[0; 512]].concat();
    let zstd = zstd::encode_all(&plain[..], 1).unwrap();
    let frames: Vec<u8> = records(9).iter().flat_map(|r| zstd::encode_all(&r[..], 1).unwrap()).collect();
    for packed in [gzip(&plain), by_record, by_bytes, padded, zstd, frames] {
        assert_eq!(read(&packed), (expected.clone(), tally));
    }
    assert_eq!(read(b""), (vec![], WarcTally::default()));
}

#[test]
fn warc11_kind_target_and_date_are_told() {
    let text = b"WARC/1.0\r\nwarc-type: REVISIT\r\nWARC-Target-URI: <http://e.org/a>\r\nWARC-Date: 2014-01-03T03:03:21Z\r\nContent-Type: application/http;\r\n  msgtype=response\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    let (records, tally) = read(text);
    let [record] = records.as_slice() else { panic!("one record") };
    assert_eq!(record.kind, RecordKind::Revisit);
    assert_eq!(record.target.as_deref(), Some("http://e.org/a"));
    assert_eq!(record.date.as_deref(), Some("2014-01-03T03:03:21Z"));
    assert_eq!(record.headers.get("content-type"), Some("application/http; msgtype=response"));
    assert_eq!(record.media_type().as_deref(), Some("application/http"));
    assert_eq!(tally.damaged(), 0);
    assert!(!format!("{record:?}").contains("e.org"));
}

#[test]
fn ours_odd_corners_of_other_tools_are_no_damage() {
    let line_feeds = "WARC/0.18\nWARC-Type: screenshot\nContent-Length: 4\n\nbody\n\n";
    let no_gap = "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 4\r\n\r\nbody";
    let wide_gap = "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 4\r\n\r\nbody\r\n\r\n\r\n\r\n\n";
    let text = ["\u{feff}", line_feeds, no_gap, wide_gap, no_gap, no_gap].concat();
    let (records, tally) = read(text.as_bytes());
    assert_eq!((records.len(), tally.damaged()), (5, 0));
    assert!(records.iter().all(|r| r.body == b"body" && r.cut.is_none()));
    assert_eq!(records[0].kind, RecordKind::Other);
}

#[test]
fn ours_garbage_between_records_costs_one_entry() {
    let [a, b, c] = [0, 1, 2].map(|i| records(3)[i].clone());
    let long = [vec![b'x'; 300_000], b"\nmore\n".to_vec()].concat();
    let text = [b"garbage\n".as_slice(), &a, b"two\nlines\n", &b, &long, &c, b"tail"].concat();
    let (records, tally) = read(&text);
    assert_eq!(targets(&records), ["0", "1", "2"]);
    assert_eq!((tally.garbage, tally.damaged()), (4, 4));
}

#[test]
fn ours_a_wrong_length_costs_its_neighborhood_only() {
    let [a, b, c] = [0, 1, 2].map(|i| records(3)[i].clone());
    let relabel = |r: &[u8], by: i64| {
        let text = String::from_utf8_lossy(&r[..120]);
        let length: i64 = text.split("Content-Length: ").nth(1).unwrap().split('\r').next().unwrap().parse().unwrap();
        let at = memchr::memmem::find(r, b"\r\n\r\n").unwrap();
        let start = memchr::memmem::find(r, b"Content-Length").unwrap();
        [&r[..start], format!("Content-Length: {}", length + by).as_bytes(), &r[at..]].concat()
    };
    // Too short: the rest is garbage.
    assert_eq!(whole(&[relabel(&a, -9), b.clone(), c.clone()].concat()), (vec!["1".into(), "2".into()], 1));
    // Too long, packed by record: the next record's start is known all the same.
    let packed: Vec<u8> = [relabel(&a, 500), b.clone(), c.clone()].iter().flat_map(|r| gzip(r)).collect();
    assert_eq!(whole(&packed), (vec!["1".into(), "2".into()], 1));
    // Too long, plain: the next record is taken for a part of this one.
    let (names, damaged) = whole(&[relabel(&a, 500), b, c].concat());
    assert_eq!((names.last().map(String::as_str), damaged), (Some("2"), 1));
}

#[test]
fn ours_heads_that_cannot_be_read_cost_their_record() {
    let good = &records(1)[0];
    let many = format!("WARC/1.0\r\n{}\r\n", "a: b\r\n".repeat(600));
    let long = format!("WARC/1.0\r\na: {}\r\nContent-Length: 0\r\n\r\n", "x".repeat(100_000));
    for bad in [
        "WARC/1.0\r\nWARC-Type: response\r\n\r\n\r\n\r\n",
        "WARC/1.0\r\nContent-Length: -4\r\n\r\n\r\n\r\n",
        "WARC/1.0\r\nContent-Length: 99999999999999999999999\r\n\r\n\r\n\r\n",
        "WARC/1.0\r\nWARC-Type: resp\r\n",
    ] {
        assert_eq!(whole(&[bad.as_bytes(), good].concat()), (vec!["0".into()], 1), "{bad}");
    }
    for bad in [many, long] {
        let (names, damaged) = whole(&[bad.as_bytes(), good].concat());
        assert_eq!(names, ["0"]);
        assert!(damaged <= 2, "the head, and the rest of it as garbage");
    }
    let odd = b"WARC/1.0\r\nno colon\r\nContent-Length: 1\r\n\r\nx";
    let (records, tally) = read(odd);
    assert_eq!((records[0].body.as_slice(), tally.odd_heads), (&b"x"[..], 1));
}

#[test]
fn ours_a_damaged_member_costs_itself_and_not_those_after_it() {
    let members: Vec<Vec<u8>> = records(12).iter().map(|r| gzip(r)).collect();
    for (at, from_end) in [(0, false), (5, false), (5, true), (11, false)] {
        let mut broken = members.clone();
        let middle = broken[at].len() / 2;
        if from_end {
            // The check at the end: the data is whole, and known to be wrong.
            let check = broken[at].len() - 6;
            broken[at][check] ^= 0xff;
        } else {
            broken[at][middle..middle + 40].fill(0xff);
        }
        let expected: Vec<String> = (0..12).filter(|i| *i != at).map(|i| i.to_string()).collect();
        let (names, damaged) = whole(&broken.concat());
        assert_eq!(names, expected);
        assert!((1..=2).contains(&damaged), "{damaged}");
    }
}

#[test]
fn ours_a_writer_that_stopped_and_went_on_loses_one_record() {
    let members: Vec<Vec<u8>> = records(12).iter().map(|r| gzip(r)).collect();
    for kept in [3, 15, 200, 1_000] {
        let mut torn = members.clone();
        torn[4].truncate(kept);
        let expected: Vec<String> = (0..12).filter(|i| *i != 4).map(|i| i.to_string()).collect();
        let (names, damaged) = whole(&torn.concat());
        assert_eq!(names, expected, "after {kept} bytes");
        assert!((1..=2).contains(&damaged), "{damaged}");
    }
}

#[test]
fn ours_a_file_that_stops_gives_what_is_there() {
    let plain = records(3).concat();
    let (records_, tally) = read(&plain[..plain.len() - 100]);
    assert_eq!((records_.len(), records_[2].cut, tally.short), (3, Some(Shortened::Damage), 1));
    let packed = gzip(&plain);
    let (records_, tally) = read(&packed[..packed.len() - 100]);
    assert_eq!((records_.len(), records_[2].cut, tally.torn), (3, Some(Shortened::Damage), 1));
    let packed = zstd::encode_all(&plain[..], 1).unwrap();
    assert_eq!(read(&packed[..packed.len() - 10]).1.damaged(), 1);
}

#[test]
fn ours_bodies_over_the_cap_are_passed_over_and_marked() {
    let caps = Caps { record_bytes: 1_000, ..Caps::default() };
    let big = record("response", "http://e.org/big", &vec![7; 50 << 20]);
    let packed: Vec<u8> = [big, records(1)[0][..].to_vec()].iter().flat_map(|r| gzip(r)).collect();
    let (records, tally) = read_with(&packed, caps);
    assert_eq!(targets(&records), ["big", "0"]);
    assert_eq!((records[0].body.len(), records[0].length, records[0].cut), (1_000, 50 << 20, Some(Shortened::Cap)));
    assert!(records[0].body.capacity() < 1 << 17);
    assert_eq!((tally.oversized, tally.damaged()), (2, 0));
}

#[test]
fn ours_a_bomb_is_given_up_and_counted() {
    let zeros = record("response", "http://e.org/bomb", &vec![0; 80 << 20]);
    let packed = zstd::encode_all(&zeros[..], 1).unwrap();
    let (records, tally) = read_with(&packed, Caps { record_bytes: 10, ..Caps::default() });
    assert_eq!((records.len(), records[0].cut), (1, Some(Shortened::Damage)));
    assert_eq!((tally.bombs, tally.damaged()), (1, 1));
}

#[test]
fn ours_an_input_that_fails_ends_with_an_error() {
    struct Failing(usize);
    impl io::Read for Failing {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let bytes = gzip(&records(2).concat());
            if self.0 > 0 {
                return Err(io::Error::other("the disk is gone"));
            }
            self.0 += 1;
            let n = (bytes.len() / 2).min(out.len());
            out[..n].copy_from_slice(&bytes[..n]);
            Ok(n)
        }
    }
    let mut reader = WarcReader::new(Failing(0), Caps::default());
    assert!(matches!(reader.by_ref().last(), Some(Err(Error::Unreadable { .. }))));
    assert!(reader.next().is_none());
}

/// What random damage does to a file.
#[derive(Clone, Debug)]
enum Damage {
    Flip(usize, u8),
    Cut(usize, usize),
    Insert(usize, Vec<u8>),
    Stop(usize),
}

fn damage() -> impl Strategy<Value = Vec<Damage>> {
    let place = 0..40_000_usize;
    let one = prop_oneof![
        (place.clone(), 1..=255_u8).prop_map(|(at, by)| Damage::Flip(at, by)),
        (place.clone(), 1..3_000_usize).prop_map(|(at, n)| Damage::Cut(at, n)),
        (place.clone(), prop::collection::vec(any::<u8>(), 1..300)).prop_map(|(at, b)| Damage::Insert(at, b)),
        place.prop_map(Damage::Stop),
    ];
    prop::collection::vec(one, 1..4)
}

fn damaged(mut bytes: Vec<u8>, damage: &[Damage]) -> Vec<u8> {
    for one in damage {
        let len = bytes.len();
        match one {
            Damage::Flip(at, by) if *at < len => bytes[*at] ^= by,
            Damage::Cut(at, n) if *at < len => drop(bytes.drain(*at..(at + n).min(len))),
            Damage::Insert(at, new) if *at < len => drop(bytes.splice(*at..*at, new.iter().copied())),
            Damage::Stop(at) if *at < len => bytes.truncate(*at),
            _ => {}
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn ours_random_damage_never_panics_loops_or_invents(damage in damage(), how in 0..4_u8) {
        let all = records(8);
        let bytes = match how {
            0 => all.concat(),
            1 => gzip(&all.concat()),
            2 => zstd::encode_all(&all.concat()[..], 1).unwrap(),
            _ => all.iter().flat_map(|r| gzip(r)).collect(),
        };
        let (found, tally) = read(&damaged(bytes.clone(), &damage));
        prop_assert!(found.len() <= 12, "{} records", found.len());
        prop_assert!(tally.damaged() <= 40);
        prop_assert!(found.iter().all(|r| r.body.len() <= 1 << 17));
        if how == 3 {
            // Packed by record, a record that is said to be whole is.
            let (good, _) = read(&bytes);
            for record in found.iter().filter(|r| r.cut.is_none()) {
                prop_assert!(good.contains(record));
            }
            prop_assert!(tally.damaged() <= 3 * damage.len() as u64 + 1, "{:?}", tally);
        }
    }

    #[test]
    fn ours_any_bytes_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..4_000), head in 0..4_usize) {
        let starts: [&[u8]; 4] = [b"", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", b"\x28\xb5\x2f\xfd", b"WARC/1.0\r\nContent-Length: 3\r\n\r\n"];
        let (records, _) = read(&[starts[head], &bytes].concat());
        prop_assert!(records.len() <= 2);
    }

    #[test]
    fn ours_text_made_of_warc_words_is_read_to_its_end(words in prop::collection::vec(0..8_usize, 0..200)) {
        let parts = ["WARC/1.0\r\n", "WARC-Type: response\r\n", "Content-Length: 5\r\n", "\r\n", "\n", "x", " more\r\n", "Content-Length: 70\n"];
        let text: String = words.iter().map(|i| parts[*i]).collect();
        let (records, tally) = read(text.as_bytes());
        prop_assert!(records.len() + usize::try_from(tally.damaged()).unwrap() <= words.len() + 1);
    }
}

#[test]
fn ours_members_that_all_fail_at_one_place_are_tried_in_linear_time() {
    // Heads of members whose data is stored blocks that run to the end: each try would read all of the rest.
    let mut bytes = Vec::new();
    while bytes.len() < 4 << 20 {
        bytes.extend_from_slice(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03");
        bytes.extend_from_slice(b"\x00\xff\xff\x00\x00");
        let end = bytes.len() + 0xffff;
        while bytes.len() < end {
            bytes.extend_from_slice(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x00\xff\xff\x00\x00");
        }
        bytes.truncate(end);
        bytes.push(7);
    }
    let (records, tally) = read(&bytes);
    assert!(records.is_empty() && tally.damaged() > 0);
}
