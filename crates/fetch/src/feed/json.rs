//! Which entries are in this JSON Feed? (jsonfeed.org, versions 1 and 1.1)
//!
//! `items` is read one by one: what is not kept is never held.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::caps::TIME_BYTES;
use super::{FeedEntry, FeedKind, Taken};

pub(super) fn read(text: &[u8], taken: &mut Taken<'_>) {
    let mut json = serde_json::Deserializer::from_slice(text);
    let done = Feed { taken }.deserialize(&mut json);
    if taken.read.kind == FeedKind::Json {
        // What is over a cap ends early, and so does not end well.
        taken.read.tally.is_damaged |= done.is_err() && !taken.read.tally.is_cut;
    } else {
        taken.read.entries.clear();
        taken.read.tally = super::FeedTally::default();
    }
}

#[derive(Deserialize)]
struct JsonItem {
    url: Option<String>,
    external_url: Option<String>,
    date_published: Option<String>,
    date_modified: Option<String>,
}

struct Feed<'t, 'c> {
    taken: &'t mut Taken<'c>,
}

impl<'de> DeserializeSeed<'de> for Feed<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Feed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON Feed")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "version" => {
                    let version: String = map.next_value()?;
                    if version.contains("jsonfeed.org/version/") {
                        self.taken.read.kind = FeedKind::Json;
                    }
                }
                "items" => map.next_value_seed(Items { taken: self.taken })?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

struct Items<'t, 'c> {
    taken: &'t mut Taken<'c>,
}

impl<'de> DeserializeSeed<'de> for Items<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Items<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the items of a JSON Feed")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut is_full = false;
        while !is_full && let Some(item) = items.next_element::<JsonItem>()? {
            let time = |text: Option<String>| text.filter(|text| text.len() <= TIME_BYTES && !text.is_empty());
            let link = item.url.or(item.external_url).unwrap_or_default().trim().to_owned();
            let (published, updated) = (time(item.date_published), time(item.date_modified));
            is_full = !self.taken.take(FeedEntry { link, bases: Vec::new(), published, updated });
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
