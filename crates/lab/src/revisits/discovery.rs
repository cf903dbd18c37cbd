//! How soon are new pages found, if known pages are asked for again?
//!
//! A page is [born](super::births), and pages that are there link to it. Who asks for one of them finds it. Then it is fetched at once, which
//! costs one request of the same budget and shows the links on it.
//!
//! ```text
//! found within a day = Σ w·[found at most a day after its birth] / Σ w         w: visits; where born pages have none, all count alike
//! ```
//! What is asked for again is chosen in one of three ways:
//!
//! - *breadth-first*: all pages in breadth-first order, again and again;
//! - *uniform*: all pages in an order drawn once, again and again;
//! - *births* **\[ours\]**: by how many links to new pages a page is expected to show.
//!
//! For the last, new links come at a rate b on a page:
//!
//! ```text
//! b = (n + ½)/(T + ½/g)        n new links in T days, both fading with time (`FADES_DAYS`); g: the mean rate of the folder
//! value of asking again after t days = b·min(t, 1)
//! ```
//! A link that is older than a day is found too late in any case, so waiting for longer than a day gains nothing. Therefore the pages with the
//! largest b are asked for once a day, as many as the budget allows. A part of the requests (`SWEEP`) goes round all pages, so that
//! every page is found in the end, and a page that begins to have new links is noticed.

use std::collections::VecDeque;

use serde::Serialize;
use trodden_ordering::chance;

use super::births::Birth;
use super::lives::PageLives;

/// Shares of the pages that are asked for a day.
pub const SHARES: [f64; 3] = [0.01, 0.05, 0.1];
/// What is this long ago counts a third: sites grow here this season and there the next.
const FADES_DAYS: f64 = 90.0;
/// One request in so many goes round all pages.
const SWEEP: u64 = 8;
/// The shape of the prior of b.
const SHAPE: f64 = 0.5;
const ORDER_SEED: u64 = 13;

/// How pages are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeker {
    /// All, in breadth-first order.
    BreadthFirst,
    /// All, in any order.
    Uniform,
    /// By expected births.
    Births,
}

impl Seeker {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::BreadthFirst, Self::Uniform, Self::Births];

    /// As shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth-first",
            Self::Uniform => "uniform",
            Self::Births => "births",
        }
    }
}

/// How soon pages were found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiscoveryResult {
    /// The share of the pages that is asked for a day.
    pub share: f64,
    /// How pages were chosen.
    pub seeker: String,
    /// The share of new pages found within a day of their birth.
    pub within_a_day: f64,
    /// The same on both halves of the pages.
    pub within_a_day_halves: [f64; 2],
    /// The share that was found at all.
    pub found: f64,
    /// Days from birth until half of all new pages are found; none if less than half is.
    pub median_days: Option<f64>,
    /// Requests, first fetches of new pages included.
    pub requests: u64,
}

/// What is known of the births on a page.
#[derive(Clone, Copy, Debug, Default)]
struct BirthRate {
    links: f64,
    days: f64,
    asked: f64,
}

impl BirthRate {
    fn learn(&mut self, links: f64, day: f64) {
        let fade = (-(day - self.asked) / FADES_DAYS).exp();
        self.links = self.links * fade + links;
        self.days = self.days * fade + FADES_DAYS * (1.0 - fade);
        self.asked = day;
    }
}

struct Search<'a> {
    lives: &'a PageLives,
    births: &'a [Birth],
    seeker: Seeker,
    rates: Vec<BirthRate>,
    /// By page: births that it links to and that are not found.
    shown: Vec<Vec<u32>>,
    is_known: Vec<bool>,
    is_gone: Vec<bool>,
    /// All known pages, in the order in which they are gone round.
    round: VecDeque<u32>,
    /// Today's list.
    today: VecDeque<u32>,
    /// Found and not fetched yet.
    new: VecDeque<u32>,
    found: Vec<f64>,
    requests: u64,
}

