//! Links that robots.txt is known to forbid come to nothing where they are found.
//!
//! They would be refused when their turn comes; a site that forbids its pictures or its search may have more such URLs than
//! pages, and each would wait in the frontier and be handed out for nothing. What is not known yet, or is no rule (robots.txt
//! cannot be had), is decided at its turn.

use trodden_frontier::Time;
use trodden_session::Answer;
use trodden_urls::Origin;

use super::discover::Lead;
use super::{Crawl, Error};
use crate::outcome::OutcomeKind;
use crate::robots::{Access, Verdict};

impl Crawl {
    /// Those leads that may be asked for, as far as it is known. What came of the others is noted once.
    pub(super) fn without_forbidden(&mut self, leads: Vec<Lead>, now: Time) -> Result<Vec<Lead>, Error> {
        let (forbidden, open): (Vec<_>, Vec<_>) = self.split(leads, now);
        for lead in forbidden {
            self.note_forbidden(&lead, now)?;
        }
        Ok(open)
    }

    fn split(&mut self, leads: Vec<Lead>, now: Time) -> (Vec<Lead>, Vec<Lead>) {
        let mut is_forbidden = Vec::with_capacity(leads.len());
        let mut rest = leads.as_slice();
        while let Some(first) = rest.first() {
            let origin = origin(&first.url);
            // Most links of a page stay at its origin, so that is looked for once.
            let same = rest.iter().take_while(|lead| is_of(&lead.url, origin)).count();
            let (run, others) = rest.split_at(same);
            rest = others;
            let rules = self.known_rules(&first.url, now);
            let forbids = |lead: &Lead| {
                rules.is_some_and(|rules| rules.verdict(&lead.url[origin.len()..]) == Verdict::Disallowed)
            };
            is_forbidden.extend(run.iter().map(forbids));
        }
        let mut is_forbidden = is_forbidden.into_iter();
        leads.into_iter().partition(|_| is_forbidden.next() == Some(true))
    }

    /// The rules of the origin of a URL, if they are at hand and fresh.
    fn known_rules(&mut self, url: &str, now: Time) -> Option<&Access> {
        let (origin, _) = Origin::split(url)?;
        let robots = self.hosts.robots.get(&origin).filter(|robots| robots.is_fresh(now))?;
        matches!(robots.access, Access::Rules(_)).then_some(&robots.access)
    }

    fn note_forbidden(&mut self, lead: &Lead, now: Time) -> Result<(), Error> {
        if self.session.frontier().find(&lead.url).is_some() {
            return Ok(());
        }
        let key = self.session.number(&lead.url)?;
        let queue = self.session.queue(&lead.queue)?;
        self.tally.known += 1;
        let recorded = self.session.record(key, queue, true, &Answer::of(OutcomeKind::RobotsDenied), now)?;
        self.count(key, &recorded);
        Ok(())
    }
}

/// The origin of a canonical URL: what stands before its path.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    &url[..url[host..].find('/').map_or(url.len(), |at| host + at)]
}

/// Whether a canonical URL is of this origin: a path begins where the origin ends.
fn is_of(url: &str, origin: &str) -> bool {
    url.strip_prefix(origin).is_some_and(|path| path.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_url_is_of_its_origin_and_of_no_shorter_one() {
        let url = "http://a.example:8080/x";
        for (origin, is) in [("http://a.example:8080", true), ("http://a.example", false), ("http://a", false)] {
            assert_eq!(is_of(url, origin), is, "{origin}");
        }
        assert!(!is_of("http://a.example", "http://a.example"), "a canonical URL has a path");
    }

    #[test]
    fn ours_an_origin_ends_where_the_path_begins() {
        for (text, path) in [("https://a.example:8443", "/x?y=//z"), ("http://a.example", "/"), ("http://a", "")] {
            assert_eq!(origin(&format!("{text}{path}")), text);
        }
    }
}
