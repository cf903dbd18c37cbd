//! What do links say? (Intelligent crawling, WWW 2001.)
//!
//! Four ratios of a URL, each over pages that were fetched, from the pages known to link to it (its *parents*, the first [`MOST_PARENTS`]):
//!
//! | ratio | of |
//! |---|---|
//! | words | each feature of a parent: the share of pages with such a parent that satisfy |
//! | tokens | each word of the URL's path: the share of pages with it in theirs that satisfy |
//! | parents | each parent: the share of links of satisfying (or other) pages that lead to satisfying pages |
//! | siblings | all that its parents link to: the share that satisfies |
//!
//! Of words and tokens those that are significant are multiplied, and the product of each kind is clamped as a ratio is: words of one page come
//! together, so that many say little more than one. A link of a satisfying page is never below the least level for it: all of them become
//! candidates (CC).

use serde::{Deserialize, Serialize};
use trodden_frontier::{UrlId, UrlTable};

use super::composite::{Kind, Ratios};
use super::content::Vocabulary;
use super::settings::CollaborativeSettings;
use super::tally::{PARTS, Tally, Totals, clamped, parts};
use crate::predicate::{Stemming, hashes};

/// Pages that are remembered to link to a URL.
pub(super) const MOST_PARENTS: usize = 4;
/// Links of a page that are remembered.
const MOST_LINKS: usize = 512;
/// Words of a URL's path: the last ones, which say most of the page.
const MOST_TOKENS: usize = 6;
/// A link of a satisfying page is worth at least this.
const CANDIDATE: f64 = 0.25;

/// A page that was fetched, as a parent of others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Parent {
    pub(super) links: Vec<UrlId>,
    satisfies: bool,
    /// Fetched pages that it links to.
    children: Tally,
    features: Vec<u32>,
    /// Whether its links wait to be looked at again.
    pub(super) is_waiting: bool,
}

/// Parents of a URL: places in the list of all, from 1; 0 is none.
type Parents = [u32; MOST_PARENTS];

/// What was computed last of words and tokens, in parts of a nat.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Remembered {
    words: i16,
    tokens: i16,
}

/// All that links say.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Linked {
    pub(super) all: Vec<Parent>,
    free: Vec<u32>,
    /// By URL: its own place as a parent, from 1.
    own: UrlTable<u32>,
    parents: UrlTable<Parents>,
    /// By URL: words of its path, from 1.
    tokens: UrlTable<[u32; MOST_TOKENS]>,
    remembered: UrlTable<Remembered>,
    vocabulary: Vocabulary,
    by_word: Vec<Tally>,
    by_token: Vec<Tally>,
    /// Links of satisfying pages, and of others, that lead to fetched pages.
    of_good: Tally,
    of_others: Tally,
}

impl Linked {
    /// A URL is seen for the first time: the words of its path.
    pub(super) fn see(&mut self, url: UrlId, text: &str) {
        let path = text.split_once("://").map_or(text, |(_, rest)| rest);
        let path = path.split_once('/').map_or("", |(_, path)| path);
        let words: Vec<u64> = hashes(path, Stemming::None).collect();
        let mut tokens = [0; MOST_TOKENS];
        let last = words[words.len().saturating_sub(MOST_TOKENS)..].iter();
        for (slot, word) in tokens.iter_mut().zip(last) {
            *slot = self.vocabulary.number(*word).map_or(0, |number| number + 1);
        }
        *self.tokens.slot(url) = tokens;
    }

    /// A page was fetched: whoever links to it learns from it. The places of these parents.
    pub(super) fn fetched(&mut self, url: UrlId, satisfies: bool) -> Vec<u32> {
        let places = self.places(url);
        for &place in &places {
            let parent = &mut self.all[place as usize];
            parent.children.count(satisfies);
            if parent.satisfies { self.of_good.count(satisfies) } else { self.of_others.count(satisfies) }
        }
        for word in self.words_of(&places) {
            tally(&mut self.by_word, word).count(satisfies);
        }
        let tokens = different(self.tokens.get(url));
        tokens.for_each(|token| tally(&mut self.by_token, token).count(satisfies));
        places
    }

