//! From the events of crawls to numbers.

mod draws;
mod warnings;

pub(super) use self::draws::{ENTRY_DRAWS, drawn};

use trodden_ordering::{PageText, PolicyName};

use super::compare::Experiment;
use super::policies::PolicySettings;
use crate::crawl::CrawlLog;
use crate::error::Error;
use crate::graph::PageId;
use crate::importance::{Importance, Metric, Plain, QueryTexts};
use crate::metric::bootstrap::{Bootstrap, Resampling};
use crate::metric::calibration::{Calibration, Facts, Part, calibrate};
use crate::metric::coverage::Coverage;
use crate::metric::harvest::Harvest;
use crate::metric::hot::{Hot, Standing};
use crate::metric::{crawl_and_stop, limited_buffer, traffic, with_threshold};
use crate::result::{Comparison, ImportanceCurves, ImportanceResult, LeftOut, PagesFor, PolicyResult};

/// Resamples of the readers.
const RESAMPLES: u32 = 1_000;

/// One metric of importance, ready to judge by.
struct Measure {
    name: String,
    values: Vec<f64>,
    standing: Standing,
    threshold: f64,
    /// The importance of the B-th most important page.
    buffer_threshold: f64,
}

/// Judges crawls of one experiment.
pub(super) struct Judge<'e> {
    experiment: &'e Experiment<'e>,
    pages: u32,
    /// By page: its visits in training.
    trained: Vec<f64>,
    measures: Vec<Measure>,
    buffer: Option<usize>,
    /// By page: whether it can be reached and satisfies the topic.
    satisfying: Option<Vec<bool>>,
}

/// One crawl, judged; what can only be judged beside others is still open.
pub(super) struct Judged {
    name: PolicyName,
    result: PolicyResult,
    curves: Vec<ImportanceCurves>,
    calibration: Option<Calibration>,
    /// By page: its position in the order; empty without traffic.
    positions: Vec<u32>,
}

impl<'e> Judge<'e> {
    pub(super) fn new(experiment: &'e Experiment<'e>, pages: usize, trained: Vec<f64>) -> Result<Self, Error> {
        let pages = pages as u32;
        let buffer = (!experiment.importance.is_empty() && experiment.buffer > 0.0)
            .then(|| ((f64::from(pages) * experiment.buffer).round() as usize).clamp(1, pages as usize));
        let mut judge = Self { experiment, pages, trained, measures: Vec::new(), buffer, satisfying: None };
        judge.satisfying = judge.satisfying();
        for metric in &experiment.importance {
            let name = metric.to_string();
            let values = judge.importance(metric).map_err(|why| Error::CannotMeasure { metric: name.clone(), why })?;
            let standing = Standing::new(&values, experiment.reachable);
            let threshold = match experiment.hot {
                Hot::Share(share) => standing.threshold_for(share),
                Hot::Above(value) => value,
            };
            let buffer_threshold = standing.of_rank(buffer.unwrap_or(1) as u32);
            judge.measures.push(Measure { name, values, standing, threshold, buffer_threshold });
        }
        Ok(judge)
    }

    /// By page: whether it can be reached and satisfies the topic, if there is one and that can be told.
    fn satisfying(&self) -> Option<Vec<bool>> {
        let measured = self.importance(&Metric::Plain(Plain::Topical)).ok()?;
        let is_reached = self.experiment.reachable.iter();
        Some(measured.iter().zip(is_reached).map(|(satisfies, reached)| *satisfies > 0.0 && *reached).collect())
    }

    /// Pages that a crawl may keep, if that is to be measured.
    pub(super) fn buffer(&self) -> Option<usize> {
        self.buffer
    }

    fn importance(&self, metric: &Metric) -> Result<Vec<f64>, String> {
        let mirror = self.experiment.mirror;
        let text = |page: PageId| {
            let text = mirror.texts.as_ref().map(|texts| &texts[page as usize]);
            text.map_or(PageText::default(), |text| PageText { title: &text.title, body: &text.body })
        };
        let PolicySettings { topic, labels, .. } = &self.experiment.settings;
        let topic = topic.as_ref().filter(|topic| mirror.texts.is_some() || !topic.reads_text());
        let texts = topic.map(|topic| QueryTexts { topic, labels, text: &text });
        let urls = |page: PageId| mirror.urls.get(page);
        Importance { graph: &mirror.graph, urls: &urls, texts }.of(metric).map_err(|why| why.to_string())
    }

