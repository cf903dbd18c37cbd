//! `trodden score`: a pure function from URL to priority, so that any crawler can use it today.
//!
//! A line in, a line out, in the same order unless asked to sort. The first column is the visits a day that a URL can
//! expect, by default. A URL in no pattern has, instead of a pattern, `~` and the node that its walk ended at, `x` if the
//! model was made without URLs like it, or `-` if its site has no model.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;
use trodden_mining::score::{Scored, Scorer, UrlStanding};
use trodden_report::number::significant;

use crate::args::{ScoreArgs, TableFormat};
use crate::model_file;
use crate::output::{counted, say, stream, thousands};

/// Digits of a score that count: sorted by what is printed, URLs come as by their scores, but for ties.
const DIGITS: i32 = 7;

/// What is read at once; longer lines are no URLs.
const BLOCK: usize = 1 << 18;

/// Scores URLs from files or standard input.
pub(crate) fn run(args: &ScoreArgs) -> Result<()> {
    let (goal, order) = args.rank.checked()?;
    let open = |path: &PathBuf| Ok((path.display().to_string(), model_file::open(path)?));
    let (models, inputs) = told_apart(args);
    let sets = models.iter().map(open).collect::<Result<Vec<_>>>()?;
    let mut scorer = Scorer::new(&sets, goal, order, |score| significant(score, DIGITS));
    let mut out = Output { format: args.format, out: stream() };
    // Rows as they will be printed, with what they are sorted by.
    let mut sorted: Option<Vec<(f64, Vec<u8>)>> = args.sort.then(Vec::new);
    let mut tally = Tally::default();
    for input in &inputs {
        each_line(input, |url| {
            let scored = scorer.score(url);
            tally.add(&scored);
            match &mut sorted {
                Some(lines) => {
                    let mut row = Output { format: args.format, out: Vec::new() };
                    row.write(&scored, url)?;
                    lines.push((scored.score, row.out));
                    Ok(())
                }
                None => out.write(&scored, url),
            }
        })?;
    }
    if let Some(mut lines) = sorted {
        lines.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, row) in &lines {
            out.out.write_all(row)?;
        }
    }
    out.out.flush()?;
    scorer.faults().iter().for_each(|fault| say(&format!("warning: {fault}")));
    let sites: Vec<String> = sets.iter().map(|(_, set)| model_file::sites(set)).collect();
    say(&tally.words(&sites.join(", ")));
    if let Some(unit) = order.unit(goal).filter(|_| args.format == TableFormat::Table && tally.scored() > 0) {
        say(&format!("the first column is {unit} to be expected"));
    }
    Ok(())
}

/// Models, and files of URLs: what people type behind a model and is none is a file of URLs.
fn told_apart(args: &ScoreArgs) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut models, mut inputs) = (Vec::new(), Vec::new());
    for (at, path) in args.models.iter().enumerate() {
        if at == 0 || model_file::is_one(path) { &mut models } else { &mut inputs }.push(path.clone());
    }
    inputs.extend(args.inputs.iter().cloned());
    if inputs.is_empty() {
        inputs.push(PathBuf::from("-"));
    }
    (models, inputs)
}

/// Calls `f` with every line that is not empty, without its end; of a line longer than a block, with its beginning.
fn each_line(path: &Path, mut f: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let cannot = || format!("cannot read {}", path.display());
    let mut reader: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).with_context(cannot)?)
    };
    let mut line = |line: &[u8]| match line.trim_ascii() {
        [] => Ok(()),
        line => f(line),
    };
    let mut block = vec![0; BLOCK];
    // How much of the block is a line without its end yet, and whether its beginning was a whole block.
    let (mut kept, mut is_rest) = (0, false);
    loop {
        let read = match reader.read(&mut block[kept..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.with_context(cannot)?,
        };
        let filled = kept + read;
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &block[..filled]) {
            if !std::mem::take(&mut is_rest) {
                line(&block[start..end])?;
            }
            start = end + 1;
        }
        if read == 0 {
            return if is_rest { Ok(()) } else { line(&block[start..filled]) };
        }
        block.copy_within(start..filled, 0);
        kept = filled - start;
        if is_rest {
            kept = 0;
        } else if kept == BLOCK {
            line(&block)?;
            (kept, is_rest) = (0, true);
        }
    }
}

