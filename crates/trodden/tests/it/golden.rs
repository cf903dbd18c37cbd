//! The ledger of one small log, told in every format that is read.
//!
//! All fixtures tell the same story: four people read nine pages of www.example.org, with stylesheets and pictures;
//! a bot, a scanner, a feed reader and a login attempt come by; some lines are bad. So wherever a format has the
//! columns for it, the numbers are the same, and the snapshots show where a format knows less: the common log has no
//! agents and no referrers, Squid's has no referrers.

use insta::assert_json_snapshot;

use crate::run::{Folder, Ledger, Ran, fixtures, run_in};

const NGINX: &str = "$time_iso8601 | $remote_addr | $host | $scheme | $request | $status | $request_time | $http_referer | $http_user_agent";
const APACHE: &str = r#"%v %a [%{%Y-%m-%d %H:%M:%S}t] %m %U%q %>s "%{Referer}i" "%{User-agent}i""#;

/// Ingests a fixture from its own folder, so that names in the ledger are short.
#[track_caller]
fn ingest(args: &[&str]) -> Ran {
    run_in(
        &fixtures().join("formats"),
        &[&["ingest", "--format", "json", "--set", "privacy.min_users=1"], args].concat(),
        &[],
    )
    .ok()
}

/// The ledger of a format that has all columns tells the whole story.
#[track_caller]
fn whole_story(ledger: &Ledger) {
    assert_eq!((ledger.visits, ledger.users, ledger.urls), (9, 4, 4));
    for (reason, lines) in [
        ("asset", 7),
        ("bot", 2),
        ("login-admin", 1),
        ("machine", 1),
        ("method", 2),
        ("redirect", 1),
        ("scanner", 3),
        ("status", 2),
    ] {
        assert_eq!(ledger.dropped(reason), lines, "{reason}");
    }
}

#[test]
fn ours_common_log_has_a_golden_ledger() {
    let ran = ingest(&["common.log", "--site", "https://www.example.org"]);
    // Without agents and referrers, bots and scanners cannot be told from people.
    assert_eq!(ran.ledger().visits, 13);
    assert_json_snapshot!("common", ran.json());
}

#[test]
fn ours_combined_log_has_a_golden_ledger() {
    let ran = ingest(&["combined.log"]);
    whole_story(&ran.ledger());
    assert_json_snapshot!("combined", ran.json());
}

#[test]
fn ours_combined_log_with_a_trailing_field_has_a_golden_ledger() {
    let ran = ingest(&["combined-trailing.log"]);
    whole_story(&ran.ledger());
    assert_json_snapshot!("combined-trailing", ran.json());
}

#[test]
fn ours_vhost_combined_log_has_a_golden_ledger() {
    let ran = ingest(&["vhost-combined.log"]);
    assert_eq!((ran.ledger().visits, ran.ledger().sites), (9, 2));
    assert_json_snapshot!("vhost-combined", ran.json());
}

#[test]
fn ours_nginx_format_string_has_a_golden_ledger() {
    let ran = ingest(&["nginx-custom.log", "--log-format", NGINX]);
    whole_story(&ran.ledger());
    assert_json_snapshot!("nginx-custom", ran.json());
}

#[test]
fn ours_nginx_directive_is_read_like_its_string() {
    let directive = format!("log_format main escape=default '{NGINX}';");
    let (string, directive) = (
        ingest(&["nginx-custom.log", "--log-format", NGINX]),
        ingest(&["nginx-custom.log", "--log-format", &directive]),
    );
    assert_eq!(string.stdout, directive.stdout);
}

#[test]
fn ours_apache_format_string_has_a_golden_ledger() {
    let ran = ingest(&["apache-custom.log", "--log-format", APACHE]);
    whole_story(&ran.ledger());
    assert_json_snapshot!("apache-custom", ran.json());
}

#[test]
fn ours_apache_directive_is_read_like_its_string() {
    let directive = format!("LogFormat \"{}\" mine", APACHE.replace('"', "\\\""));
    let (string, directive) = (
        ingest(&["apache-custom.log", "--log-format", APACHE]),
        ingest(&["apache-custom.log", "--log-format", &directive]),
    );
    assert_eq!(string.stdout, directive.stdout);
}

#[test]
fn ours_squid_log_has_a_golden_ledger() {
    let ran = ingest(&["squid.log"]);
    assert_eq!(ran.ledger().visits, 13);
    assert_json_snapshot!("squid", ran.json());
}

#[test]
fn ours_w3c_log_of_iis_has_a_golden_ledger() {
    let ran = ingest(&["w3c-iis.log"]);
    whole_story(&ran.ledger());
    assert_json_snapshot!("w3c-iis", ran.json());
}

#[test]
fn ours_w3c_log_of_cloudfront_has_a_golden_ledger() {
    let ran = ingest(&["w3c-cloudfront.log"]);
    whole_story(&ran.ledger());
    assert_json_snapshot!("w3c-cloudfront", ran.json());
}

