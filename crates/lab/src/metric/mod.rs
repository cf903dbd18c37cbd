//! How good was the order of a crawl? Measures of a crawl that is over, one a file.
//!
//! A crawl is given by plain rows: the pages in the order in which they were fetched (each once, reachable ones only),
//! which pages can be reached at all, and by page how many pages had been fetched when its URL was first seen.
//! T is the number of reachable pages, K of pages fetched so far, the same for every policy.
//!
//! - by traffic: [`traffic`], with intervals over users: [`bootstrap`]
//! - by whether as much was read as was foretold: [`calibration`]
//! - by how soon the pages of a topic were found: [`harvest`]
//! - by importance, the three models of the URL-ordering paper: [`crawl_and_stop`], [`with_threshold`],
//!   [`limited_buffer`]
//!
//! [`coverage`] turns what was covered after K pages into an area, pages needed, and a [`thin`]ned curve.

pub mod bootstrap;
pub mod calibration;
pub mod coverage;
pub mod crawl_and_stop;
pub mod harvest;
pub mod hot;
pub mod limited_buffer;
pub mod thin;
pub mod traffic;
pub mod with_threshold;

pub use limited_buffer::BufferEvent;
