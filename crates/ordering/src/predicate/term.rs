//! One thing that is looked for.

use std::sync::Arc;

use regex::Regex;

use super::words::words;
use crate::classes::ClassModel;

/// Where words are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextField {
    /// In the title, or often in the body.
    TitleOrBody,
    Title,
    Body,
    Url,
}

/// Where a regular expression is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RegexField {
    Title,
    Body,
    Url,
    Host,
}

/// One thing that is looked for.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// Any of these phrases, together at least so often.
    Words { field: TextField, phrases: Vec<Phrase>, at_least: u32 },
    /// A phrase in the text of a link; which bit of what is remembered of a URL.
    Anchor { phrase: Phrase, bit: u32 },
    /// A part of the URL, in small letters.
    UrlPart(String),
    /// A host, in small letters.
    Host(String),
    /// A language by its three letters.
    Language(&'static str),
    /// A category.
    Category(String),
    /// What a classifier finds.
    Like(Arc<ClassModel>),
    /// What matches.
    Matches { field: RegexField, regex: Regex },
}

/// Words that stand one after the other.
#[derive(Clone, Debug)]
pub(super) struct Phrase {
    pub(super) text: String,
    /// As [numbers](super::words::hashes).
    pub(super) words: Vec<u64>,
}

impl Phrase {
    /// How often it is among words.
    pub(super) fn count_in(&self, text: &[u64]) -> usize {
        text.windows(self.words.len().max(1)).filter(|window| *window == self.words).count()
    }

    /// Whether it is among words.
    pub(super) fn is_in(&self, text: &[u64]) -> bool {
        text.windows(self.words.len().max(1)).any(|window| window == self.words)
    }
}

impl Term {
    pub(super) fn reads_text(&self) -> bool {
        match self {
            Self::Words { field, .. } => *field != TextField::Url,
            Self::Matches { field, .. } => matches!(field, RegexField::Title | RegexField::Body),
            Self::Language(_) | Self::Like(_) => true,
            Self::Anchor { .. } | Self::UrlPart(_) | Self::Host(_) | Self::Category(_) => false,
        }
    }

    pub(super) fn reads_anchors(&self) -> bool {
        matches!(self, Self::Anchor { .. })
    }

    pub(super) fn reads_categories(&self) -> bool {
        matches!(self, Self::Category(_))
    }

    /// The words it looks for, in small letters.
    pub(super) fn words_into(&self, all: &mut Vec<String>) {
        let phrases = match self {
            Self::Words { phrases, .. } => phrases.as_slice(),
            Self::Anchor { phrase, .. } => std::slice::from_ref(phrase),
            _ => &[],
        };
        all.extend(phrases.iter().flat_map(|phrase| words(&phrase.text)).map(str::to_lowercase));
    }
}
