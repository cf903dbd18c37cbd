//! What does a site ask of crawlers? robots.txt by RFC 9309, with Google's reading of what the RFC leaves open.
//!
//! ```text
//! answer ─► Access::of ─► RobotsFile::parse ─► rules_for(us) ─► Rules ─► verdict(path)
//!                              line, pattern        (kept for each origin)
//! ```
//!
//! ```
//! use trodden_fetch::robots::{RobotsFile, Verdict};
//!
//! let file = RobotsFile::parse(b"User-agent: *\nDisallow: /private/\nAllow: /private/*.html$\n");
//! let rules = file.rules_for("trodden");
//! assert_eq!(rules.verdict("/private/a.pdf"), Verdict::Disallowed);
//! assert_eq!(rules.verdict("/private/a.html"), Verdict::Allowed);
//! ```
//!
//! Nothing here touches the network or a clock. The file is a stranger's: reading it never fails, every length has a
//! cap, and no pattern makes matching slow ([`Pattern`]). How paths are compared is told in `octets`.

mod access;
mod caps;
mod file;
mod line;
mod octets;
mod pattern;
mod rules;

pub use access::{Access, Closed, RobotsAnswer};
pub use caps::{
    CRAWL_DELAY, LINE_BYTES, PATTERN_BYTES, ROBOTS_BYTES, ROBOTS_LIFE, RULES, SITEMAP_BYTES, SITEMAPS, STALE_LIFE,
};
pub use file::{RobotsFile, is_product_token};
pub use pattern::Pattern;
pub use rules::{Decision, Reason, RobotsRules, Rule, Verdict};

#[cfg(test)]
mod tests;
