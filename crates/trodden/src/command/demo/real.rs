//! The demo's real crawls: the site is served on loopback and crawled twice, as an operator would crawl it.
//!
//! What is learnt is the first half of the log, and both crawls are judged by its second half, as `simulate` does: nothing is
//! learnt from the future. Both start at the home page, and fetch only what links lead to; only the order differs.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use trodden_fetch::crawl::CrawlRecord;
use trodden_fetch::outcome::OutcomeKind;
use trodden_lab::experiment::{Hidden, Split, SplitAt, split};
use trodden_lab::synthetic::Site;
use trodden_logs::visits::StoredVisits;

use super::server::Server;
use super::{PLAIN, SHOWN, typed};
use crate::args::{Command, LogArgs, SimulateArgs};
use crate::command::crawl;
use crate::config::Config;
use crate::intake;
use crate::output::counted;

/// The share of the site that is crawled.
const SHARE: f64 = 0.1;
/// Pages that are crawled at most: nobody waits long for a demo.
const MAX_PAGES: f64 = 3_000.0;

/// Crawls by two orders; what came of it, in one line.
pub(super) fn crawls(site: &Arc<Site>, home: &str, dir: &Path, simulation: &SimulateArgs) -> Result<String> {
    let past = dir.join("first-half");
    let split = halves(simulation, &past)?;
    let past = past.to_string_lossy();
    let mirror = site.mirror_at(site.end());
    let reachable = mirror.links.reachable(&[mirror.start]);
    let pages = mirror.urls.iter().zip(&reachable).filter(|(_, reached)| **reached).map(|(url, _)| bare(url));
    let pages: HashSet<&str> = pages.collect();
    let budget = (pages.len() as f64 * SHARE).min(MAX_PAGES).round().max(1.0) as u64;
    let server = Server::start(site.clone())?;
    let mut shares = Vec::new();
    for policy in [SHOWN, PLAIN] {
        let folder = dir.join(format!("crawl-{policy}"));
        let (to, number, proxy) = (folder.to_string_lossy().into_owned(), budget.to_string(), server.proxy());
        let mut words = vec!["crawl", home, "--policy", policy, "--pages", &number, "--delay", "0"];
        words.extend(["--address-delay", "0", "--proxy", &proxy, "--linked-only", "-o", &to]);
        if policy == SHOWN {
            words.extend(["--seed-from", &past]);
        }
        let Command::Crawl(args) = typed(&words)? else { bail!("`crawl` is another command") };
        crawl::run_for_demo(&args)?;
        shares.push(share(&folder, &split, &pages)?);
    }
    Ok(format!(
        "a real crawl of {} got {:.1} % of what people read afterwards; {PLAIN} {:.1} %",
        counted(budget, "page"),
        100.0 * shares[0],
        100.0 * shares[1]
    ))
}

/// The visits of the first half go to a folder; those of the second are given.
fn halves(simulation: &SimulateArgs, past: &Path) -> Result<Split> {
    let config = Config::load(&simulation.settings)?;
    let logs = LogArgs { logs: simulation.logs.clone(), reading: simulation.reading.clone() };
    let visits = intake::visits(&logs, &simulation.resources, &config)?;
    let cut = SplitAt::Share(simulation.train_share);
    Ok(split(&StoredVisits::find(&visits.paths)?, cut, &Hidden::default(), past)?)
}

/// The share of later visits, of those to pages that can be reached, whose page was fetched.
fn share(folder: &Path, split: &Split, pages: &HashSet<&str>) -> Result<f64> {
    let record = CrawlRecord::open(folder)?;
    let mut keys = Vec::new();
    record.each(|key, fetched| keys.extend((fetched.kind == OutcomeKind::Page).then_some(key)))?;
    let urls = keys.into_iter().map(|key| record.url(key)).collect::<Result<Vec<_>, _>>();
    let urls = urls.with_context(|| format!("cannot read {}", folder.display()))?;
    let fetched: HashSet<&str> = urls.iter().map(|url| bare(url)).collect();
    let (mut got, mut all) = (0_u64, 0_u64);
    for visit in &split.test {
        let url = split.urls.text(visit.url);
        all += u64::from(pages.contains(url));
        got += u64::from(pages.contains(url) && fetched.contains(url));
    }
    Ok(got as f64 / all.max(1) as f64)
}

/// Without its scheme.
fn bare(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}
