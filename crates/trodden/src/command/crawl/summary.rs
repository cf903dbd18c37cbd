//! What came of a crawl, for people and for programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use indicatif::{DecimalBytes, HumanDuration};
use serde::Serialize;
use trodden_fetch::client::FetchFault;
use trodden_fetch::crawl::{Crawl, Ended, Tally, TroubleCause};
use trodden_fetch::outcome::OutcomeKind;

use super::problem::{self, Remedy};
use super::request::Request;
use super::{budget, view};
use crate::args::TableFormat;
use crate::output::{counted, data, say, shell_word, thousands};

/// What came of it, as `--format json` prints it.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    /// None if nothing is left of it.
    folder: Option<PathBuf>,
    report: Option<PathBuf>,
    ended: &'static str,
    /// Why nothing was fetched, if nothing was.
    problem: Option<String>,
    policy: String,
    pages: u64,
    bytes: u64,
    seconds: f64,
    waiting: u64,
    known: u64,
    hosts: u64,
    /// Tries that failed and are made again later.
    deferred: u64,
    /// What these came to.
    deferred_by_kind: BTreeMap<&'static str, u64>,
    out_of_scope: u64,
    repeated: u64,
    outcomes: BTreeMap<&'static str, u64>,
    /// The share of what the logs know that is fetched; none without logs.
    traffic: Option<f64>,
    #[serde(skip)]
    why: String,
    /// Words to go on with it, if there is something to go on with.
    #[serde(skip)]
    go_on: Option<String>,
    /// What is said beside it.
    #[serde(skip)]
    hint: Option<String>,
    #[serde(skip)]
    is_for_nothing: bool,
    /// Why nothing was fetched, if all of it is to be begun anew.
    #[serde(skip)]
    problem_anew: Option<String>,
}

impl Summary {
    /// Of a crawl that ended.
    pub(super) fn of(
        folder: &Path,
        report: PathBuf,
        request: &Request,
        crawl: &Crawl,
        ended: Ended,
        traffic: f64,
    ) -> Self {
        let tally: Tally = crawl.progress().look();
        let is_nothing = tally.pages() == 0 && ended != Ended::Stopped && request.crawl.budget.pages != Some(0);
        let is_for_nothing = is_nothing && (ended == Ended::Drained || tally.has_reached_nobody());
        let problem = |remedy| is_nothing.then(|| problem::of_nothing(&tally, request, remedy, &why(ended, request)));
        Self {
            folder: Some(folder.to_owned()),
            report: Some(report),
            ended: match ended {
                Ended::Drained => "drained",
                Ended::Spent(_) => "budget",
                Ended::Later(_) => "later",
                Ended::Stopped => "stopped",
            },
            problem: problem(Remedy::NewFolder),
            problem_anew: problem(Remedy::SameFolder),
            is_for_nothing,
            why: if is_for_nothing { "nothing was fetched".to_owned() } else { why(ended, request) },
            go_on: go_on(ended, &tally, request),
            hint: hint(&tally).filter(|_| !is_nothing),
            policy: request.policy.clone(),
            pages: tally.pages(),
            bytes: tally.bytes,
            seconds: tally.elapsed_ms as f64 / 1e3,
            waiting: tally.waiting,
            known: tally.known,
            hosts: tally.hosts,
            deferred: tally.deferred(),
            deferred_by_kind: tally.put_off.iter().map(|(kind, n)| (kind.name(), *n)).collect(),
            out_of_scope: tally.beyond,
            repeated: tally.repeated,
            outcomes: tally.outcomes.iter().map(|(kind, n)| (kind.name(), *n)).collect(),
            traffic: (traffic > 0.0).then(|| tally.traffic / traffic),
        }
    }

    /// Whether nothing was fetched, and nothing would be if it went on.
    pub(super) fn is_for_nothing(&self) -> bool {
        self.is_for_nothing
    }

    /// Its folder is gone.
    pub(super) fn left_nothing(&mut self) {
        (self.folder, self.report, self.go_on) = (None, None, None);
        self.problem = self.problem_anew.take();
    }

    /// Prints it. A crawl that fetched nothing failed.
    pub(super) fn print(&self, format: TableFormat) -> Result<()> {
        match format {
            TableFormat::Json => data(&(serde_json::to_string_pretty(self)? + "\n"))?,
            TableFormat::Table => data(&self.table())?,
        }
        if let Some(hint) = &self.hint {
            say(hint);
        }
        if let (Some(folder), Some(words)) = (&self.folder, &self.go_on) {
            say(&format!("to resume: trodden crawl -o {}{words}", shell_word(&folder.to_string_lossy())));
        }
        match &self.problem {
            Some(problem) => bail!("{problem}"),
            None => Ok(()),
        }
    }

    fn table(&self) -> String {
        let mut out = format!(
            "{}, {} in {}: {}\n",
            counted(self.pages, "page"),
            DecimalBytes(self.bytes),
            HumanDuration(std::time::Duration::from_secs_f64(self.seconds)),
            self.why
        );
        if let Some(traffic) = self.traffic {
            out += &format!("{:.1} % of what people read, as far as the logs know\n", 100.0 * traffic);
        }
        let mut outcomes: Vec<(&&str, &u64)> = self.outcomes.iter().collect();
        outcomes.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), **name));
        for (name, n) in outcomes {
            out += &format!("{:>10}  {name}\n", thousands(*n));
        }
        let by_kind: Vec<String> =
            self.deferred_by_kind.iter().map(|(kind, n)| format!("{} {kind}", thousands(*n))).collect();
        let one = |n: u64, one: &'static str, more: &'static str| if n == 1 { one } else { more };
        let deferred = format!("{} ({})", one(self.deferred, "deferred try", "deferred tries"), by_kind.join(", "));
        for (n, what) in [
            (self.deferred, deferred.as_str()),
            (self.waiting, one(self.waiting, "waits", "wait")),
            (self.out_of_scope, one(self.out_of_scope, "link out of scope", "links out of scope")),
        ] {
            if n > 0 {
                out += &format!("{:>10}  {what}\n", thousands(n));
            }
        }
        if let Some(report) = &self.report {
            out += &format!("report  {}\n", report.display());
        }
        out
    }
}

/// Why it ended.
fn why(ended: Ended, request: &Request) -> String {
    match ended {
        Ended::Drained => "all that was in scope is fetched".to_owned(),
        Ended::Spent(kind) => budget::spent(kind, &request.crawl.budget),
        Ended::Later(until) => {
            let wait = std::time::Duration::from_millis(until.0.saturating_sub(view::now_ms()));
            format!("what is left must wait for {}", HumanDuration(wait))
        }
        Ended::Stopped => "stopped".to_owned(),
    }
}

/// Words to go on with, after the folder.
fn go_on(ended: Ended, tally: &Tally, request: &Request) -> Option<String> {
    match ended {
        Ended::Drained => None,
        Ended::Spent(kind) => Some(format!(" {}", budget::more(kind, &request.crawl.budget, tally))),
        Ended::Later(_) | Ended::Stopped => Some(String::new()),
    }
}

/// Somebody who was not asked because of his address, in a crawl that got others.
fn hint(tally: &Tally) -> Option<String> {
    let trouble = tally.troubles.get(&OutcomeKind::AddressRefused)?;
    match &trouble.cause {
        TroubleCause::Fault(FetchFault::AddressRefused(refused)) => {
            Some(problem::refusal(&trouble.url, refused, Remedy::NewFolder))
        }
        _ => None,
    }
}
