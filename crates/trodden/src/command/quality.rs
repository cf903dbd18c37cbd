//! `trodden quality`: how good are the patterns of a model on visits that it was not learnt from? [`trodden_lab::quality`] judges.

use anyhow::{Context, Result, bail};
use trodden_lab::quality::{
    Census, MirrorUrls, PageShelf, QualityReport, ShelfTally, SiteSums, UrlPlaces, judge_site, sentence,
};
use trodden_logs::NamedSite;
use trodden_logs::visits::StoredVisits;
use trodden_urls::Aliases;

use crate::args::{QualityArgs, Resources, TableFormat};
use crate::config::Config;
use crate::output::{counted, data, say, thousands};
use crate::{intake, known, machine, model_file};

/// Judges the models of all sites that the visits are of.
pub(crate) fn run(args: &QualityArgs) -> Result<()> {
    let config = Config::load(&args.settings)?;
    let models = model_file::open(&args.model)?;
    let only = args.logs.reading.site.as_deref().map(NamedSite::parse).transpose()?;
    let aliases = config.sites.aliases.iter().chain(&args.logs.reading.aliases).map(String::as_str);
    let aliases = Aliases::parse(aliases).context("--alias")?;
    let resources = Resources { threads: None, memory: args.memory, scratch: None };
    let memory = args.memory.map_or_else(machine::half_of_memory, |m| m.0);
    let visits = intake::visits(&args.logs, &resources, &config)?;
    let stored = StoredVisits::find(&visits.paths)?;
    let census = Census::take(&stored, &models, only.as_ref().map(|only| only.host().as_str()))?;
    census.faults.iter().for_each(|fault| say(&format!("warning: {fault}")));
    check(&census, args)?;
    let places = UrlPlaces::new(config.urls.clone(), aliases, stored.grouping());
    let mirror = MirrorUrls::new(&census, &places, &known::known_urls(&args.urls, memory / 4, machine::cores())?);
    if mirror.elsewhere > 0 {
        say(&format!("left out: {} of --urls, of sites that are not judged", counted(mirror.elsewhere, "URL")));
    }
    let mut shelf = PageShelf::new(&census, &places, memory / 4);
    for path in &args.pages {
        shelf.read(path)?;
    }
    notes(shelf.tally(), !args.pages.is_empty()).iter().for_each(|note| say(note));
    let mut report = QualityReport::new(&census, shelf.tally());
    let mut judgments = Vec::new();
    let mut all = SiteSums::default();
    for batch in census.batches(memory / 2) {
        for (site, later) in batch.read(&stored)? {
            let model = models.model(site.model)?;
            let judged = judge_site(&model, site, &later, shelf.take(&model.site).as_ref(), args.pairs, &mirror);
            all.add(&judged);
            judgments.push(judged.judgment());
            match args.format {
                TableFormat::Table => data(&judged.table())?,
                TableFormat::Json => report.sites.push(judged),
            }
        }
    }
    match args.format {
        TableFormat::Table => {
            if judgments.len() > 1 {
                data(&all.summary().table())?;
            }
            let again = format!("trodden mine LOG -o {}", args.model.display());
            sentence(&judgments, &again).iter().for_each(|sentence| say(sentence));
            Ok(())
        }
        TableFormat::Json => {
            report.summary = (judgments.len() > 1).then(|| all.summary());
            data(&(serde_json::to_string_pretty(&report)? + "\n"))
        }
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

/// What the operator should know of the pages, if some were `named`.
fn notes(tally: ShelfTally, named: bool) -> Vec<String> {
    let ShelfTally { kept, elsewhere, again, no_room, bad } = tally;
    let mut notes = Vec::new();
    if named && kept == 0 {
        notes.push("warning: no page is of a site that is judged; layouts are not compared".to_owned());
    }
    for (n, what) in [
        (elsewhere, "pages of other sites, or without a URL"),
        (again, "pages with a URL that had one already; the first counts"),
        (no_room, "pages that memory had no room for (--memory)"),
        (bad, "pages or files that cannot be read"),
    ] {
        if n > 0 {
            notes.push(format!("left out: {} {what}", thousands(n)));
        }
    }
    notes
}
