//! Which class of text is this? A classifier learnt from examples.
//!
//! Naive Bayes over the words of a page, each counted once a page (how often a word is repeated says little more, and says it too loudly):
//!
//! ```text
//! score(c) = ln (d_c + ½)/(D + C/2) + Σ_w ln (n_wc + ½)/(T_c + V/2)      over the different words w of the page that any example has
//! ```
//! D examples, d_c of class c; C classes; n_wc examples of class c with the word w, T_c = Σ_w n_wc; V different words. The ½ (Jeffreys) is what
//! a class is given that never had a word. Words of one example only are left out: they cannot be on both sides of any comparison.
//!
//! **How good is it?** [`ClassExamples::held_out`] learns from four fifths of the examples and asks of the other fifth, five times over. That is what is shown
//! beside every use. With one example, or all of one class, there is nothing to learn ([`NoClasses`]).
//!
//! Cost: 12 bytes a word and class that has it; a page costs a look-up for each of its different words.

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::predicate::{MOST_WORDS, Stemming, hashes};

/// Words that are kept, the most frequent first: a large dictionary.
const MOST_VOCABULARY: usize = 1 << 17;
/// Parts that examples are cut into: each is asked by what the others teach.
const FOLDS: usize = 5;

/// A class, by its place in the list of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u32);

/// Pages whose class is known.
#[derive(Clone, Debug, Default)]
pub struct ClassExamples {
    names: Vec<String>,
    /// Class, and the different words in order.
    pages: Vec<(ClassId, Vec<u64>)>,
}

/// Why nothing can be learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoClasses {
    /// No page, or one.
    #[error("there are too few examples: give at least two pages of each kind")]
    TooFew,
    /// All alike.
    #[error("all examples are of one kind: give pages of the other kind, too")]
    OneKind,
}

/// How often a classifier was right about examples that it had not seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldOut {
    /// Right answers.
    pub right: u64,
    /// All answers.
    pub asked: u64,
    /// Right answers of one who always names the most frequent class.
    pub by_majority: u64,
}

/// What was learnt.
#[derive(Clone, Debug)]
pub struct ClassModel {
    names: Vec<String>,
    /// By class: ln of its share of the examples.
    priors: Vec<f64>,
    /// By class: what a word adds that the class never had.
    without: Vec<f64>,
    /// By word: classes that have it, and what it adds above that.
    words: FxHashMap<u64, Vec<(ClassId, f32)>>,
}

impl ClassExamples {
    /// Of these classes; no page yet.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self { names: names.into_iter().collect(), pages: Vec::new() }
    }

    /// Adds a page. One without words teaches nothing and is left out.
    pub fn add(&mut self, class: ClassId, title: &str, body: &str) {
        let words = different_words(title, body);
        if !words.is_empty() && (class.0 as usize) < self.names.len() {
            self.pages.push((class, words));
        }
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Learns from all of them.
    ///
    /// # Errors
    /// If there is too little to learn from.
    pub fn learn(&self) -> Result<ClassModel, NoClasses> {
        if self.pages.len() < 2 {
            return Err(NoClasses::TooFew);
        }
        if self.pages.iter().all(|(class, _)| *class == self.pages[0].0) {
            return Err(NoClasses::OneKind);
        }
        Ok(ClassModel::of(&self.names, self.pages.iter()))
    }

    /// Asks of each fifth by what the others teach. Fifths are by place: the order of examples is for the caller to mix.
    pub fn held_out(&self) -> HeldOut {
        let mut held_out = HeldOut::default();
        for fold in 0..FOLDS {
            let is_asked = |at: usize| at % FOLDS == fold;
            let taught = self.pages.iter().enumerate().filter(|(at, _)| !is_asked(*at)).map(|(_, page)| page);
            let model = ClassModel::of(&self.names, taught);
            for (class, words) in self.pages.iter().enumerate().filter(|(at, _)| is_asked(*at)).map(|(_, page)| page) {
                held_out.asked += 1;
                held_out.right += u64::from(model.best(words) == Some(*class));
            }
        }
        let mut sizes = vec![0; self.names.len()];
        self.pages.iter().for_each(|(class, _)| sizes[class.0 as usize] += 1);
        held_out.by_majority = sizes.into_iter().max().unwrap_or(0);
        held_out
    }
}

