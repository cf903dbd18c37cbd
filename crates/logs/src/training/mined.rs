//! From the table of a site to its model, whatever goes wrong with it.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;
use trodden_mining::model::LearntFrom;
use trodden_mining::{MiningSettings, NoModel, SiteModel, TableOrigin, mine_site};

use crate::triples::FilledTable;

/// How tables become models.
#[derive(Clone, Debug)]
pub struct MineSettings {
    /// How sites are mined.
    pub mining: MiningSettings,
    /// Users that must have visited what a model names.
    pub min_users: u32,
    /// The de-duplication window that the tables were filled with, in days.
    pub dedup_days: u32,
    /// Globs of URLs that the tables were filled without: the model keeps them, to know such URLs again.
    pub exclude: Vec<String>,
}

/// Why a site has no model.
pub enum NotMined {
    /// There is too little to mine.
    NoModel(NoModel),
    /// A fault of this program. It costs this site only; what was thrown is here.
    Panicked(Box<dyn Any + Send>),
}

impl fmt::Debug for NotMined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for NotMined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModel(why) => why.fmt(f),
            Self::Panicked(_) => f.write_str("a fault of this program; please report it"),
        }
    }
}

/// Mines some sites on all cores of the current pool; a result for each table, in their order.
#[must_use]
pub fn mine_together(tables: &[FilledTable], settings: &MineSettings) -> Vec<Result<SiteModel, NotMined>> {
    tables.par_iter().map(|filled| mine_table(filled, settings)).collect()
}

/// Mines one site.
///
/// # Errors
/// If it has too few users, or mining it fails.
pub fn mine_table(filled: &FilledTable, settings: &MineSettings) -> Result<SiteModel, NotMined> {
    let origin = TableOrigin {
        origins: filled.origins().map(|(host, origin)| (host.to_owned(), origin.to_owned())).collect(),
        learnt: LearntFrom {
            first_ms: filled.first_ms,
            last_ms: filled.last_ms,
            dedup_days: settings.dedup_days,
            visits: filled.visits,
            users: filled.table.users(),
        },
    };
    let mine = || mine_site(&filled.table, &origin, settings.min_users, &settings.mining);
    let mut model = catch_unwind(AssertUnwindSafe(mine)).map_err(NotMined::Panicked)?.map_err(NotMined::NoModel)?;
    model.exclude.clone_from(&settings.exclude);
    Ok(model)
}
