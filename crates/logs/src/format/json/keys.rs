//! Which keys do JSON lines have that no map reads, and which of them may hold what?
//!
//! For a message only: the operator says where the fields are (`--field`), and an example made of the keys that are there is
//! sooner understood than the rule. A guess goes by the values first (a path, an address, an agent tell themselves), then by
//! words in the names.

use std::net::IpAddr;

use serde_json::Value;

use super::super::detect::whole_lines;
use super::super::field::Field;

/// Lines that are looked at.
const LINES: usize = 32;
/// Keys that are remembered.
const KEYS: usize = 64;
/// Keys that are shown.
const SHOWN: usize = 8;
/// Longer keys are cut.
const KEY_CHARS: usize = 60;
/// Objects within objects that are looked into.
const DEPTH: usize = 6;

/// The keys of JSON lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonKeys {
    /// Dotted paths to texts and numbers.
    pub paths: Vec<String>,
    /// Which field may be where.
    pub guessed: Vec<(Field, String)>,
}

impl JsonKeys {
    /// The first keys, as a list.
    #[must_use]
    pub fn shown(&self) -> String {
        let mut shown: Vec<&str> = self.paths.iter().take(SHOWN).map(String::as_str).collect();
        if self.paths.len() > SHOWN {
            shown.push("…");
        }
        shown.join(", ")
    }
}

/// The keys of a sample whose lines are JSON objects, most of them; none if they are something else.
pub(crate) fn json_keys(sample: &[u8]) -> Option<JsonKeys> {
    let lines = whole_lines(sample);
    let lines = &lines[..lines.len().min(LINES)];
    let objects: Vec<Value> =
        lines.iter().filter_map(|line| serde_json::from_slice(line).ok()).filter(Value::is_object).collect();
    if objects.is_empty() || objects.len() * 2 < lines.len() {
        return None;
    }
    let mut values: Vec<(String, Value)> = Vec::new();
    objects.iter().for_each(|object| flatten("", object, 0, &mut values));
    let mut guessed: Vec<(Field, String)> = Vec::new();
    for (field, likely) in GUESSES {
        let free = values.iter().filter(|(path, _)| !guessed.iter().any(|(_, taken)| taken == path));
        let scored = free.map(|(path, value)| (likely(path, value), path));
        // The first of the likeliest.
        let best = scored.rev().max_by_key(|(score, _)| *score).filter(|(score, _)| *score > 0);
        guessed.extend(best.map(|(_, path)| (*field, path.clone())));
    }
    if !guessed.iter().any(|(field, _)| *field == Field::Target) {
        guessed.insert(0, (Field::Target, values.first().map_or_else(|| "KEY".to_owned(), |(path, _)| path.clone())));
    }
    Some(JsonKeys { paths: values.into_iter().map(|(path, _)| path).collect(), guessed })
}

/// Adds the texts and numbers of an object that are not there yet. Keys that a path cannot name are passed over.
fn flatten(prefix: &str, value: &Value, depth: usize, out: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(object) if depth < DEPTH => {
            for (key, value) in object {
                let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_graphic() && c != '.' && c != '=');
                if plain && key.len() <= KEY_CHARS {
                    let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                    flatten(&path, value, depth + 1, out);
                }
            }
        }
        Value::Array(items) => {
            if let Some(first) = items.first() {
                flatten(prefix, first, depth + 1, out);
            }
        }
        Value::String(_) | Value::Number(_) if out.len() < KEYS && !out.iter().any(|(path, _)| path == prefix) => {
            out.push((prefix.to_owned(), value.clone()));
        }
        _ => {}
    }
}

/// How likely a key holds a field: 0 is not at all.
type Likely = fn(&str, &Value) -> u32;

/// The fields that are worth an example, each with how it is known.
const GUESSES: &[(Field, Likely)] = &[
    (Field::Referrer, |path, value| {
        let url = text(value).is_some_and(|t| t.starts_with("http"));
        u32::from(has(path, &["refer"]) && text(value).is_some()) * 2 + u32::from(url && has(path, &["from"]))
    }),
    (Field::Target, |path, value| {
        let is_path = text(value).is_some_and(|t| t.starts_with('/'));
        let is_url = text(value).is_some_and(|t| t.starts_with("http://") || t.starts_with("https://"));
        let named = has(path, &["uri", "url", "path", "target", "request", "page"]);
        u32::from(is_path || is_url) * (2 + u32::from(is_path) + 2 * u32::from(named))
    }),
    (Field::Time, |path, value| {
        let named = has(path, &["time", "date", "when", "stamp"]) || path.ends_with("ts") || path.ends_with("_at");
        let says = value.as_f64().is_some_and(|n| n > 1e8)
            || text(value).is_some_and(|t| t.len() >= 10 && t.starts_with(|c: char| c.is_ascii_digit()));
        u32::from(named) * 2 + u32::from(says && named)
    }),
    (Field::Address, |_, value| u32::from(text(value).is_some_and(|t| t.parse::<IpAddr>().is_ok()))),
    (Field::Agent, |path, value| {
        let browser = text(value).is_some_and(|t| t.starts_with("Mozilla/"));
        u32::from(browser) * 2 + u32::from(has(path, &["agent"]) && text(value).is_some())
    }),
    (Field::Status, |path, value| {
        let number = value.as_u64().or_else(|| text(value)?.parse().ok());
        u32::from(number.is_some_and(|n| (100..600).contains(&n)) && has(path, &["status", "code", "answer"]))
    }),
];

fn text(value: &Value) -> Option<&str> {
    value.as_str()
}

fn has(path: &str, words: &[&str]) -> bool {
    let path = path.to_ascii_lowercase();
    words.iter().any(|word| path.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_the_example_is_made_of_the_keys_that_are_there() {
        let line = r#"{"when":"2024-03-01T00:00:00Z","peer":"192.0.2.1","call":{"page":"/a","answered":200},"from_page":"https://x.example/","client":"Mozilla/5.0"}"#;
        let keys = json_keys(format!("{line}\n{line}\n").as_bytes()).unwrap();
        let guessed: Vec<String> = keys.guessed.iter().map(|(field, path)| format!("{field}={path}")).collect();
        assert_eq!(
            guessed,
            [
                "referrer=from_page",
                "target=call.page",
                "time=when",
                "address=peer",
                "agent=client",
                "status=call.answered"
            ]
        );
        assert!(keys.shown().contains("call.page"), "{}", keys.shown());
        let odd = json_keys(b"{\"a\":true,\"b\":{\"c\":\"x\"}}\n").unwrap();
        assert_eq!(odd.guessed, [(Field::Target, "b.c".to_owned())]);
        assert_eq!(json_keys(b"no json\n"), None);
        assert_eq!(json_keys(b"[1,2]\n"), None);
    }
}
