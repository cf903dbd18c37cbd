//! What is a URL made of?
//!
//! The pattern tree sees a URL as key–value pairs (CIKM 2011, §3): host labels, path segments by position, query
//! parameters by name. **\[ours\]** A segment gives two pairs, its *shape* and its percent-decoded *value*; `depth` and a
//! trailing slash are keys too. A key that a URL does not have is *absent*: [`Components::get`] gives `None`.
//!
//! The order of [`ComponentKey`] is the order in which ties between keys are broken: host, depth, trailing slash, shapes
//! by position, values by position, parameters by name.
//!
//! One [`Components`] is filled again and again: after the first few URLs it allocates nothing.

mod key;
mod parts;
mod read;

use smallvec::SmallVec;

pub use key::ComponentKey;
use key::Slot;
pub use parts::{UrlParts, Values, readable};

use crate::{CanonicalUrl, HostKey};

/// The most host labels that become components.
pub const MAX_LABELS: usize = 16;
/// The most path segments that become components; `depth` counts all of them.
pub const MAX_SEGMENTS: usize = 32;
/// The most query parameters that become components: the first by name.
pub const MAX_PARAMETERS: usize = 32;

/// A key and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Component<'a> {
    /// What is said.
    pub key: ComponentKey<'a>,
    /// What is said about it.
    pub value: &'a str,
}

/// The key–value pairs of one URL, sorted by key, each key at most once.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// All names and values, one after another.
    text: String,
    slots: SmallVec<[Slot; 16]>,
}

impl Components {
    /// No components yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The components of one URL.
    #[must_use]
    pub fn of(url: &CanonicalUrl<'_>) -> Self {
        let mut components = Self::new();
        components.read_url(url);
        components
    }

    /// Replaces the components by those of `url`. Its host counts without `www.`, as in [`HostKey`].
    pub fn read_url(&mut self, url: &CanonicalUrl<'_>) {
        let host = HostKey::text_of(url.host(), url.port());
        self.read(&host, url.path_and_query());
    }

    /// Replaces the components by those of a text `host/path?query`, without scheme.
    pub fn read_text(&mut self, text: &str) {
        let at = text.find(['/', '?']).unwrap_or(text.len());
        self.read(&text[..at], &text[at..]);
    }

    /// Replaces the components by those of this host (may be empty) and this path and query.
    pub fn read(&mut self, host: &str, path_and_query: &str) {
        self.text.clear();
        self.slots.clear();
        self.read_parts(&UrlParts::new(host, path_and_query));
    }

    /// All components in the order of their keys.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Component<'_>> {
        self.slots.iter().map(|slot| slot.component(&self.text))
    }

    /// How many components there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether nothing has been read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The value of a key, `None` if it is absent.
    #[must_use]
    pub fn get(&self, key: ComponentKey<'_>) -> Option<&str> {
        let found = self.slots.binary_search_by(|slot| slot.component(&self.text).key.cmp(&key)).ok()?;
        Some(self.slots[found].component(&self.text).value)
    }
}

#[cfg(test)]
mod tests;
