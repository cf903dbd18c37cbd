//! Does a link, of which only anchor and URL are known, hint at a page that satisfies an expression?

use super::evaluate::{has_part, host_of, is_on};
use super::expression::Verdict;
use super::term::{Phrase, RegexField, Term, TextField};
use super::words::hashes;
use super::{MOST_WORDS, Predicate};

/// The words of a link.
struct Link<'l> {
    url: &'l str,
    anchor_words: Vec<u64>,
    url_words: Vec<u64>,
}

impl Predicate {
    /// Whether a link speaks for it.
    pub fn hints(&self, url: &str, anchor: &str) -> bool {
        let words = |text| hashes(text, self.stemming).take(MOST_WORDS).collect();
        let link = Link { url, anchor_words: words(anchor), url_words: words(url) };
        let mut speaks = false;
        let verdict = self.expression.verdict(&mut |term| {
            let verdict = link.verdict(&self.terms[term]);
            speaks |= verdict == Verdict::Yes;
            verdict
        });
        verdict == Verdict::Yes || (verdict == Verdict::Unknown && speaks)
    }

    /// Which of the terms over anchors the text of a link satisfies, a bit for each.
    pub fn anchor_hits(&self, anchor: &str) -> u32 {
        let phrases = self.terms.iter().filter_map(|term| match term {
            Term::Anchor { phrase, bit } => Some((phrase, bit)),
            _ => None,
        });
        let mut words = None;
        phrases.fold(0, |hits, (phrase, bit)| {
            let words =
                words.get_or_insert_with(|| -> Vec<u64> { hashes(anchor, self.stemming).take(MOST_WORDS).collect() });
            hits | u32::from(phrase.is_in(words)) << bit
        })
    }
}

impl Link<'_> {
    fn verdict(&self, term: &Term) -> Verdict {
        match term {
            Term::Words { field: TextField::Url, phrases, .. } => {
                Verdict::of(phrases.iter().any(|phrase| phrase.is_in(&self.url_words)))
            }
            Term::Words { phrases, .. } => Verdict::of(phrases.iter().any(|phrase| self.names(phrase))),
            Term::Anchor { phrase, .. } => Verdict::of(phrase.is_in(&self.anchor_words)),
            Term::UrlPart(part) => Verdict::of(has_part(self.url, part)),
            Term::Host(host) => Verdict::of(is_on(self.url, host)),
            Term::Matches { field: RegexField::Url, regex } => Verdict::of(regex.is_match(self.url)),
            Term::Matches { field: RegexField::Host, regex } => Verdict::of(regex.is_match(host_of(self.url))),
            Term::Matches { .. } | Term::Language(_) | Term::Category(_) | Term::Like(_) => Verdict::Unknown,
        }
    }

    fn names(&self, phrase: &Phrase) -> bool {
        phrase.is_in(&self.anchor_words) || phrase.is_in(&self.url_words)
    }
}
