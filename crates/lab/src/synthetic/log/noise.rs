//! What is in a log that is nobody's reading?

use super::request::{Ask, Client, Referrer, Request};
use crate::chance::Chance;
use crate::graph::PageId;
use crate::synthetic::Site;
use crate::synthetic::page::Section;
use crate::synthetic::readers::Came;
use crate::synthetic::time::{DAY, Moment};

/// How much of it there is; most numbers are relative to the number of visits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Share of visits that load what is on the page.
    pub assets: f64,
    /// Requests by bots that say so, for each visit.
    pub bots: f64,
    /// Requests by programs that call themselves browsers, for each visit.
    pub scrapers: f64,
    /// Requests for holes that are not there, for each visit.
    pub scanners: f64,
    /// Share of visits from social networks and newsletters that come through a short link.
    pub redirects: f64,
    /// Share of visits to the forum and the shop that send a form.
    pub forms: f64,
    /// Broken links, for each visit.
    pub missing: f64,
    /// The operator's checks, with HEAD, a day.
    pub checks_a_day: u32,
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            assets: 0.98,
            bots: 0.25,
            scrapers: 0.03,
            scanners: 0.03,
            redirects: 0.3,
            forms: 0.02,
            missing: 0.005,
            checks_a_day: 24,
        }
    }
}

impl Noise {
    /// None at all: one line a visit.
    pub const NONE: Self = Self {
        assets: 0.0,
        bots: 0.0,
        scrapers: 0.0,
        scanners: 0.0,
        redirects: 0.0,
        forms: 0.0,
        missing: 0.0,
        checks_a_day: 0,
    };
}

const BOTS: usize = 4;
const SCRAPERS: usize = 3;
const SCANNERS: usize = 6;
/// Things that scanners ask for, and how many they ask for in a row.
pub(super) const HOLES: [&str; 12] = [
    "/wp-login.php",
    "/.env",
    "/xmlrpc.php",
    "/phpmyadmin/index.php",
    "/.git/config",
    "/backup.zip",
    "/config.php.bak",
    "/cgi-bin/test.cgi",
    "/wp-content/plugins/readme.txt",
    "/shell.php",
    "/vendor/phpunit/eval.php",
    "/old/admin.php",
];

/// Adds all of it, in no order.
pub(super) fn add(site: &Site, chance: &mut Chance, requests: &mut Vec<Request>) {
    let noise = &site.settings().noise;
    let visits = site.visits();
    let count = |rate: f64| (visits.len() as f64 * rate) as usize;
    let second = |chance: &mut Chance| {
        let seconds = usize::try_from(site.end() - site.start()).unwrap_or(0);
        site.start() + chance.below(seconds) as i64
    };
    let request = |at, client, ask| Request { at, client, ask, from: Referrer::None };

    for _ in 0..count(noise.bots) {
        let (at, bot) = (second(chance), Client::Bot(chance.below(BOTS) as u8));
        let ask = if chance.happens(0.01) { Some(Ask::Robots) } else { some_page(site, at, chance).map(Ask::Page) };
        requests.extend(ask.map(|ask| request(at, bot, ask)));
    }
    let mut left = count(noise.scrapers);
    while left > 0 {
        // A run through the site, a page every other second.
        let run = left.min(40);
        let (start, scraper) = (second(chance), Client::Scraper(chance.below(SCRAPERS) as u8));
        for step in 0..run as i64 {
            let at = start + 2 * step;
            let page = some_page(site, start, chance).filter(|_| at < site.end());
            requests.extend(page.map(|page| request(at, scraper, Ask::Page(page))));
        }
        left -= run;
    }
    let mut left = count(noise.scanners);
    while left > 0 {
        let run = left.min(HOLES.len());
        let (start, scanner) = (second(chance), Client::Scanner(chance.below(SCANNERS) as u8));
        let holes = (0..run as u8).map(|hole| request(start + i64::from(hole / 2), scanner, Ask::Hole(hole)));
        requests.extend(holes.filter(|request| request.at < site.end()));
        left -= run;
    }
    for visit in visits {
        let client = Client::Reader(visit.reader);
        let has_form = matches!(site.page(visit.page).section, Section::Forum | Section::Shop);
        if has_form && chance.happens(noise.forms) {
            let at = visit.at + 2 + chance.below(20) as i64;
            requests.push(Request { at, client, ask: Ask::Form(visit.page), from: Referrer::Page(visit.page) });
        }
        if chance.happens(noise.missing) {
            let at = visit.at + 1 + chance.below(20) as i64;
            let from = if visit.from == Came::Search { Referrer::Search } else { Referrer::Page(visit.page) };
            requests.push(Request { at, client, ask: Ask::Missing(chance.below(100_000) as u32), from });
        }
    }
    if let Some(every) = DAY.checked_div(noise.checks_a_day.into()) {
        let mut at = site.start() + 7;
        while at < site.end() {
            requests.push(request(at, Client::Monitor, Ask::Check));
            at = at + every.max(1);
        }
    }
}

/// Any page born by then; none if a few draws find none.
fn some_page(site: &Site, time: Moment, chance: &mut Chance) -> Option<PageId> {
    let count = site.pages().len();
    (0..20).map(|_| chance.below(count) as PageId).find(|&page| site.page(page).born <= time)
}
