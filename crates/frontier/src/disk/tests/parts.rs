//! Each part alone: numbers, names, notes, versions, samples.

use super::*;
use crate::disk::store::Space;
use crate::workbench::shelf::{LaneAt, Tie};
use crate::workbench::slot::Turn;

const NOW: Time = Time(1_000);

#[test]
fn urls_are_numbered_once_in_order_of_first_sight() {
    let folder = tempfile::tempdir().unwrap();
    let url = |number: u32| format!("https://shop.example/{number}");
    let mut frontier = open(folder.path());
    for round in 0..3 {
        for number in 0..20 {
            assert_eq!(frontier.number(&url(number)).unwrap(), UrlId(number), "round {round}");
        }
        assert_eq!(frontier.url(UrlId(7)).unwrap(), Some(url(7)));
        assert_eq!(frontier.find(&url(3)), Some(UrlId(3)));
        if round == 0 {
            frontier.commit().unwrap();
        }
    }
    assert_eq!((frontier.find(&url(20)), frontier.url(UrlId(20)).unwrap()), (None, None));
    assert_eq!(frontier.number(&url(20)).unwrap(), UrlId(20));
    assert_eq!(frontier.url(UrlId(20)).unwrap(), Some(url(20)), "pending ones are seen");
    drop(frontier);
    let mut frontier = open(folder.path());
    assert_eq!(frontier.numbered(), 20, "what was not committed is gone, whole");
    assert_eq!(frontier.number("https://other.example/").unwrap(), UrlId(20));
    assert_eq!(frontier.number(&url(19)).unwrap(), UrlId(19));
}

#[test]
fn ours_what_is_too_long_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut frontier = open(folder.path());
    let long = "x".repeat(100_000);
    assert!(matches!(frontier.number(&long), Err(Error::TooLong { .. })));
    assert!(matches!(frontier.queue(&long), Err(Error::TooLong { .. })));
    assert!(matches!(frontier.note(NoteKind(0), long.as_bytes(), b""), Err(Error::TooLong { .. })));
    assert_eq!((frontier.numbered(), frontier.queues()), (0, 0));
}

#[test]
fn queues_keep_name_pace_and_clock() {
    let folder = tempfile::tempdir().unwrap();
    let mut frontier = open(folder.path());
    let (shop, blog) = (frontier.queue("shop.example").unwrap(), frontier.queue("blog.example").unwrap());
    assert_eq!((shop, frontier.queue("shop.example").unwrap()), (QueueId(0), shop));
    for (queue, url) in [(shop, "a"), (shop, "b"), (blog, "c")] {
        let number = frontier.number(url).unwrap();
        frontier.offer(queue, number, lane(0), NOW).unwrap();
    }
    frontier.set_pace(shop, Pace { delay: Span::seconds(5), at_once: 1 });
    frontier.hold(blog, Time(9_000));
    assert!(frontier.take(blog, Pick::Best, LEASE, NOW).unwrap().is_none(), "it is held");
    let leased = frontier.take(shop, Pick::Best, LEASE, NOW).unwrap().unwrap();
    frontier.settle(leased.lease, Disposition::Done, NOW).unwrap();
    for _ in 0..2 {
        assert_eq!((frontier.queue_name(shop), frontier.queue_name(blog)), ("shop.example", "blog.example"));
        assert_eq!((frontier.queues(), frontier.find_queue("blog.example")), (2, Some(blog)));
        assert_eq!((frontier.waiting(), frontier.waiting_in(shop), frontier.waiting_in(blog)), (2, 1, 1));
        assert_eq!(frontier.due_queue(NOW), Due::At(Time(6_000)));
        frontier.commit().unwrap();
        drop(frontier);
        frontier = open(folder.path());
    }
    assert_eq!(drain(&mut frontier, Time(8_999)), [1]);
    assert_eq!(drain(&mut frontier, Time(9_000)), [2]);
}

