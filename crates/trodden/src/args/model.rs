//! Commands that make a model or read one.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use trodden_mining::{DedupWindow, Goal, Order, TreeKind};
use trodden_ordering::PolicyName;

use super::{LogArgs, Resources, SettingArgs, TableFormat};
use crate::size::Bytes;

/// Which tree gives the patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tree {
    /// By syntax alone
    Syn,
    /// Branches merge if their visits do not differ
    Visit,
    /// Siblings also merge if people come from, and go to, the same places
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

/// What URLs and patterns are ordered by.
#[derive(Clone, Debug, Args)]
pub(crate) struct RankArgs {
    /// The goal of the crawl
    #[arg(long, value_enum, default_value_t = GoalName::Fetch)]
    pub(crate) goal: GoalName,
    /// The order: blend (expected visits; a model knows no links, so here it is the same as expected), url-visit (the URL's
    /// own visits), or a ranking of patterns: behavior, volume, overall-visit, average-visit,
    /// overall-referral, average-referral
    #[arg(long, value_name = "ORDER", default_value = "blend")]
    pub(crate) by: PolicyName,
}

impl RankArgs {
    /// The goal and the order, if a model can tell one and it serves the other.
    pub(crate) fn checked(&self) -> Result<(Goal, Order)> {
        let goal = Goal::from(self.goal);
        let serving =
            || Order::all().filter(|order| order.serves(goal)).map(Order::name).collect::<Vec<_>>().join(", ");
        let order = match &self.by {
            PolicyName::Blend | PolicyName::Expected => Order::Expected,
            PolicyName::UrlVisit => Order::UrlVisit,
            by => match by.strategy() {
                Some(strategy) => Order::Pattern(strategy),
                None => bail!(
                    "--by {by} needs a crawl, and a model alone has none: try it with simulate or crawl --policy {by}; \
                     what a model can tell is blend, {}",
                    serving()
                ),
            },
        };
        if !order.serves(goal) {
            bail!("--by {} says nothing about --goal {}; what does is blend, {}", self.by, goal.name(), serving());
        }
        Ok((goal, order))
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trodden mine access.log -o site.model
  trodden mine visits/ --window 30d -o site.model       after each day's ingest
  trodden mine visits/ --urls sitemap.xml -o site.model  with pages that nobody read
  trodden mine pages.csv --site https://www.example.org --public -o site.model   an analytics export
  trodden mine visits/ --exclude '/basket*' --exclude '/*?q=*' -o site.model
  trodden mine logs/*.gz --tree visit --set mining.min_support=20 -o site.model")]
pub(crate) struct MineArgs {
    #[command(flatten)]
    pub(crate) logs: LogArgs,
    /// File for the model, one line for each site; .zst compresses it [default: only the report]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: Option<PathBuf>,
    /// Known URLs, visited or not: a list, one a line, or a sitemap; plain or gz
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Vec<PathBuf>,
    /// Without URLs that match this glob (over path and query if it begins with /, else over the URL), such as a basket or a
    /// search; stored in the model
    #[arg(long = "exclude", value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Only visits of the last DAYS, as 30d
    #[arg(long, value_name = "DAYS", value_parser = days)]
    pub(crate) window: Option<u32>,
    /// Which tree gives the patterns [default: tran]
    #[arg(long, value_enum)]
    pub(crate) tree: Option<Tree>,
    /// Minimum number of users before something is named [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) min_users: Option<u32>,
    /// All URLs are public: name them, however few users they have. For page-view exports without users
    #[arg(long)]
    pub(crate) public: bool,
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
    /// Only the first N of each site
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) rank: RankArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = PatternFormat::Table)]
    pub(crate) format: PatternFormat,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Each line has three tab-separated columns: expected visits a day, pattern, URL. Any crawler can order its queue by the
first. The pattern is ~ and a node of the tree for a URL in no pattern, and - for a URL whose site has no model.

Examples:
  trodden score site.model urls.txt
  trodden score site.model < urls.txt
  trodden score site.model --sort < frontier.txt | cut -f3
  trodden score site.model --format json --goal discovery < urls.txt"
)]
pub(crate) struct ScoreArgs {
    /// Models, as mine -o writes them; any other file is a list of URLs
    #[arg(required = true, value_name = "MODEL|FILE")]
    pub(crate) models: Vec<PathBuf>,
    /// Files of URLs, one a line [default: standard input]
    #[arg(long = "input", value_name = "FILE")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Highest score first; keeps all lines in memory
    #[arg(long)]
    pub(crate) sort: bool,
    #[command(flatten)]
    pub(crate) rank: RankArgs,
    /// How to print: three tab-separated columns, or one JSON object a line
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
    /// Pages to compare layouts: a WARC file or a folder of HTML files
    #[arg(long, value_name = "PATH")]
    pub(crate) pages: Vec<PathBuf>,
    /// URLs that the site has, read or not: how many of them do the patterns cover? A list, a sitemap, or the folder of a crawl
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Vec<PathBuf>,
    /// Pairs of pages to compare in each pattern
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) pairs: usize,
    /// How to print
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    /// Memory limit, as 1GiB or 500MB [default: half of the machine's memory]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<Bytes>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

#[cfg(test)]
mod tests {
    use super::*;
    use trodden_mining::Strategy;

    fn checked(goal: GoalName, by: &str) -> Result<(Goal, Order)> {
        RankArgs { goal, by: by.parse().unwrap() }.checked()
    }

    #[test]
    fn ours_orders_have_the_names_of_policies() {
        assert_eq!(checked(GoalName::Fetch, "volume").unwrap(), (Goal::Fetch, Order::Pattern(Strategy::Volume)));
        for name in ["blend", "expected"] {
            assert_eq!(checked(GoalName::Discovery, name).unwrap(), (Goal::Discovery, Order::Expected));
        }
        for order in Order::all() {
            let by = order.name().parse().unwrap();
            let goal = if order.serves(Goal::Fetch) { GoalName::Fetch } else { GoalName::Discovery };
            assert_eq!(RankArgs { goal, by }.checked().unwrap().1, order);
        }
    }

    #[test]
    fn ours_an_order_that_does_not_serve_the_goal_is_refused_with_those_that_do() {
        let why = checked(GoalName::Discovery, "average-visit").unwrap_err().to_string();
        assert_eq!(
            why,
            "--by average-visit says nothing about --goal discovery; what does is blend, expected, behavior, overall-referral, average-referral"
        );
    }

    #[test]
    fn ours_an_order_that_needs_a_crawl_is_refused_with_where_to_try_it() {
        let why = checked(GoalName::Fetch, "pagerank").unwrap_err().to_string();
        assert!(why.contains("simulate or crawl --policy pagerank") && why.contains("expected, url-visit"), "{why}");
    }
}
