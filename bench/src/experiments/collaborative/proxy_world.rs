//! A proxy's trace as a world: pages without text and links, labelled by journal, and who read them.
//!
//! Lines of the common log format with an absolute URL. A page is a labelled URL that a named user got (200, 203, 206 or 304: half of Springer's are
//! parts of PDFs). A user is a name in a log on a day, since names were given anew each day. Pages are numbered by chance, so that
//! no order knows their URLs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use flate2::bufread::MultiGzDecoder;
use trodden_frontier::UrlId;
use trodden_lab::graph::LinkGraphBuilder;
use trodden_lab::mirror::{Kind, MirrorNotes};
use trodden_lab::topical::TopicalWorld;
use trodden_lab::{Mirror, UrlTexts};
use trodden_mining::TraceBuilder;
use trodden_ordering::{PageLabels, chance};

use super::super::laboratory::Laboratory;

const LOGS: [&str; 3] = ["sciencedirect", "springer", "cairn"];
/// Answers that are the page, or a part of it.
const GOT: [&str; 4] = ["200", "203", "206", "304"];
/// Bytes of a file, unpacked: far more than these have.
const MOST_BYTES: u64 = 1 << 30;
/// Of chance.
const SEED: u64 = 20_130_312;

/// A journal that is a topic.
pub(super) struct Journal {
    pub(super) name: String,
    pub(super) pages: u32,
}

/// The world, and journals with so many pages and readers.
pub(super) fn load(
    laboratory: &Laboratory,
    least_pages: u32,
    least_readers: usize,
) -> Result<(TopicalWorld, Vec<Journal>)> {
    let mut journals: BTreeMap<String, String> = BTreeMap::new();
    each_line(&laboratory.data("proxy/journals.tsv.gz"), |line| {
        let mut fields = line.split('\t');
        if let (Some(url), Some(platform), Some(journal)) = (fields.next(), fields.next(), fields.next()) {
            journals.insert(url.to_owned(), format!("{platform}.{journal}"));
        }
    })?;
    let mut accesses: Vec<Access> = Vec::new();
    for log in LOGS {
        each_line(&laboratory.data(&format!("proxy/{log}.log.gz")), |line| {
            accesses.extend(access(log, line).filter(|access| journals.contains_key(&access.url)));
        })?;
    }
    let mut pages: Vec<&String> =
        accesses.iter().map(|access| &access.url).collect::<BTreeSet<_>>().into_iter().collect();
    let mut order: Vec<(u64, &String)> = (0..).zip(&pages).map(|(at, url)| (chance::number(SEED, at), *url)).collect();
    order.sort_unstable();
    pages = order.into_iter().map(|(_, url)| url).collect();
    let numbers: BTreeMap<&String, u32> = pages.iter().copied().zip(0..).collect();

    let (mut urls, mut labels, mut links) = (UrlTexts::default(), PageLabels::default(), LinkGraphBuilder::default());
    for (page, url) in (0..).zip(&pages) {
        urls.push(url)?;
        links.page(page);
        labels.add(UrlId(page), &journals[*url]);
    }
    let (mut trace, mut users) = (TraceBuilder::default(), BTreeMap::new());
    let mut readers: BTreeMap<&String, BTreeSet<u32>> = BTreeMap::new();
    for access in &accesses {
        let user = *users.entry(&access.user).or_insert_with(|| trace.new_user());
        trace.add(user, numbers[&access.url], access.time_ms);
        readers.entry(&journals[&access.url]).or_default().insert(user);
    }
    let mut counts: BTreeMap<&String, u32> = BTreeMap::new();
    pages.iter().for_each(|url| *counts.entry(&journals[*url]).or_default() += 1);
    let topics =
        counts.into_iter().filter(|(name, pages)| *pages >= least_pages && readers[name].len() >= least_readers);
    let topics = topics.map(|(name, pages)| Journal { name: name.clone(), pages }).collect();
    let mirror = Mirror::new(links.finish()?.0, urls, MirrorNotes::new(Kind::UrlEdges));
    Ok((TopicalWorld { mirror, trace: Arc::new(trace.finish()), labels: Arc::new(labels) }, topics))
}

/// Somebody got something.
struct Access {
    user: String,
    time_ms: i64,
    url: String,
}

/// `10.198.149.98 - u00514 [30/Nov/2012:00:13:10 +0100] "GET http://www.example:80/a HTTP/1.1" 200 444`
fn access(log: &str, line: &str) -> Option<Access> {
    let (head, rest) = line.split_once(" [")?;
    let name = head.split_whitespace().nth(2).filter(|name| *name != "-")?;
    let (time, rest) = rest.split_once("] \"GET ")?;
    let (url, rest) = rest.split_once(' ')?;
    let status = rest.split_once("\" ")?.1.split(' ').next()?;
    let (day, clock) = time.split_once(':')?;
    let mut clock = clock.split([':', ' ']).map(|part| part.parse::<i64>().ok());
    let mut seconds = 0;
    for unit in [3_600, 60, 1] {
        seconds += clock.next()?? * unit;
    }
    // Within a day the time of day is the order; users do not live longer.
    let user = format!("{log} {day} {name}");
    GOT.contains(&status).then(|| Access { user, time_ms: seconds * 1_000, url: url.replacen(":80/", "/", 1) })
}

/// Every line of a packed table or log; the heading of a table names no URL.
pub(super) fn each_line(path: &Path, mut each: impl FnMut(&str)) -> Result<()> {
    let file = std::fs::File::open(path).with_context(|| format!("could not open {}", path.display()))?;
    let unpacked = MultiGzDecoder::new(BufReader::new(file)).take(MOST_BYTES);
    for line in BufReader::new(unpacked).split(b'\n') {
        let line = line.with_context(|| format!("could not read {}", path.display()))?;
        each(String::from_utf8_lossy(&line).trim_end_matches('\r'));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_line_is_an_access_of_a_named_user() {
        let line =
            r#"10.1.1.1 - u00514 [30/Nov/2012:00:13:10 +0100] "GET http://www.x.example:80/a?b=c HTTP/1.1" 206 44"#;
        let access = access("log", line).unwrap();
        assert_eq!((access.user.as_str(), access.time_ms), ("log 30/Nov/2012 u00514", 790_000));
        assert_eq!(access.url, "http://www.x.example/a?b=c");
        for other in
            [line.replace("u00514", "-"), line.replace("206", "302"), line.replace("GET", "POST"), String::new()]
        {
            assert!(super::access("log", &other).is_none(), "{other}");
        }
    }
}
