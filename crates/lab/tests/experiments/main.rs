//! Promises of experiments: the wall between past and future, crawls that fetch everything once, virtual time, and ranks
//! that another program agrees with.

#![allow(clippy::unwrap_used)]

mod blended;
mod clock;
mod crawls;
mod past;
mod ranks;
mod wall;
mod written;

use tempfile::TempDir;
use trodden_lab::{Mirror, MirrorOptions, open_mirror};

/// The mirror of an edge list.
fn mirror_of(edges: &str) -> Mirror {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("links.tsv");
    std::fs::write(&path, edges).unwrap();
    open_mirror(&[path.display().to_string()], None, &MirrorOptions::default()).unwrap()
}
