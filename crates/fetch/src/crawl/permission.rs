//! May it be asked for?
//!
//! robots.txt says so. If it cannot be had because the server fails, nothing may be asked until it can be
//! (RFC 9309 §2.3.1.4): `robots-unreachable`. But where no server can be asked at all, it is not robots.txt that is missing, and the
//! outcome is the cause: there is no such host, its address is refused, nobody answers there, it is not who it says it is. What is
//! final among these is so for all URLs of the origin, and nobody is sent to find it out again.

use trodden_frontier::{Span, Time};
use trodden_urls::Origin;

use super::archive::Provenance;
use super::fetch_task::{FetchTask, RobotsRead};
use super::notes::{ROBOTS, Robots};
use super::trouble::TroubleCause;
use super::{Crawl, Error, ListingKind};
use crate::client::FetchFault;
use crate::outcome::{OutcomeKind, of_fault, retry};
use crate::robots::{Access, Closed, ROBOTS_LIFE};

/// Why an origin cannot be asked. Known for this run only: the next may be allowed more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unaskable {
    kind: OutcomeKind,
    since: Time,
}

impl Crawl {
    /// robots.txt was asked for.
    pub(super) fn apply_robots(&mut self, fetch: &FetchTask, read: RobotsRead, now: Time) -> Result<(), Error> {
        self.asking.remove(&fetch.origin);
        self.tally.robots += 1;
        let RobotsRead { access, read_ms, validators, mut kept, .. } = read;
        if let (Some(fault), Access::Nothing { .. }) = (&read.fault, &access) {
            self.note_trouble(fetch, cause(fault), TroubleCause::Fault(*fault));
            self.hosts.unaskable.keep(fetch.origin.clone(), Unaskable { kind: cause(fault), since: now });
        }
        let queue = fetch.task.queue;
        let answers = read.exchanges.iter().filter(|(_, exchange)| exchange.answer.is_ok()).count();
        self.tally.answers += answers as u64;
        if let (None, Access::Nothing { .. }) = (&read.fault, &access) {
            let last = read.exchanges.last().map(|(_, exchange)| exchange);
            self.note_trouble(fetch, OutcomeKind::RobotsUnreachable, TroubleCause::of(last));
        }
        let longest = self.settings.longest_crawl_delay();
        self.pacer(queue).asked(access.crawl_delay(), longest);
        let home = format!("{}/", fetch.origin);
        for (url, exchange) in &read.exchanges {
            // A redirect may have led to another host.
            if url.starts_with(&home) {
                self.learn_address(queue, exchange, now);
            }
            let provenance = Provenance { before: kept.as_ref(), ..Provenance::default() };
            let written = self.archive_answer(url, exchange, &provenance, None)?;
            if exchange.answer.as_ref().is_ok_and(|answer| (200..300).contains(&answer.status)) {
                kept = written.original;
            }
        }
        if self.settings.sitemaps {
            for sitemap in &read.sitemaps {
                self.add_listing(sitemap, ListingKind::Sitemap, 0, now)?;
            }
        }
        let robots = Robots { access, time_ms: now.0, read_ms: read_ms.unwrap_or(now.0), validators, kept };
        self.session.driver_notes().put(ROBOTS, fetch.origin.to_string().as_bytes(), &robots)?;
        self.hosts.robots.keep(fetch.origin.clone(), robots);
        Ok(())
    }

    /// It may not be asked for: nobody can be asked, robots.txt does not allow it, or cannot be had; or the server asked to be left
    /// alone for so long when it was asked for robots.txt.
    pub(super) fn apply_refusal(&mut self, fetch: &FetchTask, asked: Option<Span>, now: Time) -> Result<(), Error> {
        let closed = match self.robots_of(&fetch.origin)?.map(|robots| &robots.access) {
            Some(&Access::Nothing { why }) => Some(why),
            _ => None,
        };
        if closed.is_some() {
            // What was said is not believed for a day: it is asked for again when the site is.
            self.hosts.robots.forget(&fetch.origin);
            self.session.driver_notes().forget(ROBOTS, fetch.origin.to_string().as_bytes())?;
        }
        if let Some(kind) = self.unaskable(&fetch.origin, now) {
            if retry(kind).tries == 1 {
                return self.refused(fetch, kind, now);
            }
            self.hosts.unaskable.forget(&fetch.origin);
            return self.failed(fetch, kind, None, None, now);
        }
        if closed.is_none() && asked.is_none() {
            return self.refused(fetch, OutcomeKind::RobotsDenied, now);
        }
        if closed == Some(Closed::Overloaded) || asked.is_some() {
            self.pacer(fetch.task.queue).back_off();
        }
        self.failed(fetch, OutcomeKind::RobotsUnreachable, asked, None, now)
    }

    /// Nobody may ask for it.
    pub(super) fn refused(&mut self, fetch: &FetchTask, kind: OutcomeKind, now: Time) -> Result<(), Error> {
        self.session.refuse(&fetch.task, now)?;
        if self.session.records().record(fetch.task.key)?.is_some_and(|before| before.kind == kind) {
            // A link to it was refused before it became a seed.
            return Ok(());
        }
        self.record_outcome(fetch, kind, None, now)
    }

    /// Why an origin cannot be asked, if that is known and not too long ago.
    pub(super) fn unaskable(&mut self, origin: &Origin, now: Time) -> Option<OutcomeKind> {
        self.hosts.unaskable.get(origin).filter(|it| it.since + ROBOTS_LIFE > now).map(|it| it.kind)
    }
}

/// What it comes to if a host could not be asked for robots.txt.
fn cause(fault: &FetchFault) -> OutcomeKind {
    use OutcomeKind as Kind;
    match of_fault(fault) {
        kind @ (Kind::BadUrl | Kind::NoSuchHost | Kind::Dns | Kind::AddressRefused | Kind::Connect | Kind::Tls) => kind,
        // Somebody is there, and fails.
        _ => Kind::RobotsUnreachable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{ConnectFault, Late, TlsFault};
    use crate::dns::DnsFault;

    #[test]
    fn rfc9309_who_is_there_and_fails_closes_the_site_and_who_is_not_is_told_as_such() {
        for (fault, kind) in [
            (FetchFault::Dns(DnsFault::NotFound), OutcomeKind::NoSuchHost),
            (FetchFault::Dns(DnsFault::Timeout), OutcomeKind::Dns),
            (FetchFault::Connect(ConnectFault::Refused), OutcomeKind::Connect),
            (FetchFault::Tls(TlsFault::WrongName), OutcomeKind::Tls),
            (FetchFault::BadPort(25), OutcomeKind::BadUrl),
            (FetchFault::TimeOut(Late::FirstByte), OutcomeKind::RobotsUnreachable),
            (FetchFault::Disconnected, OutcomeKind::RobotsUnreachable),
            (FetchFault::HeadTooLong, OutcomeKind::RobotsUnreachable),
        ] {
            assert_eq!(cause(&fault), kind, "{fault}");
        }
    }
}
