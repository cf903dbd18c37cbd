//! Log lines, as servers write them.

use std::fmt::Write as _;

/// A browser of a person.
pub(crate) const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
/// A bot that says so.
pub(crate) const BOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
/// 1 March 2024, 00:00:00 UTC, in seconds since 1970.
pub(crate) const MARCH: i64 = 1_709_251_200;
/// Seconds of a day.
pub(crate) const DAY: i64 = 86_400;

/// One request, written by [`Line::combined`] and its kin. Made by [`get`], changed by what differs.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) time: i64,
    pub(crate) address: String,
    pub(crate) host: &'static str,
    pub(crate) method: &'static str,
    pub(crate) target: String,
    pub(crate) status: u16,
    pub(crate) referrer: String,
    pub(crate) agent: String,
}

/// `GET target`, answered 200, by a person's browser, from nowhere.
pub(crate) fn get(time: i64, address: &str, target: &str) -> Line {
    Line {
        time,
        address: address.to_owned(),
        host: "www.example.org",
        method: "GET",
        target: target.to_owned(),
        status: 200,
        referrer: "-".to_owned(),
        agent: FIREFOX.to_owned(),
    }
}

impl Line {
    pub(crate) fn from(mut self, referrer: &str) -> Self {
        referrer.clone_into(&mut self.referrer);
        self
    }

    /// From a page of www.example.org.
    pub(crate) fn via(self, path: &str) -> Self {
        self.from(&format!("https://www.example.org{path}"))
    }

    pub(crate) fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    pub(crate) fn method(mut self, method: &'static str) -> Self {
        self.method = method;
        self
    }

    pub(crate) fn agent(mut self, agent: &str) -> Self {
        agent.clone_into(&mut self.agent);
        self
    }

    pub(crate) fn host(mut self, host: &'static str) -> Self {
        self.host = host;
        self
    }

    /// As Apache and nginx write it by default.
    pub(crate) fn combined(&self) -> String {
        let Self { address, method, target, status, referrer, agent, .. } = self;
        let time = stamp(self.time);
        format!("{address} - - [{time}] \"{method} {target} HTTP/1.1\" {status} 512 \"{referrer}\" \"{agent}\"\n")
    }

    /// The same with the virtual host before it.
    pub(crate) fn vhost(&self) -> String {
        format!("{}:443 {}", self.host, self.combined())
    }
}

/// A combined log.
pub(crate) fn combined(lines: &[Line]) -> String {
    lines.iter().map(Line::combined).collect()
}

/// A log with virtual hosts.
pub(crate) fn vhost(lines: &[Line]) -> String {
    lines.iter().map(Line::vhost).collect()
}

/// A page, and the stylesheet that it loads: what a person's browser does.
pub(crate) fn page(time: i64, address: &str, target: &str, referrer: &str) -> [Line; 2] {
    let view = get(time, address, target).from(referrer);
    let style = get(time, address, "/style.css").via(target);
    [view, style]
}

/// `people` readers of `/` and `/read/N`, with assets, a minute apart: a site on which most users load assets.
pub(crate) fn people(people: u32) -> Vec<Line> {
    let mut lines = Vec::new();
    for n in 0..people {
        let (time, address) = (MARCH + i64::from(n) * 60, format!("192.0.2.{}", n % 250));
        lines.extend(page(time, &address, "/", "-"));
        lines.extend(page(time + 20, &address, &format!("/read/{}", n % 7), "https://www.example.org/"));
    }
    lines
}

/// `01/Mar/2024:00:00:00 +0000`, for times in March to June 2024.
pub(crate) fn stamp(time: i64) -> String {
    let (day, second) = ((time - MARCH).div_euclid(DAY), (time - MARCH).rem_euclid(DAY));
    let (month, date) = match day {
        0..31 => ("Mar", day),
        31..61 => ("Apr", day - 31),
        61..92 => ("May", day - 61),
        92..122 => ("Jun", day - 92),
        _ => panic!("only March to June 2024"),
    };
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{:02}/{month}/2024:{hour:02}:{minute:02}:{:02} +0000", date + 1, second % 60)
}

/// A CSV of visits with a header.
pub(crate) fn csv(header: &str, rows: &[String]) -> String {
    let mut out = format!("{header}\n");
    rows.iter().for_each(|row| writeln!(out, "{row}").unwrap());
    out
}
