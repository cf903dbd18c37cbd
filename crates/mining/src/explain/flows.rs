//! Where do people come from, and where do they go on to?
//!
//! Of a pattern P the model knows F_in(P), F_out(P) and the transits between patterns without those of a URL to itself.
//! These are therefore what F_out(P) has more than its transits; and what F_in(P) has more than both came from outside.

use serde::Serialize;

use crate::model::SiteModel;

/// So many patterns are told.
const TOLD: usize = 5;

/// A pattern that people come from or go to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlowShare {
    /// Its number.
    pub id: u32,
    /// Its text.
    pub pattern: String,
    /// Steps.
    pub steps: u64,
    /// Of all visits to the pattern, or of all steps on from it.
    pub share: f64,
}

/// The flows of one pattern.
#[derive(Debug, PartialEq)]
pub(super) struct PatternShares {
    pub(super) from: Vec<FlowShare>,
    pub(super) to: Vec<FlowShare>,
    pub(super) outside: u64,
}

impl PatternShares {
    /// The largest flows of a pattern.
    pub(super) fn of(model: &SiteModel, id: u32) -> Self {
        let node = &model.nodes[id as usize];
        let into: Vec<(u32, u64)> = model.transits.iter().filter(|t| t.1 == id).map(|t| (t.0, t.2)).collect();
        let onward: Vec<(u32, u64)> = model.transits.iter().filter(|t| t.0 == id).map(|t| (t.1, t.2)).collect();
        let sum = |flows: &[(u32, u64)]| flows.iter().map(|(_, steps)| steps).sum::<u64>();
        let to_itself = node.referrals.saturating_sub(sum(&onward));
        let outside = node.visits.saturating_sub(sum(&into)).saturating_sub(to_itself);
        Self { from: largest(model, into, node.visits), to: largest(model, onward, node.referrals), outside }
    }
}

fn largest(model: &SiteModel, mut flows: Vec<(u32, u64)>, all: u64) -> Vec<FlowShare> {
    flows.sort_by_key(|(id, steps)| (std::cmp::Reverse(*steps), *id));
    let flow = |(id, steps): (u32, u64)| FlowShare {
        id,
        pattern: model.nodes[id as usize].pattern.clone(),
        steps,
        share: steps as f64 / all.max(1) as f64,
    };
    flows.into_iter().take(TOLD).map(flow).collect()
}
