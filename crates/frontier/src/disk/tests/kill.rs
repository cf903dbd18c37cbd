//! A process that is killed loses nothing that was committed, and leaves nothing half done.
//!
//! The child is this very test, started again with a folder to write into. It tells of every commit that returned; the
//! parent kills it when it has read so many, then looks at what is there.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use super::*;

const FOLDER: &str = "TRODDEN_KILL_TEST_FOLDER";
const THIS: &str = "disk::tests::kill::ours_what_was_committed_survives_a_kill";
const STEPS: NoteKind = NoteKind(1);
const NOW: Time = Time(5);

/// One step: three URLs come, two are taken, one of them is done. In steps, so that any number of them is known.
fn step<F: Frontier<Key = u32>>(frontier: &mut F, step: u32, mut number: impl FnMut(&mut F, u32) -> u32) {
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

fn steps_of(frontier: &DiskFrontier) -> u32 {
    let note = frontier.note_of(STEPS, b"").unwrap();
    note.map_or(0, |note| u32::from_be_bytes(note.try_into().unwrap()))
}

fn write_until_killed(folder: &Path) {
    let mut frontier = open(folder);
    let mut stdout = std::io::stdout();
    for done in steps_of(&frontier).. {
        step(&mut frontier, done, |frontier, url| frontier.number(&format!("http://k.example/{url}")).unwrap());
        frontier.note(STEPS, b"", &(done + 1).to_be_bytes()).unwrap();
        frontier.commit().unwrap();
        writeln!(stdout, "committed {}", done + 1).unwrap();
        stdout.flush().unwrap();
    }
}

/// Starts a child, kills it after some commits; the last of which it told.
fn killed_after(folder: &Path, commits: usize) -> u32 {
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new(program)
        .args(["--exact", THIS, "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let told = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut told = told.map_while(Result::ok).filter_map(|line| line.strip_prefix("committed ")?.parse().ok());
    let first = told.by_ref().take(commits).last().expect("it commits");
    child.kill().unwrap();
    child.wait().unwrap();
    // What it told between the last line that was read and its end.
    told.last().unwrap_or(first)
}

#[test]
fn ours_what_was_committed_survives_a_kill() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return write_until_killed(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    for commits in [1, 40, 7, 333, 101] {
        let told = killed_after(folder.path(), commits);
        let mut frontier = open(folder.path());
        let steps = steps_of(&frontier);
        assert!(steps >= told, "{told} were committed, {steps} are there");
        assert_eq!(frontier.numbered(), 3 * steps);
        assert_eq!(frontier.waiting(), u64::from(steps));
        for url in 0..3 * steps {
            let text = format!("http://k.example/{url}");
            assert_eq!(frontier.find(&text).unwrap(), Some(url));
            assert_eq!(frontier.url(url).unwrap(), Some(text));
        }
        // Nothing of this is committed: the next child goes on where the last one was killed.
        let mut memory = MemoryFrontier::<u32>::new(Rotation::Even);
        (0..steps).for_each(|done| step(&mut memory, done, |_, url| url));
        frontier.release_leases();
        memory.release_leases();
        assert_eq!(drain(&mut frontier, NOW), drain(&mut memory, NOW));
    }
}
