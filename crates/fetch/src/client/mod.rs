//! What does the server say if it is asked for a URL?
//!
//! [`Client::get`] asks once and gives an [`Exchange`]: what was sent, to whom, what came back byte for byte, how long it
//! took. Whatever the web does is a value ([`FetchFault`], [`BodyCut`]); only settings can be wrong ([`Error`]). When to ask,
//! whether robots.txt allows it, where a redirect leads and what to try again is for those above to decide: nothing is
//! followed here, so every hop meets the guard anew.
//!
//! The life of a request:
//!
//! ```text
//! Ask ─► Target (URL, port) ─► head ─► pool ──(idle connection)──────────────► h1, h2 ─► body ─► Exchange
//!                                        └─► connect: DNS, guard, dial, TLS ─┘   │
//!                                                                     gate: the head, byte for byte
//! ```
//!
//! Invariants: every byte read meets a cap and every wait a time-out ([`ClientSettings`]); no connection is made but to
//! an address that the guard has passed; certificates are always verified; a request is sent a second time only if it
//! went into a connection that was idle before and not one byte came back.

mod arrival;
mod ask;
mod body;
mod connect;
mod cookies;
mod dial;
mod exchange;
mod fault;
mod gate;
mod h1;
mod h2;
mod head;
mod pool;
mod proxy;
mod scan;
mod secret;
mod settings;
mod stream;
mod target;
mod tls;
mod turns;

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::COOKIE;
use tokio::time::Instant;
use tokio_rustls::TlsConnector;

pub use ask::{ACCEPT, Ask, Validators};
pub use exchange::{BodyCut, Exchange, HttpAnswer, Took};
pub use fault::{ConnectFault, FetchFault, HeadFault, Late, ProxyFault, TlsFault};
pub use secret::{Credentials, Secret};
pub use settings::*;

use self::arrival::LoopWatch;
use self::cookies::Jar;
use self::h1::Said;
use self::head::Heads;
use self::pool::{OpenLine, Pool};
use self::proxy::Proxy;
use self::target::Target;
use self::turns::Turns;
use crate::Error;
use crate::dns::{Resolve, SystemResolver};

/// The least that a cap on heads may be.
const LEAST_HEAD_BYTES: usize = 1 << 10;

/// Asks servers. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    inner: Arc<ClientCore>,
}

struct ClientCore {
    settings: ClientSettings,
    heads: Heads,
    resolver: Arc<dyn Resolve>,
    connector: TlsConnector,
    proxy: Option<Proxy>,
    pool: Pool,
    /// None if cookies are off.
    jar: Option<Jar>,
    /// When addresses may be asked.
    addresses: Turns<IpAddr>,
    /// When hosts may be asked that nobody planned to ask.
    hosts: Turns<String>,
    loop_watch: Arc<LoopWatch>,
}

impl Client {
    /// A client with these settings. Nothing is connected to yet.
    ///
    /// # Errors
    /// [`Error`] if a setting cannot be used.
    pub fn new(settings: ClientSettings) -> Result<Self, Error> {
        if settings.caps.head_bytes < LEAST_HEAD_BYTES {
            let value = settings.caps.head_bytes;
            return Err(Error::TooSmall { setting: "the cap on head bytes", value, least: LEAST_HEAD_BYTES });
        }
        let resolver = match &settings.resolver {
            Some(resolver) => Arc::clone(resolver),
            None => Arc::new(SystemResolver::new(&settings.dns)?),
        };
        Ok(Self {
            inner: Arc::new(ClientCore {
                heads: Heads::new(&settings)?,
                resolver,
                connector: tls::connector(&settings.extra_roots, settings.versions)?,
                proxy: settings.proxy.as_ref().map(Proxy::parse).transpose()?,
                pool: Pool::new(&settings.idle),
                jar: settings.cookies.then(Jar::new),
                addresses: Turns::new(),
                hosts: Turns::new(),
                loop_watch: LoopWatch::new(),
                settings,
            }),
        })
    }

    /// Asks for a URL, once. To give up, drop the future.
    pub async fn get(&self, ask: &Ask<'_>) -> Exchange {
        let begun = Instant::now();
        let mut exchange = Exchange {
            request: Vec::new(),
            address: None,
            protocols: Vec::new(),
            answer: Err(FetchFault::BadUrl),
            took: Took::default(),
            reused: false,
        };
        let whole = begun + self.inner.settings.times.whole;
        exchange.answer = self.inner.run(ask, whole, &mut exchange).await;
        exchange.took.whole = begun.elapsed().saturating_sub(exchange.took.turn);
        exchange
    }

    /// Waits for the turn of a host that nobody planned to ask: where a redirect of robots.txt leads, say. All who ask it so take
    /// turns, `delay` apart.
    pub async fn turn_of(&self, host: &str, delay: Duration) {
        self.inner.hosts.take(host.to_owned(), delay).await;
    }

    /// Runs what asks, and works on the answers in the same thread: the time that it works is not counted as time that servers take.
    pub async fn watch<F: Future>(&self, work: F) -> F::Output {
        self.inner.loop_watch.watch(work).await
    }

    /// Closes all idle connections.
    pub fn close_idle(&self) {
        self.inner.pool.clear();
    }

    /// How many connections are kept for reuse; a shared one counts also while it is used.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.inner.pool.len()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("settings", &self.inner.settings).finish_non_exhaustive()
    }
}

