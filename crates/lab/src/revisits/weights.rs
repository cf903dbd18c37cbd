//! How often are pages visited?
//!
//! ```text
//! url<TAB>weight[<TAB>time]        the first line names the columns, in any order; weight may be called visits, views or clicks
//! ```
//! Where rows have times, only those of the last time count: the same page at two times is not twice as popular. Several rows of a page are
//! added up. Tables without such a first line are read as URL and number.

use std::collections::HashMap;
use std::path::Path;

use rustc_hash::FxBuildHasher;
use trodden_urls::{Canonicalizer, Rules};

use crate::error::Error;
use crate::mirror::{Kind, Line, MirrorNotes, each_line};
use crate::urls::{UrlTexts, identity};

/// A page without a visit has less than the rarest that has any: half of it.
const OF_RAREST: f64 = 0.5;

/// What a schedule takes for the importance of pages with these weights: never 0, or nobody would ever look at some.
pub fn importance(weights: &[f64]) -> Vec<f64> {
    let rarest = weights.iter().copied().filter(|weight| *weight > 0.0).fold(f64::INFINITY, f64::min);
    let least = if rarest.is_finite() { rarest * OF_RAREST } else { 1.0 };
    weights.iter().map(|weight| if *weight > 0.0 { *weight } else { least }).collect()
}

/// Where the columns are.
#[derive(Clone, Copy)]
struct WeightColumns {
    url: usize,
    weight: usize,
    time: Option<usize>,
}

impl WeightColumns {
    const NAMES: [&str; 5] = ["weight", "visits", "views", "clicks", "pageviews"];

    fn of(head: &[u8]) -> Option<Self> {
        let names: Vec<String> = fields(head).iter().map(|name| String::from_utf8_lossy(name).to_lowercase()).collect();
        let column = |wanted: &str| names.iter().position(|name| name == wanted);
        Some(Self {
            url: column("url")?,
            weight: Self::NAMES.iter().find_map(|name| column(name))?,
            time: column("time"),
        })
    }
}

fn fields(line: &[u8]) -> Vec<&[u8]> {
    let separator = if line.contains(&b'\t') { b'\t' } else { b',' };
    line.split(|byte| *byte == separator).map(<[u8]>::trim_ascii).collect()
}

/// Reads weights of pages: by page, and how much weighs what is not among them.
///
/// # Errors
/// If the file cannot be read, or holds no weights.
pub fn read_weights(path: &Path, urls: &UrlTexts) -> Result<(Vec<f64>, f64), Error> {
    let canonicalizer = Canonicalizer::new(Rules::default());
    let mut notes = MirrorNotes::new(Kind::UrlEdges);
    let mut columns: Option<WeightColumns> = None;
    // By time: what pages weigh, and what others do.
    let mut by_time: HashMap<u64, (HashMap<u32, f64, FxBuildHasher>, f64)> = HashMap::new();
    each_line(path, &mut notes, |_, number, line| {
        let Line::Text(line) = line else { return Ok(()) };
        if number == 1
            && let Some(named) = WeightColumns::of(line)
        {
            columns = Some(named);
            return Ok(());
        }
        let WeightColumns { url, weight, time } = columns.unwrap_or(WeightColumns { url: 0, weight: 1, time: None });
        let fields = fields(line);
        let field = |at: usize| fields.get(at).copied().unwrap_or_default();
        let number = |at: usize| std::str::from_utf8(field(at)).ok()?.parse::<f64>().ok();
        let found = number(weight).filter(|weight| weight.is_finite() && *weight >= 0.0);
        let (Some(weight), Ok(url)) = (found, canonicalizer.absolute(field(url))) else { return Ok(()) };
        let time = time.and_then(number).map_or(0, |time| time.max(0.0) as u64);
        let (pages, elsewhere) = by_time.entry(time).or_default();
        match urls.find(&identity(url.as_str())) {
            Some(page) => *pages.entry(page).or_default() += weight,
            None => *elsewhere += weight,
        }
        Ok(())
    })?;
    let last = by_time.keys().copied().max().and_then(|last| by_time.remove(&last));
    let Some((pages, elsewhere)) = last else {
        return Err(Error::NoWeights { name: path.display().to_string() });
    };
    let mut weights = vec![0.0; urls.len()];
    pages.into_iter().for_each(|(page, weight)| weights[page as usize] = weight);
    Ok((weights, elsewhere))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(table: &str) -> Result<(Vec<f64>, f64), Error> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("weights.tsv");
        std::fs::write(&path, table).unwrap();
        let mut urls = UrlTexts::default();
        ["http://a.org/", "http://a.org/1"].iter().for_each(|url| urls.push(url).unwrap());
        read_weights(&path, &urls)
    }

    #[test]
    fn ours_weights_are_those_of_the_last_time() {
        let table = "url\ttime\tweight\nhttps://www.a.org/1\t10\t9\nhttp://a.org/1\t20\t0.5\nhttp://b.org/\t20\t3\n\
                     http://a.org/1\t20\t0.25\nhttp://a.org/\t20\tmany\n";
        assert_eq!(read(table).unwrap(), (vec![0.0, 0.75], 3.0));
        assert_eq!(read("http://a.org/,7\nhttp://a.org/1,2\n").unwrap(), (vec![7.0, 2.0], 0.0));
        assert!(matches!(read("nothing\n"), Err(Error::NoWeights { .. })));
    }

    #[test]
    fn ours_what_nobody_visits_counts_half_of_the_rarest() {
        assert_eq!(importance(&[4.0, 0.0, 2.0]), [4.0, 1.0, 2.0]);
        assert_eq!(importance(&[0.0, 0.0]), [1.0, 1.0]);
    }
}
