//! What does its URL look like? IL **\[ours\]**: few slashes, `.com`, `home`; the formula is in
//! [`trodden_ordering::location`].

use trodden_ordering::location::Location;

use crate::graph::PageId;

/// By page.
pub(super) fn of<'a>(pages: u32, urls: &dyn Fn(PageId) -> &'a str) -> Vec<f64> {
    let location = Location::default();
    (0..pages).map(|page| location.score(urls(page))).collect()
}
