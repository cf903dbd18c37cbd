//! What a crawl keeps of each kind of URL between fits.
//!
//! A kind is a pattern, or what no pattern covers below one node. Of each are known: the weight `Σ e^(β·x)` of its URLs without a
//! visit, among which they share what the kind has; what its lanes were last told; how often it was explored; and what its pages
//! led to.

use serde::{Deserialize, Serialize};

use crate::standing::{Outlook, Stand};
use trodden_mining::expected::KindTree;

/// A lane is told its price again when it is off by this factor: half a level.
const REPRICE: f64 = 1.05;

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Kind {
    /// The weight of its URLs without a visit.
    unread: f64,
    /// What its lanes were last told.
    priced: [f64; 2],
    /// Hand-outs for exploration.
    explored: u32,
    /// New traffic that its pages led to beyond what was foretold: a mean that forgets, and of how many pages.
    lead: f64,
    leads: u32,
}

/// Everything that changes, by kind and in all.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct KindState {
    kinds: Vec<Kind>,
    lead: f64,
    leads: u32,
}

/// All kinds: what models say of them.
#[derive(Debug)]
pub(super) struct Kinds {
    /// By lane of the models.
    outlooks: Vec<Outlook>,
    /// Whether kinds are told apart at all.
    counts: bool,
}

impl Kinds {
    pub(super) fn new(outlooks: Vec<Outlook>, counts: bool) -> Self {
        Self { outlooks, counts }
    }

    /// How kinds hang on one another.
    pub(super) fn tree(&self) -> KindTree {
        KindTree::new(self.outlooks.iter().map(|outlook| outlook.above))
    }

    pub(super) fn state(&self) -> KindState {
        let kinds = vec![Kind::default(); 2 * self.outlooks.len()];
        KindState { kinds, lead: 0.0, leads: SCEPTICISM }
    }

    /// The kind of where a URL stands; where kinds do not count, all of a site are of one.
    pub(super) fn of(&self, stand: Stand) -> u32 {
        if self.counts {
            let lane = stand.lane.0;
            return if stand.is_covered { KindTree::covered(lane) } else { KindTree::uncovered(lane) };
        }
        let site = self.outlooks[stand.lane.0 as usize].site;
        2 * self.outlooks.partition_point(|outlook| outlook.site < site) as u32
    }

    pub(super) fn is_covered(kind: u32) -> bool {
        kind % 2 == 1
    }

    pub(super) fn outlook(&self, kind: u32) -> &Outlook {
        &self.outlooks[kind as usize / 2]
    }
}

impl KindState {
    /// URLs without a visit weigh so much more.
    pub(super) fn add(&mut self, kind: u32, weight: f64) {
        self.kinds[kind as usize].unread += weight;
    }

    /// Forgets all weights.
    pub(super) fn clear(&mut self) {
        self.kinds.iter_mut().for_each(|kind| kind.unread = 0.0);
    }

    /// The weight of URLs without a visit; rounding never takes it below nothing.
    pub(super) fn unread(&self, kind: u32) -> f64 {
        self.kinds[kind as usize].unread.max(0.0)
    }

    /// Whether the lanes of a kind must be told their price again; they are taken to be.
    pub(super) fn is_off(&mut self, kind: u32, prices: [f64; 2]) -> bool {
        let priced = &mut self.kinds[kind as usize].priced;
        let is_off = priced.iter().zip(prices).any(|(old, new)| new > old * REPRICE || *old > new * REPRICE);
        if is_off {
            *priced = prices;
        }
        is_off
    }

    pub(super) fn explored(&self, kind: u32) -> u32 {
        self.kinds[kind as usize].explored
    }

    pub(super) fn explore(&mut self, kind: u32) {
        self.kinds[kind as usize].explored += 1;
    }

    pub(super) fn unexplore(&mut self, kind: u32) {
        let explored = &mut self.kinds[kind as usize].explored;
        *explored = explored.saturating_sub(1);
    }

    /// New traffic behind a page of this kind beyond what was foretold, on average.
    pub(super) fn lead(&self, kind: u32) -> f64 {
        let kind = &self.kinds[kind as usize];
        (kind.lead * f64::from(kind.leads) + self.lead) / (f64::from(kind.leads) + NEW_KIND)
    }

    /// A page led to so much.
    pub(super) fn led(&mut self, kind: u32, to: f64) {
        let kind = &mut self.kinds[kind as usize];
        for (mean, count) in [(&mut kind.lead, &mut kind.leads), (&mut self.lead, &mut self.leads)] {
            *count = (*count + 1).min(MEMORY);
            *mean += (to - *mean) / f64::from(*count);
        }
    }
}

/// A kind of which no page was fetched leads to less than pages do on average: to this part of it, the other way round.
const NEW_KIND: f64 = 4.0;
/// Pages that led nowhere, before the first was fetched.
const SCEPTICISM: u32 = 4;
/// Pages after which what a page led to is forgotten.
const MEMORY: u32 = 16;
