//! `trodden demo`: the whole story on a built-in site, offline.
//!
//! A site with readers is made up from a seed, its log and its links are written to a folder, and then the same commands
//! run on them that an operator would type; they are said on standard error, so that they can be typed again. In the end the
//! site is served ([`server`]) and crawled for real ([`real`]).

mod real;
mod server;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Parser;
use indicatif::DecimalBytes;
use trodden_lab::report;
use trodden_lab::result::{Comparison, PolicyResult};
use trodden_lab::synthetic::{Site, SyntheticSettings};

use super::{mine, simulate};
use crate::args::{Cli, Command, DemoArgs};
use crate::browser;
use crate::output::{counted, data, say};

/// The order that is shown off.
const SHOWN: &str = "blend";
/// What it is compared with.
const PLAIN: &str = "breadth-first";

/// Runs the demo.
pub(crate) fn run(args: &DemoArgs) -> Result<()> {
    let dir = folder(args)?;
    say("making up a site and its readers …");
    let site = Arc::new(Site::build(&SyntheticSettings { seed: args.seed, ..SyntheticSettings::default() }));
    let (log, links) = (dir.join("access.log"), dir.join("links.tsv"));
    write_log(&site, &log)?;
    let home = write_links(&site, &links)?;
    let model = dir.join("site.model");
    let [log, links, model, to] = [&log, &links, &model, &dir].map(|path| path.to_string_lossy().into_owned());
    let seed = args.seed.to_string();

    let Command::Mine(mining) = typed(&["mine", &log, "--site", &home, "-o", &model])? else {
        bail!("`mine` is another command")
    };
    let (_, mined) = mine::mine(&mining)?;
    say(&format!("{} in {}", counted(mined.patterns().count() as u64, "pattern"), model));
    let words = ["simulate", &links, "--log", &log, "--site", &home, "--start", &home, "--seed", &seed, "-o", &to];
    let Command::Simulate(simulation) = typed(&words)? else { bail!("`simulate` is another command") };
    let result = simulate::simulate(&simulation)?;
    let written = simulate::write(&simulation, &result)?;
    let crawled = real::crawls(&site, &home, &dir, &simulation)?;

    data(&format!("{}\n{crawled}\n", headline(&result)))?;
    data(&format!("model   {model}\n"))?;
    for (name, file) in [("result", "result.json"), ("report", "report.html")] {
        let path = written.iter().find(|path| path.ends_with(file)).context("a report was not written")?;
        data(&format!("{name:<7} {}\n", path.display()))?;
    }
    for policy in [SHOWN, PLAIN] {
        data(&format!("crawl   {}\n", dir.join(format!("crawl-{policy}")).display()))?;
    }
    let all = all_of(&dir).with_context(|| format!("cannot read {}", dir.display()))?;
    say(&format!(
        "all of it is in {} ({} in {}); it stays there until you remove it",
        dir.display(),
        DecimalBytes(all.bytes),
        counted(all.files, "file")
    ));
    if args.open {
        browser::open(&dir.join("report.html"))?;
    }
    Ok(())
}

/// What is in a folder.
#[derive(Default)]
struct Contents {
    files: u64,
    bytes: u64,
}

/// What is in a folder, and below.
fn all_of(dir: &Path) -> std::io::Result<Contents> {
    let mut sum = Contents::default();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let about = entry.metadata()?;
            if about.is_dir() {
                dirs.push(entry.path());
            } else {
                sum = Contents { files: sum.files + 1, bytes: sum.bytes + about.len() };
            }
        }
    }
    Ok(sum)
}

/// A folder for everything.
fn folder(args: &DemoArgs) -> Result<PathBuf> {
    let Some(dir) = &args.output else {
        let made = tempfile::Builder::new().prefix("trodden-demo-").tempdir();
        return Ok(made.context("cannot make a folder for temporary files")?.keep());
    };
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let mut entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    if entries.next().is_some() {
        bail!("{} is not empty; name a new folder", dir.display());
    }
    Ok(dir.clone())
}

/// What an operator would type, as a command.
fn typed(words: &[&str]) -> Result<Command> {
    say(&format!("$ trodden {}", words.join(" ")));
    Ok(Cli::try_parse_from(std::iter::once("trodden").chain(words.iter().copied()))?.command)
}

fn write_log(site: &Site, path: &Path) -> Result<()> {
    let named = || format!("cannot write {}", path.display());
    let mut out = BufWriter::new(File::create(path).with_context(named)?);
    site.write_log(&mut out).and_then(|_| out.flush()).with_context(named)
}

/// Writes the links of the site as it is at the end of its log; the URL of its home page.
fn write_links(site: &Site, path: &Path) -> Result<String> {
    let named = || format!("cannot write {}", path.display());
    let mirror = site.mirror_at(site.end());
    let mut out = BufWriter::new(File::create(path).with_context(named)?);
    for (page, url) in (0..).zip(&mirror.urls) {
        for target in mirror.links.targets(page) {
            writeln!(out, "{url}\t{}", mirror.urls[*target as usize]).with_context(named)?;
        }
    }
    out.flush().with_context(named)?;
    Ok(mirror.urls[mirror.start as usize].clone())
}

/// What it comes to, in one line.
fn headline(result: &Comparison) -> String {
    let pages = |name: &str| {
        let policy: &PolicyResult = result.policies.iter().find(|policy| policy.name == name)?;
        policy.pages_for.four_fifths.map(|share| 100.0 * share)
    };
    match (pages(SHOWN), pages(PLAIN)) {
        (Some(ours), Some(plain)) => format!(
            "80 % of what people read after fetching {ours:.1} % of the pages; breadth-first needs {plain:.1} %"
        ),
        _ => report::conclusion(result),
    }
}
