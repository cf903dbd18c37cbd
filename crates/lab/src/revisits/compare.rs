//! How do all schedules do under several budgets?

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use trodden_ordering::revisit::Schedule;

use super::births::Birth;
use super::discovery::{DiscoveryResult, SHARES, Seeker, seek};
use super::lives::PageLives;
use super::trial::{Contender, Trial, run};
use super::weights::importance;
use crate::error::Error;
use crate::result::Record;

/// Budgets unless said otherwise, as multiples of the mean change rate: from far too few requests to plenty.
pub const BUDGETS: [f64; 4] = [0.2, 0.6, 2.0, 6.0];
const WEEK_DAYS: f64 = 7.0;

/// Pages that change, and who visits them.
#[derive(Clone, Copy, Debug)]
pub struct RevisitWorld<'a> {
    /// What the history is called.
    pub name: &'a str,
    /// What happens to pages.
    pub lives: &'a PageLives,
    /// Visits by page; none: all pages count alike.
    pub weights: Option<&'a [f64]>,
    /// New pages.
    pub births: &'a [Birth],
    /// All pages in breadth-first order.
    pub order: &'a [u32],
}

/// What is compared.
#[derive(Clone, Debug, Default)]
pub struct RevisitSettings {
    /// Requests a page and week; none: [`BUDGETS`].
    pub budgets: Vec<f64>,
    /// Schedules; none: all. The oracle runs in any case.
    pub schedules: Vec<Schedule>,
}

/// How schedules did.
#[derive(Clone, Debug, Serialize)]
pub struct RevisitComparison {
    /// What the history is called.
    pub history: String,
    /// Pages that were ever there.
    pub pages: u64,
    /// Pages with visits; none if all pages count alike.
    pub visited_pages: Option<u64>,
    /// How many pages are there on average.
    pub mean_pages: f64,
    /// Groups of pages whose rates are pooled.
    pub groups: u64,
    /// How long the history is.
    pub days: f64,
    /// Changes of pages while they are there.
    pub changes: u64,
    /// Changes a page and week.
    pub mean_rate: f64,
    /// By budget, then by schedule.
    pub results: Vec<ScheduleResult>,
    /// Pages that are born while the crawl runs, and whether they count by their visits.
    pub births: u64,
    /// Else all count alike.
    pub births_by_visits: bool,
    /// How soon they are found: by share of the pages asked a day, then by seeker.
    pub discovery: Vec<DiscoveryResult>,
    /// What was run.
    pub record: Record,
}

/// How a schedule did under a budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScheduleResult {
    /// Requests a page and week.
    pub budget: f64,
    /// Its name, or `oracle`.
    pub schedule: String,
    /// The share of visits that meet the current version.
    pub fresh: f64,
    /// The same on both halves of the pages.
    pub fresh_halves: [f64; 2],
    /// Days since the copy that a visit meets went stale.
    pub mean_age: f64,
    /// Requests made.
    pub requests: u64,
    /// Those that found another version.
    pub changed: u64,
    /// Those that found the page gone.
    pub gone: u64,
}

