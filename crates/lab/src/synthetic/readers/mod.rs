//! Who reads what, when, and coming from where? The model is described at the top of `synthetic`.

mod entry;
mod taste;
mod walk;

use rayon::prelude::*;

use self::entry::Doors;
use self::taste::Taste;
use self::walk::Reading;
use super::Site;
use super::time::{DAY, Moment};
use super::topics::{MadeTopic, TOPICS};
use crate::chance::Chance;
use crate::graph::PageId;

/// The number of a reader.
pub type ReaderId = u32;

/// Someone read a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeVisit {
    /// When they asked for it.
    pub at: Moment,
    /// Who.
    pub reader: ReaderId,
    /// What.
    pub page: PageId,
    /// How they got there.
    pub from: Came,
}

/// How a reader got to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Came {
    /// By a link on a page that they had loaded at a time.
    Page {
        /// The page.
        page: PageId,
        /// When they loaded it.
        loaded: Moment,
    },
    /// From a search engine.
    Search,
    /// From a social network.
    Social,
    /// From the newsletter.
    Newsletter,
    /// Typed, or from a bookmark.
    Typed,
}

/// Readers at scale 1.
const READERS: f64 = 9_000.0;
/// The most sessions of one reader in sixty days.
const MOST_SESSIONS: f64 = 80.0;
/// Share of readers who have known the site all along; the others come upon it some day.
const KNEW_IT: f64 = 0.45;
/// A new session begins after so many seconds at least.
const PAUSE: i64 = 1_800;
/// Chance's streams for readers lie beyond those of sections.
const STREAMS: u64 = 1 << 32;

/// All visits of all readers, in order of time. Each reader has chance of their own, so threads do not matter.
pub(super) fn all_visits(site: &Site) -> Vec<MadeVisit> {
    let seed = site.settings().seed;
    let doors = Doors::of(site);
    let mut popular: Vec<MadeTopic> = MadeTopic::all().collect();
    Chance::stream(seed, STREAMS - 1).shuffle(&mut popular);
    let mut popularity = [0.0; TOPICS];
    (1..).zip(&popular).for_each(|(rank, topic)| popularity[topic.index()] = 1.0 / f64::from(rank));
    let readers = ((READERS * site.settings().scale + 0.5) as u32).max(1);
    let by_reader: Vec<Vec<MadeVisit>> =
        (0..readers).into_par_iter().map(|reader| visits_of(site, &doors, &popularity, reader)).collect();
    let mut visits = by_reader.concat();
    visits.sort_by_key(|visit| (visit.at, visit.reader));
    visits
}

fn visits_of(site: &Site, doors: &Doors, popularity: &[f64; TOPICS], reader: ReaderId) -> Vec<MadeVisit> {
    let mut chance = Chance::stream(site.settings().seed, STREAMS + u64::from(reader));
    let taste = Taste::draw(popularity, &mut chance);
    let joined =
        if chance.happens(KNEW_IT) { site.start() } else { Moment::between(site.start(), site.end(), &mut chance) };
    let share = (site.end() - joined) as f64 / (60 * DAY) as f64;
    let sessions = (chance.heavy(MOST_SESSIONS) * share + 0.5) as usize;
    let mut starts: Vec<Moment> =
        (0..sessions.max(1)).map(|_| Moment::between(joined, site.end(), &mut chance)).collect();
    starts.sort_unstable();
    let mut reading = Reading::new(site, reader, taste);
    for start in starts {
        if reading.last_visit().is_none_or(|last| start - last >= PAUSE) {
            let (page, from) = doors.enter(site, start, &reading, &mut chance);
            reading.session(start, page, from, &mut chance);
        }
    }
    reading.visits
}
