//! Where does the head end, and what exactly was it?
//!
//! The HTTP library gives headers without their spelling and order, parses a dripping head anew for every byte, and has
//! no opinion about endless interim answers. So the gate stands between it and the socket. While an answer begins, it
//! holds bytes back until the head is complete and within its caps, keeps a copy, drops interim answers (100 to 199),
//! and then lets the head through in one piece; what follows passes untouched. In the usual case, a head that arrives
//! whole, nothing is moved: the bytes are scanned where they are and pass.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::scan::{Scan, Scanned};
use super::{ClientCaps, FetchFault};

/// A connection whose answers are looked at as they begin.
pub(super) struct Gate<S> {
    inner: S,
    tape: Tape,
}

/// What the gate has seen; shared with who asks.
#[derive(Clone)]
pub(super) struct Tape(Arc<Mutex<Seen>>);

struct Seen {
    phase: Phase,
    scan: Scan,
    caps: ClientCaps,
    interim: usize,
    held: Vec<u8>,
    head: Vec<u8>,
    fault: Option<FetchFault>,
    any: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Bytes pass: those of a body, or those that a server sends unasked, which the HTTP library refuses.
    Open,
    /// An answer is awaited.
    Head,
}

impl Tape {
    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request is about to be sent: the next bytes are the head of its answer.
    pub(super) fn begin(&self) {
        let mut seen = self.lock();
        seen.phase = Phase::Head;
        seen.scan = Scan::default();
        seen.interim = 0;
        seen.held.clear();
        seen.head.clear();
        seen.fault = None;
        seen.any = false;
    }

    /// Whether any byte of the answer came.
    pub(super) fn any(&self) -> bool {
        self.lock().any
    }

    /// Why the head was not let through.
    pub(super) fn fault(&self) -> Option<FetchFault> {
        self.lock().fault
    }

    /// The head as it came.
    pub(super) fn take_head(&self) -> Vec<u8> {
        std::mem::take(&mut self.lock().head)
    }
}

impl<S> Gate<S> {
    pub(super) fn new(inner: S, caps: &ClientCaps) -> (Self, Tape) {
        let tape = Tape(Arc::new(Mutex::new(Seen {
            phase: Phase::Open,
            scan: Scan::default(),
            caps: caps.clone(),
            interim: 0,
            held: Vec::new(),
            head: Vec::new(),
            fault: None,
            any: false,
        })));
        (Self { inner, tape: tape.clone() }, tape)
    }
}

impl Seen {
    /// Takes new bytes of a head; whether they may pass as they are. If not, they are held, or the fault is set.
    fn take(&mut self, fresh: &[u8]) -> bool {
        self.any = true;
        if self.held.is_empty() {
            match self.scan.step(fresh, &self.caps) {
                Ok(Scanned::Final { from: 0, to }) => {
                    self.head.extend_from_slice(&fresh[..to]);
                    self.phase = Phase::Open;
                    return true;
                }
                Ok(_) => self.scan = Scan::default(),
                Err(fault) => {
                    self.fault = Some(fault);
                    return false;
                }
            }
        }
        self.held.extend_from_slice(fresh);
        self.look();
        false
    }

    /// Goes on through what is held.
    fn look(&mut self) {
        loop {
            match self.scan.step(&self.held, &self.caps) {
                Ok(Scanned::Unfinished) => return,
                Ok(Scanned::Interim { to }) => {
                    self.held.drain(..to);
                    self.scan = Scan::default();
                    self.interim += 1;
                    if self.interim > self.caps.interim_answers {
                        self.fault = Some(FetchFault::TooManyInterim);
                        return;
                    }
                }
                Ok(Scanned::Final { from, to }) => {
                    self.head.extend_from_slice(&self.held[from..to]);
                    self.held.drain(..from);
                    self.phase = Phase::Open;
                    return;
                }
                Err(fault) => {
                    self.fault = Some(fault);
                    return;
                }
            }
        }
    }

    /// Gives out what was held, as much as there is room for.
    fn release(&mut self, buf: &mut ReadBuf<'_>) {
        let n = self.held.len().min(buf.remaining());
        buf.put_slice(&self.held[..n]);
        self.held.drain(..n);
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Gate<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let mut seen = this.tape.lock();
        loop {
            if seen.fault.is_some() {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
            if seen.phase == Phase::Open {
                if seen.held.is_empty() {
                    drop(seen);
                    return Pin::new(&mut this.inner).poll_read(cx, buf);
                }
                seen.release(buf);
                return Poll::Ready(Ok(()));
            }
            let before = buf.filled().len();
            ready!(Pin::new(&mut this.inner).poll_read(cx, buf))?;
            if buf.filled().len() == before || seen.take(&buf.filled()[before..]) {
                return Poll::Ready(Ok(()));
            }
            buf.set_filled(before);
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Gate<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    /// What passes the gate if the bytes come in pieces of this size, and what it kept.
    async fn through(wire: &[u8], piece: usize) -> (Vec<u8>, Vec<u8>, Option<FetchFault>) {
        let (mut far, near) = tokio::io::duplex(piece);
        let (mut gate, tape) = Gate::new(near, &ClientCaps { interim_answers: 2, ..ClientCaps::default() });
        tape.begin();
        let wire = wire.to_vec();
        let sent = tokio::spawn(async move {
            let _ = tokio::io::AsyncWriteExt::write_all(&mut far, &wire).await;
        });
        let mut passed = Vec::new();
        let _ = gate.read_to_end(&mut passed).await;
        drop(gate);
        sent.await.unwrap();
        let fault = tape.fault();
        (passed, tape.take_head(), fault)
    }

    #[tokio::test]
    async fn ours_a_head_is_kept_byte_by_byte_however_it_arrives() {
        let head = b"HTTP/1.1 200 oK\r\nX-odd:  b \r\nx-ODD: c\n\r\n";
        let wire = [&head[..], b"body\r\n\r\nHTTP/1.1 100 no"].concat();
        for piece in [1, 2, 7, 1 << 16] {
            assert_eq!(through(&wire, piece).await, (wire.clone(), head.to_vec(), None));
        }
    }

    #[tokio::test]
    async fn rfc9110_interim_answers_are_dropped_and_bounded() {
        let last = b"HTTP/1.1 200 OK\r\n\r\nx";
        let hint = b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n";
        for piece in [1, 5, 1 << 16] {
            let two = [&hint[..], hint, last].concat();
            assert_eq!(through(&two, piece).await, (last.to_vec(), last[..19].to_vec(), None));
            let three = [&hint[..], hint, hint, last].concat();
            assert_eq!(through(&three, piece).await, (vec![], vec![], Some(FetchFault::TooManyInterim)));
        }
    }
}
