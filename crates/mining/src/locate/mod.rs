//! Where in a site's tree does a URL stand?
//!
//! A model is compiled once to a [`Locator`]: a walk from the root that takes one look-up a level and no regular
//! expression, and allocates nothing for a URL without escapes. At each node the walk checks the constants that are new
//! there; at the end of the tree it checks what varies. A URL is *uncovered* where it violates a constant, has a key
//! that no URL had there, has a value of no class that was met, or where no branch takes it. **\[ours\]** Without these
//! checks any URL falls into some leaf: an article pattern once "covered" 24,000 pictures that nobody read.
//!
//! Pages that are leaves of their own are found first, by their whole text.

mod compile;
mod test;
mod walk;

use hashbrown::HashTable;
use trodden_urls::UrlGlobs;

pub use walk::Scratch;

use crate::key::Key;
use test::Test;

/// Where a URL stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In this pattern.
    Pattern(u32),
    /// In none: the walk ended at this node.
    Uncovered(u32, Why),
}

impl Place {
    /// The pattern, or the deepest node that was reached.
    #[must_use]
    pub fn node(self) -> u32 {
        match self {
            Self::Pattern(node) | Self::Uncovered(node, _) => node,
        }
    }

    /// The pattern, if there is one.
    #[must_use]
    pub fn pattern(self) -> Option<u32> {
        match self {
            Self::Pattern(node) => Some(node),
            Self::Uncovered(..) => None,
        }
    }
}

/// Why a URL is in no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A constant of the node does not hold; [`Locator::key`] names it.
    Constant(u32),
    /// A value is of no class met there; [`Locator::key`] names its key.
    Class(u32),
    /// A key is missing that every URL had there; [`Locator::key`] names it.
    Missing(u32),
    /// It has a parameter, host label or segment that no URL had there.
    NewKey,
    /// No branch takes it.
    NoBranch,
    /// The model was made without URLs like it.
    Excluded,
}

/// A model's tree, ready to locate URLs. It depends on nothing but the model, and is cheap to share between threads.
#[derive(Debug)]
pub struct Locator {
    nodes: Vec<Compiled>,
    /// The host of all URLs, if there is one.
    host: Option<Box<str>>,
    pages: HashTable<(Box<str>, u32)>,
    keys: Vec<Key>,
    /// URLs that are in no pattern, whatever they look like.
    exclude: UrlGlobs,
}

impl Locator {
    /// The key that [`Why`] speaks of.
    #[must_use]
    pub fn key(&self, number: u32) -> Option<&Key> {
        self.keys.get(number as usize)
    }
}

/// A node, ready to be walked through.
#[derive(Debug, Default)]
struct Compiled {
    /// Constants to check on arrival.
    checks: Vec<(u32, Test)>,
    /// Where the walk goes on; none at the end of the tree.
    split: Option<Branches>,
    /// What varies, checked at the end of the tree.
    likes: Vec<(u32, Test)>,
    /// Parameters at the end of the tree, by name: number of the key, name, test, whether it may be missing.
    parameters: Vec<(u32, Box<str>, Test, bool)>,
    /// Host labels that are known at the end of the tree.
    labels: usize,
    /// Whether the tree ends here.
    ends: bool,
}

/// The children of a node.
#[derive(Debug)]
struct Branches {
    key: Option<Key>,
    few: Vec<(Box<str>, u32)>,
    many: HashTable<(Box<str>, u32)>,
    absent: Option<u32>,
    other: Option<u32>,
}
