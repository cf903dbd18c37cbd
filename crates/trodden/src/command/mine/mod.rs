//! `trodden mine`: logs or visits → a model of each site.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget};
use rayon::prelude::*;
use serde::Serialize;
use trodden_logs::NamedSite;
use trodden_logs::training::{MineSettings, MiningGroups, NotMined, mine_together};
use trodden_logs::triples::{Filled, FilledTable, TableSettings, TableUse, TooLarge, fill_site_tables, known_bytes};
use trodden_logs::visits::VisitSource;
use trodden_mining::model::Ranked;
use trodden_mining::{Goal, NoModel, Order, SiteModel};
use trodden_urls::UrlGlobs;

use crate::args::{MineArgs, Resources, TableFormat};
use crate::config::Config;
use crate::model_file::ModelWriter;
use crate::output::{counted, data, percent, say, thousands};
use crate::progress::style;
use crate::size::Bytes;
use crate::{intake, known, machine, outputs, pattern_table};

/// How many patterns the report ends with.
const FIRST: usize = 10;

/// Mines all sites, writes their models and tells what the most visited one is like.
pub(crate) fn run(args: &MineArgs) -> Result<()> {
    let (report, largest) = mine(args)?;
    match args.format {
        TableFormat::Json => data(&(serde_json::to_string_pretty(&report)? + "\n")),
        TableFormat::Table => conclude(args, &report, &largest),
    }
}

/// Mines all sites and writes their models; the model with the most visits.
pub(crate) fn mine(args: &MineArgs) -> Result<(MineReport, SiteModel)> {
    let config = Config::load(&args.settings)?;
    let mut settings = config.mining.clone();
    if let Some(tree) = args.tree {
        settings.tree = tree.into();
    }
    let min_users = match args.min_users {
        Some(n) => n,
        None => u32::try_from(config.privacy.min_users).context("privacy.min_users is too large")?,
    };
    // What can go wrong quickly goes wrong before the logs are read.
    let exclude = UrlGlobs::new(&args.exclude).context("--exclude")?;
    if let Some(output) = &args.output {
        let urls = args.urls.iter().map(|path| path.to_string_lossy().into_owned());
        let inputs: Vec<String> = args.logs.logs.iter().cloned().chain(urls).collect();
        outputs::keep_apart(output, &inputs)?;
        outputs::may_hold_model(output, args.logs.reading.force)?;
    }
    let threads = args.resources.threads.unwrap_or_else(machine::cores);
    let memory = args.resources.memory.map_or_else(machine::half_of_memory, |m| m.0);
    let known = known::known_urls(&args.urls, memory, threads)?;
    let writer = args.output.as_deref().map(ModelWriter::create).transpose()?;
    let start = Instant::now();
    // What is known already is there while logs are taken in; and of what that gives back, the allocator keeps some.
    let held: u64 = known.iter().map(|url| known_bytes(url)).sum();
    let for_logs = memory.saturating_sub(held) / 8 * 7;
    let resources = Resources { memory: Some(Bytes(for_logs.max(1))), ..args.resources.clone() };
    let visits = intake::visits(&args.logs, &resources, &config)?;
    let taken_in = start.elapsed();
    let only = args.logs.reading.site.as_deref().map(NamedSite::parse).transpose()?;
    let settings =
        MineSettings { mining: settings, min_users, dedup_days: args.dedup_days, exclude: args.exclude.clone() };
    let mut models = Models {
        settings: &settings,
        pool: rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?,
        writer,
        report: MineReport::default(),
        largest: None,
        mining: Duration::ZERO,
        bar: bar(),
    };
    let table_settings = TableSettings {
        window_days: args.dedup_days,
        last_days: args.window,
        kept_readers: min_users,
        known,
        are_public: args.public,
        exclude,
        memory,
        table_use: TableUse::Mined,
        threads,
        scratch: args.resources.scratch.clone().unwrap_or_else(std::env::temp_dir),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    crate::interrupt::on_interrupt(move || asked.store(true, Ordering::Relaxed))?;
    let mut groups = MiningGroups::new(memory, threads);
    let source = VisitSource::find(&visits.paths)?;
    let filled = fill_site_tables(source, &table_settings, |filled| -> Result<()> {
        if stop.load(Ordering::Relaxed) {
            bail!("stopped; nothing was written. To go on, run the same command again");
        }
        if only.as_ref().is_none_or(|only| only.host().as_str() == filled.table.site()) {
            groups.push(filled).into_iter().try_for_each(|group| models.mine(group))?;
        }
        Ok(())
    })?;
    models.mine(groups.take())?;
    models.bar.finish_and_clear();
    say_known(&table_settings.known, &filled);
    say_excluded(&args.exclude, &filled);
    let Models { writer, mut report, largest, mining, .. } = models;
    report.excluded_visits = filled.visits_excluded;
    let is_wanted = |site: &str| only.as_ref().is_none_or(|only| only.host().as_str() == site);
    let too_large: Vec<&TooLarge> = filled.too_large.iter().filter(|large| is_wanted(&large.site)).collect();
    if let Some(why) = left_out(&too_large) {
        report.skipped.insert(why, too_large.len() as u64);
    }
    if report.sites == 0 && report.skipped.is_empty() {
        if filled.visits_excluded > 0 {
            bail!("no visit is left: all {} are excluded (--exclude)", thousands(filled.visits_excluded));
        }
        let site = only.map_or_else(String::new, |only| format!(" of {}", only.host().as_str()));
        bail!("there are no visits{site} in {}", args.logs.logs.join(", "));
    }
    let Some(largest) = largest else {
        for (why, n) in &report.skipped {
            say(&format!("{n} left out: {why}"));
        }
        bail!("no site could be mined");
    };
    if let Some(writer) = writer {
        writer.finish()?;
    }
    let total = start.elapsed();
    report.seconds = Seconds {
        ingest: taken_in.as_secs_f64(),
        reading: (total - taken_in - mining).as_secs_f64(),
        mining: mining.as_secs_f64(),
    };
    Ok((report, largest))
}

/// Why sites were left out that do not fit in the memory, and what to do. They are not named: nobody knows how many users
/// they have.
fn left_out(sites: &[&TooLarge]) -> Option<String> {
    let largest = TooLarge::largest(sites.iter().copied())?;
    let it = if sites.len() == 1 { "the site" } else { "the largest" };
    Some(format!(
        "too many different URLs for the memory: {it} has about {}, and takes --memory {}MB",
        thousands(largest.urls),
        megabytes(largest.memory)
    ))
}

/// Rounded up to what people would type.
pub(crate) fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(10_000_000) * 10
}

