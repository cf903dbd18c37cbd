//! Two queues: what speaks of the topic first.

use std::sync::Arc;

use trodden_ordering::Predicate;
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::policy::opic::Opic;
use trodden_ordering::policy::similarity::{Reach, Similarity};

use crate::world::{Policy, World, order};

fn around(reach: Reach, inner: Policy) -> Policy {
    around_topic("space", reach, inner)
}

fn around_topic(topic: &str, reach: Reach, inner: Policy) -> Policy {
    Box::new(Similarity::new(Predicate::parse(topic).unwrap(), Arc::default(), reach, inner))
}

#[test]
fn ours_two_queues_take_expressions() {
    // By words 2 and 4 would be hot; 2 is excluded by its URL, and 3 is hot by it.
    let mut world = World::of(&[&[1, 2, 3, 4], &[], &[], &[], &[]]);
    world.pages[0].links[1].1 = "Outer Space".to_owned();
    world.pages[0].links[3].1 = "Space".to_owned();
    let topic = "(space or url:/3) and not url:/2";
    assert_eq!(order(&world, around_topic(topic, Reach::Words, Box::new(BreadthFirst::default()))), [0, 3, 4, 1, 2]);
    // Near a page that holds: 1 by its title, and only if its body does not say otherwise.
    let mut world = World::of(&[&[1, 2], &[3], &[4], &[], &[]]);
    world.pages[2].title = "On space".to_owned();
    world.pages[1].title = "On space".to_owned();
    world.pages[1].body = "fiction".to_owned();
    let near = around_topic("title:space and not body:fiction", Reach::Near, Box::new(BreadthFirst::default()));
    assert_eq!(order(&world, near), [0, 1, 2, 4, 3]);
}

#[test]
fn www98_a_topic_word_in_anchor_or_url_makes_a_link_hot() {
    let mut world = World::of(&[&[1, 2, 3, 4], &[], &[5], &[], &[], &[]]);
    world.pages[0].links[1].1 = "Outer Space".to_owned();
    world.pages[4].url = "http://site.test/space-age".to_owned();
    assert_eq!(order(&world, around(Reach::Words, Box::new(BreadthFirst::default()))), [0, 2, 4, 1, 3, 5]);
    assert_eq!(order(&world, Box::new(BreadthFirst::default())), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn ours_a_later_link_with_the_word_makes_a_waiting_url_hot() {
    // 3 waits as a cold URL until 1 links to it by the word.
    let mut world = World::of(&[&[1, 2, 3], &[3], &[], &[]]);
    world.pages[1].links[0].1 = "space".to_owned();
    for inner in [Box::new(BreadthFirst::default()) as Policy, Box::new(Opic::new(1))] {
        assert_eq!(order(&world, around(Reach::Words, inner)), [0, 1, 3, 2]);
    }
}

#[test]
fn www98_the_first_link_decides_for_good_in_the_crawler_of_the_paper() {
    // 3 is found by a link without the word first, 4 by one with it.
    let mut world = World::of(&[&[1, 2, 3], &[3, 4], &[], &[], &[]]);
    world.pages[1].links[0].1 = "space".to_owned();
    world.pages[1].links[1].1 = "space".to_owned();
    let once = around(Reach::FirstLink, Box::new(BreadthFirst::default()));
    assert_eq!(order(&world, once), [0, 1, 4, 2, 3]);
    let words = around(Reach::Words, Box::new(BreadthFirst::default()));
    assert_eq!(order(&world, words), [0, 1, 4, 3, 2]);
}

#[test]
fn www98_near_takes_what_is_within_three_links_of_a_hot_page() {
    // 0 → 1 2; 2 is hot by its title and starts a chain 3 → 4 → 5 → 6, of which three are near.
    let mut world = World::of(&[&[1, 2], &[7], &[3], &[4], &[5], &[6], &[], &[]]);
    world.pages[2].title = "All about space".to_owned();
    let near = around(Reach::Near, Box::new(BreadthFirst::default()));
    assert_eq!(order(&world, near), [0, 1, 2, 3, 4, 5, 7, 6]);
    let words = around(Reach::Words, Box::new(BreadthFirst::default()));
    assert_eq!(order(&world, words), [0, 1, 2, 7, 3, 4, 5, 6]);
}

#[test]
fn www98_ten_words_in_the_body_make_a_page_hot_and_nine_do_not() {
    for (words, expected) in [(10, [0, 1, 3, 2, 4]), (9, [0, 1, 2, 3, 4])] {
        let mut world = World::of(&[&[1, 2], &[3], &[4], &[], &[]]);
        world.pages[1].body = "space ".repeat(words);
        assert_eq!(order(&world, around(Reach::Near, Box::new(BreadthFirst::default()))), expected, "{words}");
    }
}
