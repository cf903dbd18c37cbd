//! Why did a crawl get nothing? In words that say what to do.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use trodden_fetch::address::Refused;
use trodden_fetch::client::{FetchFault, TlsFault};
use trodden_fetch::crawl::report::host_of;
use trodden_fetch::crawl::{Tally, Trouble, TroubleCause};
use trodden_fetch::outcome::OutcomeKind;

use super::agent;
use super::request::Request;
use crate::output::{counted, thousands};

/// Reasons that are told.
const MOST_TOLD: usize = 3;

/// Whether a crawl that stays may be told something else when it goes on, or has to be begun anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// The same command with more words.
    SameFolder,
    /// What was refused is done with: the same crawl would not ask again.
    NewFolder,
}

/// Why nothing was fetched: the most frequent reasons, each with what to do about it; or else why the crawl ended.
pub(super) fn of_nothing(tally: &Tally, request: &Request, remedy: Remedy, why: &str) -> String {
    let mut kinds: BTreeMap<OutcomeKind, u64> = tally.put_off.clone();
    for (kind, n) in tally.outcomes.iter().filter(|(kind, _)| tally.troubles.contains_key(kind)) {
        *kinds.entry(*kind).or_default() += n;
    }
    let mut kinds: Vec<(OutcomeKind, u64)> =
        kinds.into_iter().filter(|(kind, _)| tally.troubles.contains_key(kind)).collect();
    kinds.sort_by_key(|(kind, n)| (Reverse(*n), *kind));
    let mut reasons: Vec<String> = Vec::new();
    for (kind, n) in kinds.iter().take(MOST_TOLD) {
        let Some(trouble) = tally.troubles.get(kind) else { continue };
        let more = if *n > 1 { format!(" ({} more like this)", thousands(n - 1)) } else { String::new() };
        reasons.push(reason(*kind, trouble, request, remedy) + &more);
    }
    if reasons.is_empty() {
        reasons.push(match (tally.waiting, tally.of(OutcomeKind::Listing), tally.beyond) {
            (1.., ..) => why.to_owned(),
            (0, 0, _) => "there was nothing to ask for".to_owned(),
            (0, _, 0) => "the sitemap names no URL".to_owned(),
            (0, _, n) => {
                format!(
                    "the sitemap names no URL of the crawl's hosts, but {} of others; see --host",
                    counted(n, "URL")
                )
            }
        });
    }
    format!("nothing was fetched: {}", reasons.join("\n  "))
}

/// One reason.
fn reason(kind: OutcomeKind, trouble: &Trouble, request: &Request, remedy: Remedy) -> String {
    let Trouble { url, cause } = trouble;
    let origin = origin_of(url);
    let host = host_of(origin);
    match (kind, cause) {
        (OutcomeKind::AddressRefused, TroubleCause::Fault(FetchFault::AddressRefused(refused))) => {
            refusal(url, refused, remedy)
        }
        (OutcomeKind::NoSuchHost, _) => format!("there is no host {host}; is it spelled as it should be?"),
        (OutcomeKind::RobotsDenied, _) => {
            let token = agent::robots_token(&request.crawl);
            format!(
                "robots.txt does not allow {url} for {token}; read {origin}/robots.txt, or ask the operator of the site"
            )
        }
        (OutcomeKind::RobotsUnreachable, cause) => {
            let why = said(cause).map(|why| format!(" ({why})")).unwrap_or_default();
            format!(
                "{origin}/robots.txt cannot be fetched{why}, and without it nothing else may be fetched; try again later"
            )
        }
        (OutcomeKind::Redirect, TroubleCause::LedTo(to)) => {
            format!(
                "{url} leads to {to}, which does not belong to the crawl; start there, or add --host {}",
                host_of(origin_of(to))
            )
        }
        (OutcomeKind::NotWanted, TroubleCause::MediaType(media_type)) => {
            format!(
                "{url} has the media type {media_type}, and only {} is kept; add --type '{media_type}'",
                types(request)
            )
        }
        (OutcomeKind::SoftNotFound, _) => format!("{url} has a title that says there is no such page; check the URL"),
        (OutcomeKind::BadRedirect, _) => {
            format!("{url} redirects, but without a usable Location")
        }
        (OutcomeKind::TooManyRedirects, _) => format!("{url} redirects too many times"),
        (kind, cause) => {
            let why = said(cause).unwrap_or_else(|| kind.to_string());
            match to_do(kind, cause, url) {
                Some(to_do) => format!("{url}: {why}; {to_do}"),
                None => format!("{url}: {why}"),
            }
        }
    }
}

