//! Promises about lists of URLs: what is read, what a hostile or damaged file costs, and that ours can be read.

use std::io::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::Error;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read_path(path: &Path) -> KnownUrls {
    read_known_urls(path, &SitemapCaps::default()).unwrap()
}

fn read(bytes: impl AsRef<[u8]>) -> KnownUrls {
    let folder = Folder::new();
    read_path(&folder.write("list", bytes))
}

fn urls(known: &KnownUrls) -> Vec<&str> {
    known.urls.iter().map(|u| u.url.as_str()).collect()
}

fn sitemap(locs: &[&str]) -> String {
    let entries: String = locs.iter().map(|loc| format!("<url><loc>{loc}</loc></url>")).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</urlset>"
    )
}

fn index(locs: &[&str]) -> String {
    let entries: String = locs.iter().map(|loc| format!("<sitemap><loc>{loc}</loc></sitemap>")).collect();
    format!("<sitemapindex>{entries}</sitemapindex>")
}

#[test]
fn ours_a_list_has_one_url_a_line() {
    let known = read(
        "\u{feff}# of last week\r\nhttp://e.org/a\r\n\n  https://e.org/b?c=d#e \nno url\nftp://e.org/\nhttp://e.org/last",
    );
    assert_eq!(urls(&known), ["http://e.org/a", "https://e.org/b?c=d#e", "http://e.org/last"]);
    assert_eq!(known.tally, SitemapTally { files: 1, urls: 3, bad_urls: 2, ..SitemapTally::default() });
    assert_eq!(urls(&read(gzip(b"http://e.org/a\nhttp://e.org/b\n"))), ["http://e.org/a", "http://e.org/b"]);
    assert_eq!(read("").tally, SitemapTally { files: 1, ..SitemapTally::default() });
}

#[test]
fn sitemaps09_locations_and_times_are_read() {
    let text = "<?xml version='1.0'?>\n<!-- made by hand -->\n<s:urlset xmlns:s='x' xmlns:image='y'>\n\
        <s:url>\n<s:lastmod> 2024-05-01 </s:lastmod><s:loc>\n http://e.org/?a=1&amp;b=&#50;&#x33; \n</s:loc>\
        <image:image><image:loc>http://e.org/i.png</image:loc></image:image><s:priority>1</s:priority></s:url>\
        <s:url><s:loc><![CDATA[http://e.org/c?d&e]]></s:loc></s:url><s:url/><s:url><s:loc/></s:url></s:urlset>";
    for bytes in [text.as_bytes().to_vec(), gzip(text.as_bytes()), format!("\u{feff} {text}").into_bytes()] {
        let known = read(bytes);
        assert_eq!(urls(&known), ["http://e.org/?a=1&b=23", "http://e.org/c?d&e"]);
        assert_eq!(known.urls[0].lastmod.as_deref(), Some("2024-05-01"));
        assert_eq!((known.urls[1].lastmod.as_deref(), known.tally.bad_urls, known.tally.damaged), (None, 2, 0));
    }
}

