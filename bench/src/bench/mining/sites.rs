//! How many small sites are mined in a second, and how soon is one of them found in the model?
//!
//! Each site has fifty URLs of five of the templates, a hundred triples and ten people. The model has a line for each site;
//! scoring one URL must not read them all.

use std::ffi::OsString;

use anyhow::Result;

use super::mine::{self, Mining};
use super::people::{self, Crowd};
use super::urls::{TEMPLATES, UrlSpace};
use super::visits;
use crate::bench::table::{Bar, Good};
use crate::child::{Measured, Usage};

/// Sites in a second of mining.
const RATE_BAR: f64 = 5_000.0;

const URLS: u32 = 50;
const TRIPLES: u64 = 100;
const PEOPLE: u32 = 10;
const TEMPLATES_OF_A_SITE: u32 = 5;

const RUNS: usize = 2;
const SCORE_RUNS: usize = 5;

fn name(number: u32) -> String {
    format!("site-{number:06}.example")
}

fn space(number: u32) -> UrlSpace {
    let templates = (0..TEMPLATES_OF_A_SITE).map(|i| (number * 7 + i * 13) % TEMPLATES).collect();
    UrlSpace::new(format!("https://{}", name(number)), templates, URLS)
}

/// Mines `sites` sites, then scores one URL of one of them.
pub(super) fn run(mining: &Mining, sites: u32) -> Result<Bar> {
    eprintln!("sites: {sites} of {URLS} URLs");
    let visits = visits::stored(&mining.store, &format!("{sites}-sites-{URLS}-{TRIPLES}"), |writer| {
        for number in 0..sites {
            let crowd = Crowd { people: PEOPLE, triples: TRIPLES, seed: u64::from(number) << 32 };
            people::write(&name(number), &space(number), crowd, writer)?;
        }
        Ok(())
    })?;
    let mined = mining.best(RUNS, &visits, &[])?;
    mined.check(u64::from(sites), u64::from(sites * URLS), u64::from(sites) * TRIPLES)?;
    let seconds = mined.report.seconds.mining;
    let (rate, whole) = (f64::from(sites) / seconds, f64::from(sites) / mined.usage.wall.as_secs_f64());
    println!("## Many sites\n\n{}\n{}\n", mine::RUNS, mine::row("small sites", &mined));
    println!("{rate:.0} sites in a second of mining, {whole:.0} in a second of the whole run, reading included.\n");

    let input = mining.folder.join("one-url.txt");
    let mut url = String::new();
    space(sites / 2).write(1, &mut url);
    std::fs::write(&input, url + "\n")?;
    let arguments: Vec<OsString> = vec!["score".into(), mined.model.clone().into(), "--input".into(), input.into()];
    let report = mining.folder.join("score-one.usage.json");
    let score = || Measured::start_silent(mining.program.as_os_str(), &arguments, report.clone())?.finish();
    let mut best: Usage = score()?;
    for _ in 1..SCORE_RUNS {
        best = [best, score()?].into_iter().min_by_key(|usage| usage.wall).unwrap_or(best);
    }
    println!(
        "One URL of one site, scored by that model of {:.0} MB: {:.3} s wall, {:.3} s CPU, {:.0} MiB, whole process.\n",
        mined.model.metadata()?.len() as f64 / 1e6,
        best.wall.as_secs_f64(),
        best.cpu.as_secs_f64(),
        best.peak_bytes as f64 / f64::from(1 << 20)
    );
    let what = "small sites, per second of mining";
    Ok(Bar { what, good: Good::AtLeast, bar: RATE_BAR, aim: None, unit: "sites/s", measured: rate })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn sites_differ_in_templates_and_have_all_their_urls() {
        for number in [0, 1, 99_999] {
            let space = space(number);
            let mut urls = HashSet::new();
            for id in 0..URLS {
                let mut url = String::new();
                space.write(id, &mut url);
                assert!(url.starts_with(&format!("https://{}/", name(number))), "{url}");
                urls.insert(url);
            }
            assert_eq!(urls.len(), URLS as usize);
        }
    }
}
