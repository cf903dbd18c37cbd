//! What can be set of mining, and why it is set as it is.

use serde::{Deserialize, Serialize};

/// The deepest that a tree may be asked to grow.
pub(crate) const MOST_DEPTH: u32 = 256;

/// The three trees: as grown, after the visit-based cut, after the transit-based cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TreeKind {
    /// T_SYN: by syntax alone.
    Syn,
    /// T_VISIT: where visits tell no difference, cut.
    Visit,
    /// T_TRAN: where people come from and go to the same, cut further.
    #[default]
    Tran,
}

impl TreeKind {
    /// All of them, from the largest tree to the smallest.
    pub const ALL: [Self; 3] = [Self::Syn, Self::Visit, Self::Tran];

    /// As it is typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Syn => "syn",
            Self::Visit => "visit",
            Self::Tran => "tran",
        }
    }
}

/// All thresholds of mining.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MiningSettings {
    /// The fewest URLs with a value before it may have a branch of its own.
    pub min_support: u32,
    /// The same as a share of the URLs at the node; the larger of both counts.
    pub support_share: f64,
    /// A split whose second largest group has a smaller share of the node's URLs waits until no other is left.
    pub even_share: f64,
    /// The most branches of a node; the least frequent values go to the wildcard.
    pub max_children: usize,
    /// A node with fewer URLs is a leaf.
    pub min_leaf: u32,
    /// The most levels of a tree: bounds the work on a site made to grow a comb.
    pub max_depth: u32,
    /// A URL with this share of the site's visits is a leaf of its own.
    pub own_leaf_share: f64,
    /// Wagner's weight of the data against the model in the visit-based cut; none is plain description length.
    pub wagner: Option<f64>,
    /// ξ: siblings merge if the least alike of them are more alike than this.
    pub transit_threshold: f64,
    /// δ of the behavior graph; 1 is without damping, as the paper has it.
    pub damping: f64,
    /// Whether transits of a URL to itself vote in the behavior graph, as in the paper; by default they do not.
    #[serde(skip_serializing_if = "is_ours")]
    pub self_transits: bool,
    /// Which tree gives the patterns.
    pub tree: TreeKind,
    /// The most URLs that a model names.
    pub max_urls: usize,
    /// The most transits between patterns that a model tells, the most frequent.
    pub max_transits: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_ours(self_transits: &bool) -> bool {
    !self_transits
}

impl Default for MiningSettings {
    fn default() -> Self {
        Self {
            min_support: 8,
            support_share: 0.0005,
            even_share: 0.01,
            max_children: 256,
            min_leaf: 8,
            max_depth: 64,
            own_leaf_share: 0.01,
            wagner: None,
            transit_threshold: 0.9,
            damping: 0.5,
            self_transits: false,
            tree: TreeKind::Tran,
            max_urls: 100_000,
            max_transits: 100_000,
        }
    }
}

impl MiningSettings {
    /// What numbers of the right type can still get wrong: the name of the setting and what it must be.
    ///
    /// # Errors
    /// The first setting out of its range.
    pub fn check(&self) -> Result<(), SettingFault> {
        let share = |x: f64| (0.0..=1.0).contains(&x);
        for (name, good, must) in [
            ("min_support", self.min_support >= 2, "at least 2"),
            ("support_share", share(self.support_share), "from 0 to 1"),
            ("even_share", share(self.even_share), "from 0 to 1"),
            ("max_children", (1..=65_536).contains(&self.max_children), "from 1 to 65536"),
            ("min_leaf", self.min_leaf >= 1, "at least 1"),
            ("max_depth", self.max_depth <= MOST_DEPTH, "at most 256"),
            ("own_leaf_share", self.own_leaf_share > 0.0 && share(self.own_leaf_share), "above 0, at most 1"),
            ("wagner", self.wagner.is_none_or(|c| c.is_finite() && c > 0.0), "above 0"),
            ("transit_threshold", share(self.transit_threshold), "from 0 to 1"),
            ("damping", self.damping > 0.0 && share(self.damping), "above 0, at most 1"),
        ] {
            if !good {
                return Err(SettingFault { name, must });
            }
        }
        Ok(())
    }

    /// The support that a value needs at a node of so many URLs.
    pub(crate) fn support(&self, urls: usize) -> u32 {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let share = (self.support_share * urls as f64).ceil() as u32;
        self.min_support.max(share)
    }

    /// The size of a group from which on a split is not lopsided.
    pub(crate) fn even_group(&self, urls: usize) -> usize {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let share = (self.even_share * urls as f64).ceil() as usize;
        share
    }
}

/// A setting out of its range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("mining.{name} must be {must}")]
pub struct SettingFault {
    name: &'static str,
    must: &'static str,
}
