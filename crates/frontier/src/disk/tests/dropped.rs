//! Texts of removed URLs, on disk: they are dropped, and their numbers free, whenever it is opened again.

use super::*;
use crate::{Frontier, Placement, Rotation};

const URLS: u32 = 640;

fn url(number: u32, round: u32) -> String {
    format!("http://site.test/a-rather-long-folder/of-round-{round}/page-{number}.html")
}

fn opened(memory: &WrittenMemory) -> DiskFrontier {
    DiskFrontier::open_in_memory(memory.clone(), DiskSettings { recent: 16, ..DiskSettings::default() }, Rotation::Even)
        .unwrap()
}

fn put(frontier: &mut DiskFrontier, round: u32, numbers: impl Iterator<Item = u32>) {
    let queue = frontier.queue("site.test").unwrap();
    for number in numbers {
        let key = frontier.number(&url(number, round)).unwrap();
        frontier.offer(queue, key, Placement::Lane(crate::LaneId(0)), Time(0)).unwrap();
    }
}

fn text_bytes(memory: &WrittenMemory) -> usize {
    memory.bytes(store::Space::Urls)
}

#[test]
fn ours_texts_of_removed_urls_go_and_the_others_stay() {
    let memory = WrittenMemory::default();
    let mut frontier = opened(&memory);
    put(&mut frontier, 0, 0..URLS);
    frontier.commit().unwrap();
    let all = text_bytes(&memory);
    // Three of four of the first half.
    let is_removed = |number: u32| number < URLS / 2 && !number.is_multiple_of(4);
    for number in (0..URLS).filter(|number| is_removed(*number)) {
        assert!(frontier.remove(UrlId(number)).unwrap());
        assert_eq!(frontier.url(UrlId(number)).unwrap(), Some(url(number, 0)), "it may be spoken of");
    }
    frontier.commit().unwrap();
    assert_eq!(text_bytes(&memory), all);
    frontier.free_removed().unwrap();
    frontier.commit().unwrap();
    let left = text_bytes(&memory);
    assert!(left < all * 3 / 4, "{left} of {all}");
    for frontier in [&frontier, &opened(&memory)] {
        for number in 0..URLS {
            let found = frontier.find(&url(number, 0));
            assert_eq!(found, (!is_removed(number)).then_some(UrlId(number)));
            if found.is_some() {
                assert_eq!(frontier.url(UrlId(number)).unwrap(), Some(url(number, 0)));
            }
        }
    }
    // Numbers of dropped texts are free, whoever opens it.
    let mut frontier = opened(&memory);
    assert_eq!(frontier.unused_numbers(), (URLS / 2 - URLS / 8) as usize);
    put(&mut frontier, 1, [1, 2, 3].into_iter());
    assert_eq!([1, 2, 3].map(|number| frontier.find(&url(number, 1))), [1, 2, 3].map(|number| Some(UrlId(number))));
}

#[test]
fn ours_urls_that_come_and_go_do_not_fill_the_disk() {
    let memory = WrittenMemory::default();
    let mut frontier = opened(&memory);
    put(&mut frontier, 0, 0..URLS);
    frontier.commit().unwrap();
    let mut sizes = Vec::new();
    for round in 1..12 {
        for number in 0..URLS {
            frontier.remove(UrlId(number)).unwrap();
        }
        frontier.commit().unwrap();
        frontier.free_removed().unwrap();
        sizes.push(memory.bytes(store::Space::Urls) + memory.bytes(store::Space::State));
        put(&mut frontier, round, 0..URLS);
        frontier.commit().unwrap();
        if round % 3 == 0 {
            frontier = opened(&memory);
        }
        assert_eq!(frontier.numbered(), URLS, "numbers go round");
        let text = frontier.url(UrlId(7)).unwrap();
        assert_eq!(text, Some(url(7, round)));
    }
    assert!(sizes[10] <= sizes[3] + sizes[3] / 20, "{sizes:?}");
}

#[test]
fn ours_a_text_that_is_not_written_yet_is_dropped_later() {
    let memory = WrittenMemory::default();
    let mut frontier = opened(&memory);
    put(&mut frontier, 0, 0..2);
    frontier.remove(UrlId(1)).unwrap();
    frontier.free_removed().unwrap();
    put(&mut frontier, 1, 1..2);
    frontier.commit().unwrap();
    let frontier = opened(&memory);
    assert_eq!([0, 1].map(|key| frontier.url(UrlId(key)).unwrap()), [Some(url(0, 0)), Some(url(1, 1))]);
}
