//! The command line, as typed.

mod crawl;
mod model;
mod simulate;
mod temporal;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use trodden_urls::SiteGrouping;

pub(crate) use crawl::{CrawlArgs, Seconds};
pub(crate) use model::{
    ExplainArgs, GoalName, MineArgs, PatternFormat, PatternsArgs, QualityArgs, RankArgs, ScoreArgs,
};

pub(crate) use simulate::{Hide, HistorySource, HotPages, RerankAt, SimulateArgs, TrafficSource, file_name};

pub(crate) use temporal::{FormName, TemporalArgs};

use crate::config::Config;
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
    /// Clean logs: how many lines are people reading pages, and what are the others?
    Ingest(IngestArgs),
    /// Learn the URL patterns of sites, and how people use them: logs or visits → model
    Mine(MineArgs),
    /// The patterns of a model, ranked
    Patterns(PatternsArgs),
    /// What to fetch first: the URLs of a model or of visits
    Urls(UrlsArgs),
    /// Score URLs by a model: expected visits a day, pattern, URL
    Score(ScoreArgs),
    /// Why does a URL have its score?
    Explain(ExplainArgs),
    /// How well does a model fit a later log?
    Quality(QualityArgs),
    /// Which pages, folders and sites do people read while they are new? Interest curves, and seeds for an instant crawler
    Temporal(Box<TemporalArgs>),
    /// Which order is better? Virtual crawls of a mirror with every policy, judged by what people read later
    Simulate(Box<SimulateArgs>),
    /// The real crawl, in the order of what people read: polite, resumable, to WARC
    Crawl(Box<CrawlArgs>),
    /// Make the report of a crawl or an experiment again; list URLs and broken links; judge the order of a crawl
    Report(ReportArgs),
    /// Check that the folder of a crawl is complete and undamaged; changes nothing
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
    /// For a crawl: write a row for every URL to this file, .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Option<PathBuf>,
    /// For a crawl: write a row for every broken link, with its page, to this file, .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) broken: Option<PathBuf>,
    /// For a crawl: judge the order in which pages were fetched by what people read in this log; may be repeated
    #[arg(long = "log", value_name = "LOG")]
    pub(crate) logs: Vec<String>,
    /// With --log: compare with another crawl of the same site
    #[arg(long, value_name = "DIR")]
    pub(crate) beside: Option<PathBuf>,
    /// How to print the judgment
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
    /// How to print the result
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
    /// The peer; the forwarded one if one peer has more than 30 % of all lines
    Auto,
    /// Always the peer
    Peer,
    /// The forwarded one if a line has it
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
    /// The site of a log with paths only; if lines name their host, the only site that counts
    #[arg(long, value_name = "URL")]
    pub(crate) site: Option<String>,
    /// Format of the logs: combined, common, vhost-combined, squid, w3c, json, caddy, nginx-json, csv, tsv, views (a
    /// page-view export), or an nginx log_format or Apache LogFormat string [default: detected from the first lines]
    #[arg(long, value_name = "NAME|STRING")]
    pub(crate) log_format: Option<String>,
    /// The place of a field in JSON logs, as in --field target=request.uri (time, address, forwarded, user, method, target,
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
    /// Do it anyway: use --site although the referrers of the log name another site; with mine -o, replace a file that is
    /// not a model
    #[arg(long)]
    pub(crate) force: bool,
}

impl LogReading {
    /// What a site is, as typed or as configured.
    pub(crate) fn grouping(&self, config: &Config) -> SiteGrouping {
        match self.site_by {
            Some(SiteBy::Host) => SiteGrouping::Host,
            Some(SiteBy::Domain) => SiteGrouping::RegistrableDomain,
            None => config.sites.by,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = INGEST_EXAMPLES)]
pub(crate) struct IngestArgs {
    #[command(flatten)]
    pub(crate) logs: LogArgs,
    /// Store the clean visits in this directory (private; created, or added to if it exists)
    #[arg(short, long, value_name = "VISITS")]
    pub(crate) output: Option<PathBuf>,
    /// With -o: if the directory has visits of the same log, read with other settings or when the log was shorter, replace
    /// them
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
  trodden ingest /var/log/nginx/*.gz -o visits/      store the visits
  trodden ingest today.log -o visits/                add a day
  trodden ingest today.log -o visits/ --replace      again: the log has grown, or settings changed
  zcat access.log.gz | trodden ingest - --site https://www.example.org
  trodden ingest app.log --log-format '$remote_addr [$time_local] \"$request\" $status'
  trodden ingest access.log --set cleaning.group_day=5000 --format json";

/// Threads, memory and scratch space.
#[derive(Clone, Debug, Args)]
pub(crate) struct Resources {
    /// Threads that parse [default: one for each core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Memory limit, as 1GiB or 500MB. What needs more goes to scratch files, or is refused with the amount it needs
    /// [default: half of the machine's memory]
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
    /// One URL a line: visits, users, with a model expected visits a day, URL
    List,
    /// A sitemap, of at most 50,000 URLs
    Sitemap,
    /// One JSON document
    Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A model names only URLs that enough users visited (mine --min-users, 5 by default), because rarer
ones may show who their readers are. URLs of a model are ordered by expected visits a day (--by),
URLs of visits by their own visits.

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
    /// How many URLs
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) top: usize,
    /// Only this site
    #[arg(long, value_name = "URL")]
    pub(crate) site: Option<String>,
    /// No URLs that match this glob (over path and query if it begins with /, else over the URL)
    #[arg(long = "exclude", value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) rank: RankArgs,
    /// Only URLs with at least N users, because rarer ones may show who their readers are [default: 5; of a model, all
    /// that it names]
    #[arg(long, value_name = "N")]
    pub(crate) min_users: Option<u64>,
    /// For visits: days in which the same step of the same user counts once
    #[arg(long, value_name = "DAYS", default_value_t = trodden_mining::DedupWindow::DEFAULT_DAYS,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) dedup_days: u32,
    /// How to print
    #[arg(long, value_enum, default_value_t = UrlFormat::List)]
    pub(crate) format: UrlFormat,
    /// For visits: memory limit, as 1GiB or 500MB [default: half of the machine's memory]
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
