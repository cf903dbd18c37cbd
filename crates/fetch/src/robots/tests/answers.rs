//! Promises about answers: what a status means, and what an old copy is worth.

use trodden_frontier::Span;

use super::super::*;

fn answered(status: u16) -> Access {
    Access::of(&RobotsAnswer::Answered { status, body: b"User-agent: *\nDisallow: /x\nCrawl-delay: 2" }, "a")
}

#[test]
fn rfc9309_a_file_that_was_got_is_obeyed() {
    for status in [200, 203, 206, 299] {
        let access = answered(status);
        assert_eq!((access.verdict("/x"), access.verdict("/y")), (Verdict::Disallowed, Verdict::Allowed));
        assert_eq!(access.crawl_delay(), Some(Span::seconds(2)));
    }
    let empty = Access::of(&RobotsAnswer::Answered { status: 204, body: b"" }, "a");
    assert_eq!(empty.verdict("/x"), Verdict::Allowed);
}

#[test]
fn rfc9309_a_file_that_is_unavailable_forbids_nothing() {
    for status in [400, 401, 403, 404, 410, 418, 451, 499] {
        assert_eq!(answered(status), Access::Everything, "{status}");
    }
    assert_eq!(Access::of(&RobotsAnswer::TooManyRedirects, "a"), Access::Everything);
    assert_eq!((Access::Everything.verdict("/x"), Access::Everything.crawl_delay()), (Verdict::Allowed, None));
}

#[test]
fn rfc9309_a_file_that_is_unreachable_forbids_everything() {
    // A redirect is here only if it cannot be followed.
    for status in [300, 301, 302, 304, 307, 308, 500, 502, 503, 504, 599, 0, 100, 600, 999] {
        assert_eq!(answered(status), Access::Nothing { why: Closed::Status(status) });
    }
    let unreachable = Access::of(&RobotsAnswer::Unreachable, "a");
    assert_eq!(unreachable, Access::Nothing { why: Closed::Unreachable });
    assert_eq!((unreachable.verdict("/"), unreachable.crawl_delay()), (Verdict::Disallowed, None));
    assert_eq!(unreachable.verdict("/robots.txt"), Verdict::Allowed);
}

#[test]
fn google_too_many_requests_is_a_failure_of_the_server() {
    assert_eq!(answered(429), Access::Nothing { why: Closed::Overloaded });
}

#[test]
fn rfc9309_an_old_copy_stands_in_for_thirty_days() {
    let why = Closed::Status(503);
    let nothing = Access::Nothing { why };
    assert_eq!(Access::after_failure(why, None), nothing);
    for copy in [answered(200), Access::Everything] {
        assert_eq!(Access::after_failure(why, Some((copy.clone(), ROBOTS_LIFE))), copy);
        assert_eq!(Access::after_failure(why, Some((copy.clone(), STALE_LIFE))), copy);
        assert_eq!(Access::after_failure(why, Some((copy, Span(STALE_LIFE.0 + 1)))), nothing);
    }
    let closed = Access::Nothing { why: Closed::Unreachable };
    assert_eq!(Access::after_failure(why, Some((closed, Span::ZERO))), nothing);
    assert_eq!((ROBOTS_LIFE, STALE_LIFE), (Span::seconds(86_400), Span::seconds(30 * 86_400)));
}

#[test]
fn ours_access_can_be_stored() {
    for access in [answered(200), answered(404), answered(429), answered(500)] {
        let stored = serde_json::to_string(&access).unwrap();
        assert_eq!(serde_json::from_str::<Access>(&stored).unwrap(), access);
    }
    // A store that was damaged decides something, and does not panic.
    let damaged =
        r#"{"rules":[{"verdict":"Disallowed","pattern":{"text":"$/é*$*","octets":9},"line":0}],"crawl_delay":null}"#;
    assert_eq!(serde_json::from_str::<RobotsRules>(damaged).unwrap().verdict("/x"), Verdict::Allowed);
}
