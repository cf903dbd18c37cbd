//! A site of twelve pages, one of two hundred, and ways to crawl them.
//!
//! The small one, with what people read of it, first the ten visits of training, then the ten after it:
//!
//! ```text
//!          /  4 1
//!          ├── /a  2 0 ──── /a/1  2 0    /a/2  0 0    /a/3  0 1
//!          ├── /b  0 0 ──── /b/1  1 2    /b/2  0 0
//!          └── /c  1 1 ──── /c/1  0 0    /c/2  0 0    /c/3  0 5
//! ```

use std::fmt::Write as _;

use serde_json::Value;

use crate::generate::Dice;
use crate::lines::{DAY, Line, MARCH, combined, get};
use crate::run::{Folder, Ran};

pub(super) const SITE: &str = "https://www.example.org";
/// What all runs on `links.tsv` and `access.log` have in common.
const USUAL: [&str; 8] =
    ["simulate", "links.tsv", "--log", "access.log", "--site", SITE, "--start", "https://www.example.org/"];

const TREE: [(&str, &[&str]); 4] = [
    ("/", &["/a", "/b", "/c"]),
    ("/a", &["/a/1", "/a/2", "/a/3"]),
    ("/b", &["/b/1", "/b/2"]),
    ("/c", &["/c/1", "/c/2", "/c/3"]),
];
const PAST: [(&str, u32); 5] = [("/", 4), ("/a", 2), ("/a/1", 2), ("/b/1", 1), ("/c", 1)];
const FUTURE: [(&str, u32); 5] = [("/", 1), ("/a/3", 1), ("/b/1", 2), ("/c", 1), ("/c/3", 5)];

/// Its links, as an edge list.
pub(super) fn tree() -> String {
    let mut out = String::new();
    for (from, targets) in TREE {
        targets.iter().for_each(|to| writeln!(out, "{SITE}{from}\t{SITE}{to}").unwrap());
    }
    out
}

/// Twenty visits by twenty people, an hour apart: ten before noon of March 1, ten from then on.
pub(super) fn visits() -> Vec<Line> {
    let all = PAST.iter().chain(&FUTURE).flat_map(|(path, times)| std::iter::repeat_n(*path, *times as usize));
    (0_i64..).zip(all).map(|(n, path)| get(MARCH + (n + 2) * 3_600, &format!("192.0.2.{}", n + 1), path)).collect()
}

/// A folder with the small site.
pub(super) fn small() -> Folder {
    let folder = Folder::with_log(combined(&visits()));
    folder.write("links.tsv", tree());
    folder
}

/// A folder with two hundred pages in three sections, read by eighty people on ten days, and `links.tsv`.
pub(super) fn large() -> Folder {
    let folder = Folder::with_log(combined(&readers()));
    folder.write("links.tsv", sections());
    folder
}

/// Links of the larger site: a tree of three sections with further links by chance.
pub(super) fn sections() -> String {
    let mut dice = Dice::new(3);
    let mut out = String::new();
    for section in ["news", "shop", "help"] {
        writeln!(out, "{SITE}/\t{SITE}/{section}").unwrap();
        for n in 0..66 {
            let from = if n < 6 { format!("/{section}") } else { format!("/{section}/{}", (n - 6) / 5) };
            writeln!(out, "{SITE}{from}\t{SITE}/{section}/{n}").unwrap();
            writeln!(out, "{SITE}/{section}/{n}\t{SITE}/news/{}", dice.below(66)).unwrap();
        }
    }
    out
}

/// Its readers, who like `/help` and low numbers.
pub(super) fn readers() -> Vec<Line> {
    let mut dice = Dice::new(5);
    let mut lines = Vec::new();
    for session in 0..240_u32 {
        let address = format!("192.0.2.{}", session % 80);
        let mut time = MARCH + dice.below(10 * DAY.cast_unsigned()).cast_signed();
        let mut from = if dice.below(3) == 0 { "https://www.google.com/".to_owned() } else { "-".to_owned() };
        for _ in 0..3 + dice.below(4) {
            let section = ["help", "help", "help", "news", "shop"][dice.below(5) as usize];
            let limit = 1 + dice.below(66);
            let path = match dice.below(8) {
                0 => "/".to_owned(),
                1 => format!("/{section}"),
                _ => format!("/{section}/{}", dice.below(limit)),
            };
            lines.push(get(time, &address, &path).from(&from));
            from = format!("{SITE}{path}");
            time += 20 + dice.below(180).cast_signed();
        }
    }
    lines.sort_by_key(|line| line.time);
    lines
}

/// Crawls `links.tsv`, judged by `access.log`.
pub(super) fn simulate(folder: &Folder, args: &[&str]) -> Ran {
    folder.run(&[&USUAL[..], args].concat())
}

/// The same, told in JSON.
#[track_caller]
pub(super) fn told(folder: &Folder, args: &[&str]) -> Value {
    simulate(folder, &[&["--format", "json"], args].concat()).ok().json()
}

/// One policy of a result.
#[track_caller]
pub(super) fn policy<'v>(result: &'v Value, name: &str) -> &'v Value {
    let all = result["policies"].as_array().unwrap();
    all.iter()
        .find(|policy| policy["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {}", names(result).join(" ")))
}

/// The names of the policies that ran.
pub(super) fn names(result: &Value) -> Vec<&str> {
    result["policies"].as_array().unwrap().iter().map(|policy| policy["name"].as_str().unwrap()).collect()
}

/// Why a policy did not run.
#[track_caller]
pub(super) fn left_out<'v>(result: &'v Value, name: &str) -> &'v str {
    let all = result["left_out"].as_array().unwrap();
    let left = all.iter().find(|left| left["name"] == name).unwrap_or_else(|| panic!("{name} ran: {all:?}"));
    left["why"].as_str().unwrap()
}

/// A number that must be close.
#[track_caller]
pub(super) fn close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap_or_else(|| panic!("{value} is not {expected}"));
    assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
}

/// Pages of twelve for half, four fifths and nine tenths.
#[track_caller]
pub(super) fn pages_for(value: &Value, of_twelve: [f64; 3]) {
    for (name, pages) in ["50", "80", "90"].into_iter().zip(of_twelve) {
        close(&value[name], pages / 12.0);
    }
}
