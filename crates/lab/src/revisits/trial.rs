//! How does one schedule do under one budget?

use trodden_ordering::chance;
use trodden_ordering::revisit::{FixedInterval, Perishable, Schedule, in_proportion};

use super::knowledge::ChangeKnowledge;
use super::lanes::IntervalLanes;
use super::lives::PageLives;
use super::meter::{Copy, Times};

/// Days between two computations of all rates.
const RECOMPUTED_DAYS: f64 = 7.0;
/// Draws where in its first interval a page is.
const PHASES_SEED: u64 = 11;

/// How rates are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    /// By a schedule, from what it saw itself.
    Learnt(Schedule),
    /// By the best schedule, from the true mean rates.
    Oracle,
}

impl Contender {
    /// As shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Learnt(schedule) => schedule.name(),
            Self::Oracle => "oracle",
        }
    }

    /// Whether it needs estimates of change rates.
    fn estimates(self) -> bool {
        use Schedule::{Azar, Change, FixedInterval, LambdaCrawl};
        matches!(self, Self::Learnt(Change | Azar | LambdaCrawl | FixedInterval))
    }
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Trial {
    /// By page.
    pub(super) times: Vec<Times>,
    pub(super) requests: u64,
    /// That found another version.
    pub(super) changed: u64,
    /// That found the page gone.
    pub(super) gone: u64,
}

/// A crawl under way.
struct Crawl<'a> {
    lives: &'a PageLives,
    importance: &'a [f64],
    contender: Contender,
    /// Requests a day.
    budget: f64,
    known: ChangeKnowledge,
    lanes: IntervalLanes,
    /// By page: the copy; none if there is none, or the page is known to be gone.
    copies: Vec<Option<Copy>>,
    /// By page: from when its interval counts.
    since: Vec<f64>,
    /// The price of a request, as computed last.
    price: Option<FixedInterval>,
    result: Trial,
}

/// Runs one; `importance` is by page, `budget` in requests a day.
pub(super) fn run(lives: &PageLives, importance: &[f64], contender: Contender, budget: f64) -> Trial {
    let pages = lives.lives.len();
    let mut crawl = Crawl {
        lives,
        importance,
        contender,
        budget,
        known: ChangeKnowledge::new(&lives.groups, lives.mean_pages() / budget),
        lanes: IntervalLanes::default(),
        copies: vec![None; pages],
        since: vec![f64::NAN; pages],
        price: None,
        result: Trial { times: vec![Times::default(); pages], ..Trial::default() },
    };
    let mut next = 0.0;
    for tick in 1_u64.. {
        let day = tick as f64 / budget;
        if day >= lives.days {
            break;
        }
        while next <= day {
            crawl.recompute(next);
            next += RECOMPUTED_DAYS;
        }
        crawl.request(day);
    }
    crawl.end()
}

impl Crawl<'_> {
    /// Fetches the page that is next.
    fn request(&mut self, day: f64) {
        let Some((lane, page)) = self.lanes.pop(day) else { return };
        self.result.requests += 1;
        let life = &self.lives.lives[page as usize];
        let Some(copy) = self.copies[page as usize] else { return };
        self.result.times[page as usize].add(life, copy, day);
        let Some(present) = life.at(day) else {
            self.copies[page as usize] = None;
            self.result.gone += 1;
            return;
        };
        let version = life.version(day);
        let is_changed = (version, present) != (copy.version, copy.present);
        self.result.changed += u64::from(is_changed);
        self.known.learn(page, day - copy.since, is_changed);
        self.copies[page as usize] = Some(Copy { since: day, version, present });
        self.since[page as usize] = day;
        self.lanes.push(lane, page, day);
    }

    /// New pages get a copy, and all pages new rates.
    fn recompute(&mut self, day: f64) {
        for (page, life) in self.lives.lives.iter().enumerate() {
            let Some(present) = life.at(day) else { continue };
            let from = life.present[present][0];
            let copy = self.copies[page];
            if copy.is_none_or(|copy| copy.present < present) && (copy.is_some() || self.is_new(page, present)) {
                if let Some(copy) = copy {
                    self.result.times[page].add(life, copy, day);
                }
                self.copies[page] = Some(Copy { since: from, version: life.version(from), present });
            }
        }
        if self.contender.estimates() {
            self.known.estimate();
        }
        let pages: Vec<u32> =
            (0..self.copies.len() as u32).filter(|page| self.copies[*page as usize].is_some()).collect();
        let rates = self.rates(&pages);
        self.lanes.clear();
        let mut waiting: Vec<(f64, u64, u32, usize)> = Vec::with_capacity(pages.len());
        for (&page, rate) in pages.iter().zip(rates) {
            let Some(lane) = IntervalLanes::lane(1.0 / rate) else { continue };
            let since = &mut self.since[page as usize];
            let tie = chance::number(PHASES_SEED, page.into());
            if since.is_nan() {
                // As if it had been fetched before, at any time within its interval.
                *since = day - chance::unit(PHASES_SEED, page.into()) / rate;
            }
            waiting.push((*since, tie, page, lane));
        }
        waiting.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (since, _, page, lane) in waiting {
            self.lanes.push(lane, page, since);
        }
    }

    /// Whether a page that has no copy was never there before; one that was found gone is new when it is born again.
    fn is_new(&self, page: usize, present: usize) -> bool {
        let [from, _] = self.lives.lives[page].present[present];
        self.since[page].is_nan() || self.since[page] < from
    }

    /// Requests a day.
    fn rates(&mut self, pages: &[u32]) -> Vec<f64> {
        let schedule = match self.contender {
            Contender::Learnt(Schedule::Adaptive) => {
                return in_proportion(pages, self.budget, |page| 1.0 / self.known.adaptive_days(*page));
            }
            Contender::Learnt(schedule) => schedule,
            Contender::Oracle => Schedule::FixedInterval,
        };
        let perishable = |page: &u32| {
            let importance = self.importance[*page as usize];
            match self.contender {
                Contender::Oracle => Perishable::new(importance, true_rate(self.lives, *page)),
                Contender::Learnt(_) => Perishable::estimated(importance, self.known.rate(*page)),
            }
        };
        let pages: Vec<Perishable> = pages.iter().map(perishable).collect();
        if schedule == Schedule::FixedInterval {
            let price = FixedInterval::for_budget(&pages, self.budget, self.price.as_ref());
            self.price = Some(price);
            return price.rates(&pages, self.budget);
        }
        schedule.rates(&pages, self.budget)
    }

    fn end(mut self) -> Trial {
        for (page, copy) in self.copies.iter().enumerate() {
            if let Some(copy) = copy {
                self.result.times[page].add(&self.lives.lives[page], *copy, self.lives.days);
            }
        }
        self.result
    }
}

/// Changes a day, over the whole history.
fn true_rate(lives: &PageLives, page: u32) -> f64 {
    let life = &lives.lives[page as usize];
    life.changes.len() as f64 / life.days().max(f64::MIN_POSITIVE)
}
