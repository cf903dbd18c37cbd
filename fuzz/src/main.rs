//! Runs the targets: `fuzz --seconds 60`.
//!
//! Each target gets its share of the time, in a process of its own. A failure is one paragraph: what was wrong, where
//! the shrunk input lies, and how to run it again. stdout has the table of targets, stderr the talk.

// This is a command line tool: printing is what it does.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;
use trodden_fuzz::round::{self, Ending};
use trodden_fuzz::seeds::Seeds;
use trodden_fuzz::shrink::shrunk;
use trodden_fuzz::target::{TARGETS, Target, named};

/// Feed damaged and strange input to every parser of outside bytes.
#[derive(Parser)]
#[command(name = "fuzz", version)]
struct Arguments {
    /// How long, all targets together.
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Fixes the inputs.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Only this target; may be given several times.
    #[arg(long, value_name = "NAME", value_parser = target)]
    target: Vec<Target>,
    /// Try this one input, with the one target that is named.
    #[arg(long, value_name = "FILE", requires = "target", conflicts_with_all = ["seconds", "seed"])]
    input: Option<PathBuf>,
    /// Where bad inputs are put.
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    failures: PathBuf,
    /// Name the targets and exit.
    #[arg(long)]
    list: bool,
    /// Play the rounds of a target in this process; inputs go to the file.
    #[arg(long, value_name = "FILE", hide = true)]
    play: Option<PathBuf>,
}

/// Tries for making a bad input small: each starts a process.
const SHRINK_TRIES: usize = 300;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let targets = if arguments.target.is_empty() { TARGETS } else { &arguments.target };
    if arguments.list {
        targets.iter().for_each(|target| println!("{}", target.name));
        return Ok(true);
    }
    let share = Duration::from_secs(arguments.seconds) / u32::try_from(targets.len())?;
    if let ([target], Some(current)) = (targets, &arguments.play) {
        println!("{}", round::play(target, &Seeds::of(target.name)?, arguments.seed, share, current)?);
        return Ok(true);
    }
    if let Some(path) = &arguments.input {
        let [target] = targets else { bail!("name the one target of this input: --target NAME") };
        let input = fs::read(path).with_context(|| format!("could not read {}", path.display()))?;
        round::limit_memory()?;
        round::once(target, &input);
        println!("{}: {} bytes, nothing wrong", target.name, input.len());
        return Ok(true);
    }
    let mut bad = 0;
    for target in targets {
        match all_rounds(target, arguments.seed, share)? {
            (Ending::Done(rounds), _) => println!("{:<14} {rounds:>9} inputs", target.name),
            (Ending::Failed(why), input) => {
                bad += 1;
                report(target, &why, &input, &arguments.failures)?;
            }
        }
    }
    println!("fuzz: {bad} targets failed");
    Ok(bad == 0)
}

/// Reads the name of a target.
fn target(name: &str) -> Result<Target, String> {
    let names = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
    named(name).ok_or_else(|| format!("the targets are {}", names()))
}

/// All rounds of a target, and the input that was tried last.
fn all_rounds(target: &Target, seed: u64, share: Duration) -> Result<(Ending, Vec<u8>)> {
    let folder = tempfile::tempdir()?;
    let (current, talk) = (folder.path().join("current"), folder.path().join("talk"));
    let seconds = share.as_secs().max(1);
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--target", target.name, "--seed", &seed.to_string(), "--seconds", &seconds.to_string()]);
    command.arg("--play").arg(&current);
    let ending = round::watch(&mut command, &current, &talk)?;
    let input = round::last_input(&current).unwrap_or_default();
    Ok((ending, input))
}

/// Makes the input small, keeps it, and says what to do.
fn report(target: &Target, why: &str, input: &[u8], failures: &Path) -> Result<()> {
    eprintln!("{}: making the input of {} bytes smaller", target.name, input.len());
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("input");
    let small = shrunk(input, SHRINK_TRIES, |bytes| fs::write(&file, bytes).is_ok() && fails(target, &file, why));
    fs::create_dir_all(failures).with_context(|| format!("could not make {}", failures.display()))?;
    let kept = failures.join(format!("{}-{:08x}", target.name, sum(&small)));
    fs::write(&kept, &small)?;
    println!("{}: {why}", target.name);
    println!("  its input: {} ({} bytes)", kept.display(), small.len());
    println!("  run it again: cargo run -p trodden-fuzz -- --target {} --input {}", target.name, kept.display());
    Ok(())
}

/// Whether an input fails in the same place.
fn fails(target: &Target, file: &Path, why: &str) -> bool {
    let Ok(program) = std::env::current_exe() else { return false };
    let tried = Command::new(program).args(["--target", target.name, "--input"]).arg(file).output();
    let place = |why: &str| why.split(": ").next().unwrap_or_default().to_owned();
    tried.is_ok_and(|tried| {
        let talk = String::from_utf8_lossy(&tried.stderr);
        !tried.status.success() && place(&round::reason(tried.status, &talk)) == place(why)
    })
}

/// A short name for some bytes (FNV-1a).
fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
