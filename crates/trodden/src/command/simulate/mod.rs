//! `trodden simulate`: a mirror and a log → every policy's crawl, judged.

mod continuous;
mod mirror;
mod past;
mod record;
mod time;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use trodden_frontier::UrlId;
use trodden_lab::crawl::Progress;
use trodden_lab::experiment::{Experiment, PolicySettings, Rehearsal, Traffic, TrafficKind, compare, read_export};
use trodden_lab::importance::{Metric, Plain};
use trodden_lab::metric::hot::Hot;
use trodden_lab::mirror::Mirror;
use trodden_lab::report;
use trodden_lab::result::Comparison;
use trodden_lab::urls::identity;
use trodden_mining::Goal;
use trodden_ordering::policy::by_value::Fineness;
use trodden_ordering::policy::pagerank::Rerank;
use trodden_ordering::{Budget, PageLabels, PolicyName, Predicate};
use trodden_urls::{Canonicalizer, Rules};

use self::mirror::{mirror_of, starts_of};
use self::past::{Past, log_of};
use self::record::record;
use self::time::Passing;
use crate::args::{HistorySource, HotPages, RerankAt, SimulateArgs, TableFormat, TrafficSource};
use crate::config::Config;
use crate::output::{counted, data, say};
use crate::progress::Watch;
use crate::{advice, labels, machine, outputs, screen};

/// Crawls a mirror by every policy and tells which order was better.
pub(crate) fn run(args: &SimulateArgs) -> Result<()> {
    if args.continuous {
        return continuous::run(args);
    }
    let result = simulate(args)?;
    match args.format {
        TableFormat::Json => data(&report::to_json(&result))?,
        TableFormat::Table => data(&report::table(&result, screen::of_stdout().width))?,
    }
    for file in write(args, &result)? {
        say(&format!("written: {}", file.display()));
    }
    Ok(())
}

/// Writes the result, if that is wanted; to which files.
pub(crate) fn write(args: &SimulateArgs, result: &Comparison) -> Result<Vec<PathBuf>> {
    let Some(dir) = &args.output else { return Ok(Vec::new()) };
    report::write_report(dir, result).with_context(|| format!("cannot write to {}", dir.display()))
}

/// Crawls a mirror by every policy.
pub(crate) fn simulate(args: &SimulateArgs) -> Result<Comparison> {
    let config = Config::load(&args.settings)?;
    keep_output_apart(args)?;
    let topic = match &args.topic {
        Some(topic) => Some(Predicate::parse(topic).context("--topic")?),
        None => None,
    };
    let traffic_kind = match &args.traffic {
        TrafficSource::Unique => TrafficKind::Unique,
        TrafficSource::Visits => TrafficKind::Visits,
        TrafficSource::Search => TrafficKind::Search,
        TrafficSource::File(path) => TrafficKind::Exported(read_export(path)?),
    };
    let stop = Arc::new(Progress::default());
    let asked = stop.clone();
    crate::interrupt::on_interrupt(move || asked.stop.store(true, Ordering::Relaxed))?;

    let log = log_of(args, &config)?;
    let past = log.as_ref().map(|log| Past::learn(args, &config, log)).transpose()?;
    let cut_ms = past.as_ref().map(|past| past.split.cut_ms);
    let mirror = mirror_of(args, &config, topic.is_some(), cut_ms)?;
    let starts = starts_of(args, &mirror)?;
    let reachable = mirror.graph.reachable(&starts);
    let time = Passing::of(args, &mirror, &starts, cut_ms)?;
    time.assumed.iter().for_each(|assumed| say(&format!("assumed: {assumed}")));
    let traffic = past.as_ref().map(|past| Traffic::of(&past.split, &traffic_kind, &mirror, &reachable));
    if let Some(traffic) = traffic.as_ref().filter(|traffic| traffic.total() == 0.0) {
        bail!(no_traffic(traffic, &args.traffic));
    }
    let rehearsal = past.as_ref().filter(|_| args.calibrate).map(|past| past.rehearse(args, &config)).transpose()?;
    let rehearsal = rehearsal.map(|past| {
        let traffic = Traffic::of(&past.split, &TrafficKind::Unique, &mirror, &reachable);
        (past, traffic)
    });
    let policies = policies_of(args, topic.is_some());
    let is_of_people = policies.iter().any(|name| name.recipe().is_some_and(|recipe| recipe.is_of_people()));
    let pages = reachable.iter().filter(|reached| **reached).count() as u64;
    let experiment = Experiment {
        mirror: &mirror,
        starts: &starts,
        reachable: &reachable,
        training: past.as_ref().map(|past| &past.training),
        traffic: traffic.as_ref(),
        trace: past.as_ref().filter(|_| is_of_people).map(|past| past.trace(&mirror)).transpose()?.unwrap_or_default(),
        policies,
        settings: PolicySettings {
            seed: args.seed,
            fineness: if args.exact { Fineness::Exact } else { Fineness::Levels },
            topic,
            labels: labels_of(args, &mirror)?,
            ..PolicySettings::new(
                Goal::from(args.goal),
                match args.rerank {
                    RerankAt::Pages(pages) => Rerank::Every(pages),
                    RerankAt::Share(share) => Rerank::Every(((pages as f64 * share).ceil() as u32).max(1)),
                },
            )
        },
        importance: importance_of(args),
        hot: match args.hot {
            HotPages::Share(share) => Hot::Share(share),
            HotPages::Above(value) => Hot::Above(value),
        },
        buffer: args.buffer,
        budget: args.pages.map_or(Budget::Unlimited, Budget::Pages),
        clock: time.clock,
        history: time.history.as_ref(),
        begin_ms: time.begin_ms,
        assumed: time.assumed,
        exposure: past.as_ref().map_or(1.0, |past| past.split.exposure()),
        rehearsal: rehearsal.as_ref().map(|(past, traffic)| Rehearsal {
            training: &past.training,
            traffic,
            exposure: past.split.exposure(),
        }),
        record: record(args, &mirror, &starts, past.as_ref())?,
    };
    let watch = Watch::crawls(stop.clone(), experiment.policies.len() as u64 * pages);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.resources.threads.unwrap_or_else(machine::cores))
        .build()
        .context("cannot start threads")?;
    let result = pool.install(|| compare(&experiment, &stop));
    drop(watch);
    let mut result = result?;
    advice::name_flags(&mut result.left_out);
    Ok(result)
}

