//! From visits to all that a crawl may know of people: models, counts, and where they went.
//!
//! [`train`] does it for callers that have room for all sites at once: an experiment, a crawl, a service. Whoever has more
//! sites than memory takes the parts: [`fill_site_tables`] hands on one table a site,
//! [`MiningGroups`] says which of them fit together, and [`mine_together`] makes their models on all cores.

mod groups;
mod mined;

use std::collections::BTreeMap;
use std::path::PathBuf;

use trodden_mining::{MiningSettings, NoModel, SiteModel, Slices};
use trodden_urls::UrlGlobs;

use crate::error::Error;
use crate::triples::{FilledTable, TableSettings, TableUse, fill_site_tables};
use crate::visits::VisitSource;
pub use groups::MiningGroups;
pub use mined::{MineSettings, NotMined, mine_table, mine_together};

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

impl Training {
    /// A URL of [`Training::urls`] as it is fetched: `https://www.example.org/path`.
    #[must_use]
    pub fn fetchable(&self, url: &str) -> String {
        let (host, path) = url.split_at(url.find(['/', '?']).unwrap_or(url.len()));
        self.origins.get(host).map_or_else(|| format!("http://{url}"), |origin| format!("{origin}{path}"))
    }
}

/// Learns from visits.
///
/// # Errors
/// If the visits cannot be read, or a site does not fit in the memory.
pub fn train(source: impl Into<VisitSource>, settings: &TrainingSettings) -> Result<Training, Error> {
    let tables = TableSettings {
        window_days: settings.window_days,
        last_days: settings.last_days,
        kept_readers: settings.min_users,
        known: Vec::new(),
        are_public: false,
        exclude: UrlGlobs::default(),
        memory: settings.memory,
        table_use: TableUse::Mined,
        threads: settings.threads,
        scratch: settings.scratch.clone(),
    };
    let mut filled = Vec::new();
    let all = fill_site_tables(source, &tables, |table| -> Result<(), Error> {
        filled.push(table);
        Ok(())
    })?;
    all.all_fit()?;
    let mine = MineSettings {
        mining: settings.mining.clone(),
        min_users: settings.min_users,
        dedup_days: settings.window_days,
        exclude: Vec::new(),
    };
    let mined = mine_together(&filled, &mine);
    let mut training = Training::default();
    for (filled, mined) in filled.iter().zip(mined) {
        match mined {
            Ok(model) => training.models.push(model),
            Err(NotMined::NoModel(why)) => training.without_model.push((filled.table.site().to_owned(), why)),
            Err(NotMined::Panicked(panic)) => std::panic::resume_unwind(panic),
        }
        training.add_counts(filled);
    }
    Ok(training)
}

impl Training {
    fn add_counts(&mut self, filled: &FilledTable) {
        let table = &filled.table;
        self.origins.extend(filled.origins().map(|(host, origin)| (host.to_owned(), origin.to_owned())));
        let start = self.urls.len() as u32;
        let urls = 0..table.len() as u32;
        self.users.extend(urls.clone().map(|url| table.counts(url).users));
        self.urls.extend(urls.map(|url| (table.url(url).to_owned(), table.counts(url).slices)));
        self.transits.extend(table.transits().iter().map(|(from, to, _)| (start + from, start + to)));
    }
}
