//! A shop that sixty people walk on, its model, and ways to ask for it.

use serde_json::Value;

use crate::generate::Dice;
use crate::lines::{DAY, Line, MARCH, combined, get};
use crate::run::{Folder, Ran, run_in};

/// Where the shop is.
pub(super) const SITE: &str = "https://www.example.org";

const ROOMS: [&str; 3] = ["lamps", "chairs", "rugs"];
const WORDS: [&str; 8] = ["oak", "steel", "round", "blue", "folding", "garden", "small", "nordic"];

/// Nine days of sixty people: start page, rooms, their further pages, products, searches.
pub(super) fn shop() -> Vec<Line> {
    let mut dice = Dice::new(17);
    let mut lines = Vec::new();
    for session in 0..240_u32 {
        let address = format!("192.0.2.{}", session % 60);
        let mut time = MARCH + dice.below(9 * DAY.cast_unsigned()).cast_signed();
        let mut from = if dice.below(3) == 0 { "https://www.google.com/".to_owned() } else { "-".to_owned() };
        for _ in 0..4 + dice.below(4) {
            let path = page(&mut dice);
            lines.push(get(time, &address, &path).from(&from));
            from = format!("{SITE}{path}");
            time += 20 + dice.below(180).cast_signed();
        }
    }
    lines.sort_by_key(|line| line.time);
    lines
}

fn page(dice: &mut Dice) -> String {
    let room = ROOMS[dice.below(3) as usize];
    match dice.below(12) {
        0 | 1 => "/".to_owned(),
        2 => "/about".to_owned(),
        3 | 4 => format!("/c/{room}"),
        5 | 6 => format!("/c/{room}?page={}&sort=price", 1 + dice.below(4)),
        7 => format!("/search?q={}", WORDS[dice.below(8) as usize]),
        _ => {
            let n = dice.below(90);
            format!("/product/{n}/{}-{}", WORDS[(n % 8) as usize], WORDS[(n / 8 % 8) as usize])
        }
    }
}

/// A folder with `access.log` and its model, `site.model`.
#[track_caller]
pub(super) fn mined(lines: &[Line]) -> Folder {
    let folder = Folder::with_log(combined(lines));
    folder.run(&["mine", "access.log", "-o", "site.model"]).ok();
    folder
}

/// Runs the binary on a screen of so many columns.
pub(super) fn on_screen(folder: &Folder, columns: &str, args: &[&str]) -> Ran {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_trodden"))
        .current_dir(folder.path(""))
        .env("COLUMNS", columns)
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs the binary with standard input.
pub(super) fn fed(folder: &Folder, args: &[&str], input: &str) -> Ran {
    run_in(&folder.path(""), args, input.as_bytes())
}

/// The first site of `patterns --format json`.
#[track_caller]
pub(super) fn site(folder: &Folder, args: &[&str]) -> Value {
    folder.run(&[&["patterns", "--format", "json"], args].concat()).ok().json()[0].take()
}

/// The patterns of a site, by rank.
#[track_caller]
pub(super) fn patterns(site: &Value) -> &[Value] {
    site["patterns"].as_array().unwrap_or_else(|| panic!("no patterns in {site}"))
}

/// A text in it.
#[track_caller]
pub(super) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("no text {name} in {value}"))
}

/// A count in it.
#[track_caller]
pub(super) fn count(value: &Value, name: &str) -> u64 {
    value[name].as_u64().unwrap_or_else(|| panic!("no count {name} in {value}"))
}

/// A number in it.
#[track_caller]
pub(super) fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("no number {name} in {value}"))
}

/// The names in an object.
#[track_caller]
pub(super) fn names(value: &Value) -> Vec<&str> {
    value.as_object().unwrap_or_else(|| panic!("no object: {value}")).keys().map(String::as_str).collect()
}

/// The run failed in words that a person can act on, and not by accident.
#[track_caller]
pub(super) fn fails(folder: &Folder, args: &[&str], words: &[&str]) {
    let ran = folder.run(args).failed(1);
    ran.says(words);
    ran.says_none_of(&["panicked", "RUST_BACKTRACE", "trodden-visits-"]);
    let last = ran.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("trodden: "), "{args:?}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{args:?}");
}
