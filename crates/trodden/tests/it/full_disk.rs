//! Disks without space: which one it is, and what to do, is said; nothing is called unreadable.
//!
//! A small file system in memory stands for the disk. It takes a mount of its own, in a namespace of its own; where the
//! system does not allow that, there is nothing to see here, and the wrappings of such errors are tested in `logs`.

use std::path::Path;
use std::process::Command;

use crate::generate::{Kind, log};
use crate::run::{Folder, Ran};

/// Runs the binary with a disk of so many kilobytes mounted on `disk`; none where this cannot be done.
fn with_disk(folder: &Folder, kilobytes: u32, args: &str) -> Option<Ran> {
    std::fs::create_dir_all(folder.path("disk")).unwrap();
    let script = format!(
        "mount -t tmpfs -o size={kilobytes}k none disk || exit 77; {} {args}",
        shell(Path::new(env!("CARGO_BIN_EXE_trodden")))
    );
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script])
        .current_dir(folder.path(""))
        .env("XDG_CONFIG_HOME", folder.path(".config"))
        .output()
        .ok()?;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let ran = Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
    let is_refused = ran.code == Some(77) || ran.stderr.contains("unshare:");
    (!is_refused).then_some(ran)
}

fn shell(path: &Path) -> String {
    format!("'{}'", path.display())
}

/// A log of many URLs, each of which the model and the visits have.
fn logged() -> Folder {
    Folder::with_log(log(7, 6_000, 3, Kind::Combined).text())
}

#[test]
fn ours_a_full_disk_is_named_with_what_to_do() {
    let folder = logged();
    for (kilobytes, args, words) in [
        // Not even the key fits: about.json takes the only page.
        (4, "ingest access.log -o disk/visits", &["no space is left in disk/visits for visits", "with -o"][..]),
        (16, "ingest access.log -o disk/visits", &["no space is left in disk/visits for visits", "with -o"]),
        (
            64,
            "ingest access.log -o disk/visits --memory 1MB",
            &["no space is left in disk/visits for scratch files", "--scratch"],
        ),
        (
            64,
            "ingest access.log --memory 1MB --scratch disk",
            &["no space is left in disk for scratch files", "--scratch"],
        ),
        (16, "mine access.log --scratch disk", &["no space is left in disk for scratch files", "--scratch", "TMPDIR"]),
        (4, "mine access.log -o disk/site.model", &["no space is left in disk for the model", "with -o"]),
    ] {
        let Some(ran) = with_disk(&folder, kilobytes, args) else { return };
        let ran = ran.failed(1);
        ran.says(words);
        assert!(!ran.stderr.contains("cannot read"), "{args}: {}", ran.stderr);
    }
}
