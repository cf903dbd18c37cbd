//! What `trodden temporal` is told.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::model::days;
use super::{LogReading, Resources, SettingArgs, TableFormat};

/// Length of a bin of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BinLength {
    /// 24 hours, UTC
    Day,
    /// 60 minutes
    Hour,
    /// 20 minutes
    #[value(name = "20min")]
    TwentyMinutes,
}

impl BinLength {
    pub(crate) fn ms(self) -> i64 {
        match self {
            Self::Day => 86_400_000,
            Self::Hour => 3_600_000,
            Self::TwentyMinutes => 1_200_000,
        }
    }

    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Day => "a day",
            Self::Hour => "an hour",
            Self::TwentyMinutes => "20 minutes",
        }
    }
}

/// What is fitted to the views of a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormName {
    /// The mass of the curve in the bin
    Mass,
    /// The density in its middle, as in the paper
    Density,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A page is temporal if most of its interest comes within days of its birth (--days, --share). The score of a site is
made from the share of its pages, and of its views, that are temporal (--weights).

Examples:
  trodden temporal visits/                                  which sites do people read while they are new?
  trodden temporal access.log --folders 1                   which sections?
  trodden temporal visits/ --seeds instant.txt --top 50     seeds for an instant crawler, each with an interval
  trodden temporal --views daily.csv --public --report interest.html
  trodden temporal --views shares.csv --bin 20min --cumulative --public
  trodden temporal visits/ --window 60d --step 7d           which sites joined and left?
  trodden temporal visits/ --compare by-hand.txt            is a list made by hand better?"
)]
pub(crate) struct TemporalArgs {
    /// Logs: files, folders, globs, or - for standard input; or visits; or page-view exports with dates
    #[arg(value_name = "LOG", required_unless_present = "views", conflicts_with = "views")]
    pub(crate) logs: Vec<String>,
    /// Tables of views by time instead of logs: one row for each page and time, or one row for each page and one column for each bin
    #[arg(long, value_name = "FILE")]
    pub(crate) views: Vec<PathBuf>,
    /// The numbers of --views are running totals, not views of the bin
    #[arg(long, requires = "views")]
    pub(crate) cumulative: bool,
    /// Length of a bin
    #[arg(long, value_enum, default_value_t = BinLength::Day)]
    pub(crate) bin: BinLength,
    /// Use the last DAYS of the data
    #[arg(long, value_name = "DAYS", value_parser = days, default_value = "60d")]
    pub(crate) window: u32,
    /// Slide the window over longer data by this many days, and show which sites joined and left the list
    #[arg(long, value_name = "DAYS", value_parser = days)]
    pub(crate) step: Option<u32>,
    /// n: the interest within this many days of its birth makes a page temporal
    #[arg(long, value_name = "N", default_value_t = 3.0)]
    pub(crate) days: f64,
    /// q: the share of its interest that must come within these days
    #[arg(long, value_name = "Q", default_value_t = 0.7)]
    pub(crate) share: f64,
    /// α:β: the weights of the share of pages and of the share of views
    #[arg(long, value_name = "A:B", default_value = "3:2", value_parser = proportion::<2>)]
    pub(crate) weights: [f64; 2],
    /// Minimum views a day of a page, on average; with fewer, nothing reliable is known
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    pub(crate) min_views: f64,
    /// What is fitted to the views of a bin
    #[arg(long, value_enum, default_value_t = FormName::Mass)]
    pub(crate) form: FormName,
    /// Treat query variants of a path as different pages
    #[arg(long)]
    pub(crate) keep_queries: bool,
    /// Also score folders of this many segments
    #[arg(long, value_name = "DEPTH")]
    pub(crate) folders: Option<usize>,
    /// Also score the patterns of this model
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// How many sites and pages to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,
    /// A list of sites, one a line, to compare with ours
    #[arg(long, value_name = "LIST")]
    pub(crate) compare: Option<PathBuf>,
    /// Pages that a person has judged, to tune n, q and α:β; each line: URL, tab or comma, temporal or not
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// With --labels: the gain of a hit, the cost of a miss and of a false alarm
    #[arg(long, value_name = "A:B:C", default_value = "1:1:1", value_parser = proportion::<3>, requires = "labels")]
    pub(crate) gains: [f64; 3],
    /// Write the listed sites to this file; each line: site, seconds until it should be visited again, score
    #[arg(long, value_name = "FILE")]
    pub(crate) seeds: Option<PathBuf>,
    /// Write a page with the charts of the sites and of their pages
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Draw these pages in the report, instead of the most viewed ones
    #[arg(long = "chart", value_name = "URL", requires = "report")]
    pub(crate) charts: Vec<String>,
    /// All pages are public: name them, however few users they have. For tables without users
    #[arg(long)]
    pub(crate) public: bool,
    /// Minimum number of users before a page is named [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) min_users: Option<u64>,
    /// How to print
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) reading: LogReading,
    #[command(flatten)]
    pub(crate) resources: Resources,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

/// Numbers between colons.
fn proportion<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let numbers: Option<Vec<f64>> = text.split(':').map(|part| part.trim().parse().ok()).collect();
    let sound = numbers.filter(|numbers| numbers.iter().all(|n: &f64| n.is_finite() && *n >= 0.0));
    sound
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| format!("write {N} numbers with colons between them"))
}
