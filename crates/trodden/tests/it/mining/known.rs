//! Pages that nobody read belong to the structure: `--urls`.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::lines::combined;
use crate::mining::shop::{SITE, count, fails, mined, patterns, shop, site, text};
use crate::run::{Folder, Ran};

const UNREAD: u64 = 30;

/// Pages that no log line names.
fn unread() -> Vec<String> {
    (0..UNREAD).map(|n| format!("{SITE}/archive/{n}/old-page-{n}?a=1&b={n}")).collect()
}

fn sitemap(urls: &[String]) -> String {
    let entry = |url: &String| format!("  <url><loc>{}</loc></url>\n", url.replace('&', "&amp;"));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{}</urlset>\n",
        urls.iter().map(entry).collect::<String>()
    )
}

fn packed(text: &str) -> Vec<u8> {
    let mut gz = GzEncoder::new(Vec::new(), Compression::default());
    gz.write_all(text.as_bytes()).unwrap();
    gz.finish().unwrap()
}

/// Mines the shop with this file of known URLs: what was said, and how many URLs are in patterns without a visit.
#[track_caller]
fn with(folder: &Folder, file: &str) -> (Ran, u64) {
    let ran = folder.run(&["mine", "access.log", "--urls", file, "-o", "known.model"]).ok();
    let site = site(folder, &["known.model"]);
    let silent: Vec<_> = patterns(&site).iter().filter(|p| count(p, "visits") == 0).collect();
    for pattern in &silent {
        assert!(text(pattern, "pattern").starts_with("/archive/"), "{pattern}");
        assert_eq!((count(pattern, "referrals"), &pattern["fetch"]), (0, &0.0.into()), "{pattern}");
    }
    let urls = silent.iter().map(|p| count(p, "urls")).sum();
    (ran, urls)
}

#[test]
fn ours_what_nobody_visited_gets_a_pattern_without_visits() {
    let folder = mined(&shop());
    let before = site(&folder, &["site.model"]);
    assert!(patterns(&before).iter().all(|p| count(p, "visits") > 0));
    let list = unread().join("\n");
    folder.write("list.txt", &list);
    folder.write("list.txt.gz", packed(&list));
    folder.write("sitemap.xml", sitemap(&unread()));
    folder.write("sitemap.xml.gz", packed(&sitemap(&unread())));
    for file in ["list.txt", "list.txt.gz", "sitemap.xml", "sitemap.xml.gz"] {
        let (ran, urls) = with(&folder, file);
        assert_eq!(urls, UNREAD, "{file}");
        ran.says(&["30 known URLs are of sites that somebody visited"]);
        let after = site(&folder, &["known.model"]);
        assert_eq!(count(&after, "urls"), count(&before, "urls") + UNREAD);
        assert_eq!(count(&after, "visits"), count(&before, "visits"));
        // They can be located, and come last.
        let why = folder.run(&["explain", "known.model", "/archive/99/old-page-99?a=1&b=2"]).ok().stdout;
        assert!(
            why.contains("so: fetch it in the second half: 79.3 % of the site's URLs can expect more visits"),
            "{why}"
        );
        let urls = folder.run(&["urls", "known.model", "--top", "9999"]).ok().stdout;
        assert!(urls.contains("/product/") && !urls.contains("archive"), "{urls}");
    }
}

#[test]
fn ours_several_lists_add_up_and_what_was_read_is_known_already() {
    let folder = mined(&shop());
    let sitemap_of = |args: &[&str]| folder.run(&[&["urls", "--format", "sitemap"], args].concat()).ok().stdout;
    folder.write("read.xml", sitemap_of(&["site.model"]));
    folder.write("unread.txt", unread().join("\r\n"));
    folder.run(&["mine", "access.log", "--urls", "read.xml", "--urls", "unread.txt", "-o", "known.model"]).ok();
    let (before, after) = (site(&folder, &["site.model"]), site(&folder, &["known.model"]));
    assert_eq!(count(&after, "urls"), count(&before, "urls") + UNREAD);
    assert_eq!(count(&after, "visits"), count(&before, "visits"));
}

#[test]
fn ours_urls_of_other_sites_are_said() {
    let folder = Folder::with_log(combined(&shop()));
    let others = ["https://other.example/x", "https://other.example/y", "https://shop.example.org/z"];
    let mut urls = unread();
    urls.extend(others.map(str::to_owned));
    folder.write("list.txt", urls.join("\n"));
    folder.write("sitemap.xml", sitemap(&urls));
    for file in ["list.txt", "sitemap.xml"] {
        let (ran, silent) = with(&folder, file);
        ran.says(&["30 known URLs", "3 are of sites that nobody visited"]);
        assert_eq!(silent, UNREAD, "{file}");
    }
}

#[test]
fn ours_a_damaged_sitemap_gives_a_warning_and_what_is_whole() {
    let folder = Folder::with_log(combined(&shop()));
    let whole = sitemap(&unread());
    let gz = packed(&whole);
    folder.write("cut.xml", &whole[..whole.len() * 2 / 3]);
    folder.write("cut.xml.gz", &gz[..gz.len() * 2 / 3]);
    folder.write("bad.xml", whole.replacen("/archive/7/", "/archive/<oops &&& ", 1));
    folder.write("bad.txt", unread().join("\n") + "\nno URL\n\u{0}\u{1}\n");
    for (file, least) in [("cut.xml", 15), ("cut.xml.gz", 5), ("bad.xml", 25), ("bad.txt", 30)] {
        let (ran, silent) = with(&folder, file);
        ran.says(&[&format!("warning: {file}: ")]);
        assert!((least..=UNREAD).contains(&silent), "{file}: {silent}");
        ran.says_none_of(&["panicked"]);
    }
}

#[test]
fn ours_nothing_is_fetched_for_a_sitemap_of_sitemaps() {
    let folder = Folder::with_log(combined(&shop()));
    let index = |places: &[&str]| {
        let entries: String = places.iter().map(|place| format!("<sitemap><loc>{place}</loc></sitemap>")).collect();
        format!("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</sitemapindex>")
    };
    folder.write("pages.xml", sitemap(&unread()));
    folder.write("index.xml", index(&["https://www.example.org/pages.xml", "https://www.example.org/gone.xml"]));
    let (ran, silent) = with(&folder, "index.xml");
    ran.says(&["warning: index.xml: 1 ", "elsewhere"]);
    assert_eq!(silent, UNREAD, "what lies beside it is read");
}

#[test]
fn ours_a_missing_list_is_an_error_and_nothing_is_written() {
    let folder = Folder::with_log(combined(&shop()));
    folder.write("page.xml", "<html><body>no sitemap</body></html>");
    std::fs::create_dir(folder.path("folder")).unwrap();
    for file in ["gone.txt", "folder", "page.xml"] {
        fails(&folder, &["mine", "access.log", "--urls", file, "-o", "site.model"], &["--urls", file]);
        assert!(!folder.path("site.model").exists());
    }
}
