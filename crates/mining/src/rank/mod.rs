//! Which patterns of a site matter most? (CIKM 2011, §4)
//!
//! It depends on the [`Goal`]. A [`Strategy`] gives every pattern a score from its [`PatternFlows`]: simple ones count
//! URLs, visits or referrals; the paper's own lets patterns vote for each other in a [`BehaviorGraph`].

mod goal;
mod graph;
mod strategy;

pub use goal::Goal;
pub use graph::{BehaviorGraph, Damping, Ranks};
pub use strategy::Strategy;

/// What people did on a site, by its patterns, numbered from 0.
#[derive(Clone, Copy, Debug)]
pub struct PatternFlows<'a> {
    /// |P|: how many URLs a pattern has.
    pub urls: &'a [u64],
    /// F_in: how often they were visited.
    pub visits: &'a [u64],
    /// F_out: how often they led on within the site.
    pub referrals: &'a [u64],
    /// F_trans: (from, to, how often). **\[ours\]** Transits of a URL to itself are left out by whoever counts; those
    /// between different URLs of one pattern belong here.
    pub transits: &'a [(u32, u32, u64)],
}
