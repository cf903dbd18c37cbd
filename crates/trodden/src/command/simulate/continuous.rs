//! `trodden simulate --continuous`: which schedule of revisits keeps most visits fresh?

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use trodden_lab::crawl::Progress;
use trodden_lab::experiment::{Hidden, SplitAt, Traffic, TrafficKind, split};
use trodden_lab::history::{History, MadeUp, table};
use trodden_lab::mirror::Mirror;
use trodden_lab::result::Record;
use trodden_lab::revisits::births::{births_by_links, births_by_paths, order_by_links, order_by_paths};
use trodden_lab::revisits::compare::trials;
use trodden_lab::revisits::weights::read_weights;
use trodden_lab::revisits::{PageLives, RevisitComparison, RevisitSettings, RevisitWorld, compare_schedules, show};
use trodden_lab::{UrlTexts, hash_of_inputs};
use trodden_logs::visits::StoredVisits;

use super::mirror::{mirror_of, starts_of};
use super::past::log_of;
use crate::args::{HistorySource, SimulateArgs, TableFormat, TrafficSource};
use crate::config::Config;
use crate::output::{counted, data, say};
use crate::progress::Watch;
use crate::{machine, outputs, screen};

/// Compares all schedules.
pub(super) fn run(args: &SimulateArgs) -> Result<()> {
    let result = compare(args)?;
    match args.format {
        TableFormat::Json => data(&show::json(&result))?,
        TableFormat::Table => data(&show::table(&result, screen::of_stdout().width))?,
    }
    if let Some(dir) = &args.output {
        let files = show::write(dir, &result).with_context(|| format!("cannot write to {}", dir.display()))?;
        files.iter().for_each(|file| say(&format!("written: {}", file.display())));
    }
    Ok(())
}

fn compare(args: &SimulateArgs) -> Result<RevisitComparison> {
    let Some(source) = &args.history else {
        bail!(
            "--continuous needs to know when pages change; name a table with --history FILE, or --history made-up:365d"
        )
    };
    let config = Config::load(&args.settings)?;
    let inputs = inputs(args);
    if let Some(dir) = &args.output {
        outputs::keep_apart(dir, &inputs)?;
        show::FILES.iter().try_for_each(|name| outputs::keep_apart(&dir.join(name), &inputs))?;
    }
    let (lives, weights, births, order) = match (&args.mirror[..], source) {
        ([], HistorySource::File(path)) => {
            let (urls, history) = table::read_alone(path)?;
            told(&history);
            let lives = PageLives::new(&history, &urls, urls.len() as u32)?;
            let weights = weights_of(args, &config, &urls, None)?;
            let births = births_by_paths(&lives, &urls);
            (lives, weights, births, order_by_paths(&urls, urls.len() as u32))
        }
        ([], HistorySource::MadeUp(_)) => bail!("--history made-up:DAYS changes a mirror; name one before the options"),
        (_, source) => {
            let mirror = mirror_of(args, &config, false, None)?;
            let starts = starts_of(args, &mirror)?;
            let history = match source {
                HistorySource::File(path) => table::read(path, &mirror)?,
                HistorySource::MadeUp(days) => MadeUp { days: *days, seed: args.seed }.history(&mirror, &starts),
            };
            told(&history);
            let weights = weights_of(args, &config, &mirror.urls, Some(&mirror))?;
            let lives = PageLives::new(&history, &mirror.urls, mirror.pages())?;
            let births = births_by_links(&lives, &mirror.graph);
            (lives, weights, births, order_by_links(&mirror.graph, &starts))
        }
    };
    let settings = RevisitSettings { budgets: args.budgets.clone(), schedules: args.schedules.clone() };
    let progress = Arc::new(Progress::default());
    let asked = progress.clone();
    crate::interrupt::on_interrupt(move || asked.stop.store(true, Ordering::Relaxed))?;
    let watch = Watch::trials(progress.clone(), trials(&settings));
    let threads = args.resources.threads.unwrap_or_else(machine::cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    let record = Record {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: args.seed,
        inputs: hash_of_inputs(&inputs)?,
        settings: settings_of(args),
    };
    let result = pool.install(|| {
        let name = source.to_string();
        let world =
            RevisitWorld { name: &name, lives: &lives, weights: weights.as_deref(), births: &births, order: &order };
        compare_schedules(&world, &settings, record, (&progress.fetched, &progress.stop))
    });
    drop(watch);
    Ok(result?)
}

/// Everything that is read.
fn inputs(args: &SimulateArgs) -> Vec<String> {
    let mut inputs: Vec<String> = args.mirror.iter().chain(&args.logs).cloned().collect();
    if let Some(HistorySource::File(path)) = &args.history {
        inputs.push(path.to_string_lossy().into_owned());
    }
    if let TrafficSource::File(path) = &args.traffic {
        inputs.push(path.to_string_lossy().into_owned());
    }
    inputs.sort();
    inputs.dedup();
    inputs
}

fn settings_of(args: &SimulateArgs) -> BTreeMap<String, String> {
    let mut settings = BTreeMap::new();
    settings.extend(args.history.as_ref().map(|history| ("history".to_owned(), history.to_string())));
    settings.insert("traffic".to_owned(), args.traffic.to_string());
    settings
}

fn told(history: &History) {
    if history.elsewhere > 0 || history.unused > 0 {
        say(&format!(
            "history: {}, {} of URLs that are not in the mirror, {} of other kinds",
            counted(history.rows, "row"),
            counted(history.elsewhere, "row"),
            counted(history.unused, "row"),
        ));
    }
    history.damaged.iter().for_each(|file| say(&format!("history: damaged, read up to there: {file}")));
}

/// Visits by page; none if nothing is known of them.
fn weights_of(
    args: &SimulateArgs,
    config: &Config,
    urls: &UrlTexts,
    mirror: Option<&Mirror>,
) -> Result<Option<Vec<f64>>> {
    if let TrafficSource::File(path) = &args.traffic {
        let (weights, elsewhere) = read_weights(path, urls)?;
        let all: f64 = weights.iter().sum::<f64>() + elsewhere;
        if elsewhere > 0.0 && all > 0.0 {
            say(&format!("traffic: {:.1} % is to URLs that are not in the history", 100.0 * elsewhere / all));
        }
        return Ok(Some(weights));
    }
    let Some(log) = log_of(args, config)? else {
        say("all pages count alike; say how often they are visited with --traffic FILE");
        return Ok(None);
    };
    let Some(mirror) = mirror else {
        bail!("--log needs a mirror, which says what its URLs are; name one before the options, or use --traffic FILE")
    };
    let scratch = args.resources.scratch.clone().unwrap_or_else(std::env::temp_dir);
    let dir = tempfile::Builder::new().prefix("trodden-visits-").tempdir_in(&scratch);
    let dir = dir.with_context(|| format!("cannot make a scratch folder in {}", scratch.display()))?;
    let cut = args.train_until.map_or(SplitAt::Share(args.train_share), |until| SplitAt::Until(until.0));
    let later = split(&StoredVisits::find(&log.paths)?, cut, &Hidden::default(), dir.path())?;
    let kind = match args.traffic {
        TrafficSource::Visits => TrafficKind::Visits,
        TrafficSource::Search => TrafficKind::Search,
        TrafficSource::Unique | TrafficSource::File(_) => TrafficKind::Unique,
    };
    Ok(Some(Traffic::of(&later, &kind, mirror, &vec![true; mirror.pages() as usize]).all))
}
