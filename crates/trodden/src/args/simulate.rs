//! The arguments of `simulate`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use clap::Args;
use trodden_lab::importance::Metric;
use trodden_logs::visits::day_of_date;
use trodden_ordering::PolicyName;
use trodden_ordering::revisit::Schedule;

use super::crawl::Millis;
use super::model::GoalName;
use super::{LogReading, Resources, SettingArgs, TableFormat};

/// Virtual crawls.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SimulateArgs {
    /// The site to crawl: an edge list of URLs, an edge list of ids (with its list of URLs next to it), WARC files, a folder
    /// of HTML files, a log, or visits
    #[arg(required_unless_present = "continuous", value_name = "MIRROR")]
    pub(crate) mirror: Vec<String>,
    /// Logs or visits of that site: policies learn from the first part and are judged by the later part
    #[arg(long = "log", value_name = "LOG", num_args = 1..)]
    pub(crate) logs: Vec<String>,
    /// Where the crawl starts; an id if the mirror has no URLs [default: the home page; for a log, an artificial entry page]
    #[arg(long = "start", value_name = "URL")]
    pub(crate) starts: Vec<String>,
    /// Learn from this share of the visits, in time order
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share, conflicts_with = "train_until")]
    pub(crate) train_share: f64,
    /// Learn from the visits before this date, as 2019-01-26 or 2019-01-26T12:30 (UTC)
    #[arg(long, value_name = "DATE")]
    pub(crate) train_until: Option<TrainUntil>,
    /// A policy to run; may be repeated. docs/simulate.md lists them [default: all that can run]
    #[arg(long = "policy", value_name = "NAME")]
    pub(crate) policies: Vec<PolicyName>,
    /// Also run blend without each of its ingredients, and show what each one adds
    #[arg(long)]
    pub(crate) ablate: bool,
    /// Also compare predicted and real visits within training: its first half predicts its second half
    #[arg(long)]
    pub(crate) calibrate: bool,
    /// The goal of the crawl, for behavior, expected and blend
    #[arg(long, value_enum, default_value_t = GoalName::Fetch)]
    pub(crate) goal: GoalName,
    /// Remove URLs from training, to see how an order treats pages that nobody has read: a random share of them, or all whose
    /// path begins so
    #[arg(long = "hide-urls", value_name = "SHARE|/SECTION")]
    pub(crate) hide: Vec<Hide>,
    /// What counts as traffic: unique (a reader who comes from one page to another counts once in 30 days), visits (all), search
    /// (visits from search engines), or a file with URLs and clicks
    #[arg(long, value_name = "unique|visits|search|FILE", default_value = "unique")]
    pub(crate) traffic: TrafficSource,
    /// What is looked for by the topical policies and the metrics similarity and topical: words, or an expression such as
    /// 'title:rust and not url:/print/' (docs/topical.md)
    #[arg(long, value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
    /// Categories of pages, for category: in a topic and as evidence: a table with a URL and a category in each line, between them a
    /// tab or a comma
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// Also measure crawls by the importance of pages; may be repeated: backlinks, pagerank, forward-links, location, similarity,
    /// topical, or combined:backlinks=1,location=0.5 [default, without a log: backlinks and pagerank]
    #[arg(long = "importance", value_name = "METRIC")]
    pub(crate) importance: Vec<Metric>,
    /// Which pages are hot: this share of the most important ones, or above:VALUE
    #[arg(long, value_name = "SHARE|above:VALUE", default_value = "0.1")]
    pub(crate) hot: HotPages,
    /// Pages that a crawl with a limited buffer may keep, as a share of all
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = share)]
    pub(crate) buffer: f64,
    /// How often PageRank is updated: every N pages, or every N percent of the mirror
    #[arg(long, value_name = "PAGES|SHARE%", default_value = "1%")]
    pub(crate) rerank: RerankAt,
    /// Duration of a request, as 200ms or 2s of virtual time
    #[arg(long, value_name = "TIME", default_value = "0", help_heading = "Time")]
    pub(crate) request_time: Millis,
    /// Pause from an answer of a host to the next request, as 500ms or 2s of virtual time; each host is then a queue of its own
    #[arg(long, value_name = "TIME", default_value = "0", help_heading = "Time")]
    pub(crate) delay: Millis,
    /// Parallel requests, over all hosts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Time")]
    pub(crate) at_once: u32,
    /// Changes of pages: a table with the columns url, time (Unix seconds), kind (start, birth, change, death, moved, arrived) and, for
    /// moved pages, other; or random changes for some days, as made-up:365d
    #[arg(long, value_name = "FILE|made-up:DAYS", help_heading = "Time")]
    pub(crate) history: Option<HistorySource>,
    /// Compare schedules of revisits instead of policies: which one keeps most visits fresh? Needs --history; a table needs no mirror.
    /// Visits are those of --log after training, or of --traffic FILE (URL and visits)
    #[arg(long, requires = "history", help_heading = "Revisits")]
    pub(crate) continuous: bool,
    /// Requests a page and week, several with commas between them [default: 0.2, 0.6, 2 and 6 times the mean change rate]
    #[arg(long = "budget", value_name = "N,N", value_delimiter = ',', value_parser = budget, requires = "continuous", help_heading = "Revisits")]
    pub(crate) budgets: Vec<f64>,
    /// A schedule to run; may be repeated. docs/revisits.md lists them [default: all]
    #[arg(long = "schedule", value_name = "NAME", requires = "continuous", help_heading = "Revisits")]
    pub(crate) schedules: Vec<Schedule>,
    /// Stop each crawl after N requests
    #[arg(long, value_name = "N")]
    pub(crate) pages: Option<u64>,
    /// Use exact values, not levels as a crawl on disk does
    #[arg(long)]
    pub(crate) exact: bool,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write result.json, table.csv, curves.csv and report.html to this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    /// The list of URLs for an edge list of ids
    #[arg(long = "url-list", value_name = "FILE")]
    pub(crate) url_list: Option<PathBuf>,
    /// Learn only from the last DAYS of training, as 30d
    #[arg(long, value_name = "DAYS", value_parser = super::model::days)]
    pub(crate) window: Option<u32>,
    /// Minimum number of users before a model names something [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) min_users: Option<u32>,
    #[command(flatten)]
    pub(crate) reading: LogReading,
    #[command(flatten)]
    pub(crate) resources: Resources,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