#[test]
fn leases_survive_and_can_be_given_back_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut frontier = open(folder.path());
    for (url, placement) in [("a", lane(0)), ("b", lane(0)), ("c", exact(1.0)), ("d", lane(0))] {
        let number = frontier.number(url).unwrap();
        frontier.offer(QueueId(0), number, placement, NOW).unwrap();
    }
    let mut out = Vec::new();
    for _ in 0..3 {
        out.push(frontier.take(QueueId(0), Pick::Best, LEASE, NOW).unwrap().unwrap());
    }
    assert_eq!(out.iter().map(|leased| leased.key.0).collect::<Vec<_>>(), [2, 0, 1]);
    frontier.sync().unwrap();
    drop(frontier);
    let mut frontier = open(folder.path());
    frontier.settle(out[1].lease, Disposition::Done, NOW).unwrap();
    assert_eq!(frontier.waiting(), 1);
    frontier.release_leases();
    assert_eq!(frontier.waiting(), 3);
    assert!(matches!(frontier.settle(out[2].lease, Disposition::Done, NOW), Err(Error::NoSuchLease(_))));
    assert_eq!(drain(&mut frontier, NOW), [2, 1, 3]);
}

#[test]
fn notes_are_of_the_same_moment_as_the_frontier() {
    let folder = tempfile::tempdir().unwrap();
    let (kind, other) = (NoteKind(7), NoteKind(8));
    let mut frontier = open(folder.path());
    for key in [b"c", b"a", b"b"] {
        frontier.note(kind, key, &key.repeat(2)).unwrap();
    }
    frontier.note(other, b"a", b"not this").unwrap();
    frontier.commit().unwrap();
    frontier.note(kind, b"d", b"new").unwrap();
    frontier.note(kind, b"a", b"changed").unwrap();
    frontier.forget_note(kind, b"b").unwrap();
    let keys = |notes: Vec<Note>| notes.into_iter().map(|note| note.key).collect::<Vec<_>>();
    assert_eq!(keys(frontier.notes(kind, b"", 9).unwrap()), [b"a", b"c", b"d"]);
    assert_eq!(keys(frontier.notes(kind, b"b", 1).unwrap()), [b"c"]);
    assert_eq!(frontier.note_of(kind, b"a").unwrap(), Some(b"changed".to_vec()));
    assert_eq!(frontier.note_of(kind, b"b").unwrap(), None);
    drop(frontier);
    let frontier = open(folder.path());
    assert_eq!(keys(frontier.notes(kind, b"", 9).unwrap()), [b"a", b"b", b"c"]);
    assert_eq!(frontier.note_of(kind, b"a").unwrap(), Some(b"aa".to_vec()));
}

#[test]
fn ours_another_version_is_refused_and_a_folder_has_one_user() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = open(folder.path());
    let second = DiskFrontier::open(folder.path(), TINY, Rotation::Even);
    assert!(matches!(second, Err(Error::InUse(_))), "{second:?}");
    let version = (Space::Meta, "version".as_bytes().into(), Some(99_u32.to_be_bytes().into()));
    frontier.shelf.store.commit([version].into_iter(), Durable::Power).unwrap();
    drop(frontier);
    let newer = DiskFrontier::open(folder.path(), TINY, Rotation::Even);
    assert!(matches!(newer, Err(Error::Version { found: 99, known: VERSION, .. })), "{newer:?}");
}

#[test]
fn ours_only_numbered_urls_can_be_offered() {
    fn can_be_sent<T: Send>(_: &T) {}
    let folder = tempfile::tempdir().unwrap();
    let mut frontier = open(folder.path());
    can_be_sent(&frontier);
    let offered = frontier.offer(QueueId(0), UrlId(0), lane(0), NOW);
    assert!(matches!(offered, Err(Error::NoSuchUrl(UrlId(0)))), "{offered:?}");
    assert!(!frontier.knows(UrlId(0)) && frontier.waiting() == 0);
}

