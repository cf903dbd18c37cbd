//! What was asked for: `crawl.toml` in the folder of the crawl, and what is typed over it when the crawl goes on.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use trodden_fetch::crawl::CrawlSettings;
use trodden_ordering::PolicyName;

use super::alias::HostAliases;
use super::knowledge::Sources;
use crate::args::{CrawlArgs, GoalName};
use crate::config::{Config, set_over};

/// The file.
const FILE: &str = "crawl.toml";
/// The file while it is written.
const PART: &str = ".crawl.toml.part";
/// The version of the format.
const VERSION: u32 = 1;

/// What was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Of the format.
    pub(super) trodden_crawl: u32,
    /// URLs to start from.
    pub(super) seeds: Vec<String>,
    /// Sitemaps to start from.
    pub(super) sitemaps: Vec<String>,
    /// Models, in this folder.
    pub(super) models: Vec<String>,
    /// Where the models were copied from.
    #[serde(default)]
    pub(super) model_files: Vec<PathBuf>,
    /// Whether they are read again when they change there.
    #[serde(default)]
    pub(super) watch_models: bool,
    /// Visits, where they were.
    pub(super) visits: Vec<String>,
    /// Hosts of the crawl that are hosts of models and visits under another name, as `HOST=HOST`.
    #[serde(default)]
    pub(super) aliases: Vec<String>,
    /// Which models these are: 0 for the first.
    #[serde(default)]
    pub(super) model_number: u32,
    /// Whether the URLs of models and visits are no seeds.
    pub(super) linked_only: bool,
    /// Whether URLs of visits are seeds that few people visited.
    #[serde(default)]
    pub(super) seed_rare: bool,
    pub(super) policy: String,
    pub(super) goal: GoalName,
    pub(super) topic: Option<String>,
    pub(super) seed: u64,
    pub(super) contact: Option<String>,
    pub(super) allow_private: bool,
    pub(super) proxy: Option<String>,
    pub(super) resolve: Vec<String>,
    pub(super) gzip: u32,
    pub(super) warc_bytes: u64,
    pub(super) crawl: CrawlSettings,
    /// What it went by before.
    #[serde(default)]
    pub(super) before: Vec<Before>,
}

/// What a crawl went by before it was given other models. A crawl that is killed while it changes over may still go by any of
/// them: the frontier says by which.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Before {
    pub(super) model_number: u32,
    pub(super) models: Vec<String>,
    pub(super) visits: Vec<String>,
    #[serde(default)]
    pub(super) aliases: Vec<String>,
}

fn paths(folder: &Path, names: &[String]) -> Vec<PathBuf> {
    names.iter().map(|name| folder.join(name)).collect()
}

impl Request {
    /// Whether a folder holds a crawl.
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// What is asked for anew.
    pub(super) fn new(args: &CrawlArgs, config: &Config, seeds: Vec<String>) -> Result<Self> {
        let mut request = Self {
            trodden_crawl: VERSION,
            seeds,
            sitemaps: args.sitemaps.clone(),
            models: Vec::new(),
            model_files: Vec::new(),
            watch_models: false,
            visits: Vec::new(),
            aliases: args.aliases.clone(),
            model_number: 0,
            linked_only: args.linked_only,
            seed_rare: false,
            policy: PolicyName::Blend.to_string(),
            goal: GoalName::Fetch,
            topic: None,
            seed: 1,
            contact: None,
            allow_private: false,
            proxy: None,
            resolve: Vec::new(),
            gzip: trodden_fetch::crawl::ArchiveSettings::DEFAULT_GZIP,
            warc_bytes: trodden_fetch::crawl::ArchiveSettings::DEFAULT_FILE_BYTES,
            crawl: config.crawl.clone(),
            before: Vec::new(),
        };
        request.overlay(args);
        request.crawl.check()?;
        request.scope_of_seeds()?;
        Ok(request)
    }

    /// What was asked for before.
    pub(super) fn kept(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let request: Self = toml::from_str(&text).with_context(|| format!("{} is not a crawl's", path.display()))?;
        if request.trodden_crawl != VERSION {
            bail!(
                "{} is of version {}; this program knows {VERSION}: start in a new folder",
                path.display(),
                request.trodden_crawl
            );
        }
        Ok(request)
    }

