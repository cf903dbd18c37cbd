//! The command line, as typed.

mod crawl;
mod model;
mod simulate;
mod temporal;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use crawl::{CrawlArgs, Seconds};
pub(crate) use model::{
    ExplainArgs, GoalName, MineArgs, PatternFormat, PatternsArgs, QualityArgs, RankArgs, ScoreArgs,
};

pub(crate) use simulate::{Hide, HistorySource, HotPages, RerankAt, SimulateArgs, TrafficSource, file_name};

pub(crate) use temporal::{FormName, TemporalArgs};

use crate::observe::ObserveArgs;
use crate::size::Bytes;

/// Crawls what people read: learns from web logs which parts of a site people use, and orders a crawl by that.
#[derive(Debug, Parser)]
#[command(name = "trodden", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Start with:  trodden demo, or trodden ingest access.log")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) observe: ObserveArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The whole story on a built-in site, offline: log, patterns, crawls in every order, report
    Demo(DemoArgs),
    /// Clean logs: what share of the lines was people reading pages, and what was the rest?
    Ingest(IngestArgs),
    /// Learn the URL patterns of sites, and which people use: logs or visits → model
    Mine(MineArgs),
    /// The patterns of a model, ranked
    Patterns(PatternsArgs),
    /// What to fetch first: the URLs of a model or of visits
    Urls(UrlsArgs),
    /// Score URLs by a model: visits a day to be expected, pattern, URL
    Score(ScoreArgs),
    /// Why a URL stands where it stands
    Explain(ExplainArgs),
    /// How good the patterns of a model are on a later log
    Quality(QualityArgs),
    /// Which pages, folders and sites are read while they are new? Curves of interest, and seeds of an instant crawler
    Temporal(Box<TemporalArgs>),
    /// Which order is better? Virtual crawls of a mirror by every policy, judged by what people read later
    Simulate(Box<SimulateArgs>),
    /// The real crawl, in the order people read: polite, resumable, to WARC
    Crawl(Box<CrawlArgs>),
    /// The page of a crawl or an experiment, made again from what is in its folder
    Report(ReportArgs),
    /// Is everything there that a crawl wrote? Reads all of its folder, and changes nothing
    #[command(
        after_help = "Examples:\n  trodden check example.org.crawl\n  trodden check example.org.crawl --format json"
    )]
    Check(CheckArgs),
    /// Print completions for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),
    /// Write manual pages, one for each command
    #[command(after_help = "Examples:\n  trodden man ~/.local/share/man/man1 && man trodden-crawl")]
    Man(ManArgs),
}

impl Command {
    /// As it is typed.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Demo(_) => "demo",
            Self::Ingest(_) => "ingest",
            Self::Mine(_) => "mine",
            Self::Patterns(_) => "patterns",
            Self::Urls(_) => "urls",
            Self::Score(_) => "score",
            Self::Explain(_) => "explain",
            Self::Quality(_) => "quality",
            Self::Simulate(_) => "simulate",
            Self::Temporal(_) => "temporal",
            Self::Crawl(_) => "crawl",
            Self::Report(_) => "report",
            Self::Check(_) => "check",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Seed of the built-in site
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Open the report in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Folder for the log, the model and the report; must be new or empty [default: a new one in the system's folder for
    /// temporary files]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = REPORT_EXAMPLES)]
pub(crate) struct ReportArgs {
    /// Folder of a crawl (crawl -o) that is not running, or of an experiment (simulate -o)
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Of a crawl: write a row for every URL to this file, .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Option<PathBuf>,
    /// Of a crawl: write a row for every broken link, with its page, to this file, .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) broken: Option<PathBuf>,
    /// Of a crawl: judge the order in which pages were fetched by what people read in this log; may be given several times
    #[arg(long = "log", value_name = "LOG")]
    pub(crate) logs: Vec<String>,
    /// With --log: judge another crawl of the same site beside it
    #[arg(long, value_name = "DIR")]
    pub(crate) beside: Option<PathBuf>,
    /// How the judgment is printed
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) reading: LogReading,
    #[command(flatten)]
    pub(crate) resources: Resources,
    /// Open the report in a browser
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Folder of a crawl (crawl -o) that is not running
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Table,
    /// One JSON document
    Json,
}

/// What a site is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SiteBy {
    /// A host, without www.
    Host,
    /// A registrable domain, with all hosts below it
    Domain,
}

/// Which address is the client's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// The peer; the forwarded one if one peer has over 30 % of all lines
    Auto,
    /// Always the peer
    Peer,
    /// The forwarded one wherever a line has it
    Forwarded,
}

/// What is read: logs, and how to read them.
#[derive(Clone, Debug, Args)]
pub(crate) struct LogArgs {
    /// Logs: files, folders, globs, or - for standard input; plain, gz, zst, bz2 or xz; or visits; or page-view exports
    #[arg(required = true, value_name = "LOG")]
    pub(crate) logs: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: LogReading,
}

