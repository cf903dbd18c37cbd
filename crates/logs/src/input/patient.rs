//! How is something read that may never come?
//!
//! To open a named pipe is to wait for somebody who writes, and to read any pipe is to wait for bytes; neither wait can be
//! called off. So a thread of its own waits, and hands on what it reads. Whoever takes it looks, every [`PATIENCE`], whether
//! the run was stopped, and then waits no longer. The thread stays behind: it ends with the pipe, or with the program.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, bounded};

/// How long is waited before the run is asked whether it goes on: at once, to whoever pressed Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(100);

/// Bytes read at a time: as many as a pipe of Linux holds.
const PIECE_BYTES: usize = 1 << 16;

/// Pieces that wait to be taken.
const PIECES: usize = 4;

/// What a thread of its own reads, until the run is stopped.
pub(super) struct PatientReader {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: io::Cursor<Vec<u8>>,
    stop: Arc<AtomicBool>,
}

impl PatientReader {
    /// Opens and reads on another thread.
    ///
    /// # Errors
    /// If there can be no such thread. What goes wrong with the input is told by the first reading.
    pub(super) fn open<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        stop: Arc<AtomicBool>,
    ) -> io::Result<Self> {
        let (out, pieces) = bounded(PIECES);
        std::thread::Builder::new().name("pipe".to_owned()).spawn(move || {
            let mut input = match open() {
                Ok(input) => input,
                Err(error) => return drop(out.send(Err(error))),
            };
            loop {
                let mut piece = vec![0; PIECE_BYTES];
                let read = match input.read(&mut piece) {
                    Ok(0) => return,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => read,
                };
                let is_over = read.is_err();
                let sent = out.send(read.map(|bytes| {
                    piece.truncate(bytes);
                    piece
                }));
                // Nobody takes any more, or there is nothing more to take.
                if sent.is_err() || is_over {
                    return;
                }
            }
        })?;
        Ok(Self { pieces, piece: io::Cursor::default(), stop })
    }
}

impl Read for PatientReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.piece.read(buf)? {
                0 if !buf.is_empty() => {}
                bytes => return Ok(bytes),
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(io::Error::other("stopped"));
            }
            match self.pieces.recv_timeout(PATIENCE) {
                Ok(piece) => self.piece = io::Cursor::new(piece?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says some words, then nothing, for ever.
    struct Silent(io::Cursor<Vec<u8>>);

    impl Read for Silent {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buf)? {
                0 => loop {
                    std::thread::park();
                },
                bytes => Ok(bytes),
            }
        }
    }

    #[test]
    fn ours_what_a_pipe_says_is_read_whole_and_so_is_how_it_fails() {
        let bytes: Vec<u8> = (0..300_000_u32).map(|n| n as u8).collect();
        let input = io::Cursor::new(bytes.clone());
        let mut read = Vec::new();
        PatientReader::open(|| Ok(input), Arc::default()).unwrap().read_to_end(&mut read).unwrap();
        assert!(read == bytes);
        let refused = || -> io::Result<io::Empty> { Err(io::ErrorKind::PermissionDenied.into()) };
        let error = PatientReader::open(refused, Arc::default()).unwrap().read(&mut [0; 8]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn ours_a_run_that_is_stopped_waits_for_no_pipe() {
        let stop = Arc::new(AtomicBool::new(false));
        let open = || Ok(Silent(io::Cursor::new(b"some words".to_vec())));
        let mut reader = PatientReader::open(open, stop.clone()).unwrap();
        let mut words = [0; 10];
        reader.read_exact(&mut words).unwrap();
        assert_eq!(&words, b"some words");
        stop.store(true, Ordering::Relaxed);
        assert!(reader.read(&mut words).is_err());
        let never = || loop {
            std::thread::park();
        };
        let mut reader = PatientReader::open(move || -> io::Result<io::Empty> { never() }, stop).unwrap();
        assert!(reader.read(&mut words).is_err());
    }
}
