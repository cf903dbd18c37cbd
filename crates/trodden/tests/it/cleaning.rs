//! Rules that the line itself decides: method, status, bots, assets, programs, logins.
//!
//! Each rule is also switched off, so that one that does nothing fails.

use crate::lines::{BOT, Line, MARCH, combined, get, people};
use crate::run::{Folder, Ledger};

const READER: &str = "192.0.2.0";
const LINE_RULES: [&str; 4] = ["--set", "cleaning.embedded=false", "--set", "cleaning.scanners=false"];

fn ask(target: &str) -> Line {
    get(MARCH + 40, READER, target).via("/")
}

/// The ledger of eight people and these lines of one of them.
#[track_caller]
fn ledger(lines: &[Line], args: &[&str]) -> Ledger {
    Folder::with_log(combined(&people(8)) + &combined(lines)).ledger(&[&LINE_RULES, args].concat())
}

/// What eight people alone come to.
fn people_visits() -> u64 {
    16
}

/// All lines go under the reason, and are visits if the rule is off.
#[track_caller]
fn dropped_by(lines: &[Line], reason: &str, rule: &str) {
    let (base, n) = (ledger(&[], &[]), lines.len() as u64);
    assert_eq!(base.visits, people_visits());
    let on = ledger(lines, &[]);
    assert_eq!((on.dropped(reason), on.visits), (base.dropped(reason) + n, people_visits()), "{:?}", on.dropped);
    let off = ledger(lines, &["--set", &format!("cleaning.{rule}=false")]);
    assert_eq!((off.dropped(reason), off.visits), (0, people_visits() + n + base.dropped(reason)), "{:?}", off.dropped);
}

/// Every line is a visit.
#[track_caller]
fn kept(lines: &[Line]) {
    let with = ledger(lines, &[]);
    assert_eq!(with.visits, people_visits() + lines.len() as u64, "{:?} {:?}", with.dropped, with.bad);
}

/// Every line goes under the reason.
#[track_caller]
fn dropped(lines: &[Line], reason: &str) {
    let with = ledger(lines, &[]);
    assert_eq!(
        (with.visits, with.dropped(reason)),
        (people_visits(), lines.len() as u64),
        "{:?} {:?}",
        with.dropped,
        with.bad
    );
}

#[test]
fn cikm11_only_get_is_reading() {
    let lines = ["POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND"].map(|m| ask("/read/1").method(m));
    dropped(&lines, "method");
    // Some of them name no URL at all.
    dropped(&[ask("*").method("OPTIONS"), ask("www.example.org:443").method("CONNECT")], "method");
}

#[test]
fn ours_answers_that_show_a_page_count() {
    kept(&[200, 203, 304].map(|status| ask("/read/1").status(status)));
}

#[test]
fn ours_redirects_are_told_apart_from_errors() {
    dropped(&[300, 301, 302, 303, 307, 308].map(|status| ask("/old").status(status)), "redirect");
    dropped(&[201, 204, 206, 400, 401, 403, 404, 410, 429, 499, 500, 503].map(|s| ask("/gone").status(s)), "status");
}

#[test]
fn ours_bots_that_say_so_are_dropped() {
    let agents = [
        BOT,
        "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
        "curl/8.5.0",
        "Wget/1.21",
        "python-requests/2.31.0",
        "Go-http-client/1.1",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
        "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
        "facebookexternalhit/1.1",
    ];
    dropped_by(&agents.map(|agent| ask("/read/1").agent(agent)), "bot", "bots");
}

