//! So what? Is a model still good for the log that it was judged by, and if not, what to do?
//!
//! A model is judged by the share of visits that its patterns cover. **\[ours\]** From [`GOOD`] on it is good; below [`FITTING`]
//! it does not fit any more; between the two it is getting old. A share of n visits is known to 1/√n, about: to five points
//! from [`ENOUGH_VISITS`] on (the interval of 95 %, in the worst case); of fewer, nothing is said.

use serde::Serialize;
use trodden_mining::quality::{PatternCoverage, SiteQuality};
use trodden_mining::{SiteModel, TreeKind};
use trodden_report::number::{counted, share_of as percent, thousands};

use super::census::JudgedBy;

/// Visits from which on a share is known to five points.
const ENOUGH_VISITS: u64 = 400;
/// Visits of a period that is worth a word of its own.
const ENOUGH_IN_PERIOD: u64 = 100;
/// A good share of visits, in percent.
const GOOD: u64 = 95;
/// A share that still fits, in percent.
const FITTING: u64 = 80;
/// A change from the first period to the last that is told, in percent.
const TOLD_CHANGE: u64 = 5;

/// So many sites are named together.
const NAMED: usize = 5;

/// What it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelVerdict {
    /// Mine again.
    Outdated,
    /// Mine again some time.
    Aging,
    /// Too few visits to tell.
    Thin,
    /// No later visits to tell by.
    Training,
    /// Go on.
    Good,
}

/// The verdict on one site, and why.
#[derive(Clone, Debug, Serialize)]
pub struct ModelJudgment {
    /// In a word.
    pub verdict: ModelVerdict,
    /// The reason, to stand behind the name of the site.
    #[serde(rename = "verdict_words")]
    words: String,
}

impl ModelJudgment {
    pub(super) fn of(model: &SiteModel, judged_by: JudgedBy, quality: &SiteQuality) -> Self {
        let covered = covered(model.tree, quality);
        let share = format!("its patterns cover {} of {}", share(covered), counted(covered.visits, "visit"));
        let reaches = |percent: u64| covered.located_visits * 100 >= percent * covered.visits;
        let (verdict, words) = if judged_by == JudgedBy::Training {
            (ModelVerdict::Training, "this is the log that it was learnt from".to_owned())
        } else if covered.visits < ENOUGH_VISITS {
            let few = format!(
                "{} {} too few to judge by: from {ENOUGH_VISITS} on a share is known to five points",
                counted(covered.visits, "visit"),
                if covered.visits == 1 { "is" } else { "are" }
            );
            let learnt = model.learnt.visits;
            let thin = format!("{few}; it was learnt from only {}, too", thousands(learnt));
            (ModelVerdict::Thin, if learnt < ENOUGH_VISITS { thin } else { few })
        } else if reaches(GOOD) {
            (ModelVerdict::Good, format!("{share} ({GOOD} % is good)"))
        } else {
            let verdict = if reaches(FITTING) { ModelVerdict::Aging } else { ModelVerdict::Outdated };
            (verdict, format!("{share} ({GOOD} % is good){}", trend(model.tree, quality)))
        };
        Self { verdict, words }
    }
}

fn covered(tree: TreeKind, quality: &SiteQuality) -> PatternCoverage {
    quality.trees.get(tree).coverage
}

fn share(coverage: PatternCoverage) -> String {
    percent(coverage.located_visits, coverage.visits)
}

/// How the share has changed, if it has.
fn trend(tree: TreeKind, quality: &SiteQuality) -> String {
    let periods: Vec<(&str, PatternCoverage)> = quality
        .reliability
        .iter()
        .map(|row| (row.period.as_str(), *row.coverage.get(tree)))
        .filter(|(_, coverage)| coverage.visits >= ENOUGH_IN_PERIOD)
        .collect();
    let [(first, before), .., (last, now)] = &periods[..] else { return String::new() };
    let of = |coverage: &PatternCoverage| coverage.located_visits * 100 / coverage.visits.max(1);
    if of(before).abs_diff(of(now)) < TOLD_CHANGE {
        return String::new();
    }
    format!(": {} in {first}, {} in {last}", share(*before), share(*now))
}

/// One sentence on all sites that were judged. `again` is the command that makes the model anew.
pub fn sentence(judged: &[(String, ModelJudgment)], again: &str) -> Option<String> {
    let mine_again = format!("mine again with newer logs: {again}");
    if let [(site, ModelJudgment { verdict, words })] = judged {
        return Some(match verdict {
            ModelVerdict::Good => format!("so: the model of {site} is still good: {words}"),
            ModelVerdict::Aging => format!("so: the model of {site} is getting old: {words}; {mine_again}"),
            ModelVerdict::Outdated => format!("so: the model of {site} does not fit any more: {words}; {mine_again}"),
            ModelVerdict::Thin => format!("so: nothing can be said of the model of {site}: {words}; give more logs"),
            ModelVerdict::Training => {
                format!("so: nothing can be said of the model of {site}: {words}; give a later log")
            }
        });
    }
    let of = |wanted: ModelVerdict| judged.iter().filter(move |(_, judgment)| judgment.verdict == wanted);
    let part = |verdict: ModelVerdict, what: &str| {
        let sites: Vec<&str> = of(verdict).map(|(site, _)| site.as_str()).collect();
        let mut named = sites[..sites.len().min(NAMED)].join(", ");
        if sites.len() > NAMED {
            named.push_str(", …");
        }
        (!sites.is_empty()).then(|| format!("{} {what} ({named})", thousands(sites.len() as u64)))
    };
    let parts: Vec<String> = [
        (ModelVerdict::Good, "still good"),
        (ModelVerdict::Aging, "getting old"),
        (ModelVerdict::Outdated, "not fitting any more"),
        (ModelVerdict::Thin, "with too few visits to tell"),
        (ModelVerdict::Training, "without later visits"),
    ]
    .into_iter()
    .filter_map(|(verdict, what)| part(verdict, what))
    .collect();
    let old = of(ModelVerdict::Aging).chain(of(ModelVerdict::Outdated)).next().is_some();
    let todo = if old { format!("; {mine_again}") } else { String::new() };
    let all = thousands(judged.len() as u64);
    (!judged.is_empty()).then(|| format!("so: of {all} models {}{todo}", parts.join(", ")))
}
