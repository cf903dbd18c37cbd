//! How much is a page about what was asked? Likeness of texts to a query (WWW 1998, §2: IS).
//!
//! A text is a vector: for every word, how often it occurs times how rare it is, `tf·idf` with `idf = ln(N/df)`, N pages
//! of which df hold the word. `IS` is the cosine of the page's vector and the query's: from 0 to 1, and 0 if either has
//! no word that tells pages apart.
//!
//! A crawl knows only the pages it has fetched; so N and df are of what was [seen so far](SimilaritySoFar::see). Over a
//! whole collection: see all pages, then score them.
//!
//! **\[ours\]** Words are runs of letters and digits of any script, in lower case. Title and body count alike. A word that no
//! page so far holds counts as if one did. Words are told apart by 64-bit hashes; that two share one is unlikely enough
//! (one in a million for five million words) and would only blur df.
//!
//! Cost: a page is sorted by words once; 16 bytes or so for every different word seen.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::predicate::{hash, words};

/// A query, and how rare words are on the pages so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub struct SimilaritySoFar {
    query: Vec<Term>,
    pages: u64,
    /// By word: df.
    pages_with: FxHashMap<u64, u32>,
}

/// A word and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Term {
    word: u64,
    count: u32,
}

impl SimilaritySoFar {
    /// For these words; no page was seen yet.
    pub fn new(query: &str) -> Self {
        Self { query: terms([query]), pages: 0, pages_with: FxHashMap::default() }
    }

    /// How many pages were seen.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Takes the words of a page into account.
    pub fn see(&mut self, title: &str, body: &str) {
        self.pages += 1;
        for term in terms([title, body]) {
            *self.pages_with.entry(term.word).or_insert(0) += 1;
        }
    }

    /// IS of a page, or of any text such as that of a link. The page need not have been seen.
    pub fn score(&self, title: &str, body: &str) -> f64 {
        let page = terms([title, body]);
        let weight = |term: &Term| f64::from(term.count) * self.idf(term.word);
        let length = |terms: &[Term]| terms.iter().map(|term| weight(term).powi(2)).sum::<f64>().sqrt();
        let of = |word| page.binary_search_by_key(&word, |term| term.word).ok().map(|at| weight(&page[at]));
        let product: f64 =
            self.query.iter().filter_map(|term| of(term.word).map(|of_page| weight(term) * of_page)).sum();
        if product > 0.0 { (product / (length(&page) * length(&self.query))).min(1.0) } else { 0.0 }
    }

    fn idf(&self, word: u64) -> f64 {
        let with = self.pages_with.get(&word).copied().unwrap_or(1);
        (self.pages as f64 / f64::from(with)).max(1.0).ln()
    }
}

/// The words of texts, sorted by hash.
fn terms<const TEXTS: usize>(texts: [&str; TEXTS]) -> Vec<Term> {
    let mut found: Vec<u64> = texts.into_iter().flat_map(words).map(|word| hash(word.to_lowercase().bytes())).collect();
    found.sort_unstable();
    found.chunk_by(|a, b| a == b).map(|same| Term { word: same[0], count: same.len() as u32 }).collect()
}

/// The same with words in order, so that equal states are saved as equal bytes.
#[derive(Serialize, Deserialize)]
struct Saved {
    query: Vec<Term>,
    pages: u64,
    pages_with: Vec<(u64, u32)>,
}

impl From<SimilaritySoFar> for Saved {
    fn from(SimilaritySoFar { query, pages, pages_with }: SimilaritySoFar) -> Self {
        let mut pages_with: Vec<(u64, u32)> = pages_with.into_iter().collect();
        pages_with.sort_unstable();
        Self { query, pages, pages_with }
    }
}

impl From<Saved> for SimilaritySoFar {
    fn from(Saved { query, pages, pages_with }: Saved) -> Self {
        Self { query, pages, pages_with: pages_with.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_words_are_letters_and_digits_of_any_script_in_lower_case() {
        let found: Vec<String> = words("Straße, 3-D  ÜBER_über «Москва»").map(str::to_lowercase).collect();
        assert_eq!(found, ["straße", "3", "d", "über", "über", "москва"]);
    }

    #[test]
    fn www98_the_cosine_by_hand() {
        let mut seen = SimilaritySoFar::new("red fish");
        for body in ["red fish red", "red hat", "blue hat", "blue sea"] {
            seen.see("", body);
        }
        // idf: red ln 2, fish ln 4, hat ln 2, blue ln 2, sea ln 4. In units of ln 2: query (1, 2), page (2, 2).
        let expected = (1.0 * 2.0 + 2.0 * 2.0) / (5.0_f64.sqrt() * 8.0_f64.sqrt());
        assert!((seen.score("Red", "fish red") - expected).abs() < 1e-12);
        assert_eq!(seen.score("", "blue hat"), 0.0);
        // Page (1, hat 1): 1/(√5·√2).
        assert!((seen.score("", "red hat") - 1.0 / 10.0_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn ours_nothing_is_similar_before_a_page_was_seen_nor_by_words_that_all_pages_hold() {
        let mut seen = SimilaritySoFar::new("fish");
        assert_eq!(seen.score("fish", "fish"), 0.0);
        seen.see("fish", "");
        seen.see("", "fish and chips");
        assert_eq!(seen.score("fish", "fish"), 0.0);
        seen.see("", "chips");
        assert_eq!(seen.score("fish", "fish"), 1.0);
    }

    #[test]
    fn ours_rarity_is_of_what_was_seen_so_far() {
        let mut seen = SimilaritySoFar::new("fish");
        seen.see("", "sea");
        seen.see("", "sea");
        // fish was never seen: as rare as a word on one page. sea is on all: it says nothing.
        assert_eq!(seen.score("", "fish sea"), 1.0);
    }

    #[test]
    fn a_state_survives_being_saved() {
        let mut seen = SimilaritySoFar::new("red fish");
        seen.see("a", "red b c");
        let bytes = postcard::to_allocvec(&seen).unwrap();
        assert_eq!(postcard::from_bytes::<SimilaritySoFar>(&bytes).unwrap(), seen);
    }
}
