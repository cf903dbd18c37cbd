//! Bots that say so in their agent.
//!
//! A list of our own, matched anywhere in the agent without regard to case, in one pass. An agent is looked at
//! once and its verdict remembered, so the list may be long. What merely looks like a bot is left to the other
//! rules; what is a person's browser with a telling add-on must not match, so every word here was held against
//! agents of real browsers ("cubot" is a telephone: see [`PEOPLE`]).
//!
//! An operator can add words ([`BotRule`]), matched as those of the list are, and the names of crawlers of their own,
//! matched as whole products: `my` is not in `mysearch/1.0`.

use std::fmt;

use aho_corasick::AhoCorasick;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Words of agents that are programs, one a line.
const WORDS: &str = include_str!("bots.txt");

/// Words of people's agents that contain a word of the list.
const PEOPLE: &[&str] = &["cubot"];

/// Agents of people, of the kinds that most have: a word that is in one of them tells nothing.
const BROWSERS: &[&str] = &[
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36 OPR/80.0",
];

/// Shorter words are in too many agents to tell anything.
const SHORTEST_WORD: usize = 3;

/// So many words an operator may add.
const MOST_WORDS: usize = 10_000;

/// What is done with bots that say so: `true`, `false`, or a list of further words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotRule {
    /// They count as people.
    Kept,
    /// They are dropped, known by the built-in list and by these words, anywhere in the agent, without regard to case.
    Dropped(Vec<String>),
}

impl BotRule {
    /// Whether they are dropped.
    #[must_use]
    pub fn drops(&self) -> bool {
        matches!(self, Self::Dropped(_))
    }

    fn words(&self) -> &[String] {
        match self {
            Self::Kept => &[],
            Self::Dropped(words) => words,
        }
    }

    /// What is wrong with the words, if anything.
    ///
    /// # Errors
    /// If a word would take people for bots.
    pub fn check(&self) -> Result<(), String> {
        for word in self.words() {
            let bare = word.trim();
            let lower = bare.to_ascii_lowercase();
            if bare.len() < SHORTEST_WORD || BROWSERS.iter().any(|agent| agent.to_ascii_lowercase().contains(&lower)) {
                return Err(format!(
                    "{word:?} is in the agents of people's browsers; give a word that only the bot has, of at least {SHORTEST_WORD} letters, as \"acmebot\""
                ));
            }
        }
        if self.words().len() > MOST_WORDS {
            return Err(format!("more than {MOST_WORDS} words"));
        }
        Ok(())
    }
}

impl Serialize for BotRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Kept => serializer.serialize_bool(false),
            Self::Dropped(words) if words.is_empty() => serializer.serialize_bool(true),
            Self::Dropped(words) => words.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for BotRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rule;
        impl<'de> Visitor<'de> for Rule {
            type Value = BotRule;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false, or a list of words in agents, as [\"acmebot\"]")
            }

            fn visit_bool<E>(self, drops: bool) -> Result<BotRule, E> {
                Ok(if drops { BotRule::Dropped(Vec::new()) } else { BotRule::Kept })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut words: A) -> Result<BotRule, A::Error> {
                let mut all = Vec::new();
                while let Some(word) = words.next_element()? {
                    all.push(word);
                }
                Ok(BotRule::Dropped(all))
            }
        }
        deserializer.deserialize_any(Rule)
    }
}

/// The list, ready to be matched.
#[derive(Debug)]
pub(crate) struct Bots {
    words: AhoCorasick,
    people: AhoCorasick,
    /// Crawlers of the operator's own, by product.
    own: AhoCorasick,
}

impl Bots {
    /// The list, with the words of the rule and the products of the operator's own crawlers.
    pub(crate) fn new(rule: &BotRule, own: &[String]) -> Self {
        let of = |words: &[&str]| {
            AhoCorasick::builder().ascii_case_insensitive(true).build(words).expect("a list of some thousand words")
        };
        let added = rule.words().iter().map(|word| word.trim());
        let words: Vec<&str> = WORDS.lines().filter(|line| !line.starts_with('#')).chain(added).collect();
        let own: Vec<&str> = own.iter().map(String::as_str).filter(|name| !name.is_empty()).take(MOST_WORDS).collect();
        Self { words: of(&words), people: of(PEOPLE), own: of(&own) }
    }

