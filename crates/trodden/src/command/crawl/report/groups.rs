//! Which parts of the site were fetched? By the patterns of a model, else by the first segment of the path.

use std::collections::BTreeMap;

use anyhow::Result;
use rustc_hash::FxHashMap;
use trodden_fetch::crawl::{CrawlRecord, canonicalizer};
use trodden_frontier::UrlId;
use trodden_lab::report::crawl::{Group, GroupedBy, MAX_GROUPS, Shown};
use trodden_mining::{Locator, Scratch};
use trodden_urls::{Aliases, Canonicalizer, HostKey, SiteGrouping, SiteKeys};

use super::Row;
use crate::command::crawl::knowledge::Known;

/// Groups that are counted; a site may have as many sections as it likes.
const MAX_COUNTED: usize = 10_000;
/// What the model does not cover.
const NO_PATTERN: &str = "(no pattern)";
/// The rest.
const OTHERS: &str = "(others)";

/// The groups of pages, the largest first.
pub(super) fn groups(
    pages: &[&Row],
    known: &Known,
    visits: &FxHashMap<UrlId, f64>,
    record: &CrawlRecord<'_>,
) -> Result<(GroupedBy, Shown<Group>)> {
    let mut namer = Namer::of(known);
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for row in pages {
        let mut name = namer.name(&record.url(row.key)?);
        if groups.len() >= MAX_COUNTED && !groups.contains_key(&name) {
            name = OTHERS.to_owned();
        }
        let empty = || Group { name: name.clone(), pages: 0, bytes: 0, visits: 0.0 };
        let group = groups.entry(name.clone()).or_insert_with(empty);
        group.pages += 1;
        group.bytes += row.bytes;
        group.visits += visits.get(&row.key).copied().unwrap_or(0.0);
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(b.pages.cmp(&a.pages)).then_with(|| a.name.cmp(&b.name)));
    Ok((namer.by(), Shown::first(groups, MAX_GROUPS)))
}

/// Names the group of a URL.
enum Namer {
    Patterns(Box<Patterns>),
    Sections,
}

/// The patterns of models, by site.
struct Patterns {
    /// Where URLs stand, and the patterns by their number.
    sites: BTreeMap<String, (Locator, Vec<String>)>,
    canonicalizer: Canonicalizer,
    domains: SiteKeys,
    aliases: Aliases,
    scratch: Scratch,
}

impl Namer {
    fn of(known: &Known) -> Self {
        if known.models.is_empty() {
            return Self::Sections;
        }
        let sites = known.models.iter().map(|model| {
            // Of one site only, the site goes without saying.
            let site = if known.models.len() == 1 { "" } else { model.site.as_str() };
            let name =
                |pattern: &String| if pattern.starts_with('/') { format!("{site}{pattern}") } else { pattern.clone() };
            (model.site.clone(), (model.locator(), model.nodes.iter().map(|node| name(&node.pattern)).collect()))
        });
        Self::Patterns(Box::new(Patterns {
            sites: sites.collect(),
            canonicalizer: canonicalizer(),
            domains: SiteKeys::new(SiteGrouping::RegistrableDomain, Aliases::none()),
            aliases: known.aliases.clone(),
            scratch: Scratch::default(),
        }))
    }

    fn by(&self) -> GroupedBy {
        match self {
            Self::Patterns(_) => GroupedBy::Pattern,
            Self::Sections => GroupedBy::Section,
        }
    }

    fn name(&mut self, url: &str) -> String {
        match self {
            Self::Patterns(patterns) => patterns.name(url).unwrap_or(NO_PATTERN).to_owned(),
            Self::Sections => section(url).to_owned(),
        }
    }
}

impl Patterns {
    /// The pattern of a URL, if one covers it.
    fn name(&mut self, url: &str) -> Option<&str> {
        let url = self.canonicalizer.absolute(url.as_bytes()).ok()?;
        let own = HostKey::of(&url);
        let host = self.aliases.resolve(&own);
        // A model may be of a whole domain.
        let site = self.sites.get(host.as_str()).or_else(|| self.sites.get(self.domains.site_of(host).as_str()));
        let (locator, names) = site?;
        let pattern = locator.locate(&mut self.scratch, host.as_str(), url.path_and_query()).pattern()?;
        names.get(pattern as usize).map(String::as_str)
    }
}

/// Host and first segment, with a slash behind it if there is more.
fn section(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let path = url[start..].find('/').map_or(url.len(), |at| start + at + 1);
    let rest = &url[path..];
    let end = rest.find(['/', '?']).map_or(path, |at| path + at + usize::from(rest.as_bytes()[at] == b'/'));
    &url[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_section_is_the_first_segment() {
        for (url, name) in [
            ("http://a.example/", "a.example/"),
            ("http://a.example/x", "a.example/"),
            ("http://a.example/x/", "a.example/x/"),
            ("http://a.example/x/y?z=1/2", "a.example/x/"),
            ("http://a.example/search?q=a/b", "a.example/search"),
            ("http://a.example", "a.example"),
        ] {
            assert_eq!(section(url), name, "{url}");
        }
    }
}
