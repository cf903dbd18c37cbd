//! `trodden temporal`: which pages, patterns, folders and sites are read while they are new?
//!
//! Views by page and bin of time ([`trodden_logs::views::SeriesTable`]) → curves and scores
//! ([`trodden_mining::interest`]) → a table, JSON, seeds, a page of charts.

mod charts;
mod findings;
mod lists;
mod output;

use anyhow::{Context, Result, bail};
use trodden_logs::NamedSite;
use trodden_logs::views::{SeriesSettings, SeriesTable};
use trodden_logs::visits::StoredVisits;
use trodden_mining::interest::{
    AnalysisSettings, CurveForm, Gains, GroupScore, Labelled, ScoreWeights, TemporalRule, analyze, tune_rule,
    tune_weights, windows,
};
use trodden_urls::{Aliases, SiteKeys};

use crate::args::{FormName, LogArgs, TableFormat, TemporalArgs};
use crate::config::Config;
use crate::output::{data, say};
use crate::{intake, machine};
use findings::Findings;

/// Fits all pages, scores their groups and tells about it.
pub(crate) fn run(args: &TemporalArgs) -> Result<()> {
    let config = Config::load(&args.settings)?;
    let weights = ScoreWeights::new(args.weights[0], args.weights[1]).context("--weights 0:0 weighs nothing")?;
    if !(args.days > 0.0 && (0.0..1.0).contains(&args.share)) {
        bail!("--days must be above 0, and --share from 0 to below 1");
    }
    let listed = args.compare.as_deref().map(lists::sites).transpose()?;
    let labels = args.labels.as_deref().map(lists::labels).transpose()?;
    let table = series(args, &config)?;
    let mut settings = AnalysisSettings {
        bins_a_day: table.bins_a_day(),
        rule: TemporalRule { days: args.days, share: args.share },
        least_views_a_day: args.min_views,
        form: match args.form {
            FormName::Mass => CurveForm::BinMass,
            FormName::Density => CurveForm::PointDensity,
        },
    };
    let threads = args.resources.threads.unwrap_or_else(machine::cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    let min_users = args.min_users.unwrap_or(config.privacy.min_users);
    let groups = findings::Groups::of(&table, args)?;
    let window = bins_of(args.window, &settings);
    let all = match args.step {
        Some(step) => windows(table.bins, window, bins_of(step, &settings)),
        None => windows(table.bins, window, usize::MAX),
    };
    let mut last: Option<Findings<'_>> = None;
    let mut history = Vec::new();
    for range in all {
        let judged =
            pool.install(|| analyze(&groups.pages(&table), groups.sites.names().len(), range.clone(), &settings));
        let found = Findings::new(&table, &groups, judged, range, weights, args, min_users);
        history.push(found.step(last.as_ref()));
        last = Some(found);
    }
    let Some(mut found) = last else { bail!("there is not one bin of views") };
    if let Some(labels) = &labels {
        let tuned = tuned(&found, labels, args, &mut settings)?;
        let judged = pool
            .install(|| analyze(&groups.pages(&table), groups.sites.names().len(), found.window.clone(), &settings));
        found = Findings::new(&table, &groups, judged, found.window.clone(), tuned, args, min_users);
    }
    found.history = history;
    if let Some(listed) = &listed {
        found.compare(listed);
    }
    if let Some(path) = &args.seeds {
        lists::write_seeds(path, &found)?;
    }
    if let Some(path) = &args.report {
        let page = charts::page(&found, settings.rule, args)?;
        std::fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))?;
        say(&format!("the charts are in {}", path.display()));
    }
    match args.format {
        TableFormat::Json => data(&(output::json(&found, &settings)? + "\n")),
        TableFormat::Table => output::table(&found, &settings, args),
    }
}

/// n, q and α : β by what people say of pages.
fn tuned(
    found: &Findings<'_>,
    labels: &[(String, bool)],
    args: &TemporalArgs,
    settings: &mut AnalysisSettings,
) -> Result<ScoreWeights> {
    let mut pages = Vec::new();
    let mut truth = vec![GroupScore::default(); found.judged.groups.len()];
    for (name, is_temporal) in labels {
        let name = name.trim_start_matches("https://").trim_start_matches("http://");
        let name = name.strip_prefix("www.").unwrap_or(name);
        let Ok(place) = found.table.pages.binary_search_by(|page| page.page.as_str().cmp(name)) else { continue };
        let judged = &found.judged.pages[place];
        truth[found.groups.site_of[place] as usize].add(judged.views, *is_temporal);
        if let Ok(interest) = judged.interest {
            pages.push(Labelled { interest, is_temporal: *is_temporal });
        }
    }
    let [hit, miss, false_alarm] = args.gains;
    let Some(best) = tune_rule(&pages, settings.bins_a_day, Gains { hit, miss, false_alarm }) else {
        bail!("of {} labelled pages none has a curve here", labels.len());
    };
    settings.rule = best.rule;
    let (weights, f) = tune_weights(&found.judged.groups, &truth, args.top);
    say(&format!(
        "tuned on {} labelled pages: temporal if more than {:.0} % of its interest comes within {} days ({} found, {} missed, {} false); \
         weights {:.2}:{:.2} (F {f:.3})",
        pages.len(),
        100.0 * best.rule.share,
        best.rule.days,
        best.hits,
        best.misses,
        best.false_alarms,
        weights.pages(),
        weights.views(),
    ));
    Ok(weights)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "days and bins a day are positive and small"
)]
fn bins_of(days: u32, settings: &AnalysisSettings) -> usize {
    (f64::from(days) * settings.bins_a_day).round() as usize
}

/// The views of all pages.
fn series(args: &TemporalArgs, config: &Config) -> Result<SeriesTable> {
    let grouping = args.reading.grouping(config);
    let settings = SeriesSettings {
        bin_ms: args.bin.ms(),
        is_cumulative: args.cumulative,
        pool_queries: !args.keep_queries,
        memory: args.resources.memory.map_or_else(machine::half_of_memory, |m| m.0),
        scratch: args.resources.scratch.clone().unwrap_or_else(std::env::temp_dir),
    };
    if !args.views.is_empty() {
        let site = args.reading.site.as_deref().map(NamedSite::parse).transpose()?;
        let keys = SiteKeys::new(grouping, Aliases::none());
        let table = SeriesTable::of_tables(&args.views, site.as_ref(), &keys, &settings)?;
        let faults: Vec<String> = table.faults.iter().map(|(fault, n)| format!("{} {n}", fault.as_str())).collect();
        if !faults.is_empty() {
            say(&format!("rows that do not count: {}", faults.join(", ")));
        }
        return Ok(table);
    }
    let logs = LogArgs { logs: args.logs.clone(), reading: args.reading.clone() };
    let visits = intake::visits(&logs, &args.resources, config)?;
    let stored = StoredVisits::find(&visits.paths)?;
    Ok(SeriesTable::of_visits(&stored, &settings)?)
}
