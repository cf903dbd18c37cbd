//! Words of a text: runs of letters and digits of any script, in small letters, by option without their endings.

use std::fmt;
use std::str::FromStr;

use rust_stemmers::{Algorithm, Stemmer};
use thiserror::Error;

/// The words of a text: runs of letters and digits.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Words as numbers, in their order.
pub(crate) fn hashes(text: &str, stemming: Stemming) -> impl Iterator<Item = u64> + '_ {
    let stemmer = stemming.stemmer();
    words(text).map(move |word| match &stemmer {
        None if word.is_ascii() => hash(word.bytes().map(|byte| byte.to_ascii_lowercase())),
        None => hash(word.to_lowercase().bytes()),
        Some(stemmer) => hash(stemmer.stem(&word.to_lowercase()).bytes()),
    })
}

/// FNV-1a: the same for ever, as saved words need it. Words are told apart by 64 bits: that two of five million share one has
/// a chance of one in a million.
pub(crate) fn hash(word: impl IntoIterator<Item = u8>) -> u64 {
    word.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Languages whose endings can be cut off, by their two letters.
const STEMMED: [(&str, Stemming); 17] = [
    ("none", Stemming::None),
    ("ar", Stemming::Of(Algorithm::Arabic)),
    ("da", Stemming::Of(Algorithm::Danish)),
    ("de", Stemming::Of(Algorithm::German)),
    ("el", Stemming::Of(Algorithm::Greek)),
    ("en", Stemming::Of(Algorithm::English)),
    ("es", Stemming::Of(Algorithm::Spanish)),
    ("fi", Stemming::Of(Algorithm::Finnish)),
    ("fr", Stemming::Of(Algorithm::French)),
    ("hu", Stemming::Of(Algorithm::Hungarian)),
    ("it", Stemming::Of(Algorithm::Italian)),
    ("nl", Stemming::Of(Algorithm::Dutch)),
    ("no", Stemming::Of(Algorithm::Norwegian)),
    ("pt", Stemming::Of(Algorithm::Portuguese)),
    ("ro", Stemming::Of(Algorithm::Romanian)),
    ("ru", Stemming::Of(Algorithm::Russian)),
    ("sv", Stemming::Of(Algorithm::Swedish)),
];

/// Whether words count in all their forms, and by the rules of which language (Snowball).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stemming {
    /// Only as they are.
    #[default]
    None,
    /// In all forms.
    Of(Algorithm),
}

/// Not a language whose endings are known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name:?} is no language that can be stemmed; there are: {}", STEMMED.map(|(name, _)| name).join(", "))]
pub struct UnknownStemming {
    name: String,
}

impl Stemming {
    fn stemmer(self) -> Option<Stemmer> {
        match self {
            Self::None => None,
            Self::Of(algorithm) => Some(Stemmer::create(algorithm)),
        }
    }

    fn name(self) -> &'static str {
        STEMMED.iter().find(|(_, stemming)| *stemming == self).map_or("none", |(name, _)| name)
    }
}

impl fmt::Display for Stemming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Stemming {
    type Err = UnknownStemming;

    fn from_str(text: &str) -> Result<Self, UnknownStemming> {
        let found = STEMMED.iter().find(|(name, _)| *name == text);
        found.map(|(_, stemming)| *stemming).ok_or_else(|| UnknownStemming { name: text.to_owned() })
    }
}
