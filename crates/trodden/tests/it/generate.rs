//! Logs of any length by a seed: people with pages and assets, bots, scanners, heavy addresses, bad lines.
//!
//! The same seed gives the same log on every machine. Lines are in the order of time, as a server writes them.

use crate::lines::{BOT, DAY, FIREFOX, Line, MARCH, csv, get, stamp};

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One site, paths only.
    Combined,
    /// Three sites, by virtual host.
    Vhost,
    /// One site, written behind a proxy, the clients in a last column.
    Proxied,
    /// Absolute URLs and referrers, nobody named.
    Anonymous,
}

/// A log in lines, each with its newline.
pub(crate) struct Log {
    /// Column names, if the format has them.
    pub(crate) header: Option<String>,
    pub(crate) lines: Vec<String>,
}

impl Log {
    /// As one text.
    pub(crate) fn text(&self) -> String {
        self.header.clone().unwrap_or_default() + &self.lines.concat()
    }
}

/// SplitMix64: small, and the same everywhere.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// Puts things into any order.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            let other = self.below(i as u64 + 1) as usize;
            things.swap(i, other);
        }
    }
}

const HOSTS: [&str; 3] = ["www.example.org", "example.net", "shop.example.com"];
const ENTRANCES: [&str; 5] =
    ["-", "-", "https://www.google.com/search?q=x", "https://t.co/a1", "https://links.example.edu/list"];

/// About `length` lines over `days` days.
pub(crate) fn log(seed: u64, length: usize, days: u64, kind: Kind) -> Log {
    let mut dice = Dice::new(seed);
    let mut lines: Vec<Line> = Vec::with_capacity(length + 200);
    while lines.len() < length {
        let start = MARCH + dice.below(days * DAY.cast_unsigned()).cast_signed();
        let host =
            if matches!(kind, Kind::Combined | Kind::Proxied) { HOSTS[0] } else { HOSTS[dice.below(3) as usize] };
        let room = length - lines.len();
        match dice.below(20) {
            0 => bot(&mut dice, &mut lines, start, host),
            1 => scanner(&mut dice, &mut lines, start, host),
            2 if room > 150 && dice.below(4) == 0 => heavy(&mut dice, &mut lines, start, host),
            3 => others(&mut dice, &mut lines, start, host),
            _ => person(&mut dice, &mut lines, start, host, length as u64),
        }
    }
    lines.truncate(length);
    lines.sort_by_key(|line| line.time);
    let mut lines: Vec<String> = lines.iter().map(|line| write(line, kind)).collect();
    for _ in 0..length / 50 {
        let at = dice.below(lines.len() as u64) as usize;
        lines[at] = if dice.below(2) == 0 { "\n".to_owned() } else { "no line of any log\n".to_owned() };
    }
    let header = (kind == Kind::Anonymous).then(|| csv("time,url,referrer,status,user_agent", &[]));
    Log { header, lines }
}

fn write(line: &Line, kind: Kind) -> String {
    match kind {
        Kind::Combined => line.combined(),
        Kind::Vhost => line.vhost(),
        Kind::Proxied => {
            let client = &line.address;
            let peer = Line { address: "192.0.2.254".to_owned(), ..line.clone() };
            format!("{} \"{client}\"\n", peer.combined().trim_end())
        }
        Kind::Anonymous => {
            let referrer = if line.referrer == "-" { "" } else { &line.referrer };
            let Line { host, target, status, agent, .. } = line;
            format!("{},https://{host}{target},{referrer},{status},\"{agent}\"\n", stamp(line.time))
        }
    }
}

/// Reads some pages; each loads a stylesheet, a logo without extension and at times a pixel.
fn person(dice: &mut Dice, lines: &mut Vec<Line>, start: i64, host: &'static str, crowd: u64) {
    let n = dice.below((crowd / 12).clamp(8, 4_000));
    let address = format!("192.0.2.{}", n % 250);
    let agent = format!("{FIREFOX} Build/{}", n / 250);
    let mut time = start;
    let mut from = ENTRANCES[dice.below(5) as usize].to_owned();
    for _ in 0..=dice.below(4) {
        let path = match dice.below(6) {
            0 => "/".to_owned(),
            1 => format!("/topic/{}", ["birds", "trees", "rivers"][dice.below(3) as usize]),
            _ => format!("/read/{}?page={}", dice.below(30), dice.below(3)),
        };
        let this = format!("https://{host}{path}");
        let ask = |target: &str, from: &str| get(time, &address, target).host(host).agent(&agent).from(from);
        let status = if dice.below(9) == 0 { 304 } else { 200 };
        lines.push(ask(&path, &from).status(status));
        lines.push(ask("/style.css", &this));
        lines.push(ask("/brand/logo", &this));
        if dice.below(2) == 0 {
            let pixel = format!("/count?n={}", dice.below(1_000));
            lines.push(get(time + 1, &address, &pixel).host(host).agent(&agent).from(&this));
        }
        from = this;
        time += 10 + dice.below(200).cast_signed();
    }
}

fn bot(dice: &mut Dice, lines: &mut Vec<Line>, start: i64, host: &'static str) {
    for n in 0..dice.below(6).cast_signed() {
        let path = format!("/read/{}?page=0", dice.below(30));
        lines.push(get(start + n, "198.51.100.9", &path).host(host).agent(BOT));
    }
}

fn scanner(dice: &mut Dice, lines: &mut Vec<Line>, start: i64, host: &'static str) {
    let address = format!("198.51.100.{}", 100 + dice.below(9));
    let errors = dice.below(2) == 0;
    for n in 0..dice.below(10).cast_signed() {
        let path = format!("/read/{}?page=1", dice.below(30));
        let line = get(start + n * 3, &address, &path).host(host);
        lines.push(line.status(if errors { 404 } else { 200 }));
    }
}

/// More in a minute than a person can.
fn heavy(dice: &mut Dice, lines: &mut Vec<Line>, start: i64, host: &'static str) {
    let address = format!("198.51.100.{}", 200 + dice.below(3));
    let minute = start - start.rem_euclid(60);
    for n in 0..90 + dice.below(40).cast_signed() {
        lines.push(get(minute + n % 60, &address, &format!("/read/{}?page=2", n % 30)).host(host));
    }
}

/// What people ask for that is no page.
fn others(dice: &mut Dice, lines: &mut Vec<Line>, start: i64, host: &'static str) {
    let address = format!("192.0.2.{}", dice.below(20));
    let line = |target: &str| get(start, &address, target).host(host);
    lines.push(match dice.below(6) {
        0 => line("/feed/"),
        1 => line("/login"),
        2 => line("/form").method("POST"),
        3 => line("/old").status(301),
        4 => line("/robots.txt"),
        _ => line("/gone").status(410),
    });
}
