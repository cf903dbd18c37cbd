//! The arguments of `crawl`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use trodden_ordering::PolicyName;

use super::model::GoalName;
use super::{SettingArgs, TableFormat};
use crate::size::Bytes;

/// The real crawl.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CrawlArgs {
    /// Where to start: URLs, or files of URLs (one a line, or a sitemap). Without seeds, the crawl in DIR is resumed
    #[arg(value_name = "SEED")]
    pub(crate) seeds: Vec<String>,
    /// Folder of the crawl; if it holds a crawl, that is resumed [default: HOST.crawl]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Models, as mine -o writes them: what people read decides the order, and the URLs that they name are seeds
    #[arg(long = "model", value_name = "MODEL", help_heading = "Order")]
    pub(crate) models: Vec<PathBuf>,
    /// More seeds: the URLs of models or of visits. Visits also decide the order, URL by URL
    #[arg(long = "seed-from", value_name = "MODEL|VISITS", help_heading = "Order")]
    pub(crate) seed_from: Vec<String>,
    /// A host of the crawl that models and visits know by another name, as staging.example:8080=example.org; stored with the crawl
    #[arg(long = "alias", value_name = "HOST=HOST", help_heading = "Order")]
    pub(crate) aliases: Vec<String>,
    /// URLs of models and visits decide the order but are no seeds: fetch only what links lead to
    #[arg(long, help_heading = "Order")]
    pub(crate) linked_only: bool,
    /// Use as seeds also URLs with fewer visitors than privacy.min_users (5). The operator of the site, and readers of the archive, can
    /// then see that somebody visited them
    #[arg(long, help_heading = "Order")]
    pub(crate) seed_rare: bool,
    /// Resume although a part of the crawl is lost or damaged: what is missing is fetched again
    #[arg(long)]
    pub(crate) mend: bool,
    /// Watch the files of the models; when one changes, swap to it while the crawl runs
    #[arg(long, help_heading = "Order")]
    pub(crate) watch_models: bool,
    /// The policy: which URL next? docs/simulate.md lists them [default: blend]
    #[arg(long, value_name = "NAME", help_heading = "Order")]
    pub(crate) policy: Option<PolicyName>,
    /// The goal of the crawl [default: fetch]
    #[arg(long, value_enum, help_heading = "Order")]
    pub(crate) goal: Option<GoalName>,
    /// What is looked for by the topical policies: words, or an expression such as 'title:rust and not url:/print/' (docs/topical.md)
    #[arg(long, value_name = "TOPIC", help_heading = "Order")]
    pub(crate) topic: Option<String>,
    /// Random seed, for the policy `random`
    #[arg(long, value_name = "N", help_heading = "Order")]
    pub(crate) seed: Option<u64>,
    /// Stop after N pages in all runs. A page is an answer with a status of 2xx and a type that is kept (--type);
    /// redirects, errors, robots.txt and sitemaps do not count
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub(crate) pages: Option<u64>,
    /// Stop after this many bytes of answers, as 1GiB or 500MB; all runs of the crawl count
    #[arg(long, value_name = "SIZE", help_heading = "Budget")]
    pub(crate) bytes: Option<Bytes>,
    /// Stop after this time, as 90s, 30m, 12h or 2d; all runs of the crawl count
    #[arg(long, value_name = "TIME", help_heading = "Budget")]
    pub(crate) time: Option<Seconds>,
    /// At most N pages of one host
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub(crate) pages_per_site: Option<u64>,
    /// At most N pages of one URL pattern of the model
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub(crate) pages_per_pattern: Option<u64>,
    /// At most N pages below one path prefix (the first two folders) of a site that no model knows [default: 100000]
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub(crate) pages_per_prefix: Option<u64>,
    /// A host that belongs to the crawl [default: the hosts of the seeds]
    #[arg(long = "host", value_name = "HOST", help_heading = "Scope")]
    pub(crate) hosts: Vec<String>,
    /// A domain that belongs to the crawl, with all hosts below it
    #[arg(long = "domain", value_name = "DOMAIN", help_heading = "Scope")]
    pub(crate) domains: Vec<String>,
    /// URLs that begin so belong to the crawl, as example.org/docs/
    #[arg(long = "prefix", value_name = "URL", help_heading = "Scope")]
    pub(crate) prefixes: Vec<String>,
    /// Only URLs that match this glob (over path and query if it begins with /, else over the URL); does not apply to seeds
    #[arg(long = "include", value_name = "GLOB", help_heading = "Scope")]
    pub(crate) include: Vec<String>,
    /// No URLs that match this glob; does not apply to seeds
    #[arg(long = "exclude", value_name = "GLOB", help_heading = "Scope")]
    pub(crate) exclude: Vec<String>,
    /// Only URLs at most N links away from a seed
    #[arg(long, value_name = "N", help_heading = "Scope")]
    pub(crate) depth: Option<u16>,
    /// Crawl every host that links lead to
    #[arg(long, help_heading = "Scope")]
    pub(crate) anywhere: bool,
    /// A media type to keep in addition to HTML, as image/*
    #[arg(long = "type", value_name = "TYPE", help_heading = "Scope")]
    pub(crate) types: Vec<String>,
    /// A sitemap whose URLs are seeds
    #[arg(long = "sitemap", value_name = "URL", help_heading = "Scope")]
    pub(crate) sitemaps: Vec<String>,
    /// Do not read the sitemaps and feeds that robots.txt and pages name
    #[arg(long, help_heading = "Scope")]
    pub(crate) no_sitemaps: bool,
    /// Pause from an answer of a host to the next request, as 500ms or 2s; longer if robots.txt says so or the host gets slow
    /// [default: 1s]
    #[arg(long, value_name = "TIME", help_heading = "Politeness")]
    pub(crate) delay: Option<Millis>,
    /// The same for an IP address, whatever the host [default: 100ms]
    #[arg(long, value_name = "TIME", help_heading = "Politeness")]
    pub(crate) address_delay: Option<Millis>,
    /// Parallel requests, over all hosts [default: 32]
    #[arg(long, value_name = "N", help_heading = "Politeness")]
    pub(crate) at_once: Option<usize>,
    /// Parallel requests to one host [default: 1]
    #[arg(long, value_name = "N", help_heading = "Politeness")]
    pub(crate) at_once_per_host: Option<u32>,
    /// Where operators of sites can reach you: an e-mail address or a page; stored for later crawls
    #[arg(long, value_name = "MAIL|URL", help_heading = "Politeness")]
    pub(crate) contact: Option<String>,
    /// User agent, as 'mybot/1.0'; the contact is added, unless the text has a comment. robots.txt is obeyed under that name
    /// [default: trodden/VERSION]
    #[arg(long, value_name = "TEXT", help_heading = "Politeness")]
    pub(crate) user_agent: Option<String>,
    /// Crawl private and loopback addresses too
    #[arg(long, help_heading = "Network")]
    pub(crate) allow_private: bool,
    /// Add a header to every request, as 'Accept-Language: de'
    #[arg(long = "header", value_name = "NAME: VALUE", help_heading = "Network")]
    pub(crate) headers: Vec<String>,
    /// Accept and send cookies during this run
    #[arg(long, help_heading = "Network")]
    pub(crate) cookies: bool,
    /// Send every request through this HTTP proxy
    #[arg(long, value_name = "URL", help_heading = "Network")]
    pub(crate) proxy: Option<String>,
    /// Set the address of a host, as example.org:192.0.2.1
    #[arg(long = "resolve", value_name = "HOST:ADDRESS", help_heading = "Network")]
    pub(crate) resolve: Vec<String>,
    /// Write no WARC files
    #[arg(long, help_heading = "Archive")]
    pub(crate) no_archive: bool,
    /// Compression level of records, from 1 (fast) to 9 (small)
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(1..=9), help_heading = "Archive")]
    pub(crate) gzip: Option<u32>,
    /// Begin a new WARC file after this many bytes [default: 1GB]
    #[arg(long, value_name = "SIZE", help_heading = "Archive")]
    pub(crate) warc_size: Option<Bytes>,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

