//! An encyclopedia as a world: its articles with text and links, who read them, and their categories.
//!
//! Index and image pages are left out: an index page of a topic would give the answer away.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Result;
use trodden_frontier::UrlId;
use trodden_lab::mirror::{Kind, MirrorOptions, Texts, open_mirror};
use trodden_lab::topical::TopicalWorld;
use trodden_mining::TraceBuilder;
use trodden_ordering::PageLabels;

use super::super::laboratory::Laboratory;
use super::proxy_world::each_line;

/// The world, and the number of pages of each category.
pub(super) fn load(laboratory: &Laboratory) -> Result<(TopicalWorld, BTreeMap<String, u32>)> {
    let mut categories: Vec<(String, String)> = Vec::new();
    each_line(&laboratory.data("wikispeedia/categories.tsv.gz"), |line| {
        let fields = line.split_once('\t').filter(|(url, _)| url.contains("://"));
        categories.extend(fields.map(|(url, category)| (url.to_owned(), category.to_owned())));
    })?;
    let articles: BTreeSet<&str> = categories.iter().map(|(url, _)| url.as_str()).collect();
    let path = laboratory.data("wikispeedia/articles.warc.gz").to_string_lossy().into_owned();
    let options = MirrorOptions { texts: Texts::Kept, ..MirrorOptions::default() };
    let mirror = open_mirror(&[path], Some(Kind::Warc), &options)?.part(|_, url| articles.contains(url))?;
    let mut labels = PageLabels::default();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for (url, category) in &categories {
        if let Some(page) = mirror.page_of_visit(&trodden_lab::urls::identity(url)) {
            labels.add(UrlId(page), category);
            *counts.entry(category.clone()).or_default() += 1;
        }
    }
    let (mut trace, mut users) = (TraceBuilder::default(), BTreeMap::new());
    each_line(&laboratory.data("wikispeedia/visits.tsv.gz"), |line| {
        let mut fields = line.split('\t');
        let (Some(time), Some(user), Some(url)) = (fields.next(), fields.next(), fields.next()) else { return };
        let page = mirror.page_of_visit(&trodden_lab::urls::identity(url));
        if let (Ok(time), Some(page), false) = (time.parse::<i64>(), page, user.is_empty()) {
            let user = *users.entry(user.to_owned()).or_insert_with(|| trace.new_user());
            trace.add(user, page, time * 1_000);
        }
    })?;
    Ok((TopicalWorld { mirror, trace: Arc::new(trace.finish()), labels: Arc::new(labels) }, counts))
}
