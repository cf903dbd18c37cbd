//! What `trodden ingest` and `trodden urls` promise, tested from outside: the binary is run, nothing else is called.
//!
//! One crate, so that it links once; a theme a file. Tests are named by what they promise and where the promise comes
//! from: `ours_…` for this project's own rules, `kdd02_…` for collaborative crawling (groups), `cikm11_…` for browsing
//! behavior (de-duplication), `rfc…` for standards.
//!
//! | file | question |
//! |---|---|
//! | `golden` | what is the ledger of a log in each format? |
//! | `packed` | does packing, naming or cutting a log change anything? |
//! | `bad_lines`, `bad_files` | what do damaged inputs cost? |
//! | `same` | does the order of lines, the cut into files, threads or memory change anything? |
//! | `cleaning`, `groups`, `behavior` | does each rule drop what it should, and only that? |
//! | `corners` | what lies between the usual kinds of input? |
//! | `reviewed` | does what was mended stay mended? |
//! | `sites` | whose are the lines? |
//! | `memory` | is `--memory` held? |
//! | `stopped` | is one signal enough for a run that waits for a pipe? |
//! | `full_disk` | what is said where there is no space? |
//! | `again` | what of the same log a second time, two at once, or one that was killed? |
//! | `dedup`, `duckdb` | what is counted once, and does another program count the same? |
//! | `privacy` | does anything about people leave the visits? |
//! | `outputs` | is anything that is read, or is something else, ever written over? |
//! | `kinds` | what is said of a file that is not what was wanted? |
//! | `of_models` | what is said of a model? |
//! | `quality` | how good are the patterns of a model on a later log? |
//! | `simulate` | which order is better, and does the demo show it? |
//! | `exports` | do page-view exports stand in for logs? |
//! | `temporal` | what is read while it is new? |
//! | `words` | help, mistakes, settings |
//! | `real` | do real logs give pages that a person would call pages? |
//!
//! `run`, `lines`, `generate` and `rows` are the tools: running the binary, writing logs, reading visits.

#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

mod again;
mod bad_files;
mod bad_lines;
mod behavior;
mod cleaning;
mod corners;
mod dedup;
mod duckdb;
mod exports;
mod full_disk;
mod generate;
mod golden;
mod groups;
mod kinds;
mod lines;
mod memory;
mod mining;
mod of_models;
mod outputs;
mod packed;
mod privacy;
mod quality;
mod real;
mod reviewed;
mod rows;
mod run;
mod same;
mod simulate;
mod sites;
mod stopped;
mod temporal;
mod words;
