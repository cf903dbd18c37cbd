//! What was asked for, as names and values. Nothing secret: a proxy may have a password.

use anyhow::{Context, Result};

use crate::command::crawl::request::Request;

/// Members of a list that are shown.
const MAX_MEMBERS: usize = 5;

/// What was crawled, in a word: the host of what it started from.
pub(super) fn name(request: &Request) -> String {
    let hosts = &request.crawl.scope.hosts;
    match (hosts.first(), request.seeds.first()) {
        (Some(host), _) if hosts.len() == 1 => host.clone(),
        (Some(host), _) => format!("{host} and {} more", hosts.len() - 1),
        (None, Some(seed)) => seed.clone(),
        (None, None) => "what models and visits name".to_owned(),
    }
}

/// Names and values.
pub(super) fn settings(request: &Request) -> Result<Vec<(String, String)>> {
    let mut shown = request.clone();
    if shown.proxy.is_some() {
        shown.proxy = Some("(one is used)".to_owned());
    }
    let table = toml::Value::try_from(&shown).context("cannot show the settings of the crawl")?;
    let mut settings = Vec::new();
    flatten("", &table, &mut settings);
    settings.retain(|(name, value)| name != "trodden_crawl" && !value.is_empty());
    Ok(settings)
}

fn flatten(name: &str, value: &toml::Value, into: &mut Vec<(String, String)>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(&name, value, into);
            }
        }
        toml::Value::Array(members) => {
            let mut text: Vec<String> = members.iter().take(MAX_MEMBERS).map(plain).collect();
            if members.len() > MAX_MEMBERS {
                text.push(format!("and {} more", members.len() - MAX_MEMBERS));
            }
            into.push((name.to_owned(), text.join(", ")));
        }
        value => into.push((name.to_owned(), plain(value))),
    }
}

fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
