//! A mirror from visits, where nobody has kept the pages.
//!
//! - Every URL that was visited is a page.
//! - A visit with a referrer of the same site is a link from that page to this.
//! - A visit without one is an entry. An artificial page, number 0 with the URL [`ENTRY_URL`], links to every page that was
//!   ever entered so. A referrer that nobody is seen to visit is no page; who comes from it enters.
//!
//! **No future.** Where crawls are judged by what people read after a cut, links that only those people walked would give it away. So
//! only steps before [`links_before_ms`](MirrorOptions::links_before_ms) are links, and only entries before it hang on the entry page for that.
//! Every URL that was ever visited is still a page: what no such link leads to is linked by the entry page, all alike, however people came
//! there later. What a mirror of a log cannot hide is that each of its pages was visited by somebody at some time.
//!
//! The order of rows does not matter: pages are numbered in the order of their identities, and links lie in the order of
//! their targets. (By the time of their first visit they would be in the order of popularity, and a breadth-first crawl
//! would know what people read.) Only the entry page lists its links in an order drawn by seed: in the order of URLs a breadth-first crawl
//! would be an alphabetical one. A page's URL is its most frequent spelling, among equals the first in the order of text.
//!
//! Such a mirror holds only what people walked: [`only_from_entry`](super::MirrorNotes::only_from_entry) says how many of
//! its pages nothing but the entry leads to.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use trodden_logs::visits::{StoredVisits, Visit, read_visits};
use trodden_urls::{Aliases, CanonicalUrl, Canonicalizer, HostKey, Interner, Rules, SiteKeys};
use xxhash_rust::xxh3::xxh3_64;

use super::{Kind, Mirror, MirrorNotes, MirrorOptions};
use crate::chance::mix;
use crate::error::Error;
use crate::graph::{LinkGraphBuilder, PageId};
use crate::urls::{UrlTexts, identity};

/// The URL of the artificial entry page.
pub const ENTRY_URL: &str = "entry:";

/// Longest URL that is read back: more than any that is written.
const MAX_STORED_URL: usize = 1 << 16;

/// Reads directories and files of visits.
///
/// # Errors
/// If there are none under a name, a file is not one of visits, or there is more than can be numbered.
pub fn read(paths: &[String], options: &MirrorOptions) -> Result<Mirror, Error> {
    let stored = StoredVisits::find(paths)?;
    let mut walked = Walked::new(SiteKeys::new(stored.grouping(), Aliases::none()), options);
    for file in stored.files() {
        read_visits(file, |visit| {
            walked.visit(visit);
            Ok(())
        })?;
    }
    let mut mirror = walked.finish()?;
    mirror.files = stored.files().to_vec();
    Ok(mirror)
}

/// What people were seen to do, in numbers that follow the order of rows.
struct Walked {
    canonicalizer: Canonicalizer,
    keys: SiteKeys,
    notes: MirrorNotes,
    /// Identities of targets and of referrers.
    known: Interner,
    /// What stands before identities: scheme, and `www.`.
    prefixes: Interner,
    /// By identity that was visited and prefix: how often.
    spellings: HashMap<(u32, u32), u64, FxBuildHasher>,
    /// By identity: whether it was visited, and whether as an entry.
    traits: Vec<Traits>,
    /// From referrer to target, and how often.
    steps: HashMap<(u32, u32), u64, FxBuildHasher>,
    links_before_ms: Option<i64>,
    entry_seed: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    is_visited: bool,
    is_entered: bool,
}

impl Walked {
    fn new(keys: SiteKeys, options: &MirrorOptions) -> Self {
        Self {
            // What is stored is canonical already, by the rules of whoever stored it.
            canonicalizer: Canonicalizer::new(Rules::whatwg()).with_max_bytes(MAX_STORED_URL),
            keys,
            notes: MirrorNotes::new(Kind::Visits),
            known: Interner::new(),
            prefixes: Interner::new(),
            spellings: HashMap::default(),
            traits: Vec::new(),
            steps: HashMap::default(),
            links_before_ms: options.links_before_ms,
            entry_seed: options.entry_seed,
        }
    }

    fn visit(&mut self, visit: Option<Visit<'_>>) {
        self.notes.read += 1;
        let Some(visit) = visit else {
            self.notes.bad += 1;
            return;
        };
        let Ok(target) = self.canonicalizer.absolute(visit.target.as_bytes()) else {
            self.notes.bad += 1;
            return;
        };
        let to = self.number(&target);
        let text = target.as_str();
        let prefix = self.prefixes.intern(prefix_of(text));
        *self.spellings.entry((to, prefix)).or_default() += 1;
        self.traits[to as usize].is_visited = true;
        if self.links_before_ms.is_some_and(|cut_ms| visit.time_ms >= cut_ms) {
            return;
        }
        let referrer = visit.referrer.and_then(|text| self.canonicalizer.absolute(text.as_bytes()).ok());
        let internal = referrer.filter(|url| {
            let site = self.keys.site_of(&HostKey::of(url));
            match visit.site {
                Some(own) => site.as_str() == own,
                None => site == self.keys.site_of(&HostKey::of(&target)),
            }
        });
        match internal {
            Some(referrer) => {
                let from = self.number(&referrer);
                *self.steps.entry((from, to)).or_default() += 1;
            }
            None => self.traits[to as usize].is_entered = true,
        }
    }

