//! What did the server say? So far: which URLs does a site itself name, and which may we fetch.
//!
//! [`robots`] reads robots.txt and decides, [`robots_tag`] reads what a page asks of those who fetched it. [`sitemap`] reads the URLs that somebody knows already, from a sitemap or a plain list, and writes sitemaps.
//!
//! Invariants: every byte from outside meets a named cap; a bad line or a damaged file costs one entry of a tally, never
//! the run; nothing is asked of the network.

mod error;
pub mod robots;
pub mod robots_tag;
pub mod sitemap;

pub use error::Error;
pub use robots::{Access, RobotsFile, Rules, Verdict};
pub use robots_tag::RobotsTag;
pub use sitemap::{KnownUrl, KnownUrls, each_known_url, read_known_urls, write_sitemap};
