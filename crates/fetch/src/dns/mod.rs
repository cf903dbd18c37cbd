//! Which addresses has this name?
//!
//! [`Resolve`] is asked once for a connection, and what it answers is what the guard checks and what is connected to.
//! [`SystemResolver`] asks the name servers of the machine; [`FixedResolver`] is a table, for tests and for an operator
//! who wants a name to be somewhere else.

mod fixed;
mod order;
mod system;

use std::fmt;
use std::net::IpAddr;
use std::pin::Pin;

pub use fixed::FixedResolver;
pub(crate) use order::interleave;
pub use system::{
    CACHE_NAMES, DnsSettings, NEGATIVE_TTL_CEILING, NEGATIVE_TTL_FLOOR, SystemResolver, TTL_CEILING, TTL_FLOOR,
};

/// Why a name has no addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DnsFault {
    /// There is no such name, or it has no address.
    NotFound,
    /// The name servers did not answer in time.
    Timeout,
    /// They answered that they cannot tell, or could not be asked.
    Failed,
}

impl DnsFault {
    /// A short name for ledgers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFound => "dns-not-found",
            Self::Timeout => "dns-timeout",
            Self::Failed => "dns-failed",
        }
    }
}

impl fmt::Display for DnsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFound => "the name does not exist, or has no address",
            Self::Timeout => "the name servers did not answer in time",
            Self::Failed => "the name servers could not tell the address",
        })
    }
}

/// The addresses of a name, when they are known.
pub type Resolving<'a> = Pin<Box<dyn Future<Output = Result<Vec<IpAddr>, DnsFault>> + Send + 'a>>;

/// Something that knows the addresses of names.
pub trait Resolve: fmt::Debug + Send + Sync {
    /// The addresses of `host`, a name as a canonical URL has it; never empty. The order does not matter.
    fn resolve<'a>(&'a self, host: &'a str) -> Resolving<'a>;
}
