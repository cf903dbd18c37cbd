//! How long do we wait, how much do we take, and who are we? Every default is a named constant.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::{Credentials, Secret};
use crate::address::Guard;
use crate::dns::{DnsSettings, Resolve};

/// How long a name may take to resolve.
pub const DNS_TIME: Duration = Duration::from_secs(15);
/// How long a TCP connection may take, over all addresses of a name.
pub const CONNECT_TIME: Duration = Duration::from_secs(10);
/// How long a TLS handshake may take.
pub const TLS_TIME: Duration = Duration::from_secs(10);
/// How long after the request the head of the answer must be complete.
pub const FIRST_BYTE_TIME: Duration = Duration::from_secs(30);
/// How long the whole of it may take.
pub const WHOLE_TIME: Duration = Duration::from_secs(300);
/// A body must bring [`STALL_BYTES`] in every such span, or it is cut.
pub const STALL_TIME: Duration = Duration::from_secs(30);
/// See [`STALL_TIME`]: 273 bytes a second. A modem of 1995 brought ten times as much; who drips less holds a place that
/// somebody else could use.
pub const STALL_BYTES: usize = 8 << 10;
/// How long one address is tried alone, before the next is tried beside it (RFC 8305 §5).
pub const ATTEMPT_DELAY: Duration = Duration::from_millis(250);
/// How many addresses of one name are tried.
pub const ADDRESSES: usize = 8;

/// The longest head of an answer, in bytes; what `archive` reads.
pub const HEAD_BYTES: usize = 1 << 16;
/// The most header lines of an answer; what `archive` reads.
pub const HEADER_COUNT: usize = 512;
/// The most interim answers (1xx) before the final one.
pub const INTERIM_ANSWERS: usize = 8;
/// The most bytes of one body, as it is sent.
pub const BODY_BYTES: usize = 10 << 20;

/// The most idle connections to one origin.
pub const IDLE_PER_ORIGIN: usize = 2;
/// The most idle connections.
pub const IDLE: usize = 512;
/// How long a connection may be idle. Most servers close after 5 to 75 seconds.
pub const IDLE_TIME: Duration = Duration::from_secs(60);

/// Everything that can be chosen about a [`Client`](super::Client).
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// Name the project and a contact: owners of sites want to know who calls.
    pub user_agent: String,
    /// Headers that are sent with every request, as name and value.
    pub headers: Vec<(String, Secret)>,
    /// What is shown to whom, by origin (`https://example.com`); sent nowhere else.
    pub credentials: BTreeMap<String, Credentials>,
    /// `http://[user:password@]host:port`. Behind a proxy the addresses of names cannot be checked, as the proxy
    /// resolves them; addresses that stand in URLs still are. The proxy's own address is not: the operator chose it.
    pub proxy: Option<Secret>,
    /// Which addresses may be asked.
    pub guard: Guard,
    /// Who knows the addresses of names; the machine's name servers if `None`.
    pub resolver: Option<Arc<dyn Resolve>>,
    /// How the machine's name servers are asked.
    pub dns: DnsSettings,
    /// Certificates of issuers that are trusted beside the public ones, in PEM or DER. There is no way to trust all.
    pub extra_roots: Vec<Vec<u8>>,
    /// Which version of HTTP is spoken.
    pub versions: Versions,
    /// Whether cookies are taken and sent (RFC 6265); they are forgotten with the client. A header `Cookie` of the settings is
    /// sent in their place.
    pub cookies: bool,
    /// How long we wait.
    pub times: Times,
    /// How much we take.
    pub caps: ClientCaps,
    /// How many connections we keep.
    pub idle: IdleCaps,
    /// From one request to an address to the next, whatever the host; none by default.
    pub address_delay: Duration,
}

/// Which version of HTTP is spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Versions {
    /// HTTP/2 where a server offers it under TLS, else HTTP/1.1.
    #[default]
    Newest,
    /// HTTP/1.1 only.
    Http1,
}

/// How long each step may take; the defaults are the constants of the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// [`DNS_TIME`]
    pub dns: Duration,
    /// [`CONNECT_TIME`]
    pub connect: Duration,
    /// [`TLS_TIME`]
    pub tls: Duration,
    /// [`FIRST_BYTE_TIME`]
    pub first_byte: Duration,
    /// [`WHOLE_TIME`]
    pub whole: Duration,
    /// [`STALL_TIME`]
    pub stall: Duration,
    /// [`STALL_BYTES`]
    pub stall_bytes: usize,
    /// [`ATTEMPT_DELAY`]
    pub attempt_delay: Duration,
}

/// How much of a head is taken; the defaults are the constants of the same name. Bodies: [`Ask::max_body`](super::Ask).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientCaps {
    /// [`HEAD_BYTES`]
    pub head_bytes: usize,
    /// [`HEADER_COUNT`]
    pub header_count: usize,
    /// [`INTERIM_ANSWERS`]
    pub interim_answers: usize,
}

/// How many connections are kept open; the defaults are the constants of the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleCaps {
    /// [`IDLE_PER_ORIGIN`]
    pub per_origin: usize,
    /// [`IDLE`]
    pub overall: usize,
    /// [`IDLE_TIME`]
    pub time: Duration,
}

impl ClientSettings {
    /// The defaults, under this name.
    #[must_use]
    pub fn new(user_agent: &str) -> Self {
        Self {
            user_agent: user_agent.to_owned(),
            headers: Vec::new(),
            credentials: BTreeMap::new(),
            proxy: None,
            guard: Guard::default(),
            resolver: None,
            dns: DnsSettings::default(),
            extra_roots: Vec::new(),
            versions: Versions::default(),
            cookies: false,
            times: Times::default(),
            caps: ClientCaps::default(),
            idle: IdleCaps::default(),
            address_delay: Duration::ZERO,
        }
    }
}

impl Default for Times {
    fn default() -> Self {
        Self {
            dns: DNS_TIME,
            connect: CONNECT_TIME,
            tls: TLS_TIME,
            first_byte: FIRST_BYTE_TIME,
            whole: WHOLE_TIME,
            stall: STALL_TIME,
            stall_bytes: STALL_BYTES,
            attempt_delay: ATTEMPT_DELAY,
        }
    }
}

impl Default for ClientCaps {
    fn default() -> Self {
        Self { head_bytes: HEAD_BYTES, header_count: HEADER_COUNT, interim_answers: INTERIM_ANSWERS }
    }
}

impl Default for IdleCaps {
    fn default() -> Self {
        Self { per_origin: IDLE_PER_ORIGIN, overall: IDLE, time: IDLE_TIME }
    }
}