impl ClientCore {
    async fn run(&self, ask: &Ask<'_>, whole: Instant, exchange: &mut Exchange) -> Result<HttpAnswer, FetchFault> {
        let target = Target::parse(ask.url)?;
        // Also behind a proxy, which would connect to it for us.
        if let Some(address) = target.literal {
            self.settings.guard.check(address).map_err(FetchFault::AddressRefused)?;
        }
        let mut headers = self.heads.headers(ask, &target)?;
        if let Some(jar) = &self.jar
            && !headers.contains_key(COOKIE)
            && let Some(cookies) = jar.header(&target, SystemTime::now())
        {
            headers.insert(COOKIE, cookies);
        }
        exchange.request = head::written(&target, &headers);

        if let Some(kept) = self.idle(&target).await {
            exchange.reused = true;
            exchange.took.turn = self.turn(kept.address()).await;
            let whole = whole + exchange.took.turn;
            match self.ask(kept, ask, &target, &headers, whole, exchange).await {
                AskedOn::Said(answer) => return self.remember(&target, answer),
                AskedOn::Unheard => {}
            }
            exchange.reused = false;
            exchange.protocols.clear();
        }
        let kept = self.open(&target, whole, &mut exchange.took, &mut exchange.address).await?;
        let whole = whole + exchange.took.turn;
        match self.ask(kept, ask, &target, &headers, whole, exchange).await {
            AskedOn::Said(answer) => self.remember(&target, answer),
            AskedOn::Unheard => Err(FetchFault::Disconnected),
        }
    }

    /// Waits until an address may be asked; that time counts for no time-out. A proxy is asked for all, and has no turns.
    async fn turn(&self, address: IpAddr) -> Duration {
        let delay = if self.proxy.is_some() { Duration::ZERO } else { self.settings.address_delay };
        self.addresses.take(address, delay).await
    }

    /// The proxy that is given a whole URL; for https it only opens a tunnel.
    fn proxy_for(&self, target: &Target) -> Option<&Proxy> {
        self.proxy.as_ref().filter(|_| !target.key.is_https)
    }

    /// Keeps the cookies of an answer, if cookies are on.
    fn remember(&self, target: &Target, answer: Result<HttpAnswer, FetchFault>) -> Result<HttpAnswer, FetchFault> {
        if let (Some(jar), Ok(answer)) = (&self.jar, &answer) {
            jar.take(target, &answer.head, SystemTime::now());
        }
        answer
    }

    /// A connection that is open and looks good.
    async fn idle(&self, target: &Target) -> Option<OpenLine> {
        loop {
            match self.pool.take(self.proxy_for(target).map_or(&target.key, |proxy| &proxy.key))? {
                OpenLine::H1(mut line) => {
                    if line.is_usable().await {
                        return Some(OpenLine::H1(line));
                    }
                }
                kept @ OpenLine::H2(_) => return Some(kept),
            }
        }
    }

    async fn ask(
        &self,
        kept: OpenLine,
        ask: &Ask<'_>,
        target: &Target,
        headers: &HeaderMap,
        whole: Instant,
        exchange: &mut Exchange,
    ) -> AskedOn {
        let (times, caps) = (&self.settings.times, &self.settings.caps);
        let begun = Instant::now();
        let said = match kept {
            OpenLine::H1(mut line) => {
                let proxy = self.proxy_for(target);
                let request = match head::http1(target, headers, proxy.map(|proxy| proxy.authorization.as_ref())) {
                    Ok(request) => request,
                    Err(fault) => return AskedOn::Said(Err(fault)),
                };
                exchange.address = Some(line.address);
                exchange.protocols = ["http/1.1"].into_iter().chain(line.tls).collect();
                let said = line.ask(request, ask.max_body, times, whole).await;
                if matches!(said, Err(FetchFault::Disconnected)) && !line.has_answered() {
                    return AskedOn::Unheard;
                }
                if said.is_ok() && line.is_usable().await {
                    match proxy {
                        Some(proxy) => self.pool.put_to_proxy(&proxy.key, OpenLine::H1(line)),
                        None => self.pool.put(&target.key, OpenLine::H1(line)),
                    }
                }
                said
            }
            OpenLine::H2(mut line) => {
                let request = match head::http2(target, headers) {
                    Ok(request) => request,
                    Err(fault) => return AskedOn::Said(Err(fault)),
                };
                exchange.address = Some(line.address);
                exchange.protocols = vec!["h2", line.tls];
                if !exchange.reused {
                    self.pool.put(&target.key, OpenLine::H2(line.clone()));
                }
                let said = line.ask(request, ask.max_body, caps, times, whole).await;
                // A server that is about to close refuses streams (GOAWAY): that is one more way of dying while idle.
                let is_refused = exchange.reused && matches!(said, Err(FetchFault::Malformed(HeadFault::Http2)));
                if is_refused || matches!(said, Err(FetchFault::Disconnected)) {
                    self.pool.forget_shared(&target.key);
                    return AskedOn::Unheard;
                }
                said
            }
        };
        AskedOn::Said(said.map(|Said { answer, protocol, head_at }| {
            exchange.took.first_byte = Some(head_at - begun);
            exchange.protocols[0] = protocol;
            answer
        }))
    }
}

/// What came of asking on a connection.
enum AskedOn {
    /// An answer, or a fault that asking again would not mend.
    Said(Result<HttpAnswer, FetchFault>),
    /// The connection ended without a byte.
    Unheard,
}
