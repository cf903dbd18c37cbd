//! What a session promises.
#![expect(clippy::unwrap_used, reason = "a test that fails here fails")]

mod crashes;
mod revisits;
mod service;
mod swaps;
mod world;
