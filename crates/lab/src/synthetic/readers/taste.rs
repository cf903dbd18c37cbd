//! What does a reader like?

use crate::chance::Chance;
use crate::synthetic::topics::{MadeTopic, TOPICS};

/// Topics that a reader cares for.
const FAVORITES: usize = 5;
/// How much of any other topic they care for …
const OTHERS: f64 = 0.015;
/// … and of pages about everything; the first favorite is 1.
const EVERYTHING: f64 = 0.3;

/// How much a reader cares for each topic.
#[derive(Clone, Debug)]
pub(super) struct Taste {
    weights: [f64; TOPICS],
}

impl Taste {
    /// Favorites by general popularity, each once; the r-th is worth r^(−3/2).
    pub(super) fn draw(popularity: &[f64; TOPICS], chance: &mut Chance) -> Self {
        let mut left = *popularity;
        let mut weights = [OTHERS; TOPICS];
        for rank in (1..).take(FAVORITES).map(f64::from) {
            if let Some(topic) = chance.weighted(left) {
                weights[topic] = 1.0 / (rank * rank.sqrt());
                left[topic] = 0.0;
            }
        }
        Self { weights }
    }

    /// How much they care for a page about a topic, or about everything.
    pub(super) fn of(&self, topic: Option<MadeTopic>) -> f64 {
        topic.map_or(EVERYTHING, |topic| self.weights[topic.index()])
    }

    /// A topic they look for.
    pub(super) fn some_topic(&self, chance: &mut Chance) -> MadeTopic {
        MadeTopic::nth(chance.weighted(self.weights).unwrap_or(0))
    }
}