impl ClassModel {
    fn of<'p>(names: &[String], pages: impl Iterator<Item = &'p (ClassId, Vec<u64>)>) -> Self {
        let mut examples = vec![0_u32; names.len()];
        let mut counts: FxHashMap<u64, Vec<(ClassId, u32)>> = FxHashMap::default();
        for (class, words) in pages {
            examples[class.0 as usize] += 1;
            for word in words {
                let of_word = counts.entry(*word).or_default();
                match of_word.iter_mut().find(|(known, _)| known == class) {
                    Some((_, count)) => *count += 1,
                    None => of_word.push((*class, 1)),
                }
            }
        }
        let on = |of_word: &[(ClassId, u32)]| of_word.iter().map(|(_, count)| *count).sum::<u32>();
        let mut kept: Vec<(u64, Vec<(ClassId, u32)>)> = counts.into_iter().filter(|(_, of)| on(of) > 1).collect();
        kept.sort_unstable_by_key(|(word, of)| (std::cmp::Reverse(on(of)), *word));
        kept.truncate(MOST_VOCABULARY);
        let mut totals = vec![0.0; names.len()];
        kept.iter().flat_map(|(_, of)| of).for_each(|(class, count)| totals[class.0 as usize] += f64::from(*count));
        let all: f64 = examples.iter().map(|n| f64::from(*n)).sum();
        let prior = |n: &u32| ((f64::from(*n) + 0.5) / (all + names.len() as f64 / 2.0)).ln();
        let half = kept.len() as f64 / 2.0;
        let gain = |count: u32| (2.0 * f64::from(count) + 1.0).ln() as f32;
        Self {
            names: names.to_vec(),
            priors: examples.iter().map(prior).collect(),
            without: totals.iter().map(|total| (0.5 / (total + half)).ln()).collect(),
            words: kept
                .into_iter()
                .map(|(word, of)| (word, of.into_iter().map(|(class, count)| (class, gain(count))).collect()))
                .collect(),
        }
    }

    /// The names of the classes.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The classes that a page is most like, the best first; none if it has no word that any example has.
    pub fn nearest(&self, title: &str, body: &str, most: usize) -> Vec<ClassId> {
        let scores = self.scores(&different_words(title, body));
        let mut classes: Vec<ClassId> = (0..scores.len() as u32).map(ClassId).collect();
        let of = |class: &ClassId| scores[class.0 as usize];
        classes.sort_by(|a, b| of(b).total_cmp(&of(a)).then(a.cmp(b)));
        classes.truncate(most);
        classes
    }

    /// Whether a page is of the first class: that of the examples that are looked for.
    pub fn is_like(&self, title: &str, body: &str) -> bool {
        self.best(&different_words(title, body)) == Some(ClassId(0))
    }

    fn best(&self, words: &[u64]) -> Option<ClassId> {
        let scores = self.scores(words);
        let best = (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)))?;
        Some(ClassId(best as u32))
    }

    /// By class; empty if no word is known.
    fn scores(&self, words: &[u64]) -> Vec<f64> {
        let mut scores = self.priors.clone();
        let mut known = 0.0;
        for of_word in words.iter().filter_map(|word| self.words.get(word)) {
            known += 1.0;
            of_word.iter().for_each(|(class, gain)| scores[class.0 as usize] += f64::from(*gain));
        }
        if known == 0.0 {
            return Vec::new();
        }
        scores.iter_mut().zip(&self.without).for_each(|(score, without)| *score += known * without);
        scores
    }
}

/// The different words of a page as numbers, in order.
fn different_words(title: &str, body: &str) -> Vec<u64> {
    let of = |text| hashes(text, Stemming::None).take(MOST_WORDS);
    let mut words: Vec<u64> = of(title).chain(of(body)).collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples(pages: &[(u32, &str)]) -> ClassExamples {
        let mut examples = ClassExamples::new(["fish", "birds", "trees"].map(str::to_owned));
        pages.iter().for_each(|(class, text)| examples.add(ClassId(*class), "", text));
        examples
    }

    #[test]
    fn kdd02_a_page_is_of_the_class_whose_words_it_has() {
        let some = [(0, "fin sea"), (0, "sea fin net"), (1, "wing sky"), (1, "sky wing net"), (2, "leaf"), (2, "leaf")];
        let model = examples(&some).learn().unwrap();
        assert!(model.is_like("Fin", "in the sea"));
        assert_eq!(model.nearest("", "wing and net", 2)[0], ClassId(1));
        assert_eq!(model.nearest("", "unheard of", 5), []);
        assert!(!model.is_like("", ""));
    }

    #[test]
    fn kdd02_the_score_by_hand() {
        let model = examples(&[(0, "a b"), (0, "a b"), (1, "a c"), (1, "c")]).learn().unwrap();
        // Kept: a (2 and 1 examples), b (2, 0), c (0, 2); V = 3; T = 4 and 3; shares 2.5/5.5.
        let of_fish = (2.5_f64 / 5.5).ln() + (2.5_f64 / 5.5).ln() + (0.5_f64 / 5.5).ln();
        let of_birds = (2.5_f64 / 5.5).ln() + (1.5_f64 / 4.5).ln() + (2.5_f64 / 4.5).ln();
        let scores = model.scores(&different_words("", "a c"));
        assert!((scores[0] - of_fish).abs() < 1e-6 && (scores[1] - of_birds).abs() < 1e-6, "{scores:?}");
    }

    #[test]
    fn ours_one_page_or_one_kind_teaches_nothing() {
        assert_eq!(examples(&[]).learn().unwrap_err(), NoClasses::TooFew);
        assert_eq!(examples(&[(0, "a")]).learn().unwrap_err(), NoClasses::TooFew);
        assert_eq!(examples(&[(0, "a"), (0, "b"), (1, "")]).learn().unwrap_err(), NoClasses::OneKind);
        assert_eq!(examples(&[(0, "a")]).held_out().asked, 1);
    }

    #[test]
    fn ours_what_is_held_out_is_asked_once_each() {
        let pages: Vec<(u32, &str)> =
            (0..20).map(|n| if n % 2 == 0 { (0, "fin sea") } else { (1, "wing sky") }).collect();
        assert_eq!(examples(&pages).held_out(), HeldOut { right: 20, asked: 20, by_majority: 10 });
    }
}
