//! What people write at length: guides, which do not age, and a blog by author.

use super::draft::{Draft, Part};
use super::page::{Block, MadePage, Role, Section};
use super::profiles::name;
use super::topics::{MadeTopic, capitalized, slug};
use crate::graph::PageId;

const GUIDES: usize = 350;
const GUIDES_A_DAY: f64 = 1.5;
const POSTS: usize = 300;
const POSTS_A_DAY: f64 = 3.0;
const AUTHORS: usize = 8;

pub(super) fn guides(draft: &mut Draft) -> Part {
    let mut chance = draft.chance(Section::Guides);
    let front = draft.add(MadePage::new(Section::Guides, Role::Front, "/guides/", "Guides").appeal(1.2));
    let mut guides = Vec::new();
    for born in draft.births(GUIDES, GUIDES_A_DAY, &mut chance) {
        let topic = MadeTopic::any(&mut chance);
        let title = topic.title(&mut chance);
        let page = MadePage::new(Section::Guides, Role::Item, format!("/guides/{}", slug(&title)), capitalized(&title));
        guides.push(draft.add(page.about(topic).born(born).appeal(1.2 * chance.heavy(40.0))));
    }
    let newest = draft.listing(front, guides, 20, |number| format!("/guides/page/{number}"));
    draft.leaf_through(newest);
    Part { front, newest }
}

pub(super) fn blog(draft: &mut Draft) -> Part {
    let mut chance = draft.chance(Section::Blog);
    let front = draft.add(MadePage::new(Section::Blog, Role::Front, "/blog/", "Blog").appeal(1.0));
    // Each writes about a topic of their own, mostly.
    let mut authors: Vec<(String, MadeTopic, PageId, Vec<PageId>)> = (0..AUTHORS)
        .map(|_| {
            let (name, topic) = (name(&mut chance), MadeTopic::any(&mut chance));
            let page = MadePage::new(Section::Blog, Role::Front, format!("/blog/{name}/"), format!("Posts of {name}"));
            let author = draft.add(page.about(topic).appeal(0.5));
            draft.link(front, author, Block::Aside);
            (name, topic, author, Vec::new())
        })
        .collect();
    for born in draft.births(POSTS, POSTS_A_DAY, &mut chance) {
        let (name, favorite, author, posts) = &mut authors[chance.below(AUTHORS)];
        let topic = if chance.happens(0.6) { *favorite } else { MadeTopic::any(&mut chance) };
        let title = topic.title(&mut chance);
        let path = format!("/blog/{name}/{}", slug(&title));
        let page = MadePage::new(Section::Blog, Role::Item, path, capitalized(&title)).about(topic).born(born);
        let post = draft.add(page.appeal(0.8 * chance.heavy(40.0)));
        draft.link(post, *author, Block::Aside);
        posts.push(post);
    }
    let all = authors.iter().flat_map(|author| author.3.iter().copied()).collect();
    for (name, _, author, posts) in authors {
        draft.listing(author, posts, 20, |number| format!("/blog/{name}/page/{number}"));
    }
    let newest = draft.listing(front, all, 20, |number| format!("/blog/page/{number}"));
    draft.leaf_through(newest);
    Part { front, newest }
}
