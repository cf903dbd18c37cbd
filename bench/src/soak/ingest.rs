//! `soak ingest`: does reading a damaged log end well?
//!
//! Each round makes a small log, damages it, splits it into files, packs some of them, and reads them four times:
//! with 1, 2 and 8 threads, and within 16 MiB. What must hold:
//!
//! - exit code 0 within a minute;
//! - lines = visits + dropped + bad;
//! - the four answers are the same, byte for byte.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;

use super::damage;
use super::program::{self, Ending};
use crate::random::Random;
use crate::{repo, synthetic};

/// One read of some hundred lines takes milliseconds; this is a hang.
const RUN_LIMIT: Duration = Duration::from_secs(60);

/// The ways to read that must give one answer.
const WAYS: [&[&str]; 4] =
    [&["--threads", "1"], &["--threads", "2"], &["--threads", "8"], &["--threads", "2", "--memory", "16MiB"]];

/// Arguments of `soak ingest`.
#[derive(clap::Args)]
pub(crate) struct IngestArguments {
    /// How many rounds.
    #[arg(long, value_name = "N", default_value_t = 50)]
    rounds: u64,
    /// Fixes all rounds.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// This round only.
    #[arg(long, value_name = "N")]
    round: Option<u64>,
    /// Start no round after so many minutes.
    #[arg(long, value_name = "M", default_value_t = 30)]
    minutes: u64,
    /// Use this program instead of building one.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// Runs the rounds; false when one failed.
pub(super) fn run(arguments: &IngestArguments) -> Result<bool> {
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => repo::build_trodden()?,
    };
    let rounds = arguments.round.map_or(0..arguments.rounds, |round| round..round + 1);
    let deadline = Instant::now() + Duration::from_secs(arguments.minutes * 60);
    let (mut passed, mut failed) = (0_u64, 0_u64);
    for round in rounds {
        if Instant::now() > deadline {
            eprintln!("{} minutes are over before round {round}", arguments.minutes);
            break;
        }
        let folder = tempfile::tempdir()?;
        let wrong = self::round(&program, arguments.seed, round, folder.path())?;
        let Some(wrong) = wrong else {
            passed += 1;
            continue;
        };
        failed += 1;
        println!("round {round}: {wrong}");
        println!("  its files: {}", folder.keep().display());
        println!("  run it again: cargo xtask soak ingest --seed {} --round {round}", arguments.seed);
    }
    println!("soak ingest: {passed} rounds passed, {failed} failed");
    Ok(failed == 0)
}

/// One round; what was wrong, if something was.
fn round(program: &Path, seed: u64, round: u64, folder: &Path) -> Result<Option<String>> {
    let inputs = write_inputs(&mut Random::new(Random::new(seed).next() ^ round), folder)?;
    // Every other round stores the visits too.
    let visits = (round % 2 == 1).then(|| folder.join("visits"));
    let mut first: Option<Vec<u8>> = None;
    for way in WAYS {
        let mut arguments: Vec<OsString> = vec!["ingest".into()];
        arguments.extend(inputs.iter().map(Into::into));
        arguments.extend(["--site", "https://www.zanbil.ir", "--format", "json"].map(Into::into));
        if let Some(visits) = &visits {
            if visits.exists() {
                std::fs::remove_dir_all(visits)?;
            }
            arguments.extend(["-o".into(), visits.into()]);
        }
        arguments.extend(way.iter().map(Into::into));
        let name = way.join(" ");
        let answer = match program::run(program, &arguments, folder, RUN_LIMIT)? {
            Ending::TooLong => {
                return Ok(Some(format!("{name}: not done in {} s", RUN_LIMIT.as_secs())));
            }
            Ending::Exit { status, stderr, .. } if !status.success() => {
                let last = stderr.lines().next_back().unwrap_or("no message");
                return Ok(Some(format!("{name}: {status}: {last}")));
            }
            Ending::Exit { stdout, .. } => stdout,
        };
        if let Some(wrong) = wrong_sum(&answer) {
            return Ok(Some(format!("{name}: {wrong}")));
        }
        match &first {
            None => first = Some(answer),
            Some(first) if *first != answer => {
                return Ok(Some(format!("{name}: another answer than {}", WAYS[0].join(" "))));
            }
            Some(_) => {}
        }
    }
    Ok(None)
}

