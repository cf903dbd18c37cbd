//! How many URLs are scored in a second?
//!
//! `trodden score` reads a list of URLs of which about 80 % are in patterns of the model, 15 % in none and 5 % of other
//! sites. Counted is the CPU time of the whole process less that of an empty list, which is start-up and reading the
//! model: from text to text, for any number of threads a rate per core. Two peers run beside it, in this process,
//! on one thread, on text that is already in memory:
//!
//! - a set of regular expressions made of the same patterns: what a crawler would have instead, with the memory that it
//!   takes by default and with much more. It may be slow, so it gets as much of the list as it can do in some seconds.
//!   It reads text as it stands: no canonical form, no escapes, no other order of parameters.
//! - `Url::parse` alone: what it costs to look at a URL at all.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::growth;
use super::mine::Mining;
use super::regexes::{self, Cache};
use super::urls::UrlSpace;
use crate::bench::table::{Bar, Good};
use crate::child::{self, Measured, Usage};
use crate::random::Random;

/// Millions of URLs in a CPU second.
const RATE_BAR: f64 = 1.0;
const RATE_AIM: f64 = 3.0;
/// Our time over that of `Url::parse`: only an aim.
const PARSE_AIM: f64 = 1.5;

/// Raise it when the same number gives other URLs.
const VERSION: u32 = 1;
/// URLs of the site whose model is used.
const MODEL_URLS: u32 = 100_000;
const SEED: u64 = 80_155;

const RUNS: usize = 3;
/// What the program answered is looked at for so many URLs.
const SAMPLE: usize = 200_000;
/// Regular expressions are stopped after this.
const PATIENCE: Duration = Duration::from_secs(10);

/// Scores `count` URLs.
pub(super) fn run(mining: &Mining, count: u32) -> Result<Bar> {
    eprintln!("score: {count} URLs by the model of a site of {MODEL_URLS}");
    let mined = mining.run(&growth::stored(&mining.store, MODEL_URLS)?, &[])?;
    let (site, patterns) = patterns(&mined.model)?;
    let list = stored(&mining.store, count)?;
    let empty = mining.folder.join("no-urls.txt");
    std::fs::write(&empty, "")?;
    let whole = score(mining, &mined.model, &list)?;
    let start_up = score(mining, &mined.model, &empty)?;
    let ours = whole.cpu.saturating_sub(start_up.cpu).as_secs_f64().max(1e-6) / f64::from(count);
    let covered = covered(mining, &mined.model, &list)?;

    eprintln!("score: {} regular expressions, then Url::parse, in this process", patterns.len());
    let text = std::fs::read_to_string(&list)?;
    let regexes = with_regexes(&site, &patterns, &text, Cache::Default)?;
    let large = with_regexes(&site, &patterns, &text, Cache::Large)?;
    let parse = with_parse(&text)?;

    println!("## Score\n\n{count} URLs, a model of {MODEL_URLS} URLs and {} patterns.\n", patterns.len());
    println!("| what | URLs | in a pattern | CPU s | URLs per CPU s | our time ÷ its |\n|---|--:|--:|--:|--:|--:|");
    println!("{}", row("trodden score, text to text", count as usize, Some(covered), ours, ours));
    for (what, done) in [("RegexSet of the same patterns", &regexes), ("the same with 256 MiB to remember", &large)] {
        println!("{}", row(what, done.urls, Some(done.share()), done.each(), ours));
    }
    println!("{}\n", row("Url::parse alone", parse.urls, None, parse.each(), ours));
    println!(
        "Ours: CPU time of the whole process, best of {RUNS}, less {:.3} s for an empty list; the share in a pattern is of \
         the first {SAMPLE}. Peak {:.0} MiB, wall {:.2} s. The set of expressions was made in {:.2} s, which is not counted.\n",
        start_up.cpu.as_secs_f64(),
        whole.peak_bytes as f64 / f64::from(1 << 20),
        whole.wall.as_secs_f64(),
        regexes.making.as_secs_f64()
    );
    let ratio = ours / parse.each();
    println!(
        "Our time is {ratio:.2} × that of Url::parse (aim: under {PARSE_AIM} ×, {}).\n",
        if ratio < PARSE_AIM { "met" } else { "not met" }
    );
    let what = "URLs scored per CPU second, text to text";
    let bar = Bar { what, good: Good::AtLeast, bar: RATE_BAR, aim: Some(RATE_AIM), unit: "M/s", measured: 1e-6 / ours };
    Ok(bar)
}

