//! What is written is read again, and what is damaged is not read.

use super::*;

const PRIORITY: Priority = Priority { tier: 3, value: -0.5 };

#[test]
fn what_is_written_is_read_again() {
    let at = LaneAt { queue: QueueId(7), lane: LaneId(u32::MAX) };
    for tie in [Tie::default(), Tie::by(""), Tie::by("http://a.example/ä")] {
        let entry = Entry { at, spot: Spot { sort: 1 << 40, tie, number: UrlId(9), turn: Turn(700) } };
        assert_eq!(Entry::read(&entry.key()).as_ref(), Some(&entry));
        for written in [entry.spot.sort, 5] {
            assert_eq!(entry.written(&entry.value(written)), Some(written));
        }
    }
    for home in [Home::Lane(LaneId(4)), Home::Exact(PRIORITY)] {
        let deferred = Deferred { until: Time(2), home };
        let deferred = DeferredRecord { queue: QueueId(1), turn: Turn(3), deferred };
        assert_eq!(DeferredRecord::read(&deferred.bytes()), Some(deferred));
        for place in [Place::Alone, Place::Line(3), Place::Dated(Time(4))] {
            let lease = Lease { key: UrlId(8), priority: PRIORITY, place, ends: Time(99) };
            let out = Out { queue: QueueId(2), turn: Turn(5), home, lease };
            let read = Out::read(&out.bytes()).unwrap();
            let told = (read.turn, read.home, read.lease.place, read.lease.ends);
            assert_eq!(told, (Turn(5), home, place, Time(99)));
        }
    }
    for standing in [Standing::Parked, Standing::Awake, Standing::Asleep(Time(3))] {
        let pace = Pace { delay: Span(4), at_once: 5 };
        let (next_at, held_until, name) = (Time(6), Time(7), "shop.example".to_owned());
        let queue = QueueRecord { pace, next_at, held_until, done_limit: 3, pass: 8, weight: 0.25, standing, name };
        assert_eq!(QueueRecord::read(&queue.bytes()), Some(queue));
    }
    let done = Done { queue: QueueId(4), turn: Turn(1) };
    assert_eq!(Done::read(&done.bytes()), Some(done));
    let removed = Removed { turn: Turn(9) };
    assert_eq!(Removed::read(&removed.bytes()), Some(removed));
    let text = LaterText { turn: Turn(2), created: Time(77), text: "http://a.example/ä".to_owned() };
    assert_eq!(LaterText::read(&text.bytes()), Some(text));
    let counters = Counters { written: 1, lease: 2, pass: 3, weights: (0.1, 4) };
    assert_eq!(Counters::read(&counters.bytes()), Some(counters));
}

