//! All policies on one mirror: crawls in parallel, judged by their events.

use std::sync::Arc;

use rayon::prelude::*;
use trodden_mining::Trace;
use trodden_ordering::policy::CannotRun;
use trodden_ordering::policy::build::Knowledge;
use trodden_ordering::{Budget, Limits, PolicyName, chance};

use super::judge::{ENTRY_DRAWS, Judge, Judged, drawn};
use super::policies::{MirrorPolicy, PolicySettings, knowledge, oracle};
use super::traffic::Traffic;
use super::training::Training;
use crate::crawl::{Clock, Progress, World, crawl_world};
use crate::error::Error;
use crate::graph::PageId;
use crate::history::History;
use crate::importance::Metric;
use crate::metric::calibration::{Calibration, Facts, Part, calibrate};
use crate::metric::hot::Hot;
use crate::mirror::Mirror;
use crate::result::{Comparison, LeftOut, Record};

/// What is run.
pub struct Experiment<'e> {
    /// The site.
    pub mirror: &'e Mirror,
    /// Where crawls start.
    pub starts: &'e [PageId],
    /// By page: whether links lead there.
    pub reachable: &'e [bool],
    /// The past, if there is a log.
    pub training: Option<&'e Training>,
    /// The future, if there is a log.
    pub traffic: Option<&'e Traffic>,
    /// Who reads what, by page, from training; empty if no policy asks for it.
    pub trace: Arc<Trace>,
    /// Who crawls.
    pub policies: Vec<PolicyName>,
    /// How they are set up.
    pub settings: PolicySettings,
    /// What importance is, in all senses that are wanted.
    pub importance: Vec<Metric>,
    /// Which pages are hot.
    pub hot: Hot,
    /// The share of the pages that a crawl with limited memory may keep.
    pub buffer: f64,
    /// What each crawl may fetch.
    pub budget: Budget,
    /// How time passes.
    pub clock: Clock,
    /// What happens to pages; none: nothing.
    pub history: Option<&'e History>,
    /// The time of the history at which crawls begin, in milliseconds since 1970.
    pub begin_ms: u64,
    /// What was assumed about all this, in words.
    pub assumed: Vec<String>,
    /// How long the test is beside training, in visits.
    pub exposure: f64,
    /// How well what was learnt foretells, seen without the test; none if nobody wants to know.
    pub rehearsal: Option<Rehearsal<'e>>,
    /// What to say of all this.
    pub record: Record,
}

impl Experiment<'_> {
    /// What the artificial entry page links to, if crawls start there.
    fn entry_links(&self) -> Option<&[PageId]> {
        let entry = self.mirror.entry.filter(|entry| self.starts.contains(entry))?;
        Some(self.mirror.graph.targets(entry))
    }

    /// Where crawls start that may fetch whatever anybody read: of that what can be reached, in an order of chance.
    fn starts_with_read(&self) -> Vec<PageId> {
        let is_more =
            |page: &PageId| self.reachable.get(*page as usize).copied().unwrap_or(false) && !self.starts.contains(page);
        let mut read: Vec<PageId> = self.trace.read_pages().filter(is_more).collect();
        read.sort_unstable_by_key(|page| (chance::number(!self.settings.seed, u64::from(*page)), *page));
        self.starts.iter().copied().chain(read).collect()
    }

    /// What crawls from these pages meet.
    fn world<'w>(&'w self, starts: &'w [PageId]) -> World<'w> {
        World {
            mirror: self.mirror,
            starts,
            clock: self.clock,
            history: self.history,
            begin_ms: self.begin_ms,
            entry_links: None,
        }
    }
}

/// Training once more in small: its first half is the past, its second half the future.
#[derive(Clone, Copy, Debug)]
pub struct Rehearsal<'e> {
    /// What the first half teaches.
    pub training: &'e Training,
    /// What was read in the second half.
    pub traffic: &'e Traffic,
    /// How long the second half is beside the first, in visits.
    pub exposure: f64,
}

