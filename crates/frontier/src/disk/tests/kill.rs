//! A process that is killed, or finds the disk full, loses nothing that was committed, and leaves nothing half done.
//!
//! The child is this very test, started again with a folder to write into. It tells of every commit that returned; the
//! parent kills it when it has read so many, then looks at what is there.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use super::*;

const FOLDER: &str = "TRODDEN_KILL_TEST_FOLDER";
const FULL: &str = "disk::tests::kill::ours_what_was_committed_survives_a_full_disk";
const KILLED: &str = "disk::tests::kill::ours_what_was_committed_survives_a_kill";
const STEPS: NoteKind = NoteKind(1);
const TOO_MUCH: NoteKind = NoteKind(2);
/// Steps before the disk is full.
const STEPS_BEFORE: u32 = 30;
const NOW: Time = Time(5);

/// One step: three URLs come, two are taken, one of them is done. In steps, so that any number of them is known.
fn step<F: Frontier>(frontier: &mut F, step: u32, mut number: impl FnMut(&mut F, u32) -> UrlId) {
    for url in 3 * step..3 * step + 3 {
        let number = number(frontier, url);
        frontier.offer(QueueId(url % 2), number, lane(url % 5), NOW).unwrap();
    }
    for pick in [Pick::Best, Pick::Best] {
        let Due::Queue(queue) = frontier.due_queue(NOW) else { panic!("there is always something") };
        let leased = frontier.take(queue, pick, LEASE, NOW).unwrap().unwrap();
        if leased.lease.0 % 2 == 0 {
            frontier.settle(leased.lease, Disposition::Done, NOW).unwrap();
        }
    }
}

/// Bytes that no compression makes fewer.
fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut noise = Vec::with_capacity(bytes + 8);
    while noise.len() < bytes {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        noise.extend_from_slice(&(state >> 24).to_le_bytes()[..5]);
    }
    noise
}

fn steps_of(frontier: &DiskFrontier) -> u32 {
    let note = frontier.note_of(STEPS, b"").unwrap();
    note.map_or(0, |note| u32::from_be_bytes(note.try_into().unwrap()))
}

/// Writes steps; with the last of them more than there is room for, if it has a last one.
fn write_until_it_fails(folder: &Path, last: Option<u32>) -> Error {
    let mut frontier = open(folder);
    let mut stdout = std::io::stdout();
    for done in steps_of(&frontier).. {
        step(&mut frontier, done, |frontier, url| frontier.number(&format!("http://k.example/{url}")).unwrap());
        frontier.note(STEPS, b"", &(done + 1).to_be_bytes()).unwrap();
        if last == Some(done) {
            frontier.note(TOO_MUCH, b"", &noise(200 << 20)).unwrap();
        }
        if let Err(error) = frontier.commit() {
            return error;
        }
        writeln!(stdout, "committed {}", done + 1).unwrap();
        stdout.flush().unwrap();
    }
    unreachable!("steps never end")
}

/// Starts this test again as a child that writes into a folder.
fn child(folder: &Path, test: &str) -> Child {
    // A shell, for its limit of file sizes: in blocks of 512 or 1,024 bytes, above the 64 MiB that a journal has from its
    // start. Beyond it writing fails; without the trap the signal would kill.
    let script = if test == FULL { "trap '' 25; ulimit -f 140000; exec \"$0\" \"$@\"" } else { "exec \"$0\" \"$@\"" };
    Command::new("/bin/sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The steps that a child told of, as they come.
fn told_by(child: &mut Child) -> impl Iterator<Item = u32> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("committed ")?.parse().ok())
}

/// Starts a child, kills it after some commits; the last of which it told.
fn killed_after(folder: &Path, commits: usize) -> u32 {
    let mut child = child(folder, KILLED);
    let mut told = told_by(&mut child);
    let first = told.by_ref().take(commits).last().expect("it commits");
    child.kill().unwrap();
    child.wait().unwrap();
    // What it told between the last line that was read and its end.
    told.last().unwrap_or(first)
}

/// Everything that a child told of is there, and nothing is half done.
fn check(folder: &Path, told: u32) {
    let mut frontier = open(folder);
    let steps = steps_of(&frontier);
    assert!(steps >= told, "{told} were committed, {steps} are there");
    assert_eq!(frontier.numbered(), 3 * steps);
    assert_eq!(frontier.waiting(), u64::from(steps));
    for url in 0..3 * steps {
        let text = format!("http://k.example/{url}");
        assert_eq!(frontier.find(&text), Some(UrlId(url)));
        assert_eq!(frontier.url(UrlId(url)).unwrap(), Some(text));
    }
    // Nothing of this is committed: the next child goes on where the last one ended.
    let mut memory = MemoryFrontier::new(Rotation::Even);
    (0..steps).for_each(|done| step(&mut memory, done, |_, url| UrlId(url)));
    frontier.release_leases();
    memory.release_leases();
    assert_eq!(drain(&mut frontier, NOW), drain(&mut memory, NOW));
}

#[test]
fn ours_what_was_committed_survives_a_kill() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        panic!("{}", write_until_it_fails(Path::new(&folder), None));
    }
    let folder = tempfile::tempdir().unwrap();
    for commits in [1, 40, 7, 333, 101] {
        let told = killed_after(folder.path(), commits);
        check(folder.path(), told);
    }
}

#[test]
fn ours_what_was_committed_survives_a_full_disk() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let error = write_until_it_fails(Path::new(&folder), Some(STEPS_BEFORE));
        assert!(matches!(error, Error::StoreFull { .. }), "{error:?}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut child = child(folder.path(), FULL);
    let told = told_by(&mut child).last().expect("there is room for some");
    assert!(child.wait().unwrap().success(), "it said that the disk is full");
    assert_eq!(told, STEPS_BEFORE);
    check(folder.path(), told);
    assert_eq!(steps_of(&open(folder.path())), told, "what failed is not there");
}
