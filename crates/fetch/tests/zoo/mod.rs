//! Which servers are there? A zoo of bad ones, and a few good ones to compare, all on loopback.
//!
//! A [`Cage`] listens on a port of its own and lets one beast deal with every connection. One file a beast; each is a
//! function that gives a cage. Tests of other crates may use it with `#[path]`.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::missing_panics_doc, missing_docs)]

pub mod bomb;
pub mod chunks;
pub mod drip;
pub mod endless;
pub mod flood;
pub mod garbage;
pub mod h2;
pub mod hole;
pub mod interim;
pub mod leaver;
pub mod liar;
pub mod names;
pub mod plain;
pub mod proxy;
pub mod tired;
pub mod tls;

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A server that runs until it is dropped.
pub struct Cage {
    pub address: SocketAddr,
    log: Log,
    keeper: JoinHandle<()>,
}

/// What a server saw.
#[derive(Clone, Default)]
pub struct Log {
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Log {
    pub fn note(&self, request: Vec<u8>) {
        self.requests.lock().unwrap().push(request);
    }
}

impl Cage {
    /// A beast on 127.0.0.1. It is given each connection, and where to note requests.
    pub async fn new<F, Fut>(beast: F) -> Self
    where
        F: Fn(TcpStream, Log) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        Self::at("127.0.0.1:0".parse().unwrap(), beast).await
    }

    /// A beast at an address.
    pub async fn at<F, Fut>(address: SocketAddr, beast: F) -> Self
    where
        F: Fn(TcpStream, Log) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let log = Log::default();
        let noted = log.clone();
        let keeper = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                noted.connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(beast(stream, noted.clone()));
            }
        });
        Self { address, log, keeper }
    }

    /// `http://127.0.0.1:port` and a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The same under a name.
    pub fn url_as(&self, scheme: &str, host: &str, path: &str) -> String {
        format!("{scheme}://{host}:{}{path}", self.address.port())
    }

    pub fn ip(&self) -> IpAddr {
        self.address.ip()
    }

    /// How many connections were made.
    pub fn connections(&self) -> usize {
        self.log.connections.load(Ordering::SeqCst)
    }

    /// The heads of the requests that came.
    pub fn requests(&self) -> Vec<Vec<u8>> {
        self.log.requests.lock().unwrap().clone()
    }
}

impl Drop for Cage {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

/// The head of the next request, or `None` at the end.
pub async fn request<S: AsyncRead + Unpin>(stream: &mut S) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read_buf(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    Some(head)
}

/// Holds a connection open until the other side closes it.
pub async fn linger<S: AsyncRead + Unpin>(stream: &mut S) {
    let mut sink = [0; 256];
    while matches!(stream.read(&mut sink).await, Ok(n) if n > 0) {}
}
