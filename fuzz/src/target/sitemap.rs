//! Sitemaps and lists of URLs, packed or not.

use trodden_fetch::sitemap::SitemapCaps;
use trodden_fetch::{read_sitemap, write_sitemap};
use trodden_urls::Canonicalizer;

/// Caps hold; every URL can be made canonical; what is written again reads the same.
pub(super) fn known_urls(input: &[u8]) {
    let caps = SitemapCaps { bytes: 1 << 20, urls: 100, url_bytes: 512, ..SitemapCaps::default() };
    let read = read_sitemap(input, &caps);
    assert!(read.urls.len() + read.sitemaps.len() <= 100);
    assert_eq!(read.tally.urls, read.urls.len() as u64);
    let canonicalizer = Canonicalizer::default().with_max_bytes(caps.url_bytes);
    for known in read.urls.iter().chain(&read.sitemaps) {
        assert!(known.url.len() <= caps.url_bytes);
        assert!(canonicalizer.absolute(known.url.as_bytes()).is_ok(), "a URL that is none");
    }
    let mut written = Vec::new();
    let urls = read.urls.iter().map(|known| (&known.url, known.lastmod.as_ref()));
    write_sitemap(urls, &mut written).expect("a hundred URLs fit into a sitemap");
    let again = read_sitemap(written.as_slice(), &SitemapCaps { url_bytes: 4 * caps.url_bytes, ..caps });
    assert_eq!(again.urls.len(), read.urls.len(), "written and read again");
    let canonical = |url: &str| Canonicalizer::default().absolute(url.as_bytes()).map(|url| url.into_owned());
    for (now, before) in again.urls.iter().zip(&read.urls) {
        assert_eq!(canonical(&now.url), canonical(&before.url), "written and read again");
    }
}
