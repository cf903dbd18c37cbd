//! How plain a URL is (UO's location metric).
//!
//! The paper names three signs of a page that many want: fewer slashes, an ending such as `.com`, a word such as `home`.
//! **[ours]** As a number, with n the non-empty segments of the path and q the parameters of the query:
//!
//! ```text
//! IL(u) = ½·[host ends in .com] + ½·[a segment has the word home or index] − n − q
//! ```
//! So no sign outweighs a whole step down. Only the text of the URL is looked at.

use serde::{Deserialize, Serialize};
use trodden_frontier::{Key, KeyTable, Placement, Priority};
use trodden_urls::Parts;

use super::OrderingPolicy;
use super::save::saves;
use crate::outcome::Known;
use crate::topic::words;

/// The importance of a URL by its text alone; a text that is no URL has none.
pub fn location(url: &str) -> f64 {
    let Some((_, rest)) = url.split_once("://") else { return f64::NEG_INFINITY };
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let parts = Parts::new(host, path);
    let (mut segments, mut has_word) = (0_u32, false);
    for segment in parts.segments() {
        segments += 1;
        has_word |= words(segment).any(|word| word.eq_ignore_ascii_case("home") || word.eq_ignore_ascii_case("index"));
    }
    let parameters = parts.parameters().count();
    let is_com = host.split(':').next().is_some_and(|host| host.ends_with(".com"));
    0.5 * f64::from(u8::from(is_com)) + 0.5 * f64::from(u8::from(has_word)) - f64::from(segments) - parameters as f64
}

/// Plain URLs first; equals as found.
#[derive(Debug)]
pub struct Location<K: Key> {
    state: State<K>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct State<K: Key> {
    locations: K::Table<f64>,
}

impl<K: Key> Default for Location<K> {
    fn default() -> Self {
        Self { state: State { locations: K::Table::default() } }
    }
}

impl<K: Key> OrderingPolicy<K> for Location<K> {
    fn place(&mut self, url: &Known<'_, K>) -> Placement {
        *self.state.locations.slot(url.key) = location(url.url);
        self.place_again(url)
    }

    fn place_again(&self, url: &Known<'_, K>) -> Placement {
        Placement::Exact(Priority::of(self.estimate(url.key)))
    }

    fn estimate(&self, key: K) -> f64 {
        self.state.locations.get(key)
    }

    saves!(state);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_fewer_steps_then_signs() {
        let urls = [
            "http://www.example.com/home",
            "http://example.com/",
            "http://example.org/",
            "http://example.com/a",
            "http://example.org/index.html",
            "http://example.org/a/",
            "http://example.org/a?x=1",
            "http://example.org/a/b",
        ];
        let locations: Vec<f64> = urls.iter().map(|url| location(url)).collect();
        assert_eq!(locations, [0.0, 0.5, 0.0, -0.5, -0.5, -1.0, -2.0, -2.0]);
        assert_eq!(location("1234"), f64::NEG_INFINITY);
    }
}
