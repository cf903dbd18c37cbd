//! Promises of sitemaps that a crawl has fetched: what strangers send, from memory.

use std::io::{self, Read, Write};

use super::*;

fn read(text: impl AsRef<[u8]>) -> SitemapRead {
    read_sitemap(text.as_ref(), &SitemapCaps::of_the_standard())
}

fn shown(urls: &[KnownUrl]) -> Vec<(&str, Option<&str>)> {
    urls.iter().map(|it| (it.url.as_str(), it.lastmod.as_deref())).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn sitemaps09_an_index_gives_the_sitemaps_that_it_names() {
    let found = read(
        "<sitemapindex><sitemap><loc>http://e.org/1.xml.gz</loc><lastmod>2026-01-02</lastmod></sitemap>\
         <sitemap><loc> nonsense </loc></sitemap><sitemap><loc>http://e.org/2.xml</loc></sitemap></sitemapindex>",
    );
    assert_eq!(found.kind, SitemapKind::Index);
    let expected = [("http://e.org/1.xml.gz", Some("2026-01-02")), ("http://e.org/2.xml", None)];
    assert_eq!(shown(&found.sitemaps), expected);
    assert_eq!((found.urls.len(), found.tally.bad_urls, found.tally.damaged), (0, 1, 0));
}

#[test]
fn sitemaps09_news_without_a_change_changed_when_published() {
    let found = read(
        "<urlset xmlns:news='n' xmlns:image='i'>\
         <url><loc>http://e.org/a</loc><news:news><news:publication><news:name>E</news:name></news:publication>\
         <news:publication_date>2026-03-04</news:publication_date><news:title>T</news:title></news:news></url>\
         <url><lastmod>2026-05-06</lastmod><news:news><news:publication_date>2026-03-04</news:publication_date>\
         </news:news><loc>http://e.org/b</loc></url>\
         <url><loc>http://e.org/c</loc><image:image><image:loc>http://e.org/i.png</image:loc></image:image>\
         <video:video><video:publication_date>2020-01-01</video:publication_date></video:video></url></urlset>",
    );
    let expected =
        [("http://e.org/a", Some("2026-03-04")), ("http://e.org/b", Some("2026-05-06")), ("http://e.org/c", None)];
    assert_eq!((shown(&found.urls), found.kind, found.tally.damaged), (expected.to_vec(), SitemapKind::Urls, 0));
}

#[test]
fn ours_lists_and_packed_files_are_read_from_memory() {
    let list = b"http://e.org/a\n# no\nhttp://e.org/b\n";
    for bytes in [list.to_vec(), gzip(list), gzip(&gzip(list))] {
        let found = read(bytes);
        assert_eq!(shown(&found.urls), [("http://e.org/a", None), ("http://e.org/b", None)]);
        assert_eq!((found.kind, found.tally.files), (SitemapKind::Lines, 1));
    }
    assert_eq!(read("").urls.len(), 0);
    assert_eq!(read("<html><body>Not found").kind, SitemapKind::Other { root: "html".to_owned() });
    let torn = gzip(&gzip(&list.repeat(1_000)));
    assert!(read(&torn[..torn.len() / 2]).tally.damaged > 0);
}

#[test]
fn ours_entities_of_a_sitemap_are_never_expanded() {
    let mut laughs = "<!DOCTYPE x [<!ENTITY l0 \"http://e.org/\">".to_owned();
    for i in 1..30 {
        laughs += &format!("<!ENTITY l{i} \"{}\">", format!("&l{};", i - 1).repeat(10));
    }
    laughs += "]><urlset><url><loc>&l29;</loc></url><url><loc>http://e.org/&l29;</loc></url></urlset>";
    let found = read(&laughs);
    assert!(found.urls.iter().all(|it| it.url.len() < 100));
    assert_eq!(found.urls.len() as u64 + found.tally.bad_urls, 2);
}

#[test]
fn ours_endless_documents_end_at_the_caps() {
    let deep = "<urlset>".repeat(200_000);
    assert_eq!(read(&deep).urls.len(), 0);
    let entry = b"<url><loc>http://e.org/a</loc></url>";
    let endless = |piece| Endless { start: b"<urlset>", piece, at: 0 };
    let found = read_sitemap(endless(entry), &SitemapCaps::of_the_standard());
    assert_eq!((found.urls.len() as u64, found.tally.cut), (STANDARD_URLS, 1));
    let found = read_sitemap(endless(b"<a>"), &SitemapCaps::of_the_standard());
    assert_eq!((found.urls.len(), found.tally.cut), (0, 1), "{STANDARD_BYTES} bytes and no more");
    let packed = gzip(&vec![b' '; 60 << 20]);
    assert_eq!(read(packed).tally.cut, 1);
}

/// The same bytes for ever.
struct Endless {
    start: &'static [u8],
    piece: &'static [u8],
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        for byte in out.iter_mut() {
            let n = self.start.len();
            *byte = if self.at < n { self.start[self.at] } else { self.piece[(self.at - n) % self.piece.len()] };
            self.at += 1;
        }
        Ok(out.len())
    }
}

proptest::proptest! {
    #[test]
    fn ours_any_bytes_are_a_sitemap_of_some_kind(
        text in "(<urlset>|<sitemapindex>|<url>|</url>|<loc>|</loc>|<news:news>|</news:news>|<sitemap>|http://e.org/|&|<|>|]]>|<!\\[CDATA\\[|\\PC){0,40}",
        bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300),
    ) {
        for bytes in [text.as_bytes(), &bytes] {
            let found = read(bytes);
            proptest::prop_assert!(found.urls.len() + found.sitemaps.len() <= bytes.len());
        }
    }
}
