//! How much is it about what was asked? IS over the whole collection: all pages are seen before any is scored.

use trodden_ordering::similarity_text::SimilaritySoFar;
use trodden_ordering::{PageLabels, PageText, Predicate};

use crate::graph::PageId;

/// A query, and the texts to compare it with.
#[derive(Clone, Copy)]
pub struct QueryTexts<'a, 't> {
    /// What is looked for; its words are the query.
    pub topic: &'a Predicate,
    /// Categories of pages.
    pub labels: &'a PageLabels,
    /// The text of a page; empty if it has none.
    pub text: &'a dyn Fn(PageId) -> PageText<'t>,
}

/// By page.
pub(super) fn of(pages: u32, texts: &QueryTexts<'_, '_>) -> Vec<f64> {
    let mut similarity = SimilaritySoFar::new(&texts.topic.words().join(" "));
    for page in 0..pages {
        let PageText { title, body } = (texts.text)(page);
        similarity.see(title, body);
    }
    let score = |page| {
        let PageText { title, body } = (texts.text)(page);
        similarity.score(title, body)
    };
    (0..pages).map(score).collect()
}
