//! Is a disk full?
//!
//! That is worth a sentence of its own: nothing is wrong with the log or with the program, and the operator has to hear
//! which disk it is and how to use another one. A full disk comes up from below in many wrappings (those of Parquet, of
//! buffers, of temporary files), so the whole chain of causes is looked at.

use std::error::Error;
use std::fmt;
use std::io;

/// What there was no space for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceFor {
    /// The visits themselves.
    Visits,
    /// What does not fit in memory.
    Scratch,
}

impl fmt::Display for SpaceFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Visits => "visits",
            Self::Scratch => "scratch files",
        })
    }
}

/// Whether an error is, or comes from, a disk without space or a quota that is used up.
pub fn is_disk_full(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        cause = match error.downcast_ref::<io::Error>() {
            Some(error) if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => {
                return true;
            }
            // What an error of the system wraps is not its source, but has the source as its own.
            Some(error) => error.get_ref().map(|inner| inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use parquet::errors::ParquetError;

    use super::*;

    #[test]
    fn ours_a_full_disk_is_known_in_any_wrapping() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert!(is_disk_full(&full()));
        assert!(is_disk_full(&io::Error::other(full())));
        assert!(is_disk_full(&io::Error::other(ParquetError::External(Box::new(full())))));
        assert!(is_disk_full(&io::Error::from(io::ErrorKind::QuotaExceeded)));
        assert!(!is_disk_full(&io::Error::from(io::ErrorKind::PermissionDenied)));
        assert!(!is_disk_full(&io::Error::other("No space left on device")));
    }
}
