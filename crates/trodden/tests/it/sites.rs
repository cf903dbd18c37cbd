//! Whose are the lines? By referrer, by name, by virtual host.

use crate::lines::{Line, MARCH, combined, get, page, people, vhost};
use crate::rows::rows;
use crate::run::{Folder, Ledger};

fn sites(ledger: &Ledger) -> Vec<(&str, u64)> {
    ledger.site_visits.iter().map(|(site, n)| (site.as_str(), *n)).collect()
}

/// The same people, but on another site.
fn people_of(origin: &str, n: u32) -> Vec<Line> {
    let moved = |line: Line| Line { referrer: line.referrer.replace("https://www.example.org", origin), ..line };
    people(n).into_iter().map(moved).collect()
}

#[test]
fn ours_paths_belong_to_the_site_that_referrers_name() {
    let folder = Folder::with_log(combined(&people(10)));
    let ran = folder.ingest(&["access.log", "-o", "visits"]);
    ran.says(&["paths only", "example.org (30 lines name it)", "--site"]);
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    assert_eq!(sites(&ran.ledger()), [("example.org", 20)]);
    assert!(rows(&folder.path("visits")).iter().all(|row| row.target.starts_with("https://www.example.org/")));
}

#[test]
fn ours_search_engines_and_networks_are_never_the_site() {
    let mut lines = people(3);
    for n in 0..40 {
        let from = ["https://www.google.com/", "https://t.co/x", "https://duckduckgo.com/"][n % 3];
        lines.extend(page(MARCH + 3_000 + n as i64 * 60, &format!("192.0.2.{}", 50 + n), "/", from));
    }
    // The pages' own stylesheets name the site, too.
    let ledger = Folder::with_log(combined(&lines)).ledger(&[]);
    assert_eq!(sites(&ledger), [("example.org", 46)]);
}

#[test]
fn ours_ambiguous_referrers_warn_and_give_the_likeliest() {
    let log = combined(&people_of("https://example.org", 10)) + &combined(&people_of("http://blog.example.net", 7));
    let ran = Folder::with_log(log).ingest(&["access.log"]);
    ran.says(&["warning", "several sites", "taken for example.org (30 lines)", "blog.example.net 21", "--site"]);
    assert_eq!(sites(&ran.ledger()), [("example.org", 34)]);
}

#[test]
fn ours_a_log_without_referrers_asks_for_its_site() {
    let log = combined(&[get(MARCH, "192.0.2.1", "/read/1"), get(MARCH + 9, "192.0.2.2", "/read/1")]);
    let folder = Folder::with_log(log);
    let ran = folder.ingest(&["access.log"]);
    ran.says(&["warning", "--site"]);
    assert_eq!(ran.ledger().visits, 2);
    let named = folder.ingest(&["access.log", "--site", "https://www.example.org"]);
    assert!(!named.stderr.contains("warning: the log has paths"), "{}", named.stderr);
    assert_eq!(sites(&named.ledger()), [("example.org", 2)]);
}

#[test]
fn ours_the_named_site_says_scheme_and_www() {
    for (site, origin) in [
        ("https://www.example.org", "https://www.example.org"),
        ("http://example.org", "http://example.org"),
        ("https://example.org/", "https://example.org"),
        // What the name leaves open, the log says.
        ("www.example.org", "https://www.example.org"),
        ("example.org", "https://example.org"),
        ("https://intranet.example.net:8443", "https://intranet.example.net:8443"),
    ] {
        let folder = Folder::with_log(combined(&people(5)));
        folder.ledger(&["--site", site, "-o", "visits"]);
        let wrong = rows(&folder.path("visits")).into_iter().find(|r| !r.target.starts_with(&format!("{origin}/")));
        assert!(wrong.is_none(), "{site}: {wrong:?}");
    }
}

#[test]
fn ours_a_site_that_is_none_is_named() {
    let folder = Folder::with_log(combined(&people(2)));
    for site in ["ftp://example.org", "https://", "exa mple"] {
        folder.try_ingest(&["access.log", "--site", site], &[]).failed(1).says(&[site]);
    }
}

