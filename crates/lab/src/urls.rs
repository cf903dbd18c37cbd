//! What is the URL of a page, and which page is at a URL?
//!
//! All URLs lie in one text, one after another; a page costs four bytes besides its text. The way back is a hash table of
//! page numbers that reads the texts, made when it is first asked for (about five bytes a page) and dropped at will.
//!
//! Pages are looked up by *visit identity* ([`identity`]): host without `www.`, and path with query. Scheme and `www.` do
//! not make two pages, here as in the visits; so visits and pages meet. Where pages share an identity, the first is found.
//!
//! A mirror may have no URLs at all: its pages are then named by their ids.

use std::borrow::Cow;
use std::sync::OnceLock;

use hashbrown::HashTable;
use trodden_urls::HostKey;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::graph::PageId;

/// How pages are named.
#[derive(Clone, Debug)]
enum Names {
    /// By URLs: the text of all, and where each ends.
    Urls { text: String, ends: Vec<u32> },
    /// By ids that are not their numbers, in ascending order.
    Ids(Vec<u32>),
    /// By their numbers.
    Numbers,
}

/// The URLs of a mirror's pages.
#[derive(Debug)]
pub struct UrlTexts {
    names: Names,
    index: OnceLock<HashTable<PageId>>,
}

impl Default for UrlTexts {
    fn default() -> Self {
        Self::of(Names::Urls { text: String::new(), ends: Vec::new() })
    }
}

impl UrlTexts {
    fn of(names: Names) -> Self {
        Self { names, index: OnceLock::new() }
    }

    /// No URLs: pages are named by their numbers.
    pub fn numbers() -> Self {
        Self::of(Names::Numbers)
    }

    /// No URLs: pages are named by these ids, in ascending order.
    pub fn ids(ids: Vec<u32>) -> Self {
        Self::of(Names::Ids(ids))
    }

    /// Adds the URL of the next page.
    ///
    /// # Errors
    /// [`Error::TooMuchText`] beyond 4 GiB.
    pub fn push(&mut self, url: &str) -> Result<(), Error> {
        self.index.take();
        let Names::Urls { text, ends } = &mut self.names else {
            self.names = Names::Urls { text: String::new(), ends: Vec::new() };
            return self.push(url);
        };
        let end = u32::try_from(text.len() + url.len()).map_err(|_| Error::TooMuchText)?;
        text.push_str(url);
        ends.push(end);
        Ok(())
    }

    /// Whether pages have URLs.
    pub fn has_urls(&self) -> bool {
        matches!(self.names, Names::Urls { .. })
    }

    /// How many pages have a URL.
    pub fn len(&self) -> usize {
        match &self.names {
            Names::Urls { ends, .. } => ends.len(),
            _ => 0,
        }
    }

    /// Whether no page has a URL.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The URL of a page; empty if it has none.
    pub fn get(&self, page: PageId) -> &str {
        let Names::Urls { text, ends } = &self.names else { return "" };
        let page = page as usize;
        let start = page.checked_sub(1).map_or(0, |before| ends[before] as usize);
        &text[start..ends[page] as usize]
    }

    /// What a page is called: its URL, else its id.
    pub fn name(&self, page: PageId) -> Cow<'_, str> {
        match &self.names {
            Names::Urls { .. } => Cow::Borrowed(self.get(page)),
            Names::Ids(ids) => Cow::Owned(ids[page as usize].to_string()),
            Names::Numbers => Cow::Owned(page.to_string()),
        }
    }

    /// The page with this visit identity (see [`identity`]), the first if there are several.
    pub fn find(&self, wanted: &str) -> Option<PageId> {
        let index = self.index.get_or_init(|| self.indexed());
        index.find(xxh3_64(wanted.as_bytes()), |&page| identity(self.get(page)) == wanted).copied()
    }

    /// The page with this id, if pages are named by ids.
    pub fn find_id(&self, id: u32, pages: u32) -> Option<PageId> {
        match &self.names {
            Names::Urls { .. } => None,
            Names::Ids(ids) => ids.binary_search(&id).ok().and_then(|at| u32::try_from(at).ok()),
            Names::Numbers => (id < pages).then_some(id),
        }
    }

    /// Forgets the way back from URL to page, and frees its memory; it is made again when asked for.
    pub fn drop_index(&mut self) {
        self.index.take();
    }

    /// How many pages have the identity of one before them.
    pub fn shared(&self) -> usize {
        self.len() - self.index.get_or_init(|| self.indexed()).len()
    }

    fn indexed(&self) -> HashTable<PageId> {
        let hash = |page: PageId| xxh3_64(identity(self.get(page)).as_bytes());
        let mut table = HashTable::with_capacity(self.len());
        for page in (0..).take(self.len()) {
            let own = identity(self.get(page));
            let entry = table.entry(
                xxh3_64(own.as_bytes()),
                |&other: &PageId| identity(self.get(other)) == own,
                |&other| hash(other),
            );
            entry.or_insert(page);
        }
        table
    }
}

/// What a canonical URL is known by in visits: host without `www.` (with its port, if that is not the default), path and
/// query. Anything else stays as it is.
pub fn identity(url: &str) -> Cow<'_, str> {
    let Some((_, rest)) = url.split_once("://") else { return Cow::Borrowed(url) };
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    match HostKey::text_of(host, None) {
        // All but a host with a trailing dot are a part of the URL.
        Cow::Borrowed(key) if host.ends_with(key) => Cow::Borrowed(&rest[host.len() - key.len()..]),
        key => Cow::Owned(format!("{key}{path}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(texts: &[&str]) -> UrlTexts {
        let mut urls = UrlTexts::default();
        texts.iter().for_each(|text| urls.push(text).unwrap());
        urls
    }

    #[test]
    fn ours_scheme_and_www_do_not_make_two_pages() {
        assert_eq!(identity("https://www.a.org/x?y"), "a.org/x?y");
        assert_eq!(identity("http://www.a.org:81/"), "a.org:81/");
        assert_eq!(identity("http://a.org./x"), "a.org/x");
        assert_eq!(identity("http://www.com/"), "www.com/");
        assert_eq!(identity("http://[::1]:8080/x"), "[::1]:8080/x");
        assert_eq!(identity("entry:"), "entry:");
    }

    #[test]
    fn ours_a_page_is_found_by_identity_and_the_first_counts() {
        let mut urls = urls(&["http://a.org/", "http://a.org/x", "https://www.a.org/x", "entry:"]);
        assert_eq!(urls.find("a.org/x"), Some(1));
        assert_eq!(urls.find("entry:"), Some(3));
        assert_eq!(urls.find("a.org/y"), None);
        assert_eq!((urls.len(), urls.shared(), urls.get(2)), (4, 1, "https://www.a.org/x"));
        urls.push("http://a.org/y").unwrap();
        assert_eq!(urls.find("a.org/y"), Some(4), "the index follows");
        urls.drop_index();
        assert_eq!(urls.find("a.org/"), Some(0));
    }

    #[test]
    fn ours_pages_without_urls_are_named_by_their_ids() {
        let ids = UrlTexts::ids(vec![3, 7]);
        assert_eq!((ids.name(1).as_ref(), ids.get(1), ids.find_id(7, 2), ids.find_id(4, 2)), ("7", "", Some(1), None));
        let numbers = UrlTexts::numbers();
        assert_eq!((numbers.name(1).as_ref(), numbers.find_id(1, 2), numbers.find_id(2, 2)), ("1", Some(1), None));
        assert_eq!(numbers.find("1"), None);
    }
}
