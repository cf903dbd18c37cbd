//! Do the fast path, the slow path and the standard agree?
#![allow(clippy::unwrap_used)]

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::*;

/// All 128 settings of the rules.
fn settings() -> impl Strategy<Value = Rules> {
    any::<[bool; 7]>().prop_map(|on| Rules {
        fragment: on[0],
        credentials: on[1],
        default_port: on[2],
        percent_case: on[3],
        dot_segments: on[4],
        session_ids: on[5],
        tracking: on[6],
    })
}

/// A path and query as logs have them; one piece in ten is odd.
fn target() -> impl Strategy<Value = String> {
    let segment = prop_oneof![
        9 => "[a-zA-Z0-9_~.,;:@!$&'()*+=-]{0,12}".prop_filter("dots are odd", |it| !it.starts_with('.')),
        2 => "[a-z]{1,4}%[0-9A-F]{2}[a-z]{0,3}",
        1 => "[a-z]{0,3};(jsessionid|JSESSIONID|v)=[0-9A-F]{0,6}(;x=1)?",
        1 => odd_segment(),
    ];
    let parameter = prop_oneof![
        6 => "[a-z]{1,6}=[a-zA-Z0-9/?:@|^{}`,.+-]{0,8}",
        2 => "(utm_source|UTM_medium|gclid|PHPSESSID|sid|s|cfid|amp;_ga)=[0-9a-f]{0,33}",
        1 => "[a-z&=;]{0,4}",
        1 => "[a-z]{1,3}=(%[0-9A-F]{2}|%[0-9a-f]{2}|%|'|\"|<| |\t|é|\\\\){1,3}",
    ];
    let path = prop::collection::vec(segment, 0..5).prop_map(|segments| format!("/{}", segments.join("/")));
    let query = prop::option::of(prop::collection::vec(parameter, 0..5).prop_map(|it| format!("?{}", it.join("&"))));
    let fragment = prop::option::weighted(0.1, "#[a-z# é]{0,4}");
    (path, query, fragment).prop_map(|(path, query, fragment)| {
        format!("{path}{}{}", query.unwrap_or_default(), fragment.unwrap_or_default())
    })
}

fn odd_segment() -> impl Strategy<Value = String> {
    prop_oneof![
        "[.]{1,3}",
        "(%2e|%2E|[.]){1,3}",
        "[a-z]{0,2}[ \"<>^`{|}\\\\\t\n\u{7F}\u{1}%'\\[\\]]{1,2}[a-z]{0,2}",
        "[a-z]{0,2}(é|ü|س|中|😀)[a-z]{0,2}",
        "%[0-9a-f]{0,2}",
    ]
}

fn host() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => "[a-z0-9_-]{1,8}([.][a-z0-9-]{1,8}){0,3}",
        1 => "[a-zA-Z0-9.%é-]{0,10}",
        1 => "([a-z]{1,3}:[a-z]{0,3}@)?[a-z]{1,5}[.]com(:(80|443|8080|0|))?",
        1 => "(xn--[a-z]{1,5}|[0-9]{1,3}([.]0x[0-9a-f]{1,2}){1,3}|\\[::1\\]|a[.]{1,2}b[.]?)",
    ]
}

fn absolute() -> impl Strategy<Value = String> {
    let scheme = prop_oneof![
        5 => Just("http://".to_owned()),
        5 => Just("https://".to_owned()),
        1 => "(HTTP|hTtPs|ftp| http|http\t)?:?[/\\\\]{0,3}",
    ];
    let tail = prop_oneof![9 => target(), 1 => Just(String::new())];
    (scheme, host(), tail).prop_map(|(scheme, host, tail)| scheme + &host + &tail)
}

