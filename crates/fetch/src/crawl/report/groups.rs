//! Which parts of the site were fetched? By the patterns of a model, else by the first segment of the path.

use std::collections::BTreeMap;

use trodden_ordering::standing::PatternNames;

use super::collect::SettledUrl;
use super::{Group, GroupedBy, MAX_GROUPS, Shown};
use crate::crawl::analysis::CrawlKnowledge;
use crate::crawl::{CrawlRecord, Error};

/// Groups that are counted; a site may have as many sections as it likes.
const MAX_COUNTED: usize = 10_000;
/// What the model does not cover.
const NO_PATTERN: &str = "(no pattern)";
/// The rest.
const OTHERS: &str = "(others)";

/// The groups of pages, those with the most visits first.
pub(super) fn groups(
    pages: &[&SettledUrl],
    knowledge: &mut CrawlKnowledge,
    record: &CrawlRecord<'_>,
) -> Result<(GroupedBy, Shown<Group>), Error> {
    let CrawlKnowledge { patterns, visits } = knowledge;
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for page in pages {
        let mut name = name(patterns.as_mut(), &record.url(page.key)?);
        if groups.len() >= MAX_COUNTED && !groups.contains_key(&name) {
            name = OTHERS.to_owned();
        }
        let empty = || Group { name: name.clone(), pages: 0, bytes: 0, visits: 0.0 };
        let group = groups.entry(name.clone()).or_insert_with(empty);
        group.pages += 1;
        group.bytes += page.bytes;
        group.visits += visits.of(page.key) as f64;
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(b.pages.cmp(&a.pages)).then_with(|| a.name.cmp(&b.name)));
    let by = if patterns.is_some() { GroupedBy::Pattern } else { GroupedBy::Section };
    Ok((by, Shown::first(groups, MAX_GROUPS)))
}

/// The group of a URL.
fn name(patterns: Option<&mut PatternNames>, url: &str) -> String {
    match patterns {
        Some(patterns) => patterns.name(url).unwrap_or(NO_PATTERN).to_owned(),
        None => section(url).to_owned(),
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
