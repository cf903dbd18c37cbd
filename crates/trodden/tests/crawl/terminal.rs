//! Running the program as in a terminal: Python has what it takes.

use std::ffi::OsString;
use std::process::{Command, Stdio};

use crate::run::Folder;

/// Runs words in a terminal, types keys when something is seen, and prints what was seen.
const SCRIPT: &str = "
import fcntl, os, pty, select, struct, sys, termios, time
seen_is, keys, words = sys.argv[1].encode(), sys.argv[2].encode().decode('unicode_escape').encode(), sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(words[0], words)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 120, 0, 0))
seen, typed, end = b'', False, time.time() + 60
while time.time() < end:
    if not select.select([terminal], [], [], 1)[0]:
        continue
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    seen += part
    if not typed and seen_is in seen:
        os.write(terminal, keys)
        typed = True
sys.stdout.buffer.write(seen)
sys.stdout.flush()
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(code if code >= 0 else 128 - code)
";

/// A terminal.
pub(crate) struct Terminal {
    python: OsString,
}

impl Terminal {
    /// None where there is no Python: the test is noted as skipped.
    pub(crate) fn new() -> Option<Self> {
        Some(Self { python: trodden_testing::python("pty")? })
    }

    /// Crawls, and types keys when something is seen; the exit code, and all that was seen.
    pub(crate) fn run(&self, folder: &Folder, words: &[&str], seen_is: &str, keys: &str) -> (i32, String) {
        let program = env!("CARGO_BIN_EXE_trodden");
        let mut command = Command::new(&self.python);
        command.args(["-c", SCRIPT, seen_is, keys, program, "crawl"]).args(words).current_dir(folder.path(""));
        command.env("XDG_CONFIG_HOME", folder.path("config")).env("TERM", "xterm").env_remove("COLUMNS");
        let output = command.stdin(Stdio::null()).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8_lossy(&output.stdout).into_owned())
    }
}
