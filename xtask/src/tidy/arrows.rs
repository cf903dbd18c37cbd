//! Does a crate depend only on the crates it may use?
//!
//! The table is the shape of the workspace. A new arrow is a decision: it changes this table and ARCHITECTURE.md.

use toml::{Table, Value};

use super::Finding;
use super::tree::Tree;

/// What a crate may use of this workspace.
enum May {
    Only(&'static [&'static str]),
    All,
}

/// The crates, each with what it may use.
const ARROWS: &[(&str, May)] = &[
    ("urls", May::Only(&[])),
    ("mining", May::Only(&["urls"])),
    ("logs", May::Only(&["urls", "mining"])),
    ("frontier", May::Only(&["urls"])),
    ("ordering", May::Only(&["urls", "mining", "frontier"])),
    ("archive", May::Only(&["urls"])),
    ("fetch", May::Only(&["urls", "ordering", "frontier", "archive"])),
    ("lab", May::Only(&["urls", "logs", "mining", "ordering", "frontier", "archive"])),
    ("serve", May::Only(&["urls", "mining", "ordering", "frontier", "lab"])),
    ("trodden", May::All),
];

/// Every kind of dependency is an arrow, those of tests too.
const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        let Some(folder) = path.strip_prefix("crates/").and_then(|rest| rest.strip_suffix("/Cargo.toml")) else {
            continue;
        };
        if folder.contains('/') {
            continue;
        }
        let Some((_, may)) = ARROWS.iter().find(|(name, _)| *name == folder) else {
            findings.push(Finding::failure(path, 1, format!("crate `{folder}` is not in the table of crates, add it to xtask/src/tidy/arrows.rs and to ARCHITECTURE.md")));
            continue;
        };
        let manifest: Table = match toml::from_str(text) {
            Ok(manifest) => manifest,
            Err(error) => {
                findings.push(Finding::failure(
                    path,
                    1,
                    format!("the manifest does not parse ({}), mend it", error.message()),
                ));
                continue;
            }
        };
        for used in ours(&manifest) {
            let allowed = match may {
                May::All => true,
                May::Only(names) => names.contains(&used.as_str()),
            };
            if !allowed {
                let line =
                    text.lines().position(|line| line.contains(&format!("trodden-{used}"))).map_or(1, |at| at + 1);
                findings.push(Finding::failure(path, line, format!("`{folder}` may not use `{used}`, drop the dependency or move the code to the crate that owns it")));
            }
        }
    }
    findings
}

/// The crates of this workspace that a manifest names, without their prefix.
fn ours(manifest: &Table) -> Vec<String> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table).chain([manifest]);
    let mut names = Vec::new();
    for (key, value) in tables.flat_map(|table| KINDS.iter().filter_map(|kind| table.get(*kind)?.as_table())).flatten()
    {
        let package = value.get("package").and_then(Value::as_str).unwrap_or(key);
        names.extend(package.strip_prefix("trodden-").map(str::to_owned));
    }
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::super::lines_of;
    use super::*;

    #[test]
    fn allowed_arrows_pass() {
        let good = "[dependencies]\ntrodden-urls.workspace = true\nurl = \"2\"\n";
        assert!(lines_of(check, &[("crates/mining/Cargo.toml", good), ("crates/trodden/Cargo.toml", good)]).is_empty());
    }

    #[test]
    fn an_arrow_against_the_grain_fails_with_its_line() {
        let bad = "[dependencies]\nurl = \"2\"\ntrodden-logs.workspace = true\n";
        let lines = lines_of(check, &[("crates/mining/Cargo.toml", bad)]);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("crates/mining/Cargo.toml:3: `mining` may not use `logs`"), "{lines:?}");
    }

    #[test]
    fn renamed_target_and_dev_dependencies_count() {
        for bad in [
            "[dependencies]\nx = { package = \"trodden-logs\", path = \"../logs\" }\n",
            "[target.'cfg(unix)'.dependencies]\ntrodden-logs = \"1\"\n",
            "[dev-dependencies]\ntrodden-logs.workspace = true\n",
        ] {
            assert_eq!(lines_of(check, &[("crates/urls/Cargo.toml", bad)]).len(), 1, "{bad}");
        }
    }

    #[test]
    fn an_unknown_crate_fails() {
        let lines = lines_of(check, &[("crates/util/Cargo.toml", "")]);
        assert!(lines[0].contains("`util` is not in the table"), "{lines:?}");
    }
}
