//! What came of a crawl, for people and for programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use indicatif::{HumanBytes, HumanDuration};
use serde::Serialize;
use trodden_fetch::crawl::{Crawl, Ended, Tally, Unasked};

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
    /// What the tries that were put off came to.
    put_off_by_kind: BTreeMap<&'static str, u64>,
    out_of_scope: u64,
    repeated: u64,
    outcomes: BTreeMap<&'static str, u64>,
    /// The share of what the logs know that is fetched; none without logs.
    traffic: Option<f64>,
    #[serde(skip)]
    go_on: bool,
    #[serde(skip)]
    unasked: Option<Unasked>,
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
            put_off: tally.deferred(),
            put_off_by_kind: tally.put_off.iter().map(|(kind, n)| (kind.name(), *n)).collect(),
            out_of_scope: tally.beyond,
            repeated: tally.repeated,
            outcomes: tally.outcomes.iter().map(|(kind, n)| (kind.name(), *n)).collect(),
            traffic: (traffic > 0.0).then(|| tally.traffic / traffic),
            go_on: ended != Ended::Drained,
            unasked: tally.unasked,
        })
    }

    /// Prints it.
    pub(super) fn print(&self, format: TableFormat) -> Result<()> {
        match format {
            TableFormat::Json => data(&(serde_json::to_string_pretty(self)? + "\n"))?,
            TableFormat::Table => data(&self.table())?,
        }
        if let Some(unasked) = &self.unasked {
            say(&hint(unasked));
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
        let by_kind: Vec<String> =
            self.put_off_by_kind.iter().map(|(kind, n)| format!("{} {kind}", thousands(*n))).collect();
        let put_off = format!("tries put off for later ({})", by_kind.join(", "));
        for (n, what) in
            [(self.put_off, put_off.as_str()), (self.waiting, "wait"), (self.out_of_scope, "links out of scope")]
        {
            if n > 0 {
                out += &format!("{:>10}  {what}\n", thousands(n));
            }
        }
        out
    }
}

/// What to do about somebody who was not asked. What was refused is done with: the same crawl would not ask again.
fn hint(Unasked { origin, refused }: &Unasked) -> String {
    let flag = if refused.kind.is_private() { "--allow-private, or " } else { "" };
    let address = refused.address;
    format!(
        "{origin} was not asked: {refused}; to crawl it, start in a new folder (-o DIR) with \
         {flag}--set 'crawl.allow_addresses=[\"{address}\"]'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use trodden_fetch::address::Guard;

    fn of(address: &str) -> String {
        let refused = Guard::default().check(address.parse().unwrap()).unwrap_err();
        hint(&Unasked { origin: "http://wiki.example".to_owned(), refused })
    }

    #[test]
    fn ours_who_was_not_asked_is_told_with_what_would_allow_it() {
        assert_eq!(
            of("10.1.2.3"),
            "http://wiki.example was not asked: 10.1.2.3 is in a private network; to crawl it, start in a new folder \
             (-o DIR) with --allow-private, or --set 'crawl.allow_addresses=[\"10.1.2.3\"]'"
        );
        assert!(!of("169.254.169.254").contains("--allow-private"), "that flag does not open the keys of a cloud");
    }
}
