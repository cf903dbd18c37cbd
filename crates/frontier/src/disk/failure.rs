//! What does a failure of the store mean to whoever crawls?

use std::error::Error as StdError;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use crate::error::Error;

/// Bytes that are written to see whether there is room: more than a file system keeps inside a directory entry.
const PROBE_BYTES: usize = 1 << 20;
const PROBE: &str = "room.probe";

/// Our error for one of the store's.
pub(super) fn failure(path: &Path, doing: &'static str, source: fjall::Error) -> Error {
    let path = path.to_owned();
    match source {
        fjall::Error::Locked => Error::InUse(path),
        // A flush or compaction failed before, on a thread of the store's own, and nobody was told why.
        fjall::Error::Poisoned if !has_room(&path) => Error::StoreFull { path, source: source.into() },
        source if is_damage(&source) => Error::Damaged { path, what: DAMAGE },
        source if is_full(&source) => Error::StoreFull { path, source: source.into() },
        source => Error::Store { path, doing, source: source.into() },
    }
}

/// What is said of bytes that are not those that were written.
const DAMAGE: &str = "what is read is not what was written: the disk failed, or another program changed it";

/// Whether bytes are not those that were written: starting again meets them again.
fn is_damage(error: &fjall::Error) -> bool {
    use fjall::Error;
    match error {
        Error::Storage(inner) => !matches!(inner, fjall::LsmError::Io(_) | fjall::LsmError::InvalidVersion(_)),
        Error::JournalRecovery(_) | Error::InvalidTrailer | Error::InvalidTag(_) => true,
        Error::Decompress(_) | Error::Unrecoverable => true,
        _ => false,
    }
}

/// Whether a disk, a quota or a limit of file size is at the bottom of an error.
fn is_full(error: &(dyn StdError + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        if matches!(kind, Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)) {
            return true;
        }
        next = error.source();
    }
    false
}

/// Whether a small file can be written; if that fails for another reason, room is not what is missing.
fn has_room(path: &Path) -> bool {
    let file = path.join(PROBE);
    let wrote = std::fs::File::create(&file).and_then(|mut probe| {
        probe.write_all(&vec![0; PROBE_BYTES])?;
        probe.sync_all()
    });
    // If it cannot be removed either, the next probe overwrites it.
    drop(std::fs::remove_file(&file));
    wrote.map_or_else(|error| !is_full(&error), |()| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(error: fjall::Error) -> Error {
        failure(Path::new("nowhere"), "written", error)
    }

    #[test]
    fn ours_a_full_disk_is_told_apart_however_deep_it_is() {
        for code in [28, 122, 27] {
            let full = || io::Error::from_raw_os_error(code);
            let deep = fjall::Error::Storage(fjall::LsmError::Io(full()));
            for error in [fjall::Error::Io(full()), deep] {
                assert!(matches!(of(error), Error::StoreFull { .. }), "{code}");
            }
        }
        let other = fjall::Error::Io(io::Error::from_raw_os_error(5));
        assert!(matches!(of(other), Error::Store { .. }));
        assert!(matches!(of(fjall::Error::Poisoned), Error::Store { .. }));
        assert!(matches!(of(fjall::Error::Locked), Error::InUse(_)));
    }

    #[test]
    fn ours_damage_is_told_as_such_and_not_to_be_tried_again() {
        for error in [
            fjall::Error::Storage(fjall::LsmError::InvalidTrailer),
            fjall::Error::InvalidTrailer,
            fjall::Error::Unrecoverable,
        ] {
            let told = of(error).to_string();
            assert!(told.contains("damaged") && told.contains("restore"), "{told}");
            assert!(!told.contains("start again"), "{told}");
        }
    }

    #[test]
    fn messages_say_what_to_do() {
        let told = of(fjall::Error::Io(io::Error::from_raw_os_error(28))).to_string();
        assert!(told.contains("nowhere") && told.contains("make room"), "{told}");
    }
}