struct Output<W: Write> {
    format: TableFormat,
    out: W,
}

#[derive(Serialize)]
struct Row<'r> {
    score: f64,
    pattern: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uncovered_at: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    excluded: bool,
    url: &'r str,
}

impl<W: Write> Output<W> {
    fn write(&mut self, scored: &Scored<'_>, url: &[u8]) -> Result<()> {
        match self.format {
            TableFormat::Table => {
                self.out.write_all(scored.text.as_bytes())?;
                self.out.write_all(url)?;
                self.out.write_all(b"\n")?;
            }
            TableFormat::Json => {
                let (pattern, uncovered_at) = match scored.standing {
                    UrlStanding::Pattern(id) => (Some(id), None),
                    UrlStanding::Uncovered(node) => (None, Some(node)),
                    UrlStanding::Excluded | UrlStanding::NoModel | UrlStanding::BadUrl => (None, None),
                };
                let excluded = scored.standing == UrlStanding::Excluded;
                let url = &String::from_utf8_lossy(url);
                serde_json::to_writer(
                    &mut self.out,
                    &Row { score: scored.score, pattern, uncovered_at, excluded, url },
                )
                .map_err(io::Error::from)?;
                self.out.write_all(b"\n")?;
            }
        }
        Ok(())
    }
}

/// What became of the lines.
#[derive(Default)]
struct Tally {
    covered: u64,
    uncovered: u64,
    excluded: u64,
    no_model: u64,
    bad: u64,
}

impl Tally {
    fn add(&mut self, scored: &Scored<'_>) {
        *match scored.standing {
            UrlStanding::Pattern(_) => &mut self.covered,
            UrlStanding::Uncovered(_) => &mut self.uncovered,
            UrlStanding::Excluded => &mut self.excluded,
            UrlStanding::NoModel => &mut self.no_model,
            UrlStanding::BadUrl => &mut self.bad,
        } += 1;
    }

    fn scored(&self) -> u64 {
        self.covered + self.uncovered
    }

    fn words(&self, sites: &str) -> String {
        let all = self.scored() + self.excluded + self.no_model + self.bad;
        if self.scored() + self.excluded == 0 && self.no_model > 0 {
            return format!("none of {} is of a site that has a model; those are: {sites}", counted(all, "URL"));
        }
        let mut words = format!("{}: {} in a pattern", counted(all, "URL"), thousands(self.covered));
        for (n, what) in [
            (self.uncovered, "in none (~ and the node reached)"),
            (self.excluded, "excluded by the model (x)"),
            (self.no_model, "of sites without a model (-)"),
            (self.bad, "are no URLs (-)"),
        ] {
            if n > 0 {
                let _ = write!(words, ", {} {what}", thousands(n));
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use trodden_mining::{Goal, ModelSet, Order};

    use super::*;
    use crate::sample;

    #[test]
    fn ours_a_url_with_a_name_has_its_own_score_and_others_their_kinds() {
        let line = sample::by_hand().to_line().unwrap();
        let sets = [("site.model".to_owned(), ModelSet::new(line.into_bytes()))];
        let mut scorer = Scorer::new(&sets, Goal::Fetch, Order::Expected, |score| score.to_string());
        let mut score = |url: &str| {
            let scored = scorer.score(url.as_bytes());
            (scored.score, scored.standing)
        };
        let (own, standing) = score("https://www.a.com/item/7");
        assert_eq!(standing, UrlStanding::Pattern(sample::ITEM));
        let days = sample::by_hand().days();
        assert_eq!(own, 0.9 * 20.0 / days);
        let (other, standing) = score("https://www.a.com/item/8");
        assert_eq!(standing, UrlStanding::Pattern(sample::ITEM));
        assert!(other > own, "its 29 other URLs had 20 visits each: {other} {own}");
        let (uncovered, standing) = score("https://www.a.com/item/8?x=1");
        assert!(matches!(standing, UrlStanding::Uncovered(_)), "{standing:?}");
        assert!(0.0 < uncovered && uncovered < other, "{uncovered}");
        assert_eq!(score("https://b.com/").0, 0.0);
    }
}
