//! What would the server have written? The visits as lines of a log in the combined format, with what logs have
//! besides. Bytes of answers are made up.
//!
//! Every request is drawn first (`noise` for those that are nobody's reading), sorted by time, then written (`line`).
//! People load styles, scripts and logo with the first page of a session and the pictures of every page they had not
//! loaded before, a second or so after the page, which is the referrer.

mod line;
mod noise;
mod request;

use std::io::{self, Write};

use self::line::Lines;
pub use self::noise::Noise;
use self::request::{Ask, Client, Referrer, Request, STATIC_FILES};
use super::Site;
use super::readers::{Came, MadeVisit};
use super::time::Moment;
use crate::chance::Chance;
use rustc_hash::{FxHashMap, FxHashSet};

/// Chance's stream for the log; sections, readers and texts have others.
const STREAM: u64 = 1 << 48;
/// Without a request for so many seconds, a browser asks for styles and scripts again.
const PAUSE: i64 = 1_800;

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogTally {
    /// All lines.
    pub lines: u64,
    /// Pages that people read.
    pub visits: u64,
    /// What these pages loaded.
    pub assets: u64,
    /// Everything else.
    pub noise: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Site {
    /// Writes the log, in order of time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_log(&self, out: &mut impl Write) -> io::Result<LogTally> {
        let mut chance = Chance::stream(self.settings().seed, STREAM);
        let mut tally = LogTally { visits: self.visits().len() as u64, ..LogTally::default() };
        let mut requests = self.requests_of_readers(&mut chance);
        tally.assets = requests.iter().filter(|request| request.ask.is_asset()).count() as u64;
        noise::add(self, &mut chance, &mut requests);
        // Stable: a redirect stays before the page it leads to, and a page before its pictures.
        requests.sort_by_key(|request| request.at);
        let mut lines = Lines::new(self);
        for request in &requests {
            tally.bytes += lines.write(request, out)?;
        }
        out.flush()?;
        tally.lines = requests.len() as u64;
        tally.noise = tally.lines - tally.visits - tally.assets;
        Ok(tally)
    }

    /// The visits, and what browsers ask for by themselves.
    fn requests_of_readers(&self, chance: &mut Chance) -> Vec<Request> {
        let noise = &self.settings().noise;
        let mut requests = Vec::with_capacity(self.visits().len() * 4);
        // By reader: the last visit. By reader and page: whether its pictures were loaded.
        let mut last: FxHashMap<u32, Moment> = FxHashMap::default();
        let mut loaded: FxHashSet<(u32, u32)> = FxHashSet::default();
        for visit in self.visits() {
            let client = Client::Reader(visit.reader);
            let from = referrer(visit);
            let request = |at: Moment, ask: Ask, from: Referrer| Request { at, client, ask, from };
            let shared = matches!(visit.from, Came::Social | Came::Newsletter);
            if shared && chance.happens(noise.redirects) {
                requests.push(request(visit.at, Ask::ShortLink(visit.page), from));
            }
            requests.push(request(visit.at, Ask::Page(visit.page), from));
            let idle = last.insert(visit.reader, visit.at).is_none_or(|last| visit.at - last > PAUSE);
            let new = loaded.insert((visit.reader, visit.page));
            if chance.happens(noise.assets) {
                let page = Referrer::Page(visit.page);
                if idle {
                    let files =
                        (0..STATIC_FILES).map(|file| request(visit.at + i64::from(file / 3), Ask::Static(file), page));
                    requests.extend(files);
                }
                if new {
                    let images = (0..self.images(visit.page)).map(|image| {
                        request(visit.at + chance.below(3) as i64, Ask::Image(visit.page, image as u8), page)
                    });
                    requests.extend(images);
                }
            }
        }
        requests
    }
}

fn referrer(visit: &MadeVisit) -> Referrer {
    match visit.from {
        Came::Page { page, .. } => Referrer::Page(page),
        Came::Search => Referrer::Search,
        Came::Social => Referrer::Social,
        Came::Newsletter => Referrer::Mail,
        Came::Typed => Referrer::None,
    }
}
