//! When did an answer arrive?
//!
//! One thread asks all servers and works on what they said. While it works, bytes that have arrived wait in the kernel, then in the
//! queue of requests that may go on. The time at which they are read is therefore ours; a server must be judged by its own:
//!
//! ```text
//! the loop works ──────────────┐look┌─ works ──── … ── reads this answer
//!      ^ here it arrived       └──^─┘ the reactor says so     ^ here it is read
//! ```
//!
//! - A [`Bell`] stands between the socket and its request. It notes when the reactor rings, however long the request then waits for
//!   its turn. A request that rings itself has not been done with: the first ring counts.
//! - [`LoopWatch`] notes when the loop works. If the reactor rings at once after that, the bytes came at any time while the loop worked,
//!   and the beginning of that counts. If the reactor had to wait, nothing had come before, and the ring itself counts.
//!
//! So the noted time is never later than the true one by more than [`AT_ONCE`], and never earlier than the last look at which nothing had come.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use tokio::time::Instant;

/// A reactor that rings within this time of being looked at did not have to wait.
const AT_ONCE: Duration = Duration::from_millis(1);

/// When the thread that looks at the reactor was busy with something else.
pub(super) struct LoopWatch {
    base: Instant,
    /// When the loop last began to work and when it stopped, in nanoseconds since the base.
    began: AtomicU64,
    stopped: AtomicU64,
}

