//! Which of many has the highest value, while values change?
//!
//! A heap of four children a node, and a table that knows where in it each key is: a value is changed in place, in
//! O(log n), and no stale entry is left behind. A crawl by backlinks changes the value of a URL with every link to it,
//! and would drown in stale entries otherwise.
//!
//! ```text
//! children of i: 4i+1 … 4i+4      invariant: entry(parent) comes before entry(child)
//! place[key] = index + 1          0: not in the heap
//! ```

use std::cmp::Ordering;
use std::fmt::Debug;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::url_id::{UrlId, UrlTable};

/// Children of a node: four share a cache line or two, and make the heap half as deep as two would.
const CHILDREN: usize = 4;

/// Where in a heap each URL is, counted from 1; 0: nowhere.
pub trait Places: Debug + Default {
    /// Where a URL is.
    fn get(&self, url: UrlId) -> u32;
    /// It is there now.
    fn set(&mut self, url: UrlId, place: u32);
    /// It is nowhere now.
    fn forget(&mut self, url: UrlId);
}

/// For a heap that may hold most URLs.
impl Places for UrlTable<u32> {
    fn get(&self, url: UrlId) -> u32 {
        Self::get(self, url)
    }

    fn set(&mut self, url: UrlId, place: u32) {
        *self.slot(url) = place;
    }

    fn forget(&mut self, url: UrlId) {
        Self::forget(self, url);
    }
}

/// For a heap that holds few of all URLs: those of one queue among many.
#[derive(Clone, Debug, Default)]
pub struct FewPlaces(FxHashMap<UrlId, u32>);

impl Places for FewPlaces {
    fn get(&self, url: UrlId) -> u32 {
        self.0.get(&url).copied().unwrap_or(0)
    }

    fn set(&mut self, url: UrlId, place: u32) {
        self.0.insert(url, place);
    }

    fn forget(&mut self, url: UrlId) {
        self.0.remove(&url);
    }
}

/// URLs with values, the highest first; equal values by order of arrival.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IndexedHeap<V, P = UrlTable<u32>> {
    entries: Vec<Entry<V>>,
    places: P,
    arrivals: u64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Entry<V> {
    value: V,
    arrival: u64,
    key: UrlId,
}

impl<V: Ord + Copy> Entry<V> {
    fn is_before(&self, other: &Self) -> bool {
        self.value.cmp(&other.value).then_with(|| other.arrival.cmp(&self.arrival)).is_gt()
    }
}

impl<V, P: Default> Default for IndexedHeap<V, P> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: P::default(), arrivals: 0 }
    }
}

impl<V: Ord + Copy, P: Places> IndexedHeap<V, P> {
    /// How many keys are in it.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The key with the highest value.
    pub fn first(&self) -> Option<(UrlId, V)> {
        self.entries.first().map(|entry| (entry.key, entry.value))
    }

    /// The value of a key.
    pub fn value(&self, key: UrlId) -> Option<V> {
        let place = self.places.get(key);
        (place > 0).then(|| self.entries[place as usize - 1].value)
    }

    /// Gives a key a value. A key that is there keeps its arrival.
    pub fn set(&mut self, key: UrlId, value: V) {
        match self.places.get(key) {
            0 => {
                let arrival = self.arrivals;
                self.arrivals += 1;
                self.insert(Entry { value, arrival, key });
            }
            place => {
                let at = place as usize - 1;
                let old = std::mem::replace(&mut self.entries[at].value, value);
                match value.cmp(&old) {
                    Ordering::Greater => {
                        self.rise(at);
                    }
                    Ordering::Less => self.sink(at),
                    Ordering::Equal => {}
                }
            }
        }
    }

    /// The same for a key that came before others did: among equals it goes by this arrival, not by its own.
    pub fn set_arrived(&mut self, key: UrlId, value: V, arrival: u64) {
        self.remove(key);
        self.insert(Entry { value, arrival, key });
    }

