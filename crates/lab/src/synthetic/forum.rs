//! The forum: boards list threads, threads grow page by page, and every post links to its author.
//!
//! A thread that many like gets many posts. Posts come quickly at first: the age of a thread at a post is 25 days
//! times the cube of a uniform draw.

use super::draft::Draft;
use super::page::{Block, MadePage, Role, Section};
use super::profiles::Members;
use super::time::{DAY, Moment};
use super::topics::{MadeTopic, capitalized};
use crate::chance::Chance;
use crate::graph::PageId;

const BEFORE: usize = 1_500;
const A_DAY: f64 = 15.0;
/// Boards, each about a topic.
const BOARDS: usize = 12;
const POSTS_ON_A_PAGE: usize = 10;
const MOST_POSTS: f64 = 90.0;

/// The forum's front and its boards' listings.
pub(super) struct Boards {
    pub(super) front: PageId,
    pub(super) newest: Vec<usize>,
}

pub(super) fn build(draft: &mut Draft, members: &Members) -> Boards {
    let mut chance = draft.chance(Section::Forum);
    let front = draft.add(MadePage::new(Section::Forum, Role::Front, "/forum/", "Forum").appeal(1.5));
    let boards: Vec<PageId> = (1..=BOARDS)
        .map(|board| {
            let topic = MadeTopic::nth(board * 7);
            let page = MadePage::new(Section::Forum, Role::Front, format!("/forum/board-{board}/"), board_title(topic));
            let board = draft.add(page.about(topic).appeal(1.5));
            draft.link(front, board, Block::Body);
            draft.link(board, front, Block::Aside);
            board
        })
        .collect();
    let mut threads = vec![Vec::new(); BOARDS];
    for (number, born) in (1_001..).zip(draft.births(BEFORE, A_DAY, &mut chance)) {
        let board = chance.below(BOARDS);
        let topic = MadeTopic::nth((board + 1) * 7);
        let thread = thread(draft, members, number, topic, born, &mut chance);
        threads[board].push(thread);
    }
    let newest: Vec<usize> = (1..)
        .zip(boards.iter().zip(threads))
        .map(|(number, (&board, threads))| {
            let listing = draft.listing(board, threads, 25, |page| format!("/forum/board-{number}/page-{page}.html"));
            draft.leaf_through(listing);
            listing
        })
        .collect();
    draft.show_heads(front, newest.iter().map(|&listing| (listing, 2)).collect());
    Boards { front, newest }
}

fn board_title(topic: MadeTopic) -> String {
    format!("{} board", capitalized(topic.name()))
}

/// Adds the pages of a thread; returns the first.
fn thread(
    draft: &mut Draft,
    members: &Members,
    number: usize,
    topic: MadeTopic,
    born: Moment,
    chance: &mut Chance,
) -> PageId {
    let title = capitalized(&topic.title(chance));
    let quality = chance.heavy(40.0);
    let count = 1 + (quality * 2.5 * chance.unit() * 2.0).min(MOST_POSTS) as usize;
    let mut posts: Vec<Moment> = (1..count)
        .map(|_| {
            let u = chance.unit();
            born + (25.0 * DAY as f64 * u * u * u) as i64
        })
        .filter(|&at| at < draft.end)
        .collect();
    posts.push(born);
    posts.sort_unstable();
    let mut pages: Vec<PageId> = Vec::new();
    for (part, posts) in (1..).zip(posts.chunks(POSTS_ON_A_PAGE)) {
        let page = if part == 1 {
            MadePage::new(Section::Forum, Role::Item, format!("/forum/thread-{number}.html"), title.clone())
                .appeal(1.1 * quality)
        } else {
            let path = format!("/forum/thread-{number}-{part}.html");
            MadePage::new(Section::Forum, Role::Part, path, format!("{title}, page {part}")).appeal(0.6 * quality)
        };
        let page = draft.add(page.about(topic).born(posts[0]));
        for &at in posts {
            let known = members.profiles.partition_point(|&profile| draft.born(profile) <= at);
            // Whoever has been here longer writes more.
            let u = chance.unit();
            let author = members.profiles[((u * u * known as f64) as usize).min(known.saturating_sub(1))];
            draft.link_since(page, author, Block::Aside, at);
            if chance.happens(0.3) {
                draft.link_since(author, pages.first().copied().unwrap_or(page), Block::Body, at);
            }
        }
        if let Some(&before) = pages.last() {
            draft.link(before, page, Block::Pager);
            draft.link(page, before, Block::Pager);
            if pages.len() > 1 {
                draft.link(page, pages[0], Block::Ends);
            }
        }
        pages.push(page);
    }
    pages[0]
}
