//! The first trap: every combination of filters in the shop is a page, and links to all that differ in one filter.
//! People hardly touch it; a crawler that does not know better may spend a sixth of its fetches here.

use super::draft::Draft;
use super::page::{Block, MadePage, Role, Section};
use super::shop::{Category, Shelves};
use crate::chance::Chance;
use crate::graph::PageId;

const COLORS: [&str; 10] = ["red", "blue", "green", "black", "white", "gray", "brown", "yellow", "pink", "teal"];
const SIZES: [&str; 6] = ["xs", "s", "m", "l", "xl", "xxl"];
const SORTS: [&str; 3] = ["price", "rating", "name"];
/// Colors at scale 1.
const COLORS_SHOWN: usize = 8;
/// Categories at scale 1 that have a search, if there are so many: a small site has fewer.
const CATEGORIES: usize = 96;
/// Products on a page.
const SHOWN: usize = 6;

/// How many values each filter has, "not set" counted as the first.
struct Filters {
    colors: usize,
    sizes: usize,
    sorts: usize,
}

/// The values set; 0 is not set.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Choice {
    color: usize,
    size: usize,
    sort: usize,
}

impl Filters {
    fn count(&self) -> usize {
        self.colors * self.sizes * self.sorts
    }

    fn choice(&self, n: usize) -> Choice {
        Choice { color: n / self.sorts / self.sizes, size: n / self.sorts % self.sizes, sort: n % self.sorts }
    }

    fn number(&self, choice: Choice) -> usize {
        (choice.color * self.sizes + choice.size) * self.sorts + choice.sort
    }

    /// All choices that differ from one in one filter.
    fn near(&self, of: Choice) -> impl Iterator<Item = Choice> {
        let colors = (0..self.colors).map(move |color| Choice { color, ..of });
        let sizes = (0..self.sizes).map(move |size| Choice { size, ..of });
        let sorts = (0..self.sorts).map(move |sort| Choice { sort, ..of });
        colors.chain(sizes).chain(sorts).filter(move |&near| near != of)
    }
}

impl Choice {
    fn path(self, category: &str) -> String {
        let mut path = format!("/shop/search?cat={category}");
        if let Some(color) = self.color.checked_sub(1) {
            let name = COLORS[color % COLORS.len()];
            path += &format!("&color={name}");
            if color >= COLORS.len() {
                path += &format!("-{}", color / COLORS.len() + 1);
            }
        }
        if let Some(size) = self.size.checked_sub(1) {
            path += &format!("&size={}", SIZES[size]);
        }
        if let Some(sort) = self.sort.checked_sub(1) {
            path += &format!("&sort={}", SORTS[sort]);
        }
        path
    }
}

pub(super) fn build(draft: &mut Draft, shelves: &Shelves) {
    let mut chance = draft.chance(Section::Search);
    let filters = Filters { colors: draft.size(COLORS_SHOWN) + 1, sizes: SIZES.len() + 1, sorts: SORTS.len() + 1 };
    for category in shelves.categories.iter().take(draft.size(CATEGORIES)) {
        combinations(draft, category, &filters, &mut chance);
    }
}

fn combinations(draft: &mut Draft, category: &Category, filters: &Filters, chance: &mut Chance) {
    let name = category.topic.name();
    let trap = |path: String, title: &str| {
        MadePage::new(Section::Search, Role::Trap, path, title).about(category.topic).appeal(0.002)
    };
    let title = format!("Search in {name}");
    // Nothing set is the category itself.
    let pages: Vec<PageId> = (0..filters.count())
        .map(|n| if n == 0 { category.front } else { draft.add(trap(filters.choice(n).path(name), &title)) })
        .collect();
    for (n, &page) in pages.iter().enumerate() {
        for near in filters.near(filters.choice(n)) {
            draft.link(page, pages[filters.number(near)], Block::Aside);
        }
        if n == 0 {
            continue;
        }
        let mut shown = vec![page];
        if chance.happens(0.6) {
            let further = draft.add(trap(filters.choice(n).path(name) + "&page=2", &title));
            draft.link(page, further, Block::Pager);
            draft.link(further, page, Block::Pager);
            shown.push(further);
        }
        for page in shown {
            for _ in 0..SHOWN.min(category.products.len()) {
                let product = *chance.pick(&category.products);
                draft.link(page, product, Block::Body);
            }
        }
    }
}
