//! One bounded run of a program: its answer, or that it did not end in time.

use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// How often to look whether the program has ended.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How a run ended.
pub(super) enum Ending {
    Exit { status: ExitStatus, stdout: Vec<u8>, stderr: String },
    TooLong,
}

/// Runs `program` for at most `limit`. Its output goes through files in `folder`, so it cannot block on a full pipe.
pub(super) fn run(program: &Path, arguments: &[OsString], folder: &Path, limit: Duration) -> Result<Ending> {
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .spawn()
        .with_context(|| format!("could not start {}", program.display()))?;
    let deadline = Instant::now() + limit;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            return Ok(Ending::TooLong);
        }
        std::thread::sleep(LOOK_EVERY);
    };
    let stderr = String::from_utf8_lossy(&std::fs::read(&err)?).into_owned();
    Ok(Ending::Exit { status, stdout: std::fs::read(&out)?, stderr })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ending {
        let folder = tempfile::tempdir().unwrap();
        run(Path::new("/bin/sh"), &["-c".into(), script.into()], folder.path(), limit).unwrap()
    }

    #[test]
    fn the_answer_and_the_talk_are_kept_apart() {
        let Ending::Exit { status, stdout, stderr } = shell("echo a; echo b >&2; exit 3", Duration::from_secs(30))
        else {
            panic!("it ended");
        };
        assert_eq!((status.code(), stdout.as_slice(), stderr.as_str()), (Some(3), &b"a\n"[..], "b\n"));
    }

    #[test]
    fn what_does_not_end_is_ended() {
        assert!(matches!(shell("exec sleep 60", Duration::from_millis(50)), Ending::TooLong));
    }
}
