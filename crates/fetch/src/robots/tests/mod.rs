//! Promises about robots.txt: what RFC 9309 prescribes, how Google reads the rest, and what a hostile file costs.

mod answers;
mod cases;
mod limits;
mod properties;