#[test]
fn ours_crawlers_of_our_own_and_named_ones_are_bots() {
    let own = ["trodden/0.1.0 (+https://example.org/crawl)", "Trodden/9.9"].map(|a| ask("/read/1").agent(a));
    dropped_by(&own, "bot", "bots");
    let acme = ["AcmeFetch/2", "Mozilla/5.0 (compatible; acmefetch; +x)"].map(|a| ask("/read/1").agent(a));
    kept(&acme);
    let named = ledger(&acme, &["--set", "cleaning.bots=[\"acmefetch\"]"]);
    assert_eq!((named.dropped("bot"), named.visits), (2, people_visits()));
    // A list adds to the built-in one.
    let both = ledger(&[ask("/read/1").agent(BOT)], &["--set", "cleaning.bots=[\"acmefetch\"]"]);
    assert_eq!(both.dropped("bot"), 1);
    let folder = Folder::with_log(combined(&people(8)));
    for word in ["Mozilla", "x"] {
        let setting = format!("cleaning.bots=[\"{word}\"]");
        let ran = folder.try_ingest(&["access.log", "--set", &setting], &[]).failed(1);
        ran.says(&["cleaning.bots", word, "people's browsers"]);
    }
}

#[test]
fn ours_what_this_user_crawled_as_is_a_bot() {
    let reader = |agent: &str| ask("/read/1").agent(agent);
    let lines = [reader("sitecheck/1.0 (+me@example.org)"), reader("SiteCheck/1.1"), reader("sitechecker/1.0")];
    let folder = Folder::with_log(combined(&people(8)) + &combined(&lines));
    assert_eq!(folder.ledger(&LINE_RULES).dropped("bot"), 0);
    folder.write(".config/trodden/agents", "sitecheck\nMozilla\n");
    let ledger = folder.ledger(&LINE_RULES);
    assert_eq!((ledger.dropped("bot"), ledger.visits), (2, people_visits() + 1));
}

#[test]
fn ours_people_with_telling_agents_are_kept() {
    kept(&[
        ask("/read/1")
            .agent("Mozilla/5.0 (Linux; Android 9; CUBOT_P30) AppleWebKit/537.36 Chrome/86.0 Mobile Safari/537.36"),
        ask("/read/1")
            .agent("Opera/9.80 (J2ME/MIDP; Opera Mini/5.1.21214/28.2725; U; ru) Presto/2.8.119 Version/11.10"),
        ask("/read/1").agent("-"),
    ]);
}

#[test]
fn ours_assets_are_dropped_by_extension() {
    let paths = [
        "/a.css",
        "/a.js",
        "/A.JPG",
        "/a.png?v=3",
        "/f/a.woff2",
        "/film.mp4",
        "/a.svg",
        "/favicon.gif",
        "/all.zip",
        "/a.min.js;v=1",
    ];
    let lines: Vec<Line> = paths.iter().map(|p| ask(p)).collect();
    let on = ledger(&lines, &[]);
    // `favicon.gif` is for programs.
    assert_eq!((on.dropped("asset"), on.dropped("machine"), on.visits), (16 + 9, 1, people_visits()));
    let off = ledger(&lines, &["--set", "cleaning.assets=false"]);
    assert_eq!((off.dropped("asset"), off.visits), (0, people_visits() + 16 + 9));
}

#[test]
fn ours_documents_are_pages() {
    kept(
        &["/paper.pdf", "/notes.txt", "/thesis.docx", "/index.html", "/a.php", "/v1.2/intro", "/css", "/png/"].map(ask),
    );
}

#[test]
fn ours_what_is_for_programs_is_dropped() {
    let paths = [
        "/robots.txt",
        "/feed/",
        "/articles/feed",
        "/rss",
        "/atom.xml",
        "/sitemap.xml",
        "/data.json",
        "/?feed=rss2",
        "/favicon.ico",
        "/.well-known/security.txt",
        "/wp-json/wp/v2/posts",
        "/xmlrpc.php",
        "/calendar.ics",
        "/news?format=feed&type=rss",
    ];
    dropped_by(&paths.map(ask), "machine", "machine");
}

