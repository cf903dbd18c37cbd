//! Asking for one URL: first its robots.txt, if that is not known, then the URL itself.
//!
//! A task changes nothing in the crawl; it comes back with what was said, and the crawl makes something of it.

use std::sync::Arc;
use std::time::Duration;

use trodden_archive::warc::write::RecordNames;
use trodden_archive::{Caps, Want};
use trodden_frontier::{Span, Time};
use trodden_ordering::Task;
use trodden_session::UrlSource;
use trodden_urls::Origin;
use url::Url;

use super::apply::retry_after;
use super::notes::{Original, Robots};
use super::prepare::{Prepared, Preparer};
use super::{read, wall_clock};
use crate::client::{Ask, BodyCut, Client, Exchange, FetchFault, HttpAnswer, Validators};
use crate::robots::{Access, ROBOTS_BYTES, RobotsAnswer, RobotsFile, Verdict};

/// Redirects of a robots.txt that are followed (RFC 9309 §2.3.1.2).
pub(super) const ROBOTS_REDIRECTS: usize = 5;
/// Bytes of a robots.txt that are asked for; what is read of them is less.
const ROBOTS_BODY_BYTES: usize = 1 << 20;

/// One request to be made, with all that it needs.
pub(super) struct FetchTask {
    pub(super) task: Task,
    /// When it was handed out.
    pub(super) time: Time,
    pub(super) url: String,
    pub(super) origin: Origin,
    pub(super) path: String,
    /// What robots.txt says of it, if that is known.
    pub(super) verdict: Option<Verdict>,
    /// What robots.txt said, if that was too long ago.
    pub(super) old_robots: Option<Robots>,
    pub(super) validators: Option<Validators>,
    /// From its robots.txt, if that is asked for, to the URL itself.
    pub(super) delay: Span,
    /// The longest delay that is waited for.
    pub(super) longest_delay: Span,
    pub(super) body_bytes: usize,
    pub(super) robots_token: String,
    /// Where it was found.
    pub(super) source: UrlSource,
    /// The page that it was found on.
    pub(super) via: Option<String>,
    /// Whether the operator named it to start from.
    pub(super) is_seed: bool,
    /// Whether it is no page but a list of URLs.
    pub(super) is_listing: bool,
    /// What is to be read of a page.
    pub(super) want: Want,
    /// Whether its host is known to be prompt: places are counted by that.
    pub(super) is_prompt: bool,
    /// The names of its records, if it is a page to be archived.
    pub(super) names: Option<RecordNames>,
}

/// What came of it.
pub(super) struct Fetched {
    pub(super) fetch: FetchTask,
    /// robots.txt, if it was asked for: what it says, and all that was said on the way.
    pub(super) robots: Option<RobotsRead>,
    /// None if robots.txt did not allow it.
    pub(super) exchange: Option<Exchange>,
    /// What another thread made of the answer already.
    pub(super) prepared: Option<Prepared>,
}

impl Fetched {
    fn without_answer(fetch: FetchTask, robots: Option<RobotsRead>) -> Box<Self> {
        Box::new(Self { fetch, robots, exchange: None, prepared: None })
    }
}

/// A robots.txt that was asked for.
pub(super) struct RobotsRead {
    pub(super) access: Access,
    /// When it was read, if that was before and it cannot be had now.
    pub(super) read_ms: Option<u64>,
    pub(super) validators: Option<Validators>,
    /// Where the archive has it, if that is known: it was read before, and has not changed.
    pub(super) kept: Option<Original>,
    pub(super) sitemaps: Vec<String>,
    /// Why the origin itself could not be asked.
    pub(super) fault: Option<FetchFault>,
    /// How long the server wants to be left alone (`Retry-After`).
    pub(super) retry_after: Option<Span>,
    /// With the URL of each.
    pub(super) exchanges: Vec<(String, Exchange)>,
}

impl RobotsRead {
    fn of(access: Access) -> Self {
        let (sitemaps, exchanges) = (Vec::new(), Vec::new());
        let (read_ms, validators, kept, fault, retry_after) = (None, None, None, None, None);
        Self { access, read_ms, validators, kept, sitemaps, fault, retry_after, exchanges }
    }

