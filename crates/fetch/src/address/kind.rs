//! What kind of address is it? By IANA's registries of special-purpose addresses, IPv4 and IPv6.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A public address on which Azure's own services answer, to guests only: not for strangers' links.
const AZURE_HOST: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);

/// What an address is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressKind {
    /// The Internet.
    Public,
    /// `0.0.0.0/8` and `::`: this host, this network.
    Unspecified,
    /// `127.0.0.0/8` and `::1`.
    Loopback,
    /// RFC 1918: `10/8`, `172.16/12`, `192.168/16`.
    Private,
    /// RFC 6598: `100.64/10`, between a provider and its customers.
    Shared,
    /// `169.254/16` and `fe80::/10`: one cable; in clouds, keys.
    LinkLocal,
    /// `fc00::/7` and the older `fec0::/10`: private addresses of IPv6.
    UniqueLocal,
    /// `224/4` and `ff00::/8`.
    Multicast,
    /// `255.255.255.255`.
    Broadcast,
    /// `192.0.2/24`, `198.51.100/24`, `203.0.113/24`, `2001:db8::/32`, `3fff::/20`.
    Documentation,
    /// `198.18/15` and `2001:2::/48`.
    Benchmarking,
    /// `192.0.0/24`, `192.88.99/24` and the rest of `2001::/23`.
    Protocol,
    /// `240/4`, and what of IPv6 is not given out: all but `2000::/3`.
    Reserved,
    /// IPv4 written as IPv6: `::ffff:0:0/96`, and `::/96`.
    Mapped,
    /// The address of a cloud's host machine.
    Platform,
    /// In the operator's own list of networks that are not asked.
    Denied,
}

impl AddressKind {
    /// The kind of an address. One that carries an IPv4 address (6to4, Teredo, NAT64) is of the kind it carries.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }

    /// Whether [`Guard::allow_private`](super::Guard) lets it through.
    #[must_use]
    pub fn is_private(self) -> bool {
        matches!(self, Self::Loopback | Self::Private | Self::Shared | Self::UniqueLocal)
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Public => "a public address",
            Self::Unspecified => "no address of a host",
            Self::Loopback => "this machine",
            Self::Private => "in a private network",
            Self::Shared => "in a provider's network",
            Self::LinkLocal => "on the local link, where clouds keep their keys",
            Self::UniqueLocal => "in a private IPv6 network",
            Self::Multicast => "a multicast address",
            Self::Broadcast => "the broadcast address",
            Self::Documentation => "an address for examples",
            Self::Benchmarking => "an address for benchmarks",
            Self::Protocol => "an address that protocols use",
            Self::Reserved => "not given out to anybody",
            Self::Mapped => "an IPv4 address in disguise",
            Self::Platform => "a service of the cloud that we may run in",
            Self::Denied => "in a network that the settings forbid",
        }
    }
}

impl fmt::Display for AddressKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

fn of_v4(address: Ipv4Addr) -> AddressKind {
    use AddressKind as Kind;
    match address.octets() {
        [0, ..] => Kind::Unspecified,
        [127, ..] => Kind::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Kind::Private,
        [100, 64..=127, ..] => Kind::Shared,
        [169, 254, ..] => Kind::LinkLocal,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Kind::Documentation,
        [192, 0, 0, _] | [192, 88, 99, _] => Kind::Protocol,
        [198, 18..=19, ..] => Kind::Benchmarking,
        [224..=239, ..] => Kind::Multicast,
        [255, 255, 255, 255] => Kind::Broadcast,
        [240..=255, ..] => Kind::Reserved,
        _ if address == AZURE_HOST => Kind::Platform,
        _ => Kind::Public,
    }
}

fn of_v6(address: Ipv6Addr) -> AddressKind {
    use AddressKind as Kind;
    let carried = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Kind::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => Kind::Loopback,
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] => Kind::Mapped,
        // NAT64 of the whole Internet, 6to4; Teredo carries its server, and its client with every bit turned over.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => of_v4(carried(high, low)),
        [0x2002, high, low, ..] => of_v4(carried(high, low)),
        [0x2001, 0, high, low, _, _, client_high, client_low] => match of_v4(carried(high, low)) {
            Kind::Public => of_v4(carried(!client_high, !client_low)),
            server => server,
        },
        [0x2001, 2, 0, ..] => Kind::Benchmarking,
        [0x2001, 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => Kind::Documentation,
        [0x2001, 0..=0x01ff, ..] => Kind::Protocol,
        [0x2000..=0x3fff, ..] => Kind::Public,
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => Kind::UniqueLocal,
        [0xfe80..=0xfebf, ..] => Kind::LinkLocal,
        [0xff00..=0xffff, ..] => Kind::Multicast,
        _ => Kind::Reserved,
    }
}