/// Looks for new pages; `order` are the pages in breadth-first order, `weights` weigh births by page.
pub fn seek(
    lives: &PageLives,
    births: &[Birth],
    weights: &[f64],
    order: &[u32],
    seeker: Seeker,
    share: f64,
) -> DiscoveryResult {
    let pages = lives.lives.len();
    let mut round: Vec<u32> =
        order.iter().copied().filter(|page| lives.lives[*page as usize].at(0.0).is_some()).collect();
    let mut is_known = vec![false; pages];
    round.iter().for_each(|page| is_known[*page as usize] = true);
    if seeker != Seeker::BreadthFirst {
        round.sort_by_key(|page| chance::number(ORDER_SEED, (*page).into()));
    }
    let mut search = Search {
        lives,
        births,
        seeker,
        rates: vec![BirthRate::default(); pages],
        shown: vec![Vec::new(); pages],
        is_known,
        is_gone: vec![false; pages],
        round: round.into(),
        today: VecDeque::new(),
        new: VecDeque::new(),
        found: vec![f64::INFINITY; births.len()],
        requests: 0,
    };
    let a_day = share * lives.mean_pages();
    let (mut born, mut morning) = (0, 0.0);
    for tick in 1_u64.. {
        let day = tick as f64 / a_day;
        if day >= lives.days {
            break;
        }
        while born < births.len() && births[born].day <= day {
            search.born(born as u32);
            born += 1;
        }
        if day >= morning {
            search.plan(a_day);
            morning += 1.0;
        }
        search.request(tick, day);
    }
    search.result(weights, share)
}

