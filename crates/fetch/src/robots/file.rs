//! What does a robots.txt say, and to whom?
//!
//! A group is one or more user-agent lines and the rules behind them (RFC 9309 §2.1); the next user-agent line behind a
//! rule starts another. Other lines, such as `Sitemap` and `Crawl-delay`, neither end a group nor the list of its agents
//! (§2.2.4). All groups that name a crawler hold for it as one; if none does, those of `*` do (§2.2.1).

use trodden_frontier::Span;

use super::caps::{CRAWL_DELAY, ROBOTS_BYTES, SITEMAP_BYTES, SITEMAPS};
use super::line::{self, Lines, RobotsField};
use super::pattern::Pattern;
use super::rules::{RobotsRules, Rule, Verdict};

/// A robots.txt as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RobotsFile {
    groups: Vec<Group>,
    sitemaps: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Group {
    agents: Vec<Agent>,
    rules: Vec<Rule>,
}

/// A user-agent line and what was asked of it alone.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Agent {
    name: AgentName,
    crawl_delay: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum AgentName {
    Any,
    Token(Box<str>),
}

impl AgentName {
    /// The letters, `-` and `_` at the start of a value; `*` stands for all, alone or before white space. What names
    /// nobody is nothing.
    fn new(value: &[u8]) -> Option<Self> {
        if let [b'*', rest @ ..] = value {
            return rest.first().is_none_or(u8::is_ascii_whitespace).then_some(Self::Any);
        }
        let end = value.iter().position(|byte| !is_token_byte(*byte)).unwrap_or(value.len());
        let token = std::str::from_utf8(&value[..end]).ok()?;
        (!token.is_empty()).then(|| Self::Token(token.into()))
    }
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')
}

/// Can a robots.txt name a crawler so? Only letters, `-` and `_` (RFC 9309 §2.2.1); one with other characters is never
/// named and obeys what holds for all.
pub fn is_product_token(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(is_token_byte)
}

impl RobotsFile {
    /// Reads a file. Never fails: what cannot be read says nothing.
    ///
    /// Only the first [`ROBOTS_BYTES`] count, and a line that they cut does not; so where a file is longer, give at
    /// least one byte more.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut file = Self::default();
        // While true, a user-agent line joins the group.
        let mut takes_agents = false;
        for (number, line) in Lines::new(within_cap(without_mark(bytes))) {
            let Some((field, value)) = line::read(line) else { continue };
            match field {
                RobotsField::UserAgent => {
                    if !takes_agents {
                        file.groups.push(Group::default());
                        takes_agents = true;
                    }
                    let name = AgentName::new(value);
                    if let (Some(group), Some(name)) = (file.groups.last_mut(), name) {
                        group.agents.push(Agent { name, crawl_delay: None });
                    }
                }
                RobotsField::Allow | RobotsField::Disallow => {
                    takes_agents = false;
                    if let Some(group) = file.groups.last_mut() {
                        group.add_rule(field, value, number);
                    }
                }
                RobotsField::CrawlDelay => {
                    if let (Some(group), Some(delay)) = (file.groups.last_mut(), delay(value)) {
                        let longer = |agent: &mut Agent| agent.crawl_delay = agent.crawl_delay.max(Some(delay));
                        group.agents.iter_mut().for_each(longer);
                    }
                }
                RobotsField::Sitemap => file.add_sitemap(value),
                RobotsField::Other => {}
            }
        }
        file
    }

    /// What holds for the crawler of this product token ([`is_product_token`]).
    pub fn rules_for(&self, agent_token: &str) -> RobotsRules {
        let names_us = |agent: &Agent| match &agent.name {
            AgentName::Token(token) => token.eq_ignore_ascii_case(agent_token),
            AgentName::Any => false,
        };
        let is_named = self.groups.iter().any(|group| group.agents.iter().any(names_us));
        let holds = |agent: &&Agent| if is_named { names_us(agent) } else { agent.name == AgentName::Any };
        let mut rules = Vec::new();
        let mut crawl_delay = None;
        for group in self.groups.iter().filter(|group| group.agents.iter().any(|agent| holds(&agent))) {
            rules.extend_from_slice(&group.rules);
            crawl_delay = crawl_delay.max(group.agents.iter().filter(holds).filter_map(|a| a.crawl_delay).max());
        }
        RobotsRules::new(rules, crawl_delay)
    }

    /// The sitemaps it names, as written, in their order. They may be relative, and are strangers' words.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    fn add_sitemap(&mut self, value: &[u8]) {
        if self.sitemaps.len() < SITEMAPS
            && (1..=SITEMAP_BYTES).contains(&value.len())
            && let Ok(url) = std::str::from_utf8(value)
        {
            self.sitemaps.push(url.to_owned());
        }
    }
}

impl Group {
    fn add_rule(&mut self, field: RobotsField, value: &[u8], line: u32) {
        // Rules for nobody are not worth their memory.
        let Some(pattern) = Pattern::new(value).filter(|_| !self.agents.is_empty()) else { return };
        let verdict = if field == RobotsField::Allow { Verdict::Allowed } else { Verdict::Disallowed };
        let folder = pattern.of_folder().filter(|_| verdict == Verdict::Allowed);
        self.rules.push(Rule { verdict, pattern, line });
        self.rules.extend(folder.map(|pattern| Rule { verdict, pattern, line }));
    }
}

/// Without a byte order mark, or as much of one as there is.
fn without_mark(bytes: &[u8]) -> &[u8] {
    let mark = bytes.iter().zip(b"\xEF\xBB\xBF").take_while(|(byte, mark)| byte == mark).count();
    &bytes[mark..]
}

/// Whole lines within the cap.
fn within_cap(bytes: &[u8]) -> &[u8] {
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    match bytes.get(ROBOTS_BYTES) {
        None => bytes,
        Some(next) if is_end(next) => &bytes[..ROBOTS_BYTES],
        Some(_) => &bytes[..bytes[..ROBOTS_BYTES].iter().rposition(is_end).unwrap_or(0)],
    }
}

/// Seconds, perhaps with a fraction. Anything else says nothing.
fn delay(value: &[u8]) -> Option<Span> {
    let text = std::str::from_utf8(value).ok()?;
    if !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let seconds: f64 = text.parse().ok()?;
    // A number too large becomes the largest there is, and the cap cuts it.
    Some(Span((seconds * 1_000.0).ceil() as u64).min(CRAWL_DELAY))
}
