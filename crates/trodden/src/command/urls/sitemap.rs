//! Sitemaps (sitemaps.org, protocol 0.9): what other crawlers read.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use crate::output::{say, thousands};

/// The most URLs of a sitemap, by its protocol.
const MAX_URLS: usize = 50_000;
/// The most bytes, by the same.
const MAX_BYTES: usize = 50 << 20;

/// A sitemap of these URLs, in their order.
pub(super) fn sitemap(urls: impl ExactSizeIterator<Item = String>) -> Result<String> {
    if urls.len() > MAX_URLS {
        bail!(
            "a sitemap has at most {} URLs, and these are {}: use --top {MAX_URLS}, or --site for one a site",
            thousands(MAX_URLS as u64),
            thousands(urls.len() as u64)
        );
    }
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    let mut origins = BTreeSet::new();
    for url in urls {
        origins.insert(origin(&url).to_owned());
        out.push_str("  <url><loc>");
        push_escaped(&url, &mut out);
        out.push_str("</loc></url>\n");
    }
    out.push_str("</urlset>\n");
    if out.len() > MAX_BYTES {
        bail!("a sitemap has at most {} bytes, and this has {}: use a smaller --top", MAX_BYTES, out.len());
    }
    if origins.len() > 1 {
        say(&format!(
            "warning: a sitemap is of one host, and these are {}: crawlers may leave the others out; --site makes one a site",
            origins.len()
        ));
    }
    Ok(out)
}

/// Scheme and host of a URL.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or(url, |at| &url[..host + at])
}

fn push_escaped(url: &str, out: &mut String) {
    for c in url.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // XML has no control characters, not even escaped; a URL has none either, but as %XX.
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
            }
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sitemaps09_urls_are_escaped() {
        let urls = ["https://a.com/?a=1&b='2'".to_owned(), "https://a.com/<\">".to_owned()];
        assert_eq!(
            sitemap(urls.into_iter()).unwrap(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n  \
             <url><loc>https://a.com/?a=1&amp;b=&apos;2&apos;</loc></url>\n  \
             <url><loc>https://a.com/&lt;&quot;&gt;</loc></url>\n\
             </urlset>\n"
        );
    }

    #[test]
    fn xml10_control_characters_are_percent_encoded() {
        let urls = ["https://a.com/\u{1b}[31m\u{0}x\u{9b}\u{ffff}\n".to_owned()];
        let sitemap = sitemap(urls.into_iter()).unwrap();
        assert!(sitemap.contains("<loc>https://a.com/%1B[31m%00x%C2%9B%EF%BF%BF%0A</loc>"), "{sitemap}");
    }

    #[test]
    fn sitemaps09_no_more_than_the_protocol_allows() {
        let urls = |n: usize| vec!["https://a.com/".to_owned(); n].into_iter();
        assert!(sitemap(urls(MAX_URLS)).is_ok());
        let why = sitemap(urls(MAX_URLS + 1)).unwrap_err().to_string();
        assert!(why.contains("--top 50000") && why.contains("50,001"), "{why}");
        let long = vec![format!("https://a.com/{}", "x".repeat(2_000)); 40_000];
        assert!(sitemap(long.into_iter()).unwrap_err().to_string().contains("--top"));
    }

    #[test]
    fn ours_the_origin_ends_before_the_path() {
        assert_eq!(origin("https://a.com/b/c"), "https://a.com");
        assert_eq!(origin("https://a.com"), "https://a.com");
    }
}
