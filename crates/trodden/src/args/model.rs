//! Commands that make a model or read one.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use trodden_mining::{DedupWindow, Goal, Strategy, TreeKind};

use super::{LogArgs, Resources, SettingArgs, TableFormat};
use crate::size::Bytes;

/// Which tree gives the patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tree {
    /// By syntax alone
    Syn,
    /// Cut where visits tell no difference
    Visit,
    /// Cut further where people come from and go to the same places
    Tran,
}

impl From<Tree> for TreeKind {
    fn from(tree: Tree) -> Self {
        match tree {
            Tree::Syn => Self::Syn,
            Tree::Visit => Self::Visit,
            Tree::Tran => Self::Tran,
        }
    }
}

/// What a crawl is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GoalName {
    /// The value of the page itself
    Fetch,
    /// The value of what it links to
    Discovery,
}

impl From<GoalName> for Goal {
    fn from(goal: GoalName) -> Self {
        match goal {
            GoalName::Fetch => Self::Fetch,
            GoalName::Discovery => Self::Discovery,
        }
    }
}

/// What patterns are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The behavior graph
    Behavior,
    /// URLs
    Volume,
    /// Visits
    OverallVisit,
    /// Visits a URL
    AverageVisit,
    /// Visits that went on from it
    OverallReferral,
    /// The same a URL
    AverageReferral,
}

impl From<By> for Strategy {
    fn from(by: By) -> Self {
        match by {
            By::Behavior => Self::Behavior,
            By::Volume => Self::Volume,
            By::OverallVisit => Self::OverallVisit,
            By::AverageVisit => Self::AverageVisit,
            By::OverallReferral => Self::OverallReferral,
            By::AverageReferral => Self::AverageReferral,
        }
    }
}

/// How patterns are ranked.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct RankArgs {
    /// What the crawl is for
    #[arg(long, value_enum, default_value_t = GoalName::Fetch)]
    pub(crate) goal: GoalName,
    /// What patterns are ranked by
    #[arg(long, value_enum, default_value_t = By::Behavior)]
    pub(crate) by: By,
}

impl RankArgs {
    /// The goal and the strategy, if one serves the other.
    pub(crate) fn checked(self) -> Result<(Goal, Strategy)> {
        let (goal, strategy) = (Goal::from(self.goal), Strategy::from(self.by));
        if !strategy.serves(goal) {
            let serving: Vec<&str> = Strategy::ALL.into_iter().filter(|s| s.serves(goal)).map(Strategy::name).collect();
            bail!(
                "--by {} says nothing about --goal {}; what does is {}",
                strategy.name(),
                goal.name(),
                serving.join(", ")
            );
        }
        Ok((goal, strategy))
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trodden mine access.log -o site.model
  trodden mine visits/ --window 30d -o site.model       after each day's ingest
  trodden mine visits/ --urls sitemap.xml -o site.model with pages that nobody read
  trodden mine logs/*.gz --tree visit --set mining.min_support=20 -o site.model")]
pub(crate) struct MineArgs {
    #[command(flatten)]
    pub(crate) logs: LogArgs,
    /// File for the model, one line a site; .zst packs it [default: only the report]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: Option<PathBuf>,
    /// Known URLs, visited or not: a list, one a line, or a sitemap; plain or gz
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Vec<PathBuf>,
    /// Only visits of the last days, as 30d
    #[arg(long, value_name = "DAYS", value_parser = days)]
    pub(crate) window: Option<u32>,
    /// Which tree gives the patterns [default: tran]
    #[arg(long, value_enum)]
    pub(crate) tree: Option<Tree>,
    /// Users that something must have before it is named [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) min_users: Option<u32>,
    /// Days in which the same step of the same user counts once
    #[arg(long, value_name = "DAYS", default_value_t = DedupWindow::DEFAULT_DAYS,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) dedup_days: u32,
    /// How to print
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) resources: Resources,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

/// `30d` or `30`.
pub(crate) fn days(text: &str) -> Result<u32, String> {
    let number = text.trim().trim_end_matches('d');
    match number.parse() {
        Ok(days) if days > 0 => Ok(days),
        _ => Err("write it as 30d, at least 1d".to_owned()),
    }
}

/// How patterns are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PatternFormat {
    /// By rank, with bars for visits
    Table,
    /// As the tree that they are leaves of
    Tree,
    /// One JSON document
    Json,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trodden patterns site.model
  trodden patterns site.model --format tree
  trodden patterns site.model --goal discovery --top 5
  trodden patterns site.model --format json | jq -r '.[0].patterns[].pattern'")]
pub(crate) struct PatternsArgs {
    /// Models, as mine -o writes them
    #[arg(required = true, value_name = "MODEL")]
    pub(crate) models: Vec<PathBuf>,
    /// Only this site
    #[arg(long, value_name = "URL")]
    pub(crate) site: Option<String>,
    /// Only the first of each site
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) rank: RankArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = PatternFormat::Table)]
    pub(crate) format: PatternFormat,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trodden score site.model < urls.txt
  trodden score site.model --sort < frontier.txt | cut -f3
  trodden score site.model --format json --goal discovery < urls.txt")]
pub(crate) struct ScoreArgs {
    /// Models, as mine -o writes them
    #[arg(required = true, value_name = "MODEL")]
    pub(crate) models: Vec<PathBuf>,
    /// Files of URLs, one a line [default: standard input]
    #[arg(long = "input", value_name = "FILE")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Highest score first; keeps all lines in memory
    #[arg(long)]
    pub(crate) sort: bool,
    #[command(flatten)]
    pub(crate) rank: RankArgs,
    /// How to print: score, pattern and URL with tabs between, or one JSON object a line
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trodden explain site.model https://www.example.org/product/123")]
pub(crate) struct ExplainArgs {
    /// Models, as mine -o writes them
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// The URL
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) rank: RankArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trodden quality site.model later.log
  trodden quality site.model visits/ --pages pages.warc.gz")]
pub(crate) struct QualityArgs {
    /// The model, as mine -o writes it
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) logs: LogArgs,
    /// Pages for the likeness of layouts: a WARC file or a folder of HTML files
    #[arg(long, value_name = "PATH")]
    pub(crate) pages: Vec<PathBuf>,
    /// Pairs of pages compared in each pattern
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) pairs: usize,
    /// How to print
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    /// Memory to stay within, as 1GiB or 500MB [default: half of the machine's]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<Bytes>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_strategy_that_does_not_serve_the_goal_is_refused_with_those_that_do() {
        let checked = |goal, by| RankArgs { goal, by }.checked();
        assert_eq!(checked(GoalName::Fetch, By::Volume).unwrap(), (Goal::Fetch, Strategy::Volume));
        let why = checked(GoalName::Discovery, By::AverageVisit).unwrap_err().to_string();
        assert_eq!(
            why,
            "--by average-visit says nothing about --goal discovery; what does is behavior, overall-referral, average-referral"
        );
    }
}