    /// Judges one crawl.
    pub(super) fn judge(&self, name: &PolicyName, log: &CrawlLog) -> Judged {
        let reachable = self.experiment.reachable;
        let seen = self.experiment.traffic;
        let fetched = seen.and_then(|seen| traffic::fetched(&log.order, &seen.all, reachable));
        let cold = seen.and_then(|seen| traffic::fetched(&log.order, &seen.cold, reachable));
        let discovered = seen
            .and_then(|seen| traffic::discovered(&log.discovered_after, log.order.len() as u32, &seen.all, reachable));
        let result = PolicyResult {
            name: name.to_string(),
            oracle: name.is_oracle(),
            fetched: log.order.len() as u64,
            auc: fetched.as_ref().map(Coverage::area),
            auc_interval: None,
            ahead_of_breadth_first: None,
            behind_best: None,
            blend_ahead: None,
            cold_blend_ahead: None,
            requests: log.requests,
            changed: log.changed,
            seconds: log.ended.0 as f64 / 1_000.0,
            draws: None,
            explored: log.explored.len() as u64,
            pages_for: pages_for(fetched.as_ref()),
            cold_auc: cold.as_ref().map(Coverage::area),
            cold_auc_interval: None,
            cold_pages_for: pages_for(cold.as_ref()),
            discovered_auc: discovered.as_ref().map(Coverage::area),
            discovered_for: pages_for(discovered.as_ref()),
            harvest: self.satisfying.as_ref().and_then(|pages| Harvest::of(&log.order, pages, self.pages as usize)),
            curve: fetched.as_ref().map(Coverage::curve).unwrap_or_default(),
            cold_curve: cold.as_ref().map(Coverage::curve).unwrap_or_default(),
            discovered_curve: discovered.as_ref().map(Coverage::curve).unwrap_or_default(),
        };
        let curves = self.measures.iter().map(|measure| self.by_importance(name, log, measure)).collect();
        let pages = self.experiment.mirror.pages();
        let positions = if seen.is_some() { traffic::positions(&log.order, pages) } else { Vec::new() };
        Judged { name: name.clone(), result, curves, calibration: self.calibration(name, log), positions }
    }

    /// What it foretold beside what was seen; of oracles there is nothing to say.
    fn calibration(&self, name: &PolicyName, log: &CrawlLog) -> Option<Calibration> {
        let foretold = log.foretold.as_ref().filter(|_| !name.is_oracle())?;
        let Experiment { reachable, exposure, .. } = *self.experiment;
        let seen = &self.experiment.traffic?.all;
        let facts = Facts { trained: &self.trained, seen, reachable, exposure };
        Some(calibrate(&name.to_string(), Part::Test, foretold, &facts))
    }

    fn by_importance(&self, name: &PolicyName, log: &CrawlLog, measure: &Measure) -> ImportanceCurves {
        let Measure { values, standing, threshold, .. } = measure;
        let shares = crawl_and_stop::crawl_and_stop(&log.order, values, standing);
        let hot = with_threshold::with_threshold(&log.order, values, standing, *threshold);
        let buffer = self.buffer.map(|room| {
            let shares = limited_buffer::limited_buffer(&log.buffer, values, measure.buffer_threshold, room as u32);
            limited_buffer::curve(&shares, standing)
        });
        ImportanceCurves {
            name: name.to_string(),
            crawl_and_stop: crawl_and_stop::curve(&shares, standing),
            threshold: hot.as_ref().map(Coverage::curve).unwrap_or_default(),
            threshold_auc: hot.as_ref().map_or(0.0, Coverage::area),
            buffer,
        }
    }

    /// All crawls together.
    pub(super) fn compare(
        &self,
        mut judged: Vec<Judged>,
        left_out: Vec<LeftOut>,
        rehearsed: Vec<Calibration>,
    ) -> Comparison {
        self.intervals(&mut judged);
        judged.sort_by(|a, b| {
            let ideal = |judged: &Judged| matches!(judged.name, PolicyName::Ideal | PolicyName::IdealUnlinked);
            let area = |judged: &Judged| judged.result.auc.or_else(|| Some(judged.curves.first()?.threshold_auc));
            ideal(b)
                .cmp(&ideal(a))
                .then_with(|| area(b).unwrap_or(0.0).total_cmp(&area(a).unwrap_or(0.0)))
                .then_with(|| a.name.cmp(&b.name))
        });
        let importance = (0..self.measures.len()).map(|at| self.importance_result(at, &judged)).collect();
        let traffic = self.experiment.traffic;
        let calibration = judged.iter_mut().filter_map(|judged| judged.calibration.take()).chain(rehearsed).collect();
        Comparison {
            mirror: self.experiment.mirror.name.clone(),
            pages: self.pages.into(),
            links: self.reachable_links(),
            traffic: traffic.map_or(0.0, super::Traffic::total),
            cold_traffic: traffic.map_or(0.0, super::Traffic::cold_total),
            policies: judged.into_iter().map(|judged| judged.result).collect(),
            satisfying: self
                .satisfying
                .as_ref()
                .map(|pages| pages.iter().filter(|satisfies| **satisfies).count() as u64),
            left_out,
            importance,
            calibration,
            assumed: self.experiment.assumed.clone(),
            warnings: self.warnings(),
            record: self.experiment.record.clone(),
        }
    }

