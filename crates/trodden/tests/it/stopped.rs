//! Runs that wait for a pipe, and are told to stop: once is enough.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::Folder;

/// Longer than any machine takes; a run that has to be asked twice never ends by itself.
const SOON: Duration = Duration::from_secs(30);

/// The binary, reading this, with scratch space of its own.
fn start(folder: &Folder, args: &[&str]) -> Child {
    fs::create_dir_all(folder.path("tmp")).unwrap();
    Command::new(env!("CARGO_BIN_EXE_trodden"))
        .current_dir(folder.path(""))
        .env("TMPDIR", folder.path("tmp"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Whether a thread waits for a pipe: by then signals are listened for.
fn waits(child: &Child) -> bool {
    let threads = fs::read_dir(format!("/proc/{}/task", child.id())).into_iter().flatten().flatten();
    threads.filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok()).any(|name| name.trim() == "pipe")
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < SOON, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Tells a run once to stop: it must end, say so, and leave nothing.
#[track_caller]
fn stop_once(folder: &Folder, mut child: Child, signal: &str) {
    until("the run waits for the pipe", || waits(&child));
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let start = Instant::now();
    let mut ended = None;
    while ended.is_none() && start.elapsed() < SOON {
        ended = child.try_wait().unwrap();
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let said = child.wait_with_output().unwrap().stderr;
    let said = String::from_utf8(said).unwrap();
    assert_eq!(ended.expect("one signal is enough").code(), Some(1), "{said}");
    assert!(said.contains("stopped; nothing was written"), "{said}");
    assert_eq!(fs::read_dir(folder.path("tmp")).unwrap().count(), 0, "scratch space is left behind");
    let parts = fs::read_dir(folder.path("")).unwrap().flatten();
    assert!(parts.into_iter().all(|entry| !entry.file_name().to_string_lossy().ends_with(".part")));
    assert!(!folder.path("site.model").exists());
}

#[test]
fn ours_a_pipe_that_nobody_writes_to_needs_one_signal() {
    for (args, signal) in [
        (&["ingest", "fifo", "-o", "visits"][..], "-INT"),
        (&["ingest", "fifo"], "-TERM"),
        (&["mine", "fifo", "-o", "site.model"], "-INT"),
    ] {
        let folder = Folder::new();
        make_fifo(&folder.path("fifo"));
        stop_once(&folder, start(&folder, args), signal);
    }
}

#[test]
fn ours_a_pipe_that_falls_silent_needs_one_signal() {
    let line =
        "192.0.2.1 - - [01/Mar/2024:10:00:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0 Firefox/123.0\"\n";
    // Not enough to tell the format by, and more than that: the run waits in another place.
    for lines in [0, 1, 20_000] {
        let folder = Folder::new();
        let mut child = start(&folder, &["ingest", "-", "-o", "visits"]);
        let mut input = child.stdin.take().unwrap();
        // The pipe is full when the run is told, or it reads on.
        let text = line.repeat(lines);
        let writer = std::thread::spawn(move || {
            let _ = std::io::Write::write_all(&mut input, text.as_bytes());
            input
        });
        let input = writer.join().unwrap();
        stop_once(&folder, child, "-INT");
        drop(input);
    }
    let folder = Folder::new();
    make_fifo(&folder.path("fifo"));
    let child = start(&folder, &["mine", "fifo", "-o", "site.model"]);
    let writer = fs::OpenOptions::new().write(true).open(folder.path("fifo")).unwrap();
    stop_once(&folder, child, "-TERM");
    drop(writer);
}
