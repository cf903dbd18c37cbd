//! What a crawler could know of a mirror's site; and oracles, who know more.

use std::sync::Arc;

use trodden_frontier::UrlId;
use trodden_ordering::PolicyName;
use trodden_ordering::policy::CannotRun;
use trodden_ordering::policy::blend::Past;
pub use trodden_ordering::policy::build::PolicySettings;
use trodden_ordering::policy::build::{AnyPolicy, Knowledge, Learnt, Sight};
use trodden_ordering::policy::by_value::{ByValue, Fineness};
use trodden_ordering::standing::CompiledModels;

use super::traffic::Traffic;
use super::training::Training;
use crate::graph::PageId;
use crate::importance;
use crate::mirror::Mirror;

/// A policy over the pages of a mirror.
pub type MirrorPolicy = AnyPolicy;

/// What can be known of a mirror's site from training.
pub fn knowledge<'e>(
    mirror: &Mirror,
    starts: &[PageId],
    training: Option<&'e Training>,
    settings: &'e PolicySettings,
) -> Knowledge<'e> {
    Knowledge {
        starts: starts.len() as u32,
        sight: Sight { urls: mirror.urls.has_urls(), anchors: mirror.anchors.is_some(), texts: mirror.texts.is_some() },
        learnt: training.map(|training| Learnt {
            models: &training.models,
            compiled: Arc::new(CompiledModels::new(&training.models)),
            past: Arc::new(past(mirror, training)),
            trace: Arc::default(),
            without_model: training.without_model.first().map(|(_, why)| why.to_string()),
        }),
        settings,
    }
}

/// What training says of single pages. Several URLs may be one page; their visits are its visits.
fn past(mirror: &Mirror, training: &Training) -> Past {
    let page_of = |url: &str| mirror.page_of_visit(url).map(UrlId);
    let pages: Vec<Option<UrlId>> = training.urls.iter().map(|(url, _)| page_of(url)).collect();
    let visits = pages.iter().zip(&training.urls).filter_map(|(page, (_, slices))| Some(((*page)?, *slices)));
    let page = |url: u32| pages[url as usize];
    let transits = training.transits.iter().filter_map(|(from, to)| Some((page(*from)?, page(*to)?)));
    Past::new(visits, transits)
}

/// An oracle: a policy that knows the whole mirror, or the future.
///
/// # Errors
/// Why it cannot run here.
pub fn oracle(name: &PolicyName, mirror: &Mirror, future: Option<&Traffic>) -> Result<MirrorPolicy, CannotRun> {
    let values = match name {
        PolicyName::PageRankWhole => importance::pagerank_of(&mirror.graph),
        PolicyName::Ideal | PolicyName::IdealUnlinked => future.ok_or(CannotRun::NoTraffic)?.all.clone(),
        _ => return Err(CannotRun::NoOracle),
    };
    Ok(Box::new(ByValue::new((0..).map(UrlId).zip(values), Fineness::Exact)))
}
