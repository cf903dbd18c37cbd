//! What to read where no real log is at hand, or where a log must be small and known?
//!
//! A small shop, made up: people come from a search engine or nowhere, walk from page to page, and load pictures;
//! some robots and some errors are among them. It has the shape of a log, not the surprises of one, so numbers
//! measured on it are named as such.

use std::io::Write;

use crate::random::Random;

const AGENTS: [&str; 4] = [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:64.0) Gecko/20100101 Firefox/64.0",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/71.0.3578.98 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 12_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    "ExampleBot/1.0 (+https://bot.example/)",
];

/// A combined log of so many lines and at most so many people, at one line a second.
pub(crate) fn log(random: &mut Random, lines: usize, people: usize) -> Vec<u8> {
    let mut last: Vec<Option<String>> = vec![None; people];
    let mut text = Vec::new();
    for number in 0..lines {
        let person = random.skewed(people);
        let path = path(random);
        let referrer = match &last[person] {
            Some(page) => format!("https://www.zanbil.ir{page}"),
            None if random.one_in(2) => "https://www.google.com/".to_owned(),
            None => "-".to_owned(),
        };
        let status = if random.one_in(20) { 404 } else { 200 };
        let bytes = 200 + random.below(30_000);
        let (a, b) = (person / 256, person % 256);
        let (hour, minute, second) = (number / 3600 % 24, number / 60 % 60, number % 60);
        let agent = AGENTS[person % AGENTS.len()];
        let time = format!("26/Jan/2019:{hour:02}:{minute:02}:{second:02} +0330");
        let line =
            format!("10.0.{a}.{b} - - [{time}] \"GET {path} HTTP/1.1\" {status} {bytes} \"{referrer}\" \"{agent}\"");
        writeln!(text, "{line}").expect("a vector takes every byte");
        if status == 200 && !path.starts_with("/image/") {
            last[person] = Some(path);
        }
    }
    text
}

fn path(random: &mut Random) -> String {
    match random.below(10) {
        0 => "/".to_owned(),
        1..=3 => format!("/product/{}", random.skewed(5_000)),
        4 => format!("/browse/category-{}?page={}", random.skewed(40), random.skewed(20)),
        5 => format!("/article/{}/title-of-the-article", random.skewed(500)),
        _ => format!("/image/{}.jpg", random.skewed(5_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_fixes_the_log() {
        let of = |seed| log(&mut Random::new(seed), 100, 10);
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        assert_eq!(of(1).iter().filter(|byte| **byte == b'\n').count(), 100);
    }
}
