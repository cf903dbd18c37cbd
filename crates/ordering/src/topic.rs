//! Does a text speak of the topic? Plain words, looked for as words.

use serde::{Deserialize, Serialize};

/// Words that are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    words: Vec<String>,
}

impl Topic {
    /// The words of a text, whatever stands between them; none if there is no word in it.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words: Vec<String> = words(text).map(|word| word.to_lowercase()).collect();
        words.sort_unstable();
        words.dedup();
        (!words.is_empty()).then_some(Self { words })
    }

    /// The words, in small letters.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether one of the words is in a text.
    pub fn is_in(&self, text: &str) -> bool {
        words(text).any(|word| self.is_word(word))
    }

    /// How often they are in it, up to a number that is enough.
    pub fn count_in(&self, text: &str, enough: usize) -> usize {
        words(text).filter(|word| self.is_word(word)).take(enough).count()
    }

    fn is_word(&self, word: &str) -> bool {
        self.words
            .iter()
            .any(|known| if word.is_ascii() { known.eq_ignore_ascii_case(word) } else { *known == word.to_lowercase() })
    }
}

/// The words of a text: runs of letters and digits.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_whole_and_in_any_case() {
        let topic = Topic::parse("Space,  Ölpest").unwrap();
        assert!(topic.is_in("/wp/s/SPACE_exploration.htm"));
        assert!(topic.is_in("die ÖLPEST von 1999"));
        assert!(!topic.is_in("spacecraft, aerospace"));
        assert_eq!(topic.count_in("space space-time and space", 2), 2);
        assert_eq!(topic.count_in("space space-time and space", 10), 3);
    }

    #[test]
    fn no_words_are_no_topic() {
        assert_eq!(Topic::parse(" ,.-  "), None);
    }
}
