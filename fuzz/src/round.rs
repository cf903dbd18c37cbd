//! How is an input tried, so that whatever happens its bytes are not lost?
//!
//! A process of its own plays the rounds of a target ([`play`]). Before each round it writes the input to a file. It
//! sets itself a limit of memory, and checks the CPU time of each input. So whatever ends it (a panic, a stack that is
//! full, memory, a kill because nothing moved) the parent ([`watch`]) finds the input in the file.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::time::TimeVal;

use crate::mutate;
use crate::seeds::Seeds;
use crate::target::Target;

/// The CPU time that one input may take. Inputs are small, so this is work that grows faster than its input.
pub const INPUT_TIME: Duration = Duration::from_secs(2);

/// The address space that a target may fill: caps keep it far below.
pub const MEMORY_BYTES: u64 = 4 << 30;

/// Without a new input for so long, nothing moves. Machines are busy, so this is far beyond [`INPUT_TIME`].
const STILL: Duration = Duration::from_secs(60);

/// How often the parent looks.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How the process of a target ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ending {
    /// It did its rounds, so many.
    Done(u64),
    /// It failed, for this reason.
    Failed(String),
}

/// Plays rounds for so long, from the first; how many it were. Meant for a process that does nothing else.
///
/// # Errors
/// If the file for inputs cannot be written, or the limit of memory is refused.
///
/// # Panics
/// As the target does, and where an input takes too long.
pub fn play(target: &Target, seeds: &Seeds, seed: u64, time: Duration, current: &Path) -> Result<u64> {
    limit_memory()?;
    let file = File::create(current).with_context(|| format!("could not write {}", current.display()))?;
    let end = Instant::now() + time;
    let mut round = 0;
    while Instant::now() < end {
        let input = mutate::input(seeds, seed, round, target.max_bytes);
        let length = (input.len() as u64).to_le_bytes();
        file.write_all_at(&[&length, input.as_slice()].concat(), 0)?;
        once(target, &input);
        round += 1;
    }
    Ok(round)
}

/// Tries one input.
///
/// # Panics
/// As the target does, and where it takes too long.
pub fn once(target: &Target, input: &[u8]) {
    once_within(target, input, INPUT_TIME);
}

fn once_within(target: &Target, input: &[u8], limit: Duration) {
    let (begun, cpu) = (Instant::now(), own_cpu());
    (target.run)(input);
    // The clock is cheap; the CPU time says whether it was this process that was slow, or the machine.
    if begun.elapsed() > limit {
        let took = own_cpu().saturating_sub(cpu);
        assert!(took <= limit, "took {took:?} of CPU time for {} bytes", input.len());
    }
}

/// Asks for the limit of memory.
///
/// # Errors
/// If the system refuses.
pub fn limit_memory() -> Result<()> {
    setrlimit(Resource::RLIMIT_AS, MEMORY_BYTES, MEMORY_BYTES).context("no limit of memory can be set")
}

fn own_cpu() -> Duration {
    let span = |time: TimeVal| {
        let micros = Duration::from_micros(time.tv_usec().unsigned_abs());
        Duration::from_secs(time.tv_sec().unsigned_abs()) + micros
    };
    getrusage(UsageWho::RUSAGE_SELF).map_or(Duration::ZERO, |used| span(used.user_time()) + span(used.system_time()))
}

/// The input that was tried last, from the file that [`play`] wrote.
///
/// # Errors
/// If there is no such file.
pub fn last_input(current: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(current).with_context(|| format!("could not read {}", current.display()))?;
    let Some((length, input)) = bytes.split_first_chunk::<8>() else { bail!("no input was tried") };
    let length = usize::try_from(u64::from_le_bytes(*length))?;
    Ok(input.get(..length).unwrap_or(input).to_vec())
}

/// Waits for the process of a target. `talk` takes what it says on stderr; `current` is the file of its inputs.
///
/// # Errors
/// If it cannot be started.
pub fn watch(command: &mut Command, current: &Path, talk: &Path) -> Result<Ending> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(File::create(talk)?)
        .spawn()
        .context("could not start the process of a target")?;
    let mut moved = (None, Instant::now());
    while child.try_wait()?.is_none() {
        let changed = fs::metadata(current).and_then(|metadata| metadata.modified()).ok();
        if changed != moved.0 {
            moved = (changed, Instant::now());
        }
        if moved.1.elapsed() > STILL {
            child.kill()?;
            child.wait()?;
            return Ok(Ending::Failed(format!("nothing moved for {} s", STILL.as_secs())));
        }
        std::thread::sleep(LOOK_EVERY);
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        let rounds = String::from_utf8_lossy(&output.stdout).trim().parse();
        return Ok(Ending::Done(rounds.context("the process of a target told no number of rounds")?));
    }
    Ok(Ending::Failed(reason(output.status, &fs::read_to_string(talk).unwrap_or_default())))
}

/// Why a process ended, in one line: what the panic says, or how it died.
#[must_use]
pub fn reason(status: ExitStatus, talk: &str) -> String {
    let mut lines = talk.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("note: "));
    // The name and number of the thread differ from run to run.
    let panic = lines.clone().find_map(|line| line.split_once(" panicked at "));
    match panic {
        Some((_, place)) => {
            let said = lines.skip_while(|line| !line.contains(" panicked at ")).nth(1);
            format!("panicked at {place} {}", said.unwrap_or_default())
        }
        None => format!("{status}: {}", lines.next_back().unwrap_or("it said nothing")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> (Ending, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let (current, talk) = (folder.path().join("current"), folder.path().join("talk"));
        fs::write(&current, b"\x02\0\0\0\0\0\0\0abc").unwrap();
        let ending = watch(Command::new("/bin/sh").args(["-c", script]), &current, &talk).unwrap();
        (ending, last_input(&current).unwrap())
    }

    #[test]
    fn ours_whatever_ends_a_target_its_input_is_there() {
        assert_eq!(shell("echo 17"), (Ending::Done(17), b"ab".to_vec()));
        let panic = "echo \"thread 'main' (17) panicked at src/a.rs:1:2:\" >&2; echo 'no such thing' >&2; \
                     echo 'note: run with' >&2; exit 101";
        let said = "panicked at src/a.rs:1:2: no such thing".to_owned();
        assert_eq!(shell(panic), (Ending::Failed(said), b"ab".to_vec()));
        let (ending, input) = shell("kill -SEGV $$");
        assert!(matches!(&ending, Ending::Failed(why) if why.contains("signal")), "{ending:?}");
        assert_eq!(input, b"ab");
    }

    #[test]
    fn ours_an_input_that_takes_long_is_a_failure_and_one_that_only_waits_is_none() {
        let limit = Duration::from_millis(5);
        let work = |_: &[u8]| {
            let begun = own_cpu();
            while own_cpu() < begun + Duration::from_millis(20) {}
        };
        let wait = |_: &[u8]| std::thread::sleep(Duration::from_millis(20));
        let panics = |run| {
            let target = Target { name: "a", max_bytes: 1, run };
            std::panic::catch_unwind(|| once_within(&target, b"", limit)).is_err()
        };
        assert!(panics(work));
        assert!(!panics(wait));
    }
}