    fn intervals(&self, judged: &mut [Judged]) {
        let Some(traffic) = self.experiment.traffic else { return };
        let resampling = Resampling { resamples: RESAMPLES, seed: self.experiment.settings.seed };
        let positions: Vec<&[u32]> = judged.iter().map(|judged| judged.positions.as_slice()).collect();
        let over = |visits| Bootstrap::over_users(visits, &positions, self.pages, resampling);
        let (all, cold) = rayon::join(|| over(&traffic.visits), || over(&traffic.cold_visits));
        let breadth_first = judged.iter().position(|judged| judged.name == PolicyName::BreadthFirst);
        let blend = judged.iter().position(|judged| judged.name == PolicyName::Blend);
        let runs = |judged: &Judged| !judged.result.oracle && judged.result.auc.is_some();
        let area = |at: &usize| judged[*at].result.auc.unwrap_or(0.0);
        let best = (0..judged.len()).filter(|at| runs(&judged[*at])).max_by(|a, b| area(a).total_cmp(&area(b)));
        let can_run: Vec<usize> = (0..judged.len()).filter(|at| runs(&judged[*at])).collect();
        let allowance = all.as_ref().map_or(0.0, |all| all.allowance(&can_run));
        for (at, judged) in judged.iter_mut().enumerate() {
            let best = best.filter(|best| *best != at && runs(judged));
            judged.result.behind_best =
                all.as_ref().zip(best).map(|(all, best)| all.ahead_if_picked(best, at, allowance));
            judged.result.auc_interval = all.as_ref().map(|all| all.interval(at));
            judged.result.cold_auc_interval = cold.as_ref().map(|cold| cold.interval(at));
            let other = blend.filter(|blend| *blend != at);
            judged.result.blend_ahead = all.as_ref().zip(other).map(|(all, blend)| all.ahead(blend, at));
            judged.result.cold_blend_ahead = cold.as_ref().zip(other).map(|(cold, blend)| cold.ahead(blend, at));
            judged.result.ahead_of_breadth_first = all
                .as_ref()
                .zip(breadth_first.filter(|other| *other != at))
                .map(|(all, breadth_first)| all.ahead(at, breadth_first));
        }
    }

    fn importance_result(&self, at: usize, judged: &[Judged]) -> ImportanceResult {
        let measure = &self.measures[at];
        let room = self.buffer.map(|room| room as u32);
        let standing = &measure.standing;
        let hot = standing.hot(measure.threshold);
        // Areas as for crawls: the mean over K = 1…T, of min(1, K/H) and of K/T.
        let (all, found) = (f64::from(self.pages.max(1)), f64::from(hot));
        let ideal_area = (all - found + (found + 1.0) / 2.0) / all;
        let random_area = (all + 1.0) / (2.0 * all);
        let formula = |name: &str, stop, threshold, area, buffer| ImportanceCurves {
            name: name.to_owned(),
            crawl_and_stop: stop,
            threshold,
            threshold_auc: area,
            buffer,
        };
        let mut policies = vec![
            formula(
                "ideal (formula)",
                crawl_and_stop::ideal(),
                with_threshold::ideal(standing, measure.threshold),
                ideal_area,
                room.map(|room| limited_buffer::ideal(standing, room)),
            ),
            formula(
                "random (formula)",
                crawl_and_stop::random(),
                with_threshold::random(),
                random_area,
                room.map(|room| limited_buffer::random(standing, room)),
            ),
        ];
        policies.extend(judged.iter().map(|judged| judged.curves[at].clone()));
        ImportanceResult {
            metric: measure.name.clone(),
            threshold: measure.threshold,
            hot: hot.into(),
            buffer: room.map(u64::from),
            policies,
        }
    }

    fn reachable_links(&self) -> u64 {
        let pages = (0..).zip(self.experiment.reachable).filter(|(_, reached)| **reached);
        pages.map(|(page, _)| self.experiment.mirror.graph.targets(page).len() as u64).sum()
    }
}

fn pages_for(coverage: Option<&Coverage>) -> PagesFor {
    coverage.map_or(PagesFor { half: None, four_fifths: None, nine_tenths: None }, Coverage::pages_for)
}
