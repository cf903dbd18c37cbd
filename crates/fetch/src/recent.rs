//! What was used of late, within bounds.
//!
//! There are two generations. What is used is in the young one; when that is full it becomes the old one, and what was in
//! the old one and not used since is forgotten. So a value stays at least until as much as a generation holds was used
//! after it, and there is never more than two generations.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Values that were used of late.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    /// What a generation holds.
    room: usize,
    weigh: fn(&V) -> usize,
    young: FxHashMap<K, V>,
    young_weight: usize,
    old: FxHashMap<K, V>,
}

impl<K: Eq + Hash + Clone, V> Recent<K, V> {
    /// A generation holds values that together weigh so much, and one value more.
    pub(crate) fn new(room: usize, weigh: fn(&V) -> usize) -> Self {
        Self { room, weigh, young: FxHashMap::default(), young_weight: 0, old: FxHashMap::default() }
    }

    /// A value, if it was used of late; now it was.
    pub(crate) fn get(&mut self, key: &K) -> Option<&mut V> {
        if !self.young.contains_key(key) {
            let value = self.old.remove(key)?;
            self.keep(key.clone(), value);
        }
        self.young.get_mut(key)
    }

    /// Keeps a value.
    pub(crate) fn keep(&mut self, key: K, value: V) {
        self.forget(&key);
        if self.young_weight >= self.room {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
            self.young_weight = 0;
        }
        self.young_weight += (self.weigh)(&value);
        self.young.insert(key, value);
    }

    /// Forgets a value.
    pub(crate) fn forget(&mut self, key: &K) {
        self.take(key);
    }

    /// Takes a value out, to be changed and kept again: then it may weigh something else.
    pub(crate) fn take(&mut self, key: &K) -> Option<V> {
        let Some(value) = self.young.remove(key) else { return self.old.remove(key) };
        self.young_weight = self.young_weight.saturating_sub((self.weigh)(&value));
        Some(value)
    }

    /// A value, without using it.
    pub(crate) fn peek(&self, key: &K) -> Option<&V> {
        self.young.get(key).or_else(|| self.old.get(key))
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.young.iter().chain(&self.old)
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_what_is_used_stays_and_there_are_never_more_than_two_generations() {
        let mut recent: Recent<u32, u32> = Recent::new(10, |_| 1);
        for n in 0..1_000 {
            recent.keep(n, n);
            assert_eq!(recent.get(&0), Some(&mut 0));
            assert!(recent.len() <= 20);
        }
        assert_eq!(recent.get(&999), Some(&mut 999));
        assert_eq!(recent.get(&500), None);
    }

    #[test]
    fn ours_heavy_values_leave_room_for_fewer() {
        let mut recent: Recent<u32, usize> = Recent::new(100, |weight| *weight);
        (0..50).for_each(|n| recent.keep(n, 50));
        assert_eq!(recent.len(), 4);
        recent.keep(49, 1);
        assert_eq!(recent.get(&49), Some(&mut 1), "the last word counts");
        assert_eq!((recent.take(&49), recent.take(&49)), (Some(1), None));
        assert_eq!(recent.get(&49), None);
    }
}
