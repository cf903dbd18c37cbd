//! The shop: categories, products whose prices change, and reviews of every other product.

use super::draft::{Draft, Part};
use super::page::{Block, MadePage, Role, Section};
use super::time::Moment;
use super::topics::{MadeTopic, capitalized, slug};
use crate::graph::PageId;

const BEFORE: usize = 1_300;
const A_DAY: f64 = 7.0;
const CATEGORIES: usize = 12;

/// The shop's front, and what the filtered search of `search` is about.
pub(super) struct Shelves {
    pub(super) part: Part,
    pub(super) categories: Vec<Category>,
}

/// A category and its products.
pub(super) struct Category {
    pub(super) topic: MadeTopic,
    pub(super) front: PageId,
    pub(super) products: Vec<PageId>,
}

pub(super) fn build(draft: &mut Draft) -> Shelves {
    let mut chance = draft.chance(Section::Shop);
    let front = draft.add(MadePage::new(Section::Shop, Role::Front, "/shop/", "Shop").appeal(1.5));
    let all = draft.add(MadePage::new(Section::Shop, Role::Front, "/shop/new", "New in the shop").appeal(0.8));
    draft.link(front, all, Block::Aside);
    let mut categories: Vec<Category> = (0..CATEGORIES)
        .map(|category| {
            let topic = MadeTopic::nth(category * 3 + 1);
            let title = format!("Everything for {}", topic.name());
            let page = MadePage::new(Section::Shop, Role::Front, format!("/shop/c/{}/", topic.name()), title);
            let category = draft.add(page.about(topic).appeal(1.5));
            draft.link(front, category, Block::Body);
            draft.link(category, front, Block::Aside);
            Category { topic, front: category, products: Vec::new() }
        })
        .collect();
    for (number, born) in (10_000..).zip(draft.births(BEFORE, A_DAY, &mut chance)) {
        let category = &mut categories[chance.below(CATEGORIES)];
        let topic = category.topic;
        let title = topic.title(&mut chance);
        let path = format!("/shop/product/{}-{number}", slug(&title));
        let quality = chance.heavy(40.0);
        let page = MadePage::new(Section::Shop, Role::Item, path.clone(), capitalized(&title)).about(topic).born(born);
        let product = draft.add(page.appeal(0.6 * quality));
        draft.link(product, category.front, Block::Aside);
        let prices = chance.below(4);
        draft.revise(product, prices, &mut chance);
        category.products.push(product);
        let reviewed = Moment::between(born, draft.end, &mut chance);
        if chance.happens(0.5) {
            let page = MadePage::new(Section::Shop, Role::Part, path + "/reviews", format!("Reviews: {title}"));
            let reviews = draft.add(page.about(topic).born(reviewed).appeal(0.12 * quality));
            draft.link(product, reviews, Block::Body);
            draft.link(reviews, product, Block::Body);
            let more = chance.below(5);
            draft.revise(reviews, more, &mut chance);
        }
    }
    for category in &categories {
        let name = category.topic.name();
        let products = category.products.clone();
        let listing = draft.listing(category.front, products, 24, |page| format!("/shop/c/{name}/page-{page}"));
        draft.leaf_through(listing);
    }
    let products = categories.iter().flat_map(|category| category.products.iter().copied()).collect();
    let newest = draft.listing(all, products, 24, |page| format!("/shop/new?page={page}"));
    draft.show_heads(front, vec![(newest, 12)]);
    Shelves { part: Part { front, newest }, categories }
}
