//! What do people do on a site? Visits of made-up people, as many as asked, each a different triple.
//!
//! A person has sessions. A session starts from outside (nothing sent, a search engine, a network, another site) on a
//! popular page, and goes on, six steps on average, along the habits of the site: from each template people go to
//! four others, one of them most of the time, and there to a popular page, by Zipf's law. The page that they come from is
//! the referrer.
//!
//! Popular pages alone would leave most URLs unvisited. So each URL is also given to one person, who comes to it from
//! outside or from a popular page of a template that leads there. That is the long tail: many URLs with one visit.
//!
//! No person repeats a step within the days, so visits and triples are the same number: `triples`, exactly.

use std::collections::HashSet;

use anyhow::Result;

use super::urls::UrlSpace;
use super::visits::{DAYS, Row, VisitsWriter};
use crate::random::Random;

/// What a browser sends that comes from outside; the mining tells four kinds apart.
const ENTRANCES: [Option<&str>; 4] =
    [None, Some("https://www.google.com/"), Some("https://www.facebook.com/"), Some("https://www.elsewhere.example/")];

/// Templates that people go to from one.
const HABITS: usize = 4;
/// A session ends after one step in so many.
const STEPS: usize = 6;

const MS_PER_DAY: i64 = 86_400_000;

/// How many people do how much.
#[derive(Clone, Copy)]
pub(super) struct Crowd {
    pub(super) people: u32,
    /// At least as many as the site has URLs.
    pub(super) triples: u64,
    pub(super) seed: u64,
}

/// Where a step comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum From {
    Outside(usize),
    Page(u32),
}

/// A step of one person.
struct Step {
    time_ms: i64,
    from: From,
    target: u32,
}

/// Writes all visits to a site, person by person, each by time.
pub(super) fn write(site: &str, space: &UrlSpace, crowd: Crowd, visits: &mut VisitsWriter) -> Result<()> {
    let habits = Habits::new(space.templates(), crowd.seed);
    let mut hashes: Vec<i64> =
        (0..crowd.people).map(|p| Random::new(crowd.seed ^ u64::from(p) << 20).next().cast_signed()).collect();
    hashes.sort_unstable();
    let tail = Tail::new(space.len());
    let part = |all: u64, person: usize| all * person as u64 / u64::from(crowd.people.max(1));
    let (mut target, mut referrer) = (String::new(), String::new());
    for (person, user) in hashes.into_iter().enumerate() {
        let mut walk = Walk {
            space,
            habits: &habits,
            random: Random::new(crowd.seed.wrapping_mul(31).wrapping_add(person as u64)),
            seen: HashSet::new(),
            steps: Vec::new(),
        };
        let len = u64::from(space.len());
        let rare = (part(len, person)..part(len, person + 1)).map(|i| tail.url(i)).collect();
        walk.run(part(crowd.triples, person + 1) - part(crowd.triples, person), rare);
        walk.steps.sort_by_key(|step| step.time_ms);
        for step in &walk.steps {
            target.clear();
            space.write(step.target, &mut target);
            let referrer = match step.from {
                From::Outside(entrance) => ENTRANCES[entrance],
                From::Page(page) => {
                    referrer.clear();
                    space.write(page, &mut referrer);
                    Some(&referrer[..])
                }
            };
            visits.write(&Row { time_ms: step.time_ms, site, user, target: &target, referrer })?;
        }
    }
    Ok(())
}

/// An order of all URLs in which neighbors have nothing in common: `i ↦ i·f mod n`, with `f` prime to `n`.
struct Tail {
    factor: u64,
    len: u64,
}

impl Tail {
    fn new(len: u32) -> Self {
        let len = u64::from(len);
        let mut factor = len * 618 / 1000 + 1;
        while gcd(factor, len) != 1 {
            factor += 1;
        }
        Self { factor, len }
    }

    fn url(&self, number: u64) -> u32 {
        (number * self.factor % self.len) as u32
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Where people go from each template, and where they come from.
struct Habits {
    next: Vec<[usize; HABITS]>,
    before: Vec<usize>,
}

impl Habits {
    fn new(templates: usize, seed: u64) -> Self {
        let mut random = Random::new(seed.wrapping_add(17));
        let next: Vec<_> = (0..templates).map(|_| [(); HABITS].map(|()| random.skewed(templates))).collect();
        let leads_to = |template: usize| next.iter().position(|next| next[0] == template);
        let before = (0..templates).map(|t| leads_to(t).unwrap_or_else(|| random.skewed(templates))).collect();
        Self { next, before }
    }
}

struct Walk<'w> {
    space: &'w UrlSpace,
    habits: &'w Habits,
    random: Random,
    seen: HashSet<(From, u32)>,
    steps: Vec<Step>,
}

impl Walk<'_> {
    /// Makes `count` steps, among them one to each of `rare`.
    fn run(&mut self, count: u64, mut rare: Vec<u32>) {
        let (mut now, mut here) = (self.moment(), None);
        for left in (1..=count).rev() {
            if self.random.below(left as usize) < rare.len() {
                let target = rare.pop().unwrap_or(0);
                let (from, target) = self.fresh(|walk| (walk.way_to(target), target));
                self.steps.push(Step { time_ms: now, from, target });
                continue;
            }
            if self.random.one_in(STEPS) {
                here = None;
            }
            if here.is_none() {
                now = self.moment();
            }
            let (from, target) = self.fresh(|walk| walk.next(here));
            self.steps.push(Step { time_ms: now, from, target });
            now += 5_000 + self.random.below(120_000) as i64;
            here = Some(target);
        }
    }