/// A change that makes this fail changes the format, and needs a new version with a new file.
#[test]
fn ours_what_format_5_wrote_is_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/state-5.hex");
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| {
        let (name, hex) = line.split_once(' ').unwrap();
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (name.to_owned(), (0..hex.len()).step_by(2).map(byte).collect::<Vec<u8>>())
    };
    let written: std::collections::BTreeMap<String, Vec<u8>> = text.lines().map(row).collect();
    let of = |name: &str| &written[name][..];
    let at = LaneAt { queue: QueueId(7), lane: LaneId(4) };
    for (name, tie) in [("entry-key", Tie::default()), ("dated-key", Tie::by("http://a.example/"))] {
        let entry = Entry { at, spot: Spot { sort: 1 << 40, tie, number: UrlId(9), turn: Turn(700) } };
        assert_eq!((&entry.key()[..], Entry::read(of(name))), (of(name), Some(entry)));
    }
    let done = Done { queue: QueueId(4), turn: Turn(1) };
    assert_eq!((Done::read(of("done")), &done.bytes()[..]), (Some(done), of("done")));
    let lease = Lease { key: UrlId(8), priority: PRIORITY, place: Place::Line(3), ends: Time(99) };
    let out = Out { queue: QueueId(2), turn: Turn(5), home: Home::Exact(PRIORITY), lease };
    assert!(Out::read(of("lease")).is_some_and(|read| read.lease.place == Place::Line(3)));
    assert_eq!(out.bytes(), of("lease"));
    let queue = QueueRecord {
        pace: Pace { delay: Span(4), at_once: 5 },
        next_at: Time(6),
        held_until: Time(7),
        done_limit: 3,
        pass: 8,
        weight: 0.25,
        standing: Standing::Asleep(Time(11)),
        name: "shop.example".to_owned(),
    };
    assert_eq!((&queue.bytes()[..], QueueRecord::read(of("queue"))), (of("queue"), Some(queue)));
    let removed = Removed { turn: Turn(9) };
    assert_eq!((Removed::read(of("removed")), &removed.bytes()[..]), (Some(removed), of("removed")));
    let text = LaterText { turn: Turn(2), created: Time(77), text: "http://a.example/".to_owned() };
    assert_eq!((&text.bytes()[..], LaterText::read(of("text"))), (of("text"), Some(text)));
    let deferred = Deferred { until: Time(2), home: Home::Lane(LaneId(4)) };
    let deferred = DeferredRecord { queue: QueueId(1), turn: Turn(3), deferred };
    assert_eq!((DeferredRecord::read(of("deferred")), &deferred.bytes()[..]), (Some(deferred), of("deferred")));
    let exact = Exact { queue: QueueId(1), turn: Turn(2), priority: PRIORITY };
    assert_eq!((Exact::read(of("exact")), &exact.bytes()[..]), (Some(exact), of("exact")));
    let counters = Counters { written: 1, lease: 2, pass: 3, weights: (0.1, 4) };
    assert_eq!((Counters::read(of("counters")), &counters.bytes()[..]), (Some(counters), of("counters")));
}

#[test]
fn what_is_too_short_too_long_or_unheard_of_is_not_read() {
    let exact = Exact { queue: QueueId(1), turn: Turn(2), priority: PRIORITY }.bytes();
    for length in 0..exact.len() {
        assert_eq!(Exact::read(&exact[..length]), None);
    }
    assert_eq!(Exact::read(&[&exact[..], &[0]].concat()), None);
    let deferred = Deferred { until: Time(2), home: Home::Lane(LaneId(3)) };
    let mut bytes = DeferredRecord { queue: QueueId(1), turn: Turn(0), deferred }.bytes();
    bytes[14] = 3;
    assert_eq!(DeferredRecord::read(&bytes), None);
}

#[test]
fn ours_keys_sort_as_entries_do() {
    let entry = |queue, lane, sort, tie: Option<&str>, number| Entry {
        at: LaneAt { queue: QueueId(queue), lane: LaneId(lane) },
        spot: Spot { sort, tie: tie.map(Tie::by).unwrap_or_default(), number: UrlId(number), turn: Turn(0) },
    };
    let entries = [
        entry(0, 256, 0, None, 9),
        entry(1, 0, 0, None, 0),
        entry(1, 0, 255, None, 7),
        entry(1, 0, 256, None, 1),
        entry(1, 0, 256, None, 300),
        entry(1, 1, 5, Some("a"), 300),
        entry(1, 1, 5, Some("a!"), 2),
        entry(1, 1, 5, Some("ab"), 1),
        entry(1, 1, 5, Some("b"), 0),
        entry(1, 1, 6, Some("a"), 0),
    ];
    assert!(entries.is_sorted() && entries.iter().map(Entry::key).is_sorted());
}

#[test]
fn ours_a_damaged_key_is_not_read() {
    let at = LaneAt { queue: QueueId(1), lane: LaneId(2) };
    let spot = Spot { sort: 3, tie: Tie::by("ab"), number: UrlId(4), turn: Turn(5) };
    let key = Entry { at, spot }.key();
    assert!((0..key.len()).all(|length| Entry::read(&key[..length]) != Entry::read(&key)));
    assert_eq!(Entry::read(&key[..21]), None);
    let mut bad = key.clone();
    bad[16] = 0xff;
    assert_eq!(Entry::read(&bad), None, "no text");
    let mut bad = key;
    bad[18] = b'c';
    assert_eq!(Entry::read(&bad), None, "a text without an end");
}
