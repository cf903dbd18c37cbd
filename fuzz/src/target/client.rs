//! Answers as they come over a socket: the client itself asks, and the input is what the server says.

use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use trodden_fetch::address::Guard;
use trodden_fetch::client::{Ask, Client, ClientCaps, ClientSettings, Exchange, IdleCaps, Times};
use trodden_fetch::dns::{Resolve, Resolving};

/// The most bytes of a body that are asked for.
const BODY_BYTES: usize = 16 << 10;
const HEAD_BYTES: usize = 4 << 10;
const HEADER_COUNT: usize = 64;

/// A client, and a server for it, on this machine.
pub(super) struct Line {
    runtime: Runtime,
    listener: TcpListener,
    client: Client,
    port: u16,
    asked: u64,
}

/// Every name is this machine.
#[derive(Debug)]
struct Here;

impl Resolve for Here {
    fn resolve<'a>(&'a self, _host: &'a str) -> Resolving<'a> {
        Box::pin(async { Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]) })
    }
}

impl Line {
    fn new() -> Self {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
        let listener =
            runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).expect("this machine has a loopback");
        let port = listener.local_addr().expect("it is bound").port();
        let short = Duration::from_secs(5);
        let settings = ClientSettings {
            guard: Guard::with_private(),
            resolver: Some(Arc::new(Here)),
            cookies: true,
            times: Times { connect: short, first_byte: short, whole: short, stall: short, ..Times::default() },
            caps: ClientCaps { head_bytes: HEAD_BYTES, header_count: HEADER_COUNT, ..ClientCaps::default() },
            idle: IdleCaps { per_origin: 0, overall: 0, ..IdleCaps::default() },
            ..ClientSettings::new("trodden-fuzz")
        };
        let client = Client::new(settings).expect("good settings");
        Self { runtime, listener, client, port, asked: 0 }
    }

    /// Gives the line of this thread.
    pub(super) fn with<T>(work: impl FnOnce(&mut Self) -> T) -> T {
        thread_local!(static LINE: RefCell<Line> = RefCell::new(Line::new()));
        LINE.with_borrow_mut(work)
    }

    /// A host that was not asked before: what it said to another input does not count.
    pub(super) fn new_host(&mut self) -> String {
        self.asked += 1;
        format!("h{}.example", self.asked)
    }

    /// Asks for a path of a host; the server says these pieces, each in a packet if the network is kind, and closes.
    pub(super) fn ask(&self, host: &str, path: &str, pieces: &[&[u8]]) -> Exchange {
        let url = format!("http://{host}:{}{path}", self.port);
        let ask = Ask { max_body: BODY_BYTES, ..Ask::new(&url) };
        self.runtime.block_on(async {
            tokio::select! {
                exchange = self.client.get(&ask) => exchange,
                () = self.serve(pieces) => unreachable!("a server serves for ever"),
            }
        })
    }

    async fn serve(&self, pieces: &[&[u8]]) {
        loop {
            if let Ok((mut stream, _)) = self.listener.accept().await {
                // Who does not listen to the end is no error of the server.
                let _ = says(&mut stream, pieces).await;
            }
        }
    }
}

async fn says(stream: &mut TcpStream, pieces: &[&[u8]]) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut request = [0; 8 << 10];
    let _ = stream.read(&mut request).await?;
    for piece in pieces {
        stream.write_all(piece).await?;
        tokio::task::yield_now().await;
    }
    stream.shutdown().await
}

/// The answer is a value; its head is the very bytes that came; head and body are within their caps. The first byte of
/// the input says in how many pieces the rest comes.
pub(super) fn answer(input: &[u8]) {
    let Some((first, said)) = input.split_first() else { return };
    let size = said.len().div_ceil(usize::from(first % 8) + 1).max(1);
    let pieces: Vec<&[u8]> = said.chunks(size).collect();
    Line::with(|line| {
        let host = line.new_host();
        let exchange = line.ask(&host, "/", &pieces);
        let Ok(answer) = exchange.answer else { return };
        assert!((100..1000).contains(&answer.status));
        assert!(answer.head.len() <= HEAD_BYTES && answer.body.len() <= BODY_BYTES);
        assert!(memchr::memmem::find(said, &answer.head).is_some(), "the head is not what came");
        assert!(answer.head.iter().filter(|byte| **byte == b'\n').count() <= HEADER_COUNT + 2);
        if !answer.is_chunked {
            assert!(memchr::memmem::find(said, &answer.body).is_some(), "the body is not what came");
        }
    });
}