    /// What was read before holds on, if it cannot be had now and that is not too long ago.
    fn hold_on_to(&mut self, old: Robots, now: Time) {
        let Access::Nothing { why } = self.access else { return };
        let age = Span(now.0.saturating_sub(old.read_ms));
        self.access = Access::after_failure(why, Some((old.access, age)));
        if !matches!(self.access, Access::Nothing { .. }) {
            self.read_ms = Some(old.read_ms);
            (self.validators, self.kept) = (old.validators, old.kept);
        }
    }
}

/// Makes the request, and has the answer prepared.
pub(super) async fn run_fetch(client: Client, preparer: Arc<Preparer>, mut fetch: FetchTask) -> Box<Fetched> {
    let mut robots = None;
    if fetch.verdict.is_none() {
        let mut answer = robots_of(&client, &fetch).await;
        if let Some(old) = fetch.old_robots.take() {
            answer.hold_on_to(old, fetch.time);
        }
        let pause = answer.access.crawl_delay().map_or(fetch.delay, |asked| fetch.delay.max(asked));
        fetch.verdict = Some(answer.access.verdict(&fetch.path));
        if answer.retry_after.is_some() {
            // Whatever an old copy allows: not now.
            return Fetched::without_answer(fetch, Some(answer));
        }
        robots = Some(answer);
        if is_allowed(&fetch) && pause > Span::ZERO {
            tokio::time::sleep(Duration::from_millis(pause.min(fetch.longest_delay).0)).await;
        }
    }
    if !is_allowed(&fetch) {
        return Fetched::without_answer(fetch, robots);
    }
    let ask = Ask { validators: fetch.validators.as_ref(), max_body: fetch.body_bytes, ..Ask::new(&fetch.url) };
    let exchange = client.get(&ask).await;
    preparer.prepare(Box::new(Fetched { fetch, robots, exchange: Some(exchange), prepared: None })).await
}

fn is_allowed(fetch: &FetchTask) -> bool {
    fetch.verdict == Some(Verdict::Allowed)
}

/// Asks for the robots.txt of an origin, and where it sends us; or whether an old one has changed.
///
/// A redirect is no way around politeness: the next hop on the same host waits as long as the next page would. Another host is
/// asked in turns, whoever sends us there; and a path of another host that is no robots.txt is asked for only if
/// that host's own allows it.
async fn robots_of(client: &Client, fetch: &FetchTask) -> RobotsRead {
    let (token, old) = (&fetch.robots_token, fetch.old_robots.as_ref());
    let pause = Duration::from_millis(fetch.delay.0);
    let mut read = RobotsRead::of(Access::Everything);
    let mut url = format!("{}/robots.txt", fetch.origin);
    for hop in 0..=ROBOTS_REDIRECTS {
        let validators = old.filter(|_| hop == 0).and_then(|old| old.validators.as_ref());
        let exchange = client.get(&Ask { max_body: ROBOTS_BODY_BYTES, validators, ..Ask::new(&url) }).await;
        let answer = match &exchange.answer {
            Ok(answer) => answer,
            Err(fault) => {
                // Where a redirect leads is another's: the origin itself could be asked.
                read.fault = (hop == 0).then_some(*fault);
                read.access = Access::of(&RobotsAnswer::Unreachable, token);
                read.exchanges.push((url, exchange));
                return read;
            }
        };
        if let (304, Some(_), Some(old)) = (answer.status, validators, old) {
            read.access = old.access.clone();
            (read.validators, read.kept) = (old.validators.clone(), old.kept.clone());
            read.exchanges.push((url, exchange));
            return read;
        }
        if let Some(next) = redirect(&url, answer) {
            read.exchanges.push((std::mem::replace(&mut url, next.clone().into()), exchange));
            if hop < ROBOTS_REDIRECTS && !may_follow(client, fetch, &next, pause, &mut read).await {
                read.access = Access::of(&RobotsAnswer::Unreachable, token);
                return read;
            }
            continue;
        }
        if matches!(answer.status, 429 | 503) {
            read.retry_after = retry_after(answer, wall_clock());
        }
        let body = robots_body(answer);
        read.access = Access::of(&robots_answer(answer, &body), token);
        if matches!(read.access, Access::Rules(_)) {
            read.sitemaps = RobotsFile::parse(&body).sitemaps().to_vec();
            // What another host says of its own file is not for this one to hear.
            read.validators = answer.validators().filter(|_| hop == 0);
        }
        read.exchanges.push((url, exchange));
        return read;
    }
    read.access = Access::of(&RobotsAnswer::TooManyRedirects, token);
    read
}