    /// What was asked for before, with what is typed now over it.
    pub(super) fn read(folder: &Path, args: &CrawlArgs) -> Result<Self> {
        let mut request = Self::kept(folder)?;
        if let Some(policy) = args.policy.as_ref().filter(|policy| policy.to_string() != request.policy) {
            bail!("the crawl was begun with --policy {}; for {policy} start in a new folder", request.policy);
        }
        if args.goal.is_some_and(|goal| goal != request.goal) {
            bail!("the crawl was begun with another --goal; start in a new folder");
        }
        set_over(&mut request.crawl, &args.settings.set)?;
        request.overlay(args);
        request.crawl.check().with_context(|| format!("{}", folder.join(FILE).display()))?;
        Ok(request)
    }

    /// Puts it on disk; without the password of a proxy: a folder is passed on sooner than one thinks.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let (path, part) = (folder.join(FILE), folder.join(PART));
        let kept = Self { proxy: self.proxy.as_deref().map(without_password), ..self.clone() };
        let text = toml::to_string_pretty(&kept).context("cannot write the settings of the crawl")?;
        fs::write(&part, text)
            .and_then(|()| fs::rename(&part, &path))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// The policy by name.
    pub(super) fn policy(&self) -> Result<PolicyName> {
        Ok(self.policy.parse()?)
    }

    /// Its models.
    pub(super) fn models_in(&self, folder: &Path) -> Vec<PathBuf> {
        paths(folder, &self.models)
    }

    /// What is known before it begins.
    pub(super) fn sources(&self, folder: &Path) -> Result<Sources> {
        let aliases = HostAliases::new(&self.aliases, self)?;
        Ok(Sources { models: self.models_in(folder), visits: self.visits.clone(), aliases })
    }

    /// What was known before it was given other models, if those are in force.
    pub(super) fn sources_before(&self, in_force: u32, folder: &Path) -> Result<Option<Sources>> {
        let Some(before) = self.before.iter().find(|before| before.model_number == in_force) else { return Ok(None) };
        let aliases = HostAliases::new(&before.aliases, self)?;
        Ok(Some(Sources { models: paths(folder, &before.models), visits: before.visits.clone(), aliases }))
    }

    /// Other models come: those so far are what it went by before.
    pub(super) fn set_aside(&mut self) {
        let (models, visits) = (std::mem::take(&mut self.models), std::mem::take(&mut self.visits));
        self.before.push(Before { model_number: self.model_number, models, visits, aliases: self.aliases.clone() });
        self.model_number += 1;
    }

    /// The models in force are these: of those before only the last are kept, in case what changed over is not on disk yet.
    pub(super) fn forget_all_but(&mut self, last: u32, folder: &Path) -> Result<()> {
        let (kept, gone): (Vec<Before>, Vec<Before>) =
            std::mem::take(&mut self.before).into_iter().partition(|before| before.model_number == last);
        self.before = kept;
        self.write(folder)?;
        let used: Vec<&String> =
            self.models.iter().chain(self.before.iter().flat_map(|before| &before.models)).collect();
        for model in gone.iter().flat_map(|before| &before.models).filter(|model| !used.contains(model)) {
            // One that was never copied whole is none to be missed.
            let _ = fs::remove_file(folder.join(model));
        }
        Ok(())
    }