    /// Asks for a step until it is one that this person has not made; after some time, for any.
    fn fresh(&mut self, step: impl Fn(&mut Self) -> (From, u32)) -> (From, u32) {
        let mut attempts = 0;
        loop {
            let (mut from, target) = step(self);
            if attempts > 20 {
                from = From::Page(self.random.below(self.space.len() as usize) as u32);
            }
            if from != From::Page(target) && self.seen.insert((from, target)) {
                return (from, target);
            }
            attempts += 1;
        }
    }

    fn next(&mut self, here: Option<u32>) -> (From, u32) {
        let (from, template) = match here {
            None => (self.entrance(), self.random.skewed(self.space.templates())),
            Some(page) => {
                let habit = self.random.skewed(HABITS);
                (From::Page(page), self.habits.next[self.space.template_of(page)][habit])
            }
        };
        (from, self.space.popular(template, &mut self.random))
    }

    fn way_to(&mut self, target: u32) -> From {
        if self.random.one_in(3) {
            return self.entrance();
        }
        let template = self.habits.before[self.space.template_of(target)];
        From::Page(self.space.popular(template, &mut self.random))
    }

    fn entrance(&mut self) -> From {
        From::Outside(self.random.skewed(ENTRANCES.len()))
    }

    /// A session starts at any moment of the days, but so that it ends in them.
    fn moment(&mut self) -> i64 {
        let (day, second) = (self.random.below(DAYS as usize) as i64, self.random.below(72_000) as i64);
        day * MS_PER_DAY + second * 1_000
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::mining::urls::TEMPLATES;

    type Kept = Vec<(i64, i64, String, Option<String>)>;

    fn visits(urls: u32, crowd: Crowd) -> Kept {
        let space = UrlSpace::new("https://www.example.org", (0..TEMPLATES).collect(), urls);
        let folder = tempfile::tempdir().unwrap();
        let mut writer = VisitsWriter::create(folder.path()).unwrap();
        write("example.org", &space, crowd, &mut writer).unwrap();
        writer.finish().unwrap();
        crate::bench::mining::visits::tests::read(folder.path())
    }

    const CROWD: Crowd = Crowd { people: 40, triples: 3_000, seed: 5 };

    #[test]
    fn counts_are_those_asked_for() {
        let visits = visits(500, CROWD);
        assert_eq!(visits.len(), 3_000);
        let urls: HashSet<_> = visits.iter().map(|v| &v.2).collect();
        assert_eq!(urls.len(), 500);
        let people: HashSet<_> = visits.iter().map(|v| v.1).collect();
        assert_eq!(people.len(), 40);
        let triples: HashSet<_> = visits.iter().map(|v| (v.1, &v.2, &v.3)).collect();
        assert_eq!(triples.len(), 3_000);
    }

    #[test]
    fn referrers_are_visited_pages_or_entrances() {
        let visits = visits(500, CROWD);
        let urls: HashSet<_> = visits.iter().map(|v| v.2.clone()).collect();
        let inside = visits.iter().filter(|v| v.3.as_ref().is_some_and(|r| urls.contains(r))).count();
        let outside = visits.iter().filter(|v| ENTRANCES.contains(&v.3.as_deref())).count();
        assert_eq!(inside + outside, 3_000);
        assert!(inside > outside && outside > 300, "{inside} {outside}");
    }

    #[test]
    fn the_seed_fixes_all() {
        let crowd = Crowd { people: 7, triples: 200, seed: 9 };
        assert_eq!(visits(50, crowd), visits(50, crowd));
        assert_ne!(visits(50, crowd), visits(50, Crowd { seed: 10, ..crowd }));
    }

    #[test]
    fn a_tail_is_every_url_once() {
        for len in [1, 2, 50, 1_000, 1_700] {
            let tail = Tail::new(len);
            let all: HashSet<u32> = (0..u64::from(len)).map(|i| tail.url(i)).collect();
            assert_eq!(all.len(), len as usize);
        }
    }
}