/// What to do about somebody whose address was refused.
pub(super) fn refusal(url: &str, refused: &Refused, remedy: Remedy) -> String {
    let flag = if refused.kind.is_private() { "--allow-private, or " } else { "" };
    let (origin, address) = (origin_of(url), refused.address);
    let how = match remedy {
        Remedy::SameFolder => "add",
        Remedy::NewFolder => "start in a new folder (-o DIR) with",
    };
    format!(
        "{origin} was not requested: {refused}; to crawl it, {how} {flag}--set 'crawl.allow_addresses=[\"{address}\"]'"
    )
}

/// What a server said, or why it said nothing.
fn said(cause: &TroubleCause) -> Option<String> {
    match cause {
        TroubleCause::Fault(fault) => Some(fault.to_string()),
        TroubleCause::Status(status) => Some(format!("the server answered {status}")),
        _ => None,
    }
}

fn to_do(kind: OutcomeKind, cause: &TroubleCause, url: &str) -> Option<String> {
    let plain = url.strip_prefix("https://").map(|rest| format!("http://{rest}"));
    Some(match (kind, cause) {
        (OutcomeKind::NotFound, _) => "check the URL".to_owned(),
        (OutcomeKind::Forbidden, _) => {
            "if it needs a password, write that into trodden.toml under [auth] (docs/crawl.md)".to_owned()
        }
        (OutcomeKind::Connect, TroubleCause::Fault(FetchFault::Proxy(_))) => "check --proxy".to_owned(),
        (OutcomeKind::Connect, _) => match plain {
            Some(plain) => format!("is it running, and is that its port? If it has no TLS, write {plain}"),
            None => "is it running, and is that its port?".to_owned(),
        },
        (OutcomeKind::Dns, _) => "check the network and its name server".to_owned(),
        (OutcomeKind::Tls, TroubleCause::Fault(FetchFault::Tls(TlsFault::UnknownIssuer))) => {
            "if you trust its issuer, name the certificate of that: --set 'crawl.ca_files=[\"FILE.pem\"]'".to_owned()
        }
        (OutcomeKind::Tls, TroubleCause::Fault(FetchFault::Tls(TlsFault::Other))) => {
            format!("if it speaks no TLS, write {}", plain?)
        }
        (OutcomeKind::Tls, _) => "the operator of the site has to fix that".to_owned(),
        (
            OutcomeKind::TooMany
            | OutcomeKind::Unavailable
            | OutcomeKind::ServerError
            | OutcomeKind::TimeOut
            | OutcomeKind::Disconnected,
            _,
        ) => "try again later".to_owned(),
        _ => return None,
    })
}

/// The media types that are kept.
fn types(request: &Request) -> String {
    match request.crawl.content_types.as_slice() {
        [first, second] if first == "text/html" && second == "application/xhtml+xml" => "HTML".to_owned(),
        types => types.join(", "),
    }
}

/// What stands before the path.
fn origin_of(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    &url[..url[start..].find('/').map_or(url.len(), |at| start + at)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use trodden_fetch::address::Guard;

    fn of(address: &str, remedy: Remedy) -> String {
        let refused = Guard::default().check(address.parse().unwrap()).unwrap_err();
        refusal("http://wiki.example/a/b", &refused, remedy)
    }

    #[test]
    fn ours_who_was_not_asked_is_told_with_what_would_allow_it() {
        assert_eq!(
            of("10.1.2.3", Remedy::NewFolder),
            "http://wiki.example was not requested: 10.1.2.3 is in a private network; to crawl it, start in a new folder \
             (-o DIR) with --allow-private, or --set 'crawl.allow_addresses=[\"10.1.2.3\"]'"
        );
        assert!(of("10.1.2.3", Remedy::SameFolder).contains("to crawl it, add --allow-private"));
        let keys = of("169.254.169.254", Remedy::SameFolder);
        assert!(!keys.contains("--allow-private"), "that flag does not open the keys of a cloud");
    }

    #[test]
    fn ours_a_host_is_what_stands_before_port_and_path() {
        for (url, origin, host) in [
            ("http://a.example/b/c", "http://a.example", "a.example"),
            ("https://a.example:8443/", "https://a.example:8443", "a.example"),
            ("http://[::1]:80/", "http://[::1]:80", "[::1]"),
        ] {
            assert_eq!((origin_of(url), host_of(origin_of(url))), (origin, host));
        }
    }
}