/// How logs are read.
#[derive(Clone, Debug, Args)]
pub(crate) struct LogReading {
    /// The site of a log with paths only; where lines name their host, the only site that counts
    #[arg(long, value_name = "URL")]
    pub(crate) site: Option<String>,
    /// Format of the logs: combined, common, vhost-combined, squid, w3c, json, caddy, nginx-json, csv, tsv, views (a
    /// page-view export), or an nginx log_format or Apache LogFormat string [default: seen from the first lines]
    #[arg(long, value_name = "NAME|STRING")]
    pub(crate) log_format: Option<String>,
    /// Where a field is in JSON logs, as in --field target=request.uri (time, address, forwarded, user, method, target,
    /// host, scheme, status, referrer, agent, content-type)
    #[arg(long = "field", value_name = "FIELD=PATH")]
    pub(crate) fields: Vec<String>,
    /// A host that stands for another, as in --alias m.example.org=example.org
    #[arg(long = "alias", value_name = "HOST=HOST")]
    pub(crate) aliases: Vec<String>,
    /// What a site is
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) site_by: Option<SiteBy>,
    /// Which address is the client's
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) client_field: Option<Client>,
    /// Do it all the same: take --site for the site where the log's own referrers name another; with mine -o, replace a
    /// file that is no model
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[command(after_help = INGEST_EXAMPLES)]
pub(crate) struct IngestArgs {
    #[command(flatten)]
    pub(crate) logs: LogArgs,
    /// Keep the clean visits in this directory (private; made if it is not there, added to if it is)
    #[arg(short, long, value_name = "VISITS")]
    pub(crate) output: Option<PathBuf>,
    /// With -o: where visits of the same log are there already, taken in under other settings or when it was shorter, put
    /// the new ones in their place
    #[arg(long, requires = "output")]
    pub(crate) replace: bool,
    /// How to print the ledger
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) resources: Resources,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

const REPORT_EXAMPLES: &str = "Examples:
  trodden report example.org.crawl --open
  trodden report example.org.crawl --urls urls.parquet        a row for every URL
  trodden report example.org.crawl --broken broken.csv        broken links, and the pages that have them
  trodden report example.org.crawl --log later.log            was the order any good?
  trodden report a.crawl --log later.log --beside b.crawl     and better than that of another crawl?";

const COMPLETIONS_EXAMPLES: &str = "Examples:
  trodden completions bash > ~/.local/share/bash-completion/completions/trodden
  trodden completions zsh > ~/.zfunc/_trodden
  trodden completions fish > ~/.config/fish/completions/trodden.fish";

const INGEST_EXAMPLES: &str = "Examples:
  trodden ingest access.log                          only the ledger
  trodden ingest /var/log/nginx/*.gz -o visits/      keep the visits
  trodden ingest today.log -o visits/                add a day
  trodden ingest today.log -o visits/ --replace      again: the log has grown, or other settings count
  zcat access.log.gz | trodden ingest - --site https://www.example.org
  trodden ingest app.log --log-format '$remote_addr [$time_local] \"$request\" $status'
  trodden ingest access.log --set cleaning.group_day=5000 --format json";

/// Threads, memory and scratch space.
#[derive(Clone, Debug, Args)]
pub(crate) struct Resources {
    /// Threads that parse [default: one a core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Memory to stay within, as 1GiB or 500MB; more goes to scratch files, or is refused with the memory that it takes
    /// [default: half of the machine's]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<Bytes>,
    /// Folder for scratch files [default: the output directory, else the system's]
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: Option<PathBuf>,
}

/// Settings beyond the flags.
#[derive(Clone, Debug, Args)]
pub(crate) struct SettingArgs {
    /// Settings file [default: trodden.toml in this folder, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// One setting, as in --set cleaning.group_day=5000; wins over the file
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

/// How URLs are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UrlFormat {
    /// Visits, users, by a model the visits a day to be expected, and URL, one a line
    List,
    /// A sitemap, of at most 50,000 URLs
    Sitemap,
    /// One JSON document
    Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A model names only URLs that enough users visited (mine --min-users, 5 by default): rarer ones may
tell who they are. Its URLs come by the visits a day that they can expect (--by); those of visits by
their own visits.

Examples:
  trodden urls site.model --top 20
  trodden urls site.model --goal discovery --format sitemap > sitemap.xml
  trodden urls visits/ --top 20
  trodden urls visits/ --format json | jq -r '.[].url'"
)]
pub(crate) struct UrlsArgs {
    /// Models, as mine -o writes them, or directories or files of visits, as ingest -o writes them
    #[arg(required = true, value_name = "MODEL|VISITS")]
    pub(crate) inputs: Vec<String>,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) top: usize,
    /// Only this site
    #[arg(long, value_name = "URL")]
    pub(crate) site: Option<String>,
    /// No URLs like this: a glob over path and query if it begins with /, else over the URL
    #[arg(long = "exclude", value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) rank: RankArgs,
    /// Only URLs that at least so many users visited: rarer ones may tell who they are [default: 5; of a model, all that
    /// it names]
    #[arg(long, value_name = "N")]
    pub(crate) min_users: Option<u64>,
    /// Days in which the same step of the same user counts once; of visits only
    #[arg(long, value_name = "DAYS", default_value_t = trodden_mining::DedupWindow::DEFAULT_DAYS,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) dedup_days: u32,
    /// How to print
    #[arg(long, value_enum, default_value_t = UrlFormat::List)]
    pub(crate) format: UrlFormat,
    /// Memory to stay within, as 1GiB or 500MB; of visits only [default: half of the machine's]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<Bytes>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder to write to
    pub(crate) folder: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_the_command_line_is_sound() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
