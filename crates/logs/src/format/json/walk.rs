//! Walking a line along the tree of keys, without building what is not asked for.
//!
//! Strings borrow from the line where they hold no escape, and go to the arena where they do. Values that no path
//! leads to are skipped by serde_json's own loop, which does not recurse: nesting costs no stack.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::super::context::Context;
use super::found::{Found, Value};
use super::map::{DEPTH_LIMIT, JsonMap, Node, Sink};

/// What the map finds in a line; `None` if the line is not one JSON object.
pub(super) fn walk<'a>(map: &JsonMap, line: &'a [u8], cx: &'a Context) -> Option<Found<'a>> {
    if line.trim_ascii_start().first() != Some(&b'{') {
        return None;
    }
    let mut found = Found::default();
    // One check of the whole line is cheaper than one a string.
    let mut deserializer = serde_json::Deserializer::from_str(std::str::from_utf8(line).ok()?);
    let walk = Walk { node: map.root(), found: &mut found, cx, depth: 0 };
    walk.deserialize(&mut deserializer).ok()?;
    deserializer.end().ok()?;
    Some(found)
}

/// The value at a node.
struct Walk<'w, 'a> {
    node: &'w Node,
    found: &'w mut Found<'a>,
    cx: &'a Context,
    depth: usize,
}

impl<'a> Walk<'_, 'a> {
    fn offer(self, value: Value<'a>) {
        for &(sink, rank) in &self.node.sinks {
            if sink != Sink::Tls {
                self.found.offer(sink, rank, value);
            }
        }
    }

    fn inner<'n>(&'n mut self, node: &'n Node) -> Walk<'n, 'a> {
        Walk { node, found: &mut *self.found, cx: self.cx, depth: self.depth + 1 }
    }
}

impl<'a> DeserializeSeed<'a> for Walk<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        // One level more than the paths can use, for an array at the end of the longest.
        if self.depth > DEPTH_LIMIT {
            deserializer.deserialize_ignored_any(IgnoredAny).map(drop)
        } else {
            deserializer.deserialize_any(self)
        }
    }
}

impl<'a> Visitor<'a> for Walk<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'a>>(mut self, mut map: A) -> Result<(), A::Error> {
        for &(sink, rank) in &self.node.sinks {
            if sink == Sink::Tls {
                self.found.offer(sink, rank, Value::Bool(true));
            }
        }
        let node = self.node;
        while let Some(child) = map.next_key_seed(Key(node))? {
            match child {
                Some(child) => map.next_value_seed(self.inner(child))?,
                None => map.next_value::<IgnoredAny>().map(drop)?,
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'a>>(mut self, mut items: A) -> Result<(), A::Error> {
        let node = self.node;
        if items.next_element_seed(self.inner(node))?.is_some() {
            while items.next_element::<IgnoredAny>()?.is_some() {}
        }
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<(), E> {
        self.offer(Value::Text(text.as_bytes()));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        let text = if self.node.sinks.is_empty() { &[] } else { self.cx.keep(text.as_bytes()) };
        self.offer(Value::Text(text));
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.offer(Value::Int(number));
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        // Beyond i64 there is no time and no status, but half of all hashed user ids.
        let value = match i64::try_from(number) {
            Ok(number) => Value::Int(number),
            Err(_) => Value::Text(self.cx.keep(number.to_string().as_bytes())),
        };
        self.offer(value);
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.offer(Value::Float(number));
        Ok(())
    }

    fn visit_bool<E>(self, truth: bool) -> Result<(), E> {
        self.offer(Value::Bool(truth));
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// A key of an object: the node it leads to, if any.
struct Key<'w>(&'w Node);

impl<'a, 'w> DeserializeSeed<'a> for Key<'w> {
    type Value = Option<&'w Node>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'w> Visitor<'_> for Key<'w> {
    type Value = Option<&'w Node>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.child(key))
    }
}