const EXAMPLES: &str = "Shares are fractions of the pages that can be reached from the start, and of the traffic to
them after training. Cold traffic is traffic to URLs without a visit in training.

Examples:
  trodden simulate links.tsv.gz --log access.log --start https://example.org/ -o report/
  trodden simulate access.log --log access.log               the log is also the site
  trodden simulate crawl/*.warc.gz --log visits/ --train-until 2024-06-01 --hide-urls 0.3
  trodden simulate links.tsv.gz --importance pagerank --policy pagerank --policy backlink
  trodden simulate links.tsv.gz --history changes.tsv.gz --request-time 200ms --delay 1s --at-once 8
  trodden simulate --continuous --history changes.tsv.gz --traffic views.tsv
  trodden simulate links.tsv.gz --log visits/ --format json | jq '.policies[].pages_for[\"80\"]'";

/// A share: `0.3` or `30%`.
pub(crate) fn share(text: &str) -> Result<f64> {
    let (number, scale) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share: f64 = number.trim().parse().context("not a share, as 0.3 or 30%")?;
    let share = share / scale;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { bail!("a share is between 0 and 1, or 0% and 100%") }
}

/// Requests a page and week: above 0, and not more than one a minute.
fn budget(text: &str) -> Result<f64> {
    const MOST: f64 = 10_080.0;
    let budget: f64 = text.trim().parse().context("not a number of requests, as 0.1")?;
    if budget > 0.0 && budget <= MOST {
        Ok(budget)
    } else {
        bail!("a budget is above 0 and at most {MOST} requests a page and week")
    }
}

/// When training ends, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TrainUntil(pub(crate) i64);

impl FromStr for TrainUntil {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (date, clock) = text.split_once(['T', ' ']).unwrap_or((text, "0:0"));
        let day = day_of_date(date).context("not a date, as 2019-01-26 or 2019-01-26T12:30")?;
        let mut seconds = 0;
        let parts: Vec<i64> = clock
            .trim_end_matches('Z')
            .split(':')
            .map(|part| part.parse().context("not a time of day, as 12:30 or 12:30:05"))
            .collect::<Result<_>>()?;
        let limits = [24, 60, 60];
        if !(2..=3).contains(&parts.len()) || parts.iter().zip(limits).any(|(part, limit)| !(0..limit).contains(part)) {
            bail!("not a time of day, as 12:30 or 12:30:05");
        }
        for (part, unit) in parts.iter().zip([3_600, 60, 1]) {
            seconds += part * unit;
        }
        Ok(Self((day * 86_400 + seconds) * 1_000))
    }
}

/// URLs to be hidden.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Hide {
    /// This share of them.
    Share(f64),
    /// All whose path begins so.
    Section(String),
}

impl FromStr for Hide {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.starts_with('/') { Ok(Self::Section(text.to_owned())) } else { share(text).map(Self::Share) }
    }
}

impl fmt::Display for Hide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Share(share) => share.fmt(f),
            Self::Section(section) => f.write_str(section),
        }
    }
}

/// Where traffic is taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TrafficSource {
    /// Visits, repeated ones once.
    Unique,
    /// Visits.
    Visits,
    /// Visits from search engines.
    Search,
    /// A file.
    File(PathBuf),
}

impl FromStr for TrafficSource {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(match text {
            "unique" => Self::Unique,
            "visits" => Self::Visits,
            "search" => Self::Search,
            file => Self::File(file.into()),
        })
    }
}

/// As typed, but a file without the folder that it is in: a result says what it was made of, not where.
impl fmt::Display for TrafficSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unique => f.write_str("unique"),
            Self::Visits => f.write_str("visits"),
            Self::Search => f.write_str("search"),
            Self::File(path) => f.write_str(&file_name(path)),
        }
    }
}

/// The name of a file, without where it is.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Where a history is taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HistorySource {
    /// Made up, for so many days.
    MadeUp(u32),
    /// A table.
    File(PathBuf),
}

impl FromStr for HistorySource {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.strip_prefix("made-up:") {
            None => Ok(Self::File(text.into())),
            Some(days) => super::model::days(days).map(Self::MadeUp).map_err(anyhow::Error::msg),
        }
    }
}

/// As typed, but a file without the folder that it is in.
impl fmt::Display for HistorySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MadeUp(days) => write!(f, "made-up:{days}d"),
            Self::File(path) => f.write_str(&file_name(path)),
        }
    }
}

/// Which pages are hot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum HotPages {
    /// This share of the most important.
    Share(f64),
    /// Those that are at least so important.
    Above(f64),
}

impl FromStr for HotPages {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.strip_prefix("above:") {
            Some(value) => match value.parse::<f64>().context("not a number after above:")? {
                value if value.is_finite() => Ok(Self::Above(value)),
                _ => bail!("not a number after above:"),
            },
            None => share(text).map(Self::Share),
        }
    }
}

impl fmt::Display for HotPages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Share(share) => share.fmt(f),
            Self::Above(value) => write!(f, "above:{value}"),
        }
    }
}

/// When PageRank is brought up to date.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RerankAt {
    /// After so many pages.
    Pages(u32),
    /// After this share of the mirror.
    Share(f64),
}

impl FromStr for RerankAt {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.ends_with('%') {
            return share(text).map(Self::Share);
        }
        match text.parse().context("not a number of pages or a share, as 300 or 1%")? {
            0 => bail!("at least 1 page"),
            pages => Ok(Self::Pages(pages)),
        }
    }
}

impl fmt::Display for RerankAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pages(pages) => pages.fmt(f),
            // A percentage that was typed reads as it was.
            Self::Share(share) => write!(f, "{}%", (share * 1e9).round() / 1e7),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_shares_are_written_in_two_ways() {
        assert_eq!(share("0.3").unwrap(), 0.3);
        assert_eq!(share("30%").unwrap(), 0.3);
        for bad in ["", "1.1", "-0.1", "101%", "NaN", "half", "%"] {
            assert!(share(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn ours_training_ends_at_a_date_or_a_time_of_day() {
        let until = |text: &str| text.parse::<TrainUntil>().map(|until| until.0).ok();
        assert_eq!(until("1970-01-02"), Some(86_400_000));
        assert_eq!(until("1970-01-02T01:02"), Some(90_120_000));
        assert_eq!(until("1970-01-02 01:02:03Z"), Some(90_123_000));
        for bad in ["", "1970", "1970-02-30", "1970-01-02T", "1970-01-02T25:00", "1970-01-02T1", "1970-01-02T1:2:3:4"] {
            assert_eq!(until(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn ours_what_is_hidden_is_a_share_or_a_section() {
        assert_eq!("/wp/a".parse::<Hide>().unwrap(), Hide::Section("/wp/a".to_owned()));
        assert_eq!("30%".parse::<Hide>().unwrap(), Hide::Share(0.3));
        assert!("wp".parse::<Hide>().is_err());
        assert_eq!("300".parse::<RerankAt>().unwrap(), RerankAt::Pages(300));
        assert_eq!("1%".parse::<RerankAt>().unwrap(), RerankAt::Share(0.01));
        assert!("0".parse::<RerankAt>().is_err() && "some".parse::<RerankAt>().is_err());
        assert_eq!("above:12.5".parse::<HotPages>().unwrap(), HotPages::Above(12.5));
    }
}
