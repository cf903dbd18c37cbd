//! Does it satisfy the topic? The topical experiments' own yes or no (WWW 1998, §5), for plain words: one in the title, or ten in the body.

use trodden_frontier::UrlId;
use trodden_ordering::{PageFacts, PageText};

use super::QueryTexts;
use crate::graph::PageId;

/// By page: 1 or 0.
pub(super) fn of<'t>(pages: u32, texts: &QueryTexts<'_, '_>, urls: &dyn Fn(PageId) -> &'t str) -> Vec<f64> {
    let satisfies = |page| {
        let PageText { title, body } = (texts.text)(page);
        let categories = texts.labels.names_of(UrlId(page));
        texts.topic.holds(&PageFacts { url: urls(page), title, body, categories: &categories, ..PageFacts::default() })
    };
    (0..pages).map(|page| f64::from(u8::from(satisfies(page)))).collect()
}
