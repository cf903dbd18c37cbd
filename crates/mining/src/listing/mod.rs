//! What does a model have, as a list: patterns by rank, and the URLs to fetch first?

mod patterns;
mod urls;

pub use patterns::{PatternListing, RankedPattern, ThreeTrees};
pub use urls::{BestUrls, RankedUrl, listed_urls};
