//! Is `--memory` held? The system says how much a run took at its height.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::lines::{FIREFOX, MARCH, combined, get};
use crate::run::{Folder, Ran};

const MB: u64 = 1_000_000;

/// Runs the binary, with two threads; also the most memory that it had, in bytes. Pages of the program's own file do not count: an
/// unoptimized one has several times as many.
fn measured(folder: &Folder, args: &[&str]) -> (Ran, u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_trodden"))
        .current_dir(folder.path(""))
        .env("XDG_CONFIG_HOME", folder.path(".config"))
        .args(args)
        .args(["--threads", "2"])
        .stdin(Stdio::null())
        .stdout(fs::File::create(folder.path("stdout")).unwrap())
        .stderr(fs::File::create(folder.path("stderr")).unwrap())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let ended = loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        if let Some(line) = text.lines().find_map(|line| line.strip_prefix("RssAnon:")) {
            let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().unwrap();
            peak = peak.max(kilobytes * 1024);
        }
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let said = |name| fs::read_to_string(folder.path(name)).unwrap();
    (Ran { code: ended.code(), stdout: said("stdout"), stderr: said("stderr") }, peak)
}

/// The same, held to a bound that is given as well.
#[track_caller]
fn held(folder: &Folder, args: &[&str], megabytes: u64) -> Ran {
    let memory = format!("{megabytes}MB");
    let (ran, peak) = measured(folder, &[args, &["--memory", &memory]].concat());
    assert!(peak <= megabytes * MB, "{args:?} took {} of {megabytes} MB\n{}", peak / MB, ran.stderr);
    ran
}

/// The memory that a refusal says is enough.
#[track_caller]
fn told(ran: &Ran) -> u64 {
    let words = ran.stderr.split("--memory ").nth(1).unwrap_or_else(|| panic!("{}", ran.stderr));
    words.split("MB").next().unwrap().parse().unwrap()
}

/// A log in which each line is of another URL of one site; every five lines are of another user.
fn of_urls(urls: i64, path: impl Fn(i64) -> String) -> Folder {
    let line = |n: i64| {
        let user = n / 5;
        let address = format!("10.{}.{}.{}", user >> 16, user >> 8 & 255, user & 255);
        get(MARCH + n, &address, &path(n)).agent(FIREFOX)
    };
    Folder::with_log(combined(&(0..urls).map(line).collect::<Vec<_>>()))
}

const SITE: [&str; 2] = ["--site", "https://www.example.org"];

#[test]
fn ours_a_site_that_does_not_fit_is_left_out_with_the_memory_that_it_takes() {
    let plain = |n: i64| format!("/item/{n}/page-{n}.html");
    // Every part of every URL is new.
    let rich = |n: i64| format!("/a{n}x/b{n}-c/d{n}?e={n}&f{}=g{n}", n % 9_999);
    for (folder, urls) in [(of_urls(120_000, plain), 120_000), (of_urls(60_000, rich), 60_000)] {
        folder.ingest(&["access.log", "-o", "visits", SITE[0], SITE[1]]);
        let ran = held(&folder, &["mine", "visits", "-o", "site.model"], 64).failed(1);
        ran.says(&["1 left out: too many different URLs for the memory: the site has about", "no site could be mined"]);
        let about: u64 = ran
            .stderr
            .split("has about ")
            .nth(1)
            .unwrap()
            .split(", and")
            .next()
            .unwrap()
            .replace(',', "")
            .parse()
            .unwrap();
        assert!(about.abs_diff(urls) * 20 < urls, "{}", ran.stderr);
        assert!(!folder.path("site.model").exists());
        let told = told(&ran);
        assert!(told < 200, "{}", ran.stderr);
        held(&folder, &["mine", "visits", "-o", "site.model"], told).ok();
        // Lists need less than mining does, and the same bound holds.
        folder.run(&["urls", "visits", "--memory", "36MB"]).failed(1).says(&["give --memory"]);
    }
}

#[test]
fn ours_small_sites_share_the_memory() {
    let mut log = String::new();
    for n in 0..60_000 {
        let (site, user) = (n % 2_000, n / 2_000 % 10);
        let line = get(MARCH + n, &format!("10.0.{}.{user}", site % 200), &format!("/page/{}", n / 7)).agent(FIREFOX);
        write!(log, "s{site}.example.org:443 {}", line.combined()).unwrap();
    }
    let folder = Folder::with_log(log);
    folder.ingest(&["access.log", "-o", "visits"]);
    folder.run(&["mine", "visits", "-o", "large.model"]).ok();
    held(&folder, &["mine", "visits", "-o", "small.model"], 64).ok();
    assert!(fs::read(folder.path("large.model")).unwrap() == fs::read(folder.path("small.model")).unwrap());
}

#[test]
fn ours_known_urls_that_do_not_fit_are_refused_with_the_memory_that_they_take() {
    let folder = of_urls(1_000, |n| format!("/item/{n}"));
    let list: String = (0..100_000).map(|n| format!("https://www.example.org/item/{n}/page-{n}.html\n")).collect();
    folder.write("known.txt", list);
    let args = [&["mine", "access.log", "--urls", "known.txt"], &SITE[..]].concat();
    let ran = held(&folder, &args, 64).failed(1);
    ran.says(&["--urls names 100,000 URLs", "give --memory"]);
    held(&folder, &args, told(&ran)).ok().says(&["100,000 known URLs are of sites that somebody visited"]);
}

#[test]
fn ours_taking_in_a_log_stays_within_the_memory() {
    let folder = of_urls(200_000, |n| format!("/item/{n}/page-{n}.html?of={}", n / 3));
    let ran = held(&folder, &["ingest", "access.log", "-o", "visits", SITE[0], SITE[1]], 64).ok();
    ran.says(&["sorted runs went through scratch files"]);
}

#[test]
fn ours_more_hosts_than_fit_are_refused_with_the_memory_that_is_enough() {
    let log = |hosts: i64| -> String {
        let address = |user: i64| format!("10.0.{}.{}", user >> 8 & 255, user & 255);
        let line = |n: i64| get(MARCH + n, &address(n / 5), "/").agent(FIREFOX);
        (0..hosts).map(|n| format!("h{n}.example.org:443 {}", line(n).combined())).collect()
    };
    let folder = Folder::with_log(log(15_000));
    held(&folder, &["ingest", "access.log", "-o", "visits"], 64).ok();
    folder.write("access.log", log(60_000));
    let ran = held(&folder, &["ingest", "access.log", "-o", "more"], 64).failed(1);
    ran.says(&["different hosts, which do not fit in the memory", "enough for any number of hosts"]);
    held(&folder, &["ingest", "access.log", "-o", "more2"], told(&ran)).ok();
}