impl Search<'_> {
    fn born(&mut self, birth: u32) {
        let Birth { page, linked_from, .. } = &self.births[birth as usize];
        // One that is born again is new again.
        self.is_known[*page as usize] = false;
        linked_from.iter().for_each(|from| self.shown[*from as usize].push(birth));
    }

    /// Which pages are asked for today.
    fn plan(&mut self, a_day: f64) {
        if self.seeker != Seeker::Births {
            return;
        }
        let groups = self.lives.groups.iter().max().map_or(0, |most| *most as usize + 1);
        let (mut sums, mut all) = (vec![(0.0, 0.0); groups], (0.0, 0.0));
        for (page, rate) in self.rates.iter().enumerate().filter(|(_, rate)| rate.days > 0.0) {
            let sum: &mut (f64, f64) = &mut sums[self.lives.groups[page] as usize];
            *sum = (sum.0 + rate.links, sum.1 + rate.days);
            all = (all.0 + rate.links, all.1 + rate.days);
        }
        let mean = (all.0 + SHAPE) / (all.1 + FADES_DAYS);
        let of_group: Vec<f64> = sums.iter().map(|(links, days)| (links + SHAPE) / (days + SHAPE / mean)).collect();
        let mut pages: Vec<(f64, u32)> = (0..self.rates.len() as u32)
            .filter(|page| self.is_known[*page as usize] && !self.is_gone[*page as usize])
            .map(|page| {
                let (rate, prior) = (self.rates[page as usize], of_group[self.lives.groups[page as usize] as usize]);
                ((rate.links + SHAPE) / (rate.days + SHAPE / prior), page)
            })
            .collect();
        let most = ((a_day * (1.0 - 1.0 / SWEEP as f64)) as usize).min(pages.len());
        if most > 0 && most < pages.len() {
            pages.select_nth_unstable_by(most - 1, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            pages.truncate(most);
        }
        pages.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.today = pages.into_iter().map(|(_, page)| page).collect();
    }

    fn request(&mut self, tick: u64, day: f64) {
        if let Some(page) = self.new.pop_front() {
            self.rates[page as usize] = BirthRate { asked: day, ..BirthRate::default() };
            self.round.push_back(page);
            self.ask(page, day, false);
            return;
        }
        let is_sweep = tick.is_multiple_of(SWEEP);
        let page = if is_sweep { None } else { self.today.pop_front() };
        let Some(page) = page.or_else(|| self.next_of_round()) else { return };
        self.ask(page, day, true);
    }

    /// The next page that may be there.
    fn next_of_round(&mut self) -> Option<u32> {
        while let Some(page) = self.round.pop_front() {
            if !self.is_gone[page as usize] {
                self.round.push_back(page);
                return Some(page);
            }
        }
        None
    }

    fn ask(&mut self, page: u32, day: f64, is_again: bool) {
        self.requests += 1;
        if self.lives.lives[page as usize].at(day).is_none() {
            self.is_gone[page as usize] = true;
            return;
        }
        let mut links = 0.0;
        for birth in std::mem::take(&mut self.shown[page as usize]) {
            let new = self.births[birth as usize].page;
            if self.is_known[new as usize] || self.lives.lives[new as usize].at(day).is_none() {
                continue;
            }
            (self.is_known[new as usize], self.is_gone[new as usize]) = (true, false);
            self.found[birth as usize] = day;
            self.new.push_back(new);
            links += 1.0;
        }
        if is_again {
            self.rates[page as usize].learn(links, day);
        }
    }

    fn result(self, weights: &[f64], share: f64) -> DiscoveryResult {
        let weight = |birth: &Birth| weights[birth.page as usize];
        let part = |half: Option<u8>, is_hit: &dyn Fn(f64) -> bool| {
            let of_half = |birth: &Birth| half.is_none_or(|half| self.lives.halves[birth.page as usize] == half);
            let all = self.births.iter().zip(&self.found).filter(|(birth, _)| of_half(birth));
            let (hits, sum) = all.fold((0.0, 0.0), |(hits, sum), (birth, found)| {
                let hit = if is_hit(found - birth.day) { weight(birth) } else { 0.0 };
                (hits + hit, sum + weight(birth))
            });
            if sum > 0.0 { hits / sum } else { 0.0 }
        };
        let mut delays: Vec<(f64, f64)> =
            self.births.iter().zip(&self.found).map(|(birth, found)| (found - birth.day, weight(birth))).collect();
        delays.sort_by(|a, b| a.0.total_cmp(&b.0));
        let half = delays.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
        let mut sum = 0.0;
        let median = delays.iter().find(|(_, weight)| {
            sum += weight;
            sum >= half
        });
        let in_a_day = |days: f64| days <= 1.0;
        DiscoveryResult {
            share,
            seeker: self.seeker.name().to_owned(),
            within_a_day: part(None, &in_a_day),
            within_a_day_halves: [0, 1].map(|half| part(Some(half), &in_a_day)),
            found: part(None, &f64::is_finite),
            median_days: median.map(|(days, _)| *days).filter(|days| days.is_finite()),
            requests: self.requests,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Happening, History};
    use crate::revisits::births::births_by_paths;
    use crate::urls::UrlTexts;

    const DAY: u64 = 86_400_000;

    /// Two hundred folders; every day one page is born in the first of them, and a page below it.
    fn growing() -> (PageLives, Vec<Birth>) {
        let mut urls = UrlTexts::default();
        let mut rows = Vec::new();
        for folder in 0..200_u32 {
            urls.push(&format!("http://a.org/{folder}")).unwrap();
            rows.push((folder, 0, Happening::Found));
        }
        for day in 1..=300_u32 {
            let at = u64::from(day) * DAY;
            urls.push(&format!("http://a.org/0/{day}")).unwrap();
            urls.push(&format!("http://a.org/0/{day}/more")).unwrap();
            rows.extend([(198 + 2 * day, at, Happening::Born), (199 + 2 * day, at, Happening::Born)]);
        }
        rows.push((5, 320 * DAY, Happening::Changed));
        let lives = PageLives::new(&History::new(rows), &urls, 800).unwrap();
        let births = births_by_paths(&lives, &urls);
        (lives, births)
    }

    #[test]
    fn ours_where_pages_are_born_is_learnt_and_asked_for_daily() {
        let (lives, births) = growing();
        assert_eq!(births.len(), 600);
        let order: Vec<u32> = (0..800).collect();
        let run = |seeker| seek(&lives, &births, &[1.0; 800], &order, seeker, 0.05);
        let [plain, uniform, ours] = Seeker::ALL.map(run);
        assert!(ours.within_a_day > 0.8, "{ours:?}");
        assert!(ours.within_a_day > 3.0 * plain.within_a_day.max(uniform.within_a_day), "{plain:?} {uniform:?}");
        assert!(ours.found > 0.9 && ours.median_days.is_some_and(|days| days < 1.0));
        assert_eq!(plain.requests, ours.requests);
    }
}
