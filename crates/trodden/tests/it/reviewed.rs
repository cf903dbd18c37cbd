//! Inputs that once went wrong, or would have: each keeps a mended defect mended.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use crate::lines::{MARCH, combined, get, people};
use crate::run::Folder;

fn csv(header: &str, rows: impl Iterator<Item = String>) -> String {
    let mut text = format!("{header}\n");
    rows.for_each(|row| text.push_str(&(row + "\n")));
    text
}

#[test]
fn ours_a_site_on_a_social_host_keeps_its_pages() {
    let rows = (0..6).flat_map(|i| {
        let [a, b] = ["/a", "/b"].map(|p| format!("https://blog.tumblr.com{p}"));
        let time = 1_700_000_000 + i * 1_000;
        [format!("{time},u{i},{b},{a}"), format!("{},u{i},{a},{b}", time + 100)]
    });
    let folder = Folder::with_log(csv("time,user,target,referrer", rows));
    folder.ledger(&["-o", "visits"]);
    let urls = folder.urls(&["visits"]);
    assert_eq!(urls.keys().collect::<Vec<_>>(), ["https://blog.tumblr.com/a", "https://blog.tumblr.com/b"]);
}

#[test]
fn ours_logs_without_a_clock_keep_their_pages() {
    let walk = |time: &str| {
        let pages = ["/", "/list", "/article"];
        let step = move |i: usize, user: u32, time: &str| {
            let from = i.checked_sub(1).map_or(String::new(), |f| format!("http://x.example{}", pages[f]));
            format!("{time}u{user},http://x.example{},{from}", pages[i])
        };
        (0..60).flat_map(|user| (0..3).map(|i| step(i, user, time)).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    for (header, time, word) in
        [("user,target,referrer", "", "no time;"), ("time,user,target,referrer", "2024-05-01,", "time of day")]
    {
        let folder = Folder::with_log(csv(header, walk(time).into_iter()));
        let ran = folder.ingest(&["access.log"]);
        assert_eq!(ran.ledger().visits, 180, "{header}");
        ran.says(&[word]);
    }
    let busy = (0..150).map(|i| format!("192.0.2.1,Firefox,http://x.example/{i}"));
    let folder = Folder::with_log(csv("address,agent,target", busy));
    assert_eq!(folder.ledger(&["--set", "cleaning.scanners=false"]).visits, 150);
}

#[test]
fn ours_referrers_cut_to_their_origin_do_not_make_pages_embedded() {
    let mut lines = Vec::new();
    for reader in 0..40 {
        let address = format!("192.0.2.{}", reader + 1);
        for page in 0..5 {
            let time = MARCH + i64::from(reader) * 50 + i64::from(page) * 600;
            lines.push(get(time, &address, &format!("/page/{page}")).via("/"));
            lines.push(get(time, &address, "/site.css").via("/"));
        }
    }
    let folder = Folder::with_log(combined(&lines));
    assert_eq!(folder.ledger(&[]).visits, 200);
}

#[test]
fn ours_one_made_up_client_does_not_speak_for_a_proxy() {
    let mut log = String::new();
    for line in 0..3_000_i64 {
        let one = get(MARCH + line * 2, "10.0.0.1", &format!("/page/{}", line % 9)).via("/");
        let client = if line == 1_500 { "\"198.51.100.9\"" } else { "\"-\"" };
        writeln!(log, "{} {client}", one.combined().trim_end()).unwrap();
    }
    let folder = Folder::with_log(log);
    let ledger = folder.ledger(&["--set", "cleaning.scanners=false", "--set", "cleaning.embedded=false"]);
    assert_eq!((ledger.visits, ledger.dropped("group")), (3_000, 0));
}

#[test]
fn ours_the_scheme_does_not_depend_on_the_order_of_lines() {
    let line = |i: i64, scheme: &str, status: u16| {
        format!(
            r#"{{"ts":{},"ip":"192.0.2.{}","scheme":"{scheme}","host":"x.example","method":"GET","uri":"/","status":{status},"ua":"Firefox"}}"#,
            MARCH + i,
            i % 50 + 1
        )
    };
    let mut lines = vec![line(0, "http", 301)];
    lines.extend((1..50).map(|i| line(i, "https", 200)));
    let args = ["--log-format", "json", "--set", "cleaning.scanners=false", "-o", "visits"];
    for _ in 0..2 {
        let folder = Folder::with_log(lines.join("\n") + "\n");
        folder.ledger(&args);
        assert_eq!(folder.urls(&["visits"]).keys().collect::<Vec<_>>(), ["https://x.example/"]);
        lines.reverse();
    }
}

#[test]
fn ours_ids_of_sixty_four_bits_are_ids() {
    let line = |i: i64| format!(r#"{{"time":{},"user_id":{},"url":"https://x.example/{i}"}}"#, MARCH + i, u64::MAX - 7);
    let folder = Folder::with_log((0..10).map(|i| line(i) + "\n").collect::<String>());
    assert_eq!(folder.ledger(&["--log-format", "json"]).users, 1);
}

#[test]
fn ours_a_scratch_folder_that_fails_ends_the_run() {
    let folder = Folder::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let log = combined(&people(12));
    (0..3_000).for_each(|_| packed.write_all(log.as_bytes()).unwrap());
    folder.write("access.log.gz", packed.finish().unwrap());
    let ran = folder.try_ingest(&["access.log.gz", "--memory", "4KiB", "--scratch", "nowhere"], &[]);
    ran.failed(1).says(&["scratch"]);
}

#[test]
fn ours_nobody_costs_a_quadratic_search() {
    let start = Instant::now();
    let many_urls = (0..80_000).map(|i| format!("{MARCH},one,http://x.example/{i}x,http://x.example/"));
    let folder = Folder::with_log(csv("time,user,target,referrer", many_urls));
    folder.ledger(&[]);
    let many_sites = (0..60_000).map(|i| format!("{},one,http://s{i}.example/,", MARCH + i64::from(i)));
    let folder = Folder::with_log(csv("time,user,target,referrer", many_sites));
    assert_eq!(folder.ledger(&[]).sites, 60_000);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn ours_a_lost_key_is_not_replaced() {
    let folder = Folder::with_log(combined(&people(12)));
    folder.ledger(&["-o", "visits"]);
    std::fs::remove_file(folder.path("visits/key")).unwrap();
    folder.try_ingest(&["access.log", "-o", "visits"], &[]).failed(1).says(&["no key"]);
}

#[test]
fn ours_other_programs_files_beside_visits_are_passed_over() {
    let folder = Folder::with_log(combined(&people(12)));
    folder.ledger(&["-o", "visits"]);
    let before = folder.urls(&["visits"]);
    folder.write("visits/_SUCCESS", "");
    folder.write("visits/notes.txt", "not visits");
    assert_eq!(folder.urls(&["visits"]), before);
}

#[test]
fn ours_stored_urls_are_not_made_canonical_again() {
    let folder = Folder::with_log("time,user,target\n1700000000,u,http://x.example/a?utm_source=b\n");
    folder.ledger(&["-o", "visits", "--set", "urls.tracking=false"]);
    assert_eq!(folder.urls(&["visits"]).keys().collect::<Vec<_>>(), ["http://x.example/a?utm_source=b"]);
}

#[test]
fn ours_a_long_path_can_be_read_back() {
    let path = "/p".repeat(4_090);
    let rows = format!("time,user,target,host\n1700000000,u,{path},www.x.example\n");
    let folder = Folder::with_log(rows);
    assert_eq!(folder.ledger(&["-o", "visits"]).visits, 1);
    assert_eq!(folder.urls(&["visits"]).len(), 1);
    assert_eq!(folder.ingest(&["visits", "-o", "copy"]).ledger().visits, 1);
}

#[test]
fn ours_lines_are_the_newlines_of_a_file_of_many_chunks() {
    let mut log = String::new();
    while log.len() < 3 << 20 {
        log.push_str(&combined(&people(40)));
    }
    let lines = log.lines().count() as u64;
    let folder = Folder::with_log(log);
    for threads in ["1", "3"] {
        assert_eq!(folder.ledger(&["--threads", threads]).lines, lines);
    }
}

#[test]
fn ours_settings_that_cannot_be_are_named() {
    let folder = Folder::with_log(combined(&people(1)));
    for (setting, word) in [("caps.url_bytes=200000", "caps.url_bytes"), ("caps.ratio=0", "caps.ratio")] {
        folder.try_ingest(&["access.log", "--set", setting], &[]).failed(1).says(&[word]);
    }
}
