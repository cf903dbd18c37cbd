//! The peers that compute PageRank: igraph (C), scikit-network (Cython) and networkx (scipy), from PyPI.
//!
//! The script beside this file runs them on our graph, one thread each, and compares their scores with ours. One that is
//! further away than [`SOLVED`] has not solved the problem: it is shown, and does not count.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::pagerank::Ours;
use crate::bench::python;

const PACKAGES: [&str; 4] = ["networkx", "igraph", "scikit-network", "scipy"];
const SCRIPT: &str = include_str!("peers.py");
/// Threads that wait for work by spinning would be counted as CPU time.
const ONE_THREAD: [&str; 4] = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"];

/// Ten times the tolerance: what is off by the tolerance on either side, and then some, in favor of the peer.
pub(super) const SOLVED: f64 = 1e-9;

/// What came of one peer at one damping.
#[derive(Deserialize)]
pub(super) struct Peer {
    pub(super) library: String,
    pub(super) how: String,
    pub(super) damping: f64,
    pub(super) runs: usize,
    #[serde(flatten)]
    pub(super) came: Came,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Came {
    Scores {
        /// Seconds of CPU time of the call.
        cpu: f64,
        /// Sum of the differences to our scores.
        sum_apart: f64,
        /// The largest of them.
        most_apart: f64,
    },
    Fault {
        fault: String,
    },
}

impl Peer {
    /// Seconds, if it has solved the problem.
    pub(super) fn solved_in(&self) -> Option<f64> {
        match self.came {
            Came::Scores { cpu, sum_apart, .. } if sum_apart <= SOLVED => Some(cpu),
            _ => None,
        }
    }

    pub(super) fn row(&self) -> String {
        let Self { library, how, damping, runs, .. } = self;
        match &self.came {
            Came::Scores { cpu, sum_apart, .. } => {
                let verdict = if self.solved_in().is_some() { "solved" } else { "not solved to tolerance" };
                format!("| {library}, {how} | {damping} | {cpu:.3} | {runs} | {sum_apart:.1e} | {verdict} |")
            }
            Came::Fault { fault } => format!("| {library}, {how} | {damping} | – | {runs} | – | {fault} |"),
        }
    }
}

/// Runs them all.
pub(super) fn run(
    links: impl Iterator<Item = (u32, u32)>,
    ours: &[Ours],
    folder: &Path,
    store: &Path,
) -> Result<Vec<Peer>> {
    let programs = python::environment(&store.join("graph-libraries"), &PACKAGES)?;
    eprintln!("pagerank: peers, some minutes");
    let mut file = BufWriter::new(File::create(folder.join("edges.u32"))?);
    for (from, to) in links {
        file.write_all(&from.to_le_bytes())?;
        file.write_all(&to.to_le_bytes())?;
    }
    file.flush()?;
    let pages = ours.first().map_or(0, |ours| ours.scores.len());
    for ours in ours {
        let bytes: Vec<u8> = ours.scores.iter().flat_map(|score| (score / pages as f64).to_le_bytes()).collect();
        std::fs::write(folder.join(format!("scores-{}.f64", ours.damping)), bytes)?;
    }
    let script = folder.join("peers.py");
    std::fs::write(&script, SCRIPT)?;
    let output = Command::new(programs.join("python"))
        .arg(script)
        .arg(folder)
        .args([pages.to_string(), format!("{:e}", super::pagerank::TOLERANCE.get())])
        .args(ours.iter().map(|ours| ours.damping.to_string()))
        .envs(ONE_THREAD.map(|name| (name, "1")))
        .stderr(Stdio::inherit())
        .output()
        .context("could not start Python")?;
    if !output.status.success() {
        bail!("the peers failed; their messages are above");
    }
    let lines = std::str::from_utf8(&output.stdout)?.lines();
    lines.map(|line| serde_json::from_str(line).context("a peer said what is no JSON")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_peer_that_is_far_off_or_fails_does_not_count() {
        let peer = |came: &str| -> Peer {
            let text = format!(r#"{{"library": "x 1", "how": "y", "damping": 0.85, "runs": 2, {came}}}"#);
            serde_json::from_str(&text).unwrap()
        };
        let near = peer(r#""cpu": 0.5, "sum_apart": 1e-10, "most_apart": 1e-12"#);
        assert_eq!(near.solved_in(), Some(0.5));
        assert_eq!(near.row(), "| x 1, y | 0.85 | 0.500 | 2 | 1.0e-10 | solved |");
        assert_eq!(peer(r#""cpu": 0.5, "sum_apart": 1e-4, "most_apart": 1e-6"#).solved_in(), None);
        assert_eq!(peer(r#""fault": "no""#).solved_in(), None);
    }
}
