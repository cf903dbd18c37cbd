//! How do we get there? Name, addresses, guard, connection, proxy, TLS: each step takes only what the last one gave.
//!
//! ```text
//! name ─► resolve (once) ─► addresses ─► guard ─► CheckedAddress ─► dial ─► TCP ─► (tunnel) ─► (TLS) ─► OpenLine
//! ```

use std::net::{IpAddr, SocketAddr};

use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use url::Host;

use super::dial::dial;
use super::h1::H1;
use super::h2::H2;
use super::pool::OpenLine;
use super::settings::ADDRESSES;
use super::stream::Stream;
use super::target::Target;
use super::{ClientCore, ConnectFault, FetchFault, Late, ProxyFault, Took, tls};
use crate::address::{CheckedAddress, Refused};
use crate::dns::{DnsFault, interleave};

impl ClientCore {
    /// Opens a connection to whom a URL asks. Says in `address` who that is as soon as it is known.
    pub(super) async fn open(
        &self,
        target: &Target,
        whole: Instant,
        took: &mut Took,
        address: &mut Option<IpAddr>,
    ) -> Result<OpenLine, FetchFault> {
        let begun = Instant::now();
        let addresses = match &self.proxy {
            Some(proxy) => {
                let addresses = match &proxy.host {
                    Host::Domain(name) => self.resolved(name, whole).await.map_err(proxy_fault)?,
                    Host::Ipv4(address) => vec![IpAddr::V4(*address)],
                    Host::Ipv6(address) => vec![IpAddr::V6(*address)],
                };
                let at = |address| CheckedAddress::chosen_by_operator(SocketAddr::new(address, proxy.port));
                addresses.into_iter().map(at).collect()
            }
            None => self.admitted(target, whole).await?,
        };
        let resolved = Instant::now();
        if self.proxy.is_some() || target.literal.is_none() {
            took.dns = Some(resolved - begun);
        }
        // Many names may have this address. Which of several answers is not known yet; the first is tried first.
        if let Some(first) = addresses.first() {
            took.turn += self.turn(first.get().ip()).await;
        }
        let (begun, whole) = (Instant::now(), whole + took.turn);
        let kept = match self.dialed(&addresses, whole, address).await {
            Ok((stream, ip)) => self.secured(target, stream, whole, ip).await,
            Err(fault) => Err(fault),
        };
        took.connect = Some(begun.elapsed());
        kept
    }

    /// The addresses of a URL's host that may be asked.
    async fn admitted(&self, target: &Target, whole: Instant) -> Result<Vec<CheckedAddress>, FetchFault> {
        let addresses = match target.literal {
            Some(address) => vec![address],
            None => self.resolved(&target.key.host, whole).await?,
        };
        let mut refused: Option<Refused> = None;
        let mut admitted = Vec::with_capacity(addresses.len());
        for address in addresses {
            match self.settings.guard.admit(SocketAddr::new(address, target.key.port)) {
                Ok(checked) => admitted.push(checked),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        match refused {
            Some(refused) if admitted.is_empty() => Err(FetchFault::AddressRefused(refused)),
            _ => Ok(admitted),
        }
    }

    async fn resolved(&self, name: &str, whole: Instant) -> Result<Vec<IpAddr>, FetchFault> {
        let until = (Instant::now() + self.settings.times.dns).min(whole);
        let found = timeout_at(until, self.resolver.resolve(name)).await;
        let found = found.unwrap_or(Err(DnsFault::Timeout)).map_err(FetchFault::Dns)?;
        if found.is_empty() {
            return Err(FetchFault::Dns(DnsFault::NotFound));
        }
        Ok(interleave(&found, ADDRESSES))
    }

    async fn dialed(
        &self,
        addresses: &[CheckedAddress],
        whole: Instant,
        address: &mut Option<IpAddr>,
    ) -> Result<(TcpStream, IpAddr), FetchFault> {
        // Whom we tried, should nobody answer.
        *address = addresses.first().map(|checked| checked.get().ip());
        let times = &self.settings.times;
        let until = (Instant::now() + times.connect).min(whole);
        let (stream, ip) = match dial(addresses, times.attempt_delay, until).await {
            Ok(connected) => connected,
            Err(_) if self.proxy.is_some() => return Err(FetchFault::Proxy(ProxyFault::Unreachable)),
            Err(ConnectFault::Timeout) if until == whole => return Err(FetchFault::TimeOut(Late::Whole)),
            Err(fault) => return Err(FetchFault::Connect(fault)),
        };
        *address = Some(ip);
        Ok((stream, ip))
    }

    /// Tunnel, TLS and the version of HTTP.
    async fn secured(
        &self,
        target: &Target,
        mut stream: TcpStream,
        whole: Instant,
        address: IpAddr,
    ) -> Result<OpenLine, FetchFault> {
        let (times, caps) = (&self.settings.times, &self.settings.caps);
        if !target.key.is_https {
            return Ok(OpenLine::H1(Box::new(
                H1::open(Stream::Plain(stream), address, None, caps, &self.loop_watch).await?,
            )));
        }
        if let Some(proxy) = &self.proxy {
            let until = (Instant::now() + times.first_byte).min(whole);
            let tunnel = timeout_at(until, proxy.tunnel(&mut stream, &target.host_and_port())).await;
            tunnel.map_err(|_| FetchFault::TimeOut(Late::Proxy))?.map_err(FetchFault::Proxy)?;
        }
        let until = (Instant::now() + times.tls).min(whole);
        let secured = timeout_at(until, tls::secure(&self.connector, &target.key.host, stream)).await;
        let stream = secured.map_err(|_| FetchFault::TimeOut(Late::Tls))?.map_err(FetchFault::Tls)?;
        let (version, is_h2) = (tls::version(&stream), tls::is_h2(&stream));
        let stream = Stream::Tls(Box::new(stream));
        if is_h2 {
            let opened = timeout_at(until, H2::open(stream, address, version, caps, &self.loop_watch)).await;
            return Ok(OpenLine::H2(opened.map_err(|_| FetchFault::TimeOut(Late::Tls))??));
        }
        Ok(OpenLine::H1(Box::new(H1::open(stream, address, Some(version), caps, &self.loop_watch).await?)))
    }
}

fn proxy_fault(_: FetchFault) -> FetchFault {
    FetchFault::Proxy(ProxyFault::Unreachable)
}