fn row(what: &str, urls: usize, covered: Option<f64>, each: f64, ours: f64) -> String {
    let covered = covered.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0));
    format!("| {what} | {urls} | {covered} | {:.2} | {:.0} | {:.3} |", each * urls as f64, 1.0 / each, ours / each)
}

/// The run with the least CPU time.
fn score(mining: &Mining, model: &Path, list: &Path) -> Result<Usage> {
    let arguments: Vec<OsString> = vec!["score".into(), model.into(), "--input".into(), list.into()];
    let report = mining.folder.join("score.usage.json");
    let run = || Measured::start_silent(mining.program.as_os_str(), &arguments, report.clone())?.finish();
    let mut best = run()?;
    for _ in 1..RUNS {
        best = [best, run()?].into_iter().min_by_key(|usage| usage.cpu).unwrap_or(best);
    }
    Ok(best)
}

/// The share of URLs that the program puts into a pattern: else its second column is `-` or begins with `~`.
fn covered(mining: &Mining, model: &Path, list: &Path) -> Result<f64> {
    let (head, out) = (mining.folder.join("head.txt"), mining.folder.join("scored.tsv"));
    let mut to = BufWriter::new(File::create(&head)?);
    let mut lines = 0;
    for line in BufReader::new(File::open(list)?).lines().take(SAMPLE) {
        writeln!(to, "{}", line?)?;
        lines += 1;
    }
    to.into_inner()?;
    let arguments: Vec<OsString> = vec!["score".into(), model.into(), "--input".into(), head.into()];
    Measured::start(mining.program.as_os_str(), &arguments, &[], Stdio::null(), &out)?.finish()?;
    let (mut scored, mut covered) = (0, 0);
    for line in BufReader::new(File::open(&out)?).lines() {
        scored += 1;
        covered += usize::from(line?.split('\t').nth(1).is_some_and(|pattern| !pattern.starts_with(['-', '~'])));
    }
    if scored != lines {
        bail!("trodden score wrote {scored} lines for {lines} URLs; its speed would mean nothing");
    }
    Ok(covered as f64 / lines.max(1) as f64)
}

/// The site and its patterns, as the first line of a model has them.
fn patterns(model: &Path) -> Result<(String, Vec<String>)> {
    let mut line = String::new();
    BufReader::new(File::open(model)?).read_line(&mut line)?;
    let model: serde_json::Value = serde_json::from_str(&line).context("the model is no JSON")?;
    let site = model["site"].as_str().context("the model names no site")?.to_owned();
    // The leaves of the model's tree are those that have a score.
    let nodes = model["nodes"].as_array().context("the model has no nodes")?;
    let leaves = nodes.iter().filter(|node| node["scores"].is_object());
    let patterns: Vec<String> = leaves.filter_map(|node| Some(node["pattern"].as_str()?.to_owned())).collect();
    if patterns.is_empty() {
        bail!("the model of {site} has no patterns");
    }
    Ok((site, patterns))
}

/// What a peer in this process did.
struct Done {
    urls: usize,
    matched: usize,
    cpu: Duration,
    /// Before the first URL.
    making: Duration,
}

impl Done {
    fn each(&self) -> f64 {
        self.cpu.as_secs_f64().max(1e-6) / self.urls.max(1) as f64
    }

    fn share(&self) -> f64 {
        self.matched as f64 / self.urls.max(1) as f64
    }
}

fn with_regexes(site: &str, patterns: &[String], text: &str, cache: Cache) -> Result<Done> {
    let start = child::own_cpu()?;
    let set = regexes::set(site, patterns.iter().map(String::as_str), cache)?;
    // It remembers while it works, so it may look at some of the list before time counts.
    let made = child::own_cpu()?;
    work(text, PATIENCE / 10, |url| set.matches(url).iter().next().is_some())?;
    let done = work(text, PATIENCE, |url| set.matches(url).iter().next().is_some())?;
    Ok(Done { making: made.saturating_sub(start), ..done })
}

