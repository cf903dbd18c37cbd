//! What is a page about? A few features of it, told when it is fetched.
//!
//! - Where pages are labelled: their labels.
//! - Where a classifier was learnt: the five classes that the page is most like.
//! - Else words: of those that were on a fetched page before (rare words out) and on at most a fifth of them (stop words out, in any language),
//!   the [`MOST_WORDS_OF_A_PAGE`] with the largest `tf·ln(N/df)`.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use trodden_frontier::UrlId;

use super::Reference;
use super::settings::FeatureSource;
use crate::outcome::PageText;
use crate::predicate::{MOST_WORDS, Stemming, hashes};

/// Features of a page that are words.
const MOST_WORDS_OF_A_PAGE: usize = 16;
/// Classes that a page is most like (CC).
const NEAREST_CLASSES: usize = 5;
/// Different words that are told apart: a large dictionary. What comes later is no feature.
const MOST_VOCABULARY: usize = 1 << 18;
/// A word on a larger share of the pages is a stop word.
const STOP_SHARE: f64 = 0.2;

/// Words as small numbers, and on how many pages they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, u32)>", into = "Vec<(u64, u32)>")]
pub(super) struct Vocabulary {
    numbers: FxHashMap<u64, u32>,
    /// By number: the word and its pages.
    words: Vec<(u64, u32)>,
}

impl Vocabulary {
    /// The number of a word; none if there is no room for a new one.
    pub(super) fn number(&mut self, word: u64) -> Option<u32> {
        if let Some(number) = self.numbers.get(&word) {
            return Some(*number);
        }
        if self.words.len() >= MOST_VOCABULARY {
            return None;
        }
        let number = self.words.len() as u32;
        self.words.push((word, 0));
        self.numbers.insert(word, number);
        Some(number)
    }

    /// The features of a page, by the `pages` that were seen before; it is seen now.
    fn features(&mut self, text: &PageText<'_>, pages: u64) -> Vec<u32> {
        let of = |text| hashes(text, Stemming::None).take(MOST_WORDS);
        let mut words: Vec<u64> = of(text.title).chain(of(text.body)).collect();
        words.sort_unstable();
        let mut best: Vec<(f64, u32)> = Vec::new();
        for same in words.chunk_by(|a, b| a == b) {
            let Some(number) = self.number(same[0]) else { continue };
            let with = &mut self.words[number as usize].1;
            let share = f64::from(*with) / pages.max(1) as f64;
            if *with > 0 && (share <= STOP_SHARE || *with < 3) {
                best.push((same.len() as f64 * (pages.max(1) as f64 / f64::from(*with)).max(1.0).ln(), number));
            }
            *with += 1;
        }
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut features: Vec<u32> = best.into_iter().take(MOST_WORDS_OF_A_PAGE).map(|(_, number)| number).collect();
        features.sort_unstable();
        features
    }
}

impl From<Vec<(u64, u32)>> for Vocabulary {
    fn from(words: Vec<(u64, u32)>) -> Self {
        Self { numbers: (0..).zip(&words).map(|(number, (word, _))| (*word, number)).collect(), words }
    }
}

impl From<Vocabulary> for Vec<(u64, u32)> {
    fn from(vocabulary: Vocabulary) -> Self {
        vocabulary.words
    }
}

/// The features of a page that was fetched, in order.
pub(super) fn features(
    reference: &Reference,
    vocabulary: &mut Vocabulary,
    url: UrlId,
    text: Option<&PageText<'_>>,
    pages: u64,
    source: FeatureSource,
) -> Vec<u32> {
    if source == FeatureSource::Best && !reference.labels.is_empty() {
        let mut features = reference.labels.numbers_of(url).to_vec();
        features.sort_unstable();
        return features;
    }
    let Some(text) = text else { return Vec::new() };
    match &reference.classes {
        Some(model) if source == FeatureSource::Best => {
            let nearest = model.nearest(text.title, text.body, NEAREST_CLASSES);
            let mut features: Vec<u32> = nearest.into_iter().map(|class| class.0).collect();
            features.sort_unstable();
            features
        }
        _ => vocabulary.features(text, pages),
    }
}
