//! The crawlers that are compared: each as a command that fetches a whole site from one URL.
//!
//! All follow links of `a` and `area` only, obey robots.txt, ask without delay, by up to eight requests at once (but for wget,
//! which knows only one) and keep nothing beyond what is said.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::bench::python;
use crate::repo;

/// Requests under way at once.
const AT_ONCE: &str = "8";
/// Tags that load something rather than lead somewhere.
const NOT_LINKS: &str = "--ignore-tags=img,link,script,style,input,td,table,body,object,embed,iframe,frame";
const SPIDER: &str = include_str!("peer/spider.rs");
const SPIDER_MANIFEST: &str = r#"[package]
name = "peer-spider"
version = "0.1.0"
edition = "2024"

[workspace]

[dependencies]
spider = { version = "2", default-features = false, features = ["sync"] }

[profile.release]
lto = "thin"
"#;
const SCRAPY: &str = include_str!("peer/scrapy_site.py");

/// A crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    /// Ours, without an archive.
    Trodden,
    /// Ours, without an archive, in the plainest order.
    TroddenBreadthFirst,
    /// Ours, to WARC.
    TroddenWarc,
    Wget2,
    WgetWarc,
    Spider,
    Scrapy,
}

/// A crawler that is ready to run.
pub(super) struct Ready {
    program: PathBuf,
    first: Vec<OsString>,
}

impl Peer {
    pub(super) const ALL: [Self; 7] = [
        Self::Trodden,
        Self::TroddenBreadthFirst,
        Self::TroddenWarc,
        Self::Wget2,
        Self::WgetWarc,
        Self::Spider,
        Self::Scrapy,
    ];

    /// Whether it is one of ours.
    pub(super) fn is_ours(self) -> bool {
        matches!(self, Self::Trodden | Self::TroddenBreadthFirst | Self::TroddenWarc)
    }

    /// How the report names it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Trodden => "trodden crawl --no-archive",
            Self::TroddenBreadthFirst => "trodden crawl --no-archive --policy breadth-first",
            Self::TroddenWarc => "trodden crawl, to WARC (gzip 1)",
            Self::Wget2 => "wget2 -r",
            Self::WgetWarc => "wget -r --warc-file (gzip 9)",
            Self::Spider => "spider",
            Self::Scrapy => "Scrapy",
        }
    }

    /// Installs or builds it.
    pub(super) fn prepare(self, folder: &Path, trodden: &Path) -> Result<Ready> {
        let ready = |program: &Path, first: &[&str]| Ready {
            program: program.to_owned(),
            first: first.iter().map(Into::into).collect(),
        };
        match self {
            Self::Trodden => Ok(ready(trodden, &["crawl", "--no-archive"])),
            Self::TroddenBreadthFirst => Ok(ready(trodden, &["crawl", "--no-archive", "--policy", "breadth-first"])),
            Self::TroddenWarc => Ok(ready(trodden, &["crawl", "--gzip", "1"])),
            Self::Wget2 => installed("wget2").map(|program| ready(program, &[])),
            Self::WgetWarc => installed("wget").map(|program| ready(program, &[])),
            Self::Spider => Ok(ready(&spider(folder)?, &[])),
            Self::Scrapy => {
                let programs = python::environment(&folder.join("scrapy"), &["scrapy"])?;
                let file = folder.join("scrapy_site.py");
                fs::write(&file, SCRAPY)?;
                Ok(ready(&programs.join("scrapy"), &["runspider", &file.to_string_lossy(), "-a"]))
            }
        }
    }
}

impl Ready {
    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// Its arguments, for a crawl from a URL in a folder of its own.
    pub(super) fn arguments(&self, peer: Peer, url: &str, folder: &Path) -> Vec<OsString> {
        let mut arguments = self.first.clone();
        let mut add = |more: &[&str]| arguments.extend(more.iter().map(Into::into));
        let at = folder.to_string_lossy();
        match peer {
            Peer::Trodden | Peer::TroddenBreadthFirst | Peer::TroddenWarc => {
                add(&["--allow-private", "--delay", "0s", "--address-delay", "0s", "--at-once-per-host", AT_ONCE]);
                add(&["-o", &at, url]);
            }
            Peer::Wget2 => {
                add(&["-q", "-r", "-l", "0", "-nH", "--delete-after", NOT_LINKS, "--max-threads", AT_ONCE]);
                add(&["-P", &at, url]);
            }
            Peer::WgetWarc => {
                add(&["-q", "-r", "-l", "inf", "-nH", "--delete-after", "--follow-tags=a,area"]);
                add(&["--warc-file", &format!("{at}/site"), "-P", &at, url]);
            }
            Peer::Spider => add(&[url]),
            Peer::Scrapy => add(&[&format!("start={url}")]),
        }
        arguments
    }
}

fn installed(program: &'static str) -> Result<&'static Path> {
    if !repo::on_path(program) {
        bail!("{program} is not installed: apt-get install -y {program}");
    }
    Ok(Path::new(program))
}

/// Builds a small program around the crate.
fn spider(folder: &Path) -> Result<PathBuf> {
    let folder = folder.join("spider");
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), SPIDER_MANIFEST)?;
    fs::write(folder.join("src/main.rs"), SPIDER)?;
    eprintln!("building the peer spider (release)");
    let status = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--target-dir", "target"])
        .current_dir(&folder)
        .status()
        .context("could not start cargo; is it on the PATH?")?;
    if !status.success() {
        bail!("spider does not build; is there a network?");
    }
    Ok(folder.join("target/release/peer-spider"))
}
