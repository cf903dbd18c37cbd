//! What did the server say?
//!
//! Who may be asked, and for what:
//! - [`robots`] reads robots.txt and decides; [`robots_tag`] reads what a page asks of those who fetched it.
//!
//! Where an answer leads:
//! - [`sitemap`] reads the URLs that somebody knows already, from a sitemap or a plain list, and writes sitemaps.
//! - [`feed`] reads what is new on a site: RSS, Atom, JSON Feed.
//! - [`link_header`] reads where an answer leads by its head.
//!
//! Invariants: every byte from outside meets a named cap; a bad line or a damaged file costs one entry of a tally, never
//! the run.

pub mod address;
pub mod dns;
mod error;
pub mod feed;
pub mod link_header;
pub mod robots;
pub mod robots_tag;
pub mod sitemap;

pub use error::Error;
pub use feed::{FeedCaps, FeedEntry, FeedRead, looks_like_feed, read_feed};
pub use link_header::{HeaderLink, links_of};
pub use robots::{Access, RobotsFile, Rules, Verdict};
pub use robots_tag::RobotsTag;
pub use sitemap::{KnownUrl, KnownUrls, SitemapRead, each_known_url, read_known_urls, read_sitemap, write_sitemap};
