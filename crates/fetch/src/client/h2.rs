//! How is HTTP/2 spoken? Many requests at a time on a connection, which a task of its own drives.

use std::error::Error as _;
use std::fmt::Write as _;
use std::io;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;

use bytes::Bytes;
use http::response::Parts;
use http_body_util::Empty;
use hyper::body::Body;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::time::{Instant, timeout_at};

use super::arrival::{Bell, LoopWatch};
use super::h1::Said;
use super::head::Get;
use super::stream::Stream;
use super::{ClientCaps, FetchFault, HeadFault, HttpAnswer, Late, Times, body};

/// How much a server may send ahead on one stream, and on all together.
const STREAM_WINDOW: u32 = 1 << 20;
const CONNECTION_WINDOW: u32 = 4 << 20;

/// A connection that speaks HTTP/2; a clone is the same connection. It closes when the last clone is gone.
#[derive(Clone)]
pub(super) struct H2 {
    sender: SendRequest<Empty<Bytes>>,
    loop_watch: Arc<LoopWatch>,
    pub(super) address: IpAddr,
    pub(super) tls: &'static str,
}

impl H2 {
    pub(super) async fn open(
        stream: Stream,
        address: IpAddr,
        tls: &'static str,
        caps: &ClientCaps,
        loop_watch: &Arc<LoopWatch>,
    ) -> Result<Self, FetchFault> {
        let mut builder = Builder::new(TokioExecutor::new());
        builder
            .timer(TokioTimer::new())
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .max_header_list_size(u32::try_from(caps.head_bytes).unwrap_or(u32::MAX));
        let (sender, line) = builder.handshake(TokioIo::new(stream)).await.map_err(|error| fault_of(&error))?;
        // Its end is seen by those who ask.
        tokio::spawn(async move {
            let _ = line.await;
        });
        Ok(Self { sender, loop_watch: Arc::clone(loop_watch), address, tls })
    }

    pub(super) fn is_usable(&self) -> bool {
        !self.sender.is_closed()
    }

    pub(super) async fn ask(
        &mut self,
        request: Get,
        max_body: usize,
        caps: &ClientCaps,
        times: &Times,
        whole: Instant,
    ) -> Result<Said, FetchFault> {
        let begun = Instant::now();
        let until = (begun + times.first_byte).min(whole);
        let bell = Bell::new(&self.loop_watch);
        let mut answering = pin!(async {
            self.sender.ready().await?;
            self.sender.send_request(request).await
        });
        let response = timeout_at(until, bell.hear(begun, |cx| answering.as_mut().poll(cx)));
        let (response, head_at) = match response.await {
            Ok((Ok(response), head_at)) => (response, head_at),
            Ok((Err(error), _)) => return Err(fault_of(&error)),
            Err(_) if until == whole => return Err(FetchFault::TimeOut(Late::Whole)),
            Err(_) => return Err(FetchFault::TimeOut(Late::FirstByte)),
        };
        let (parts, mut incoming) = response.into_parts();
        if parts.headers.len() > caps.header_count {
            return Err(FetchFault::TooManyHeaders);
        }
        let head = written(&parts);
        if head.len() > caps.head_bytes {
            return Err(FetchFault::HeadTooLong);
        }
        let expected = incoming.size_hint().exact().unwrap_or(0);
        let next = |cx: &mut std::task::Context<'_>| Pin::new(&mut incoming).poll_frame(cx);
        let (body, cut) = body::read(next, expected, max_body, times, whole).await;
        let answer = HttpAnswer { status: parts.status.as_u16(), head, body, cut, is_chunked: false };
        Ok(Said { answer, protocol: "h2", head_at })
    }
}

/// The head as HTTP/1.1 would have it. The status line says 1.1, since readers of archives know no other; what was
/// spoken stands in [`Exchange::protocols`](super::Exchange::protocols).
fn written(parts: &Parts) -> Vec<u8> {
    let mut line = String::with_capacity(32);
    let reason = parts.status.canonical_reason().unwrap_or_default();
    let _ = write!(line, "HTTP/1.1 {} {reason}\r\n", parts.status.as_u16());
    let mut head = line.into_bytes();
    for (name, value) in &parts.headers {
        head.extend_from_slice(name.as_str().as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
    head
}

fn fault_of(error: &hyper::Error) -> FetchFault {
    let is_io = error.source().is_some_and(|source| source.is::<io::Error>());
    if is_io || error.is_closed() || error.is_canceled() || error.is_incomplete_message() {
        FetchFault::Disconnected
    } else {
        FetchFault::Malformed(HeadFault::Http2)
    }
}
