//! What is known of a URL, and what came of asking for it?

/// A URL that the crawl knows.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a, K> {
    /// What stands for it.
    pub key: K,
    /// Its text; empty where the world has no URLs, or the policy does not read them.
    pub url: &'a str,
    /// The page it was found on; none for a seed.
    pub from: Option<K>,
    /// The text of the link it was found by.
    pub anchor: &'a str,
}

impl<'a, K> Known<'a, K> {
    /// A URL that nobody linked to.
    pub fn seed(key: K, url: &'a str) -> Self {
        Self { key, url, from: None, anchor: "" }
    }
}

/// A link of a page. A page links to a URL once, and never to itself; whoever reads pages sees to that.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a, K> {
    /// What it leads to.
    pub key: K,
    /// The queue of that.
    pub queue: trodden_frontier::QueueId,
    /// The text of the URL; empty where the world has none, or the policy does not read them.
    pub url: &'a str,
    /// The text of the link.
    pub anchor: &'a str,
    /// Whether the crawl sees the URL for the first time; the engine knows.
    pub is_new: bool,
}

/// The words of a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageText<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub body: &'a str,
}

/// What the server's answer came to.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Outcome<'a> {
    /// A page, and its text where that was asked for and there is one.
    Page(Option<PageText<'a>>),
    /// Nothing that could be read.
    NoPage,
}
