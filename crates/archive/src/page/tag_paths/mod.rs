//! What layout has this page? A multiset of its tag paths.
//!
//! Pages made by one template have the same skeleton: `html/body/div/ul/li/a` many times in each. The profile of a page
//! counts, for every element, the path of tag names from the root to it. Class names are left out: they change with
//! every release, the skeleton does not.
//!
//! **Likeness.** For two pages *x* and *y* with counts *n* of each path *p*, the weight of a path is
//! *w(p) = 1 + ln n(p)*, or 0 where *n(p) = 0*, and
//!
//! ```text
//!                       Σ w_x(p) · w_y(p)
//! similarity(x, y) = ───────────────────────
//!                     √Σ w_x(p)² · √Σ w_y(p)²
//! ```
//!
//! the cosine of the angle between them: 1 for equal profiles, 0 if no path is shared, 1 for two empty profiles. The
//! logarithm keeps a list of a thousand rows from hiding the rest of the page: a list of ten is the same layout.
//!
//! Symbols: *p* is a 64-bit hash ([`PathHash`]), *n* is its count, `√Σ w²` is kept as `norm`. Hashes are made of tag
//! names only, so a profile is the same on every machine and for ever.
//!
//! **Bounds.** Elements deeper than [`MAX_DEPTH`] count for the path of their ancestor at that depth. After
//! [`MAX_PATHS`] different paths, all new ones count as one path of their own. Work is linear in the page.

mod nesting;

use std::convert::Infallible;

use hashbrown::HashMap;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use rustc_hash::FxBuildHasher;

use self::nesting::Nesting;

/// The deepest path that is told apart from those below it.
pub const MAX_DEPTH: usize = 64;
/// The most different paths of a page that are told apart.
pub const MAX_PATHS: usize = 4_096;

/// A path of tags from the root, hashed.
pub type PathHash = u64;

/// The path that stands for all paths after the first [`MAX_PATHS`].
const OTHER_PATHS: PathHash = 0;

/// The profile of a page's layout.
#[derive(Clone, Debug)]
pub struct TagPaths {
    /// Sorted by hash, counts at least 1.
    counts: Vec<(PathHash, u32)>,
    norm: f64,
}

impl TagPaths {
    /// The profile of a page. Any text will do; what is no tag does not count.
    #[must_use]
    pub fn of(html: &str) -> Self {
        let mut counts: HashMap<PathHash, u32, FxBuildHasher> = HashMap::default();
        let mut count = |path: PathHash| {
            let is_full = counts.len() >= MAX_PATHS && !counts.contains_key(&path);
            let count = counts.entry(if is_full { OTHER_PATHS } else { path }).or_insert(0);
            *count = count.saturating_add(1);
        };
        let mut nesting = Nesting::default();
        let mut name = Vec::new();
        let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
            match event {
                CallbackEvent::OpenStartTag { name: tag } => {
                    name.clear();
                    name.extend_from_slice(tag);
                }
                CallbackEvent::CloseStartTag { self_closing } => nesting.start(&name, self_closing, &mut count),
                CallbackEvent::EndTag { name } => nesting.end(name),
                _ => {}
            }
            None
        });
        emitter.naively_switch_states(true);
        let Ok(()) = Tokenizer::new_with_emitter(html, emitter).finish();
        Self::from_counts(counts.into_iter().collect())
    }

    fn from_counts(mut counts: Vec<(PathHash, u32)>) -> Self {
        counts.sort_unstable();
        let norm = counts.iter().map(|(_, n)| weight(*n).powi(2)).sum::<f64>().sqrt();
        Self { counts, norm }
    }

    /// How alike two layouts are, from 0 to 1; the formula is in the [module's text](self).
    ///
    /// Linear in the number of different paths of both.
    #[must_use]
    pub fn similarity(&self, other: &Self) -> f64 {
        if self == other {
            return 1.0;
        }
        if self.is_empty() || other.is_empty() {
            return 0.0;
        }
        let mut dot = 0.0;
        let (mut a, mut b) = (self.counts.as_slice(), other.counts.as_slice());
        while let ([(path_a, n_a), rest_a @ ..], [(path_b, n_b), rest_b @ ..]) = (a, b) {
            match path_a.cmp(path_b) {
                std::cmp::Ordering::Less => a = rest_a,
                std::cmp::Ordering::Greater => b = rest_b,
                std::cmp::Ordering::Equal => {
                    dot += weight(*n_a) * weight(*n_b);
                    (a, b) = (rest_a, rest_b);
                }
            }
        }
        (dot / (self.norm * other.norm)).clamp(0.0, 1.0)
    }

    /// The paths with their counts, by hash.
    pub fn iter(&self) -> impl Iterator<Item = (PathHash, u32)> {
        self.counts.iter().copied()
    }

    /// How many different paths there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether the page has no tag at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many elements the page has.
    #[must_use]
    pub fn elements(&self) -> u64 {
        self.counts.iter().map(|(_, n)| u64::from(*n)).sum()
    }
}

/// The norm follows from the counts.
impl PartialEq for TagPaths {
    fn eq(&self, other: &Self) -> bool {
        self.counts == other.counts
    }
}

impl Eq for TagPaths {}

fn weight(count: u32) -> f64 {
    1.0 + f64::from(count).ln()
}

#[cfg(test)]
mod tests;
