//! The peer that finds patterns of URLs: os-urlpattern, written in Python.
//!
//! It clusters a list of URLs by their text; it knows nothing of visits. The list is that of a real shop: every target in
//! the log of zanbil-2019 that is not below `/image/` or `/static/`, once, 9,720 in all. We get the same URLs as stored
//! visits, one for each line of the log, with its client and, where it is a URL of the list, its referrer; so we also
//! have cuts and ranks to do. Both are measured as whole processes, start-up included.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;

use super::mine::{self, Mining};
use super::urls::{TEMPLATES, UrlSpace};
use super::visits::{Row, VisitsWriter};
use crate::bench::python;
use crate::bench::table::{Bar, Good};
use crate::child::{Measured, Usage};
use crate::random::Random;
use crate::repo;

/// Their CPU time over ours.
const SPEED_BAR: f64 = 500.0;
const SPEED_AIM: f64 = 5_000.0;

const PACKAGE: &str = "os-urlpattern";
const LOG: &str = "zanbil-2019.log.gz";
const ORIGIN: &str = "https://www.zanbil.ir";
const SITE: &str = "zanbil.ir";
/// More than the log unfolds to.
const MAX_LOG_BYTES: u64 = 1 << 30;

/// Folders of the shop that hold no pages.
const NO_PAGES: [&str; 2] = ["/image/", "/static/"];

/// For machines without the log.
const MADE_UP_URLS: u32 = 9_720;
const MADE_UP_VISITS: u32 = 30_000;

/// Ours takes milliseconds, so it can afford more runs against noise.
const OUR_RUNS: usize = 10;

/// Runs both.
pub(super) fn run(mining: &Mining) -> Result<Bar> {
    let programs = python::environment(&mining.store.join(PACKAGE), &[PACKAGE])?;
    let (pages, origin) = match repo::real_logs()? {
        Some(folder) => (Pages::of_log(&read(&folder.join(LOG))?), "page URLs of zanbil-2019"),
        None => {
            eprintln!("no real logs at ../shared/data/logs nor $TRODDEN_DATA/logs: using made-up URLs instead");
            (Pages::made_up(), "made-up URLs, because the real log is missing")
        }
    };
    eprintln!("peer: {PACKAGE} on {} URLs, about a minute", pages.urls.len());
    let list = mining.folder.join("pages.txt");
    std::fs::write(&list, pages.list())?;
    let visits = mining.folder.join("pages-visits");
    let mut writer = VisitsWriter::create(&visits)?;
    pages.write(&mut writer)?;
    writer.finish()?;

    let (peer, found) = cluster(&programs, &list, &mining.folder)?;
    let mut ours = mining.run(&visits, &["--min-users", "0"])?;
    for _ in 1..OUR_RUNS {
        let next = mining.run(&visits, &["--min-users", "0"])?;
        if next.usage.cpu < ours.usage.cpu {
            ours = next;
        }
    }
    let ratio = peer.cpu.as_secs_f64() / ours.usage.cpu.as_secs_f64().max(1e-6);
    println!("## {PACKAGE}\n\n{} {origin}, {} visits.\n", pages.urls.len(), pages.visits.len());
    println!("| program | URLs | patterns | CPU s | wall s | peak MiB |\n|---|--:|--:|--:|--:|--:|");
    println!("{}", row(&version(&programs), pages.urls.len() as u64, found, &peer));
    println!("{}\n", row("trodden mine --min-users 0", ours.report.urls, ours.report.patterns, &ours.usage));
    println!("{}\n{}\n", mine::RUNS, mine::row("trodden mine", &ours));
    println!("The peer ran once, ours is the best of {OUR_RUNS} by CPU time; whole processes.\n");
    let what = "CPU time, os-urlpattern ÷ trodden mine";
    Ok(Bar { what, good: Good::AtLeast, bar: SPEED_BAR, aim: Some(SPEED_AIM), unit: "×", measured: ratio })
}

fn row(what: &str, urls: u64, patterns: u64, usage: &Usage) -> String {
    let (cpu, wall) = (usage.cpu.as_secs_f64(), usage.wall.as_secs_f64());
    let mib = usage.peak_bytes as f64 / f64::from(1 << 20);
    format!("| {what} | {urls} | {patterns} | {cpu:.3} | {wall:.3} | {mib:.0} |")
}

fn version(programs: &Path) -> String {
    let output = Command::new(programs.join("pattern-make")).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    format!("{PACKAGE}: {text}")
}

/// Lets the peer find its patterns; returns what it used and how many it found.
fn cluster(programs: &Path, list: &Path, folder: &Path) -> Result<(Usage, u64)> {
    let mut arguments: Vec<OsString> = vec!["-i".into(), list.into()];
    arguments.extend(["-f", "PATTERN"].map(Into::into));
    let stdout = folder.join("os-urlpattern.txt");
    let program = programs.join("pattern-make");
    let usage = Measured::start(program.as_os_str(), &arguments, &[], Stdio::null(), &stdout)?.finish()?;
    let patterns = BufReader::new(File::open(&stdout)?).lines().count() as u64;
    if patterns == 0 {
        bail!("os-urlpattern found no patterns; its time would mean nothing");
    }
    Ok((usage, patterns))
}