    /// What a page links to that was fetched.
    pub(super) fn add(&mut self, url: UrlId, satisfies: bool, features: &[u32], links: impl Iterator<Item = UrlId>) {
        let links: Vec<UrlId> = links.take(MOST_LINKS).collect();
        let place = match self.free.pop() {
            Some(place) => place,
            None => {
                self.all.push(Parent::default());
                self.all.len() as u32 - 1
            }
        };
        for link in &links {
            let parents = self.parents.slot(*link);
            if let Some(slot) = parents.iter_mut().find(|parent| **parent == 0) {
                *slot = place + 1;
            }
        }
        *self.own.slot(url) = place + 1;
        self.all[place as usize] = Parent { links, satisfies, features: features.to_vec(), ..Parent::default() };
    }

    /// A page that was fetched before it was known that it is linked counts for its new parent.
    pub(super) fn count_child(&mut self, url: UrlId, child: UrlId, satisfies: bool) {
        let Some(place) = self.own.get(url).checked_sub(1) else { return };
        if self.places(child).contains(&place) {
            self.all[place as usize].children.count(satisfies);
        }
    }

    /// Looks again at the words of a URL's parents and path.
    pub(super) fn look_again(&mut self, url: UrlId, totals: Totals, settings: &CollaborativeSettings) {
        let nats = |tally: Option<&Tally>| {
            let tally = tally.copied().unwrap_or_default();
            totals.significant_nats(tally, settings.sample, settings.significance)
        };
        let words = self.words_of(&self.places(url));
        let words: f64 = words.into_iter().map(|word| nats(self.by_word.get(word as usize))).sum();
        let tokens: f64 = different(self.tokens.get(url)).map(|token| nats(self.by_token.get(token as usize))).sum();
        *self.remembered.slot(url) = Remembered { words: parts(words), tokens: parts(tokens) };
    }

    /// What links say of a URL.
    pub(super) fn ratios(&self, url: UrlId, base: f64, ratios: &mut Ratios) {
        let remembered = self.remembered.get(url);
        ratios.set(Kind::Words, f64::from(remembered.words) / PARTS);
        ratios.set(Kind::Tokens, f64::from(remembered.tokens) / PARTS);
        let (mut parents, mut has_good, mut siblings) = (0.0, false, Tally::default());
        for place in self.parents.get(url).into_iter().filter(|place| *place > 0) {
            let parent = &self.all[place as usize - 1];
            has_good |= parent.satisfies;
            parents += if parent.satisfies { self.of_good.nats(base) } else { self.of_others.nats(base) };
            siblings.add(parent.children);
        }
        let parents = clamped(parents);
        ratios.set(Kind::Parents, if has_good { parents.max(CANDIDATE) } else { parents });
        ratios.set(Kind::Siblings, siblings.nats(base));
    }

    /// Pages known to link to a URL, and those of them that satisfy.
    pub(super) fn linked_from(&self, url: UrlId) -> (u32, u32) {
        let parents = self.parents.get(url).into_iter().filter(|place| *place > 0);
        parents.fold((0, 0), |(all, good), place| (all + 1, good + u32::from(self.all[place as usize - 1].satisfies)))
    }

    /// Forgets a URL and its links; what was learnt from it stays learnt.
    pub(super) fn forget(&mut self, url: UrlId) {
        if let Some(place) = self.own.get(url).checked_sub(1) {
            let parent = std::mem::take(&mut self.all[place as usize]);
            for link in parent.links {
                let parents = self.parents.slot(link);
                parents.iter_mut().filter(|slot| **slot == place + 1).for_each(|slot| *slot = 0);
            }
            self.free.push(place);
        }
        self.own.forget(url);
        self.parents.forget(url);
        self.tokens.forget(url);
        self.remembered.forget(url);
    }

    /// A fetched page's features.
    pub(super) fn features(&self, url: UrlId) -> &[u32] {
        match self.own.get(url) {
            0 => &[],
            place => &self.all[place as usize - 1].features,
        }
    }

    fn places(&self, url: UrlId) -> Vec<u32> {
        self.parents.get(url).into_iter().filter(|place| *place > 0).map(|place| place - 1).collect()
    }

