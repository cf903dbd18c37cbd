//! The sites that are crawled: a real encyclopedia, and a large one that is made up.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path};

use anyhow::{Context, Result, bail};
use trodden_archive::page::{Address, pages_in};

use crate::random::Random;
use crate::repo;

/// A package of Debian with pages of many links, where it lies, and where a crawl of it starts.
const MANUAL: (&str, &str, &str) = ("rust-doc", "/usr/share/doc/rust-doc/html", "/std/index.html");
/// The archive of the real site.
const ARCHIVE: &str = "wikispeedia/articles.warc.gz";
/// Pages that describe pictures are not in the archive, but every article links to some.
const ROBOTS: &str = "User-agent: *\nDisallow: /images/\n";
/// Links of a page that is made up, beside the two that make a tree.
const LINKS: usize = 8;
/// Pages in one folder.
const IN_FOLDER: usize = 1_000;

/// A folder of pages.
pub(super) struct Site {
    /// Where a crawl starts.
    pub(super) start: &'static str,
    /// What it is, for the report.
    pub(super) what: String,
}

/// Writes the real site, or a made-up one of like size where it is missing.
pub(super) fn real(folder: &Path) -> Result<Site> {
    let Some(archive) = repo::real_data(ARCHIVE)? else {
        eprintln!("{} is missing; a made-up site is taken", repo::data_folder()?.join(ARCHIVE).display());
        return made_up(folder, 5_000, 24 << 10);
    };
    let (mut pages, mut bytes) = (0_u64, 0_u64);
    let mut folders = BTreeSet::new();
    for page in pages_in(&archive, &trodden_archive::Caps::default())? {
        let Address::Url(url) = &page.address else { continue };
        let path = url.splitn(4, '/').nth(3).unwrap_or_default();
        let path = folder.join(String::from_utf8_lossy(&unescaped(path)).as_ref());
        if path.components().any(|part| part == Component::ParentDir) {
            bail!("{url} leads out of its folder");
        }
        let parent = path.parent().context("a page has a folder")?;
        if folders.insert(parent.to_owned()) {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, followed(&page.html))?;
        (pages, bytes) = (pages + 1, bytes + page.html.len() as u64);
    }
    fs::write(folder.join("robots.txt"), ROBOTS)?;
    let kilobytes = bytes as f64 / 1e3 / pages.max(1) as f64;
    let what = format!("{pages} pages of an encyclopedia ({kilobytes:.0} KB each); robots.txt forbids /images/");
    Ok(Site { start: "/index.htm", what })
}

/// The manual, if it is installed: a folder that is served as it is.
pub(super) fn manual() -> Option<(&'static Path, Site)> {
    let (package, folder, start) = MANUAL;
    let folder = Path::new(folder);
    if !folder.join(&start[1..]).is_file() {
        eprintln!("the site with many links a page is left out: apt-get install -y {package}");
        return None;
    }
    Some((folder, Site { start, what: format!("The manual of Rust (Debian's {package})") }))
}

/// A page whose links may all be followed: not every crawler heeds `nofollow`, and all of them are to fetch the same pages.
fn followed(html: &str) -> String {
    html.replace("nofollow", "follow")
}

/// Writes a site of many pages, each of at least so many bytes.
pub(super) fn made_up(folder: &Path, pages: usize, bytes: usize) -> Result<Site> {
    let mut random = Random::new(5);
    let filler = "Somebody walked here before, and somebody will walk here again. ";
    let mut html = String::new();
    fs::create_dir_all(folder)?;
    for number in 0..pages {
        let below = [2 * number + 1, 2 * number + 2].into_iter().filter(|page| *page < pages);
        html.clear();
        write!(html, "<!DOCTYPE html><html><head><title>Page {number}</title></head><body>")?;
        let more: Vec<usize> = (0..LINKS).map(|_| random.below(pages)).collect();
        for to in below.chain(more) {
            write!(html, "<p><a href=\"{}\">page {to}</a> {filler}</p>", path_of(to))?;
        }
        while html.len() < bytes {
            html.push_str(filler);
        }
        html.push_str("</body></html>");
        if number % IN_FOLDER == 0 {
            fs::create_dir_all(folder.join(format!("s{}", number / IN_FOLDER)))?;
        }
        fs::write(folder.join(&path_of(number)[1..]), &html)?;
    }
    fs::write(folder.join("robots.txt"), ROBOTS)?;
    Ok(Site { start: "/s0/0.html", what: format!("{pages} made-up pages, {} links each", LINKS + 2) })
}

fn path_of(number: usize) -> String {
    format!("/s{}/{number}.html", number / IN_FOLDER)
}

/// Bytes behind percent signs; a sign that stands alone stays.
fn unescaped(path: &str) -> Vec<u8> {
    let bytes = path.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|digit| char::from(*digit).to_digit(16));
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_percent_sign_stays() {
        assert_eq!(unescaped("wp/%/%C3%85land.htm"), "wp/%/Åland.htm".as_bytes());
        assert_eq!(unescaped("a%2"), b"a%2");
    }

    #[test]
    fn a_made_up_site_has_all_its_pages() {
        let folder = tempfile::tempdir().unwrap();
        let site = made_up(folder.path(), 1_500, 100).unwrap();
        assert!(folder.path().join(&site.start[1..]).is_file());
        assert!(folder.path().join("s1/1499.html").is_file());
        assert!(!folder.path().join("s1/1500.html").exists());
    }
}
