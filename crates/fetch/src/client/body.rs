//! How does a body come in? In pieces, under three limits: its length, the time for all, and how slowly it may drip.

use std::error::Error as _;
use std::future::poll_fn;
use std::io;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::Frame;
use tokio::time::{Instant, timeout_at};

use super::{BodyCut, Times};

/// What is made room for on a server's word; more when it comes.
const RESERVED_BYTES: u64 = 1 << 18;

/// The next piece of a body.
pub(super) type NextFrame = Poll<Option<Result<Frame<Bytes>, hyper::Error>>>;

/// Reads pieces until the body ends or is cut. `expected` is the length that the server told, or 0.
pub(super) async fn read(
    mut next: impl FnMut(&mut Context<'_>) -> NextFrame,
    expected: u64,
    max_body: usize,
    times: &Times,
    whole: Instant,
) -> (Vec<u8>, Option<BodyCut>) {
    let room = usize::try_from(expected.min(RESERVED_BYTES)).unwrap_or(0);
    let mut body = Vec::with_capacity(room.min(max_body));
    let mut window = Window { ends: Instant::now() + times.stall, bytes: 0 };
    loop {
        let frame = timeout_at(window.ends.min(whole), poll_fn(&mut next)).await;
        match frame {
            Ok(None) => return (body, None),
            Ok(Some(Err(error))) => return (body, Some(cut_of(&error))),
            Ok(Some(Ok(frame))) => {
                if let Ok(piece) = frame.into_data() {
                    let left = max_body - body.len();
                    body.extend_from_slice(&piece[..piece.len().min(left)]);
                    if piece.len() > left {
                        return (body, Some(BodyCut::Length));
                    }
                    window.bytes += piece.len();
                }
            }
            Err(_) => {}
        }
        if window.is_over(times, whole) {
            return (body, Some(BodyCut::Time));
        }
    }
}

/// A span in which some bytes must come.
struct Window {
    ends: Instant,
    bytes: usize,
}

impl Window {
    /// Whether time is up. Begins the next window if this one brought enough.
    fn is_over(&mut self, times: &Times, whole: Instant) -> bool {
        let now = Instant::now();
        if now >= whole {
            return true;
        }
        if now >= self.ends {
            if self.bytes < times.stall_bytes {
                return true;
            }
            *self = Self { ends: now + times.stall, bytes: 0 };
        }
        false
    }
}

/// The HTTP library tells damage in chunks as bad input, and all else that can happen here is the end of a connection.
fn cut_of(error: &hyper::Error) -> BodyCut {
    let inner = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    match inner.map(io::Error::kind) {
        Some(io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) => BodyCut::Damaged,
        _ => BodyCut::Disconnect,
    }
}
