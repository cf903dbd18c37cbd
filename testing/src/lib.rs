//! What do tests need that may not be here, and how do they say so?
//!
//! Some tests compare with another program in Python, or read real data that is not in the repository. Rust's harness
//! cannot skip a test while it runs, so a test that finds nothing to check would count as passed. It asks here instead:
//!
//! ```text
//! let Some(log) = trodden_testing::data("logs/zanbil-2019.log.gz") else { return };
//! ```
//!
//! With nothing to give, [`data`] and [`python`] note that the test was skipped and why, on stderr and as a file in the
//! folder that `TRODDEN_SKIPPED` names. `./test` names one, lists what is in it, and counts those tests as skipped.
//! A test that skips returns at once and checks nothing: what needs no help belongs in a test of its own.

mod markup;

pub use markup::parsed;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Names the folder where skipped tests are noted; none: nobody counts.
const FOLDER: &str = "TRODDEN_SKIPPED";
/// Names the folder of real data.
const DATA: &str = "TRODDEN_DATA";
/// Names a Python that has the packages.
const PYTHON: &str = "TRODDEN_PYTHON";

/// A file or folder of real data, by its path below the folder that `TRODDEN_DATA` names, else below `../shared/data`
/// beside the repository. None: it is not there, and the test is noted as skipped.
#[must_use]
pub fn data(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let path = std::env::var_os(DATA).map_or_else(beside, PathBuf::from).join(name);
    if !path.exists() {
        skip(&format!("the real data {name} is not here; {DATA} names the folder that holds it"));
        return None;
    }
    Some(path)
}

/// A Python with these packages: what `TRODDEN_PYTHON` names. None: nothing is named, and the test is noted as skipped.
#[must_use]
pub fn python(packages: &str) -> Option<OsString> {
    let python = std::env::var_os(PYTHON);
    if python.is_none() {
        skip(&format!("{PYTHON} names no Python with {packages}; ./test makes one"));
    }
    python
}

/// Notes that the test that runs now checks nothing, and why.
///
/// # Panics
/// If the note cannot be written: a test that is neither run nor counted must not pass.
#[expect(clippy::print_stderr, reason = "who runs the test alone wants to know")]
pub fn skip(why: &str) {
    let (binary, test) = (binary(), test());
    eprintln!("SKIPPED {binary} {test}: {why}");
    if let Some(folder) = std::env::var_os(FOLDER) {
        note(Path::new(&folder), &binary, &test, why).expect("the folder of TRODDEN_SKIPPED can be written");
    }
}

/// One file a test: noting twice counts once.
fn note(folder: &Path, binary: &str, test: &str, why: &str) -> io::Result<()> {
    let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-', ".");
    fs::create_dir_all(folder)?;
    fs::write(folder.join(format!("{}.{}", plain(binary), plain(test))), format!("{binary} {test}: {why}\n"))
}

/// The program that runs the test, without the hash that cargo gives it.
fn binary() -> String {
    std::env::var("NEXTEST_BINARY_ID").unwrap_or_else(|_| {
        let program = std::env::current_exe().unwrap_or_default();
        let name = program.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.rsplit_once('-').map_or(name.clone(), |(name, _)| name.to_owned())
    })
}

/// The test that runs now: the harness gives its thread the name, unless it runs a single one. A runner that starts a
/// process for each test names it as an argument.
fn test() -> String {
    let thread = std::thread::current();
    let of_thread = thread.name().filter(|name| *name != "main").map(str::to_owned);
    of_thread.or_else(|| std::env::args().skip(1).find(|argument| !argument.starts_with('-'))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_skipped_test_is_noted_once_with_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            note(folder.path(), "trodden::it", "real::ours_a_log", "no data").unwrap();
        }
        note(folder.path(), "trodden::it", "real::ours_another", "no data").unwrap();
        let mut notes: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        notes.sort();
        assert_eq!(notes, ["trodden::it real::ours_a_log: no data\n", "trodden::it real::ours_another: no data\n"]);
    }

    #[test]
    fn ours_a_test_knows_its_own_name() {
        assert_eq!(test(), "tests::ours_a_test_knows_its_own_name");
        assert!(binary().starts_with("trodden"), "{}", binary());
    }
}
