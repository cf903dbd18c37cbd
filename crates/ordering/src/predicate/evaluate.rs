//! Does a page that was fetched satisfy an expression?

use super::term::{RegexField, Term, TextField};
use super::words::hashes;
use super::{MOST_WORDS, PageFacts, Predicate, language};

/// The parts of a page as terms need them, each made when it is first asked for.
struct Page<'p> {
    facts: &'p PageFacts<'p>,
    predicate: &'p Predicate,
    title: Option<Vec<u64>>,
    body: Option<Vec<u64>>,
    url: Option<Vec<u64>>,
    language: Option<Option<&'static str>>,
}

impl Predicate {
    /// Whether a page satisfies it.
    ///
    /// Cost: the words of title and body are read once, if a term looks at them.
    pub fn holds(&self, facts: &PageFacts<'_>) -> bool {
        let mut page = Page { facts, predicate: self, title: None, body: None, url: None, language: None };
        self.expression.holds(&mut |term| page.satisfies(&self.terms[term]))
    }
}

impl Page<'_> {
    fn satisfies(&mut self, term: &Term) -> bool {
        let facts = self.facts;
        match term {
            Term::Words { field: TextField::TitleOrBody, phrases, at_least } => {
                phrases.iter().any(|phrase| phrase.is_in(self.title())) || {
                    let count: usize = phrases.iter().map(|phrase| phrase.count_in(self.body())).sum();
                    count >= *at_least as usize
                }
            }
            Term::Words { field, phrases, at_least } => {
                let text = match field {
                    TextField::Title => self.title(),
                    TextField::Url => self.url(),
                    TextField::Body | TextField::TitleOrBody => self.body(),
                };
                let count: usize = phrases.iter().map(|phrase| phrase.count_in(text)).sum();
                count >= *at_least as usize
            }
            Term::Anchor { bit, .. } => facts.anchor_hits >> bit & 1 == 1,
            Term::UrlPart(part) => has_part(facts.url, part),
            Term::Host(host) => is_on(facts.url, host),
            Term::Language(code) => self.language() == Some(code),
            Term::Category(wanted) => facts.categories.iter().any(|category| is_within(category, wanted)),
            Term::Like(model) => model.is_like(facts.title, facts.body),
            Term::Matches { field, regex } => regex.is_match(match field {
                RegexField::Title => facts.title,
                RegexField::Body => facts.body,
                RegexField::Url => facts.url,
                RegexField::Host => host_of(facts.url),
            }),
        }
    }

    fn title(&mut self) -> &[u64] {
        let (text, stemming) = (self.facts.title, self.predicate.stemming);
        self.title.get_or_insert_with(|| hashes(text, stemming).take(MOST_WORDS).collect())
    }

    fn body(&mut self) -> &[u64] {
        let (text, stemming) = (self.facts.body, self.predicate.stemming);
        self.body.get_or_insert_with(|| hashes(text, stemming).take(MOST_WORDS).collect())
    }

    fn url(&mut self) -> &[u64] {
        let (text, stemming) = (self.facts.url, self.predicate.stemming);
        self.url.get_or_insert_with(|| hashes(text, stemming).take(MOST_WORDS).collect())
    }

    fn language(&mut self) -> Option<&'static str> {
        let text = if self.facts.body.is_empty() { self.facts.title } else { self.facts.body };
        *self.language.get_or_insert_with(|| language::of(text))
    }
}

/// Whether a URL has a part, whatever the size of its letters.
pub(super) fn has_part(url: &str, part: &str) -> bool {
    url.to_lowercase().contains(part)
}

/// The host of a URL, without its port.
pub(super) fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() }
}

/// Whether a URL is on a host, or on one below it.
pub(super) fn is_on(url: &str, host: &str) -> bool {
    let of_url = host_of(url).to_lowercase();
    of_url.strip_suffix(host).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Whether a category is the one that is wanted, or within it: the wanted one is some of its parts, one after the other.
fn is_within(category: &str, wanted: &str) -> bool {
    fn parts(text: &str) -> Vec<String> {
        text.split(['.', '/']).map(str::to_lowercase).collect()
    }
    let (has, wants) = (parts(category), parts(wanted));
    has.windows(wants.len()).any(|window| window == wants)
}