    /// Takes a key out; whether it was there.
    pub fn remove(&mut self, key: UrlId) -> bool {
        let Some(at) = (self.places.get(key) as usize).checked_sub(1) else { return false };
        self.places.forget(key);
        let last = self.entries.pop();
        if let Some(last) = last.filter(|_| at < self.entries.len()) {
            self.put(at, last);
            self.settle(at);
        }
        true
    }

    /// Takes out the key with the highest value.
    pub fn pop(&mut self) -> Option<(UrlId, V)> {
        let (key, value) = self.first()?;
        self.remove(key);
        Some((key, value))
    }

    fn insert(&mut self, entry: Entry<V>) {
        let at = self.entries.len();
        self.entries.push(entry);
        self.places.set(entry.key, at as u32 + 1);
        self.rise(at);
    }

    fn put(&mut self, at: usize, entry: Entry<V>) {
        self.entries[at] = entry;
        self.places.set(entry.key, at as u32 + 1);
    }

    fn settle(&mut self, at: usize) {
        if self.rise(at) == at {
            self.sink(at);
        }
    }

    fn rise(&mut self, mut at: usize) -> usize {
        let entry = self.entries[at];
        let start = at;
        while at > 0 {
            let parent = (at - 1) / CHILDREN;
            if !entry.is_before(&self.entries[parent]) {
                break;
            }
            self.put(at, self.entries[parent]);
            at = parent;
        }
        if at != start {
            self.put(at, entry);
        }
        at
    }

    fn sink(&mut self, mut at: usize) {
        let entry = self.entries[at];
        let start = at;
        loop {
            let first = at * CHILDREN + 1;
            let children = first..(first + CHILDREN).min(self.entries.len());
            let best = children.reduce(|a, b| if self.entries[b].is_before(&self.entries[a]) { b } else { a });
            match best {
                Some(best) if self.entries[best].is_before(&entry) => {
                    self.put(at, self.entries[best]);
                    at = best;
                }
                _ => break,
            }
        }
        if at != start {
            self.put(at, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equals_come_in_the_order_of_their_arrival_even_after_changes() {
        let mut heap = IndexedHeap::<i32>::default();
        for key in [5, 3, 9, 1] {
            heap.set(UrlId(key), 0);
        }
        heap.set(UrlId(9), 7);
        heap.set(UrlId(5), 7);
        heap.set(UrlId(9), 0);
        let popped: Vec<(u32, i32)> = std::iter::from_fn(|| heap.pop()).map(|(key, value)| (key.0, value)).collect();
        assert_eq!(popped, [(5, 7), (3, 0), (9, 0), (1, 0)]);
    }

    /// The same steps done to a heap and to a list that is sorted after each.
    fn is_a_sorted_list<P: Places>(steps: &[(u32, Option<i32>)]) {
        let mut heap = IndexedHeap::<i32, P>::default();
        // Key, value, arrival.
        let mut list: Vec<(UrlId, i32, usize)> = Vec::new();
        for (at, (key, value)) in steps.iter().map(|(key, value)| (UrlId(*key), *value)).enumerate() {
            let known = list.iter().position(|entry| entry.0 == key);
            match (value, known) {
                (Some(value), Some(known)) => list[known].1 = value,
                (Some(value), None) => list.push((key, value, at)),
                (None, Some(known)) => drop(list.remove(known)),
                (None, None) => {}
            }
            match value {
                Some(value) => heap.set(key, value),
                None => assert_eq!(heap.remove(key), known.is_some()),
            }
            list.sort_by_key(|&(_, value, arrival)| (std::cmp::Reverse(value), arrival));
            assert_eq!(heap.first(), list.first().map(|entry| (entry.0, entry.1)));
            assert_eq!(heap.len(), list.len());
        }
        for (key, value, _) in list {
            assert_eq!(heap.value(key), Some(value));
            assert_eq!(heap.pop(), Some((key, value)));
        }
        assert!(heap.is_empty());
    }

    proptest! {
        #[test]
        fn ours_it_is_a_sorted_list(steps in prop::collection::vec((0_u32..20, prop::option::of(-5_i32..5)), 0..200)) {
            is_a_sorted_list::<UrlTable<u32>>(&steps);
            is_a_sorted_list::<FewPlaces>(&steps);
        }
    }
}
