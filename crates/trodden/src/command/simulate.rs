//! `trodden simulate`: a mirror and a log → every policy's crawl, judged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use trodden_lab::crawl::Progress;
use trodden_lab::experiment::{
    Cut, Experiment, Hidden, PolicySettings, Rehearsal, Split, Traffic, TrafficKind, Training, TrainingSettings,
    compare, read_export, split, train,
};
use trodden_lab::importance::{Metric, Plain};
use trodden_lab::inputs::hash_of_inputs;
use trodden_lab::metric::hot::Hot;
use trodden_lab::mirror::{Kind, Mirror, MirrorOptions, Texts, open_mirror};
use trodden_lab::report;
use trodden_lab::result::{Comparison, Record};
use trodden_logs::clean::BotRule;
use trodden_logs::visits::StoredVisits;
use trodden_mining::{DedupWindow, Goal};
use trodden_ordering::policy::by_value::Fineness;
use trodden_ordering::policy::pagerank::Rerank;
use trodden_ordering::topic::Topic;
use trodden_ordering::{Budget, PolicyName};

use crate::args::{Hide, HotPages, LogArgs, RerankAt, SimulateArgs, TableFormat, TrafficSource, file_name};
use crate::config::Config;
use crate::output::{counted, data, say};
use crate::progress::Watch;
use crate::{intake, machine, outputs, screen};

