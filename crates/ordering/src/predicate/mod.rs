//! Does a page satisfy what is looked for? A small language of words, fields, and, or and not.
//!
//! ```text
//! topic   = WORD…                                    any of these words (no other sign in it)
//!         | any
//! any     = all { "or" all }
//! all     = one { "and" one }
//! one     = "not" one | "(" any ")" | term
//! term    = WORD | "SOME WORDS"                      in the title, or ten times in the body
//!         | FIELD:WORD | FIELD:"SOME WORDS"          FIELD: title, body, anchor, url, host, lang, category, like
//!         | FIELD:WORD>=N                            at least so often (title, body)
//!         | FIELD~REGEX | FIELD~"REGEX"              title, body, url, host
//! ```
//!
//! | field | holds if |
//! |---|---|
//! | `title`, `body` | the word, or the words one after the other, are in it; in any case, by option [stemmed](Stemming) |
//! | `anchor` | they are in the text of a link to the page |
//! | `url` | the same for a word in the URL; a value with any other sign in it (`url:/blog/`) is looked for as it is |
//! | `host` | the page is on that host or below it |
//! | `lang` | the page is written in that language, told by its text (`de` or `deu`) |
//! | `category` | the page is labelled so, or with a part of it (`category:Science` holds for `Science.Physics`) |
//! | `like` | a [classifier](crate::classes) learnt from examples says so |
//!
//! **Two questions.** Of a page that was fetched: does it [hold](Predicate::holds)? Of a link that was only seen: does it
//! [hint](Predicate::hints) at such a page? Of a link only anchor and URL are known. Words of any text field are looked for in both, whatever
//! the number of times that is asked for (UO's crawlers look for the same words there); language, category, examples and regular expressions
//! over texts are unknown. With three values (Kleene): a link hints if the expression holds, or may hold while at least one term speaks for it.
//!
//! **Caps.** Text, terms and nesting are bounded, so that evaluation may recurse; regular expressions are compiled under a bound of memory and
//! run in linear time; only the first [`MOST_WORDS`] words of a text are read. A fault of the expression points at the character.

mod evaluate;
mod expression;
mod fault;
mod hint;
mod language;
mod parse;
mod scan;
mod term;
mod words;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use fault::PredicateFault;
pub use words::{Stemming, UnknownStemming, words};
pub(crate) use words::{hash, hashes};

use crate::classes::ClassModel;
use expression::Expression;
use term::Term;

/// So many topic words in its body make a page hot (UO).
pub const HOT_WORDS: u32 = 10;
/// Words of a text that are read: a book.
pub const MOST_WORDS: usize = 1 << 17;
/// Bytes of an expression: more than anybody types.
pub const MOST_BYTES: usize = 1 << 14;
/// Terms of an expression.
pub const MOST_TERMS: usize = 256;
/// Parentheses and `not` inside each other.
pub const MOST_NESTED: usize = 64;
/// Terms over the texts of links: each is one bit of what is remembered of a URL.
pub const MOST_ANCHORS: usize = 32;

/// Finds the classifier that `like:NAME` stands for; or why there is none.
pub type FindLikeness<'f> = dyn FnMut(&str) -> Result<Arc<ClassModel>, String> + 'f;

/// What is known of a page that was fetched.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageFacts<'a> {
    /// Its URL; empty where the world has none.
    pub url: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub body: &'a str,
    /// Which terms over anchors its links satisfied, as [`Predicate::anchor_hits`] told of each, joined by or.
    pub anchor_hits: u32,
    /// The categories it is labelled with.
    pub categories: &'a [&'a str],
}

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Predicate {
    text: String,
    expression: Expression,
    terms: Vec<Term>,
    stemming: Stemming,
}

impl Predicate {
    /// Reads an expression, or a list of words.
    ///
    /// # Errors
    /// If it is none, with the place.
    pub fn parse(text: &str) -> Result<Self, PredicateFault> {
        Self::parse_with(text, Stemming::None, &mut |_| Err("no examples can be read here".to_owned()))
    }

    /// The same, with words stemmed, and with classifiers.
    ///
    /// # Errors
    /// If it is none, with the place.
    pub fn parse_with(text: &str, stemming: Stemming, find: &mut FindLikeness<'_>) -> Result<Self, PredicateFault> {
        let (expression, terms) = parse::parse(text, stemming, find)?;
        Ok(Self { text: text.trim().to_owned(), expression, terms, stemming })
    }

    /// As it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The words that speak for it, as typed: what a measure of likeness can use.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        self.expression.each_wanted(&mut |term| self.terms[term].words_into(&mut words));
        words.sort_unstable();
        words.dedup();
        words
    }

    /// Whether it asks for the text of pages.
    pub fn reads_text(&self) -> bool {
        self.terms.iter().any(Term::reads_text)
    }

    /// Whether it asks for the text of links.
    pub fn reads_anchors(&self) -> bool {
        self.terms.iter().any(Term::reads_anchors)
    }

    /// Whether it asks for categories.
    pub fn reads_categories(&self) -> bool {
        self.terms.iter().any(Term::reads_categories)
    }
}
