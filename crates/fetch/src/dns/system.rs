//! What do the machine's name servers say?
//!
//! `resolv.conf` and the hosts file are read once; the settings may name other servers. Answers are kept as long as they say, but not shorter than a floor,
//! since a crawler asks the same names again and again, and not longer than a ceiling; so are answers that there is no
//! such name. How many are kept is bounded.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;

use super::{DnsFault, Resolve, Resolving};
use crate::Error;

/// How long an answer is kept at least.
pub const TTL_FLOOR: Duration = Duration::from_secs(60);
/// How long an answer is kept at most.
pub const TTL_CEILING: Duration = Duration::from_secs(24 * 3600);
/// How long "no such name" is kept at least.
pub const NEGATIVE_TTL_FLOOR: Duration = Duration::from_secs(60);
/// How long "no such name" is kept at most.
pub const NEGATIVE_TTL_CEILING: Duration = Duration::from_secs(3600);
/// How many answers are kept.
pub const CACHE_NAMES: u64 = 1 << 14;

const QUESTION_TIME: Duration = Duration::from_secs(5);
const ATTEMPTS: usize = 2;

/// How the name servers are asked; each default is a constant of this crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DnsSettings {
    /// The name servers that are asked; those of the machine if there are none here.
    pub servers: Vec<SocketAddr>,
    /// [`TTL_FLOOR`]
    pub ttl_floor: Duration,
    /// [`TTL_CEILING`]
    pub ttl_ceiling: Duration,
    /// [`NEGATIVE_TTL_FLOOR`]
    pub negative_ttl_floor: Duration,
    /// [`NEGATIVE_TTL_CEILING`]
    pub negative_ttl_ceiling: Duration,
    /// [`CACHE_NAMES`]
    pub cache_names: u64,
    /// How long one question to one server may take.
    pub question_time: Duration,
}

impl Default for DnsSettings {
    fn default() -> Self {
        Self {
            servers: Vec::new(),
            ttl_floor: TTL_FLOOR,
            ttl_ceiling: TTL_CEILING,
            negative_ttl_floor: NEGATIVE_TTL_FLOOR,
            negative_ttl_ceiling: NEGATIVE_TTL_CEILING,
            cache_names: CACHE_NAMES,
            question_time: QUESTION_TIME,
        }
    }
}

/// The name servers of this machine, and its hosts file.
pub struct SystemResolver {
    inner: TokioResolver,
}

impl SystemResolver {
    /// Reads how this machine asks for names.
    ///
    /// # Errors
    /// [`Error::NoResolver`] if that cannot be read.
    pub fn new(settings: &DnsSettings) -> Result<Self, Error> {
        let no_resolver = |fault: NetError| Error::NoResolver { reason: fault.to_string() };
        let mut builder = if settings.servers.is_empty() {
            TokioResolver::builder_tokio().map_err(no_resolver)?
        } else {
            let servers = settings.servers.iter().map(|server| name_server(*server)).collect();
            let config = ResolverConfig::from_parts(None, Vec::new(), servers);
            TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
        };
        let options = builder.options_mut();
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        options.use_hosts_file = ResolveHosts::Always;
        options.timeout = settings.question_time;
        options.attempts = ATTEMPTS;
        options.cache_size = settings.cache_names;
        options.positive_min_ttl = Some(settings.ttl_floor);
        options.positive_max_ttl = Some(settings.ttl_ceiling.max(settings.ttl_floor));
        options.negative_min_ttl = Some(settings.negative_ttl_floor);
        options.negative_max_ttl = Some(settings.negative_ttl_ceiling.max(settings.negative_ttl_floor));
        Ok(Self { inner: builder.build().map_err(no_resolver)? })
    }
}

impl fmt::Debug for SystemResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SystemResolver")
    }
}

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> Resolving<'a> {
        Box::pin(async move {
            let found = self.inner.lookup_ip(absolute(host)).await.map_err(|fault| fault_of(&fault))?;
            let addresses: Vec<_> = found.iter().collect();
            if addresses.is_empty() { Err(DnsFault::NotFound) } else { Ok(addresses) }
        })
    }
}

fn name_server(at: SocketAddr) -> NameServerConfig {
    let mut server = NameServerConfig::udp_and_tcp(at.ip());
    for connection in &mut server.connections {
        connection.port = at.port();
    }
    server
}

/// A name with a dot is a whole name: the machine's search list must not turn a stranger's `evil.example` into
/// `evil.example.corp.internal`. A name without one (`wiki`) is what that list is for.
fn absolute(host: &str) -> String {
    if host.contains('.') && !host.ends_with('.') { format!("{host}.") } else { host.to_owned() }
}

fn fault_of(fault: &NetError) -> DnsFault {
    match fault {
        NetError::Timeout => DnsFault::Timeout,
        NetError::Dns(DnsError::NoRecordsFound(none))
            if matches!(none.response_code, ResponseCode::NXDomain | ResponseCode::NoError) =>
        {
            DnsFault::NotFound
        }
        // A name that DNS cannot spell has no address.
        NetError::Proto(_) => DnsFault::NotFound,
        _ => DnsFault::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_name_with_a_dot_is_not_completed() {
        assert_eq!(absolute("a.example"), "a.example.");
        assert_eq!(absolute("a.example."), "a.example.");
        assert_eq!(absolute("wiki"), "wiki");
    }

    #[test]
    fn ours_faults_of_dns_are_three() {
        assert_eq!(fault_of(&NetError::Timeout), DnsFault::Timeout);
        assert_eq!(fault_of(&NetError::Busy), DnsFault::Failed);
    }
}
