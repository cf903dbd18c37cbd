//! Which URLs of visits are read most?
//!
//! Site by site, as tables are filled; only the best are kept, so memory does not grow with the number of URLs. A URL with a
//! removed value cannot be fetched, and one that few visited tells of them: both are counted and not listed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::Serialize;
use trodden_urls::UrlGlobs;

use crate::error::Error;
use crate::hosts::NamedSite;
use crate::privacy::has_removed_values;
use crate::triples::{FilledTable, TableSettings, fill_site_tables};
use crate::visits::VisitSource;

/// What is listed.
#[derive(Debug)]
pub struct ListSettings {
    /// URLs at most.
    pub top: usize,
    /// Users that a URL must have.
    pub min_users: u64,
    /// Only URLs of this site.
    pub only: Option<NamedSite>,
    /// URLs that are not listed.
    pub exclude: UrlGlobs,
}

/// One URL. The order of the fields is the order of the list: visits, users, then URL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ReadUrl {
    /// Visits after de-duplication.
    pub visits: u64,
    /// Different users.
    pub users: u64,
    /// Visits that came from it.
    pub referrals: u64,
    /// The URL.
    pub url: Reverse<String>,
}

/// The URLs, most visits first, and what was counted on the way.
#[derive(Debug, Default)]
pub struct ReadUrls {
    /// The list.
    pub rows: Vec<ReadUrl>,
    /// Visits of all sites that were looked at.
    pub visits: u64,
    /// The same after de-duplication.
    pub triples: u64,
    /// Visited URLs.
    pub urls: u64,
    /// Of these, those that are excluded.
    pub excluded: u64,
    /// Those with a removed value.
    pub hidden: u64,
    /// Those of too few users.
    pub rare: u64,
}

/// Lists what is read most.
///
/// # Errors
/// If visits cannot be read, or a site does not fit in the memory.
pub fn most_read(visits: VisitSource, tables: &TableSettings, list: &ListSettings) -> Result<ReadUrls, Error> {
    let mut found = ReadUrls::default();
    let mut top: BinaryHeap<Reverse<ReadUrl>> = BinaryHeap::new();
    let all = fill_site_tables(visits, tables, |filled| -> Result<(), Error> {
        if list.only.as_ref().is_none_or(|only| only.host().as_str() == filled.table.site()) {
            found.add(&filled, list, &mut top);
        }
        Ok(())
    })?;
    all.all_fit()?;
    found.rows = top.into_sorted_vec().into_iter().map(|Reverse(row)| row).collect();
    Ok(found)
}

impl ReadUrls {
    fn add(&mut self, filled: &FilledTable, list: &ListSettings, top: &mut BinaryHeap<Reverse<ReadUrl>>) {
        self.visits += filled.visits;
        self.triples += filled.table.visits();
        for id in 0..u32::try_from(filled.table.len()).unwrap_or(u32::MAX) {
            let counts = filled.table.counts(id);
            if counts.visits == 0 {
                continue;
            }
            self.urls += 1;
            let text = filled.table.url(id);
            if list.exclude.matches_text(text) {
                self.excluded += 1;
            } else if has_removed_values(text) {
                self.hidden += 1;
            } else if counts.users < list.min_users {
                self.rare += 1;
            } else {
                let row = ReadUrl {
                    visits: counts.visits,
                    users: counts.users,
                    referrals: counts.referrals,
                    url: Reverse(filled.url(id)),
                };
                if top.len() < list.top || top.peek().is_some_and(|least| row > least.0) {
                    top.push(Reverse(row));
                    if top.len() > list.top {
                        top.pop();
                    }
                }
            }
        }
    }
}
