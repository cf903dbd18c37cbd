//! Where does a crawl start? URLs as they are typed, those of files, and those that models and visits name.

use std::net::IpAddr;
use std::path::Path;

use anyhow::{Context, Result, bail};
use trodden_fetch::crawl::{Crawl, ListingKind, Seeding};
use trodden_fetch::{read_known_urls, sitemap::SitemapCaps};
use trodden_ordering::{Beyond, ScopeSettings};

use super::knowledge::Known;
use super::request::Request;
use crate::output::{counted, say};

/// How the names of files end, and of no host.
const FILE_ENDS: [&str; 16] = [
    "bz2", "csv", "gz", "htm", "html", "json", "jsonl", "list", "log", "lst", "toml", "tsv", "txt", "xml", "xz", "zst",
];
/// Flags of the scope that are named in a message.
const FLAGS_SAID: usize = 4;

/// URLs as they are typed, and those of files.
pub(super) fn typed(words: &[String]) -> Result<Vec<String>> {
    let mut seeds = Vec::new();
    for word in words {
        let path = Path::new(word);
        if word.contains("://") {
            seeds.push(word.clone());
        } else if path.exists() && !path.is_dir() {
            let read = read_known_urls(path, &SitemapCaps::default());
            let read = read.with_context(|| format!("cannot read the seeds in {word}"))?;
            say(&format!("{} in {word}", counted(read.urls.len() as u64, "URL")));
            seeds.extend(read.urls.into_iter().map(|known| known.url));
        } else {
            seeds.push(with_scheme(word)?);
        }
    }
    Ok(seeds)
}

/// A URL of what was typed without a scheme. Names are asked over TLS; addresses and this machine have no certificates.
fn with_scheme(word: &str) -> Result<String> {
    let authority = word.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => (host, true),
        _ => (authority, false),
    };
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is_file = word.starts_with(['.', '~', '/'])
        || word.contains('\\')
        || (!port && host.rsplit_once('.').is_some_and(|(_, end)| FILE_ENDS.contains(&end)))
        || (!port && !host.contains('.') && word.rsplit_once('.').is_some_and(|(_, end)| FILE_ENDS.contains(&end)));
    if is_file {
        bail!("there is no file {word} to read URLs from; if it is a host, write https://{word}");
    }
    if address.is_ok() || host == "localhost" {
        return Ok(format!("http://{word}"));
    }
    if port || host.contains('.') {
        return Ok(format!("https://{word}"));
    }
    bail!("{word:?} is neither a URL nor a file")
}

/// Offers what the crawl starts from.
pub(super) fn plant(crawl: &mut Crawl, request: &Request, known: &Known) -> Result<()> {
    let (mut planted, mut left_out) = (0_u64, 0_u64);
    let mut first_left_out = None;
    for seed in &request.seeds {
        match crawl.seed(seed)? {
            Seeding::New => planted += 1,
            Seeding::Known => {}
            seeding => {
                left_out += 1;
                first_left_out.get_or_insert((seed.as_str(), seeding));
            }
        }
    }
    // That logs name more than is crawled is as usual.
    let seeds = if request.linked_only { Vec::new() } else { known.seeds(request.seed_rare) };
    if !request.linked_only && !request.seed_rare && known.rare() > 0 {
        let few = counted(known.rare() as u64, "URL");
        say(&format!("{few} with too few visitors are not used as seeds; --seed-rare uses them, too"));
    }
    for url in seeds {
        match crawl.seed_known(url)? {
            Seeding::New => planted += 1,
            Seeding::Known => {}
            seeding => drop(first_left_out.get_or_insert((url, seeding))),
        }
    }
    for sitemap in &request.sitemaps {
        crawl.seed_listing(sitemap, ListingKind::Sitemap)?;
    }
    crawl.planted()?;
    if planted > 0 {
        say(&format!("{} to start from", counted(planted, "URL")));
    }
    let why = first_left_out.map(|(url, seeding)| why(url, seeding, &request.crawl.scope));
    if planted == 0 && request.sitemaps.is_empty() && crawl.is_new() {
        bail!("none of the URLs is in scope{}", why.map(|why| format!(": {why}")).unwrap_or_default());
    }
    if let (1.., Some(why)) = (left_out, why) {
        say(&format!("note: {} to start from left out: {why}", counted(left_out, "URL")));
    }
    Ok(())
}

/// Why a URL is left out, and what to do about it.
fn why(url: &str, seeding: Seeding, scope: &ScopeSettings) -> String {
    let flags = |name: &str, values: &[String]| {
        let mut flags: Vec<String> = values.iter().take(FLAGS_SAID).map(|value| format!("{name} {value}")).collect();
        flags.extend((values.len() > FLAGS_SAID).then(|| format!("and {} more", values.len() - FLAGS_SAID)));
        flags.join(" ")
    };
    match seeding {
        Seeding::Beyond(Beyond::Excluded) => format!("{url} matches {}", flags("--exclude", &scope.exclude)),
        Seeding::Beyond(Beyond::NotIncluded) => format!("{url} does not match {}", flags("--include", &scope.include)),
        Seeding::Beyond(_) => {
            let named =
                [flags("--host", &scope.hosts), flags("--domain", &scope.domains), flags("--prefix", &scope.prefixes)];
            let named: Vec<&str> = named.iter().map(String::as_str).filter(|flags| !flags.is_empty()).collect();
            let canonicalizer = trodden_fetch::crawl::canonicalizer();
            let host =
                canonicalizer.absolute(url.as_bytes()).map_or_else(|_| String::new(), |url| url.host().to_owned());
            format!(
                "{url} is on no host of the crawl, which is that of {}; to have it too, add --host {host}",
                named.join(" ")
            )
        }
        _ => format!("{url} is no URL of http or https"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_what_looks_like_a_file_is_no_host_and_what_looks_like_a_host_is_no_file() {
        for (word, url) in [
            ("example.org", "https://example.org"),
            ("example.org/list.txt", "https://example.org/list.txt"),
            ("example.org:8443/a", "https://example.org:8443/a"),
            ("wiki:8080", "https://wiki:8080"),
            ("localhost", "http://localhost"),
            ("localhost:8000/a.txt", "http://localhost:8000/a.txt"),
            ("127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("[::1]:8000", "http://[::1]:8000"),
        ] {
            assert_eq!(with_scheme(word).unwrap(), url);
        }
        for word in ["urls.txt", "sitemap.xml.gz", "lists/urls.txt", "./seeds", "../a.b", "/tmp/seeds", "~/seeds"] {
            let told = with_scheme(word).unwrap_err().to_string();
            assert!(told.starts_with(&format!("there is no file {word}")), "{told}");
        }
        assert_eq!(with_scheme("nonsense").unwrap_err().to_string(), "\"nonsense\" is neither a URL nor a file");
    }
}
