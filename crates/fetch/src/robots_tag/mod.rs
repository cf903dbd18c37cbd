//! What does a page ask of those who fetched it?
//!
//! `X-Robots-Tag` headers and `<meta name="robots">` list what is refused: `noindex, nofollow`. A header may name whom it
//! means (`otherbot: noindex, nofollow`); the name holds to the end of its value, or to the next name. All that holds
//! for us is added up: one refusal is enough, and nothing takes it back.
//!
//! What is found has a fixed size, whatever was written.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What one may do with a page, and a page may refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PageUse {
    /// Show it in search results: `noindex`.
    Index,
    /// Follow its links: `nofollow`.
    Follow,
    /// Show a kept copy: `noarchive`, `nocache`.
    Archive,
}

/// Longest date that is kept.
const DATE_BYTES: usize = 64;

/// Directives that have a value of their own behind a colon, so that what stands before it is no crawler's name.
const WITH_VALUE: [&str; 4] = [UNAVAILABLE_AFTER, "max-snippet", "max-image-preview", "max-video-preview"];
const UNAVAILABLE_AFTER: &str = "unavailable_after";

/// What is refused to us.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsTag {
    /// One bit a use.
    refused: u8,
    unavailable_after: Option<Box<str>>,
}

impl RobotsTag {
    /// Reads the values of all `X-Robots-Tag` headers of an answer, for the crawler of this product token.
    pub fn parse<'a>(values: impl IntoIterator<Item = &'a str>, agent_token: &str) -> Self {
        let mut tag = Self::default();
        values.into_iter().for_each(|value| tag.add(value, Some(agent_token)));
        tag
    }

    /// Reads name and content of all `<meta>` elements of a page; those named `robots` or by our product token count.
    pub fn parse_meta<'a>(elements: impl IntoIterator<Item = (&'a str, &'a str)>, agent_token: &str) -> Self {
        let mut tag = Self::default();
        for (name, content) in elements {
            if means_us(name.trim_ascii(), agent_token) {
                tag.add(content, None);
            }
        }
        tag
    }

    /// Is this refused?
    pub fn refuses(&self, what: PageUse) -> bool {
        self.refused & bit(what) != 0
    }

    /// When the page wants to be forgotten, as it is written.
    pub fn unavailable_after(&self) -> Option<&str> {
        self.unavailable_after.as_deref()
    }

    /// What both refuse together: headers and page.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.refused |= other.refused;
        self.unavailable_after = self.unavailable_after.or(other.unavailable_after);
        self
    }

    /// Adds one value; with an agent, names in it are heeded.
    fn add(&mut self, value: &str, agent_token: Option<&str>) {
        let mut holds = true;
        let mut parts = value.split(',').map(str::trim_ascii).peekable();
        while let Some(part) = parts.next() {
            let mut directive = part;
            if let (Some(agent), Some((name, rest))) = (agent_token, name_of(part)) {
                holds = means_us(name, agent);
                directive = rest;
            }
            if !holds {
                continue;
            }
            match directive.split_once(':') {
                Some((key, date)) if key.trim_ascii().eq_ignore_ascii_case(UNAVAILABLE_AFTER) => {
                    // `Friday, 25-Jun-10 15:00:00 GMT`: the first comma is the date's.
                    let day = date.trim_ascii();
                    let is_day = !day.is_empty() && day.bytes().all(|byte| byte.is_ascii_alphabetic());
                    let rest = parts.next_if(|rest| is_day && rest.starts_with(|c: char| c.is_ascii_digit()));
                    self.forget_after(rest.map_or(day.to_owned(), |rest| format!("{day}, {rest}")));
                }
                _ => self.refuse(directive),
            }
        }
    }

    fn refuse(&mut self, directive: &str) {
        let uses: &[PageUse] = match directive.to_ascii_lowercase().as_str() {
            "noindex" => &[PageUse::Index],
            "nofollow" => &[PageUse::Follow],
            "none" => &[PageUse::Index, PageUse::Follow],
            "noarchive" | "nocache" => &[PageUse::Archive],
            _ => &[],
        };
        uses.iter().for_each(|what| self.refused |= bit(*what));
    }

    fn forget_after(&mut self, date: String) {
        if self.unavailable_after.is_none() && (1..=DATE_BYTES).contains(&date.len()) {
            self.unavailable_after = Some(date.into());
        }
    }
}

impl fmt::Debug for RobotsTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let uses = [PageUse::Index, PageUse::Follow, PageUse::Archive];
        let refused: Vec<_> = uses.into_iter().filter(|what| self.refuses(*what)).collect();
        let mut debug = f.debug_struct("RobotsTag");
        debug.field("refused", &refused).field("unavailable_after", &self.unavailable_after).finish()
    }
}

const fn bit(what: PageUse) -> u8 {
    1 << what as u8
}

fn means_us(name: &str, agent_token: &str) -> bool {
    name == "*" || name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(agent_token)
}

/// A crawler's name and what follows, if the part starts with one.
fn name_of(part: &str) -> Option<(&str, &str)> {
    let (name, rest) = part.split_once(':')?;
    let name = name.trim_ascii();
    let is_name = name == "*"
        || !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let has_value = WITH_VALUE.iter().any(|known| name.eq_ignore_ascii_case(known));
    (is_name && !has_value).then(|| (name, rest.trim_ascii()))
}

#[cfg(test)]
mod tests;
