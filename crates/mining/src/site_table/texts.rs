//! Texts by number, one after the other in memory, and their order.
//!
//! A text costs its bytes and eight more: neither a hash table nor an allocation of its own.

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

    /// The numbers in the order of their texts.
    ///
    /// By eight bytes at a time: URLs of a site begin alike, and comparing two of them from the start goes through memory
    /// twice for each comparison. Texts that agree so far keep the order of their numbers, so every pass goes through
    /// memory upwards.
    pub(super) fn order(&self) -> Vec<u32> {
        let count = u32::try_from(self.ends.len()).expect("fewer than 2^32 texts");
        let mut items: Vec<(u64, u32)> = (0..count).map(|id| (0, id)).collect();
        let mut todo = vec![(0, items.len(), self.common_prefix())];
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
            let mut start = 0;
            while start < group.len() {
                let key = group[start].0;
                let end = start + group[start..].iter().take_while(|item| item.0 == key).count();
                if end - start > 1 {
                    // A text that ends here is padded with zeros, and comes before those that go on.
                    let same = &mut group[start..end];
                    same.sort_by_key(|item| (self.tail(item.1, depth).len().min(9), item.1));
                    let ended = same.iter().take_while(|item| self.tail(item.1, depth).len() <= 8).count();
                    todo.push((from + start + ended, from + end, depth + 8));
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

    /// How many bytes all texts have in common at their start.
    fn common_prefix(&self) -> usize {
        let count = u32::try_from(self.ends.len()).expect("fewer than 2^32 texts");
        if count == 0 {
            return 0;
        }
        let first = self.bytes_of(0);
        (1..count).fold(first.len(), |common, id| {
            let text = self.bytes_of(id);
            first[..common].iter().zip(text).take_while(|(a, b)| a == b).count()
        })
    }
}

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
        let got: Vec<&str> = arena.order().into_iter().map(|id| arena.get(id)).collect();
        let mut expected: Vec<&str> = texts.iter().map(String::as_str).collect();
        expected.sort_unstable();
        assert_eq!(got, expected);
        assert!(Texts::default().order().is_empty());
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
