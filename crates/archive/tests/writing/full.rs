//! A disk that is full is told, and takes nothing with it.
//!
//! The limit is the operating system's own, on the size of a file, in a child that runs one test of this program.

use std::process::Command;

use trodden_archive::Error;
use trodden_archive::warc::write::WarcExchange;

use crate::support::{Folder, date, ids, response};

/// Set for the child: the folder to write in.
const CHILD: &str = "TRODDEN_TEST_FULL";
const NAME: &str = "full::ours_a_full_disk_is_told_and_what_was_written_is_whole";

#[test]
fn ours_a_full_disk_is_told_and_what_was_written_is_whole() {
    if let Some(dir) = std::env::var_os(CHILD) {
        fill(std::path::Path::new(&dir));
        return;
    }
    if !cfg!(unix) {
        trodden_testing::skip("only a Unix shell limits the size of files");
        return;
    }
    let folder = Folder::new();
    // 128 blocks of 512 bytes, or of 1,024 where the shell counts so; the signal that would end the child is ignored.
    let script = r#"trap "" XFSZ; ulimit -f 128; exec "$0" --exact "$1" --nocapture"#;
    let me = std::env::current_exe().unwrap();
    let output = Command::new("sh").arg("-c").arg(script).arg(me).arg(NAME).env(CHILD, folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let targets: Vec<String> = folder.records().into_iter().filter_map(|r| r.target).collect();
    assert!(targets.len() > 5 && targets.iter().any(|t| t.ends_with("/small")), "{targets:?}");
}

/// Writes until there is no room, then something small that fits, then closes.
fn fill(dir: &std::path::Path) {
    let mut writer = trodden_archive::WarcWriter::open(dir, Default::default(), ids(3)).unwrap();
    let noise: Vec<u8> = (0..9_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 21) as u8 ^ (i >> 5) as u8).collect();
    let mut written = 0;
    let refused = loop {
        let target = format!("http://example.org/{written}");
        match writer.write(&WarcExchange::new(&target, date(written), response(&noise))) {
            Ok(_) => written += 1,
            Err(e) => break e,
        }
        assert!(written < 10_000, "no limit was met");
    };
    assert!(matches!(refused, Error::Full { .. }), "{refused:?}");
    assert!(refused.to_string().contains("make room"));
    writer.write(&WarcExchange::new("http://example.org/small", date(0), response(b""))).unwrap();
    writer.finish().unwrap();
}