fn read(log: &Path) -> Result<Vec<u8>> {
    let file = File::open(log).with_context(|| format!("could not open {}", log.display()))?;
    let mut text = Vec::new();
    let read = MultiGzDecoder::new(file).take(MAX_LOG_BYTES).read_to_end(&mut text);
    read.with_context(|| format!("could not unfold {}", log.display()))?;
    Ok(text)
}

/// The pages of the shop, and who visited them from where.
struct Pages {
    /// Sorted.
    urls: Vec<String>,
    /// Client, target and referrer.
    visits: Vec<(i64, usize, Option<usize>)>,
}

impl Pages {
    fn of_log(log: &[u8]) -> Self {
        let text = String::from_utf8_lossy(log);
        let lines: Vec<Line<'_>> = text.lines().filter_map(Line::parse).filter(Line::is_page).collect();
        let paths: Vec<&str> = lines.iter().map(|line| line.target).collect::<BTreeSet<_>>().into_iter().collect();
        let place = |path: &str| paths.binary_search(&path).ok();
        let mut clients = HashMap::new();
        let mut visits = Vec::new();
        for line in &lines {
            let next = clients.len() as u64;
            let client = *clients.entry(line.client).or_insert_with(|| Random::new(next).next().cast_signed());
            let referrer = line.referrer.strip_prefix(ORIGIN).and_then(place);
            visits.extend(place(line.target).map(|target| (client, target, referrer)));
        }
        Self { urls: paths.into_iter().map(|path| format!("{ORIGIN}{path}")).collect(), visits }
    }

    fn made_up() -> Self {
        let space = UrlSpace::new(ORIGIN, (0..TEMPLATES).collect(), MADE_UP_URLS);
        let text = |id| {
            let mut url = String::new();
            space.write(id, &mut url);
            url
        };
        let mut random = Random::new(1);
        let mut page = || random.below(MADE_UP_URLS as usize);
        let visits = (0..MADE_UP_VISITS as usize)
            .map(|visit| (page() as i64 % 2_000, if visit < 9_720 { visit } else { page() }, Some(page())))
            .collect();
        Self { urls: (0..MADE_UP_URLS).map(text).collect(), visits }
    }

    fn list(&self) -> String {
        self.urls.iter().map(|url| format!("{url}\n")).collect()
    }

    fn write(&self, writer: &mut VisitsWriter) -> Result<()> {
        for ((user, target, referrer), number) in self.visits.iter().zip(0..) {
            let url = |place: usize| &self.urls[place][..];
            let (target, referrer) = (url(*target), referrer.map(url));
            // All within a day, in their order.
            writer.write(&Row { time_ms: number * 100, site: SITE, user: *user, target, referrer })?;
        }
        Ok(())
    }
}

/// What a line of the log says.
struct Line<'l> {
    client: &'l str,
    target: &'l str,
    referrer: &'l str,
}

impl<'l> Line<'l> {
    fn parse(line: &'l str) -> Option<Self> {
        let mut quoted = line.split('"');
        let client = quoted.next()?.split(' ').next()?;
        let target = quoted.next()?.split(' ').nth(1)?;
        Some(Self { client, target, referrer: quoted.nth(1)? })
    }

    fn is_page(&self) -> bool {
        self.target.starts_with('/') && !NO_PAGES.iter().any(|folder| self.target.starts_with(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_targets_outside_of_pictures_and_styles() {
        let line = |client: &str, target: &str, referrer: &str| {
            format!(
                "{client} - - [26/Jan/2019:19:45:25 +0330] \"GET {target} HTTP/1.1\" 200 1 \"{referrer}\" \"x\" \"-\"\n"
            )
        };
        let log = line("a", "/m", "-")
            + &line("a", "/image/1", "https://www.zanbil.ir/m")
            + &line("b", "/m/product/1", "https://www.zanbil.ir/m")
            + &line("a", "/m", "https://www.zanbil.ir/gone")
            + "nonsense\n";
        let pages = Pages::of_log(log.as_bytes());
        assert_eq!(pages.list(), "https://www.zanbil.ir/m\nhttps://www.zanbil.ir/m/product/1\n");
        let (client, other) = (pages.visits[0].0, pages.visits[1].0);
        assert_ne!(client, other);
        assert_eq!(pages.visits, [(client, 0, None), (other, 1, Some(0)), (client, 0, None)]);
    }

    #[test]
    fn made_up_pages_are_all_visited() {
        let pages = Pages::made_up();
        let visited: BTreeSet<usize> = pages.visits.iter().map(|visit| visit.1).collect();
        assert_eq!((pages.urls.len(), visited.len()), (9_720, 9_720));
    }
}