    /// The different features of parents.
    fn words_of(&self, places: &[u32]) -> Vec<u32> {
        let features = places.iter().flat_map(|place| &self.all[*place as usize].features);
        let mut words: Vec<u32> = features.copied().collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// Different tokens, from 0.
fn different(mut tokens: [u32; MOST_TOKENS]) -> impl Iterator<Item = u32> {
    tokens.sort_unstable();
    let mut last = 0;
    tokens.into_iter().filter(move |token| std::mem::replace(&mut last, *token) != *token).map(|token| token - 1)
}

fn tally(tallies: &mut Vec<Tally>, number: u32) -> &mut Tally {
    if number as usize >= tallies.len() {
        tallies.resize(number as usize + 1, Tally::default());
    }
    &mut tallies[number as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(linked: &Linked, url: u32, kind: Kind) -> f64 {
        let mut ratios = Ratios::default();
        linked.ratios(UrlId(url), 0.25, &mut ratios);
        ratios.0[kind as usize]
    }

    #[test]
    fn www01_parents_and_siblings_by_hand() {
        let mut linked = Linked::default();
        let links = |urls: &[u32]| urls.iter().copied().map(UrlId).collect::<Vec<_>>().into_iter();
        linked.add(UrlId(0), true, &[], links(&[2, 3, 4]));
        linked.add(UrlId(1), false, &[], links(&[4, 5]));
        assert_eq!(ratio(&linked, 2, Kind::Parents), CANDIDATE);
        // 2 satisfies, 4 does not: of the links of satisfying pages one in two, of others none of one.
        assert_eq!(linked.fetched(UrlId(2), true), [0]);
        assert_eq!(linked.fetched(UrlId(4), false), [0, 1]);
        let good = ((1.0 + 0.25) / 3.0 / 0.25_f64).ln();
        let others = (0.25 / 2.0 / 0.25_f64).ln();
        assert!((ratio(&linked, 3, Kind::Parents) - good).abs() < 1e-12);
        assert!((ratio(&linked, 5, Kind::Parents) - others).abs() < 1e-12);
        assert!((ratio(&linked, 3, Kind::Siblings) - good).abs() < 1e-12);
        assert_eq!((linked.linked_from(UrlId(4)), linked.linked_from(UrlId(9))), ((2, 1), (0, 0)));
    }

    #[test]
    fn www01_words_and_tokens_count_where_they_are_significant() {
        let mut linked = Linked::default();
        let settings = CollaborativeSettings::default();
        // Page 0 is about feature 7 and links to 10 to 29, whose paths say "bird" where they satisfy.
        linked.add(UrlId(0), true, &[7], (10..40).map(UrlId));
        for url in 10..40 {
            linked.see(UrlId(url), &format!("http://site.example/{}/{url}", if url < 20 { "bird" } else { "fish" }));
        }
        (10..18).for_each(|url| drop(linked.fetched(UrlId(url), true)));
        (22..39).for_each(|url| drop(linked.fetched(UrlId(url), false)));
        let totals = Totals { fetched: 100, satisfying: 10 };
        for url in [18, 20] {
            linked.look_again(UrlId(url), totals, &settings);
        }
        assert!(ratio(&linked, 18, Kind::Tokens) > 1.0 && ratio(&linked, 20, Kind::Tokens) == 0.0);
        let words = totals.significant_nats(Tally { pages: 25, satisfying: 8 }, settings.sample, settings.significance);
        assert!(words > 0.0 && (ratio(&linked, 18, Kind::Words) - words).abs() <= 0.5 / PARTS);
    }

    #[test]
    fn ours_a_forgotten_parent_says_nothing_and_its_place_is_used_again() {
        let mut linked = Linked::default();
        linked.add(UrlId(0), true, &[], [UrlId(2)].into_iter());
        linked.forget(UrlId(0));
        assert_eq!(ratio(&linked, 2, Kind::Parents), 0.0);
        linked.add(UrlId(1), false, &[], [UrlId(3)].into_iter());
        assert_eq!((linked.all.len(), linked.linked_from(UrlId(2)), linked.linked_from(UrlId(3))), (1, (0, 0), (1, 0)));
    }
}
