//! What may we fetch?
//!
//! [`RobotsRules`] is what one robots.txt says to one crawler: small, owned, fit to be kept for each origin. Rules stand in the
//! order in which they decide (RFC 9309 §2.2.2): the longest pattern first, and of two of one length the one that allows.
//! So the first that matches decides.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use trodden_frontier::Span;

use super::octets::MatchedPath;
use super::pattern::Pattern;

/// May this be fetched?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Yes.
    Allowed,
    /// No.
    Disallowed,
}

/// One line that allows or disallows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// What it says of the paths that it matches.
    pub verdict: Verdict,
    /// Which paths.
    pub pattern: Pattern,
    /// Where it stands in the file, counted from 1.
    pub line: u32,
}

/// A verdict and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<'a> {
    /// The verdict.
    pub verdict: Verdict,
    /// What decided.
    pub reason: Reason<'a>,
}

/// Why a path is allowed or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason<'a> {
    /// This rule matches, and none that is more specific.
    Rule(&'a Rule),
    /// No rule matches: what is not forbidden is allowed.
    NoRule,
    /// It is robots.txt, which is always allowed.
    RobotsFile,
}

/// What a robots.txt says to one crawler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsRules {
    rules: Vec<Rule>,
    crawl_delay: Option<Span>,
}

impl RobotsRules {
    pub(super) fn new(mut rules: Vec<Rule>, crawl_delay: Option<Span>) -> Self {
        let is_disallow = |rule: &Rule| rule.verdict == Verdict::Disallowed;
        rules.sort_by(|a, b| {
            let key = |rule: &Rule| (Reverse(rule.pattern.octets()), is_disallow(rule));
            key(a).cmp(&key(b)).then_with(|| a.pattern.as_str().cmp(b.pattern.as_str())).then(a.line.cmp(&b.line))
        });
        rules.dedup_by(|later, first| {
            (is_disallow(later), later.pattern.as_str()) == (is_disallow(first), first.pattern.as_str())
        });
        rules.shrink_to_fit();
        Self { rules, crawl_delay }
    }

    /// How many bytes of memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.rules.iter().map(|rule| size_of::<Rule>() + rule.pattern.as_str().len()).sum()
    }

    /// May this path be fetched? Takes path and query as they are in a URL (`/a/b?c=d`), in any spelling.
    ///
    /// Costs a rule a comparison of a few bytes as a rule, and O(path + pattern) at worst.
    pub fn verdict(&self, path_and_query: &str) -> Verdict {
        self.decide(path_and_query).verdict
    }

    /// The same, with what decided.
    pub fn decide(&self, path_and_query: &str) -> Decision<'_> {
        let target = MatchedPath::new(path_and_query);
        if target.plain == "/robots.txt" {
            return Decision { verdict: Verdict::Allowed, reason: Reason::RobotsFile };
        }
        match self.rules.iter().find(|rule| rule.pattern.matches(&target)) {
            Some(rule) => Decision { verdict: rule.verdict, reason: Reason::Rule(rule) },
            None => Decision { verdict: Verdict::Allowed, reason: Reason::NoRule },
        }
    }

    /// How long the site asks to be left alone between two requests, at most [`CRAWL_DELAY`](super::CRAWL_DELAY). No
    /// field of the RFC, but many sites have it.
    pub fn crawl_delay(&self) -> Option<Span> {
        self.crawl_delay
    }

    /// The rules in the order in which they decide.
    pub fn iter(&self) -> std::slice::Iter<'_, Rule> {
        self.rules.iter()
    }
}

impl<'a> IntoIterator for &'a RobotsRules {
    type Item = &'a Rule;
    type IntoIter = std::slice::Iter<'a, Rule>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