/// Where an answer sends us, if that is a URL of the web.
fn redirect(url: &str, answer: &HttpAnswer) -> Option<Url> {
    let to = answer.header("Location").filter(|_| matches!(answer.status, 301 | 302 | 303 | 307 | 308))?;
    Url::parse(url).ok()?.join(to).ok().filter(|to| matches!(to.scheme(), "http" | "https"))
}

fn robots_body(answer: &HttpAnswer) -> Vec<u8> {
    let caps = Caps { body_bytes: ROBOTS_BYTES + 1, ..Caps::default() };
    read::body(answer, &caps).into_owned()
}

/// What an answer to a request for robots.txt is. One that breaks off or stalls may lack the line that forbids
/// (RFC 9309 §2.3.1.4); one that is too long is read as far as any is.
fn robots_answer<'b>(answer: &HttpAnswer, body: &'b [u8]) -> RobotsAnswer<'b> {
    let is_whole = matches!(answer.cut, None | Some(BodyCut::Length));
    if is_whole || !(200..300).contains(&answer.status) {
        RobotsAnswer::Answered { status: answer.status, body }
    } else {
        RobotsAnswer::Unreachable
    }
}

/// Waits until the next hop may be asked for; whether it may be asked for at all.
async fn may_follow(client: &Client, fetch: &FetchTask, next: &Url, pause: Duration, read: &mut RobotsRead) -> bool {
    let origin = next.origin().ascii_serialization();
    if origin == fetch.origin.to_string() {
        tokio::time::sleep(pause).await;
        return true;
    }
    let host = next.host_str().unwrap_or_default();
    if next.path() != "/robots.txt" {
        client.turn_of(host, pause).await;
        let url = format!("{origin}/robots.txt");
        let exchange = client.get(&Ask { max_body: ROBOTS_BODY_BYTES, ..Ask::new(&url) }).await;
        let access = match &exchange.answer {
            Ok(answer) => Access::of(&robots_answer(answer, &robots_body(answer)), &fetch.robots_token),
            Err(_) => Access::of(&RobotsAnswer::Unreachable, &fetch.robots_token),
        };
        read.exchanges.push((url, exchange));
        let path = &next[url::Position::BeforePath..url::Position::AfterQuery];
        if access.verdict(path) != Verdict::Allowed {
            return false;
        }
    }
    client.turn_of(host, pause).await;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::{Closed, STALE_LIFE};

    #[test]
    fn rfc9309_an_old_robots_txt_holds_on_while_it_cannot_be_had_but_not_for_ever() {
        let rules = |body: &[u8]| Access::of(&RobotsAnswer::Answered { status: 200, body }, "trodden");
        let failed = || RobotsRead::of(Access::Nothing { why: Closed::Unreachable });
        let validators = Some(Validators { etag: Some("\"1\"".into()), last_modified: None });
        let old = || Robots {
            access: rules(b"User-agent: *\nDisallow: /x"),
            time_ms: 9_000,
            read_ms: 5_000,
            validators: validators.clone(),
            kept: None,
        };
        let mut read = failed();
        read.hold_on_to(old(), Time(5_000) + STALE_LIFE);
        assert_eq!((read.access.verdict("/a"), read.access.verdict("/x")), (Verdict::Allowed, Verdict::Disallowed));
        assert_eq!(read.read_ms, Some(5_000), "it does not get younger by being asked for in vain");
        assert_eq!(read.validators, validators, "it can still be asked for whether it has changed");
        let mut read = failed();
        read.hold_on_to(old(), Time(5_001) + STALE_LIFE);
        assert_eq!((read.access.verdict("/a"), read.read_ms), (Verdict::Disallowed, None));
        let mut read = RobotsRead { access: rules(b"User-agent: *\nDisallow: /a"), ..failed() };
        read.hold_on_to(old(), Time(6_000));
        assert_eq!((read.access.verdict("/a"), read.read_ms), (Verdict::Disallowed, None));
    }
}
