//! Lists that come with the command, and those that it leaves.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use trodden_logs::NamedSite;

use super::findings::Findings;
use crate::output::{counted, say};

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Sites, one a line.
pub(super) fn sites(path: &Path) -> Result<Vec<String>> {
    let text = read(path)?;
    lines(&text)
        .map(|line| {
            let first = line.split_whitespace().next().unwrap_or(line);
            Ok(NamedSite::parse(first)
                .with_context(|| format!("--compare {}", path.display()))?
                .host()
                .as_str()
                .to_owned())
        })
        .collect()
}

/// Pages that a person has judged: URL, then a word.
pub(super) fn labels(path: &Path) -> Result<Vec<(String, bool)>> {
    let text = read(path)?;
    let mut labels = Vec::new();
    for line in lines(&text) {
        let Some((page, word)) = line.rsplit_once(['\t', ',']) else {
            bail!("--labels {}: {line:?} has no label; write URL, a tab, and temporal or not", path.display());
        };
        let is_temporal = match word.trim().to_ascii_lowercase().as_str() {
            "temporal" | "yes" | "true" | "1" => true,
            "not" | "no" | "false" | "0" | "timeless" => false,
            // The line of column names.
            _ if labels.is_empty() => continue,
            other => bail!("--labels {}: {other:?} is neither temporal nor not", path.display()),
        };
        labels.push((page.trim().to_owned(), is_temporal));
    }
    Ok(labels)
}

/// Writes the listed sites for an instant crawler.
pub(super) fn write_seeds(path: &Path, found: &Findings<'_>) -> Result<()> {
    let mut out = String::new();
    let mut unnamed = 0;
    for site in &found.listed {
        let name = &found.groups.sites.names()[*site];
        if name.is_empty() || !found.site_may_be_named(*site) {
            unnamed += 1;
            continue;
        }
        let seconds = found.revisit_days(*site) * 86_400.0;
        let score = found.judged.groups[*site].score(found.weights);
        let _ = writeln!(out, "https://{name}/\t{seconds:.0}\t{score:.4}");
    }
    fs::write(path, out).with_context(|| format!("cannot write {}", path.display()))?;
    if unnamed > 0 {
        say(&format!("not in {}: {} that may not be named (--public)", path.display(), counted(unnamed, "site")));
    }
    Ok(())
}
