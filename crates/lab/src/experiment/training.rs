//! All that a policy may know of people: models and counts, from training visits alone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;
use trodden_logs::triples::{FilledTable, TableSettings, TableUse, fill_site_tables};
use trodden_mining::model::Learnt;
use trodden_mining::{MiningSettings, NoModel, Origin, SiteModel, Slices, mine_site};
use trodden_urls::UrlGlobs;

use crate::error::Error;

/// How training visits become models.
#[derive(Clone, Debug)]
pub struct TrainingSettings {
    /// How sites are mined.
    pub mining: MiningSettings,
    /// Users that must have visited what a model names.
    pub min_users: u32,
    /// Length of the de-duplication window, in days.
    pub window_days: u32,
    /// Only the last so many days of training.
    pub last_days: Option<u32>,
    /// Bytes of memory to stay within.
    pub memory: u64,
    /// Threads that unpack files.
    pub threads: usize,
    /// Where scratch files go.
    pub scratch: PathBuf,
}

/// What was learnt.
#[derive(Debug, Default)]
pub struct Training {
    /// By site.
    pub models: Vec<SiteModel>,
    /// Sites that have none, and why.
    pub without_model: Vec<(String, NoModel)>,
    /// URLs without scheme and `www.`, and when they were visited (de-duplicated); some were not.
    pub urls: Vec<(String, Slices)>,
    /// How many users visited each of `urls`: whoever names URLs to others needs it for the floor of privacy.
    pub users: Vec<u64>,
    /// Where people went from where: places in `urls`.
    pub transits: Vec<(u32, u32)>,
    /// By host, without `www.`: its origin as most visits write it.
    pub origins: BTreeMap<String, String>,
}

/// Learns from a directory of visits.
///
/// # Errors
/// If the visits cannot be read.
pub fn train(dir: &str, settings: &TrainingSettings) -> Result<Training, Error> {
    let tables = TableSettings {
        window_days: settings.window_days,
        last_days: settings.last_days,
        kept_readers: settings.min_users,
        known: Vec::new(),
        exclude: UrlGlobs::default(),
        memory: settings.memory,
        table_use: TableUse::Mined,
        threads: settings.threads,
        scratch: settings.scratch.clone(),
    };
    let mut filled = Vec::new();
    let all = fill_site_tables(&[dir.to_owned()], &tables, |table| -> Result<(), Error> {
        filled.push(table);
        Ok(())
    })?;
    all.all_fit()?;
    let mined: Vec<Result<SiteModel, NoModel>> = filled
        .par_iter()
        .map(|filled| mine_site(&filled.table, &origin(filled, settings), settings.min_users, &settings.mining))
        .collect();
    let mut training = Training::default();
    for (filled, mined) in filled.iter().zip(mined) {
        match mined {
            Ok(model) => training.models.push(model),
            Err(why) => training.without_model.push((filled.table.site().to_owned(), why)),
        }
        training.origins.extend(filled.origins().map(|(host, origin)| (host.to_owned(), origin.to_owned())));
        let start = training.urls.len() as u32;
        let urls = 0..filled.table.len() as u32;
        training.users.extend(urls.clone().map(|url| filled.table.counts(url).users));
        training.urls.extend(urls.map(|url| (filled.table.url(url).to_owned(), filled.table.counts(url).slices)));
        training.transits.extend(filled.table.transits().iter().map(|(from, to, _)| (start + from, start + to)));
    }
    Ok(training)
}

fn origin(filled: &FilledTable, settings: &TrainingSettings) -> Origin {
    Origin {
        origins: filled.origins().map(|(host, origin)| (host.to_owned(), origin.to_owned())).collect(),
        learnt: Learnt {
            first_ms: filled.first_ms,
            last_ms: filled.last_ms,
            dedup_days: settings.window_days,
            visits: filled.visits,
            users: filled.table.users(),
        },
    }
}
