//! How does time pass in the crawls, and what happens to pages meanwhile?
//!
//! Unless anything is said, nothing takes time and nothing happens. With a history crawls end with its last row. They begin at the end of
//! training if that is within it, else with its first row.

use anyhow::Result;
use trodden_frontier::{Span, Time};
use trodden_lab::crawl::Clock;
use trodden_lab::history::{History, MadeUp, table};
use trodden_lab::mirror::Mirror;
use trodden_logs::visits::time_text;

use crate::args::{HistorySource, SimulateArgs};
use crate::output::counted;

/// Whether requests take time, or there are several at once.
pub(super) fn has_clock(args: &SimulateArgs) -> bool {
    args.request_time.0 > 0 || args.delay.0 > 0 || args.at_once > 1
}

/// Time, and what was assumed about it.
pub(super) struct Passing {
    pub(super) clock: Clock,
    pub(super) history: Option<History>,
    pub(super) begin_ms: u64,
    pub(super) assumed: Vec<String>,
}

impl Passing {
    /// As typed.
    pub(super) fn of(args: &SimulateArgs, mirror: &Mirror, starts: &[u32], cut_ms: Option<i64>) -> Result<Self> {
        let history = match &args.history {
            None => None,
            Some(HistorySource::MadeUp(days)) => Some(MadeUp { days: *days, seed: args.seed }.history(mirror, starts)),
            Some(HistorySource::File(path)) => Some(table::read(path, mirror)?),
        };
        let span_ms = history.as_ref().and_then(History::span_ms);
        let begin_ms = span_ms.map_or(0, |[first, last]| {
            cut_ms.and_then(|cut| u64::try_from(cut).ok()).filter(|cut| (first..=last).contains(cut)).unwrap_or(first)
        });
        let clock = Clock {
            request: Span(args.request_time.0),
            delay: Span(args.delay.0),
            at_once: args.at_once,
            until: span_ms.map(|[_, last]| Time(last - begin_ms)),
        };
        let mut assumed = Vec::new();
        if has_clock(args) {
            assumed.push(clock_in_words(args));
        }
        assumed.extend(history.as_ref().map(|history| history_in_words(history, begin_ms, args)));
        Ok(Self { clock, history, begin_ms, assumed })
    }
}

fn clock_in_words(args: &SimulateArgs) -> String {
    let delay = match args.delay.0 {
        0 => "no delay: the whole mirror is one queue".to_owned(),
        delay => format!("{delay} ms from an answer of a host to the next request, one at once to a host"),
    };
    format!("a request takes {} ms, {} at once, {delay}", args.request_time.0, args.at_once)
}

fn history_in_words(history: &History, begin_ms: u64, args: &SimulateArgs) -> String {
    let source = match args.history {
        Some(HistorySource::MadeUp(_)) => "as drawn by the seed",
        _ => "by the history",
    };
    let mut said = format!("pages are born, change, move and go {source} ({}", counted(history.rows, "row"));
    for (count, what) in [(history.elsewhere, "of URLs that are not in the mirror"), (history.unused, "not used")] {
        if count > 0 {
            said += &format!(", {} {what}", counted(count, "row"));
        }
    }
    said += ")";
    if let Some([_, last]) = history.span_ms() {
        let [from, to] = [begin_ms, last].map(|ms| time_text(ms.cast_signed()));
        said += &format!("; crawls begin {from} and end {to} at the latest");
    }
    history.damaged.iter().fold(said, |said, file| format!("{said}; damaged, read up to there: {file}"))
}
