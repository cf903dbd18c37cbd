//! What do the papers' experiments give on real data? `docs/experiments.md`, made by one command.
//!
//! Each chapter runs `trodden simulate` (results below the target folder), reads `result.json`, and writes its text,
//! tables and pictures; `--only CHAPTER` runs one and prints it. Every number in the text comes from a run, and so does every "agrees" ([`claim`]). The same
//! data and program give the same bytes: no clock, no path of this machine.

mod as_printed;
mod browsing;
mod chapter;
mod claim;
mod collaborative;
mod expected;
mod family;
mod front;
mod hidden;
mod laboratory;
mod link_order;
mod mdn;
mod number;
mod outcome;
mod own_logs;
mod picture;
mod proxy;
mod single_host;
mod synthetic;
mod topic;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use chapter::Chapter;
use laboratory::{Laboratory, Reuse};

/// Arguments of `experiments`.
#[derive(clap::Args)]
pub(crate) struct ExperimentsArguments {
    /// Folder of the data [default: $TRODDEN_DATA, else ../shared/data].
    #[arg(long)]
    data: Option<PathBuf>,
    /// The program to use [default: built by cargo in the dist profile].
    #[arg(long)]
    program: Option<PathBuf>,
    /// Write nothing; exit with 1 if what is committed differs.
    #[arg(long)]
    check: bool,
    /// Take the results of an earlier run where there are some: for work on the text.
    #[arg(long)]
    reuse: bool,
    /// Run one chapter, as often as you like, print it and write nothing; the program is built in the release profile.
    #[arg(long, value_name = "CHAPTER", conflicts_with = "check", value_parser = CHAPTERS.map(|(name, _)| name))]
    only: Vec<String>,
    /// Take so many draws of each family at most: to try a chapter.
    #[arg(long, value_name = "N", requires = "only")]
    draws: Option<u64>,
}

/// Makes a chapter.
type Make = fn(&Laboratory) -> Result<Chapter>;

/// The chapters, in the order of the document.
const CHAPTERS: [(&str, Make); 12] = [
    ("link-order", link_order::chapter),
    ("single-host", single_host::chapter),
    ("topic", topic::chapter),
    ("collaborative", collaborative::chapter),
    ("browsing", browsing::chapter),
    ("hidden", hidden::chapter),
    ("mdn", mdn::chapter),
    ("own-logs", own_logs::chapter),
    ("proxy", proxy::chapter),
    ("as-printed", as_printed::chapter),
    ("synthetic", synthetic::chapter),
    // Takes up results of the chapters before it.
    ("expected", expected::chapter),
];

/// The document, below the root.
const DOCUMENT: &str = "docs/experiments.md";
/// Its pictures, below the root.
const PICTURES: &str = "docs/experiments";

/// Makes the document again; false when `--check` finds a difference.
pub(crate) fn run(arguments: &ExperimentsArguments) -> Result<bool> {
    let data = match &arguments.data {
        Some(data) => data.clone(),
        None => crate::repo::data_folder()?,
    };
    check_data(&data)?;
    let program = match &arguments.program {
        Some(program) => program.canonicalize().with_context(|| format!("no program at {}", program.display()))?,
        None => crate::repo::build_trodden_in(if arguments.only.is_empty() { "dist" } else { "release" })?,
    };
    let reuse = if arguments.reuse { Reuse::Earlier } else { Reuse::Nothing };
    let laboratory =
        Laboratory::new(program, data, crate::repo::target_dir()?.join("experiments"), reuse, arguments.draws)?;
    if !arguments.only.is_empty() {
        for (_, make) in CHAPTERS.iter().filter(|(name, _)| arguments.only.iter().any(|only| only == name)) {
            println!("{}", make(&laboratory)?.text);
        }
        return Ok(true);
    }
    let files = document(&laboratory)?;
    let root = crate::repo::root()?;
    if arguments.check { compare(&root, &files) } else { write(&root, &files) }
}