const EXAMPLES: &str =
    "In a folder that holds a crawl, that crawl is resumed. Options that you give again replace the earlier ones.

Examples:
  trodden crawl https://example.org                        the whole host, one page a second
  trodden crawl https://example.org --model site.model --pages 5000 -o crawl/
  trodden crawl -o crawl/ --pages 10000                    resume, with a larger budget
  trodden crawl seeds.txt --domain example.org --exclude '*/print/*' --time 8h
  trodden crawl https://example.org --sitemap https://example.org/sitemap.xml --delay 5s
  trodden simulate crawl/ --log access.log                 was the order any good?";

/// A time in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Millis(pub(crate) u64);

/// A time in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seconds(pub(crate) u64);

impl FromStr for Millis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || "write it as 500ms, 2s, 30m, 12h or 2d".to_owned();
        let text = text.trim();
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit: f64 = match &text[digits.len()..] {
            "ms" => 1.0,
            "s" | "" => 1e3,
            "m" | "min" => 6e4,
            "h" => 3.6e6,
            "d" => 8.64e7,
            _ => return Err(wrong()),
        };
        let number: f64 = digits.trim().parse().map_err(|_| wrong())?;
        let millis = number * unit;
        if (0.0..1e15).contains(&millis) { Ok(Self(millis as u64)) } else { Err(wrong()) }
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.parse::<Millis>()?.0.div_ceil(1_000)))
    }
}

/// As it can be typed: nothing is rounded.
impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            seconds if seconds > 0 && seconds.is_multiple_of(86_400) => write!(f, "{}d", seconds / 86_400),
            seconds if seconds > 0 && seconds.is_multiple_of(3_600) => write!(f, "{}h", seconds / 3_600),
            seconds if seconds > 60 && seconds.is_multiple_of(60) => write!(f, "{}m", seconds / 60),
            seconds => write!(f, "{seconds}s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_times_are_read_as_people_write_them() {
        for (text, millis) in
            [("500ms", 500), ("2s", 2_000), ("0", 0), ("1.5", 1_500), ("30m", 1_800_000), ("2d", 172_800_000)]
        {
            assert_eq!(text.parse(), Ok(Millis(millis)), "{text}");
        }
        assert_eq!("90s".parse(), Ok(Seconds(90)));
        for text in ["1s", "90s", "30m", "8h", "2d"] {
            assert_eq!(text.parse::<Seconds>().unwrap().to_string(), text);
        }
        for text in ["", "s", "-1s", "1y", "nan", "inf"] {
            assert!(text.parse::<Millis>().is_err(), "{text}");
        }
    }
}
