//! A network as an operator writes it: `10.0.0.0/8`, or an address alone.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use crate::Error;

/// A network. An address alone is a network of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network(IpNet);

impl Network {
    /// For a [`Guard`](super::Guard).
    #[must_use]
    pub fn get(self) -> IpNet {
        self.0
    }
}

impl FromStr for Network {
    type Err = Error;

    fn from_str(typed: &str) -> Result<Self, Error> {
        let text = typed.trim();
        let net = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        net.map(Self).map_err(|_| Error::BadNetwork { typed: typed.to_owned() })
    }
}

impl TryFrom<String> for Network {
    type Error = Error;

    fn try_from(typed: String) -> Result<Self, Error> {
        typed.parse()
    }
}

impl From<Network> for String {
    fn from(network: Network) -> Self {
        network.to_string()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_network_is_typed_with_its_length_or_as_an_address() {
        for (typed, network) in
            [("10.0.0.0/8", "10.0.0.0/8"), (" 127.0.0.2 ", "127.0.0.2/32"), ("fd00::1", "fd00::1/128")]
        {
            assert_eq!(typed.parse::<Network>().unwrap().to_string(), network);
        }
        for typed in ["", "10.0.0", "10.0.0.0/33", "intranet", "10.0.0.1-10.0.0.9"] {
            let told = typed.parse::<Network>().unwrap_err().to_string();
            assert!(told.contains("is no network; write it as 10.0.0.0/8"), "{told}");
        }
    }
}
