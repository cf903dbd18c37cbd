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

use serde::{Deserialize, Serialize};

use crate::key::{Key, KeyTable};

/// Children of a node: four share a cache line or two, and make the heap half as deep as two would.
const CHILDREN: usize = 4;

/// Keys with values, the highest first; equal values by order of arrival.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "V: Serialize + serde::de::DeserializeOwned")]
pub struct IndexedHeap<K: Key, V> {
    entries: Vec<Entry<K, V>>,
    places: K::Table<u32>,
    arrivals: u64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Entry<K, V> {
    value: V,
    arrival: u64,
    key: K,
}

impl<K: Key, V: Ord + Copy> Entry<K, V> {
    fn is_before(&self, other: &Self) -> bool {
        self.value.cmp(&other.value).then_with(|| other.arrival.cmp(&self.arrival)).is_gt()
    }
}

impl<K: Key, V> Default for IndexedHeap<K, V> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: K::Table::default(), arrivals: 0 }
    }
}

impl<K: Key, V: Ord + Copy> IndexedHeap<K, V> {
    /// How many keys are in it.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The key with the highest value.
    pub fn first(&self) -> Option<(K, V)> {
        self.entries.first().map(|entry| (entry.key, entry.value))
    }

    /// The value of a key.
    pub fn value(&self, key: K) -> Option<V> {
        let place = self.places.get(key);
        (place > 0).then(|| self.entries[place as usize - 1].value)
    }

    /// Gives a key a value. A key that is there keeps its arrival.
    pub fn set(&mut self, key: K, value: V) {
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
    pub fn set_arrived(&mut self, key: K, value: V, arrival: u64) {
        self.remove(key);
        self.insert(Entry { value, arrival, key });
    }

    /// Takes a key out; whether it was there.
    pub fn remove(&mut self, key: K) -> bool {
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
    pub fn pop(&mut self) -> Option<(K, V)> {
        let (key, value) = self.first()?;
        self.remove(key);
        Some((key, value))
    }

    fn insert(&mut self, entry: Entry<K, V>) {
        let at = self.entries.len();
        self.entries.push(entry);
        *self.places.slot(entry.key) = at as u32 + 1;
        self.rise(at);
    }

    fn put(&mut self, at: usize, entry: Entry<K, V>) {
        self.entries[at] = entry;
        *self.places.slot(entry.key) = at as u32 + 1;
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
        let mut heap = IndexedHeap::<u32, i32>::default();
        for key in [5, 3, 9, 1] {
            heap.set(key, 0);
        }
        heap.set(9, 7);
        heap.set(5, 7);
        heap.set(9, 0);
        assert_eq!(std::iter::from_fn(|| heap.pop()).collect::<Vec<_>>(), [(5, 7), (3, 0), (9, 0), (1, 0)]);
    }

    proptest! {
        #[test]
        fn it_is_a_sorted_list(steps in prop::collection::vec((0_u32..20, prop::option::of(-5_i32..5)), 0..200)) {
            let mut heap = IndexedHeap::<u32, i32>::default();
            // Key, value, arrival.
            let mut list: Vec<(u32, i32, usize)> = Vec::new();
            for (at, (key, value)) in steps.into_iter().enumerate() {
                let known = list.iter().position(|entry| entry.0 == key);
                match (value, known) {
                    (Some(value), Some(known)) => list[known].1 = value,
                    (Some(value), None) => list.push((key, value, at)),
                    (None, Some(known)) => { list.remove(known); }
                    (None, None) => {}
                }
                match value {
                    Some(value) => heap.set(key, value),
                    None => { prop_assert_eq!(heap.remove(key), known.is_some()); }
                }
                list.sort_by_key(|&(_, value, arrival)| (std::cmp::Reverse(value), arrival));
                prop_assert_eq!(heap.first(), list.first().map(|entry| (entry.0, entry.1)));
                prop_assert_eq!(heap.len(), list.len());
            }
            for (key, value, _) in list {
                prop_assert_eq!(heap.value(key), Some(value));
                prop_assert_eq!(heap.pop(), Some((key, value)));
            }
            prop_assert!(heap.is_empty());
        }
    }
}
