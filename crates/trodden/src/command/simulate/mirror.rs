//! Which site is crawled, and from where?

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use trodden_lab::mirror::{Kind, Mirror, MirrorOptions, Texts, open_mirror};
use trodden_logs::clean::BotRule;

use crate::args::{LogArgs, SimulateArgs, file_name};
use crate::config::Config;
use crate::intake;
use crate::output::say;

/// The site. Where it is made of a log, people's steps after the cut are no links: they would give away what is judged by.
pub(super) fn mirror_of(args: &SimulateArgs, config: &Config, has_topic: bool, cut_ms: Option<i64>) -> Result<Mirror> {
    let options = MirrorOptions {
        texts: if has_topic { Texts::Kept } else { Texts::Dropped },
        url_list: args.url_list.clone(),
        links_before_ms: cut_ms,
        entry_seed: args.seed,
        ..MirrorOptions::default()
    };
    let is_log = args.mirror.iter().any(|path| args.logs.contains(path));
    let mirror = match open_mirror(&args.mirror, None, &options) {
        Err(trodden_lab::Error::NotAMirror { .. }) if is_log || intake::are_logs(&args.mirror, &args.reading)? => {
            mirror_of_log(args, config, &options)?
        }
        Ok(_) if is_log && !is_visits(&args.mirror) => mirror_of_log(args, config, &options)?,
        opened => opened?,
    };
    for note in mirror.notes.lines() {
        say(&format!("mirror: {note}"));
    }
    Ok(mirror)
}

fn is_visits(paths: &[String]) -> bool {
    paths.iter().all(|path| intake::is_visits(path))
}

/// A log as a site: everything that was answered, whoever asked.
fn mirror_of_log(args: &SimulateArgs, config: &Config, options: &MirrorOptions) -> Result<Mirror> {
    let mut config = config.clone();
    config.cleaning.bots = BotRule::Kept;
    (config.cleaning.groups, config.cleaning.scanners) = (false, false);
    let logs = LogArgs { logs: args.mirror.clone(), reading: args.reading.clone() };
    say("the mirror is the log, read again: every page that was answered counts, for people and for bots");
    let visits = intake::visits(&logs, &args.resources, &config)?;
    let mut mirror = open_mirror(&visits.paths, Some(Kind::Visits), options)?;
    // The visits go when this returns; what it was made of is the log.
    mirror.files = args.mirror.iter().map(PathBuf::from).collect();
    mirror.name = args.mirror.first().map(|path| file_name(Path::new(path))).unwrap_or_default();
    Ok(mirror)
}

/// Where crawls start.
pub(super) fn starts_of(args: &SimulateArgs, mirror: &Mirror) -> Result<Vec<u32>> {
    if args.starts.is_empty() {
        let home = mirror.home().with_context(|| no_start(mirror))?;
        if mirror.entry.is_none() {
            say(&format!("starting at {} (--start URL for another page)", mirror.urls.name(home)));
        }
        return Ok(vec![home]);
    }
    let mut starts = Vec::new();
    for start in &args.starts {
        let page = mirror.find(start).with_context(|| format!("--start {start}"))?;
        if !starts.contains(&page) {
            starts.push(page);
        }
    }
    Ok(starts)
}

/// Why there is no start, and what could be one: the page with the most links.
fn no_start(mirror: &Mirror) -> String {
    let most = (0..mirror.pages()).max_by_key(|page| (mirror.graph.targets(*page).len(), std::cmp::Reverse(*page)));
    let example = most.map_or_else(String::new, |page| format!(", as --start {}", mirror.urls.name(page)));
    format!("which page is the start? Say it with --start{example} (the page with the most links)")
}
