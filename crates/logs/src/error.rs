//! What can go wrong so that a run cannot go on. A bad line or file is not here: it is in the ledger.

use std::io;
use std::path::Path;

use crate::input::FileKind;
use crate::space::{SpaceFor, is_disk_full};
use crate::views::WithoutViews;

/// Why reading logs or visits had to stop. Every message says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A name on the command line fits nothing.
    #[error("there is no file, folder or glob match for {name:?}; check the path")]
    NoSuchInput {
        /// As typed.
        name: String,
    },
    /// A glob that is none.
    #[error("{glob:?} is not a glob: {why}; quote brackets or name the files")]
    BadGlob {
        /// As typed.
        glob: String,
        /// What is wrong with it.
        why: String,
    },
    /// `-` twice.
    #[error("standard input (-) can be read only once; name it once")]
    StdinTwice,
    /// The operating system refused to open or read.
    #[error("cannot read {name}")]
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// The operating system refused to write.
    #[error("cannot write {name} (may you write there?)")]
    Unwritable {
        /// The file or folder.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// Scratch files, when there is more than fits in memory.
    #[error("cannot use scratch files; name another folder for them, or give more memory")]
    Scratch(#[source] io::Error),
    /// The disk is full.
    #[error("no space is left in {folder} for {what}: free some, or choose another disk")]
    NoSpace {
        /// Where it was to be.
        folder: String,
        /// What was to be there.
        what: SpaceFor,
        /// As the operating system says it.
        source: io::Error,
    },
    /// More hosts than fit.
    #[error(
        "the log names more than {hosts} different hosts, which do not fit in the memory: {megabytes} MB are enough for any number of hosts"
    )]
    TooManyHosts {
        /// How many fit.
        hosts: usize,
        /// The memory that is enough.
        megabytes: usize,
    },
    /// There is no log among the inputs.
    #[error("{}", no_log(.files, *.more))]
    NoLog {
        /// What they are instead, by name.
        files: Vec<(String, FileKind)>,
        /// How many more there are.
        more: u64,
    },
    /// A file where the key should be.
    #[error(
        "{name} is not a key of trodden (16 bytes); move it away to start with a new key, or restore it to join the days"
    )]
    NotAKey {
        /// The file.
        name: String,
    },
    /// No randomness for a new key.
    #[error("the operating system gave no randomness for a key: {why}")]
    NoRandomness {
        /// Why.
        why: String,
    },
    /// An input within the output.
    #[error("{name} is in the directory that the visits go to; they would count twice: name another output")]
    OwnOutput {
        /// The input.
        name: String,
    },
    /// Somebody else is writing there.
    #[error("another trodden is writing to {name}; wait until it is done, then run the same command again")]
    InUse {
        /// The directory.
        name: String,
    },
    /// The same log, under other settings or longer than it was.
    #[error(
        "{name} has visits of the same log already, taken in under other settings or when it was shorter ({day}{}): they would count twice. Replace them, or name another directory",
        if *more == 0 { String::new() } else { format!(" and {more} more day{}", if *more == 1 { "" } else { "s" }) }
    )]
    TakenBefore {
        /// The directory.
        name: String,
        /// The first day.
        day: String,
        /// How many days more.
        more: usize,
    },
    /// A file that is of the same log, and of others.
    #[error(
        "the visits of {day} in {name} were made of more than is read now ({percent} % of their lines are in it); they can be replaced only by all logs of that day together"
    )]
    TakenWithOthers {
        /// The directory.
        name: String,
        /// The day.
        day: String,
        /// The share of their lines that is read now.
        percent: u32,
    },
    /// The key is gone.
    #[error(
        "{name} has visits but no key; restore the key, or name another directory: with a new key every user would be two"
    )]
    LostKey {
        /// The directory.
        name: String,
    },
    /// Directories that cannot be joined.
    #[error("{names} have different ideas of what a site is; read them one by one")]
    MixedSites {
        /// The directories.
        names: String,
    },
    /// Visits cannot be read from a pipe.
    #[error("{name} holds visits (Parquet), which cannot be read from a pipe; name the file or its directory")]
    PipedVisits {
        /// The pipe.
        name: String,
    },
    /// A folder that is not one of visits.
    #[error("{name} is not a directory of visits: {why}; name a new or an empty folder")]
    NotVisitsDir {
        /// The folder.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// A Parquet file that is not one of visits.
    #[error(
        "{name} is not a file of visits: {why}; it needs the columns time, site, user, target, referrer (docs/formats/visits.md)"
    )]
    NotVisits {
        /// The file.
        name: String,
        /// What is missing.
        why: String,
    },
    /// Writing or reading Parquet failed.
    #[error("Parquet: {why} ({name})")]
    Parquet {
        /// The file.
        name: String,
        /// Why.
        why: String,
    },
    /// A site that takes more memory than there is.
    #[error(
        "a site has about {urls} different URLs, which do not fit in the memory: {megabytes} MB are enough, or fewer URLs"
    )]
    TooLarge {
        /// Its different URLs, about.
        urls: u64,
        /// The memory that it takes.
        megabytes: u64,
    },
    /// More sites than fit.
    #[error(
        "the visits are of {sites} sites, and the list of them takes half of the memory: {megabytes} MB are enough"
    )]
    TooManySites {
        /// How many there are.
        sites: usize,
        /// The memory that is enough.
        megabytes: u64,
    },
    /// Visits are read twice, and were not the same.
    #[error("a file of visits changed while it was read; run the same command again")]
    Changed,
    /// A file that is no table of views.
    #[error(
        "{name} is no table of page views: it needs a header with a column for the page (url, path, page, label, …) and one for the views (views, pageviews, hits, count, …)"
    )]
    NotViews {
        /// The file.
        name: String,
    },
    /// Series that do not fit.
    #[error("{pages} pages in {bins} bins of time do not fit in the memory: they take {megabytes} MB, or longer bins")]
    TooManyBins {
        /// How many pages.
        pages: usize,
        /// How many bins each has.
        bins: usize,
        /// The memory that is enough.
        megabytes: u64,
    },
    /// Tables of views without a row that counts.
    #[error("there are no page views in {names}: {why}")]
    NoViews {
        /// The files.
        names: String,
        /// Why.
        why: WithoutViews,
    },
    /// The operator stopped the run.
    #[error("stopped; nothing was written; run the same command again")]
    Stopped,
    /// A host or site that is none.
    #[error("{text:?} is not a site: {why}; give it as https://www.example.org or example.org")]
    BadSite {
        /// As typed.
        text: String,
        /// Why.
        why: String,
    },
    /// The log is of another site than the operator says.
    #[error(
        "{named} does not fit this log: {lines} of its lines come from pages of {site} ({percent} % from pages that the log itself has), and {named_lines} from pages of {named}"
    )]
    OtherSite {
        /// As the operator says.
        named: String,
        /// As the referrers say.
        site: String,
        /// How that is written.
        origin: String,
        /// Lines with a referrer on it.
        lines: u64,
        /// Lines with a referrer on the named site.
        named_lines: u64,
        /// How many of the pages that people came from are in the log.
        percent: u32,
    },
    /// The paths in the log could belong to several sites, and guessing is not allowed here.
    #[error("the log has paths only and its referrers name several sites ({candidates}); say which one is read")]
    AmbiguousSite {
        /// The likeliest, with counts.
        candidates: String,
    },
}

