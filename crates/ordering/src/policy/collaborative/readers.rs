//! What does a user's reading say? Their share of satisfying pages, and their signature.

use serde::{Deserialize, Serialize};

use super::settings::CollaborativeSettings;
use super::tally::{Tally, Totals, clamped, parts};

/// Different features of the pages that a user read: enough to tell a taste by.
const MOST_FEATURES: usize = 256;

/// A user, as far as fetched pages tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Reader {
    /// Fetched pages that they read: n_i and s_i.
    pub(super) tally: Tally,
    /// Features of these pages, in order, and on how many of them.
    features: Vec<(u32, u16)>,
    /// SF_i, as it was last computed; 0 before.
    pub(super) signature: f64,
    /// What was added to the pages that they read.
    pub(super) given: Weights,
    /// Whether they wait for their new weights to be given.
    pub(super) is_waiting: bool,
}

/// Weights of a user, in [parts](super::tally::PARTS) of a nat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Weights {
    pub(super) users: i16,
    pub(super) signatures: i16,
}

impl Weights {
    pub(super) fn minus(self, other: Self) -> (i32, i32) {
        let difference = |a: i16, b: i16| i32::from(a) - i32::from(b);
        (difference(self.users, other.users), difference(self.signatures, other.signatures))
    }
}

/// Who read a page with a feature: L_j, and L_j together with V.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct FeatureReaders {
    readers: u32,
    found: u32,
}

/// What signatures are made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Signatures {
    by_feature: Vec<FeatureReaders>,
    /// Users who read a fetched page.
    readers: u32,
    /// Users who read a satisfying one.
    found: u32,
    /// Mean and standard deviation of SF, as last computed.
    pub(super) mean: f64,
    pub(super) deviation: f64,
}

impl Signatures {
    /// A user read a page that was just fetched. The reader's tally has it already.
    pub(super) fn read(&mut self, reader: &mut Reader, features: &[u32], satisfies: bool) {
        self.readers += u32::from(reader.tally.pages == 1);
        let is_first_find = satisfies && reader.tally.satisfying == 1;
        if is_first_find {
            self.found += 1;
            for (feature, _) in &reader.features {
                self.by_feature[*feature as usize].found += 1;
            }
        }
        for &feature in features {
            if feature as usize >= self.by_feature.len() {
                self.by_feature.resize(feature as usize + 1, FeatureReaders::default());
            }
            match reader.features.binary_search_by_key(&feature, |(known, _)| *known) {
                Ok(at) => reader.features[at].1 = reader.features[at].1.saturating_add(1),
                Err(at) if reader.features.len() < MOST_FEATURES => {
                    reader.features.insert(at, (feature, 1));
                    let of = &mut self.by_feature[feature as usize];
                    of.readers += 1;
                    of.found += u32::from(reader.tally.satisfying > 0);
                }
                Err(_) => {}
            }
        }
    }

    /// R_j: the share of readers of a feature who found something, over that of all readers.
    fn ratio(&self, feature: u32) -> f64 {
        let base = (f64::from(self.found) + 0.5) / (f64::from(self.readers) + 1.0);
        let of = self.by_feature.get(feature as usize).copied().unwrap_or_default();
        (f64::from(of.found) + base) / (f64::from(of.readers) + 1.0) / base
    }

    /// SF of a user, and what it cost; 0 for one whose pages have no features.
    pub(super) fn of(&self, reader: &Reader) -> (f64, usize) {
        let weight: f64 = reader.features.iter().map(|(_, count)| f64::from(*count)).sum();
        if weight == 0.0 {
            return (0.0, 1);
        }
        let sum: f64 = reader.features.iter().map(|(feature, count)| f64::from(*count) * self.ratio(*feature)).sum();
        (sum / weight, reader.features.len())
    }

    /// The logarithm of a signature that is far from the mean of all, else 0.
    fn nats(&self, signature: f64, least: f64) -> f64 {
        let is_far = self.deviation > 0.0 && (signature - self.mean).abs() > least * self.deviation;
        if signature > 0.0 && is_far { clamped(signature.ln()) } else { 0.0 }
    }

    /// What a user's weights are, by what is known now.
    pub(super) fn weights(
        &self,
        reader: &Reader,
        totals: Totals,
        settings: &CollaborativeSettings,
        uses: Uses,
    ) -> Weights {
        let users = totals.significant_nats(reader.tally, settings.sample, settings.significance);
        let signatures = self.nats(reader.signature, settings.deviation);
        Weights {
            users: if uses.users { parts(users) } else { 0 },
            signatures: if uses.signatures { parts(signatures) } else { 0 },
        }
    }
}

/// Which weights are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Uses {
    pub(super) users: bool,
    pub(super) signatures: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kdd02_signatures_by_hand() {
        let mut signatures = Signatures::default();
        let mut people: Vec<Reader> = vec![Reader::default(); 3];
        let mut read = |who: usize, features: &[u32], satisfies| {
            people[who].tally.count(satisfies);
            signatures.read(&mut people[who], features, satisfies);
        };
        // Feature 0 is read by ann and ben, who both find something; feature 1 by ben and cy.
        read(0, &[0], true);
        read(1, &[0, 1], false);
        read(1, &[0], true);
        read(2, &[1], false);
        // Two of three found: base (2 + ½)/(3 + 1). R_0 = (2 + base)/3/base, R_1 = (1 + base)/3/base.
        let base = 2.5 / 4.0;
        let (zero, one) = ((2.0 + base) / 3.0 / base, (1.0 + base) / 3.0 / base);
        let of: Vec<f64> = people.iter().map(|reader| signatures.of(reader).0).collect();
        for (seen, by_hand) in of.iter().zip([zero, (2.0 * zero + one) / 3.0, one]) {
            assert!((seen - by_hand).abs() < 1e-12, "{of:?}");
        }
        signatures.mean = of.iter().sum::<f64>() / 3.0;
        signatures.deviation = 0.1;
        assert!((signatures.nats(zero, 2.0) - zero.ln()).abs() < 1e-12);
        assert_eq!(signatures.nats(signatures.mean + 0.19, 2.0), 0.0);
    }
}
