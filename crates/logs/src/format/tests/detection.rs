//! Which format a file is taken for, and which it is not.

use super::super::{Context, Field, Format, Hints, Parsed, detect};
use super::FIXTURES;

fn name(sample: &[u8]) -> Option<String> {
    detect(sample, &Hints::default()).map(|format| format.name())
}

fn named(spec: &str) -> Hints {
    Hints { spec: Some(spec.to_owned()), ..Hints::default() }
}

const COMBINED: &[u8] = b"192.0.2.1 - - [26/Jan/2019:19:45:25 +0330] \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\n";
const COMMON: &[u8] = b"192.0.2.1 - - [26/Jan/2019:19:45:25 +0330] \"GET / HTTP/1.1\" 200 1\n";

#[test]
fn ours_every_fixture_is_known_by_itself() {
    let expected = [
        "common",
        "combined",
        "combined + 1 field",
        "vhost-combined",
        "nginx log_format",
        "apache LogFormat",
        "squid",
        "w3c",
        "w3c",
        "json (caddy)",
        "json (nginx)",
        "json",
        "csv",
        "tsv",
    ];
    for (fixture, name) in FIXTURES.iter().zip(expected) {
        assert_eq!(fixture.format().name(), name, "{}", fixture.name);
    }
}

#[test]
fn ours_what_fits_nothing_has_no_format() {
    for sample in [&b""[..], b"\n\n\n", b"hello\nworld\n", b"a,b,c\n1,2,3\n", b"\x1f\x8b\x08\x00", b"{}\n{}\n"] {
        assert_eq!(name(sample), None);
    }
}

#[test]
fn ours_half_of_the_lines_is_enough_and_less_is_not() {
    let junk = b"junk\n";
    assert_eq!(name(&[&junk[..], junk, COMBINED, COMBINED].concat()).as_deref(), Some("combined"));
    assert_eq!(name(&[&junk[..], junk, COMBINED].concat()), None);
    assert_eq!(name(&[b"\n\n\n\n", COMBINED].concat()).as_deref(), Some("combined"));
}

#[test]
fn ours_a_few_short_lines_do_not_make_a_combined_log_common() {
    let sample = [COMBINED.repeat(20), COMMON.to_vec()].concat();
    assert_eq!(name(&sample).as_deref(), Some("combined"));
    assert_eq!(name(&COMMON.repeat(3)).as_deref(), Some("common"));
}

#[test]
fn ours_a_list_in_the_first_column_is_no_virtual_host() {
    let list = b"192.0.2.1, 198.51.100.1 - - [26/Jan/2019:19:45:25 +0330] \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\n";
    let person = b"192.0.2.1 - bob smith [26/Jan/2019:19:45:25 +0330] \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\n";
    assert_eq!(name(list).as_deref(), Some("combined"));
    assert_eq!(name(person).as_deref(), Some("combined"));
}

#[test]
fn ours_a_torn_last_line_is_left_out() {
    let torn = [COMBINED, &COMBINED[..40]].concat();
    assert_eq!(name(&torn).as_deref(), Some("combined"));
    assert_eq!(name(&COMBINED[..COMBINED.len() - 1]).as_deref(), Some("combined"));
}

#[test]
fn ours_trailing_fields_are_counted() {
    let line = |tail: &str| format!("{}{tail}\n", String::from_utf8_lossy(COMBINED).trim_end());
    assert_eq!(name(line(" 0.1 \"a b\"").as_bytes()).as_deref(), Some("combined + 2 fields"));
    assert_eq!(name(&[COMMON.strip_suffix(b"\n").unwrap(), b" 0.1\n"].concat()).as_deref(), Some("common + 1 field"));
}

#[test]
fn ours_what_the_operator_names_is_taken() {
    let combined = detect(COMMON, &named("combined")).expect("a format");
    assert!(combined.parse(COMMON.trim_ascii_end(), &Context::new()).is_err());
    assert!(detect(COMBINED, &named("csv")).is_none());
    assert!(detect(COMBINED, &named("w3c")).is_none());
    assert!(detect(COMBINED, &named("nonsense")).is_none());
    assert_eq!(detect(b"url;time\n/a;1\n", &named("csv")).map(|format| format.name()).as_deref(), Some("csv"));
    for spec in ["csv", "tsv", "w3c", "json"] {
        assert!(Format::named(spec).is_err_and(|error| error.to_string().contains(spec)));
    }
    assert!(Format::named("nonsense").is_err_and(|error| error.to_string().contains("nonsense")));
}

#[test]
fn ours_a_json_log_has_hosts_if_it_names_any() {
    let has_host = |sample: &[u8]| detect(sample, &Hints::default()).map(|format| format.has_host());
    assert_eq!(has_host(br#"{"time":1,"url":"/a"}"#), Some(false));
    assert_eq!(has_host(br#"{"time":1,"url":"/a","host":"example.com"}"#), Some(true));
}

#[test]
fn ours_paths_given_by_hand_win() {
    let line = br#"{"when":{"at":1548531925},"time":1,"page":[{"full":"/right"}],"url":"/wrong","who":7}"#;
    let hints = Hints {
        json_map: vec![
            (Field::Time, "when.at".to_owned()),
            (Field::Target, "page.full".to_owned()),
            (Field::User, "who".to_owned()),
        ],
        spec: None,
    };
    let format = detect(line, &hints).expect("a format");
    let cx = Context::new();
    let Ok(Parsed::Entry(entry)) = format.parse(line, &cx) else {
        panic!("a record");
    };
    assert_eq!((entry.time_ms, entry.target, entry.user), (1_548_531_925_000, &b"/right"[..], &b"7"[..]));
}
