//! A server that speaks HTTP/2.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::sync::Notify;

use super::tls::{Identity, acceptor};
use super::{Cage, Log};

/// Answers each request with a header of its own and this body.
pub async fn says(identity: &Identity, headers: usize, body: Vec<u8>) -> Cage {
    let acceptor = acceptor(identity, &[b"h2", b"http/1.1"]);
    let body = Bytes::from(body);
    Cage::new(move |stream, log| {
        let (acceptor, body) = (acceptor.clone(), body.clone());
        async move {
            let Ok(stream) = acceptor.accept(stream).await else { return };
            let service = service_fn(move |request| answer(request, log.clone(), headers, body.clone()));
            let _ = http2::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
        }
    })
    .await
}

/// The same, until it is told to throw all its connections away.
pub async fn says_until(identity: &Identity, body: &'static [u8], end: Arc<Notify>) -> Cage {
    let acceptor = acceptor(identity, &[b"h2"]);
    Cage::new(move |stream, log| {
        let (acceptor, end) = (acceptor.clone(), end.clone());
        async move {
            let Ok(stream) = acceptor.accept(stream).await else { return };
            let service = service_fn(move |request| answer(request, log.clone(), 0, Bytes::from_static(body)));
            let builder = http2::Builder::new(TokioExecutor::new());
            tokio::select! {
                _ = builder.serve_connection(TokioIo::new(stream), service) => {}
                () = end.notified() => {}
            }
        }
    })
    .await
}

async fn answer(
    request: Request<Incoming>,
    log: Log,
    headers: usize,
    body: Bytes,
) -> Result<Response<Full<Bytes>>, Infallible> {
    log.note(format!("{} {:?}", request.uri(), request.headers()).into_bytes());
    let mut response = Response::new(Full::new(body));
    for _ in 0..headers {
        response.headers_mut().append("x-flood", http::HeaderValue::from_static("a"));
    }
    Ok(response)
}
