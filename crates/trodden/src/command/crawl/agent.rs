//! What does a crawl call itself, and what did the crawls of this user ever call themselves?
//!
//! A server's log names its readers by their user agents. Whoever crawls a site and then mines its log must not take the
//! crawler for a reader, so the product token of each user agent is kept beside the contact ([`known_agents`]).

use std::fs::{self, File};
use std::io::Read;

use anyhow::{Result, bail};
use trodden_fetch::crawl::{CrawlSettings, ROBOTS_TOKEN};
use trodden_fetch::robots::is_product_token;

use super::contact::settings_file;

/// What a crawl calls itself, unless it is told otherwise.
pub(crate) const OWN_NAME: &str = "trodden";
/// The longest user agent.
const MAX_BYTES: usize = 400;
/// The file of product tokens, a line each.
const FILE: &str = "agents";
/// More of it is not read.
const MAX_FILE_BYTES: u64 = 1 << 16;
/// What browsers call themselves. A crawl that pretends to be one cannot be told from people: such a name is never kept.
const BROWSERS: [&str; 14] = [
    "applewebkit",
    "chrome",
    "chromium",
    "crios",
    "edg",
    "edge",
    "firefox",
    "fxios",
    "gecko",
    "mobile",
    "mozilla",
    "opr",
    "safari",
    "version",
];

/// The user agent of a crawl, by what it was told to call itself and its contact. A text that has a comment of its own is
/// sent as it is.
pub(super) fn user_agent(told: Option<&str>, contact: Option<&str>) -> Result<String> {
    let own = format!("{OWN_NAME}/{}", env!("CARGO_PKG_VERSION"));
    let name = told.map_or(own.as_str(), str::trim);
    if name.is_empty() || name.len() > MAX_BYTES || !name.bytes().all(|b| b.is_ascii_graphic() || b == b' ') {
        bail!(
            "--user-agent {name:?} cannot stand in a header; write at most {MAX_BYTES} plain characters, as in \
             'mybot/1.0 (+https://example.org/bot)'"
        );
    }
    Ok(match contact {
        Some(contact) if !name.contains('(') => format!("{name} (+{contact})"),
        _ => name.to_owned(),
    })
}

/// The product token of a user agent: `mybot` of `mybot/1.0 (+URL)` and of `Mozilla/5.0 (compatible; mybot/1.0; +URL)`. None
/// if only browsers are named.
pub(crate) fn product_token(user_agent: &str) -> Option<&str> {
    // In a comment only what has a version is a product: "compatible" and "like Gecko" are none.
    let is_product = |(depth, word): &(i32, &str)| *depth == 0 || (word.contains('/') && !word.contains("://"));
    let mut depth = 0;
    let words = user_agent.split_inclusive([' ', ';', ',', '(', ')']).map(|word| {
        let inside = depth;
        depth += i32::from(word.ends_with('(')) - i32::from(word.ends_with(')'));
        (inside, word.trim_end_matches([' ', ';', ',', '(', ')']))
    });
    words.filter(is_product).filter_map(|(_, word)| token(word)).find(|token| !is_browser(token))
}

/// The name that robots.txt is asked for: the one that was set, or that of the user agent.
pub(super) fn robots_token(settings: &CrawlSettings) -> String {
    let told = settings.user_agent.as_deref().filter(|_| settings.robots_token == ROBOTS_TOKEN);
    let token = told.and_then(product_token).filter(|token| is_product_token(token));
    token.unwrap_or(&settings.robots_token).to_owned()
}

/// The name of a product, without its version.
fn token(product: &str) -> Option<&str> {
    let name = product.split('/').next().unwrap_or_default();
    let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    (name.bytes().any(|b| b.is_ascii_alphabetic()) && name.bytes().all(is_token)).then_some(name)
}

fn is_browser(token: &str) -> bool {
    BROWSERS.iter().any(|browser| token.eq_ignore_ascii_case(browser))
}

/// The product tokens of all user agents that crawls of this user had, in the order of their first use.
pub(crate) fn known_agents() -> Vec<String> {
    let mut text = String::new();
    let read = |file: File| file.take(MAX_FILE_BYTES).read_to_string(&mut text);
    // Without the file, none was ever used.
    let _ = settings_file(FILE).and_then(|path| File::open(path).ok()).map(read);
    let names = text.lines().map(str::trim).filter(|name| token(name) == Some(name) && !is_browser(name));
    names.map(str::to_owned).collect()
}

/// Keeps the product token of a user agent, if it is new. If that cannot be, the crawl is none the worse.
pub(super) fn remember(user_agent: &str) {
    let Some(token) = product_token(user_agent) else { return };
    let mut known = known_agents();
    if known.iter().any(|name| name.eq_ignore_ascii_case(token)) {
        return;
    }
    known.push(token.to_owned());
    if let Some(file) = settings_file(FILE)
        && let Some(folder) = file.parent()
        && fs::create_dir_all(folder).is_ok()
    {
        let _ = fs::write(file, known.join("\n") + "\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_user_agent_is_what_was_told_with_whom_to_ask() {
        let of = |told, contact| user_agent(told, contact).map_err(|error| error.to_string());
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(of(None, Some("me@example.org")), Ok(format!("trodden/{version} (+me@example.org)")));
        assert_eq!(of(None, None), Ok(format!("trodden/{version}")));
        assert_eq!(of(Some(" mybot/2 "), Some("me@example.org")), Ok("mybot/2 (+me@example.org)".to_owned()));
        assert_eq!(of(Some("mybot/2 (see x)"), Some("me@example.org")), Ok("mybot/2 (see x)".to_owned()));
        for bad in ["", "a\r\nX-Evil: 1", "robö/1", &"x".repeat(401)] {
            assert!(of(Some(bad), None).unwrap_err().contains("--user-agent"), "{bad:?}");
        }
    }

    #[test]
    fn ours_robots_txt_is_asked_for_the_name_that_servers_see() {
        let of = |agent: Option<&str>, token: &str| {
            let user_agent = agent.map(str::to_owned);
            robots_token(&CrawlSettings { user_agent, robots_token: token.to_owned(), ..CrawlSettings::default() })
        };
        assert_eq!(of(None, ROBOTS_TOKEN), "trodden");
        assert_eq!(of(Some("mybot/1.0"), ROBOTS_TOKEN), "mybot");
        assert_eq!(of(Some("mybot/1.0"), "other"), "other", "what was set holds");
        assert_eq!(of(Some("bot2/1.0"), ROBOTS_TOKEN), "trodden", "no robots.txt can name it");
    }

    #[test]
    fn ours_a_product_is_told_from_the_browsers_that_it_names() {
        for (agent, token) in [
            ("trodden/0.1.0 (+me@example.org)", Some("trodden")),
            ("mybot", Some("mybot")),
            ("my-bot.v2/1.0", Some("my-bot.v2")),
            ("Mozilla/5.0 (compatible; mybot/1.0; +https://example.org/bot/about)", Some("mybot")),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) mybot/3 Safari/537.36",
                Some("mybot"),
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", None),
            ("5.0", None),
            ("", None),
        ] {
            assert_eq!(product_token(agent), token, "{agent}");
        }
    }
}