#[test]
fn ours_the_fast_path_gives_what_the_slow_path_gives() {
    let (fast_taken, slow_taken) = (Cell::new(0), Cell::new(0));
    let config = ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new_with_rng(config, fixed_rng())
        .run(&(settings(), absolute()), |(rules, raw)| {
            let slow = slow::absolute(&rules, raw.as_bytes());
            match fast::absolute(&rules, raw.as_bytes()) {
                None => slow_taken.set(slow_taken.get() + 1),
                Some(fast) => {
                    fast_taken.set(fast_taken.get() + 1);
                    let slow = slow.map_err(|fault| TestCaseError::fail(fault.to_string()))?;
                    prop_assert_eq!(fast.as_str(), slow.as_str());
                    prop_assert_eq!(parts(&fast), parts(&slow));
                }
            }
            Ok(())
        })
        .unwrap();
    assert!(fast_taken.get() > 5_000, "only {} took the fast path", fast_taken.get());
    assert!(slow_taken.get() > 5_000, "only {} took the slow path", slow_taken.get());
}

fn fixed_rng() -> proptest::test_runner::TestRng {
    proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha)
}

fn parts<'a>(url: &'a CanonicalUrl<'_>) -> (Scheme, &'a str, Option<u16>, &'a str, Option<&'a str>, Option<&'a str>) {
    (url.scheme(), url.host(), url.port(), url.path(), url.query(), url.fragment())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ours_origin_form_is_the_path_and_query_of_the_absolute_form(
        rules in settings(),
        slashes in "/{0,2}",
        target in target(),
    ) {
        let raw = format!("{slashes}{target}");
        let canonicalizer = Canonicalizer::new(rules);
        let whole = format!("http://h.invalid{raw}");
        let absolute = canonicalizer.absolute(whole.as_bytes()).unwrap();
        let origin_form = canonicalizer.origin_form(raw.as_bytes()).unwrap();
        prop_assert_eq!(origin_form, absolute.path_and_query());
    }

    #[test]
    fn ours_a_canonical_url_is_canonical(rules in settings(), raw in absolute()) {
        let canonicalizer = Canonicalizer::new(rules);
        if let Ok(once) = canonicalizer.absolute(raw.as_bytes()) {
            let twice = canonicalizer.absolute(once.as_str().as_bytes()).unwrap();
            prop_assert_eq!(once.as_str(), twice.as_str());
            prop_assert!(once.as_str().is_ascii());
        }
    }

    #[test]
    fn ours_no_bytes_make_it_panic(rules in settings(), raw in prop::collection::vec(any::<u8>(), 0..60)) {
        let canonicalizer = Canonicalizer::new(rules);
        let _ = canonicalizer.absolute(&raw);
        let _ = canonicalizer.absolute(&[b"http://", raw.as_slice()].concat());
        let _ = canonicalizer.origin_form(&[b"/", raw.as_slice()].concat());
    }

    #[test]
    fn ours_the_parts_make_up_the_whole(raw in absolute()) {
        if let Ok(url) = Canonicalizer::default().absolute(raw.as_bytes()) {
            let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
            let whole = format!("{}://{}{port}{}", url.scheme(), url.host(), url.path_and_query());
            prop_assert_eq!(url.as_str(), whole);
            let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
            prop_assert_eq!(url.path_and_query(), format!("{}{query}", url.path()));
        }
    }
}

#[test]
fn ours_plain_urls_are_borrowed() {
    let canonicalizer = Canonicalizer::default();
    for (raw, length) in [
        ("https://www.example.com/a/b-c_d.html?x=1&y=%C3%A9", 49),
        ("http://example.com/", 19),
        ("http://example.com/a?b=1#c", 24),
        ("http://example.com/a?b=1&utm_source=x&utm_medium=y", 24),
        ("http://example.com/a?", 20),
        ("http://example.com/a;v=1", 24),
    ] {
        let url = canonicalizer.absolute(raw.as_bytes()).unwrap();
        assert!(url.is_borrowed(), "{raw}");
        assert_eq!(url.as_str(), &raw[..length]);
    }
    assert!(matches!(canonicalizer.origin_form(b"/a/b?c=1").unwrap(), Cow::Borrowed("/a/b?c=1")));
}

#[test]
fn ours_bytes_that_are_not_utf8_are_encoded_one_by_one() {
    let canonicalizer = Canonicalizer::default();
    assert_eq!(canonicalizer.origin_form(b"/\xC4\xE3\xC3\xA9?\xFF").unwrap(), "/%C4%E3%C3%A9?%FF");
    assert_eq!(canonicalizer.absolute(b"http://\xFF.com/").unwrap_err(), UrlFault::BadHost);
}