/// What of the known URLs was of use.
fn say_known(known: &[String], filled: &Filled) {
    if known.is_empty() {
        return;
    }
    let used = known.len() - filled.known_elsewhere.len() - filled.known_faulty.len() - filled.known_excluded;
    say(&format!("{} known URLs are of sites that somebody visited", thousands(used as u64)));
    for (n, what) in [
        (filled.known_elsewhere.len(), "are of sites that nobody visited, and are left out"),
        (filled.known_faulty.len(), "are no URLs"),
        (filled.known_excluded, "are excluded (--exclude)"),
    ] {
        if n > 0 {
            say(&format!("{} {what}", thousands(n as u64)));
        }
    }
}

/// What was left out because it was asked for.
fn say_excluded(globs: &[String], filled: &Filled) {
    match (globs, filled.visits_excluded) {
        ([], _) => {}
        (_, 0) => say(&format!("warning: nobody visited a URL that --exclude {} fits", globs.join(" --exclude "))),
        (_, n) => say(&format!("excluded: {} to URLs like {}", counted(n, "visit"), globs.join(", "))),
    }
}

/// What `mine --format json` prints.
#[derive(Default, Serialize)]
pub(crate) struct MineReport {
    sites: u64,
    urls: u64,
    visits: u64,
    patterns: u64,
    /// Why sites have no model, and how many.
    skipped: BTreeMap<String, u64>,
    /// Visits to URLs that `--exclude` fits.
    #[serde(skip_serializing_if = "is_zero")]
    excluded_visits: u64,
    seconds: Seconds,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[derive(Default, Serialize)]
struct Seconds {
    ingest: f64,
    reading: f64,
    mining: f64,
}

/// What becomes of models.
struct Models<'m> {
    settings: &'m MineSettings,
    pool: rayon::ThreadPool,
    writer: Option<ModelWriter>,
    report: MineReport,
    /// The model with the most visits.
    largest: Option<SiteModel>,
    mining: Duration,
    bar: ProgressBar,
}

