//! Standard output is data, standard error is talk. The only place that prints.
//!
//! [`Clean`] stands before both streams, so that no text from outside rules a terminal. Nothing that this program means to
//! print has a control character.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use indicatif::MultiProgress;
use trodden_report::clean::Clean;
pub(crate) use trodden_report::number::{counted, share_of as percent, significant as number, thousands};

/// Standard output, for much data in small pieces.
pub(crate) fn stream() -> Clean<BufWriter<StdoutLock<'static>>> {
    Clean::new(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
}

/// Writes data to standard output.
pub(crate) fn data(text: &str) -> Result<()> {
    let mut out = Clean::new(io::stdout().lock());
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Lines of a terminal that change; what is said goes above them.
static LIVE: Mutex<Option<MultiProgress>> = Mutex::new(None);

/// Says a line on standard error. If nobody listens, nothing is lost.
pub(crate) fn say(line: &str) {
    let print = || {
        // One piece, so that lines of two threads do not mix.
        let _ = Clean::new(io::stderr().lock()).write_all(format!("{line}\n").as_bytes());
    };
    match &*LIVE.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(lines) => lines.suspend(print),
        None => print(),
    }
}

/// Keeps what is said from being mixed up with lines that change, until it is dropped.
pub(crate) struct Live;

impl Live {
    pub(crate) fn begin(lines: &MultiProgress) -> Self {
        *LIVE.lock().unwrap_or_else(PoisonError::into_inner) = Some(lines.clone());
        Self
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        *LIVE.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Whether an error only means that the reader of our output went away, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|e| e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

/// A word as a shell takes it.
pub(crate) fn shell_word(word: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"_-./:=@%+,".contains(&b);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_word_with_spaces_or_quotes_is_quoted() {
        assert_eq!(["c", "a b", "it's", ""].map(shell_word), ["c", "'a b'", "'it'\\''s'", "''"]);
    }
}