/// Refuses to write a report over what is read.
fn keep_output_apart(args: &SimulateArgs) -> Result<()> {
    let Some(dir) = &args.output else { return Ok(()) };
    let mut inputs: Vec<String> = args.mirror.iter().chain(&args.logs).cloned().collect();
    inputs.extend(args.url_list.iter().map(|path| path.to_string_lossy().into_owned()));
    if let Some(HistorySource::File(path)) = &args.history {
        inputs.push(path.to_string_lossy().into_owned());
    }
    if let TrafficSource::File(path) = &args.traffic {
        inputs.push(path.to_string_lossy().into_owned());
    }
    outputs::keep_apart(dir, &inputs)?;
    report::FILES.iter().try_for_each(|name| outputs::keep_apart(&dir.join(name), &inputs))
}

fn policies_of(args: &SimulateArgs, has_topic: bool) -> Vec<PolicyName> {
    let mut policies = args.policies.clone();
    if policies.is_empty() {
        policies.extend(PolicyName::plain());
        policies.extend(PolicyName::topical().filter(|_| has_topic));
        if args.logs.is_empty() {
            // Not worth a line each.
            policies.retain(|name| name.strategy().is_none());
            policies.retain(|name| !matches!(name, PolicyName::UrlVisit | PolicyName::Expected));
            policies.retain(|name| !matches!(name, PolicyName::Ideal | PolicyName::IdealUnlinked));
        }
    }
    if args.ablate {
        policies.push(PolicyName::Blend);
        policies.extend(PolicyName::ablations());
    }
    let mut seen = std::collections::BTreeSet::new();
    policies.retain(|name| seen.insert(name.clone()));
    policies
}

/// The categories of pages, if there is a table of them.
fn labels_of(args: &SimulateArgs, mirror: &Mirror) -> Result<Arc<PageLabels>> {
    let Some(path) = &args.labels else { return Ok(Arc::default()) };
    let canonicalizer = Canonicalizer::new(Rules::default());
    let mut labels = PageLabels::default();
    let mut elsewhere = 0_u64;
    labels::each(path, |url, category| {
        let url = canonicalizer.absolute(url.as_bytes()).ok();
        match url.and_then(|url| mirror.page_of_visit(&identity(url.as_str()))) {
            Some(page) => labels.add(UrlId(page), category),
            None => elsewhere += 1,
        }
    })?;
    if labels.is_empty() {
        bail!("--labels {}: no URL in it is a page of the mirror", path.display());
    }
    if elsewhere > 0 {
        say(&format!("{} of --labels are for URLs that are not in the mirror", counted(elsewhere, "row")));
    }
    Ok(Arc::new(labels))
}

fn importance_of(args: &SimulateArgs) -> Vec<Metric> {
    if !args.importance.is_empty() || !args.logs.is_empty() {
        return args.importance.clone();
    }
    let mut metrics = vec![Metric::Plain(Plain::Backlinks), Metric::Plain(Plain::PageRank)];
    metrics.extend(args.topic.iter().map(|_| Metric::Plain(Plain::Similarity)));
    metrics
}

fn no_traffic(traffic: &Traffic, source: &TrafficSource) -> String {
    let what = match source {
        TrafficSource::Unique | TrafficSource::Visits => "visits of the test period",
        TrafficSource::Search => "visits from search engines of the test period",
        TrafficSource::File(_) => "clicks of the export",
    };
    match (traffic.elsewhere, traffic.unreachable) {
        (0.0, 0.0) => {
            format!("there are no {what}: nothing to judge by; end training earlier (--train-share, --train-until)")
        }
        (elsewhere, 0.0) => {
            format!("none of the {elsewhere} {what} is to a page of the mirror; is it the mirror of another site?")
        }
        (_, unreachable) => format!(
            "{unreachable} {what} are to pages of the mirror that no link leads to from the start, and none to others; start elsewhere (--start URL)"
        ),
    }
}
