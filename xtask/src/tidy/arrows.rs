//! Does a crate depend only on the crates it may use?
//!
//! The table is the shape of the workspace. A new arrow is a decision: it changes this table and ARCHITECTURE.md.

use toml::{Table, Value};

use super::Finding;
use super::tree::Tree;

/// What a crate may use of this workspace.
enum May {
    Only(&'static [&'static str]),
    /// All that ships.
    Shipped,
}

/// The folders of the crates, each with what it may use.
const ARROWS: &[(&str, May)] = &[
    ("crates/domains", May::Only(&[])),
    ("crates/urls", May::Only(&["domains"])),
    ("crates/mining", May::Only(&["urls"])),
    ("crates/logs", May::Only(&["urls", "mining"])),
    ("crates/frontier", May::Only(&["urls"])),
    ("crates/ordering", May::Only(&["urls", "mining", "frontier"])),
    ("crates/session", May::Only(&["urls", "mining", "frontier", "ordering"])),
    ("crates/archive", May::Only(&["urls"])),
    ("crates/fetch", May::Only(&["domains", "urls", "session", "ordering", "frontier", "archive", "report"])),
    ("crates/report", May::Only(&[])),
    ("crates/lab", May::Only(&["urls", "logs", "mining", "ordering", "frontier", "archive", "report"])),
    ("crates/serve", May::Only(&["urls", "mining", "logs", "ordering", "frontier", "session", "report"])),
    ("crates/trodden", May::Shipped),
    // What does not ship. `xtask` uses none of it, so that it is built in seconds.
    ("bench", May::Shipped),
    ("fuzz", May::Shipped),
    ("testing", May::Only(&[])),
    ("xtask", May::Only(&[])),
];

/// The one crate that does not ship and may be used: by tests.
const FOR_TESTS: &str = "testing";

/// Every kind of dependency is an arrow, those of tests too.
const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        let Some(folder) = path.strip_suffix("/Cargo.toml") else {
            continue;
        };
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
        let name = folder.strip_prefix("crates/").unwrap_or(folder);
        for (kind, used) in ours(&manifest) {
            let ships = ARROWS.iter().any(|(folder, _)| folder.strip_prefix("crates/") == Some(used.as_str()));
            let allowed = match may {
                _ if used == FOR_TESTS => kind == "dev-dependencies",
                May::Shipped => ships,
                May::Only(names) => names.contains(&used.as_str()),
            };
            if !allowed {
                let line =
                    text.lines().position(|line| line.contains(&format!("trodden-{used}"))).map_or(1, |at| at + 1);
                let what = if used == FOR_TESTS {
                    format!("`{used}` is for tests, move it to [dev-dependencies]")
                } else {
                    format!(
                        "`{name}` may not use `{used}`, drop the dependency or move the code to the crate that owns it"
                    )
                };
                findings.push(Finding::failure(path, line, what));
            }
        }
    }
    findings
}

/// The crates of this workspace that a manifest names, without their prefix, and as what.
fn ours(manifest: &Table) -> Vec<(&'static str, String)> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table).chain([manifest]);
    let mut names = Vec::new();
    for table in tables {
        for kind in KINDS {
            for (key, value) in table.get(kind).and_then(Value::as_table).into_iter().flatten() {
                let package = value.get("package").and_then(Value::as_str).unwrap_or(key);
                names.extend(package.strip_prefix("trodden-").map(|name| (kind, name.to_owned())));
            }
        }
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
    fn what_does_not_ship_is_used_by_nobody_and_xtask_uses_nothing() {
        let uses = |name: &str, kind: &str| format!("[{kind}]\ntrodden-{name}.workspace = true\n");
        for (path, used, kind, good) in [
            ("bench/Cargo.toml", "lab", "dependencies", true),
            ("fuzz/Cargo.toml", "fetch", "dependencies", true),
            ("crates/trodden/Cargo.toml", "bench", "dependencies", false),
            ("crates/trodden/Cargo.toml", "fuzz", "dev-dependencies", false),
            ("bench/Cargo.toml", "fuzz", "dependencies", false),
            ("xtask/Cargo.toml", "urls", "dependencies", false),
            ("crates/urls/Cargo.toml", "testing", "dev-dependencies", true),
            ("crates/trodden/Cargo.toml", "testing", "dependencies", false),
            ("testing/Cargo.toml", "urls", "dependencies", false),
        ] {
            assert_eq!(lines_of(check, &[(path, &uses(used, kind))]).is_empty(), good, "{path} {used} {kind}");
        }
    }

    #[test]
    fn an_unknown_crate_fails() {
        let lines = lines_of(check, &[("crates/util/Cargo.toml", "")]);
        assert!(lines[0].contains("`crates/util` is not in the table"), "{lines:?}");
        assert_eq!(lines_of(check, &[("common/Cargo.toml", "")]).len(), 1);
    }
}
