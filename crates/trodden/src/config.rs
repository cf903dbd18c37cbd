//! Settings: built-in, then `trodden.toml`, then `--set`, then flags.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use trodden_fetch::crawl::CrawlSettings;
use trodden_logs::clean::Cleaning;
use trodden_logs::input::InputCaps;
use trodden_mining::MiningSettings;
use trodden_urls::{Rules, SiteGrouping};

use crate::args::SettingArgs;
use crate::output::say;

/// The file that is read if it is there.
const FILE: &str = "trodden.toml";

/// Larger settings files are a mistake.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Everything that can be set.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    /// What makes URLs canonical.
    pub(crate) urls: Rules,
    /// What makes a visit.
    pub(crate) cleaning: Cleaning,
    /// What is too long.
    pub(crate) caps: InputCaps,
    /// What a site is.
    pub(crate) sites: Sites,
    /// What may be named.
    pub(crate) privacy: Privacy,
    /// How patterns are found and ranked.
    pub(crate) mining: MiningSettings,
    /// How crawls are run.
    pub(crate) crawl: CrawlSettings,
    /// By origin, as `https://example.org`: `basic USER:PASSWORD` or `bearer TOKEN`. Never kept with a crawl.
    pub(crate) auth: BTreeMap<String, Password>,
}

/// How to be let in somewhere. It does not print itself.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Password(pub(crate) String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(***)")
    }
}

/// What may be named outside the private visits.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Privacy {
    /// Users that something must have before it is named.
    pub(crate) min_users: u64,
}

impl Default for Privacy {
    fn default() -> Self {
        Self { min_users: 5 }
    }
}

/// What a site is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Sites {
    /// Host or registrable domain.
    pub(crate) by: SiteGrouping,
    /// `HOST=HOST`.
    pub(crate) aliases: Vec<String>,
}

impl Default for Sites {
    fn default() -> Self {
        Self { by: SiteGrouping::Host, aliases: Vec::new() }
    }
}

impl Config {
    /// Reads the file and the single settings.
    pub(crate) fn load(args: &SettingArgs) -> Result<Self> {
        let named = args.config.as_deref();
        let path = named.unwrap_or(Path::new(FILE));
        let mut table = if named.is_some() || path.is_file() { read(path)? } else { toml::Table::new() };
        if named.is_none() && path.is_file() {
            say(&format!("settings from {FILE}"));
        }
        for setting in &args.set {
            set(&mut table, setting)?;
        }
        let config: Self = serde_path_to_error::deserialize(table).map_err(|e| {
            let at = e.path().to_string();
            anyhow::anyhow!("settings: {at}: {}", e.into_inner().message().trim())
        })?;
        config.check()?;
        Ok(config)
    }

    /// What numbers of the right type can still get wrong.
    fn check(&self) -> Result<()> {
        for (name, value, least, most) in [
            ("caps.url_bytes", self.caps.url_bytes, 64, 1 << 15),
            ("caps.line_bytes", self.caps.line_bytes, 64, 1 << 24),
        ] {
            if !(least..=most).contains(&value) {
                bail!("settings: {name} is {value}; it must be from {least} to {most}");
            }
        }
        if let Err(why) = self.cleaning.bots.check() {
            bail!("settings: cleaning.bots: {why}");
        }
        if self.caps.ratio == 0 {
            bail!("settings: caps.ratio must be at least 1");
        }
        self.crawl.check().context("settings")?;
        self.mining.check().context("settings")
    }
}

fn read(path: &Path) -> Result<toml::Table> {
    let size = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?.len();
    if size > MAX_FILE_BYTES {
        bail!("{} has {size} bytes; settings have at most {MAX_FILE_BYTES}", path.display());
    }
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.parse().with_context(|| format!("{} is not TOML", path.display()))
}

/// Single settings of a crawl, over those that are kept with it. Settings of other things are none of its own.
pub(crate) fn set_over(crawl: &mut CrawlSettings, settings: &[String]) -> Result<()> {
    let settings: Vec<&String> = settings.iter().filter(|setting| setting.trim_start().starts_with("crawl.")).collect();
    if settings.is_empty() {
        return Ok(());
    }
    let kept = toml::Value::try_from(&*crawl).context("cannot read the settings of the crawl")?;
    let mut table = toml::Table::from_iter([("crawl".to_owned(), kept)]);
    for setting in settings {
        set(&mut table, setting)?;
    }
    let wrong = |error: serde_path_to_error::Error<toml::de::Error>| {
        anyhow::anyhow!("settings: {}: {}", error.path(), error.inner().message().trim())
    };
    *crawl = serde_path_to_error::deserialize::<_, Config>(table).map_err(wrong)?.crawl;
    Ok(())
}

/// `cleaning.group_day=5000`; the value as TOML writes it, or plain text.
fn set(table: &mut toml::Table, setting: &str) -> Result<()> {
    let (key, value) = setting.split_once('=').with_context(|| format!("--set {setting:?}: write it as KEY=VALUE"))?;
    let parsed = format!("v = {value}").parse::<toml::Table>().ok().and_then(|mut t| t.remove("v"));
    let value = parsed.unwrap_or_else(|| toml::Value::String(value.to_owned()));
    let mut keys: Vec<&str> = key.trim().split('.').collect();
    let last = keys.pop().unwrap_or_default();
    let mut table = table;
    for key in keys {
        let inner = table.entry(key).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        table = inner.as_table_mut().with_context(|| format!("--set {setting:?}: {key} is not a group of settings"))?;
    }
    table.insert(last.to_owned(), value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(set: &[&str]) -> Result<Config> {
        let set = set.iter().map(|s| (*s).to_owned()).collect();
        Config::load(&SettingArgs { config: None, set })
    }

    #[test]
    fn ours_single_settings_win_and_mistakes_are_named() {
        let config = load(&["cleaning.group_day=5000", "urls.tracking=false", "sites.by=registrable-domain"]).unwrap();
        assert_eq!(config.cleaning.group_day, 5_000);
        assert!(!config.urls.tracking && config.urls.session_ids);
        assert_eq!(config.sites.by, SiteGrouping::RegistrableDomain);
        let error = load(&["cleaning.grup_day=5"]).unwrap_err().to_string();
        assert!(error.contains("cleaning") && error.contains("grup_day") && error.contains("group_day"), "{error}");
        assert!(load(&["cleaning"]).unwrap_err().to_string().contains("KEY=VALUE"));
        assert!(load(&["cleaning.group_day=many"]).is_err());
        let mut crawl = CrawlSettings { delay_ms: 7, ..CrawlSettings::default() };
        set_over(&mut crawl, &["crawl.patience_s=3".to_owned(), "cleaning.bots=false".to_owned()]).unwrap();
        assert_eq!((crawl.delay_ms, crawl.patience_s), (7, 3), "what is not set stays as it was");
        assert!(set_over(&mut crawl, &["crawl.patience=3".to_owned()]).is_err());
    }
}
