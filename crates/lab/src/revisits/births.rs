//! When is which page born, and where is a link to it?
//!
//! In a mirror a born page is linked from the pages that link to it. A table of changes says nothing of links, so there it is linked from its
//! nearest ancestor by path that is there at its birth: `/a/b/c` from `/a/b`, else `/a/`, else the home page.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::lives::PageLives;
use crate::graph::LinkGraph;
use crate::urls::{UrlTexts, identity};

/// A page is born while the crawl runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Birth {
    /// The page.
    pub page: u32,
    /// When, in days.
    pub day: f64,
    /// Pages that link to it from then on.
    pub linked_from: Vec<u32>,
}

/// All births that a link leads to, in the order of time; a page that is there at the beginning has none, unless it goes and is born again.
fn births(lives: &PageLives, linked_from: impl Fn(u32, f64) -> Vec<u32>) -> Vec<Birth> {
    let mut births = Vec::new();
    for (page, life) in (0..).zip(&lives.lives) {
        for [day, _] in life.present.iter().skip(life.is_found.into()).filter(|[from, _]| *from > 0.0) {
            let linked_from = linked_from(page, *day);
            if !linked_from.is_empty() {
                births.push(Birth { page, day: *day, linked_from });
            }
        }
    }
    births.sort_by(|a, b| a.day.total_cmp(&b.day).then(a.page.cmp(&b.page)));
    births
}

/// Births where links are known.
pub fn births_by_links(lives: &PageLives, graph: &LinkGraph) -> Vec<Birth> {
    let backward = graph.backward();
    births(lives, |page, _| backward.of(page).to_vec())
}

/// Births where only paths are known.
pub fn births_by_paths(lives: &PageLives, urls: &UrlTexts) -> Vec<Birth> {
    let pages = lives.lives.len() as u32;
    let mut known: HashMap<String, u32, FxBuildHasher> = HashMap::default();
    for page in 0..pages {
        known.entry(identity(urls.get(page)).trim_end_matches('/').to_owned()).or_insert(page);
    }
    births(lives, |page, day| {
        let text = identity(urls.get(page)).into_owned();
        let mut above = text.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        while let Some(at) = above.rfind('/') {
            above = &above[..at];
            let ancestor = known.get(above).copied().filter(|ancestor| *ancestor != page);
            if let Some(ancestor) = ancestor.filter(|ancestor| lives.lives[*ancestor as usize].at(day).is_some()) {
                return vec![ancestor];
            }
        }
        Vec::new()
    })
}

/// All pages in the order in which a crawl of the links finds them; those that no link leads to come last.
pub fn order_by_links(graph: &LinkGraph, starts: &[u32]) -> Vec<u32> {
    let mut is_known = vec![false; graph.pages() as usize];
    let mut order: Vec<u32> = Vec::with_capacity(is_known.len());
    let mut find = |page: u32, order: &mut Vec<u32>| {
        if !std::mem::replace(&mut is_known[page as usize], true) {
            order.push(page);
        }
    };
    starts.iter().for_each(|start| find(*start, &mut order));
    let mut at = 0;
    while let Some(&page) = order.get(at) {
        graph.targets(page).iter().for_each(|target| find(*target, &mut order));
        at += 1;
    }
    (0..graph.pages()).for_each(|page| find(page, &mut order));
    order
}

/// The same where only paths are known: by the number of segments.
pub fn order_by_paths(urls: &UrlTexts, pages: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..pages).collect();
    order.sort_by_key(|page| urls.get(*page).trim_end_matches('/').matches('/').count());
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Happening, History};

    #[test]
    fn ours_a_born_page_is_linked_from_the_nearest_page_above_it_that_is_there() {
        const DAY: u64 = 86_400_000;
        let mut urls = UrlTexts::default();
        for url in ["http://a.org/", "http://a.org/x/", "http://a.org/x/1", "http://a.org/x/y/2", "http://b.org/q"] {
            urls.push(url).unwrap();
        }
        let history = History::new([
            (0, 0, Happening::Found),
            (1, 0, Happening::Found),
            (1, 5 * DAY, Happening::Gone),
            (2, 3 * DAY, Happening::Born),
            (3, 6 * DAY, Happening::Born),
            (4, 7 * DAY, Happening::Born),
            (0, 9 * DAY, Happening::Changed),
        ]);
        let lives = PageLives::new(&history, &urls, 5).unwrap();
        let births = births_by_paths(&lives, &urls);
        let found: Vec<(u32, f64, Vec<u32>)> =
            births.into_iter().map(|birth| (birth.page, birth.day, birth.linked_from)).collect();
        assert_eq!(found, [(2, 3.0, vec![1]), (3, 6.0, vec![0])], "nothing leads to the page of another host");
    }
}