/// Runs all schedules under all budgets.
///
/// # Errors
/// If it was stopped, or no page that is ever there is visited.
pub fn compare_schedules(
    world: &RevisitWorld<'_>,
    settings: &RevisitSettings,
    record: Record,
    (done, stop): (&AtomicU64, &AtomicBool),
) -> Result<RevisitComparison, Error> {
    let RevisitWorld { name, lives, weights, births, order } = *world;
    let ever = |page: usize| !lives.lives[page].present.is_empty();
    let weight = |page: usize| if ever(page) { weights.map_or(1.0, |weights| weights[page]) } else { 0.0 };
    let weights: Vec<f64> = (0..lives.lives.len()).map(weight).collect();
    if weights.iter().all(|weight| *weight <= 0.0) {
        return Err(Error::NothingWeighs);
    }
    let importance = importance(&weights);
    let mean_rate = lives.mean_rate() * WEEK_DAYS;
    let budgets = match &settings.budgets[..] {
        [] => BUDGETS.iter().map(|of_mean| of_mean * mean_rate).collect(),
        budgets => budgets.to_vec(),
    };
    let schedules = if settings.schedules.is_empty() { Schedule::ALL.to_vec() } else { settings.schedules.clone() };
    let contenders = schedules.into_iter().map(Contender::Learnt).chain([Contender::Oracle]);
    let all: Vec<(f64, Contender)> =
        budgets.iter().flat_map(|budget| contenders.clone().map(|contender| (*budget, contender))).collect();
    let results: Vec<ScheduleResult> = all
        .into_par_iter()
        .filter(|_| !stop.load(Ordering::Relaxed))
        .map(|(budget, contender)| {
            let a_day = budget / WEEK_DAYS * lives.mean_pages();
            let trial = run(lives, &importance, contender, a_day);
            done.fetch_add(1, Ordering::Relaxed);
            result(budget, contender, lives, &weights, &trial)
        })
        .collect();
    let visited_births = births.iter().filter(|birth| weights[birth.page as usize] > 0.0).count();
    // A few visits of pages that come back say nothing of the others.
    let births_by_visits = world.weights.is_some() && 2 * visited_births > births.len();
    let birth_weights = if births_by_visits { weights.clone() } else { vec![1.0; weights.len()] };
    let seekers = SHARES.iter().flat_map(|share| Seeker::ALL.map(|seeker| (*share, seeker)));
    let seekers: Vec<(f64, Seeker)> = seekers.filter(|_| !births.is_empty()).collect();
    let discovery = seekers
        .into_par_iter()
        .filter(|_| !stop.load(Ordering::Relaxed))
        .map(|(share, seeker)| seek(lives, births, &birth_weights, order, seeker, share))
        .collect();
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Stopped);
    }
    Ok(RevisitComparison {
        history: name.to_owned(),
        pages: (0..weights.len()).filter(|page| ever(*page)).count() as u64,
        visited_pages: world.weights.map(|_| weights.iter().filter(|weight| **weight > 0.0).count() as u64),
        mean_pages: lives.mean_pages(),
        groups: lives.groups.iter().max().map_or(0, |most| u64::from(*most) + 1),
        days: lives.days,
        changes: lives.lives.iter().map(|life| life.changes.len() as u64).sum(),
        mean_rate,
        results,
        births: births.len() as u64,
        births_by_visits,
        discovery,
        record,
    })
}

/// How many trials there are.
pub fn trials(settings: &RevisitSettings) -> u64 {
    let budgets = if settings.budgets.is_empty() { BUDGETS.len() } else { settings.budgets.len() };
    let schedules = if settings.schedules.is_empty() { Schedule::ALL.len() } else { settings.schedules.len() };
    (budgets * (schedules + 1)) as u64
}

fn result(budget: f64, contender: Contender, lives: &PageLives, weights: &[f64], trial: &Trial) -> ScheduleResult {
    let share = |of: &dyn Fn(usize) -> f64, half: Option<u8>| {
        let pages = (0..weights.len()).filter(|page| half.is_none_or(|half| lives.halves[*page] == half));
        let (part, all) = pages.fold((0.0, 0.0), |sum, page| {
            (sum.0 + weights[page] * of(page), sum.1 + weights[page] * trial.times[page].there)
        });
        part / all
    };
    let fresh = |page: usize| trial.times[page].fresh;
    ScheduleResult {
        budget,
        schedule: contender.name().to_owned(),
        fresh: share(&fresh, None),
        fresh_halves: [0, 1].map(|half| share(&fresh, Some(half))),
        mean_age: share(&|page| trial.times[page].age, None),
        requests: trial.requests,
        changed: trial.changed,
        gone: trial.gone,
    }
}
