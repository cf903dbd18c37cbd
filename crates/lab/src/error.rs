//! What can go wrong so that an experiment cannot go on. A bad line or page is not here: it is in the mirror's notes.

use std::io;

use trodden_ordering::policy::CannotRun;

use crate::graph::TooManyLinks;

/// Why an experiment had to stop. Every message says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused, or the file is damaged from its first byte.
    #[error("cannot read {name} (may you read it, and is it whole?)")]
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// Nothing that a mirror can be made of.
    #[error(
        "{name} is no mirror: {why}; name an edge list of URLs or ids, WARC files, a folder of HTML, or a directory of visits"
    )]
    NotAMirror {
        /// The file or folder.
        name: String,
        /// What it is instead.
        why: String,
    },
    /// There are no pages.
    #[error("{name} holds no pages; check that it is the right file")]
    NoPages {
        /// The mirror.
        name: String,
    },
    /// Files of different kinds.
    #[error("{names} are mirrors of different kinds; name files of one kind (or say which it is)")]
    MixedKinds {
        /// The files.
        names: String,
    },
    /// An id that cannot be held.
    #[error("line {line} of {name} has the id {id}; ids must be below 4,294,967,295: renumber the pages from 0")]
    IdTooLarge {
        /// The file.
        name: String,
        /// The line, from 1.
        line: u64,
        /// The id as written, or its beginning.
        id: String,
    },
    /// The URLs are longer than their places can count.
    #[error("the URLs are longer than 4 GiB together; use a smaller mirror, or ids without a URL list")]
    TooMuchText,
    /// Too many links.
    #[error(transparent)]
    TooManyLinks(#[from] TooManyLinks),
    /// A start that is not in the mirror.
    #[error("the mirror has no page {wanted}{}", did_you_mean(.near))]
    NoSuchPage {
        /// As typed.
        wanted: String,
        /// Pages that come near, best first; at most three.
        near: Vec<String>,
    },
    /// A log in which nobody visits anything.
    #[error("there are no visits in the log; trodden ingest shows what its lines are")]
    NoVisits,
    /// Nothing to learn from.
    #[error("there is no visit to learn from before the end of training; let it end later")]
    NoTrainingVisits,
    /// A page-view export that counts more than can be judged one by one.
    #[error("the test period has more than {most} views; take a shorter export, or one by a sample of users")]
    TooManyTestVisits {
        /// How many can be judged.
        most: u64,
    },
    /// A line of an export of clicks that is something else.
    #[error("line {line} of {name} is not a URL and a number of clicks")]
    BadExport {
        /// The file.
        name: String,
        /// The line, from 1.
        line: u64,
    },
    /// A history without its columns.
    #[error("{name} is no history: its first line must name the columns url, time and kind, with tabs between them")]
    NoHistory {
        /// The file.
        name: String,
    },
    /// A history in which no time passes.
    #[error("the history has no two moments: nothing happens in it; check that it is the right file")]
    NothingHappens,
    /// A table without weights.
    #[error("{name} names no URL with a number; write lines of URL, tab, visits (or name the columns url and weight)")]
    NoWeights {
        /// The file.
        name: String,
    },
    /// Weights of other pages.
    #[error("no page of the history has a visit; are these the visits of another site?")]
    NothingWeighs,
    /// No policy could run.
    #[error("no policy could run ({why})")]
    NothingRan {
        /// Why the first could not.
        why: String,
        /// The same for programs.
        cause: Option<CannotRun>,
    },
    /// A metric of importance that the mirror cannot be measured by.
    #[error("importance by {metric}: {why}")]
    CannotMeasure {
        /// The metric.
        metric: String,
        /// Why.
        why: String,
    },
    /// Somebody asked to stop.
    #[error("stopped; nothing was written. To go on, run the same command again")]
    Stopped,
    /// The frontier failed.
    #[error(transparent)]
    Frontier(#[from] trodden_frontier::Error),
    /// Visits could not be found or read.
    #[error(transparent)]
    Visits(#[from] trodden_logs::Error),
    /// An archive could not be read.
    #[error(transparent)]
    Archive(#[from] trodden_archive::Error),
}

fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => "; name one that is in it".to_owned(),
        [one] => format!("; did you mean {one}?"),
        [others @ .., last] => format!("; did you mean {} or {last}?", others.join(", ")),
    }
}
