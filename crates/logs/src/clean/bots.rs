//! Bots that say so in their agent.
//!
//! A list of our own, matched anywhere in the agent without regard to case, in one pass. An agent is looked at
//! once and its verdict remembered, so the list may be long. What merely looks like a bot is left to the other
//! rules; what is a person's browser with a telling add-on must not match, so every word here was held against
//! agents of real browsers ("cubot" is a telephone: see [`PEOPLE`]).

use aho_corasick::AhoCorasick;

/// Words of agents that are programs, one a line.
const WORDS: &str = include_str!("bots.txt");

/// Words of people's agents that contain a word of the list.
const PEOPLE: &[&str] = &["cubot"];

/// The list, ready to be matched.
#[derive(Debug)]
pub(crate) struct Bots {
    words: AhoCorasick,
    people: AhoCorasick,
}

impl Bots {
    pub(crate) fn new() -> Self {
        let of = |words: &[&str]| {
            AhoCorasick::builder().ascii_case_insensitive(true).build(words).expect("a short list of words")
        };
        let words: Vec<&str> = WORDS.lines().filter(|line| !line.starts_with('#')).collect();
        Self { words: of(&words), people: of(PEOPLE) }
    }

    /// Whether an agent says that it is a program. No agent at all says nothing.
    pub(crate) fn declared(&self, agent: &[u8]) -> bool {
        if agent.is_empty() {
            return false;
        }
        let ends_in_bot = agent.len() >= 3 && agent[agent.len() - 3..].eq_ignore_ascii_case(b"bot");
        (ends_in_bot || self.words.is_match(agent)) && !self.people.is_match(agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_declared_bots_are_known_and_browsers_are_not() {
        let bots = Bots::new();
        for agent in [
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 (compatible; Qwantify/2.2w; +https://www.qwant.com/)/*",
            "jetmon/1.0 (Jetpack Site Uptime Monitor by WordPress.com)",
            "Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)",
            "curl/8.5.0",
            "Python-urllib/2.7",
            "SomethingBot",
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
    }
}