impl LoopWatch {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { base: Instant::now(), began: AtomicU64::new(0), stopped: AtomicU64::new(0) })
    }

    /// Runs a future, and notes when it works.
    pub(super) async fn watch<F: Future>(&self, work: F) -> F::Output {
        let mut work = pin!(work);
        poll_fn(|cx| {
            let began = self.nanos();
            let polled = work.as_mut().poll(cx);
            self.began.store(began, Ordering::Relaxed);
            self.stopped.store(self.nanos(), Ordering::Relaxed);
            polled
        })
        .await
    }

    fn nanos(&self) -> u64 {
        u64::try_from(self.base.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// When that arrived of which the reactor tells now; never 0, which means never.
    fn arrived(&self) -> u64 {
        let (now, stopped) = (self.nanos(), self.stopped.load(Ordering::Relaxed));
        let has_waited = now.saturating_sub(stopped) > AT_ONCE.as_nanos() as u64;
        if has_waited { now.max(1) } else { self.began.load(Ordering::Relaxed).max(1) }
    }
}

/// Notes when the reactor tells of a connection.
pub(super) struct Bell {
    loop_watch: Arc<LoopWatch>,
    /// When that arrived of which was told first since the request was last looked at; 0 if nothing did.
    rung: AtomicU64,
    outer: Mutex<Waker>,
}

impl Bell {
    pub(super) fn new(loop_watch: &Arc<LoopWatch>) -> Arc<Self> {
        Arc::new(Self {
            loop_watch: Arc::clone(loop_watch),
            rung: AtomicU64::new(0),
            outer: Mutex::new(Waker::noop().clone()),
        })
    }

    /// Waits for something on the connection; and when what made it ready arrived. That is not before `begun`.
    pub(super) async fn hear<T>(
        self: &Arc<Self>,
        begun: Instant,
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> (T, Instant) {
        let waker = Waker::from(Arc::clone(self));
        poll_fn(|cx| {
            self.pass_on_to(cx.waker());
            let rung = self.rung.swap(0, Ordering::Relaxed);
            match poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(heard) => Poll::Ready((heard, self.at(rung).max(begun))),
                Poll::Pending => {
                    if rung != 0 && self.rung.load(Ordering::Relaxed) != 0 {
                        self.rung.store(rung, Ordering::Relaxed);
                    }
                    Poll::Pending
                }
            }
        })
        .await
    }

    fn at(&self, rung: u64) -> Instant {
        if rung == 0 { Instant::now() } else { self.loop_watch.base + Duration::from_nanos(rung) }
    }

    fn pass_on_to(&self, waker: &Waker) {
        self.outer.lock().unwrap_or_else(PoisonError::into_inner).clone_from(waker);
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // Only the first ring counts. Two threads that ring at once tell of the same moment.
        if self.rung.load(Ordering::Relaxed) == 0 {
            self.rung.store(self.loop_watch.arrived(), Ordering::Relaxed);
        }
        let outer = self.outer.lock().unwrap_or_else(PoisonError::into_inner).clone();
        outer.wake();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;
    use tokio::net::{TcpListener, TcpStream};

    fn busy(time: Duration) {
        let begun = std::time::Instant::now();
        while begun.elapsed() < time {
            std::hint::spin_loop();
        }
    }

    /// How long an answer took by the bell that a server gives some time after we began to wait for it, if we are busy for a time then.
    async fn took(server_ms: u64, busy_ms: u64) -> (Duration, Duration) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (we_wait, waited_for) = std::sync::mpsc::channel();
        let server = std::thread::spawn(move || {
            let listener = listener.into_std().unwrap();
            listener.set_nonblocking(false).unwrap();
            let (mut stream, _) = listener.accept().unwrap();
            waited_for.recv().unwrap();
            std::thread::sleep(Duration::from_millis(server_ms));
            std::io::Write::write_all(&mut stream, b"x").unwrap();
            stream
        });
        let (watch, mut stream) = (LoopWatch::new(), TcpStream::connect(address).await.unwrap());
        let bell = Bell::new(&watch);
        let begun = Instant::now();
        let answer = async {
            stream.write_all(b"?").await.unwrap();
            bell.hear(begun, |cx| stream.poll_read_ready(cx)).await.1
        };
        let work = async {
            let mut answer = pin!(answer);
            let first = futures_util::poll!(&mut answer);
            assert!(first.is_pending());
            we_wait.send(()).unwrap();
            busy(Duration::from_millis(busy_ms));
            answer.await
        };
        let arrived = watch.watch(work).await;
        let whole = begun.elapsed();
        drop(server.join().unwrap());
        (arrived - begun, whole)
    }

    #[tokio::test]
    async fn ours_a_server_is_not_blamed_for_what_the_loop_does_meanwhile() {
        let (by_bell, whole) = took(0, 300).await;
        assert!(whole >= Duration::from_millis(300));
        assert!(by_bell < Duration::from_millis(100), "{by_bell:?} of {whole:?}");
    }

    #[tokio::test]
    async fn ours_a_server_that_is_slow_is_seen_to_be_whatever_the_loop_does() {
        let (by_bell, _) = took(300, 0).await;
        assert!(by_bell >= Duration::from_millis(290), "{by_bell:?}");
        let (by_bell, _) = took(400, 100).await;
        assert!(by_bell >= Duration::from_millis(390), "{by_bell:?}");
    }

    #[test]
    fn ours_a_request_that_rings_itself_keeps_the_first_ring() {
        let bell = Bell::new(&LoopWatch::new());
        let waker = Waker::from(Arc::clone(&bell));
        waker.wake_by_ref();
        let first = bell.rung.load(Ordering::Relaxed);
        let begun = bell.loop_watch.base;
        let mut polls = 0;
        let mut hearing = pin!(bell.hear(begun, |cx| {
            polls += 1;
            cx.waker().wake_by_ref();
            if polls < 3 { Poll::Pending } else { Poll::Ready(()) }
        }));
        let mut cx = Context::from_waker(Waker::noop());
        for _ in 0..2 {
            assert!(hearing.as_mut().poll(&mut cx).is_pending());
            busy(Duration::from_millis(5));
        }
        let Poll::Ready(((), at)) = hearing.as_mut().poll(&mut cx) else { panic!("it is ready the third time") };
        assert_eq!(at, begun + Duration::from_nanos(first));
    }
}
