//! Links that robots.txt is known to forbid come to nothing where they are found.
//!
//! They would be refused when their turn comes; a site that forbids its pictures or its search may have more such URLs than
//! pages, and each would wait in the frontier and be handed out for nothing. What is not known yet, or is no rule (robots.txt
//! cannot be had), is decided at its turn.

use trodden_frontier::Time;

use super::discover::Lead;
use super::notes::{self, Fetched, OUTCOME};
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

    fn split(&self, leads: Vec<Lead>, now: Time) -> (Vec<Lead>, Vec<Lead>) {
        // Most links of a page stay at its origin.
        let mut last: Option<(String, Option<&Access>)> = None;
        leads.into_iter().partition(|lead| {
            let (origin, path) = lead.url.split_at(origin_length(&lead.url));
            let access = match &last {
                Some((known, access)) if known == origin => *access,
                _ => {
                    let access = self.known_rules(origin, now);
                    last = Some((origin.to_owned(), access));
                    access
                }
            };
            access.is_some_and(|access| access.verdict(path) == Verdict::Disallowed)
        })
    }

    /// The rules of an origin, if they are at hand and fresh.
    fn known_rules(&self, origin: &str, now: Time) -> Option<&Access> {
        let canonical = self.discovery.canonicalizer.absolute(origin.as_bytes()).ok()?;
        let robots = self.robots.get(&trodden_urls::Origin::of(&canonical)).filter(|robots| robots.is_fresh(now))?;
        matches!(robots.access, Access::Rules(_)).then_some(&robots.access)
    }

    fn note_forbidden(&mut self, lead: &Lead, now: Time) -> Result<(), Error> {
        let frontier = self.engine.frontier_mut();
        let known = frontier.numbered();
        let key = frontier.number(&lead.url)?;
        if key < known {
            return Ok(());
        }
        let queue = frontier.queue(&lead.queue)?;
        self.new_queue(queue);
        self.tally.known += 1;
        let fetched = Fetched::nothing(OutcomeKind::RobotsDenied, queue, self.order, now);
        self.order += 1;
        self.count(key, &fetched);
        notes::put(self.engine.frontier_mut(), OUTCOME, &key.to_be_bytes(), &fetched)?;
        Ok(())
    }
}

/// How long the origin of a canonical URL is: what stands before its path.
fn origin_length(url: &str) -> usize {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or(url.len(), |at| host + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_an_origin_ends_where_the_path_begins() {
        for (origin, path) in [("https://a.example:8443", "/x?y=//z"), ("http://a.example", "/"), ("http://a", "")] {
            assert_eq!(origin_length(&format!("{origin}{path}")), origin.len());
        }
    }
}
