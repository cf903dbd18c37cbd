//! Promises about what pages refuse.

use proptest::prelude::*;

use super::*;

fn refused(tag: &RobotsTag) -> String {
    let uses = [(PageUse::Index, 'i'), (PageUse::Follow, 'f'), (PageUse::Archive, 'a')];
    uses.into_iter().filter(|(what, _)| tag.refuses(*what)).map(|(_, letter)| letter).collect()
}

fn header(values: &[&str]) -> String {
    refused(&RobotsTag::parse(values.iter().copied(), "trodden"))
}

#[test]
fn google_headers_list_what_is_refused() {
    assert_eq!(header(&["noindex"]), "i");
    assert_eq!(header(&["NoIndex , NOFOLLOW"]), "if");
    assert_eq!(header(&["none"]), "if");
    assert_eq!(header(&["noarchive", "nofollow"]), "fa");
    assert_eq!(header(&["nocache"]), "a");
    for nothing in
        ["", ",", "all", "index, follow", "nosnippet", "noindexx", "no index", "max-snippet: 20", ":", "a:b:c"]
    {
        assert_eq!(header(&[nothing]), "", "{nothing}");
    }
}

#[test]
fn google_a_name_holds_to_the_end_of_its_value() {
    assert_eq!(header(&["otherbot: noindex, nofollow"]), "");
    assert_eq!(header(&["Trodden: noindex, nofollow"]), "if");
    assert_eq!(header(&["otherbot: noindex, nofollow", "noarchive"]), "a");
    assert_eq!(header(&["noarchive, otherbot: noindex, trodden: nofollow"]), "fa");
    assert_eq!(header(&["*: noindex"]), "i");
    assert_eq!(header(&["bot2: noindex"]), "");
    assert_eq!(header(&["max-snippet:20, noindex"]), "i");
}

#[test]
fn google_refusals_add_up() {
    assert_eq!(header(&["noindex", "index", "all", "trodden: index"]), "i");
    let page = RobotsTag::parse_meta([("robots", "nofollow")], "trodden");
    assert_eq!(refused(&RobotsTag::parse(["noindex"], "trodden").and(page)), "if");
}

#[test]
fn google_meta_elements_are_named_robots_or_as_we_are() {
    let meta = |elements: &[(&str, &str)]| refused(&RobotsTag::parse_meta(elements.iter().copied(), "trodden"));
    assert_eq!(meta(&[("robots", "noindex,nofollow")]), "if");
    assert_eq!(meta(&[(" ROBOTS ", "none"), ("TRODDEN", "noarchive"), ("googlebot", "noarchive")]), "ifa");
    assert_eq!(meta(&[("googlebot", "noindex"), ("description", "none")]), "");
    // Content names nobody: what looks like a name is an unknown word.
    assert_eq!(meta(&[("robots", "trodden: noindex, nofollow")]), "f");
}

#[test]
fn google_a_page_may_name_its_end() {
    let after = |value: &str| RobotsTag::parse([value], "trodden").unavailable_after().map(str::to_owned);
    assert_eq!(after("unavailable_after: 25 Jun 2010 15:00:00 PST").as_deref(), Some("25 Jun 2010 15:00:00 PST"));
    assert_eq!(
        after("Unavailable_After:Friday, 25-Jun-10 15:00:00 GMT, noindex").as_deref(),
        Some("Friday, 25-Jun-10 15:00:00 GMT")
    );
    assert_eq!(header(&["unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, noindex"]), "i");
    assert_eq!(after("trodden: unavailable_after: 2030-01-01").as_deref(), Some("2030-01-01"));
    assert_eq!(after("otherbot: unavailable_after: 2030-01-01"), None);
    assert_eq!(after(&format!("unavailable_after: {}", "9".repeat(DATE_BYTES + 1))), None);
    assert_eq!(after("unavailable_after:"), None);
}

proptest! {
    #[test]
    fn ours_any_value_is_read(values in prop::collection::vec(".*", 0..4), directives in "[a-z:, 0-9_*-]{0,40}") {
        let all = values.iter().map(String::as_str).chain([directives.as_str()]);
        let tag = RobotsTag::parse(all, "trodden");
        prop_assert!(tag.unavailable_after().is_none_or(|date| date.len() <= DATE_BYTES));
        let stored: RobotsTag = serde_json::from_str(&serde_json::to_string(&tag).unwrap()).unwrap();
        prop_assert_eq!(stored, tag);
    }
}
