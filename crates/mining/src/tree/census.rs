//! What do the URLs of a node say, key by key?
//!
//! One pass over the rows of a node counts every component in an array as long as the site has components; what was
//! touched is listed by key, so that the next node starts clean without touching the rest. From it
//!
//! ```text
//! H(k) = −Σ_v (n_v/N)·ln(n_v/N) = ln N − (1/N)·Σ_v n_v·ln n_v
//! ```
//!
//! with *absent* as a value of its own (CIKM 2011, §3). Entropies are compared after rounding to a billionth, so that a
//! different order of summing does not make a difference where there is none.

use crate::columns::{Columns, ComponentId};
use crate::key::KeyId;

/// Counts of one node; kept between nodes for its memory.
#[derive(Debug, Default)]
pub(crate) struct Census {
    counts: Vec<u32>,
    by_key: Vec<KeyCensus>,
    touched_keys: Vec<KeyId>,
    urls: u32,
}

#[derive(Debug, Default)]
struct KeyCensus {
    present: u32,
    touched: Vec<ComponentId>,
}

/// Keys by position that need not be counted any more, as a bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settled(u128);

impl Settled {
    fn bit(key: KeyId) -> u128 {
        if key.is_parameter() { 0 } else { 1 << key.0 }
    }

    pub(crate) fn insert(&mut self, key: KeyId) {
        self.0 |= Self::bit(key);
    }

    fn contains(self, key: KeyId) -> bool {
        self.0 & Self::bit(key) != 0
    }
}

impl Census {
    /// Counts the rows of `urls`, leaving out settled keys.
    pub(crate) fn take(&mut self, columns: &Columns, urls: &[u32], settled: Settled) {
        self.clear();
        let components = columns.components();
        if self.counts.len() < components.len() {
            // Zeros from the system take no memory until they are counted in: a thread that grows one branch touches few.
            self.counts = vec![0; components.len()];
        }
        self.by_key.resize_with(columns.keys(), KeyCensus::default);
        self.urls = u32::try_from(urls.len()).unwrap_or(u32::MAX);
        for url in urls {
            for &id in columns.row(*url) {
                let key = components.key(id);
                if settled.contains(key) {
                    continue;
                }
                let of_key = &mut self.by_key[key.index()];
                if of_key.present == 0 {
                    self.touched_keys.push(key);
                }
                of_key.present += 1;
                let count = &mut self.counts[id.index()];
                if *count == 0 {
                    of_key.touched.push(id);
                }
                *count += 1;
            }
        }
    }

    fn clear(&mut self) {
        for key in self.touched_keys.drain(..) {
            let of_key = &mut self.by_key[key.index()];
            of_key.present = 0;
            for id in of_key.touched.drain(..) {
                self.counts[id.index()] = 0;
            }
        }
    }

    /// The keys that some URL of the node has.
    pub(crate) fn keys(&self) -> &[KeyId] {
        &self.touched_keys
    }

    /// The values of a key.
    pub(crate) fn values(&self, key: KeyId) -> &[ComponentId] {
        &self.by_key[key.index()].touched
    }

    /// How many URLs have a component.
    pub(crate) fn count(&self, id: ComponentId) -> u32 {
        self.counts[id.index()]
    }

    /// How many URLs do not have a key.
    pub(crate) fn absent(&self, key: KeyId) -> u32 {
        self.urls - self.by_key[key.index()].present
    }

    /// Whether all URLs of the node agree about a key.
    pub(crate) fn is_constant(&self, key: KeyId) -> bool {
        let of_key = &self.by_key[key.index()];
        of_key.present == self.urls && of_key.touched.len() == 1
    }

    /// Whether a key can split neither this node nor any below it: no value has the least support of any node, nor
    /// have *absent* and *present* both. Counts only fall on the way down.
    pub(crate) fn is_hopeless(&self, key: KeyId, min_support: u32) -> bool {
        let absent = self.absent(key);
        let present = self.urls - absent;
        (absent < min_support || present < min_support)
            && self.values(key).iter().all(|id| self.count(*id) < min_support)
    }

    /// The different frequencies of a key's values, *absent* among them, in any order. Most values are rare, so those
    /// below 64 are noted as a bit each.
    pub(crate) fn frequencies(&self, key: KeyId) -> Vec<u32> {
        let mut rare = 0_u64;
        let mut frequencies = Vec::new();
        for count in self.values(key).iter().map(|id| self.count(*id)).chain([self.absent(key)]) {
            if count < 64 {
                rare |= 1 << count;
            } else {
                frequencies.push(count);
            }
        }
        frequencies.extend((1..64).filter(|count| rare >> count & 1 == 1));
        frequencies
    }

    /// H(k), in billionths.
    pub(crate) fn entropy(&self, key: KeyId) -> u64 {
        let total = f64::from(self.urls);
        let term = |n: u32| if n < 2 { 0.0 } else { f64::from(n) * f64::from(n).ln() };
        let values: f64 = self.values(key).iter().map(|id| term(self.count(*id))).sum();
        let entropy = total.ln() - (values + term(self.absent(key))) / total;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 23 for 2^32 URLs")]
        let rounded = (entropy.max(0.0) * 1e9).round() as u64;
        rounded
    }
}