/// The files that the experiments need, below the data folder.
const NEEDED: [&str; 16] = [
    "graphs/stanford-cs-2001.edges.tsv.gz",
    "graphs/stanford-cs-2001.urls.tsv.gz",
    "graphs/cnr-2000.edges.tsv.gz",
    "wikispeedia/links.tsv.gz",
    "wikispeedia/visits.tsv.gz",
    "wikispeedia/articles.warc.gz",
    "mdn/links.tsv.gz",
    "mdn/popularity.tsv.gz",
    "proxy/sciencedirect.log.gz",
    "proxy/springer.log.gz",
    "proxy/cairn.log.gz",
    "proxy/journals.tsv.gz",
    "wikispeedia/categories.tsv.gz",
    "logs/zanbil-2019.log.gz",
    "logs/airisdata-2016.log.gz",
    "logs/almhuette-2016.log.gz",
];

fn check_data(data: &Path) -> Result<()> {
    let missing: Vec<&str> = NEEDED.into_iter().filter(|name| !data.join(name).is_file()).collect();
    if !missing.is_empty() {
        bail!(
            "the data of the experiments is not at {}: {} missing; name its folder by --data DIR or TRODDEN_DATA",
            data.display(),
            missing.join(", ")
        );
    }
    Ok(())
}

/// Every file of the document by its path below the root.
fn document(laboratory: &Laboratory) -> Result<BTreeMap<String, String>> {
    let chapters = CHAPTERS.iter().map(|(_, make)| make(laboratory)).collect::<Result<Vec<Chapter>>>()?;
    let mut files = BTreeMap::new();
    let mut text = front::text(&chapters);
    for chapter in chapters {
        text.push_str(&chapter.text);
        for (name, svg) in chapter.pictures {
            files.insert(format!("{PICTURES}/{name}.svg"), svg);
        }
    }
    files.insert(DOCUMENT.to_owned(), text);
    Ok(files)
}

fn write(root: &Path, files: &BTreeMap<String, String>) -> Result<bool> {
    fs::create_dir_all(root.join(PICTURES))?;
    for (path, text) in files {
        fs::write(root.join(path), text).with_context(|| format!("could not write {path}"))?;
        eprintln!("written: {path}");
    }
    for stray in strays(root, files)? {
        fs::remove_file(root.join(&stray)).with_context(|| format!("could not remove {stray}"))?;
        eprintln!("removed: {stray}");
    }
    Ok(true)
}

/// Pictures that the document no longer has.
fn strays(root: &Path, files: &BTreeMap<String, String>) -> Result<Vec<String>> {
    let mut strays = Vec::new();
    let folder = root.join(PICTURES);
    if folder.is_dir() {
        for entry in fs::read_dir(&folder)? {
            let path = format!("{PICTURES}/{}", entry?.file_name().to_string_lossy());
            if !files.contains_key(&path) {
                strays.push(path);
            }
        }
    }
    strays.sort();
    Ok(strays)
}

fn compare(root: &Path, files: &BTreeMap<String, String>) -> Result<bool> {
    let mut same = true;
    for (path, text) in files {
        if fs::read_to_string(root.join(path)).ok().as_ref() != Some(text) {
            println!("{path}: differs; `cargo xtask experiments` writes it anew");
            same = false;
        }
    }
    for stray in strays(root, files)? {
        println!("{stray}: no longer made; `cargo xtask experiments` removes it");
        same = false;
    }
    Ok(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> BTreeMap<String, String> {
        BTreeMap::from([(DOCUMENT.to_owned(), text.to_owned()), (format!("{PICTURES}/a.svg"), "<svg/>".to_owned())])
    }

    #[test]
    fn ours_missing_data_is_said_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let error = check_data(folder.path()).unwrap_err().to_string();
        assert!(error.contains("visits.tsv.gz") && error.contains("TRODDEN_DATA"), "{error}");
    }

    #[test]
    fn ours_check_finds_a_changed_text_and_a_stray_picture() {
        let root = tempfile::tempdir().unwrap();
        assert!(write(root.path(), &files("one")).unwrap());
        assert!(compare(root.path(), &files("one")).unwrap());
        assert!(!compare(root.path(), &files("two")).unwrap());
        fs::write(root.path().join(PICTURES).join("old.svg"), "").unwrap();
        assert!(!compare(root.path(), &files("one")).unwrap());
        assert!(write(root.path(), &files("one")).unwrap());
        assert!(compare(root.path(), &files("one")).unwrap());
    }
}