#[test]
fn ours_json_log_of_caddy_has_a_golden_ledger() {
    let ran = ingest(&["json-caddy.log"]);
    whole_story(&ran.ledger());
    assert_json_snapshot!("json-caddy", ran.json());
}

#[test]
fn ours_json_log_of_nginx_has_a_golden_ledger() {
    let ran = ingest(&["json-nginx.log"]);
    whole_story(&ran.ledger());
    assert_json_snapshot!("json-nginx", ran.json());
}

#[test]
fn ours_json_log_with_mapped_fields_has_a_golden_ledger() {
    let fields = [
        "time=when",
        "address=who.net",
        "agent=who.browser",
        "method=what.verb",
        "target=what.link",
        "host=what.site",
        "referrer=came.from",
        "status=answer",
    ];
    let args: Vec<&str> = ["json-mapped.log", "--log-format", "json"]
        .into_iter()
        .chain(fields.iter().flat_map(|f| ["--field", f]))
        .collect();
    let ran = ingest(&args);
    whole_story(&ran.ledger());
    // Whose names the unmapped fields have is not the operator's question here.
    let mut json = ran.json();
    json.as_object_mut().unwrap().remove("formats");
    assert_json_snapshot!("json-mapped", json);
}

#[test]
fn ours_csv_has_a_golden_ledger() {
    let ran = ingest(&["visits.csv"]);
    whole_story(&ran.ledger());
    assert_json_snapshot!("csv", ran.json());
}

#[test]
fn ours_tsv_has_a_golden_ledger() {
    let ran = ingest(&["visits.tsv"]);
    whole_story(&ran.ledger());
    assert_json_snapshot!("tsv", ran.json());
}

#[test]
fn ours_formats_that_are_named_are_read_like_those_that_are_seen() {
    for (file, name) in [
        ("combined.log", "combined"),
        ("vhost-combined.log", "vhost-combined"),
        ("squid.log", "squid"),
        ("w3c-iis.log", "w3c"),
        ("json-caddy.log", "caddy"),
        ("json-nginx.log", "nginx-json"),
        ("visits.csv", "csv"),
        ("visits.tsv", "tsv"),
    ] {
        let (seen, named) = (ingest(&[file]), ingest(&[file, "--log-format", name]));
        assert_eq!(seen.stdout, named.stdout, "{file}");
    }
}

#[test]
fn ours_columns_of_a_w3c_log_may_change_in_the_middle() {
    let read = |name: &str| std::fs::read_to_string(fixtures().join("formats").join(name)).unwrap();
    let (iis, cloudfront) = (read("w3c-iis.log"), read("w3c-cloudfront.log"));
    let folder = Folder::with_log(format!("{iis}{cloudfront}{iis}"));
    let site = ["--site", "https://www.example.org"];
    let ledger = folder.ledger(&site);
    let alone = |log: &str| Folder::with_log(log).ledger(&site);
    let (iis, cloudfront) = (alone(&iis), alone(&cloudfront));
    // The same people at the same times: twice by IIS, once by CloudFront.
    assert_eq!(ledger.visits, 2 * iis.visits + cloudfront.visits);
    for (bad, lines) in &iis.bad {
        assert_eq!(ledger.bad(bad), 2 * lines + cloudfront.bad(bad), "{bad}");
    }
    assert_eq!(ledger.dropped("header"), 2 * iis.dropped("header") + cloudfront.dropped("header"));
}

#[test]
fn ours_visits_are_not_taken_into_their_own_directory() {
    let folder = Folder::new();
    let log = fixtures().join("formats/vhost-combined.log");
    folder.ingest(&[log.to_str().unwrap(), "-o", "visits"]);
    let before = crate::rows::rows(&folder.path("visits"));
    folder.try_ingest(&["visits", "-o", "visits"], &[]).failed(1).says(&["count twice"]);
    assert_eq!(crate::rows::rows(&folder.path("visits")), before);
}

#[test]
fn ours_visits_are_read_again_as_they_were_written() {
    let folder = Folder::new();
    let log = fixtures().join("formats/combined.log");
    let first = folder.ingest(&[log.to_str().unwrap(), "-o", "visits"]).ledger();
    let again = folder.ingest(&["visits", "-o", "copy"]);
    let ledger = again.ledger();
    // Judged once, visits are not judged again: every row is a visit.
    assert_eq!((ledger.lines, ledger.visits), (first.visits, first.visits));
    assert_eq!((ledger.users, ledger.urls, &ledger.site_visits), (first.users, first.urls, &first.site_visits));
    // The copy has a key of its own, but hashes are taken over: users stay who they were.
    assert_eq!(crate::rows::rows(&folder.path("visits")), crate::rows::rows(&folder.path("copy")));
    insta::with_settings!({filters => vec![("visits-[0-9a-f]{16}", "visits-[digest]")]}, {
        assert_json_snapshot!("visits", again.json());
    });
}