/// One sentence a file; those that no reader knows share one.
fn no_log(files: &[(String, FileKind)], more: u64) -> String {
    let (unknown, known): (Vec<_>, Vec<_>) = files.iter().partition(|(_, kind)| kind.is_of_no_known_format());
    let mut why: Vec<String> = known.iter().map(|(name, kind)| kind.instead_of_log(name)).collect();
    if let Some((_, kind)) = unknown.first() {
        let names: Vec<&str> = unknown.iter().map(|(name, _)| name.as_str()).collect();
        why.push(kind.instead_of_log(&names.join(", ")));
    }
    if more > 0 {
        why.push(format!("and {more} more files are no logs"));
    }
    why.join("; ")
}

impl Error {
    /// Visits could not be written.
    pub(crate) fn unwritable(path: &Path, source: io::Error) -> Self {
        let name = path.display().to_string();
        if is_disk_full(&source) {
            return Self::NoSpace { folder: name, what: SpaceFor::Visits, source };
        }
        Self::Unwritable { name, source }
    }

    /// Scratch files could not be written or read back.
    pub(crate) fn scratch(folder: &Path, source: io::Error) -> Self {
        if is_disk_full(&source) {
            let folder = folder.display().to_string();
            return Self::NoSpace { folder, what: SpaceFor::Scratch, source };
        }
        Self::Scratch(source)
    }
}
