//! Where does a plain link lead, without taking a URL apart?
//!
//! Most links of most pages are plain: a path of letters, digits and a few signs, absolute or beside the page. What such a
//! link leads to is canonical if its page is: the origin is the page's, and in the path there is nothing to rewrite but `.`
//! and `..`. So it is put together as text. Everything else (a scheme, a host, a query, a parameter, a byte that would have to
//! be escaped) is for [`Url::join`] and the canonicalizer; a test holds both to the same answer.

use trodden_urls::{CanonicalUrl, Canonicalizer, MAX_URL_BYTES, Rules};
use url::Url;

/// Whether a byte of a path stands for itself. The colon does but after a scheme; the semicolon may begin a session id.
static PLAIN: [bool; 256] = plain();

const fn plain() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric()
            || matches!(b, b'-' | b'_' | b'.' | b'~' | b'/' | b'!' | b'$' | b'&' | b'(' | b')' | b'*' | b'+' | b',')
            || matches!(b, b'=' | b'@');
        byte += 1;
    }
    table
}

/// The page or `base` that links are beside.
pub(super) struct Base {
    url: Url,
    /// Scheme, host and port, and the path up to its last slash; none if plain links cannot be put together.
    start: Option<Start>,
}

struct Start {
    folder: String,
    /// Where the path begins.
    path: usize,
    host: String,
}

impl Base {
    pub(super) fn new(url: Url, canonicalizer: &Canonicalizer) -> Self {
        let start = start(&url, canonicalizer);
        Self { url, start }
    }

    /// The host of plain links.
    pub(super) fn host(&self) -> &str {
        self.start.as_ref().map_or("", |start| &start.host)
    }

    /// Where a plain link leads, in canonical form, and where the path begins in it; none if it is not plain.
    pub(super) fn plain(&self, href: &str, out: &mut String) -> Option<usize> {
        let start = self.start.as_ref()?;
        let href = href.split_once('#').map_or(href, |(before, _)| before);
        if href.is_empty() || href.starts_with("//") || !is_plain(href.as_bytes()) {
            return None;
        }
        out.clear();
        let rest = match href.strip_prefix('/') {
            Some(rest) => {
                out.push_str(&start.folder[..=start.path]);
                rest
            }
            None => {
                out.push_str(&start.folder);
                href
            }
        };
        let mut segments = rest.split('/').peekable();
        while let Some(segment) = segments.next() {
            match segment {
                "." => {}
                ".." => up(out, start.path),
                _ => {
                    out.push_str(segment);
                    if segments.peek().is_some() {
                        out.push('/');
                    }
                }
            }
        }
        (out.len() <= MAX_URL_BYTES).then_some(start.path)
    }

    /// Where any link leads, without its fragment; none if that is not http or https.
    pub(super) fn any(&self, href: &str) -> Option<Url> {
        let mut url = self.url.join(href).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| {
            url.set_fragment(None);
            url
        })
    }
}

/// The last folder of a path goes; the first slash stays.
fn up(out: &mut String, path: usize) {
    let end = out.len() - 1;
    if end > path {
        let slash = out[path..end].rfind('/').map_or(path, |at| path + at);
        out.truncate(slash + 1);
    }
}

fn start(url: &Url, canonicalizer: &Canonicalizer) -> Option<Start> {
    if canonicalizer.rules() != &Rules::default() {
        return None;
    }
    let canonical: CanonicalUrl<'_> = canonicalizer.absolute(url.as_str().as_bytes()).ok()?;
    let text = canonical.as_str();
    let path = text.len() - canonical.path_and_query().len();
    let folder = text[..path + canonical.path().rfind('/')? + 1].to_owned();
    // What a session id or an odd sign makes of the folder depends on what comes after it.
    is_plain(&folder.as_bytes()[path..]).then(|| Start { folder, path, host: canonical.host().to_owned() })
}

/// Whether all bytes stand for themselves, or are escaped as the canonical form escapes them.
fn is_plain(bytes: &[u8]) -> bool {
    let is_upper_hex = |b: u8| b.is_ascii_digit() || (b'A'..=b'F').contains(&b);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at..] {
            [b'%', b'2', b'E', ..] => return false,
            [b'%', high, low, ..] if is_upper_hex(high) && is_upper_hex(low) => at += 3,
            [byte, ..] if PLAIN[byte as usize] => at += 1,
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn both(page: &str, href: &str) -> (Option<String>, Option<String>) {
        let canonicalizer = Canonicalizer::default();
        let base = Base::new(Url::parse(page).unwrap(), &canonicalizer);
        let mut out = String::new();
        let plain = base.plain(href, &mut out).map(|path| {
            let known = canonicalizer.absolute(out.as_bytes()).unwrap().into_owned();
            assert_eq!(&out[path..], known.path_and_query());
            assert_eq!(base.host(), known.host());
            out.clone()
        });
        let any =
            base.any(href).and_then(|url| Some(canonicalizer.absolute(url.as_str().as_bytes()).ok()?.to_string()));
        (plain, any)
    }

    #[test]
    fn ours_plain_links_are_put_together() {
        let page = "http://127.0.0.1:8080/wp/a/Africa.htm?x=1";
        for (href, url) in [
            ("../../index.htm", "http://127.0.0.1:8080/index.htm"),
            ("../../../../index.htm#top", "http://127.0.0.1:8080/index.htm"),
            ("/x//y/./..", "http://127.0.0.1:8080/x//"),
            ("Asia.htm", "http://127.0.0.1:8080/wp/a/Asia.htm"),
            (".", "http://127.0.0.1:8080/wp/a/"),
            ("%C3%85land", "http://127.0.0.1:8080/wp/a/%C3%85land"),
        ] {
            assert_eq!(both(page, href), (Some(url.to_owned()), Some(url.to_owned())), "{href}");
        }
        for href in ["", "//x/y", "a:b", "?q", "a;b", "a b", "%c3", "%2E%2E/x", "ä", "#a", "\\a"] {
            assert_eq!(both(page, href).0, None, "{href}");
        }
    }

    proptest! {
        #[test]
        fn ours_plain_links_lead_where_the_standard_says(
            page in "https?://(a.example|127.0.0.1:81|u:p@b.example)(/[a-z.%;]{0,3}){0,4}/?[?#]?",
            href in "[a./%2EC#?:;@~ -]{0,12}",
        ) {
            prop_assume!(Url::parse(&page).is_ok());
            let (plain, any) = both(&page, &href);
            if plain.is_some() {
                prop_assert_eq!(plain, any);
            }
        }
    }
}
