//! Which pages may somebody have meant who typed a URL that is not there?
//!
//! Best first: the same but for a slash or an index name at its end; the same path at another host; then whatever starts
//! with the most of the same letters, at least its host.

use super::{Mirror, canonical_identity, without_index};
use crate::graph::PageId;
use crate::urls::identity;

/// How many are named.
const MOST: usize = 3;

/// How near a page is; a higher one is nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// So many letters are the same.
    Start(usize),
    SamePath,
    SameButForItsEnd,
}

/// The names of the nearest pages, best first; equals in the order of pages. Linear in the URLs.
pub(super) fn pages_near(mirror: &Mirror, wanted: &str) -> Vec<String> {
    if !mirror.urls.has_urls() {
        return Vec::new();
    }
    let wanted = if wanted.starts_with('/') { None } else { canonical_identity(wanted) }.unwrap_or(wanted.to_owned());
    let mut best: Vec<(Nearness, PageId)> = Vec::new();
    for page in 0..mirror.pages() {
        let Some(nearness) = nearness(&wanted, &identity(mirror.urls.get(page))) else { continue };
        if best.len() == MOST && best.last().is_some_and(|(last, _)| *last >= nearness) {
            continue;
        }
        let place = best.partition_point(|(other, _)| *other >= nearness);
        best.insert(place, (nearness, page));
        best.truncate(MOST);
    }
    best.into_iter().map(|(_, page)| mirror.urls.get(page).to_owned()).collect()
}

fn nearness(wanted: &str, page: &str) -> Option<Nearness> {
    let (host, path) = page.split_at(page.find('/')?);
    if stem(wanted) == stem(page) {
        return Some(Nearness::SameButForItsEnd);
    }
    let (wanted_host, wanted_path) = wanted.split_at(wanted.find('/').unwrap_or(wanted.len()));
    if wanted_path.len() > 1 && stem(wanted_path) == stem(path) {
        return Some(Nearness::SamePath);
    }
    (host == wanted_host).then(|| {
        Nearness::Start(wanted.bytes().zip(page.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count())
    })
}

/// Without the end that servers may add or take away.
fn stem(url: &str) -> &str {
    without_index(url).unwrap_or(url).trim_end_matches('/')
}
