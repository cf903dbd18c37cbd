//! `soak fuzz`: does any input break a parser?
//!
//! The targets of `fuzz/` under libFuzzer, as many at once as there are cores. What reaches new code is kept below the
//! target folder, so that the next run goes on from there. Without a C++ compiler libFuzzer cannot be built: then the
//! driver of `fuzz/` changes seeds by chance, as in `./test`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use anyhow::{Context, Result, bail};

use crate::repo;

/// What the compiler is told, so that a program sees which code an input reaches. Stable flags all.
const INSTRUMENTS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// Seconds of one input after which libFuzzer calls it a hang.
const INPUT_SECONDS: u64 = 20;
/// What a target may fill, in MiB. The corpus of a long run is part of it.
const MEMORY_MIB: u64 = 4_096;

/// Arguments of `soak fuzz`.
#[derive(clap::Args)]
pub(crate) struct FuzzArguments {
    /// How long, all targets together.
    #[arg(long, value_name = "N", default_value_t = 60)]
    minutes: u64,
    /// Fixes the inputs that are tried by chance.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Only this target; may be given several times.
    #[arg(long, value_name = "NAME")]
    target: Vec<String>,
    /// Change seeds by chance, without libFuzzer.
    #[arg(long)]
    blind: bool,
}

/// Feeds the targets; false when an input broke one.
pub(super) fn run(arguments: &FuzzArguments) -> Result<bool> {
    let store = repo::target_dir()?.join("fuzz");
    std::fs::create_dir_all(&store).with_context(|| format!("could not make {}", store.display()))?;
    let has_compiler = repo::on_path("c++") || repo::on_path("g++") || repo::on_path("clang++");
    if !has_compiler && !arguments.blind {
        eprintln!("no C++ compiler is here, so libFuzzer cannot be built: seeds are changed by chance");
    }
    let driver = build("fuzz", &[], None)?;
    if arguments.blind || !has_compiler {
        return blind(&driver, arguments, &store);
    }
    let targets = if arguments.target.is_empty() { listed(&driver)? } else { arguments.target.clone() };
    let host = host_triple()?;
    let guided = build("guided", &["--features", "guided", "--target", &host], Some(INSTRUMENTS))?;
    guide(&guided, &targets, arguments, &store)
}

/// Builds a program of `fuzz/` in the profile of that name; where it is.
fn build(bin: &str, more: &[&str], flags: Option<&str>) -> Result<PathBuf> {
    eprintln!("building {bin}");
    // Flags of its own want a folder of their own, or everything else would be built anew after it.
    let folder = repo::target_dir()?.join(if flags.is_some() { "fuzz/guided" } else { "fuzz/blind" });
    let mut command = Command::new("cargo");
    command
        .current_dir(repo::root()?)
        .args(["build", "--quiet", "--locked", "--profile", "fuzz", "--package", "trodden-fuzz", "--bin", bin])
        .args(more)
        .arg("--target-dir")
        .arg(&folder);
    if let Some(flags) = flags {
        command.env("RUSTFLAGS", flags);
    }
    if !command.status().context("could not start cargo; is it on the PATH?")?.success() {
        bail!("{bin} does not build; mend that first");
    }
    let triple = more.iter().skip_while(|word| **word != "--target").nth(1);
    let folder = triple.map_or(folder.clone(), |triple| folder.join(triple));
    Ok(folder.join("fuzz").join(bin))
}

/// The platform of this compiler. Cargo gives flags to the program alone, and not to build scripts, where one is named.
fn host_triple() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("could not start rustc")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