#[test]
fn ours_other_charsets_are_understood() {
    let text = sitemap(&["http://e.org/é"]);
    let latin = text.replace("UTF-8", "ISO-8859-1");
    let latin = encoding_rs::WINDOWS_1252.encode(&latin).0.into_owned();
    let wide = |mark: &str| -> Vec<u8> { format!("{mark}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [latin, wide("\u{feff}"), wide(""), big] {
        let known = read(bytes);
        assert_eq!((urls(&known), known.tally.damaged), (vec!["http://e.org/é"], 0));
    }
    let unknown = text.replace("UTF-8", "martian");
    assert_eq!(urls(&read(unknown)), ["http://e.org/é"]);
    assert_eq!(read(b"http://e.org/\xe9\nhttp://e.org/a\n").tally.bad_urls, 1);
}

#[test]
fn ours_a_forgotten_escape_is_forgiven() {
    let known = read(sitemap(&["http://e.org/?a=1&b=2", "http://e.org/?a=1&copy;=2&x"]));
    assert_eq!(urls(&known), ["http://e.org/?a=1&b=2", "http://e.org/?a=1&copy;=2&x"]);
}

#[test]
fn sitemaps09_an_index_is_followed_into_files_beside_it() {
    let folder = Folder::new();
    folder.write("one.xml", sitemap(&["http://e.org/1"]));
    folder.write("two.xml.gz", gzip(sitemap(&["http://e.org/2"]).as_bytes()));
    folder.write("three.txt", "http://e.org/3\n");
    folder.write("page.html", "<html></html>");
    let locs = ["http://e.org/maps/one.xml", "http://e.org/two.xml.gz?v=1", "three.txt", "http://e.org/elsewhere.xml"];
    let known = read_path(&folder.write("index.xml", index(&locs)));
    assert_eq!(urls(&known), ["http://e.org/1", "http://e.org/2", "http://e.org/3"]);
    assert_eq!(known.tally, SitemapTally { files: 4, urls: 3, not_here: 1, ..SitemapTally::default() });
    let known = read_path(&folder.write("index.xml", index(&["http://e.org/page.html", "http://e.org/one.xml"])));
    assert_eq!((urls(&known), known.tally.damaged), (vec!["http://e.org/1"], 1));
}

#[test]
fn ours_an_index_leads_nowhere_else() {
    let folder = Folder::new();
    std::fs::create_dir(folder.0.path().join("in")).unwrap();
    folder.write("secret.xml", sitemap(&["http://e.org/secret"]));
    let absolute = folder.0.path().join("secret.xml").display().to_string();
    let locs =
        ["../secret.xml", "..%2Fsecret.xml", "http://e.org/..%2fsecret.xml", "..", "", "http://e.org/", &absolute];
    let known = read_path(&folder.write("in/index.xml", index(&locs)));
    assert_eq!((known.urls.len(), known.tally.not_here), (0, 7));
}

#[test]
fn ours_circles_and_depths_of_indexes_end() {
    let folder = Folder::new();
    let known = read_path(&folder.write("self.xml", index(&["self.xml", "./self.xml"])));
    assert_eq!((known.tally.files, known.tally.not_followed), (1, 2));
    for i in 0..9 {
        folder.write(&format!("{i}.xml"), index(&[&format!("{}.xml", i + 1)]));
    }
    let known = read_path(&folder.0.path().join("0.xml"));
    assert_eq!((known.tally.files, known.tally.not_followed), (u64::from(NESTING) + 1, 1));
}

#[test]
fn ours_damage_keeps_what_was_read_and_costs_one_entry() {
    let whole = sitemap(&["http://e.org/1", "http://e.org/2", "http://e.org/3"]);
    let cut = |at: &str| whole[..whole.find(at).unwrap()].to_owned();
    for (damaged, expected) in [
        (cut("</urlset>"), 3),
        (cut("/3</loc>"), 2),
        (cut("<url><loc>http://e.org/3"), 2),
        (whole.replace("/2</loc></url>", "/2</loc>"), 3),
        (whole.replace("/2</loc>", "/2"), 3),
        (whole.replacen("</url>", "</wrong></url>", 1), 3),
        (whole.replacen("</url>", "</url></url>", 1), 3),
        (whole.replacen("<url>", "<url><", 1), 2),
    ] {
        let known = read(&damaged);
        assert_eq!((known.urls.len(), known.tally.damaged), (expected, 1), "{damaged}");
    }
    let text: String = (0..9_999_u32).map(|i| format!("http://e.org/{:x}\n", i.wrapping_mul(2_654_435_761))).collect();
    let packed = gzip(text.as_bytes());
    let known = read(&packed[..packed.len() / 2]);
    assert!(known.urls.len() > 1_000 && known.tally.damaged == 1);
    let mut wrong = gzip(b"http://e.org/1\nhttp://e.org/2\n");
    let at = wrong.len() - 6;
    wrong[at] ^= 1;
    assert_eq!(read(&wrong).tally.damaged, 1);
    assert_eq!(read(b"\x1f\x8b\x08\x00").tally.damaged, 1);
    assert_eq!(read("<").tally.damaged, 1);
}

#[test]
fn ours_entities_of_a_document_are_never_expanded() {
    let mut laughs = String::from("<!DOCTYPE urlset [<!ENTITY a \"http://e.org/\"><!ENTITY l0 \"lol\">");
    for i in 1..20 {
        laughs += &format!("<!ENTITY l{i} \"{}\">", format!("&l{};", i - 1).repeat(10));
    }
    laughs += "<!ENTITY x SYSTEM \"file:///etc/hostname\">]>";
    laughs += "<urlset><url><loc>http://e.org/&l19;</loc></url><url><loc>http://e.org/&x;</loc></url></urlset>";
    let known = read(laughs);
    assert_eq!(urls(&known), ["http://e.org/&l19;", "http://e.org/&x;"]);
}

#[test]
fn ours_every_cap_is_kept_and_counted() {
    let folder = Folder::new();
    let many: Vec<String> = (0..20).map(|i| format!("http://e.org/{i}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let caps = SitemapCaps { urls: 5, ..SitemapCaps::default() };
    for text in [many.join("\n"), sitemap(&many)] {
        let known = read_known_urls(&folder.write("many", text), &caps).unwrap();
        assert_eq!((known.urls.len(), known.tally.cut, known.tally.damaged), (5, 1, 0));
    }
    let caps = SitemapCaps { bytes: 300, ..SitemapCaps::default() };
    for text in [many.join("\n"), sitemap(&many)] {
        for bytes in [gzip(text.as_bytes()), text.into_bytes()] {
            let known = read_known_urls(&folder.write("long", bytes), &caps).unwrap();
            assert_eq!((known.tally.cut, known.tally.damaged), (1, 0));
            assert!((2..20).contains(&known.urls.len()));
        }
    }
    let long = format!("http://e.org/{}", "x".repeat(9_000));
    for text in [format!("{long}\nhttp://e.org/1"), sitemap(&[&long, "http://e.org/1"])] {
        let known = read(text);
        assert_eq!((urls(&known), known.tally.too_long), (vec!["http://e.org/1"], 1));
    }
    let deep = format!("<urlset>{}<url><loc>http://e.org/1</loc></url></urlset>", "<x>".repeat(100_000));
    assert_eq!(read(deep).tally.damaged, 1);
    let comment = format!("<urlset><url><loc>http://e.org/1</loc></url><!--{}--></urlset>", "x".repeat(3 << 20));
    let known = read(comment);
    assert_eq!((known.urls.len(), known.tally.damaged), (1, 1));
    let known = read(gzip(&vec![b' '; 80 << 20]));
    assert_eq!((known.tally.cut, known.tally.urls), (1, 0));
}

#[test]
fn ours_what_is_no_list_is_an_error_that_says_so() {
    let folder = Folder::new();
    let page = folder.write("page", "<!doctype html><html><body>x</body></html>");
    let Err(error) = read_known_urls(&page, &SitemapCaps::default()) else { panic!("a page is no sitemap") };
    assert!(matches!(&error, Error::NotASitemap { root, .. } if root == "html"), "{error}");
    let other = folder.write("other", "<feed><url><loc>http://e.org/</loc></url></feed>");
    let mut given = 0;
    assert!(each_known_url(&other, &SitemapCaps::default(), |_| given += 1).is_err() && given == 0);
    for path in [folder.0.path().join("none"), folder.0.path().to_owned()] {
        assert!(matches!(read_known_urls(&path, &SitemapCaps::default()), Err(Error::Unreadable { .. })));
    }
}

#[test]
fn sitemaps09_what_is_written_can_be_read() {
    let list = [
        ("http://e.org/?a=1&b=<2>", Some("2024-05-01T00:00:00Z")),
        ("http://e.org/'\"é", None),
        ("http://e.org/a b\u{1}\u{ffff}", Some("\u{0}<&")),
    ];
    let mut out = Vec::new();
    assert_eq!(write_sitemap(list, &mut out).unwrap(), 3);
    let known = read(&out);
    assert_eq!(urls(&known), ["http://e.org/?a=1&b=<2>", "http://e.org/'\"é", "http://e.org/a%20b%01%EF%BF%BF"]);
    let times: Vec<_> = known.urls.iter().map(|u| u.lastmod.as_deref()).collect();
    assert_eq!(times, [Some("2024-05-01T00:00:00Z"), None, Some("<&")]);
    assert_eq!(known.tally.damaged, 0);
    let mut none = Vec::new();
    assert_eq!(write_sitemap::<&str, &str>([], &mut none).unwrap(), 0);
    assert_eq!(read(none).tally, SitemapTally { files: 1, ..SitemapTally::default() });
}

#[test]
fn sitemaps09_more_than_the_standard_allows_is_refused() {
    let urls =
        |n: usize, len: usize| (0..n).map(move |i| (format!("http://e.org/{i}{}", "x".repeat(len)), None::<&str>));
    assert_eq!(write_sitemap(urls(50_000, 0), std::io::sink()).unwrap(), 50_000);
    assert!(matches!(write_sitemap(urls(50_001, 0), std::io::sink()), Err(Error::TooManyUrls { cap: 50_000 })));
    let no_hint = urls(60_000, 0).filter(|_| true);
    assert!(matches!(write_sitemap(no_hint, std::io::sink()), Err(Error::TooManyUrls { .. })));
    assert!(matches!(write_sitemap(urls(50_000, 2_000), std::io::sink()), Err(Error::TooManyBytes { .. })));
}

#[test]
fn ours_known_urls_do_not_print_themselves() {
    let known = KnownUrl { url: "http://a:secret@e.org/".into(), lastmod: None };
    assert!(!format!("{known:?}").contains("secret"));
}

proptest! {
    #[test]
    fn ours_any_text_made_of_sitemap_words_is_read_to_its_end(words in prop::collection::vec(0..16_usize, 0..80)) {
        let parts = [
            "<urlset>", "</urlset>", "<url>", "</url>", "<loc>", "</loc>", "http://e.org/1", "<sitemap>", "</sitemap>",
            "<sitemapindex>", "&amp;", "&x;", "<![CDATA[", "]]>", "<!--", "<",
        ];
        let text: String = words.iter().map(|i| parts[*i]).collect();
        let folder = Folder::new();
        if let Ok(known) = read_known_urls(&folder.write("x", text), &SitemapCaps::default()) {
            prop_assert!(known.urls.len() <= words.len());
            prop_assert!(known.tally.damaged <= 1);
        }
    }

    #[test]
    fn ours_random_damage_never_panics_and_costs_one_entry(at in 0..2_000_usize, by in 1..=255_u8, how in 0..4_usize) {
        let locs: Vec<String> = (0..30).map(|i| format!("http://e.org/{i}")).collect();
        let locs: Vec<&str> = locs.iter().map(String::as_str).collect();
        let mut bytes = if how % 2 == 0 { sitemap(&locs).into_bytes() } else { gzip(sitemap(&locs).as_bytes()) };
        let at = at % bytes.len();
        if how < 2 { bytes[at] ^= by } else { bytes.truncate(at) }
        let folder = Folder::new();
        if let Ok(known) = read_known_urls(&folder.write("x", bytes), &SitemapCaps::default()) {
            // One changed byte of a packed file may change or repeat the text in many places, and its checksum is wrong, too.
            let (urls, damaged) = if how == 1 { (1_000, 2) } else { (30, 1) };
            prop_assert!(known.urls.len() <= urls, "{} URLs", known.urls.len());
            prop_assert!(known.tally.damaged <= damaged, "{} damaged places", known.tally.damaged);
        }
    }

    #[test]
    fn ours_any_bytes_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let folder = Folder::new();
        let _ = read_known_urls(&folder.write("x", bytes), &SitemapCaps::default());
    }

    #[test]
    fn ours_written_urls_come_back(paths in prop::collection::vec("[!-~é&<>'\"]{0,30}", 0..20)) {
        let list: Vec<String> = paths.iter().map(|p| format!("http://e.org/{p}")).collect();
        let mut out = Vec::new();
        write_sitemap(list.iter().map(|u| (u, None::<&str>)), &mut out).unwrap();
        let known = read(out);
        prop_assert_eq!(urls(&known), list);
    }
}

#[test]
fn ours_a_url_with_a_character_that_no_sitemap_can_hold_is_none() {
    let read = crate::read_sitemap(
        &b"\x10http://a.example/\nhttp://a.example/b\x7f\nhttp://a.example/c\n"[..],
        &SitemapCaps::default(),
    );
    let urls: Vec<&str> = read.urls.iter().map(|known| known.url.as_str()).collect();
    assert_eq!((urls, read.tally.bad_urls), (vec!["http://a.example/c"], 2));
}
