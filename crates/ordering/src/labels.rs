//! Which categories is a page labelled with?
//!
//! Labels are given by the operator, for some pages or for all. A crawl looks at those of a page only when that page is fetched: they stand for
//! what the page says of itself.

use rustc_hash::FxHashMap;
use trodden_frontier::{UrlId, UrlTable};

/// Categories of a page that are kept.
const MOST_OF_A_PAGE: usize = 16;

/// Categories by URL.
#[derive(Clone, Debug, Default)]
pub struct PageLabels {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
    /// By URL: its place in `sets`, from 1.
    places: UrlTable<u32>,
    sets: Vec<Vec<u32>>,
}

impl PageLabels {
    /// Labels a URL with one more category.
    pub fn add(&mut self, url: UrlId, category: &str) {
        let next = self.names.len() as u32;
        let number = match self.numbers.get(category) {
            Some(number) => *number,
            None => {
                self.names.push(category.to_owned());
                *self.numbers.entry(category.to_owned()).or_insert(next)
            }
        };
        let place = self.places.slot(url);
        if *place == 0 {
            self.sets.push(Vec::new());
            *place = self.sets.len() as u32;
        }
        let set = &mut self.sets[*place as usize - 1];
        if !set.contains(&number) && set.len() < MOST_OF_A_PAGE {
            set.push(number);
        }
    }

    /// Whether nothing is labelled.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The categories of a URL, as numbers.
    pub fn numbers_of(&self, url: UrlId) -> &[u32] {
        match self.places.get(url) {
            0 => &[],
            place => &self.sets[place as usize - 1],
        }
    }

    /// The name of a category.
    pub fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }

    /// The categories of a URL.
    pub fn names_of(&self, url: UrlId) -> Vec<&str> {
        self.numbers_of(url).iter().map(|number| self.name(*number)).collect()
    }

    /// How many categories there are.
    pub fn categories(&self) -> u32 {
        self.names.len() as u32
    }

    /// The URLs that are labelled, in order.
    pub fn urls(&self) -> impl Iterator<Item = UrlId> + '_ {
        self.places.from(UrlId(0)).filter(|(_, place)| *place > 0).map(|(url, _)| url)
    }
}