    fn overlay(&mut self, args: &CrawlArgs) {
        fn set<T>(slot: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *slot = value;
            }
        }
        fn list(slot: &mut Vec<String>, values: &[String]) {
            if !values.is_empty() {
                *slot = values.to_vec();
            }
        }
        set(&mut self.policy, args.policy.as_ref().map(ToString::to_string));
        set(&mut self.goal, args.goal);
        set(&mut self.seed, args.seed);
        set(&mut self.gzip, args.gzip);
        set(&mut self.warc_bytes, args.warc_size.map(|size| size.0));
        self.topic = args.topic.clone().or(self.topic.take());
        self.contact = args.contact.clone().or(self.contact.take());
        self.proxy = args.proxy.clone().or(self.proxy.take());
        self.linked_only |= args.linked_only;
        self.seed_rare |= args.seed_rare;
        self.watch_models |= args.watch_models;
        self.allow_private |= args.allow_private;
        list(&mut self.resolve, &args.resolve);
        let crawl = &mut self.crawl;
        let budget = &mut crawl.budget;
        budget.pages = args.pages.or(budget.pages);
        budget.bytes = args.bytes.map(|bytes| bytes.0).or(budget.bytes);
        budget.seconds = args.time.map(|time| time.0).or(budget.seconds);
        budget.pages_per_site = args.pages_per_site.or(budget.pages_per_site);
        budget.pages_per_pattern = args.pages_per_pattern.or(budget.pages_per_pattern);
        budget.pages_per_prefix = args.pages_per_prefix.or(budget.pages_per_prefix);
        let scope = &mut crawl.scope;
        list(&mut scope.hosts, &args.hosts);
        list(&mut scope.domains, &args.domains);
        list(&mut scope.prefixes, &args.prefixes);
        list(&mut scope.include, &args.include);
        list(&mut scope.exclude, &args.exclude);
        scope.max_depth = args.depth.or(scope.max_depth);
        scope.anywhere |= args.anywhere;
        for kind in &args.types {
            // Without pages nothing leads on.
            if !crawl.content_types.contains(kind) {
                crawl.content_types.push(kind.clone());
            }
        }
        crawl.user_agent = args.user_agent.clone().or(crawl.user_agent.take());
        set(&mut crawl.delay_ms, args.delay.map(|delay| delay.0));
        set(&mut crawl.address_delay_ms, args.address_delay.map(|delay| delay.0));
        set(&mut crawl.at_once, args.at_once);
        set(&mut crawl.at_once_per_host, args.at_once_per_host);
        if args.no_sitemaps {
            (crawl.sitemaps, crawl.feeds) = (false, false);
        }
        crawl.archive &= !args.no_archive;
        crawl.cookies |= args.cookies;
    }

    /// Without any other word, the hosts of the seeds are the crawl.
    fn scope_of_seeds(&mut self) -> Result<()> {
        let scope = &mut self.crawl.scope;
        if !scope.is_unsaid() {
            return Ok(());
        }
        let canonicalizer = trodden_fetch::crawl::canonicalizer();
        for seed in self.seeds.iter().chain(&self.sitemaps) {
            let url = canonicalizer.absolute(seed.as_bytes());
            let url = url.map_err(|fault| anyhow::anyhow!("{seed:?} is no URL: {fault}"))?;
            scope.hosts.push(url.host().to_owned());
        }
        scope.hosts.sort_unstable();
        scope.hosts.dedup();
        Ok(())
    }
}

/// Whether a file is left of a crawl that never began.
pub(super) fn is_part(name: &str) -> bool {
    name == PART
}

/// A URL without user and password.
fn without_password(url: &str) -> String {
    let (scheme, rest) = url.split_at(url.find("://").map_or(0, |at| at + "://".len()));
    let authority = rest.find('/').unwrap_or(rest.len());
    let host = rest[..authority].rfind('@').map_or(0, |at| at + 1);
    format!("{scheme}{}", &rest[host..])
}

/// The folder of a crawl: the one that was named, or one by the host of the first seed.
pub(super) fn folder(args: &CrawlArgs, seeds: &[String]) -> Result<PathBuf> {
    if let Some(folder) = &args.output {
        return Ok(folder.clone());
    }
    let Some(first) = seeds.first() else {
        bail!("name a URL to start from, or the folder of a crawl to resume (-o DIR)")
    };
    let canonicalizer = trodden_fetch::crawl::canonicalizer();
    let url =
        canonicalizer.absolute(first.as_bytes()).map_err(|fault| anyhow::anyhow!("{first:?} is no URL: {fault}"))?;
    Ok(PathBuf::from(format!("{}.crawl", url.host().trim_matches(['[', ']']))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_no_password_of_a_proxy_is_kept() {
        for (typed, kept) in [
            ("http://ann:secret@proxy.example:3128", "http://proxy.example:3128"),
            ("http://ann:se@cret@proxy.example:3128/", "http://proxy.example:3128/"),
            ("http://proxy.example:3128/a@b", "http://proxy.example:3128/a@b"),
            ("ann:secret@proxy.example:3128", "proxy.example:3128"),
        ] {
            assert_eq!(without_password(typed), kept);
        }
    }
}