fn write_inputs(random: &mut Random, folder: &Path) -> Result<Vec<PathBuf>> {
    let (line_count, people) = (1 + random.below(600), 1 + random.below(40));
    let whole = synthetic::log(random, line_count, people);
    let one_in = *random.pick(&[2, 5, 20, 1000]);
    let damaged = damage::lines(random, &whole, one_in);
    let mut paths = Vec::new();
    for (number, part) in damage::split(random, &damaged).iter().enumerate() {
        let (ending, bytes) = damage::pack(random, part);
        let path = folder.join(format!("part-{number}.{ending}"));
        std::fs::write(&path, bytes).with_context(|| format!("could not write {}", path.display()))?;
        paths.push(path);
    }
    Ok(paths)
}

/// What is wrong with the sum, if something is.
fn wrong_sum(answer: &[u8]) -> Option<String> {
    let Ok(ledger) = serde_json::from_slice::<Value>(answer) else {
        return Some("the answer is not one JSON document".to_owned());
    };
    let Some((lines, visits)) = ledger["lines"].as_u64().zip(ledger["visits"].as_u64()) else {
        return Some("the answer has no lines or visits".to_owned());
    };
    let sum = |name: &str| ledger[name].as_object().map(|by| by.values().filter_map(Value::as_u64).sum::<u64>());
    let Some((dropped, bad)) = sum("dropped").zip(sum("bad")) else {
        return Some("the answer has no dropped or bad".to_owned());
    };
    let is_whole = lines == visits + dropped + bad;
    (!is_whole).then(|| format!("{lines} lines, but {visits} visits + {dropped} dropped + {bad} bad"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_checked() {
        let of = |text: &str| wrong_sum(text.as_bytes());
        assert_eq!(of(r#"{"lines":6,"visits":1,"dropped":{"bot":2},"bad":{"blank":2,"long":1}}"#), None);
        assert!(of(r#"{"lines":7,"visits":1,"dropped":{},"bad":{}}"#).is_some());
        assert!(of(r#"{"lines":0,"visits":0}"#).is_some());
        assert!(of("lines 3").is_some());
    }

    #[test]
    fn a_round_is_fixed_by_its_seed() {
        let of = |seed| {
            let folder = tempfile::tempdir().unwrap();
            let paths = write_inputs(&mut Random::new(seed), folder.path()).unwrap();
            paths.iter().map(|path| std::fs::read(path).unwrap()).collect::<Vec<_>>()
        };
        for seed in 0..20 {
            assert_eq!(of(seed), of(seed));
        }
    }

    /// A program with these lines as its body, in place of trodden. A shell writes it: a file that this process has
    /// open for writing cannot be started while another test forks.
    fn stand_in(folder: &Path, script: &str) -> PathBuf {
        let path = folder.join("stand-in");
        let write = r#"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod +x "$1""#;
        let mut shell = std::process::Command::new("/bin/sh");
        let status = shell.args(["-c", write, "sh"]).arg(&path).arg(script).status().unwrap();
        assert!(status.success());
        path
    }

    #[test]
    fn wrong_programs_are_found_out() {
        let good = r#"echo '{"lines":1,"visits":1,"dropped":{},"bad":{}}'"#;
        let uneven = r#"echo "{\"lines\":1,\"visits\":1,\"dropped\":{},\"bad\":{},\"x\":\"$*\"}""#;
        for (script, is_right) in [(good, true), (uneven, false), ("exit 1", false), ("echo '{}'", false)] {
            let folder = tempfile::tempdir().unwrap();
            let program = stand_in(folder.path(), script);
            let wrong = round(&program, 1, 1, folder.path()).unwrap();
            assert_eq!(wrong.is_none(), is_right, "{script}: {wrong:?}");
        }
    }
}