impl Models<'_> {
    /// Mines a group of sites, in parallel, and writes their models in their order.
    fn mine(&mut self, group: Vec<FilledTable>) -> Result<()> {
        let start = Instant::now();
        let (settings, with_lines) = (self.settings, self.writer.is_some());
        let line = |model: &SiteModel| if with_lines { model.to_line() } else { Ok(String::new()) };
        let mined: Vec<Result<(SiteModel, String), String>> = self.pool.install(|| {
            let models = mine_together(&group, settings).into_par_iter();
            models
                .map(|model| {
                    let model = model.map_err(|why| in_options(&why))?;
                    let line = line(&model).map_err(|e| e.to_string())?;
                    Ok((model, line))
                })
                .collect()
        });
        drop(group);
        for result in mined {
            match result {
                Ok((model, line)) => self.add(model, &line)?,
                Err(why) => *self.report.skipped.entry(why).or_default() += 1,
            }
            self.bar.inc(1);
        }
        self.mining += start.elapsed();
        Ok(())
    }

    fn add(&mut self, model: SiteModel, line: &str) -> Result<()> {
        if let Some(writer) = &mut self.writer {
            writer.write(line)?;
        }
        self.report.sites += 1;
        self.report.urls += model.nodes[0].urls;
        self.report.visits += model.nodes[0].visits;
        self.report.patterns += model.patterns().count() as u64;
        let visits = |m: &SiteModel| m.nodes[0].visits;
        if self.largest.as_ref().is_none_or(|largest| visits(&model) > visits(largest)) {
            self.largest = Some(model);
        }
        Ok(())
    }
}

/// Why a site has no model, with the option that decides it.
fn in_options(why: &NotMined) -> String {
    match why {
        NotMined::NoModel(NoModel::FewUsers(n)) => {
            format!("fewer than {n} users visited it (--min-users); visits that name no user count as one user's")
        }
        why => why.to_string(),
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(style("mining {spinner} {human_pos} sites  {rate}  {elapsed}"));
    bar
}

/// The first patterns of the largest site, and what follows from them.
fn conclude(args: &MineArgs, report: &MineReport, largest: &SiteModel) -> Result<()> {
    for (why, n) in &report.skipped {
        say(&format!("left out: {} {}: {why}", thousands(*n), if *n == 1 { "site" } else { "sites" }));
    }
    let by = (Goal::Fetch, Order::Expected);
    let ranking = largest.ranking_by(by.0, by.1);
    data(&pattern_table::table(largest, &ranking, Some(FIRST), by))?;
    if report.sites > 1 {
        say(&format!(
            "{}, {}, {}, {}; above is the most visited site, {}",
            counted(report.sites, "site"),
            counted(report.urls, "URL"),
            counted(report.visits, "visit"),
            counted(report.patterns, "pattern"),
            largest.site
        ));
    }
    say(&so_what(largest, &ranking, args));
    Ok(())
}

/// A list that is ahead by less than this (share of visits over share of URLs) tells no kinds apart.
const AHEAD: f64 = 0.05;

/// One sentence about the list above: so what?
fn so_what(model: &SiteModel, ranking: &[Ranked], args: &MineArgs) -> String {
    let root = &model.nodes[0];
    let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    // Of the rows that are shown, those after which the share of visits is furthest ahead of the share of URLs.
    let (mut urls, mut visits) = (0, 0);
    let (mut best, mut ahead) = ((0, 0, 0), 0.0);
    for (at, ranked) in ranking.iter().take(FIRST).enumerate() {
        let node = &model.nodes[ranked.id as usize];
        urls += node.urls;
        visits += node.visits;
        let gap = share(visits, root.visits) - share(urls, root.urls);
        if gap > ahead {
            (best, ahead) = ((at + 1, urls, visits), gap);
        }
    }
    if ahead < AHEAD {
        let [visits, urls] = [(root.visits, "visit"), (root.urls, "URL")].map(|(n, what)| counted(n, what));
        return format!(
            "so: no kind of page stands out in {visits} to {urls}: order them by their own visits \
             (trodden urls), and mine a longer log to tell kinds apart"
        );
    }
    let (patterns, urls, visits) = best;
    let those = match patterns {
        1 => "the first pattern has".to_owned(),
        n if n == ranking.len().min(FIRST) => "the patterns above have".to_owned(),
        n => format!("the first {n} patterns have"),
    };
    let next = match &args.output {
        Some(path) => format!("next: trodden urls {} --top 20", path.display()),
        None => "keep the model with -o FILE".to_owned(),
    };
    format!(
        "so: {those} {} of the visits and {} of the URLs; fetch them first ({next})",
        percent(visits, root.visits),
        percent(urls, root.urls),
    )
}