/// All targets.
fn listed(driver: &Path) -> Result<Vec<String>> {
    let output = Command::new(driver).arg("--list").output().context("could not start fuzz")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn blind(driver: &Path, arguments: &FuzzArguments, store: &Path) -> Result<bool> {
    let mut command = Command::new(driver);
    command.current_dir(repo::root()?);
    command.args(["--seconds", &(arguments.minutes * 60).to_string(), "--seed", &arguments.seed.to_string()]);
    command.args(arguments.target.iter().flat_map(|name| ["--target", name]));
    command.arg("--failures").arg(store);
    Ok(command.status().context("could not start fuzz")?.success())
}

/// All targets under libFuzzer, one a core at a time.
fn guide(guided: &Path, targets: &[String], arguments: &FuzzArguments, store: &Path) -> Result<bool> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(targets.len());
    let seconds = (arguments.minutes * 60 * cores as u64 / targets.len() as u64).max(1);
    eprintln!("{} targets, {seconds} s each, {cores} at a time", targets.len());
    let left = Mutex::new(targets.iter());
    let next = || left.lock().ok().and_then(|mut left| left.next());
    let work = || -> Result<bool> {
        let mut good = true;
        while let Some(target) = next() {
            good &= guide_one(guided, target, seconds, arguments.seed, store)?;
        }
        Ok(good)
    };
    let results: Vec<Result<bool>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| bail!("a worker broke off"))).collect()
    });
    results.into_iter().try_fold(true, |all, good| Ok(all & good?))
}

fn guide_one(guided: &Path, target: &str, seconds: u64, seed: u64, store: &Path) -> Result<bool> {
    let home = repo::root()?.join("fuzz");
    let (kept, log) = (store.join("corpus").join(target), store.join(format!("{target}.log")));
    std::fs::create_dir_all(&kept)?;
    let said = std::fs::File::create(&log)?;
    let mut command = Command::new(guided);
    command
        .env("TRODDEN_FUZZ_TARGET", target)
        .args([
            format!("-max_total_time={seconds}"),
            format!("-seed={seed}"),
            format!("-timeout={INPUT_SECONDS}"),
            format!("-rss_limit_mb={MEMORY_MIB}"),
            format!("-artifact_prefix={}/{target}-", store.display()),
            format!("-dict={}", home.join("dictionary").join(format!("{target}.dict")).display()),
            "-max_len=65536".to_owned(),
            "-print_final_stats=1".to_owned(),
        ])
        .arg(&kept)
        .arg(home.join("corpus").join(target))
        .stdin(Stdio::null())
        .stdout(said.try_clone()?)
        .stderr(said);
    let is_good = command.status().with_context(|| format!("could not start {}", guided.display()))?.success();
    let talk = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
    println!("{}", summary(target, &talk, is_good));
    if !is_good {
        println!("  what it said: {}", log.display());
        println!("  run an input again: cargo run -p trodden-fuzz -- --target {target} --input FILE");
    }
    Ok(is_good)
}

/// One line: how many inputs, how much code they reached, or what broke.
fn summary(target: &str, talk: &str, is_good: bool) -> String {
    let after = |mark: &str| talk.lines().rev().find_map(|line| line.split_once(mark).map(|(_, rest)| rest.trim()));
    if !is_good {
        let panic = talk.lines().skip_while(|line| !line.contains(" panicked at ")).nth(1);
        let what = panic.or_else(|| after("SUMMARY: ")).unwrap_or("it broke off");
        let input = after("Test unit written to ").unwrap_or("no input was written");
        return format!("{target}: {what}\n  its input: {input}");
    }
    let inputs = after("stat::number_of_executed_units:").unwrap_or("?");
    let reached = after(" cov: ").and_then(|rest| rest.split(' ').next()).unwrap_or("?");
    format!("{target:<14} {inputs:>10} inputs, {reached:>6} places reached")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_what_libfuzzer_says_becomes_one_line() {
        let good = "#2\tINITED cov: 12 ft: 13\n#900\tDONE   cov: 345 ft: 9\nstat::number_of_executed_units: 900\n";
        assert_eq!(summary("url", good, true), "url                   900 inputs,    345 places reached");
        let bad = "thread '<unnamed>' (7) panicked at crates/a.rs:1:2:\nno such thing\nnote: x\n\
                   SUMMARY: libFuzzer: deadly signal\nartifact_prefix='x/'; Test unit written to x/url-crash-1\n";
        assert_eq!(summary("url", bad, false), "url: no such thing\n  its input: x/url-crash-1");
        assert!(summary("url", "SUMMARY: libFuzzer: timeout\n", false).contains("libFuzzer: timeout"));
    }
}
