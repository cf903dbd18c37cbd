//! What stands for a URL, and a table with a value for each?
//!
//! A crawl numbers its URLs from 0 in the order of first sight, in the lab, in a session and in a service alike. Numbers have few
//! holes, so whoever keeps something for each URL (a frontier, a policy) keeps a plain vector.

use serde::{Deserialize, Serialize};

/// The number of a URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UrlId(pub u32);

impl UrlId {
    /// Its place in a vector that has one for each URL.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// As a key on disk: big-endian, so that keys sort as numbers do.
    #[must_use]
    pub const fn to_be_bytes(self) -> [u8; 4] {
        self.0.to_be_bytes()
    }
}

/// A value for each URL: the default one, until another is set.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UrlTable<V> {
    values: Vec<V>,
}

impl<V: Copy + Default> UrlTable<V> {
    /// The value of a URL.
    pub fn get(&self, url: UrlId) -> V {
        self.values.get(url.index()).copied().unwrap_or_default()
    }

    /// The value of a URL, to be changed.
    pub fn slot(&mut self, url: UrlId) -> &mut V {
        let at = url.index();
        if at >= self.values.len() {
            self.values.resize(at + 1, V::default());
        }
        &mut self.values[at]
    }

    /// The URLs from this one on that may have a value of their own, and their values.
    pub fn from(&self, first: UrlId) -> impl Iterator<Item = (UrlId, V)> + '_ {
        (first.0..).map(UrlId).zip(self.values.get(first.index()..).unwrap_or_default().iter().copied())
    }

    /// Whether no URL has a value of its own.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Makes the value of a URL the default one again.
    pub fn forget(&mut self, url: UrlId) {
        if let Some(value) = self.values.get_mut(url.index()) {
            *value = V::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_value_is_the_default_until_it_is_set() {
        let mut table = UrlTable::<u64>::default();
        assert_eq!(table.get(UrlId(3)), 0);
        *table.slot(UrlId(1)) += 5;
        *table.slot(UrlId(1)) += 1;
        assert_eq!((table.get(UrlId(3)), table.get(UrlId(1)), table.get(UrlId(7))), (0, 6, 0));
        table.forget(UrlId(1));
        table.forget(UrlId(7));
        assert_eq!((table.get(UrlId(1)), table.get(UrlId(7))), (0, 0));
    }
}
