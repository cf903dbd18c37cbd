//! How is HTTP/1.1 spoken? One request at a time on a connection.
//!
//! The connection is driven by who asks, in the same task: no channel between two tasks is crossed for a piece of a
//! body, and a request that is given up takes its connection with it. While idle nobody looks at it; whether it is still
//! good is seen when it is taken again, and what even then looks good but is not is asked once more elsewhere.

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::TRANSFER_ENCODING;
use http::{Response, Version};
use http_body_util::Empty;
use hyper::body::{Body, Incoming};
use hyper::client::conn::http1::{Builder, Connection, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::time::{Instant, timeout_at};

use super::arrival::{Bell, LoopWatch};
use super::gate::{Gate, Tape};
use super::head::Get;
use super::stream::Stream;
use super::{ClientCaps, FetchFault, HeadFault, HttpAnswer, Late, Times, body};

type H1Connection = Connection<TokioIo<Gate<Stream>>, Empty<Bytes>>;

/// The most that is read at once.
const READ_BYTES: usize = 1 << 16;
/// The most headers that the HTTP library is told to expect: it makes room for all of them.
const MOST_HEADERS: usize = 1 << 13;

/// A connection that speaks HTTP/1.1.
pub(super) struct H1 {
    sender: SendRequest<Empty<Bytes>>,
    /// `None` when it is over.
    line: Option<Pin<Box<H1Connection>>>,
    tape: Tape,
    bell: Arc<Bell>,
    pub(super) address: IpAddr,
    pub(super) tls: Option<&'static str>,
}

/// What came of a request.
pub(super) struct Said {
    pub(super) answer: HttpAnswer,
    pub(super) protocol: &'static str,
    /// When the last of the head arrived.
    pub(super) head_at: Instant,
}

impl H1 {
    pub(super) async fn open(
        stream: Stream,
        address: IpAddr,
        tls: Option<&'static str>,
        caps: &ClientCaps,
        loop_watch: &Arc<LoopWatch>,
    ) -> Result<Self, FetchFault> {
        let (gate, tape) = Gate::new(stream, caps);
        let mut builder = Builder::new();
        builder
            .title_case_headers(true)
            .max_headers(caps.header_count.min(MOST_HEADERS))
            .max_buf_size(caps.head_bytes.max(READ_BYTES))
            // What browsers forgive, so that a page is not lost for one odd line; the gate keeps the line.
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .ignore_invalid_headers_in_responses(true);
        let (sender, line) = builder.handshake(TokioIo::new(gate)).await.map_err(|_| FetchFault::Disconnected)?;
        Ok(Self { sender, line: Some(Box::pin(line)), tape, bell: Bell::new(loop_watch), address, tls })
    }

    fn drive(&mut self, cx: &mut Context<'_>) {
        if self.line.as_mut().is_some_and(|line| line.as_mut().poll(cx).is_ready()) {
            self.line = None;
        }
    }

    /// Whether another request may be sent: the server keeps the line open and has said nothing unasked.
    pub(super) async fn is_usable(&mut self) -> bool {
        poll_fn(|cx| {
            self.drive(cx);
            let is_ready = matches!(self.sender.poll_ready(cx), Poll::Ready(Ok(())));
            Poll::Ready(is_ready && self.line.is_some())
        })
        .await
    }

    /// Whether any byte of the last answer came.
    pub(super) fn has_answered(&self) -> bool {
        self.tape.any()
    }

    pub(super) async fn ask(
        &mut self,
        request: Get,
        max_body: usize,
        times: &Times,
        whole: Instant,
    ) -> Result<Said, FetchFault> {
        self.tape.begin();
        let begun = Instant::now();
        let until = (begun + times.first_byte).min(whole);
        let mut answering = pin!(self.sender.send_request(request));
        let bell = Arc::clone(&self.bell);
        let response = timeout_at(
            until,
            bell.hear(begun, |cx| {
                self.drive(cx);
                answering.as_mut().poll(cx)
            }),
        );
        let (response, head_at) = match response.await {
            Ok((Ok(response), head_at)) => (response, head_at),
            Ok((Err(error), _)) => return Err(self.fault_of(&error)),
            Err(_) if until == whole => return Err(FetchFault::TimeOut(Late::Whole)),
            Err(_) if self.tape.any() => return Err(FetchFault::TimeOut(Late::Head)),
            Err(_) => return Err(FetchFault::TimeOut(Late::FirstByte)),
        };
        let (parts, body) = response.into_parts();
        let is_chunked = is_chunked(&parts.headers);
        let response = Response::from_parts(parts, ());
        let (body, cut) = self.read(body, max_body, times, whole).await;
        if cut.is_some() {
            self.line = None;
        }
        let answer =
            HttpAnswer { status: response.status().as_u16(), head: self.tape.take_head(), body, cut, is_chunked };
        let protocol = if response.version() == Version::HTTP_10 { "http/1.0" } else { "http/1.1" };
        Ok(Said { answer, protocol, head_at })
    }

    async fn read(
        &mut self,
        mut incoming: Incoming,
        max_body: usize,
        times: &Times,
        whole: Instant,
    ) -> (Vec<u8>, Option<super::BodyCut>) {
        let expected = incoming.size_hint().exact().unwrap_or(0);
        let next = |cx: &mut Context<'_>| {
            if let Poll::Ready(frame) = Pin::new(&mut incoming).poll_frame(cx) {
                return Poll::Ready(frame);
            }
            self.drive(cx);
            Pin::new(&mut incoming).poll_frame(cx)
        };
        body::read(next, expected, max_body, times, whole).await
    }

    fn fault_of(&self, error: &hyper::Error) -> FetchFault {
        match self.tape.fault() {
            Some(fault) => fault,
            None if error.is_parse_too_large() => FetchFault::TooManyHeaders,
            None if error.is_parse() => FetchFault::Malformed(HeadFault::Http1),
            None => FetchFault::Disconnected,
        }
    }
}

fn is_chunked(headers: &http::HeaderMap) -> bool {
    let has_chunked = |value: &http::HeaderValue| value.as_bytes().to_ascii_lowercase().ends_with(b"chunked");
    headers.get_all(TRANSFER_ENCODING).iter().any(has_chunked)
}
