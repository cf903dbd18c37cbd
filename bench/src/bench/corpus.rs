//! What lines is a long log made of?
//!
//! Three real logs, cut where the generator writes something new: the client address and the day. The lines keep
//! their order and every other byte. Two of the logs have one field after the combined format; it is cut off, so
//! that all lines are plain combined format. Blank lines, and lines without address or day, are left out.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;

use super::date;
use crate::random::Random;
use crate::synthetic;

/// The logs in the order in which each round writes them.
const LOGS: [(&str, Tail); 3] = [
    ("zanbil-2019.log.gz", Tail::Extra),
    ("airisdata-2016.log.gz", Tail::Combined),
    ("almhuette-2016.log.gz", Tail::Extra),
];

/// More than any of the logs unfolds to.
const MAX_LOG_BYTES: u64 = 1 << 30;

/// The log that stands in for missing ones.
const MADE_UP_LINES: usize = 50_000;
const MADE_UP_PEOPLE: usize = 2_000;
const MADE_UP_SEED: u64 = 20_190_126;

/// How a line ends.
#[derive(Clone, Copy)]
pub(super) enum Tail {
    /// With the user agent.
    Combined,
    /// With one more quoted field.
    Extra,
}

/// Where the lines come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Real,
    Synthetic,
}

impl Origin {
    /// For file names.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Synthetic => "synthetic",
        }
    }
}

/// A line without its address, cut around its day. Places are offsets into [`Corpus::text`].
pub(super) struct Template {
    /// Which client, counted from 0 in order of appearance.
    pub(super) client: u32,
    /// Days since 1970.
    pub(super) day: i64,
    start: u32,
    day_at: u32,
    end: u32,
}

/// All lines of a round.
pub(super) struct Corpus {
    pub(super) origin: Origin,
    /// Different client addresses.
    pub(super) clients: u32,
    pub(super) templates: Vec<Template>,
    text: Vec<u8>,
    ids: HashMap<Vec<u8>, u32>,
}

impl Corpus {
    /// The real logs where they are, else lines of our own, saying so.
    pub(super) fn load(folder: Option<&Path>) -> Result<Self> {
        let Some(folder) = folder else {
            eprintln!("no real logs at ../shared/data/logs nor $TRODDEN_DATA/logs: using made-up lines instead");
            let mut corpus = Self::empty(Origin::Synthetic);
            let log = synthetic::log(&mut Random::new(MADE_UP_SEED), MADE_UP_LINES, MADE_UP_PEOPLE);
            corpus.add(&log, Tail::Combined)?;
            return Ok(corpus);
        };
        let mut corpus = Self::empty(Origin::Real);
        for (name, tail) in LOGS {
            let path = folder.join(name);
            let file = File::open(&path).with_context(|| format!("could not open {}", path.display()))?;
            let mut text = Vec::new();
            let read = MultiGzDecoder::new(file).take(MAX_LOG_BYTES).read_to_end(&mut text);
            read.with_context(|| format!("could not unfold {}", path.display()))?;
            corpus.add(&text, tail)?;
        }
        eprintln!("{} lines of real logs, {} clients", corpus.templates.len(), corpus.clients);
        Ok(corpus)
    }

    pub(super) fn empty(origin: Origin) -> Self {
        Self { origin, clients: 0, templates: Vec::new(), text: Vec::new(), ids: HashMap::new() }
    }

    /// Adds the lines of one log.
    pub(super) fn add(&mut self, log: &[u8], tail: Tail) -> Result<()> {
        if self.text.len() + log.len() > u32::MAX as usize {
            bail!("the logs are over 4 GiB; offsets here have 32 bits");
        }
        for line in log.split(|byte| *byte == b'\n') {
            self.add_line(line, tail);
        }
        Ok(())
    }

    fn add_line(&mut self, line: &[u8], tail: Tail) -> Option<()> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let address = line.iter().position(|byte| *byte == b' ')?;
        let bracket = line.iter().position(|byte| *byte == b'[')?;
        let day = date::parse(line.get(bracket + 1..)?)?;
        let end = match tail {
            Tail::Combined => line.len(),
            Tail::Extra => line.windows(2).rposition(|pair| pair == b" \"")?,
        };
        let kept = line.get(address..end)?;
        let next = self.clients;
        let client = *self.ids.entry(line[..address].to_vec()).or_insert(next);
        self.clients = self.clients.max(client + 1);
        let start = self.text.len() as u32;
        self.text.extend_from_slice(kept);
        let day_at = start + (bracket + 1).checked_sub(address)? as u32;
        self.templates.push(Template { client, day, start, day_at, end: self.text.len() as u32 });
        Some(())
    }

    /// From after the address to the day, and from after the day to the end of the line.
    pub(super) fn pieces(&self, template: &Template) -> (&[u8], &[u8]) {
        let (start, day_at, end) = (template.start as usize, template.day_at as usize, template.end as usize);
        (&self.text[start..day_at], &self.text[day_at + date::LENGTH..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_around_address_and_day() {
        let mut corpus = Corpus::empty(Origin::Synthetic);
        let log = b"\n10.0.0.1 - - [26/Jan/2019:19:45:25 +0330] \"GET / HTTP/1.1\" 200 1 \"-\" \"a \\\"b\\\"\" \"-\"\nnonsense\n";
        corpus.add(log, Tail::Extra).unwrap();
        assert_eq!((corpus.templates.len(), corpus.clients), (1, 1));
        let (before, after) = corpus.pieces(&corpus.templates[0]);
        assert_eq!(before, b" - - [");
        assert_eq!(after, b":19:45:25 +0330] \"GET / HTTP/1.1\" 200 1 \"-\" \"a \\\"b\\\"\"");
    }

    #[test]
    fn the_same_address_is_the_same_client() {
        let mut corpus = Corpus::empty(Origin::Synthetic);
        for address in ["a", "b", "a"] {
            let line = format!("{address} - - [01/Jan/2020:00:00:00 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\n");
            corpus.add(line.as_bytes(), Tail::Combined).unwrap();
        }
        assert_eq!(corpus.templates.iter().map(|t| t.client).collect::<Vec<_>>(), [0, 1, 0]);
        assert_eq!(corpus.clients, 2);
    }

    #[test]
    fn made_up_lines_stand_in_for_missing_logs() {
        let corpus = Corpus::load(None).unwrap();
        assert!(corpus.origin == Origin::Synthetic && corpus.templates.len() > 1000);
    }
}
