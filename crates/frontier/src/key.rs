//! What stands for a URL, and a table with a value for each?
//!
//! A crawl numbers its URLs, on disk as in memory; whoever has no numbers can use fingerprints of 128 bits. Whoever keeps
//! something for each URL (a frontier, a policy) uses the [`Key::Table`] of the key: a plain array for numbers, a hash
//! table for fingerprints, and for the few numbers of one queue.

use std::fmt::Debug;
use std::hash::Hash;

use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What stands for a URL.
pub trait Key: Copy + Default + Ord + Hash + Debug + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// A value for each key.
    type Table<V: TableValue>: KeyTable<Self, V>;
}

/// What a table can hold.
pub trait TableValue: Copy + Default + Debug + Send + Sync + Serialize + DeserializeOwned + 'static {}

impl<V: Copy + Default + Debug + Send + Sync + Serialize + DeserializeOwned + 'static> TableValue for V {}

/// A value for each key: the default one, until another is set.
pub trait KeyTable<K, V>: Clone + Default + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// The value of a key.
    fn get(&self, key: K) -> V;
    /// The value of a key, to be changed.
    fn slot(&mut self, key: K) -> &mut V;
    /// Makes the value of a key the default one again.
    fn forget(&mut self, key: K);
}

/// A table for keys that are numbers without many holes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DenseTable<V> {
    values: Vec<V>,
}

impl<V: TableValue> KeyTable<u32, V> for DenseTable<V> {
    fn get(&self, key: u32) -> V {
        self.values.get(key as usize).copied().unwrap_or_default()
    }

    fn slot(&mut self, key: u32) -> &mut V {
        let at = key as usize;
        if at >= self.values.len() {
            self.values.resize(at + 1, V::default());
        }
        &mut self.values[at]
    }

    fn forget(&mut self, key: u32) {
        if let Some(value) = self.values.get_mut(key as usize) {
            *value = V::default();
        }
    }
}

impl Key for u32 {
    type Table<V: TableValue> = DenseTable<V>;
}

/// A table for keys that are fingerprints, or few of many. Saved by ascending key, so that equal tables are equal bytes.
#[derive(Clone, Debug)]
pub struct HashedTable<V, K = u128> {
    values: FxHashMap<K, V>,
}

impl<V, K> Default for HashedTable<V, K> {
    fn default() -> Self {
        Self { values: FxHashMap::default() }
    }
}

impl<K: Key, V: TableValue> KeyTable<K, V> for HashedTable<V, K> {
    fn get(&self, key: K) -> V {
        self.values.get(&key).copied().unwrap_or_default()
    }

    fn slot(&mut self, key: K) -> &mut V {
        self.values.entry(key).or_default()
    }

    fn forget(&mut self, key: K) {
        self.values.remove(&key);
    }
}

impl<K: Key, V: TableValue> Serialize for HashedTable<V, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pairs: Vec<(K, V)> = self.values.iter().map(|(key, value)| (*key, *value)).collect();
        pairs.sort_unstable_by_key(|pair| pair.0);
        pairs.serialize(serializer)
    }
}

impl<'de, K: Key, V: TableValue> Deserialize<'de> for HashedTable<V, K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { values: Vec::<(K, V)>::deserialize(deserializer)?.into_iter().collect() })
    }
}

impl Key for u128 {
    type Table<V: TableValue> = HashedTable<V>;
}

/// A number of which few are in use: a queue on disk holds few of all URLs.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Sparse(pub(crate) u32);

impl Key for Sparse {
    type Table<V: TableValue> = HashedTable<V, Self>;
}

impl From<u32> for Sparse {
    fn from(number: u32) -> Self {
        Self(number)
    }
}

impl From<Sparse> for u32 {
    fn from(sparse: Sparse) -> Self {
        sparse.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps<K: Key>(keys: [K; 3]) {
        let mut table = K::Table::<u64>::default();
        assert_eq!(table.get(keys[0]), 0);
        *table.slot(keys[1]) += 5;
        *table.slot(keys[1]) += 1;
        assert_eq!((table.get(keys[0]), table.get(keys[1]), table.get(keys[2])), (0, 6, 0));
        table.forget(keys[1]);
        table.forget(keys[2]);
        assert_eq!((table.get(keys[1]), table.get(keys[2])), (0, 0));
    }

    #[test]
    fn a_value_is_the_default_until_it_is_set() {
        keeps([3_u32, 1, 7]);
        keeps([u128::MAX, 0, 1 << 70]);
        keeps([Sparse(3), Sparse(1), Sparse(u32::MAX)]);
    }
}
