//! What did the server say?
//!
//! Asking:
//! - [`client`] asks a server for a URL and gives back what it said, byte for byte, or why it said nothing. [`dns`] knows
//!   where it is, and [`address`] whether we may go there.
//! - [`robots`] reads robots.txt and decides; [`robots_tag`] reads what a page asks of those who fetched it.
//!
//! Where an answer leads:
//! - [`sitemap`] reads the URLs that somebody knows already, from a sitemap or a plain list, and writes sitemaps.
//! - [`feed`] reads what is new on a site: RSS, Atom, JSON Feed.
//! - [`link_header`] reads where an answer leads by its head.
//!
//! All of it in a row:
//! - [`outcome`]: what asking for a URL came to, and what is done about it; [`polite`]: how fast a site may be asked.
//! - [`crawl`]: a real crawl, by the engine of every crawl.
//!
//! Invariants: every byte from outside meets a named cap; a bad line or a damaged file costs one entry of a tally, never
//! the run; what servers do wrong is a value, not an error; nothing but [`client`] and
//! [`dns`] asks the network.

pub mod address;
pub mod client;
pub mod crawl;
pub mod dns;
mod error;
pub mod feed;
pub mod link_header;
pub mod outcome;
pub mod polite;
mod recent;
pub mod robots;
pub mod robots_tag;
pub mod sitemap;

pub use error::Error;
pub use feed::{FeedCaps, FeedEntry, FeedRead, looks_like_feed, read_feed};
pub use link_header::{HeaderLink, links_of};
pub use robots::{Access, RobotsFile, RobotsRules, Verdict};
pub use robots_tag::RobotsTag;
pub use sitemap::{KnownUrl, KnownUrls, SitemapRead, each_known_url, read_known_urls, read_sitemap, write_sitemap};
