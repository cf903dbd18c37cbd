//! Which evidence counts, and how is it joined?

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// Who read satisfying pages reads this.
    Users,
    /// Who reads what readers of satisfying pages read reads this.
    Signatures,
    /// It was read shortly before or after a satisfying page.
    Locality,
    /// Words of pages that link to it, words of its URL, satisfying parents and siblings.
    Links,
}

impl Evidence {
    /// All kinds, with their names.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Users, "users"),
        (Self::Signatures, "signatures"),
        (Self::Locality, "locality"),
        (Self::Links, "links"),
    ];

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// How kinds of evidence are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Composite {
    /// By weights of the logarithms, learnt as pages are fetched.
    #[default]
    Learnt,
    /// All ratios multiplied, as in the paper.
    Product,
}

/// Some kinds of evidence, and how they are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recipe {
    kinds: u8,
    composite: Composite,
}

/// Not the name of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{part:?} is no evidence; join some of users, signatures, locality, links and product by +")]
pub struct UnknownEvidence {
    part: String,
}

const PRODUCT: &str = "product";

impl Recipe {
    /// Some kinds.
    pub fn of(kinds: impl IntoIterator<Item = Evidence>, composite: Composite) -> Self {
        Self { kinds: kinds.into_iter().fold(0, |set, kind| set | kind.bit()), composite }
    }

    /// All kinds.
    pub fn all(composite: Composite) -> Self {
        Self::of(Evidence::ALL.map(|(kind, _)| kind), composite)
    }

    /// Whether a kind counts.
    pub fn has(self, kind: Evidence) -> bool {
        self.kinds & kind.bit() != 0
    }

    /// The same without a kind.
    #[must_use]
    pub fn without(self, kind: Evidence) -> Self {
        Self { kinds: self.kinds & !kind.bit(), ..self }
    }

    /// How they are joined.
    pub fn composite(self) -> Composite {
        self.composite
    }

    /// Whether a log has a say in it.
    pub fn is_of_people(self) -> bool {
        [Evidence::Users, Evidence::Signatures, Evidence::Locality].into_iter().any(|kind| self.has(kind))
    }
}

impl Default for Recipe {
    fn default() -> Self {
        Self::all(Composite::default())
    }
}

impl fmt::Display for Recipe {
    /// Nothing where it is the default one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_all = self.kinds == Self::default().kinds;
        let kinds = Evidence::ALL.iter().filter(|(kind, _)| !has_all && self.has(*kind)).map(|(_, name)| *name);
        let product = (self.composite == Composite::Product).then_some(PRODUCT);
        let names: Vec<&str> = kinds.chain(product).collect();
        f.write_str(&names.join("+"))
    }
}

impl FromStr for Recipe {
    type Err = UnknownEvidence;

    fn from_str(text: &str) -> Result<Self, UnknownEvidence> {
        let (mut kinds, mut composite) = (Vec::new(), Composite::Learnt);
        for part in text.split('+').map(str::trim) {
            match Evidence::ALL.iter().find(|(_, name)| *name == part) {
                Some((kind, _)) => kinds.push(*kind),
                None if part == PRODUCT => composite = Composite::Product,
                None => return Err(UnknownEvidence { part: part.to_owned() }),
            }
        }
        Ok(if kinds.is_empty() { Self::all(composite) } else { Self::of(kinds, composite) })
    }
}

/// What the significance of a share is measured against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleSize {
    /// The pages that the share is of: n_i.
    #[default]
    Own,
    /// All pages fetched: N, as printed in the paper.
    Crawl,
}

/// What a page is about, as evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeatureSource {
    /// Labels where there are any, else classes where a classifier was learnt, else words.
    #[default]
    Best,
    /// Words, whatever else there is.
    Words,
}

/// Numbers of the learner, each as ALGORITHMS of the paper have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollaborativeSettings {
    /// What the significance of a share is measured against.
    pub sample: SampleSize,
    /// Standard deviations that a share must be off to count: t.
    pub significance: f64,
    /// Standard deviations that a user's signature must be off the mean to count.
    pub deviation: f64,
    /// Accesses before and after one that are near it.
    pub near: u32,
    /// What a page is about, as evidence.
    pub features: FeatureSource,
    /// Pages that are fetched before evidence against a URL counts: with fewer the trace is only sampled where there is no candidate.
    pub min_candidates: u64,
}

impl Default for CollaborativeSettings {
    fn default() -> Self {
        Self {
            sample: SampleSize::default(),
            significance: 2.0,
            deviation: 2.0,
            near: 5,
            features: FeatureSource::Best,
            min_candidates: 100,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_every_recipe_reads_back() {
        for text in ["users", "users+locality", "users+signatures+links", "product", "links+product"] {
            assert_eq!(text.parse::<Recipe>().unwrap().to_string(), text);
        }
        assert_eq!("users+signatures+locality+links".parse::<Recipe>().unwrap(), Recipe::default());
        assert_eq!(Recipe::default().to_string(), "");
        assert!(!"links".parse::<Recipe>().unwrap().is_of_people());
        assert!("salt".parse::<Recipe>().unwrap_err().to_string().contains("locality"));
    }
}
