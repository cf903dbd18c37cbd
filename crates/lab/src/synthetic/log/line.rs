//! How is a request written down? As the combined log format has it:
//!
//! `address - - [day/month/year:time +0000] "method path HTTP/1.1" status bytes "referrer" "agent"`
//!
//! Readers are in 10.0.0.0/8, programs in the ranges kept for documentation.

use std::io::{self, Write};

use super::noise::HOLES;
use super::request::{Ask, Client, Referrer, Request};
use crate::chance::mix;
use crate::synthetic::Site;
use crate::synthetic::html::image_path;
use crate::synthetic::time::{DAY, Date};

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// What browsers call themselves; the number is a version.
const BROWSERS: [(&str, &str); 8] = [
    (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/",
        ".0.0.0 Safari/537.36",
    ),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:109.0) Gecko/20100101 Firefox/", ".0"),
    (
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.",
        " Safari/605.1.15",
    ),
    (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.",
        " Mobile/15E148 Safari/604.1",
    ),
    (
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/",
        ".0.0.0 Mobile Safari/537.36",
    ),
    ("Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/", ".0"),
    (
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/",
        ".0.0.0 Safari/537.36",
    ),
    (
        "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.",
        " Mobile/15E148 Safari/604.1",
    ),
];
const BOTS: [&str; 4] = [
    "Mozilla/5.0 (compatible; Samplebot/2.1; +http://samplebot.test/about)",
    "Mozilla/5.0 (compatible; LedgerBot/1.4; +http://ledger.test/bot.html)",
    "examplecrawler/0.9 (+http://crawler.test/)",
    "TinySpider/3.0 (research; +http://spider.test/)",
];
const STATIC: [&str; 4] = ["/static/site.css", "/static/site.js", "/static/logo.svg", "/favicon.ico"];

/// Writes requests as lines.
pub(super) struct Lines<'a> {
    site: &'a Site,
    line: Vec<u8>,
    /// The last day written, and how.
    day: (i64, String),
}

impl<'a> Lines<'a> {
    pub(super) fn new(site: &'a Site) -> Self {
        Self { site, line: Vec::with_capacity(512), day: (i64::MIN, String::new()) }
    }

    /// Writes a line; returns its bytes.
    pub(super) fn write(&mut self, request: &Request, out: &mut impl Write) -> io::Result<u64> {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        self.put(request, &mut line)?;
        out.write_all(&line)?;
        self.line = line;
        Ok(self.line.len() as u64)
    }

    fn put(&mut self, request: &Request, line: &mut Vec<u8>) -> io::Result<()> {
        let second = request.at.unix().rem_euclid(DAY);
        if self.day.0 != request.at.day() {
            let Date { year, month, day } = request.at.date();
            self.day = (request.at.day(), format!("{day:02}/{}/{year}", MONTHS[month - 1]));
        }
        self.address(request.client, line)?;
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        write!(line, " - - [{}:{hour:02}:{minute:02}:{second:02} +0000] \"", self.day.1)?;
        let (status, bytes) = self.ask(request.ask, line)?;
        write!(line, " HTTP/1.1\" {status} {bytes} \"")?;
        match request.from {
            Referrer::None => line.push(b'-'),
            Referrer::Page(page) => {
                write!(line, "http://{}{}", self.site.settings().host, self.site.page(page).path)?;
            }
            Referrer::Search => line.extend_from_slice(b"https://www.search.test/"),
            Referrer::Social => line.extend_from_slice(b"https://social.test/"),
            Referrer::Mail => line.extend_from_slice(b"https://mail.test/"),
        }
        line.extend_from_slice(b"\" \"");
        self.agent(request.client, line)?;
        line.extend_from_slice(b"\"\n");
        Ok(())
    }

    /// Method and path; returns status and bytes.
    fn ask(&self, ask: Ask, line: &mut Vec<u8>) -> io::Result<(u16, u64)> {
        let size = |of: u64, from: u64, span: u64| from + mix(self.site.settings().seed ^ mix(of)) % span;
        Ok(match ask {
            Ask::Page(page) => {
                write!(line, "GET {}", self.site.page(page).path)?;
                (200, size(page.into(), 2_000, 3_000))
            }
            Ask::ShortLink(page) => {
                write!(line, "GET /s/{page:05x}")?;
                (301, 178)
            }
            Ask::Static(file) => {
                write!(line, "GET {}", STATIC[file as usize % STATIC.len()])?;
                (200, size(u64::from(file) << 40, 1_000, 30_000))
            }
            Ask::Image(page, image) => {
                write!(line, "GET {}", image_path(page, image.into()))?;
                (200, size(u64::from(page) << 8 | u64::from(image), 8_000, 90_000))
            }
            Ask::Form(page) => {
                let to = if self.site.page(page).path.starts_with("/shop") { "/shop/cart" } else { "/forum/reply" };
                write!(line, "POST {to}")?;
                (302, 0)
            }
            Ask::Missing(number) => {
                write!(line, "GET /missing/{number}")?;
                (404, 512)
            }
            Ask::Hole(hole) => {
                write!(line, "GET {}", HOLES[hole as usize % HOLES.len()])?;
                (404, 512)
            }
            Ask::Robots => {
                line.extend_from_slice(b"GET /robots.txt");
                (200, 64)
            }
            Ask::Check => {
                line.extend_from_slice(b"HEAD /");
                (200, 0)
            }
        })
    }

    fn address(&self, client: Client, line: &mut Vec<u8>) -> io::Result<()> {
        match client {
            Client::Reader(reader) => {
                // Every twentieth reader shares the address of the next one. An odd factor permutes 24 bits.
                let owner = if reader.is_multiple_of(20) { reader + 1 } else { reader };
                let host = owner.wrapping_mul(0x9e_3779).wrapping_add(self.site.settings().seed as u32) & 0xff_ffff;
                write!(line, "10.{}.{}.{}", host >> 16, host >> 8 & 0xff, host & 0xff)
            }
            Client::Bot(bot) => write!(line, "192.0.2.{}", 10 + bot),
            Client::Scraper(scraper) => write!(line, "198.51.100.{}", 20 + scraper),
            Client::Scanner(scanner) => write!(line, "203.0.113.{}", 30 + scanner),
            Client::Monitor => write!(line, "192.0.2.200"),
        }
    }

    fn agent(&self, client: Client, line: &mut Vec<u8>) -> io::Result<()> {
        let browser = |of: u64, line: &mut Vec<u8>| {
            let draw = mix(self.site.settings().seed ^ mix(of | 1 << 50));
            let (before, after) = BROWSERS[(draw % 8) as usize];
            let version = if before.ends_with('.') { 1 + draw / 8 % 5 } else { 115 + draw / 8 % 9 };
            write!(line, "{before}{version}{after}")
        };
        match client {
            Client::Reader(reader) => browser(reader.into(), line),
            Client::Scraper(scraper) => browser(1 << 40 | u64::from(scraper), line),
            Client::Bot(bot) => line.write_all(BOTS[bot as usize % BOTS.len()].as_bytes()),
            Client::Scanner(_) => line.write_all(b"Mozilla/5.0 (probe)"),
            Client::Monitor => line.write_all(b"StatusCheck/1.0 (+http://status.test/)"),
        }
    }
}
