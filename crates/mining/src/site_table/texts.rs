//! Texts by number, one after the other in memory, and their order.
//!
//! A text costs its bytes and eight more: neither a hash table nor an allocation of its own.

use std::ops::Range;

/// Texts, numbered in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Texts {
    all: String,
    /// Where each text ends.
    ends: Vec<usize>,
}

impl Texts {
    pub(super) fn with_capacity(texts: usize, bytes: usize) -> Self {
        Self { all: String::with_capacity(bytes), ends: Vec::with_capacity(texts) }
    }

    /// Adds a text; its number.
    pub(super) fn push(&mut self, text: &str) -> u32 {
        let id = u32::try_from(self.ends.len()).expect("fewer than 2^32 texts");
        self.all.push_str(text);
        self.ends.push(self.all.len());
        id
    }

    pub(super) fn get(&self, id: u32) -> &str {
        let id = id as usize;
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[id]]
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.all.len()
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.all.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// The place of `text` where the texts are in order.
    pub(super) fn search(&self, text: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low.midpoint(high);
            let id = u32::try_from(middle).expect("fewer than 2^32 texts");
            match self.get(id).cmp(text) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(id),
            }
        }
        None
    }

    /// Hands on all numbers in the order of their texts, those of one text by number. Many are sorted in shares, by
    /// several threads, and merged.
    pub(super) fn in_order<'t>(&'t self, threads: usize, mut each: impl FnMut(u32, &'t str)) {
        let count = u32::try_from(self.ends.len()).expect("fewer than 2^32 texts");
        let share = count.div_ceil(u32::try_from(threads.max(1)).unwrap_or(u32::MAX)).max(MANY);
        let shares: Vec<Range<u32>> =
            (0..count).step_by(share as usize).map(|from| from..from.saturating_add(share).min(count)).collect();
        let orders: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let others: Vec<_> =
                shares.iter().skip(1).map(|ids| scope.spawn(move || self.order(ids.clone()))).collect();
            let first = shares.first().map(|ids| self.order(ids.clone()));
            let others = others.into_iter().map(|t| t.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            first.into_iter().chain(others).collect()
        });
        let mut orders: Vec<_> = orders.into_iter().map(Vec::into_iter).collect();
        let mut heads: Vec<_> = orders.iter_mut().map(|order| order.next().map(|id| (self.get(id), id))).collect();
        loop {
            let heads_left = heads.iter().enumerate().filter_map(|(share, head)| Some((*head.as_ref()?, share)));
            let Some(((text, id), share)) = heads_left.min() else { return };
            each(id, text);
            heads[share] = orders[share].next().map(|id| (self.get(id), id));
        }
    }

    /// Some numbers in the order of their texts.
    ///
    /// By eight bytes at a time: URLs of a site begin alike, and comparing two of them from the start goes through memory
    /// twice for each comparison. Texts that agree so far keep the order of their numbers, so every pass goes through
    /// memory upwards.
    fn order(&self, ids: Range<u32>) -> Vec<u32> {
        let mut todo = vec![(0, ids.len(), self.common_prefix(ids.clone()))];
        let mut items: Vec<(u64, u32)> = ids.map(|id| (0, id)).collect();
        while let Some((from, to, depth)) = todo.pop() {
            let group = &mut items[from..to];
            if group.len() <= FEW {
                group.sort_unstable_by(|a, b| self.tail(a.1, depth).cmp(self.tail(b.1, depth)).then(a.1.cmp(&b.1)));
                continue;
            }
            for (key, id) in group.iter_mut() {
                *key = eight_bytes(self.tail(*id, depth));
            }
            group.sort_unstable();
            let mut start = from;
            for same in group.chunk_by_mut(|a, b| a.0 == b.0) {
                let end = start + same.len();
                if same.len() > 1 {
                    // A text that ends here is padded with zeros, and comes before those that go on.
                    let length = |id: u32| self.tail(id, depth).len().min(9);
                    if same.iter().any(|item| length(item.1) <= 8) {
                        same.sort_by_key(|item| (length(item.1), item.1));
                    }
                    let ended = same.iter().take_while(|item| length(item.1) <= 8).count();
                    todo.push((start + ended, end, depth + 8));
                }
                start = end;
            }
        }
        items.into_iter().map(|item| item.1).collect()
    }

    fn bytes_of(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all.as_bytes()[start..self.ends[id]]
    }

    fn tail(&self, id: u32, depth: usize) -> &[u8] {
        self.bytes_of(id).get(depth..).unwrap_or_default()
    }

    /// How many bytes these texts have in common at their start.
    fn common_prefix(&self, mut ids: Range<u32>) -> usize {
        let Some(first) = ids.next().map(|id| self.bytes_of(id)) else { return 0 };
        ids.fold(first.len(), |common, id| {
            let text = self.bytes_of(id);
            if text.starts_with(&first[..common]) {
                return common;
            }
            first[..common].iter().zip(text).take_while(|(a, b)| a == b).count()
        })
    }
}

/// So many are worth a thread of their own.
const MANY: u32 = 1 << 16;

/// So few are compared as they are.
const FEW: usize = 24;

/// The first eight bytes as a number that sorts as they do; zeros where there are fewer.
fn eight_bytes(text: &[u8]) -> u64 {
    match text.first_chunk::<8>() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => {
            let mut bytes = [0; 8];
            bytes[..text.len()].copy_from_slice(text);
            u64::from_be_bytes(bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts that begin alike, end inside each other, repeat, and hold zeros.
    fn some_texts() -> Vec<String> {
        let mut texts = Vec::new();
        let mut n = 1_u64;
        for _ in 0..3_000 {
            n = n.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            let words = ["a", "ab", "\0", "\0\0", "/item", "/item/", "xyzxyzxyz", "é", "12345678"];
            let picks = (0..(n >> 60)).map(|i| words[(n >> (i * 4 % 60)) as usize % words.len()]);
            texts.push(format!("x.org/{}", picks.collect::<String>()));
        }
        texts
    }

    #[test]
    fn ours_texts_are_ordered_as_their_bytes_are() {
        let texts = some_texts();
        let mut arena = Texts::default();
        texts.iter().for_each(|t| _ = arena.push(t));
        let mut expected: Vec<(&str, u32)> = texts.iter().map(String::as_str).zip(0..).collect();
        expected.sort_unstable();
        let (mut got, mut threaded) = (Vec::new(), Vec::new());
        arena.in_order(1, |id, text| got.push((text, id)));
        assert_eq!(got, expected);
        let mut large = Texts::default();
        (0..40).for_each(|_| texts.iter().for_each(|t| _ = large.push(t)));
        large.in_order(3, |id, text| threaded.push((text, id)));
        assert!(large.len() > MANY as usize && threaded.len() == large.len() && threaded.is_sorted());
        Texts::default().in_order(2, |_, _| unreachable!());
    }

    #[test]
    fn ours_a_text_is_found_where_it_is_in_order() {
        let mut arena = Texts::default();
        ["", "a", "ab", "b"].iter().for_each(|t| _ = arena.push(t));
        assert_eq!(
            ["", "a", "ab", "b", "aa", "c"].map(|t| arena.search(t)),
            [Some(0), Some(1), Some(2), Some(3), None, None]
        );
        assert_eq!(Texts::default().search("a"), None);
    }
}
