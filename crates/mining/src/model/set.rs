//! A file of models: one line a site, read when it is asked for.
//!
//! Opening looks at the first two fields of each line, the version and the site, and nothing else: a hundred thousand
//! sites are open in the time it takes to look at their bytes. A line that cannot be read costs that line, with its
//! number and what is wrong; the others stay.

use std::ops::Range;

use hashbrown::HashMap;
use serde::Deserialize;

use super::check::check;
use super::{MODEL_VERSION, SiteModel};

/// Longer lines are no models.
const MAX_LINE_BYTES: usize = 1 << 30;

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFault {
    /// Not JSON, or not a model.
    #[error("line {line} is damaged: {what}; mine this site again")]
    Damaged {
        /// Its number, from 1.
        line: usize,
        /// What the reader says.
        what: String,
    },
    /// Written by a later version.
    #[error(
        "line {line} has the model of {site} in version {version}; this program reads versions up to {MODEL_VERSION}: use a newer trodden"
    )]
    Newer {
        /// Its number, from 1.
        line: usize,
        /// The site.
        site: String,
        /// The version.
        version: u32,
    },
    /// A site that another line has already.
    #[error("line {line} has {site} a second time; line {first} counts")]
    Twice {
        /// Its number, from 1.
        line: usize,
        /// The line that counts.
        first: usize,
        /// The site.
        site: String,
    },
}

/// The models of many sites.
#[derive(Debug, Default)]
pub struct ModelSet {
    bytes: Vec<u8>,
    lines: Vec<Line>,
    by_site: HashMap<String, usize>,
    faults: Vec<ModelFault>,
}

#[derive(Clone, Debug)]
struct Line {
    number: usize,
    bytes: Range<usize>,
    site: String,
}

/// The first two fields.
#[derive(Deserialize)]
struct Head {
    trodden_model: u32,
    site: String,
}

impl ModelSet {
    /// Indexes the lines of a file.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        let mut set = Self { bytes, ..Self::default() };
        let mut start = 0;
        let mut number = 0;
        while start < set.bytes.len() {
            let end = memchr::memchr(b'\n', &set.bytes[start..]).map_or(set.bytes.len(), |at| start + at);
            number += 1;
            if !set.bytes[start..end].iter().all(u8::is_ascii_whitespace) {
                set.index(number, start..end);
            }
            start = end + 1;
        }
        set
    }

    fn index(&mut self, number: usize, bytes: Range<usize>) {
        let line = &self.bytes[bytes.clone()];
        let head = match quick_head(line).map_or_else(|| slow_head(line), Ok) {
            Ok(head) => head,
            Err(what) => return self.faults.push(ModelFault::Damaged { line: number, what }),
        };
        let Head { trodden_model: version, site } = head;
        if version > MODEL_VERSION {
            return self.faults.push(ModelFault::Newer { line: number, site, version });
        }
        if let Some(first) = self.by_site.get(&site) {
            let first = self.lines[*first].number;
            return self.faults.push(ModelFault::Twice { line: number, first, site });
        }
        self.by_site.insert(site.clone(), self.lines.len());
        self.lines.push(Line { number, bytes, site });
    }

    /// How many sites can be asked for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// What was wrong with lines that cannot be asked for.
    #[must_use]
    pub fn faults(&self) -> &[ModelFault] {
        &self.faults
    }

    /// The sites in the order of the lines.
    pub fn sites(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.site.as_str())
    }

    /// The number of a site's line, for [`ModelSet::model`].
    #[must_use]
    pub fn find(&self, site: &str) -> Option<usize> {
        self.by_site.get(site).copied()
    }

    /// Reads the model at a place among [`ModelSet::sites`].
    ///
    /// # Errors
    /// If the line is damaged behind its first fields.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn model(&self, at: usize) -> Result<SiteModel, ModelFault> {
        let line = &self.lines[at];
        let damaged = |what: String| ModelFault::Damaged { line: line.number, what };
        let model: SiteModel =
            serde_json::from_slice(&self.bytes[line.bytes.clone()]).map_err(|e| damaged(e.to_string()))?;
        check(&model).map_err(|what| damaged(what.to_owned()))?;
        Ok(model)
    }
}

/// The head of a line as this program writes it.
fn quick_head(line: &[u8]) -> Option<Head> {
    let rest = line.strip_prefix(b"{\"trodden_model\":")?;
    let comma = rest.iter().take(12).position(|b| *b == b',')?;
    let trodden_model = std::str::from_utf8(&rest[..comma]).ok()?.parse().ok()?;
    let site = rest[comma..].strip_prefix(b",\"site\":\"")?;
    let end = site.iter().take(512).position(|b| *b == b'"')?;
    let site = std::str::from_utf8(&site[..end]).ok()?;
    (!site.contains('\\')).then(|| Head { trodden_model, site: site.to_owned() })
}

fn slow_head(line: &[u8]) -> Result<Head, String> {
    if line.len() > MAX_LINE_BYTES {
        return Err(format!("it has over {MAX_LINE_BYTES} bytes"));
    }
    serde_json::from_slice(line).map_err(|e| e.to_string())
}

impl SiteModel {
    /// The line of a file.
    ///
    /// # Errors
    /// If it cannot be written as JSON, which numbers that are none would do.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self).map(|line| line + "\n")
    }
}
