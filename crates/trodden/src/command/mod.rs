//! One file a command.

pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod ingest;
pub(crate) mod man;
pub(crate) mod urls;