    fn number(&mut self, url: &CanonicalUrl<'_>) -> u32 {
        let mut key = HostKey::text_of(url.host(), url.port()).into_owned();
        key.push_str(url.path_and_query());
        let number = self.known.intern(&key);
        self.traits.resize(self.known.len(), Traits::default());
        number
    }

    fn finish(mut self) -> Result<Mirror, Error> {
        for (&(from, to), &count) in &self.steps {
            if !self.traits[from as usize].is_visited {
                self.notes.unanswered_referrers += count;
                self.traits[to as usize].is_entered = true;
            }
        }
        let mut visited: Vec<(&str, u32)> = self
            .known
            .iter()
            .filter(|(id, _)| self.traits[*id as usize].is_visited)
            .map(|(id, key)| (key, id))
            .collect();
        visited.sort_unstable();
        let mut page_of = vec![None; self.known.len()];
        let mut urls = UrlTexts::default();
        if !visited.is_empty() {
            urls.push(ENTRY_URL)?;
        }
        let spelled = self.usual_prefixes();
        for (page, &(key, id)) in (1..).zip(&visited) {
            page_of[id as usize] = Some(page);
            urls.push(&format!(
                "{}{key}",
                spelled[id as usize].map_or("http://", |prefix| self.prefixes.text(prefix))
            ))?;
        }
        let mut links: Vec<(PageId, PageId)> = visited
            .iter()
            .filter(|(_, id)| self.traits[*id as usize].is_entered)
            .filter_map(|(_, id)| Some((0, page_of[*id as usize]?)))
            .collect();
        let steps = self.steps.keys().filter_map(|&(from, to)| Some((page_of[from as usize]?, page_of[to as usize]?)));
        links.extend(steps);
        links.sort_unstable();
        if self.links_before_ms.is_some() {
            hang_on_entry(&mut links, urls.len() as PageId);
        }
        let place = |page: PageId| mix(self.entry_seed ^ xxh3_64(urls.get(page).as_bytes()));
        links.sort_by_cached_key(|&(from, to)| (from, if from == 0 { place(to) } else { 0 }, to));
        let linked: HashSet<PageId, FxBuildHasher> =
            links.iter().filter(|(from, to)| *from != 0 && from != to).map(|(_, to)| *to).collect();
        self.notes.only_from_entry =
            links.iter().take_while(|(from, _)| *from == 0).filter(|(_, to)| !linked.contains(to)).count() as u64;
        let mut builder = LinkGraphBuilder::with_capacity(links.len());
        if let Some(last) = urls.len().checked_sub(1) {
            builder.page(u32::try_from(last).map_err(|_| Error::TooMuchText)?);
        }
        links.into_iter().for_each(|(from, to)| builder.link(from, to));
        let (graph, tally) = builder.finish()?;
        self.notes.add(tally);
        let entry = (!urls.is_empty()).then_some(0);
        let mut mirror = Mirror::new(graph, urls, self.notes);
        mirror.entry = entry;
        Ok(mirror)
    }

    /// By identity: what mostly stands before it, if it was visited.
    fn usual_prefixes(&self) -> Vec<Option<u32>> {
        let mut best: Vec<Option<(u64, u32)>> = vec![None; self.known.len()];
        for (&(id, prefix), &count) in &self.spellings {
            let is_better = |(n, other): (u64, u32)| {
                count > n || count == n && self.prefixes.text(prefix) < self.prefixes.text(other)
            };
            let slot = &mut best[id as usize];
            if slot.is_none_or(is_better) {
                *slot = Some((count, prefix));
            }
        }
        best.into_iter().map(|best| best.map(|(_, prefix)| prefix)).collect()
    }
}

/// Links every page from the entry page that no link leads to from there: first those that no other page links to; of pages that only
/// link to one another, then, the first by number.
fn hang_on_entry(links: &mut Vec<(PageId, PageId)>, pages: PageId) {
    let mut targets: Vec<Vec<PageId>> = vec![Vec::new(); pages as usize];
    let mut is_linked = vec![false; pages as usize];
    for &(from, to) in links.iter().filter(|(from, to)| from != to) {
        targets[from as usize].push(to);
        is_linked[to as usize] = true;
    }
    let mut is_reached = vec![false; pages as usize];
    let mut reach = |start: PageId| {
        let is_new = !is_reached[start as usize];
        let mut waiting = vec![start];
        while let Some(page) = waiting.pop() {
            if !std::mem::replace(&mut is_reached[page as usize], true) {
                waiting.extend(&targets[page as usize]);
            }
        }
        is_new
    };
    if pages > 0 {
        reach(0);
    }
    let unlinked = (1..pages).filter(|page| !is_linked[*page as usize]);
    for page in unlinked.chain(1..pages) {
        if reach(page) {
            links.push((0, page));
        }
    }
}

/// What stands before the identity in a URL: `http://`, `https://`, with `www.` if it has that.
fn prefix_of(url: &str) -> &str {
    let after_scheme = url.find("://").map_or(0, |at| at + 3);
    let has_www = url[after_scheme..].starts_with("www.") && !identity(url).starts_with("www.");
    &url[..after_scheme + if has_www { "www.".len() } else { 0 }]
}
