//! Settings, as `trodden.toml` has them.

use serde::{Deserialize, Serialize};
use trodden_fetch::crawl::CrawlSettings;
use trodden_logs::clean::Cleaning;
use trodden_logs::input::InputCaps;
use trodden_mining::MiningSettings;
use trodden_urls::Rules;

/// The groups of settings that crates read for themselves.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Groups {
    urls: Rules,
    cleaning: Cleaning,
    caps: InputCaps,
    mining: MiningSettings,
    crawl: CrawlSettings,
}

/// Settings that are read can be written, and read again they are the same; a fault has a text.
pub(super) fn file(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let groups: Groups = match toml::from_str(text) {
        Ok(groups) => groups,
        Err(fault) => return assert!(!fault.message().is_empty()),
    };
    for fault in [groups.crawl.check().err().map(|e| e.to_string()), groups.mining.check().err().map(|e| e.to_string())]
    {
        assert!(fault.is_none_or(|fault| !fault.is_empty()));
    }
    let written = toml::to_string(&groups).expect("settings that were read can be written");
    let again: Groups = toml::from_str(&written).expect("settings that were written can be read");
    assert_eq!(toml::to_string(&again).expect("as before"), written, "written and read again");
}
