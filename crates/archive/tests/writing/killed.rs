//! A process that is killed while it writes: nothing that was acknowledged is lost.

#![expect(clippy::print_stdout, reason = "the child tells its parent what is written")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use trodden_archive::cdxj::{INDEX, SORT_BYTES, sort_index};
use trodden_archive::warc::check;
use trodden_archive::{Caps, RecordKind};

use crate::support::{Folder, full, ids};

/// Set for the child: the folder to write in.
const CHILD: &str = "TRODDEN_TEST_KILLED";
const NAME: &str = "killed::ours_a_killed_writer_loses_nothing_that_was_acknowledged";

#[test]
fn ours_a_killed_writer_loses_nothing_that_was_acknowledged() {
    if let Some(dir) = std::env::var_os(CHILD) {
        write_on(Path::new(&dir));
    }
    let me = std::env::current_exe().unwrap();
    let folder = Folder::new();
    let mut acknowledged = 0;
    for round in [3, 40, 11, 77] {
        let mut child = Command::new(&me);
        child.args(["--exact", NAME, "--nocapture"]).env(CHILD, folder.path()).stdout(Stdio::piped());
        let mut child = child.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        acknowledged += lines.filter(|line| line.ends_with("written")).take(round).count();
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let writer = folder.writer();
    assert_eq!(writer.recovered().files, 1);
    writer.finish().unwrap();
    let lines = sort_index(folder.path(), SORT_BYTES).unwrap();
    let answers = folder.records().iter().filter(|r| r.kind == RecordKind::Response).count();
    assert!(answers >= acknowledged, "{answers} of {acknowledged}");
    assert_eq!((lines, folder.text(INDEX).lines().count()), (answers as u64, answers));
    for path in folder.archives() {
        assert!(check(&path, &Caps::default()).unwrap().is_sound());
    }
}

/// Writes until it is killed, or nobody listens.
fn write_on(dir: &Path) -> ! {
    let mut writer = trodden_archive::WarcWriter::open(dir, Default::default(), ids(5)).unwrap();
    for i in 0_u64.. {
        let payload: Vec<u8> =
            (0..20_000 + i % 7_000).map(|k| (k.wrapping_mul(0x9e37_79b9_7f4a) >> 33) as u8).collect();
        writer.write(&full(&format!("http://example.org/{i}"), i, &payload)).unwrap();
        if i % 10 == 9 {
            writer.sync().unwrap();
        }
        println!("\n{i} written");
    }
    unreachable!("it writes for ever")
}
