//! Series from tables of views, long or wide.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use trodden_mining::interest::Bin;
use trodden_urls::{Canonicalizer, HostKey, Interner, Rules, SiteKeys};

use super::super::row::{RowFault, ViewsRow, When};
use super::super::table::{ViewsForm, ViewsTable};
use super::super::without_views::WithoutViews;
use super::{PageViews, SeriesSettings, SeriesTable, fits, pooled};
use crate::error::Error;
use crate::hosts::NamedSite;
use crate::input::InputCaps;
use crate::privacy::without_secrets;

/// What is known of a page while rows are read.
#[derive(Default)]
struct Sum {
    site: String,
    users: u64,
    is_wide: bool,
    /// By bin.
    views: FxHashMap<i64, f64>,
}

impl SeriesTable {
    /// Reads tables; `site` is that of paths.
    ///
    /// # Errors
    /// If a file is no table of views or cannot be read, no row tells when, or the series do not fit.
    pub fn of_tables(
        files: &[PathBuf],
        site: Option<&NamedSite>,
        keys: &SiteKeys,
        settings: &SeriesSettings,
    ) -> Result<Self, Error> {
        let canonicalizer = Canonicalizer::new(Rules::default());
        let mut names = Interner::new();
        let mut sums: Vec<Sum> = Vec::new();
        let mut faults: BTreeMap<RowFault, u64> = BTreeMap::new();
        let (mut dated, mut numbered) = (0_u64, 0_u64);
        let mut text_bytes = 0;
        for path in files {
            let name = path.display().to_string();
            let unreadable = |source| Error::Unreadable { name: name.clone(), source };
            let table = ViewsTable::recognize(path, &InputCaps::default()).map_err(unreadable)?;
            let table = table.ok_or_else(|| Error::NotViews { name: name.clone() })?;
            let is_wide = table.form() == ViewsForm::Wide;
            let mut last: Option<(String, u32)> = None;
            let read = table.each(|_, row| {
                let taken = row.and_then(|row| {
                    let bin = match row.when {
                        When::Time(ms) => {
                            dated += 1;
                            ms.div_euclid(settings.bin_ms)
                        }
                        When::Bin(bin) => {
                            numbered += 1;
                            i64::from(bin)
                        }
                        When::Unknown => return Err(RowFault::BadDate),
                    };
                    // Rows of a wide table come page by page.
                    let number = match &last {
                        Some((page, number)) if is_wide && page == row.page => *number,
                        _ => {
                            let (page, site) = name_of(&row, site, &canonicalizer, keys);
                            let number = names.intern(pooled(&page, settings));
                            if number as usize == sums.len() {
                                text_bytes += page.len() as u64;
                                sums.push(Sum { site, is_wide, ..Sum::default() });
                            }
                            last = Some((row.page.to_owned(), number));
                            number
                        }
                    };
                    let sum = &mut sums[number as usize];
                    sum.users = sum.users.max(row.users.unwrap_or(0));
                    *sum.views.entry(bin).or_default() += row.views;
                    Ok(())
                });
                if let Err(fault) = taken {
                    *faults.entry(fault).or_default() += 1;
                }
            });
            read.map_err(unreadable)?;
        }
        let all = files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ");
        let first = sums.iter().flat_map(|sum| sum.views.keys()).min().copied();
        let last = sums.iter().flat_map(|sum| sum.views.keys()).max().copied();
        let (Some(first), Some(last)) = (first, last) else {
            return Err(Error::NoViews { names: all, why: WithoutViews::NoTime });
        };
        if dated > 0 && numbered > 0 {
            return Err(Error::NoViews { names: all, why: WithoutViews::MixedTimes });
        }
        let bins = usize::try_from(last - first).unwrap_or(usize::MAX).saturating_add(1);
        fits(sums.len(), bins, text_bytes, settings)?;
        let mut order: Vec<u32> = (0..names.len() as u32).collect();
        order.sort_unstable_by_key(|number| names.text(*number));
        let pages = order.into_iter().map(|number| {
            let sum = &sums[number as usize];
            PageViews {
                page: names.text(number).to_owned(),
                site: sum.site.clone(),
                users: sum.users,
                bins: series(sum, first, bins, settings.is_cumulative),
            }
        });
        let mut table = Self {
            first_ms: (dated > 0).then_some(first * settings.bin_ms),
            bin_ms: settings.bin_ms,
            bins,
            pages: pages.collect(),
            faults,
        };
        // A wide table, or one of sums, says itself where nobody looked.
        if !settings.is_cumulative && !sums.iter().any(|sum| sum.is_wide) {
            table.open_gaps();
        }
        Ok(table)
    }
}

fn series(sum: &Sum, first: i64, bins: usize, is_cumulative: bool) -> Vec<Bin> {
    // A wide table says of every bin whether somebody looked; a sum that nobody read off is not known either.
    let missing = if sum.is_wide || is_cumulative { Bin::GAP } else { Bin::default() };
    let mut series = vec![missing; bins];
    let mut views: Vec<(i64, f64)> = sum.views.iter().map(|(bin, views)| (*bin, *views)).collect();
    views.sort_unstable_by_key(|(bin, _)| *bin);
    let mut before = 0.0;
    for (bin, views) in views {
        let own = if is_cumulative { (views - before).max(0.0) } else { views };
        before = views;
        if let (Ok(place), Some(own)) = (usize::try_from(bin - first), Bin::new(own)) {
            series[place] = own;
        }
    }
    series
}

/// What a page is called, and its site; a page that is no URL keeps its name, and has no site.
fn name_of(
    row: &ViewsRow<'_>,
    site: Option<&NamedSite>,
    canonicalizer: &Canonicalizer,
    keys: &SiteKeys,
) -> (String, String) {
    let written = super::super::export::absolute(row, site);
    let url = written.ok().and_then(|url| canonicalizer.absolute(url.as_bytes()).ok().map(|url| url.into_owned()));
    match url {
        Some(url) => {
            let host = HostKey::of(&url);
            let path = without_secrets(url.path_and_query());
            (format!("{}{path}", host.as_str()), keys.site_of(&host).as_str().to_owned())
        }
        None => (row.page.to_owned(), String::new()),
    }
}