/// Crawls a mirror by every policy and tells which order was better.
pub(crate) fn run(args: &SimulateArgs) -> Result<()> {
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
        Some(words) => Some(Topic::parse(words).context("--topic: there is no word in it")?),
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
    let mirror = mirror_of(args, &config, topic.is_some())?;
    let starts = starts_of(args, &mirror)?;
    let reachable = mirror.graph.reachable(&starts);
    let past = log.as_ref().map(|log| Past::learn(args, &config, log)).transpose()?;
    let traffic = past.as_ref().map(|past| Traffic::of(&past.split, &traffic_kind, &mirror, &reachable));
    if let Some(traffic) = traffic.as_ref().filter(|traffic| traffic.total() == 0.0) {
        bail!(no_traffic(traffic, &args.traffic));
    }
    let rehearsal = past.as_ref().filter(|_| args.calibrate).map(|past| past.rehearse(args, &config)).transpose()?;
    let rehearsal = rehearsal.map(|past| {
        let traffic = Traffic::of(&past.split, &TrafficKind::Unique, &mirror, &reachable);
        (past, traffic)
    });
    let pages = reachable.iter().filter(|reached| **reached).count() as u64;
    let experiment = Experiment {
        mirror: &mirror,
        starts: &starts,
        reachable: &reachable,
        training: past.as_ref().map(|past| &past.training),
        traffic: traffic.as_ref(),
        policies: policies_of(args, topic.is_some()),
        settings: PolicySettings {
            goal: Goal::from(args.goal),
            seed: args.seed,
            rerank: match args.rerank {
                RerankAt::Pages(pages) => Rerank::Every(pages),
                RerankAt::Share(share) => Rerank::Every(((pages as f64 * share).ceil() as u32).max(1)),
            },
            fineness: if args.exact { Fineness::Exact } else { Fineness::Levels },
            topic,
        },
        importance: importance_of(args),
        hot: match args.hot {
            HotPages::Share(share) => Hot::Share(share),
            HotPages::Above(value) => Hot::Above(value),
        },
        buffer: args.buffer,
        budget: args.pages.map_or(Budget::Unlimited, Budget::Pages),
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
    Ok(result?)
}

/// Refuses to write a report over what is read.
fn keep_output_apart(args: &SimulateArgs) -> Result<()> {
    let Some(dir) = &args.output else { return Ok(()) };
    let mut inputs: Vec<String> = args.mirror.iter().chain(&args.logs).cloned().collect();
    inputs.extend(args.url_list.iter().map(|path| path.to_string_lossy().into_owned()));
    if let TrafficSource::File(path) = &args.traffic {
        inputs.push(path.to_string_lossy().into_owned());
    }
    outputs::keep_apart(dir, &inputs)?;
    report::FILES.iter().try_for_each(|name| outputs::keep_apart(&dir.join(name), &inputs))
}

/// What was learnt from the part of the log before the cut, and what came after it.
struct Past {
    split: Split,
    training: Training,
    dir: tempfile::TempDir,
}

impl Past {
    fn learn(args: &SimulateArgs, config: &Config, log: &intake::Visits) -> Result<Self> {
        let cut = args.train_until.map_or(Cut::Share(args.train_share), |until| Cut::Until(until.0));
        let mut hidden = Hidden { seed: args.seed, ..Hidden::default() };
        for hide in &args.hide {
            match hide {
                Hide::Share(share) => hidden.share = *share,
                Hide::Section(section) => hidden.sections.push(section.clone()),
            }
        }
        let past = Self::of(args, config, &log.paths, cut, &hidden)?;
        let split = &past.split;
        say(&format!(
            "learning from {}, judging by {}{}",
            counted(split.training_visits, "visit"),
            counted(split.test.len() as u64, "visit"),
            match split.hidden_visits {
                0 => String::new(),
                n => format!("; {} of hidden URLs are left out", counted(n, "visit")),
            }
        ));
        Ok(past)
    }

    /// The same with training alone: its first half is learnt from, its second half is the future.
    fn rehearse(&self, args: &SimulateArgs, config: &Config) -> Result<Self> {
        let paths = [self.dir.path().to_string_lossy().into_owned()];
        Self::of(args, config, &paths, Cut::Share(0.5), &Hidden::default()).context("--calibrate")
    }

    fn of(args: &SimulateArgs, config: &Config, paths: &[String], cut: Cut, hidden: &Hidden) -> Result<Self> {
        let scratch = args.resources.scratch.clone().unwrap_or_else(std::env::temp_dir);
        let dir = tempfile::Builder::new().prefix("trodden-training-").tempdir_in(&scratch);
        let dir = dir.with_context(|| format!("cannot make a scratch folder in {}", scratch.display()))?;
        let visits = StoredVisits::find(paths)?;
        let split = split(&visits, cut, hidden, dir.path())?;
        let settings = TrainingSettings {
            mining: config.mining.clone(),
            min_users: match args.min_users {
                Some(n) => n,
                None => u32::try_from(config.privacy.min_users).context("privacy.min_users is too large")?,
            },
            window_days: DedupWindow::DEFAULT_DAYS,
            last_days: args.window,
            memory: args.resources.memory.map_or_else(machine::half_of_memory, |m| m.0),
            threads: args.resources.threads.unwrap_or_else(machine::cores),
            scratch,
        };
        let training = train(&dir.path().to_string_lossy(), &settings)?;
        Ok(Self { split, training, dir })
    }
}

/// The visits that policies learn from and are judged by.
fn log_of(args: &SimulateArgs, config: &Config) -> Result<Option<intake::Visits>> {
    if args.logs.is_empty() {
        for (given, flag) in [
            (!args.hide.is_empty(), "--hide-urls"),
            (args.train_until.is_some(), "--train-until"),
            (args.calibrate, "--calibrate"),
            (args.traffic != TrafficSource::Unique, "--traffic"),
        ] {
            if given {
                bail!("{flag} needs a log to learn from; say it with --log LOG");
            }
        }
        return Ok(None);
    }
    let logs = LogArgs { logs: args.logs.clone(), reading: args.reading.clone() };
    intake::visits(&logs, &args.resources, config).map(Some)
}

fn mirror_of(args: &SimulateArgs, config: &Config, has_topic: bool) -> Result<Mirror> {
    let options = MirrorOptions {
        texts: if has_topic { Texts::Kept } else { Texts::Dropped },
        url_list: args.url_list.clone(),
        ..MirrorOptions::default()
    };
    let is_log = args.mirror.iter().any(|path| args.logs.contains(path));
    let mirror = match open_mirror(&args.mirror, None, &options) {
        Err(trodden_lab::Error::NotAMirror { .. }) if is_log || intake::are_logs(&args.mirror, &args.reading)? => {
            mirror_of_log(args, config, &options)?
        }
        Ok(_) if is_log && !is_visits(&args.mirror) => mirror_of_log(args, config, &options)?,
        opened => opened?,
    };
    for note in mirror.notes.lines() {
        say(&format!("mirror: {note}"));
    }
    Ok(mirror)
}

fn is_visits(paths: &[String]) -> bool {
    paths.iter().all(|path| intake::is_visits(path))
}

/// A log as a site: everything that was answered, whoever asked.
fn mirror_of_log(args: &SimulateArgs, config: &Config, options: &MirrorOptions) -> Result<Mirror> {
    let mut config = config.clone();
    config.cleaning.bots = BotRule::Kept;
    (config.cleaning.groups, config.cleaning.scanners) = (false, false);
    let logs = LogArgs { logs: args.mirror.clone(), reading: args.reading.clone() };
    say("the mirror is the log: read again, every page that was answered counts, whoever asked");
    let visits = intake::visits(&logs, &args.resources, &config)?;
    let mut mirror = open_mirror(&visits.paths, Some(Kind::Visits), options)?;
    // The visits go when this returns; what it was made of is the log.
    mirror.files = args.mirror.iter().map(PathBuf::from).collect();
    mirror.name = args.mirror.first().map(|path| file_name(Path::new(path))).unwrap_or_default();
    Ok(mirror)
}

fn starts_of(args: &SimulateArgs, mirror: &Mirror) -> Result<Vec<u32>> {
    if args.starts.is_empty() {
        let home = mirror.home().with_context(|| no_start(mirror))?;
        if mirror.entry.is_none() {
            say(&format!("starting at {} (--start URL for another page)", mirror.urls.name(home)));
        }
        return Ok(vec![home]);
    }
    let mut starts = Vec::new();
    for start in &args.starts {
        let page = mirror.find(start).with_context(|| format!("--start {start}"))?;
        if !starts.contains(&page) {
            starts.push(page);
        }
    }
    Ok(starts)
}

/// Why there is no start, and what could be one: the page with the most links.
fn no_start(mirror: &Mirror) -> String {
    let most = (0..mirror.pages()).max_by_key(|page| (mirror.graph.targets(*page).len(), std::cmp::Reverse(*page)));
    let example = most.map_or_else(String::new, |page| format!(", as --start {}", mirror.urls.name(page)));
    format!("which page is the start? Say it with --start{example} (the page with the most links)")
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

fn record(args: &SimulateArgs, mirror: &Mirror, starts: &[u32], past: Option<&Past>) -> Result<Record> {
    let mut inputs: Vec<String> = match mirror.entry {
        // Visits and logs are named as they were typed, so that those that are learnt from, too, are one input.
        Some(_) => args.mirror.clone(),
        None => mirror.files.iter().map(|file| file.to_string_lossy().into_owned()).collect(),
    };
    inputs.extend(args.logs.iter().cloned());
    if let TrafficSource::File(path) = &args.traffic {
        inputs.push(path.to_string_lossy().into_owned());
    }
    inputs.sort();
    inputs.dedup();
    let mut settings = BTreeMap::new();
    let mut set = |name: &str, value: String| settings.insert(name.to_owned(), value);
    set("goal", Goal::from(args.goal).name().to_owned());
    set("rerank", args.rerank.to_string());
    set("hot", args.hot.to_string());
    set("buffer", args.buffer.to_string());
    set("order", if args.exact { "exact" } else { "levels" }.to_owned());
    set("starts", starts.iter().map(|page| mirror.urls.name(*page)).collect::<Vec<_>>().join(" "));
    if let Some(pages) = args.pages {
        set("pages", pages.to_string());
    }
    if let Some(topic) = &args.topic {
        set("topic", topic.clone());
    }
    if let Some(past) = past {
        set("training visits", past.split.training_visits.to_string());
        set(
            "training ends",
            match past.split.cut_ms {
                i64::MAX => "with the log".to_owned(),
                time => trodden_logs::visits::time_text(time),
            },
        );
        set("hidden", args.hide.iter().map(Hide::to_string).collect::<Vec<_>>().join(" "));
        set("traffic", args.traffic.to_string());
    }
    let hashes = hash_of_inputs(&inputs)?;
    Ok(Record { version: env!("CARGO_PKG_VERSION").to_owned(), seed: args.seed, inputs: hashes, settings })
}