/// Runs an experiment.
///
/// # Errors
/// If it was stopped, or nothing can be compared.
pub fn compare(experiment: &Experiment<'_>, progress: &Progress) -> Result<Comparison, Error> {
    let pages = experiment.reachable.iter().filter(|reached| **reached).count();
    let known = knowledge(experiment.mirror, experiment.starts, experiment.training, &experiment.settings)
        .with_trace(experiment.trace.clone());
    let judge = Judge::new(experiment, pages, visits_in_training(experiment.mirror, &known))?;
    let limits = Limits { budget: experiment.budget, buffer: judge.buffer(), ..Limits::default() };
    // Oracles see the future; nobody else does.
    let policy = |name: &PolicyName| -> Result<MirrorPolicy, CannotRun> {
        if name.is_oracle() { oracle(name, experiment.mirror, experiment.traffic) } else { known.policy(name) }
    };
    let everywhere: Vec<PageId> =
        (0..).zip(experiment.reachable).filter(|(_, reached)| **reached).map(|(page, _)| page).collect();
    let with_read = experiment.starts_with_read();
    let crawls: Vec<Result<Result<Judged, LeftOut>, Error>> = experiment
        .policies
        .par_iter()
        .with_max_len(1)
        .map(|name| {
            let policy = match policy(name) {
                Ok(policy) => policy,
                Err(why) => return Ok(Err(LeftOut::new(name.to_string(), why))),
            };
            let starts = match name {
                PolicyName::IdealUnlinked => &everywhere,
                PolicyName::Collaborative(recipe) if recipe.is_of_people() => &with_read,
                _ => experiment.starts,
            };
            let world = experiment.world(starts);
            let Some(links) = experiment.entry_links().filter(|_| !name.is_oracle()) else {
                return Ok(Ok(judge.judge(name, &crawl_world(&world, policy, limits, progress)?)));
            };
            let mut draws = Vec::new();
            for draw in 0..ENTRY_DRAWS {
                let links = drawn(links, experiment.settings.seed, draw);
                let policy =
                    known.policy(name).map_err(|why| Error::NothingRan { why: why.to_string(), cause: Some(why) })?;
                let world = World { entry_links: Some(&links), ..world };
                draws.push(judge.judge(name, &crawl_world(&world, policy, limits, progress)?));
            }
            judge.mean(draws).map(Ok).ok_or_else(|| Error::NothingRan { why: name.to_string(), cause: None })
        })
        .collect();
    let (mut judged, mut left_out) = (Vec::new(), Vec::new());
    for crawl in crawls {
        match crawl? {
            Ok(result) => judged.push(result),
            Err(left) => left_out.push(left),
        }
    }
    if judged.is_empty() {
        let why = left_out.first().map_or_else(String::new, |left| format!("{}: {}", left.name, left.why));
        return Err(Error::NothingRan { why, cause: left_out.first().and_then(|left| left.cause.clone()) });
    }
    let rehearsed = match &experiment.rehearsal {
        Some(rehearsal) => rehearse(experiment, rehearsal, limits, progress)?,
        None => Vec::new(),
    };
    Ok(judge.compare(judged, left_out, rehearsed))
}

/// Crawls by what the first half of training teaches, for every policy that foretells; foretold beside seen in its second half.
fn rehearse(
    experiment: &Experiment<'_>,
    rehearsal: &Rehearsal<'_>,
    limits: Limits,
    progress: &Progress,
) -> Result<Vec<Calibration>, Error> {
    let known = knowledge(experiment.mirror, experiment.starts, Some(rehearsal.training), &experiment.settings);
    let trained = visits_in_training(experiment.mirror, &known);
    let foretellers = [PolicyName::UrlVisit, PolicyName::Expected, PolicyName::Blend];
    let facts = Facts {
        trained: &trained,
        seen: &rehearsal.traffic.all,
        reachable: experiment.reachable,
        exposure: rehearsal.exposure,
    };
    let calibrations: Vec<Result<Option<Calibration>, Error>> = foretellers
        .par_iter()
        .with_max_len(1)
        .filter(|name| experiment.policies.contains(name))
        .map(|name| {
            let Ok(policy) = known.policy(name) else { return Ok(None) };
            let log = crawl_world(&experiment.world(experiment.starts), policy, limits, progress)?;
            Ok(log.foretold.map(|foretold| calibrate(&name.to_string(), Part::Training, &foretold, &facts)))
        })
        .collect();
    calibrations.into_iter().filter_map(Result::transpose).collect()
}

/// By page: its visits in training.
pub(super) fn visits_in_training(mirror: &Mirror, known: &Knowledge<'_>) -> Vec<f64> {
    let mut trained = vec![0.0; mirror.pages() as usize];
    for (page, visits) in known.learnt.iter().flat_map(|learnt| learnt.past.totals()) {
        trained[page.index()] = visits;
    }
    trained
}