#[test]
fn ours_a_fault_says_what_is_wrong() {
    let fault = |raw: &str| Canonicalizer::default().absolute(raw.as_bytes()).unwrap_err();
    assert_eq!(fault("ftp://a.com/"), UrlFault::NotHttp);
    assert_eq!(fault("android-app://com.example/"), UrlFault::NotHttp);
    assert_eq!(fault("-"), UrlFault::NotAbsolute);
    assert_eq!(fault("/a/b"), UrlFault::NotAbsolute);
    assert_eq!(fault("http://"), UrlFault::NoHost);
    assert_eq!(fault("http://a b/"), UrlFault::BadHost);
    assert_eq!(fault("http://1.2.3.999/"), UrlFault::BadHost);
    assert_eq!(fault("http://a.com:99999/"), UrlFault::BadPort);
    let origin_form = |raw: &str| Canonicalizer::default().origin_form(raw.as_bytes()).unwrap_err();
    assert_eq!(["", "*", "a/b", "?x", "http://a.com/"].map(origin_form), [UrlFault::NotOriginForm; 5]);
}

#[test]
fn ours_the_cap_holds_before_and_after_encoding() {
    let canonicalizer = Canonicalizer::default().with_max_bytes(30);
    assert!(canonicalizer.absolute(b"http://example.com/aaaaaaaaaaa").is_ok());
    let too_long = |bytes| UrlFault::TooLong { bytes, cap: 30 };
    assert_eq!(canonicalizer.absolute(b"http://example.com/aaaaaaaaaaaa").unwrap_err(), too_long(31));
    assert_eq!(canonicalizer.absolute(b"http://example.com/        a").unwrap_err(), too_long(44));
    assert_eq!(canonicalizer.origin_form(b"/          a").unwrap_err(), too_long(32));
    let long = format!("http://example.com/{}", "a".repeat(MAX_URL_BYTES));
    assert!(matches!(Canonicalizer::default().absolute(long.as_bytes()), Err(UrlFault::TooLong { .. })));
}

#[test]
fn whatwg_every_http_case_of_the_web_platform_tests_agrees() {
    let Some(path) = trodden_testing::data("conformance/wpt-urltestdata.json") else { return };
    let json = std::fs::read_to_string(path).unwrap();
    let cases: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    let rules = Rules::whatwg();
    let (mut valid, mut refused, mut fast_taken, mut unresolved) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for case in cases.iter().filter(|case| case.is_object()) {
        let input = case["input"].as_str().unwrap();
        let base = case["base"].as_str().map(|base| ::url::Url::parse(base).unwrap());
        let resolved = match &base {
            Some(base) => base.join(input).map(String::from),
            None => Ok(input.to_owned()),
        };
        if case["failure"] == true {
            if input.trim_start().to_ascii_lowercase().starts_with("http") {
                refused += 1;
                if slow::absolute(&rules, input.as_bytes()).is_ok() {
                    wrong.push(format!("{input:?} should fail"));
                }
            }
            continue;
        }
        let href = case["href"].as_str().unwrap();
        if !(href.starts_with("http://") || href.starts_with("https://")) {
            continue;
        }
        valid += 1;
        let Ok(resolved) = resolved else {
            unresolved += 1;
            continue;
        };
        let slow = slow::absolute(&rules, resolved.as_bytes()).map(|url| url.as_str().to_owned());
        if slow.as_deref() != Ok(href) {
            wrong.push(format!("{input:?} → {slow:?}, not {href:?}"));
        }
        if let Some(fast) = fast::absolute(&rules, resolved.as_bytes()) {
            fast_taken += 1;
            if fast.as_str() != href {
                wrong.push(format!("{input:?} → fast {:?}, not {href:?}", fast.as_str()));
            }
        }
    }
    // Relative references with three slashes, which `Url::join` refuses; they never reach a canonicalizer.
    assert!(unresolved <= 7, "{unresolved} cases do not resolve against their base");
    assert!(wrong.is_empty(), "{} of {valid} + {refused}: {wrong:#?}", wrong.len());
    assert!(valid > 100 && refused > 50 && fast_taken > 20, "{valid} valid, {refused} refused, {fast_taken} fast");
}
