//! URLs that exist, visited or not: those of a crawl, a sitemap or a list. What share of them do the patterns cover (CIKM 2011, table 4)?

use std::collections::BTreeMap;

use trodden_mining::SiteModel;
use trodden_mining::locate::Scratch;
use trodden_mining::quality::{PatternCoverage, PerTree};

use super::census::Census;
use super::place::UrlPlaces;

/// URLs by site, each once.
#[derive(Debug, Default)]
pub struct MirrorUrls {
    sites: BTreeMap<String, Vec<String>>,
    /// URLs of sites that are not judged, and texts that are no URLs.
    pub elsewhere: u64,
}

impl MirrorUrls {
    /// Of the sites that are judged.
    #[must_use]
    pub fn new(census: &Census<'_>, places: &UrlPlaces, urls: &[String]) -> Self {
        let mut all = Self::default();
        for url in urls {
            match places.of(url).filter(|(site, _)| census.sites.contains_key(site)) {
                Some((site, url)) => all.sites.entry(site).or_default().push(url),
                None => all.elsewhere += 1,
            }
        }
        for urls in all.sites.values_mut() {
            urls.sort_unstable();
            urls.dedup();
        }
        all
    }

    /// What each tree of the model covers of its site; none without a URL. URLs that the model was made without are left out.
    #[must_use]
    pub fn coverage(&self, model: &SiteModel) -> Option<PerTree<PatternCoverage>> {
        let exclude = trodden_urls::UrlGlobs::new(&model.exclude).unwrap_or_default();
        let urls: Vec<&String> = self.sites.get(&model.site)?.iter().filter(|url| !exclude.matches_text(url)).collect();
        (!urls.is_empty()).then(|| {
            PerTree::of(|tree| {
                let (locator, mut scratch) = (model.locator_of(tree), Scratch::default());
                let mut coverage = PatternCoverage::default();
                urls.iter().for_each(|url| coverage.add(locator.locate_text(&mut scratch, url).pattern(), 0));
                coverage
            })
        })
    }
}
