//! Exact crawl orders on tiny sites, for every policy, with the breadth-first list beside them.

#![expect(clippy::unwrap_used, reason = "a test that fails here fails")]

mod mined;
mod orders;
mod removing;
mod revisiting;
mod saving;
mod swapping;
mod topical;
mod world;
mod www98;
