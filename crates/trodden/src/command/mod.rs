//! One file a command.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod crawl;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod ingest;
pub(crate) mod man;
pub(crate) mod mine;
pub(crate) mod patterns;
pub(crate) mod quality;
pub(crate) mod report;
pub(crate) mod score;
pub(crate) mod simulate;
pub(crate) mod temporal;
pub(crate) mod urls;
