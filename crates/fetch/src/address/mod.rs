//! May we connect to this address?
//!
//! A page can link to anything, and a name can resolve to anything: to the router, to the database beside us, to the
//! service that hands out a cloud machine's keys. So the [`Guard`] looks at the address that is about to be connected
//! to, never at the text of a URL, and gives out a [`CheckedAddress`] address; connecting takes nothing else. Between the check
//! and the connection nothing is resolved again, so a name that changes its mind gains nothing.
//!
//! Refused is what IANA's registries of special addresses say is not for the public Internet ([`AddressKind`]), also
//! where it hides in an IPv6 address that carries an IPv4 one. Odd spellings of an address (`2130706433`, `0177.0.0.1`,
//! `127.1`) are read by the URL standard before they come here.

mod kind;
mod network;
mod port;

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;

pub use kind::AddressKind;
pub use network::Network;
pub use port::{BAD_PORTS, is_bad_port};

/// What may be connected to. By default: public addresses only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// Whether the operator's own networks may be asked: loopback, private, shared and unique local addresses.
    ///
    /// Link-local ones stay refused even then, since clouds hand out keys there; name them in `allowed` if you must.
    pub allow_private: bool,
    /// Networks that may be asked whatever kind they are.
    pub allowed: Vec<IpNet>,
    /// Networks that may not be asked, whatever else is said.
    pub denied: Vec<IpNet>,
}

/// An address that may not be asked, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The address.
    pub address: IpAddr,
    /// What it is.
    pub kind: AddressKind,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.address, self.kind)
    }
}

/// An address that a [`Guard`] has let through. There is no other way to make one, so that no connection goes unchecked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedAddress(SocketAddr);

impl CheckedAddress {
    /// The proxy that the operator named: its address is a choice, not a finding.
    pub(crate) fn chosen_by_operator(address: SocketAddr) -> Self {
        Self(address)
    }

    /// Address and port.
    #[must_use]
    pub fn get(self) -> SocketAddr {
        self.0
    }
}

impl Guard {
    /// A guard for crawls of the operator's own network.
    #[must_use]
    pub fn with_private() -> Self {
        Self { allow_private: true, ..Self::default() }
    }

    /// Whether this address may be asked.
    ///
    /// # Errors
    /// [`Refused`] if not.
    pub fn check(&self, address: IpAddr) -> Result<(), Refused> {
        let holds = |nets: &[IpNet]| nets.iter().any(|net| net.contains(&address));
        if holds(&self.denied) {
            return Err(Refused { address, kind: AddressKind::Denied });
        }
        let kind = AddressKind::of(address);
        if kind == AddressKind::Public || holds(&self.allowed) || (self.allow_private && kind.is_private()) {
            return Ok(());
        }
        Err(Refused { address, kind })
    }

    /// The same, with a pass to connect.
    ///
    /// # Errors
    /// [`Refused`] if the address may not be asked.
    pub fn admit(&self, address: SocketAddr) -> Result<CheckedAddress, Refused> {
        self.check(address.ip()).map(|()| CheckedAddress(address))
    }
}

#[cfg(test)]
mod tests;
