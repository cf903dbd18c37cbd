//! Which URLs does the operator know? From lists, sitemaps and the archives of crawls.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use trodden_archive::{Address, Caps, pages_in};
use trodden_fetch::sitemap::{SitemapCaps, each_known_url};
use trodden_logs::triples::{TableBudget, known_bytes};

use crate::command::mine::megabytes;
use crate::output::{say, thousands};

/// The share of the memory that known URLs may take while visits are read: the tables and trees that they go to take the
/// rest.
const KNOWN_SHARE: u64 = 4;

/// So many bytes of them always fit.
const LEAST_KNOWN_BYTES: u64 = 4 << 20;

/// The URLs so far, as long as they fit.
struct KnownTexts {
    texts: Vec<String>,
    count: u64,
    bytes: u64,
    memory: u64,
}

impl KnownTexts {
    fn push(&mut self, url: String) {
        self.count += 1;
        self.bytes += known_bytes(&url);
        if self.fits() {
            self.texts.push(url);
        } else {
            // From here on they are only counted, to say how much they take.
            self.texts = Vec::new();
        }
    }

    fn fits(&self) -> bool {
        self.bytes <= (self.memory / KNOWN_SHARE).max(LEAST_KNOWN_BYTES)
    }
}

/// The URLs that the operator knows.
///
/// # Errors
/// If a file cannot be read, or if there are more URLs than fit in the memory.
pub(crate) fn known_urls(files: &[PathBuf], memory: u64, threads: usize) -> Result<Vec<String>> {
    let mut urls = KnownTexts { texts: Vec::new(), count: 0, bytes: 0, memory };
    for file in files {
        read_known(file, &mut urls)?;
    }
    if !urls.fits() {
        bail!(
            "--urls names {} URLs, which do not fit in the memory beside all else: give --memory {}MB, or name fewer",
            thousands(urls.count),
            megabytes(KNOWN_SHARE * urls.bytes + TableBudget::own_bytes(threads))
        );
    }
    Ok(urls.texts)
}

/// Reads one list, sitemap or archive.
fn read_known(file: &Path, urls: &mut KnownTexts) -> Result<()> {
    let archive = file.join("archive");
    if archive.is_dir() {
        let pages = pages_in(&archive, &Caps::default()).with_context(|| format!("--urls {}", archive.display()))?;
        let url = |address| if let Address::Url(url) = address { Some(url) } else { None };
        pages.filter_map(|page| url(page.address)).for_each(|url| urls.push(url));
        return Ok(());
    }
    let tally = each_known_url(file, &SitemapCaps::default(), |known| urls.push(known.url));
    let tally = tally.with_context(|| format!("--urls {}", file.display()))?;
    for (n, what) in [
        (tally.bad_urls, "lines are no URLs"),
        (tally.too_long, "URLs are too long"),
        (tally.not_here, "sitemaps are elsewhere (nothing is fetched)"),
        (tally.not_followed, "sitemaps are nested too deep"),
        (tally.damaged, "damaged places"),
        (tally.cut, "files were too long and are cut"),
    ] {
        if n > 0 {
            say(&format!("warning: {}: {} {what}", file.display(), thousands(n)));
        }
    }
    Ok(())
}