#[test]
fn ours_www_and_scheme_make_no_other_url() {
    let spellings =
        ["https://www.example.org/", "http://www.example.org/", "https://example.org/", "http://example.org:80/"];
    let mut lines = people(6);
    for (n, from) in (0_i64..).zip(spellings) {
        lines.extend(page(MARCH + 1_000 + n * 60, "192.0.2.99", "/read/same", from));
    }
    let folder = Folder::with_log(combined(&lines));
    assert_eq!(folder.ledger(&["-o", "visits"]).visits, 16);
    let urls = folder.urls(&["visits"]);
    // Four visits, but the same step of the same user.
    assert_eq!(urls["https://www.example.org/read/same"], (1, 1, 0));
    assert_eq!(urls.len(), 8);
}

#[test]
fn ours_virtual_hosts_are_sites_of_their_own() {
    let mut lines = people(5);
    let other = |line: Line| Line {
        host: "example.net",
        referrer: line.referrer.replace("www.example.org", "example.net"),
        ..line
    };
    lines.extend(people(3).into_iter().map(other));
    let bare = |line: Line| Line { host: "example.org", ..line };
    lines.extend(people(2).into_iter().map(bare));
    let ran = Folder::with_log(vhost(&lines)).ingest(&["access.log"]);
    // www.example.org and example.org are one.
    assert_eq!(sites(&ran.ledger()), [("example.org", 14), ("example.net", 6)]);
    assert!(!ran.stderr.contains("paths only"), "{}", ran.stderr);
}

#[test]
fn ours_the_named_site_is_the_only_one_that_counts() {
    let mut lines = people(5);
    let other = |line: Line| Line {
        host: "example.net",
        referrer: line.referrer.replace("www.example.org", "example.net"),
        ..line
    };
    lines.extend(people(3).into_iter().map(other));
    let folder = Folder::with_log(vhost(&lines));
    let named = folder.ledger(&["--site", "https://www.example.org"]);
    assert_eq!((sites(&named), named.dropped("other-site")), (vec![("example.org", 10)], 6));
    let named = folder.ledger(&["--site", "example.net"]);
    assert_eq!((sites(&named), named.dropped("other-site")), (vec![("example.net", 6)], 10));
}

/// Readers of example.org and of its telephone version.
fn with_mobile() -> Vec<Line> {
    let mobile = |line: Line| Line { host: "m.example.org", referrer: line.referrer.replace("www.", "m."), ..line };
    people(5).into_iter().chain(people(3).into_iter().map(mobile)).collect()
}

#[test]
fn ours_an_alias_is_the_host_it_stands_for() {
    let folder = Folder::with_log(vhost(&with_mobile()));
    let apart = folder.ledger(&[]);
    assert_eq!(sites(&apart), [("example.org", 10), ("m.example.org", 6)]);
    let joined = folder.ledger(&["--alias", "m.example.org=example.org", "-o", "visits"]);
    assert_eq!((sites(&joined), joined.urls), (vec![("example.org", 16)], 6));
    let hosts: Vec<String> = folder.urls(&["visits"]).into_keys().collect();
    assert!(hosts.iter().all(|url| url.starts_with("https://www.example.org/")), "{hosts:?}");
    folder.try_ingest(&["access.log", "--alias", "m.example.org"], &[]).failed(1).says(&["--alias"]);
}

#[test]
fn ours_sites_by_domain_hold_all_its_hosts() {
    let folder = Folder::with_log(vhost(&with_mobile()));
    let ledger = folder.ledger(&["--site-by", "domain", "-o", "visits"]);
    // Hosts stay apart as URLs.
    assert_eq!((sites(&ledger), ledger.urls), (vec![("example.org", 16)], 10));
    assert!(folder.urls(&["visits"]).contains_key("https://m.example.org/"));
    assert_eq!(folder.urls(&["visits", "--site", "example.org"]).len(), 10);
    // Days by another measure cannot be joined.
    folder.try_ingest(&["access.log", "-o", "visits"], &[]).failed(1).says(&["registrable domains"]);
    // A public suffix is no site of its own.
    let mut lines = people(4);
    for (n, line) in lines.iter_mut().enumerate() {
        line.host = ["a.example.co.uk", "b.example.co.uk", "other.co.uk", "www.other.co.uk"][n % 4];
    }
    let ledger = Folder::with_log(vhost(&lines)).ledger(&["--site-by", "domain", "--set", "cleaning.scanners=false"]);
    assert_eq!(ledger.sites, 2);
}