#[test]
fn ours_the_seed_is_that_of_the_first_day() {
    let folder = tempfile::tempdir().unwrap();
    let mut frontier = open(folder.path());
    frontier.number("http://a.example/").unwrap();
    frontier.commit().unwrap();
    drop(frontier);
    let other = DiskSettings { seed: 43, ..TINY };
    let frontier = DiskFrontier::open(folder.path(), other, Rotation::Even).unwrap();
    assert_eq!(frontier.find("http://a.example/"), Some(UrlId(0)));
}

#[test]
fn ours_damage_is_an_error_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = open(folder.path());
    let entry = record::Entry {
        at: LaneAt { queue: QueueId(0), lane: LaneId(0) },
        spot: record::Spot { sort: 1, tie: Tie::default(), number: UrlId(5), turn: Turn(0) },
    };
    let entry = (Space::Lanes, entry.key()[..].into(), Some([].into()));
    frontier.shelf.store.commit([entry].into_iter(), Durable::Power).unwrap();
    drop(frontier);
    let damaged = DiskFrontier::open(folder.path(), TINY, Rotation::Even);
    assert!(matches!(damaged, Err(Error::Damaged { .. })), "{damaged:?}");
}

#[test]
fn lanes_and_samples_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut frontier = open(folder.path());
    for number in 0..300 {
        assert_eq!(frontier.number(&number.to_string()).unwrap(), UrlId(number));
        frontier.offer(QueueId(0), UrlId(number), lane(number % 3), NOW).unwrap();
    }
    for _ in 0..2 {
        assert_eq!(frontier.lanes(QueueId(0)), [LaneId(0), LaneId(1), LaneId(2)]);
        for id in 0..3 {
            let sample = frontier.sample(QueueId(0), LaneId(id));
            assert!(sample.len() == 64 && sample.iter().all(|url| url.0 % 3 == id), "{sample:?}");
        }
        frontier.commit().unwrap();
        drop(frontier);
        frontier = open(folder.path());
    }
    assert!(frontier.lanes(QueueId(9)).is_empty() && frontier.sample(QueueId(0), LaneId(9)).is_empty());
}

#[test]
fn ours_lanes_that_urls_have_left_are_on_disk_only_and_go_with_the_last_url() {
    let folder = tempfile::tempdir().unwrap();
    let mut frontier = open(folder.path());
    let site = frontier.queue("shop.example").unwrap();
    let entries = |frontier: &DiskFrontier| frontier.shelf.store.all(Space::Lanes).count();
    for number in 0..10 {
        let key = frontier.number(&number.to_string()).unwrap();
        frontier.offer(site, key, lane(0), NOW).unwrap();
    }
    // As links are found, all rise from lane to lane.
    for to in 1..8 {
        for number in 0..10 {
            frontier.place(UrlId(number), lane(to)).unwrap();
        }
        frontier.commit().unwrap();
        assert_eq!(frontier.lanes(site), [LaneId(to)]);
        assert_eq!(frontier.all_lanes(site).len(), to as usize + 1);
    }
    assert_eq!(entries(&frontier), 80);
    drop(frontier);
    let mut frontier = open(folder.path());
    assert_eq!((frontier.lanes(site), frontier.all_lanes(site).len()), (vec![LaneId(7)], 8));
    // What comes back to a lane comes anew, behind what came before, though its old entry is still there.
    frontier.place(UrlId(6), lane(3)).unwrap();
    frontier.place(UrlId(2), lane(3)).unwrap();
    let mut taken = Vec::new();
    while frontier.due_queue(NOW) == Due::Queue(site) {
        let pick = if taken.len() < 2 { Pick::Lane(LaneId(3)) } else { Pick::Best };
        let leased = frontier.take(site, pick, LEASE, NOW).unwrap().unwrap();
        frontier.settle(leased.lease, Disposition::Done, NOW).unwrap();
        taken.push(leased.key.0);
    }
    assert_eq!(taken, [6, 2, 0, 1, 3, 4, 5, 7, 8, 9]);
    frontier.commit().unwrap();
    assert_eq!((entries(&frontier), frontier.all_lanes(site)), (0, vec![]), "nothing of it will ever count");
}
