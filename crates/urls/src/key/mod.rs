//! Whose URL is it?
//!
//! Four types, because four parts of a crawl draw the border differently:
//!
//! | type | unit of | border |
//! |---|---|---|
//! | [`HostKey`] | identity of a host | host without `www.`, port if not the default; scheme ignored |
//! | [`SiteKey`] | mining | a host key after aliases, or its registrable domain |
//! | [`Origin`] | robots.txt | scheme, host and port, exactly (RFC 9309 §2.3) |
//! | [`PolitenessKey`] | politeness | what one machine or one owner serves: host, registrable domain or address |

mod alias;
mod host;
mod origin;
mod politeness;
mod site;

pub use alias::{AliasFault, Aliases};
pub use host::HostKey;
pub(crate) use host::is_address;
pub use origin::Origin;
pub use politeness::{PolitenessKey, PolitenessUnit};
pub use site::{SiteGrouping, SiteKey, SiteKeys};
