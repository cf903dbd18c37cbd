//! What came of a crawl, for people and for programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use indicatif::{HumanBytes, HumanDuration};
use serde::Serialize;
use trodden_fetch::crawl::{Crawl, Ended, Tally};

use super::request::Request;
use crate::args::TableFormat;
use crate::output::{data, say, thousands};

/// What came of it, as `--format json` prints it.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    folder: PathBuf,
    ended: &'static str,
    policy: String,
    pages: u64,
    bytes: u64,
    seconds: f64,
    waiting: u64,
    known: u64,
    hosts: u64,
    put_off: u64,
    out_of_scope: u64,
    repeated: u64,
    outcomes: BTreeMap<&'static str, u64>,
    /// The share of what the logs know that is fetched; none without logs.
    traffic: Option<f64>,
    #[serde(skip)]
    go_on: bool,
}

impl Summary {
    /// Of a crawl that ended.
    pub(super) fn of(folder: &Path, request: &Request, crawl: &Crawl, ended: Ended, traffic: f64) -> Result<Self> {
        let tally: Tally = crawl.progress().look();
        Ok(Self {
            folder: folder.to_owned(),
            ended: match ended {
                Ended::Drained => "drained",
                Ended::Spent => "budget",
                Ended::Later(_) => "later",
                Ended::Stopped => "stopped",
            },
            policy: request.policy.clone(),
            pages: tally.pages(),
            bytes: tally.bytes,
            seconds: tally.elapsed_ms as f64 / 1e3,
            waiting: tally.waiting,
            known: tally.known,
            hosts: tally.hosts,
            put_off: tally.deferred,
            out_of_scope: tally.beyond,
            repeated: tally.repeated,
            outcomes: tally.outcomes.iter().map(|(kind, n)| (kind.name(), *n)).collect(),
            traffic: (traffic > 0.0).then(|| tally.traffic / traffic),
            go_on: ended != Ended::Drained,
        })
    }

    /// Prints it.
    pub(super) fn print(&self, format: TableFormat) -> Result<()> {
        match format {
            TableFormat::Json => data(&(serde_json::to_string_pretty(self)? + "\n"))?,
            TableFormat::Table => data(&self.table())?,
        }
        if self.go_on {
            say(&format!("to go on: trodden crawl -o {}", self.folder.display()));
        }
        Ok(())
    }

    fn table(&self) -> String {
        let why = match self.ended {
            "drained" => "all that was in scope is fetched",
            "budget" => "the budget is spent",
            "later" => "what is left must wait",
            _ => "stopped",
        };
        let mut out = format!(
            "{} pages, {} in {}: {why}\n",
            thousands(self.pages),
            HumanBytes(self.bytes),
            HumanDuration(std::time::Duration::from_secs_f64(self.seconds)),
        );
        if let Some(traffic) = self.traffic {
            out += &format!("{:.1} % of what people read, as far as the logs know\n", 100.0 * traffic);
        }
        let mut outcomes: Vec<(&&str, &u64)> = self.outcomes.iter().collect();
        outcomes.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), **name));
        for (name, n) in outcomes {
            out += &format!("{:>10}  {name}\n", thousands(*n));
        }
        for (n, what) in [
            (self.put_off, "put off, to be tried again"),
            (self.waiting, "wait"),
            (self.out_of_scope, "links out of scope"),
        ] {
            if n > 0 {
                out += &format!("{:>10}  {what}\n", thousands(n));
            }
        }
        out
    }
}
