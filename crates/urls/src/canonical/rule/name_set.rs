//! Is this parameter name one of a constant list, in any case?
//!
//! A list has some sixty names and is asked about every parameter of every URL. So the set keeps, for each first and
//! for each last byte, which lengths occur: two look-ups answer "no" for nearly every name.

/// A constant set of lower-case names and prefixes.
pub(super) struct NameSet {
    names: &'static [&'static str],
    prefixes: &'static [&'static str],
    /// Bit `n` of entry `b & 31`: some name that starts with a byte of that kind is `n` bytes long.
    by_first: [u64; 32],
    /// The same by the last byte.
    by_last: [u64; 32],
    /// Bit `b & 31`: some prefix starts with a byte of that kind.
    prefix_first: u32,
}

impl NameSet {
    pub(super) const fn new(names: &'static [&'static str], prefixes: &'static [&'static str]) -> Self {
        let (mut by_first, mut by_last) = ([0; 32], [0; 32]);
        let mut i = 0;
        while i < names.len() {
            let name = names[i].as_bytes();
            assert!(name.len() < 64, "a name is shorter than the bits of a mask");
            by_first[(name[0] & 31) as usize] |= 1 << name.len();
            by_last[(name[name.len() - 1] & 31) as usize] |= 1 << name.len();
            i += 1;
        }
        let mut prefix_first = 0;
        let mut i = 0;
        while i < prefixes.len() {
            prefix_first |= 1 << (prefixes[i].as_bytes()[0] & 31);
            i += 1;
        }
        Self { names, prefixes, by_first, by_last, prefix_first }
    }

    /// Whether `name`, in any case, is in the set or starts with one of its prefixes.
    #[inline]
    pub(super) fn contains(&self, name: &[u8]) -> bool {
        let [first, ..] = name else { return false };
        let first = (first & 31) as usize;
        let last = (name[name.len() - 1] & 31) as usize;
        let lengths = self.by_first[first] & self.by_last[last];
        (self.prefix_first >> first & 1 == 1 && self.has_prefix(name))
            || (lengths >> (name.len() & 63) & 1 == 1 && self.has_name(name))
    }

    #[cold]
    fn has_name(&self, name: &[u8]) -> bool {
        self.names.iter().any(|it| it.as_bytes().eq_ignore_ascii_case(name))
    }

    #[cold]
    fn has_prefix(&self, name: &[u8]) -> bool {
        self.prefixes
            .iter()
            .any(|prefix| name.get(..prefix.len()).is_some_and(|start| prefix.as_bytes().eq_ignore_ascii_case(start)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_name_set_knows_names_and_prefixes_in_any_case() {
        const SET: NameSet = NameSet::new(&["gclid", "_ga"], &["utm_"]);
        for name in ["gclid", "GCLID", "_ga", "_GA", "utm_", "UTM_Source", "utm_x"] {
            assert!(SET.contains(name.as_bytes()), "{name}");
        }
        let long = "u".repeat(200);
        for name in ["", "g", "gclidx", "_gb", "utm", "xutm_", long.as_str()] {
            assert!(!SET.contains(name.as_bytes()), "{name}");
        }
        assert!(SET.contains(format!("utm_{long}").as_bytes()));
    }
}