#[test]
fn ours_a_word_in_a_path_is_no_check_of_health() {
    kept(&["/wp/h/Health.htm", "/wiki/Health", "/health/sleep", "/wiki/Ping", "/wiki/Atom", "/wiki/Favicon"].map(ask));
    // Checks that nothing else is called, whoever asks.
    dropped_by(&["/healthz", "/livez", "/api/readyz", "/server-status", "/favicon.png"].map(ask), "machine", "machine");
    // A section of that name is read by browsers, and from pages; a check is neither.
    let browser = |path: &str| get(MARCH + 40, READER, path);
    kept(&[ask("/health"), browser("/health"), ask("/health").agent("-"), browser("/api/ping")]);
    let check = |path: &str| get(MARCH + 40, READER, path).agent("monitor/1.0");
    dropped_by(&[check("/health"), check("/api/ping"), check("/health").agent("-")], "machine", "machine");
}

#[test]
fn ours_logins_and_back_rooms_are_reported_apart() {
    let paths = [
        "/login",
        "/user/login?next=/",
        "/wp-login.php",
        "/wp-admin/",
        "/admin/users",
        "/administrator/index.php",
        "/phpmyadmin/",
        "/signup",
        "/Register",
        "/index.php?option=com_users&view=login",
    ];
    dropped_by(&paths.map(ask), "login-admin", "login_admin");
    kept(&["/administrators-guide-to-bees", "/blog/logging-in-rust", "/read/admin-law"].map(ask));
}

#[test]
fn ours_the_first_reason_counts() {
    dropped(&[ask("/wp-login.php").method("POST").status(500)], "method");
    dropped(&[ask("/wp-login.php").status(302).agent(BOT)], "redirect");
    dropped(&[ask("/a.css").status(404).agent(BOT)], "status");
    dropped(&[ask("/robots.txt").agent(BOT)], "bot");
}

#[test]
fn rfc9112_absolute_targets_are_urls_like_any_other() {
    let folder = Folder::with_log(
        combined(&people(8))
            + &combined(&[
                ask("http://www.example.org/read/1"),
                ask("https://example.org:443/read/1#top"),
                ask("HTTP://EXAMPLE.ORG/read/../read/1"),
            ]),
    );
    let ledger = folder.ledger(&[&LINE_RULES[..], &["-o", "visits"]].concat());
    assert_eq!((ledger.visits, ledger.sites, ledger.bad.len()), (people_visits() + 3, 1, 0));
    assert_eq!(ledger.urls, 8);
    dropped(&[ask("http://www.example.org/a.png")].map(|l| l.status(404)), "status");
    // A proxy's reader asks for another site.
    let other =
        Folder::with_log(combined(&people(8)) + &combined(&[ask("http://example.net/read/1")])).ledger(&LINE_RULES);
    assert_eq!((other.visits, other.sites), (people_visits() + 1, 2));
}

#[test]
fn ours_content_types_tell_pages_from_assets_in_squid_logs() {
    let line = |time: i64, path: &str, content_type: &str| {
        format!(
            "{}.000     90 192.0.2.7 TCP_MISS/200 512 GET http://www.example.org{path} - HIER_DIRECT/192.0.2.80 {content_type}\n",
            MARCH + time
        )
    };
    let log = [
        line(0, "/read/1", "text/html"),
        line(1, "/picture/1", "image/webp"),
        line(2, "/script", "application/javascript"),
        line(3, "/data", "application/json"),
        line(4, "/paper", "application/pdf"),
        line(5, "/wiki/File:Owl.jpg", "text/html"),
        line(6, "/login", "text/html"),
        line(7, "/untyped", "-"),
        line(8, "/untyped.png", "-"),
    ];
    let folder = Folder::with_log(log.concat());
    let on = folder.ledger(&[&LINE_RULES[..], &["-o", "visits"]].concat());
    assert_eq!((on.visits, on.dropped("asset"), on.dropped("machine"), on.dropped("login-admin")), (4, 3, 1, 1));
    let urls: Vec<String> = folder.urls(&["visits"]).into_keys().collect();
    let paths = ["/paper", "/read/1", "/untyped", "/wiki/File:Owl.jpg"];
    assert_eq!(urls, paths.map(|p| format!("http://www.example.org{p}")));
    let off = folder.ledger(&[&LINE_RULES[..], &["--set", "cleaning.assets=false"]].concat());
    assert_eq!((off.visits, off.dropped("asset")), (7, 0));
}