fn with_parse(text: &str) -> Result<Done> {
    work(text, PATIENCE, |line| url::Url::parse(std::hint::black_box(line)).is_ok())
}

/// Does all lines, or as many as there is patience for.
fn work(text: &str, patience: Duration, is_match: impl Fn(&str) -> bool) -> Result<Done> {
    let start = child::own_cpu()?;
    let mut done = Done { urls: 0, matched: 0, cpu: Duration::ZERO, making: Duration::ZERO };
    for line in text.lines() {
        done.matched += usize::from(is_match(line));
        done.urls += 1;
        // Asking for the time costs as much as some URLs.
        if done.urls.is_multiple_of(1 << 10) && child::own_cpu()?.saturating_sub(start) > patience {
            break;
        }
    }
    done.cpu = child::own_cpu()?.saturating_sub(start);
    Ok(done)
}

/// A list of `count` URLs, made now unless it is there from an earlier run.
fn stored(store: &Path, count: u32) -> Result<PathBuf> {
    let path = store.join(format!("score-v{VERSION}-{MODEL_URLS}-{count}.txt"));
    if path.is_file() {
        return Ok(path);
    }
    eprintln!("making {}", path.display());
    let partial = path.with_extension("partial");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
    let space = growth::space(MODEL_URLS);
    let (mut random, mut line) = (Random::new(SEED), String::new());
    for number in 0..count {
        line.clear();
        write_url(&space, number, &mut random, &mut line);
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    out.flush()?;
    std::fs::rename(&partial, &path)?;
    Ok(path)
}

/// Of a hundred: 60 that were visited, 20 new ones of the same templates, 15 of no template, 5 of other sites.
fn write_url(space: &UrlSpace, number: u32, random: &mut Random, out: &mut String) {
    match random.below(100) {
        0..60 => space.write(random.below(space.len() as usize) as u32, out),
        60..80 => space.write_new(random.below(space.templates()), number, out),
        80..85 => {
            // A template with two segments too many.
            space.write_new(0, number, out);
            out.push_str("/reviews/new");
        }
        85..90 => out.push_str(&format!("https://www.large.example/static/img/{:x}/{number}.jpg", random.next() >> 40)),
        90..95 => {
            out.push_str(&format!("https://www.large.example/api/v2/basket?step={number}&token={}", random.next()));
        }
        _ => out.push_str(&format!("https://www.other-{}.example/a/page/{number}.html", random.below(5_000))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_mixed_as_said_and_always_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let list = std::fs::read_to_string(stored(folder.path(), 10_000).unwrap()).unwrap();
        assert_eq!(list.lines().count(), 10_000);
        let other = list.lines().filter(|url| url.starts_with("https://www.other-")).count();
        assert!((400..600).contains(&other), "{other}");
        assert!(list.lines().all(|url| url::Url::parse(url).is_ok()));
        let again = tempfile::tempdir().unwrap();
        assert_eq!(list, std::fs::read_to_string(stored(again.path(), 10_000).unwrap()).unwrap());
    }

    #[test]
    fn patterns_are_the_scored_nodes_of_a_model() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("a.model");
        let line = r#"{"trodden_model":1,"site":"example.org","nodes":[{"parent":0},
            {"parent":0,"pattern":"/a/#","scores":{"auth":1.0,"hub":0.0}},{"parent":0,"pattern":"/cut/*"}]}"#;
        std::fs::write(&model, line.replace('\n', "") + "\n").unwrap();
        assert_eq!(patterns(&model).unwrap(), ("example.org".to_owned(), vec!["/a/#".to_owned()]));
    }

    #[test]
    fn work_counts_what_matches() {
        let done = work("a\nb\nab\n", PATIENCE, |line| line.contains('a')).unwrap();
        assert_eq!((done.urls, done.matched), (3, 2));
    }
}