#[test]
fn ours_other_sites_as_referrers_keep_their_origin_only() {
    let mut lines = people(6);
    lines.extend(page(MARCH + 900, "192.0.2.99", "/read/1", "https://friend.example.net/links/page?id=7#x"));
    lines.extend(page(MARCH + 999, "192.0.2.98", "/read/1", "https://www.google.com/search?q=private+matter"));
    let folder = Folder::with_log(combined(&lines));
    folder.ledger(&["-o", "visits"]);
    let mut outside: Vec<String> = rows(&folder.path("visits"))
        .into_iter()
        .filter_map(|row| row.referrer)
        .filter(|referrer| !referrer.contains("example.org"))
        .collect();
    outside.sort();
    assert_eq!(outside, ["https://friend.example.net/", "https://www.google.com/"]);
}

/// A log of www.example.org of so many people, with visitors that a partner sent.
fn with_partner(n: u32, visitors: i64) -> String {
    let mut lines = people(n);
    for visitor in 0..visitors {
        let from = format!("https://partner.example.net/offers/{visitor}");
        lines.push(get(MARCH + 5_000 + visitor * 9, &format!("198.51.100.{}", visitor % 250), "/read/1").from(&from));
    }
    combined(&lines)
}

#[test]
fn ours_a_wrong_site_is_refused_where_the_log_itself_names_another() {
    let folder = Folder::with_log(with_partner(200, 0));
    for command in [&["ingest"][..], &["mine"], &["mine", "-o", "site.model"], &["ingest", "-o", "visits"]] {
        let ran = folder.run(&[command, &["access.log", "--site", "https://wrong.example"]].concat()).failed(1);
        ran.says(&["wrong.example does not fit", "600 of its lines", "example.org", "100 %"]);
        ran.says(&["say --site https://www.example.org", "--force", "--alias example.org=wrong.example"]);
        assert_eq!(ran.stdout, "");
    }
    assert!(!folder.path("site.model").exists());
    assert_eq!(crate::rows::parquet_files(&folder.path("visits")).len(), 0);
    // What is typed instead works, and so does what is insisted on.
    let right = folder.ledger(&["--site", "https://www.example.org"]);
    assert_eq!(sites(&right), [("example.org", 400)]);
    let forced = folder.ledger(&["--site", "https://wrong.example", "--force"]);
    assert_eq!(sites(&forced)[0].0, "wrong.example");
    let alias = folder.ledger(&["--site", "https://wrong.example", "--alias", "example.org=wrong.example"]);
    assert_eq!(sites(&alias), [("wrong.example", 400)]);
}

#[test]
fn ours_a_log_with_few_referrers_of_its_own_is_taken_at_the_word() {
    let site = ["--site", "https://shop.example"];
    // Referrers that are cut to their origin say who sent a visitor, not whose the log is.
    let cut = with_partner(3, 400).replace("/offers/", "/?");
    for (what, log) in [
        ("no referrers", combined(&(0..300).map(|n| get(MARCH + n, "192.0.2.1", "/a")).collect::<Vec<_>>())),
        ("few", combined(&people(30))),
        ("a partner sends nearly everybody", with_partner(3, 400)),
        ("only its origin", cut),
    ] {
        let folder = Folder::with_log(log);
        let ran = folder.try_ingest(&[&["access.log", "--set", "cleaning.groups=false"], &site[..]].concat(), &[]);
        assert_eq!(ran.code, Some(0), "{what}: {}", ran.stderr);
    }
    // Where lines name their host there is nothing to doubt.
    let folder = Folder::with_log(vhost(&people(200)));
    assert_eq!(folder.ledger(&site).dropped("other-site"), 400);
    // Nor where the named site has referrers, too.
    let both = combined(&people_of("https://shop.example", 60)) + &combined(&people(200));
    assert_eq!(sites(&Folder::with_log(both).ledger(&site))[0].0, "shop.example");
}