    /// Whether an agent says that it is a program. No agent at all says nothing.
    pub(crate) fn declared(&self, agent: &[u8]) -> bool {
        if agent.is_empty() {
            return false;
        }
        let ends_in_bot = agent.len() >= 3 && agent[agent.len() - 3..].eq_ignore_ascii_case(b"bot");
        (ends_in_bot || self.words.is_match(agent)) && !self.people.is_match(agent) || self.is_own(agent)
    }

    /// Whether an agent names a crawler of the operator's own as a product.
    fn is_own(&self, agent: &[u8]) -> bool {
        let is_part = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b));
        self.own.find_overlapping_iter(agent).any(|found| {
            let before = found.start().checked_sub(1).and_then(|at| agent.get(at));
            !is_part(before) && !is_part(agent.get(found.end()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_declared_bots_are_known_and_browsers_are_not() {
        let bots = Bots::new(&BotRule::Dropped(Vec::new()), &[]);
        for agent in [
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 (compatible; Qwantify/2.2w; +https://www.qwant.com/)/*",
            "jetmon/1.0 (Jetpack Site Uptime Monitor by WordPress.com)",
            "Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)",
            "curl/8.5.0",
            "Python-urllib/2.7",
            "SomethingBot",
            "trodden/0.1.0 (+https://example.org/crawl)",
            "trodden-demo/0.1.0",
            "Dalvik/2.1.0 (Linux; U; Android 8.1.0; SM-J701F Build/M1AJQ)",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/90.0 Safari/537.36",
        ] {
            assert!(bots.declared(agent.as_bytes()), "{agent}");
        }
        for agent in [
            "",
            "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/31.0.1650.57 Safari/537.36",
            "Mozilla/5.0 (Linux; Android 7.0; CUBOT_MANITO Build/NRD90M) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/71.0 Mobile Safari/537.36",
            "Mozilla/5.0 (Linux; Android 8.1.0; SAMSUNG SM-J710F Build/M1AJQ) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/8.0 Chrome/63.0 Mobile Safari/537.36",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 12_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.0 Mobile/15E148 Safari/604.1",
            "Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.16",
        ] {
            assert!(!bots.declared(agent.as_bytes()), "{agent}");
        }
        assert!(BROWSERS.iter().all(|agent| !bots.declared(agent.as_bytes())));
    }

    #[test]
    fn ours_words_and_crawlers_of_the_operator_are_bots_too() {
        let rule = BotRule::Dropped(vec!["AcmeFetch".to_owned()]);
        let bots = Bots::new(&rule, &["my".to_owned(), "mysearch".to_owned()]);
        for agent in ["Mozilla/5.0 (compatible; acmefetch; +x)", "MY/2.0", "x (my; 1)", "mysearch/1.0", "MySearch"] {
            assert!(bots.declared(agent.as_bytes()), "{agent}");
        }
        for agent in ["mybrowser/1.0", "amy/1.0", "my-own/1.0", "mysearching/2"] {
            assert!(!bots.declared(agent.as_bytes()), "{agent}");
        }
        assert!(rule.check().is_ok());
        for word in ["mozilla", "Safari/", "x", "", " ab ", "like Gecko"] {
            assert!(BotRule::Dropped(vec![word.to_owned()]).check().is_err(), "{word}");
        }
    }

    #[test]
    fn ours_the_rule_on_bots_is_a_switch_or_a_list() {
        for (text, rule) in [
            ("true", BotRule::Dropped(Vec::new())),
            ("false", BotRule::Kept),
            ("[\"acmebot\"]", BotRule::Dropped(vec!["acmebot".to_owned()])),
        ] {
            assert_eq!(serde_json::from_str::<BotRule>(text).unwrap(), rule);
            assert_eq!(serde_json::to_string(&rule).unwrap(), text);
        }
        assert!(serde_json::from_str::<BotRule>("3").unwrap_err().to_string().contains("acmebot"));
    }
}
