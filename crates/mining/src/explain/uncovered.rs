//! Why is a URL in no pattern?

use serde::Serialize;
use trodden_urls::{ComponentKey, HostKey};

use super::trail::Trail;
use crate::key::Key;
use crate::locate::{Locator, Why};
use crate::model::{Node, Way};

/// So many values or kinds of them are told.
const TOLD: usize = 5;

/// Why, for a script and in words.
#[derive(Clone, Debug, Serialize)]
pub struct UncoveredUrl {
    /// `constant`, `class`, `missing`, `new-key`, `no-branch` or `excluded`.
    pub why: &'static str,
    /// The key that it is about.
    pub key: Option<String>,
    /// In words.
    pub words: String,
}

/// Why the walk ended where it ended.
pub(super) fn uncovered(trail: &Trail<'_>, locator: &Locator, why: Why, host: &HostKey) -> UncoveredUrl {
    let (name, key, words) = match why {
        Why::Constant(number) => {
            let key = locator.key(number).cloned();
            ("constant", key.clone(), key.map(|key| not_constant(trail, &key)))
        }
        Why::Class(number) => {
            let key = locator.key(number).cloned();
            ("class", key.clone(), key.map(|key| no_class(trail, &key)))
        }
        Why::Missing(number) => {
            let key = locator.key(number).cloned();
            ("missing", key.clone(), key.map(|key| format!("it has no {key}, which all URLs there have")))
        }
        Why::NewKey => match new_parameter(trail) {
            Some(key) => ("new-key", Some(key.clone()), Some(never_seen(trail, &format!("its {key}")))),
            None => ("new-key", None, Some(never_seen(trail, &format!("its host {}", host)))),
        },
        Why::NoBranch => {
            let key = trail.end().split.clone();
            ("no-branch", key.clone(), key.map(|key| no_branch(trail, &key)))
        }
        Why::Excluded => ("excluded", None, Some("the model was made without URLs like it".to_owned())),
    };
    let words = words.unwrap_or_else(|| "no URL like it was seen there".to_owned());
    UncoveredUrl { why: name, key: key.as_ref().map(ToString::to_string), words }
}

/// What the URL has for a key, in words.
fn has(trail: &Trail<'_>, key: &Key) -> String {
    match trail.value(key) {
        Some(value) => format!("its {key} is {value}"),
        None => format!("it has no {key}"),
    }
}

fn not_constant(trail: &Trail<'_>, key: &Key) -> String {
    let words = has(trail, key);
    match trail.constant(key) {
        Some(constant) => format!("{words}, where all URLs there have {constant}"),
        None => format!("{words}, unlike all URLs there"),
    }
}

fn no_class(trail: &Trail<'_>, key: &Key) -> String {
    if trail.constant(key).is_some() {
        return not_constant(trail, key);
    }
    let classes = trail.end().like.get(key).and_then(|like| like.classes.as_deref()).unwrap_or_default();
    let kinds = if classes.is_empty() { String::new() } else { format!(" (there: {})", first_of(classes, ", ")) };
    format!("{}, of a kind never seen there{kinds}", has(trail, key))
}

fn no_branch(trail: &Trail<'_>, key: &Key) -> String {
    let parent = trail.nodes.last().copied().unwrap_or(0);
    let mut children: Vec<&Node> = trail.model.nodes.iter().skip(1).filter(|node| node.parent == parent).collect();
    children.sort_by_key(|node| std::cmp::Reverse(node.visits));
    let values: Vec<String> = children
        .iter()
        .filter_map(|node| match &node.way {
            Way::Kept(value) => Some(value.clone()),
            Way::Absent => Some("none".to_owned()),
            Way::Root | Way::Other | Way::Page(_) => None,
        })
        .collect();
    let others = if values.is_empty() { String::new() } else { format!(" (there: {})", first_of(&values, ", ")) };
    format!("{}, which was never seen there{others}", has(trail, key))
}

/// The first few of many values.
#[must_use]
pub fn first_of(values: &[String], between: &str) -> String {
    let mut text = values[..values.len().min(TOLD)].join(between);
    if values.len() > TOLD {
        text.push_str(between);
        text.push('…');
    }
    text
}

/// The first parameter that no URL had at the end of the tree. Above it only a host is new.
fn new_parameter(trail: &Trail<'_>) -> Option<Key> {
    let end = trail.end();
    if !end.is_leaf_of(trail.model.tree) {
        return None;
    }
    let keys = trail.components.iter().filter_map(|component| match component.key {
        ComponentKey::Parameter(name) => Some(Key::Parameter(name.into())),
        _ => None,
    });
    keys.into_iter().find(|key| trail.constant(key).is_none() && !end.like.contains_key(key))
}

fn never_seen(trail: &Trail<'_>, what: &str) -> String {
    let rarely = if trail.end().rare_parameters { ", or by too few users to be named" } else { "" };
    format!("{what} was never seen there{rarely}")
}
