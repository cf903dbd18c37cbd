//! `trodden quality`: how good are the patterns of a model on visits that it was not learnt from?
//!
//! Visits are read twice: once for which sites there are and how many of their visits are later than what their model
//! was learnt from ([`census`]), and once, a batch of sites at a time, for the URLs. [`pages`] brings the pages of an
//! archive to their sites; [`report`] prints, and [`verdict`] says what it comes to. The measures are in `trodden_mining::quality`.

mod census;
mod pages;
mod report;
mod verdict;

use anyhow::{Result, bail};
use trodden_logs::NamedSite;
use trodden_logs::visits::StoredVisits;
use trodden_mining::SiteModel;
use trodden_mining::quality::{LayoutQuality, SplitMix64, judge, judge_layout};

use crate::args::{QualityArgs, Resources, TableFormat};
use crate::config::Config;
use crate::output::{data, say, thousands};
use crate::{intake, machine, model_file};

use census::Census;
use pages::{PageShelf, SitePages};
use report::{JudgedSite, Report};

/// Random pairs of pages that are compared for each site.
const RANDOM_PAIRS: u32 = 10_000;
/// What fixes them.
const SEED: u64 = 2011;

/// Judges the models of all sites that the visits are of.
pub(crate) fn run(args: &QualityArgs) -> Result<()> {
    let config = Config::load(&args.settings)?;
    let models = model_file::open(&args.model)?;
    let only = args.logs.reading.site.as_deref().map(NamedSite::parse).transpose()?;
    let resources = Resources { threads: None, memory: args.memory, scratch: None };
    let memory = args.memory.map_or_else(machine::half_of_memory, |m| m.0);
    let visits = intake::visits(&args.logs, &resources, &config)?;
    let stored = StoredVisits::find(&visits.paths)?;
    let census = Census::take(&stored, &models, only.as_ref().map(|only| only.host().as_str()))?;
    check(&census, args)?;
    let mut shelf = PageShelf::new(&census, &config, &args.logs, stored.grouping(), memory / 4)?;
    for path in &args.pages {
        shelf.read(path)?;
    }
    shelf.notes(!args.pages.is_empty()).iter().for_each(|note| say(note));
    let mut report = Report::new(&census, shelf.tally());
    let mut judgments = Vec::new();
    for batch in census.batches(memory / 2) {
        for (site, later) in batch.read(&stored)? {
            let model = models.model(site.model)?;
            let quality = judge(&model, &later);
            let layout = shelf.take(&model.site).map(|pages| layout(&model, &pages, args.pairs));
            let judged = JudgedSite::new(&model, site, quality, layout);
            judgments.push(judged.judgment());
            match args.format {
                TableFormat::Table => data(&judged.table())?,
                TableFormat::Json => report.sites.push(judged),
            }
        }
    }
    match args.format {
        TableFormat::Table => {
            let again = format!("trodden mine LOG -o {}", args.model.display());
            verdict::sentence(&judgments, &again).iter().for_each(|sentence| say(sentence));
            Ok(())
        }
        TableFormat::Json => data(&(serde_json::to_string_pretty(&report)? + "\n")),
    }
}

fn check(census: &Census<'_>, args: &QualityArgs) -> Result<()> {
    let (sites, visits) = (census.without_model.len() as u64, census.without_model.values().sum::<u64>());
    match (census.sites.is_empty(), sites) {
        (true, 0) => bail!("there are no visits in {}", args.logs.logs.join(", ")),
        (true, n) => bail!(
            "none of the sites of {} ({}) has a model in {}; is it the model of another site?",
            args.logs.logs.join(", "),
            thousands(n),
            args.model.display()
        ),
        (false, 0) => {}
        (false, n) => say(&format!(
            "left out: {} {} without a model, with {} visits",
            thousands(n),
            if n == 1 { "site" } else { "sites" },
            thousands(visits)
        )),
    }
    Ok(())
}

fn layout(model: &SiteModel, pages: &SitePages, most_pairs: usize) -> LayoutQuality {
    let (urls, profiles): (Vec<&str>, Vec<_>) = pages.iter().map(|(url, profile)| (url.as_str(), profile)).unzip();
    let likeness = |i: usize, j: usize| profiles[i].similarity(profiles[j]);
    judge_layout(model, &urls, most_pairs, RANDOM_PAIRS, &mut SplitMix64::new(SEED), likeness)
}
