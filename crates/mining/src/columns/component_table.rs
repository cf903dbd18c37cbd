//! Components as numbers: each pair of key and value has one.
//!
//! One arena of text and one hash table for all keys, so that a hundred thousand parameter names cost no hundred
//! thousand tables. Numbers are given in the order of arrival: URLs come in the order of their texts, so the numbers
//! depend on the set of URLs alone.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::key::KeyId;

/// The number of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ComponentId(pub(crate) u32);

impl ComponentId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All components of a site.
#[derive(Debug, Default)]
pub(crate) struct ComponentTable {
    text: String,
    /// Where each value's text ends.
    ends: Vec<usize>,
    keys: Vec<KeyId>,
    table: HashTable<u32>,
}

impl ComponentTable {
    pub(crate) fn with_capacity(components: usize) -> Self {
        Self {
            text: String::new(),
            ends: Vec::with_capacity(components),
            keys: Vec::with_capacity(components),
            table: HashTable::with_capacity(components),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn key(&self, id: ComponentId) -> KeyId {
        self.keys[id.index()]
    }

    pub(crate) fn value(&self, id: ComponentId) -> &str {
        value_of(&self.text, &self.ends, id.0)
    }

    /// The number of a component that is there.
    pub(crate) fn find(&self, key: KeyId, value: &str) -> Option<ComponentId> {
        let same = |&id: &u32| self.keys[id as usize] == key && value_of(&self.text, &self.ends, id) == value;
        self.table.find(hash_of(key, value), same).copied().map(ComponentId)
    }

    /// The number of a component; `true` if it is new.
    pub(crate) fn intern(&mut self, key: KeyId, value: &str) -> (ComponentId, bool) {
        let Self { text, ends, keys, table } = self;
        let hash = hash_of(key, value);
        let same = |&id: &u32| keys[id as usize] == key && value_of(text, ends, id) == value;
        if let Some(&id) = table.find(hash, same) {
            return (ComponentId(id), false);
        }
        let id = u32::try_from(keys.len()).expect("a site has fewer than 2^32 different components");
        table.insert_unique(hash, id, |&id| hash_of(keys[id as usize], value_of(text, ends, id)));
        text.push_str(value);
        ends.push(text.len());
        keys.push(key);
        (ComponentId(id), true)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = ComponentId> + use<> {
        (0..u32::try_from(self.keys.len()).unwrap_or(u32::MAX)).map(ComponentId)
    }
}

fn value_of<'a>(text: &'a str, ends: &[usize], id: u32) -> &'a str {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &text[start..ends[id]]
}

/// The key in the seed keeps `path[1]=a` and `path[2]=a` apart.
fn hash_of(key: KeyId, value: &str) -> u64 {
    xxh3_64_with_seed(value.as_bytes(), u64::from(key.0))
}
