//! What each kind of URL has to share out, and among how many.
//!
//! A kind is a pattern, or what no pattern covers below one node. Of kind K are known: `W = Σ e^(β·x)` over its URLs
//! without a visit, `V = Σ e^(γ·x)` over all its URLs, and their visits Y; the same of its site.

use serde::{Deserialize, Serialize};
use trodden_mining::SLICES;

use super::shares::FEW_VISITS;
use crate::standing::{Outlook, Stand, UNCOVERED};

/// How much of what a URL may hope for goes by the node above.
const ABOVE: f64 = 0.1;
/// Visits that "a kind is read as much as its links say" counts for.
const LEVEL_PRIOR: f64 = 20.0;
/// Branches below a node that tell what is usual there.
const MANY_BRANCHES: f64 = 10.0;
/// A lane is told its price again when it is off by this factor: half a level.
const REPRICE: f64 = 1.05;

/// Sums of a kind or a site.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Sums {
    /// W.
    unread: f64,
    /// V.
    all: f64,
    /// Its URLs.
    urls: f64,
    /// The same as V by exponents within kinds, of URLs with visits.
    read: f64,
    /// Y, in visits a slice.
    visits: f64,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Kind {
    sums: Sums,
    /// What its lanes were last told.
    priced: [f64; 2],
    /// Hand-outs for exploration.
    explored: u32,
    /// New traffic that its pages led to beyond what was foretold: a mean that forgets, and of how many pages.
    lead: f64,
    leads: u32,
}

/// Everything that changes, by kind and by site.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct KindState {
    kinds: Vec<Kind>,
    sites: Vec<Sums>,
    /// By lane: W of all below its node.
    unread_below: Vec<f64>,
    /// By lane: how many of the branches beside it are read.
    beside: Vec<f32>,
    lead: f64,
    leads: u32,
}

/// What a URL adds to the sums of its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Part {
    /// Its weight if it has no visit, else 0.
    pub(super) unread: f64,
    /// Its weight.
    pub(super) all: f64,
    /// Its weight within its kind if it has visits, else 0.
    pub(super) read: f64,
    /// Its visits a slice.
    pub(super) visits: f64,
}

/// How others with such links are read, in visits of all time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Like {
    /// All at its site.
    pub(super) of_site: f64,
    /// The same, where the URL is no more than half apart from its kind: one picture of many that is linked everywhere is
    /// still a picture.
    pub(super) as_kind: f64,
    /// The same, halfway between the URL and its kind.
    pub(super) as_branch: f64,
    /// Those of its kind that are read.
    pub(super) of_kind: f64,
    /// How far its kind is read as its links say, from 0 to 1.
    pub(super) alive: f64,
    /// The part that its kind has of what its links say.
    pub(super) has: f64,
}

/// All kinds: what models say of them.
#[derive(Debug)]
pub(super) struct Kinds {
    /// By lane of the models.
    outlooks: Vec<Outlook>,
    /// By site: visits a slice to new URLs.
    novel: Vec<f64>,
    /// By lane: the same of all below its node.
    novel_below: Vec<f64>,
    /// Whether kinds are told apart at all.
    counts: bool,
    /// Whether kinds are told apart however few visits there were, and go by nothing but their own.
    trusts: bool,
}

impl Kinds {
    pub(super) fn new(outlooks: Vec<Outlook>, counts: bool, trusts: bool) -> Self {
        let sites = outlooks.iter().map(|outlook| outlook.site as usize + 1).max().unwrap_or(1);
        let mut novel = vec![0.0; sites];
        for outlook in &outlooks {
            novel[outlook.site as usize] += outlook.expect.novel + outlook.expect.fresh;
        }
        let mut novel_below: Vec<f64> = outlooks.iter().map(|outlook| outlook.expect.novel).collect();
        for lane in (0..outlooks.len()).rev() {
            let above = outlooks[lane].above as usize;
            if above != lane {
                novel_below[above] += novel_below[lane];
            }
        }
        Self { outlooks, novel, novel_below, counts, trusts }
    }

    pub(super) fn state(&self) -> KindState {
        let kinds = vec![Kind::default(); 2 * self.outlooks.len()];
        KindState {
            kinds,
            sites: vec![Sums::default(); self.novel.len()],
            unread_below: vec![0.0; self.outlooks.len()],
            beside: vec![0.0; self.outlooks.len()],
            lead: 0.0,
            leads: SCEPTICISM,
        }
    }

    /// The kind of where a URL stands; where kinds do not count, or the log is too short to tell any apart, all of a site
    /// are of one.
    pub(super) fn of(&self, stand: Stand) -> u32 {
        if self.counts && (self.trust(2 * stand.lane.0) > 0.0 || stand.lane == UNCOVERED) {
            return 2 * stand.lane.0 + u32::from(stand.is_covered);
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

    /// The lanes of a kind's node and of all above it.
    fn way_up(&self, kind: u32) -> impl Iterator<Item = usize> + '_ {
        let mut next = Some(kind as usize / 2);
        std::iter::from_fn(move || {
            let lane = next?;
            let above = self.outlooks[lane].above as usize;
            next = (above < lane).then_some(above);
            Some(lane)
        })
    }

    fn site(&self, kind: u32) -> usize {
        self.outlook(kind).site as usize
    }

    /// How far the log is trusted to tell kinds apart, from 0 to 1.
    pub(super) fn trust(&self, kind: u32) -> f64 {
        if self.trusts { 1.0 } else { (1.0 - FEW_VISITS / self.outlook(kind).visits.max(1) as f64).max(0.0) }
    }
}

impl KindState {
    /// Takes a URL out of the sums and puts it in again.
    pub(super) fn change(&mut self, kinds: &Kinds, kind: u32, old: Part, new: Part) {
        for sums in [&mut self.kinds[kind as usize].sums, &mut self.sites[kinds.site(kind)]] {
            sums.unread += new.unread - old.unread;
            sums.all += new.all - old.all;
            sums.urls += if new.all > 0.0 { 1.0 } else { 0.0 } - if old.all > 0.0 { 1.0 } else { 0.0 };
            sums.read += new.read - old.read;
            sums.visits += new.visits - old.visits;
        }
        for lane in kinds.way_up(kind) {
            self.unread_below[lane] += new.unread - old.unread;
        }
    }

    /// Forgets all sums.
    pub(super) fn clear(&mut self) {
        self.kinds.iter_mut().for_each(|kind| kind.sums = Sums::default());
        self.sites.iter_mut().for_each(|site| *site = Sums::default());
        self.unread_below.fill(0.0);
    }

    /// What a URL without visits may hope for, for each unit of its weight: `novel(K) / W`, and a little of the same of each
    /// node above it: what is new in one branch today may be new in the next tomorrow. As far as the log is too short to
    /// tell kinds apart, what the kind gets is its part of what is new at the whole site.
    pub(super) fn hope(&self, kinds: &Kinds, kind: u32) -> f64 {
        let outlook = kinds.outlook(kind);
        let site = kinds.site(kind);
        let by_site = kinds.novel[site] / self.sites[site].unread.max(1.0);
        if !kinds.counts {
            return by_site;
        }
        let novel = if Kinds::is_covered(kind) { outlook.expect.novel } else { outlook.expect.fresh };
        let own = novel / self.kinds[kind as usize].sums.unread.max(1.0);
        if kinds.trusts {
            return own;
        }
        let (mut hope, mut part) = ((1.0 - ABOVE) * own, ABOVE);
        for lane in kinds.way_up(kind) {
            part *= if kinds.outlooks[lane].above as usize == lane { 1.0 } else { 1.0 - ABOVE };
            hope += part * kinds.novel_below[lane] / self.unread_below[lane].max(1.0);
            part *= ABOVE / (1.0 - ABOVE);
        }
        by_site * (hope / by_site).powf(kinds.trust(kind))
    }

    /// Visits that a URL of this weight has if it is read like others with such links.
    pub(super) fn like_others(&self, kinds: &Kinds, kind: u32, weight: f64, kind_weight: f64) -> Like {
        let (own, site) = (&self.kinds[kind as usize].sums, &self.sites[kinds.site(kind)]);
        let by = |own_weight: f64, site_weight: f64| {
            let by_links = site.visits * SLICES as f64 / site_weight.max(1.0);
            (by_links, (own.visits * SLICES as f64 + LEVEL_PRIOR) / (by_links * own_weight + LEVEL_PRIOR))
        };
        let (by_links, level) = by(own.all, site.all);
        let (by_read, read_level) = by(own.read, site.read);
        let halfway = (weight * own.all / own.urls.max(1.0)).sqrt();
        Like {
            of_site: weight * by_links,
            of_kind: kind_weight * by_read * read_level.powf(kinds.trust(kind)),
            alive: level.min(1.0),
            has: own.visits * SLICES as f64 / (by_links * own.all).max(f64::MIN_POSITIVE),
            as_kind: weight.min(halfway) * by_links,
            as_branch: halfway * by_links,
        }
    }

    /// Learns how many of the branches beside each branch are read: `(Σ Y/(Y + 20)) / n / (1 + (10/n)⁴)` over the n others below
    /// the same node.
    pub(super) fn believe(&mut self, kinds: &Kinds) {
        let lanes = kinds.outlooks.len();
        let (mut urls, mut visits) = (vec![0.0; lanes], vec![0.0; lanes]);
        for (kind, it) in (0..).zip(&self.kinds).filter(|(_, kind)| kind.sums.urls > 0.0) {
            for lane in kinds.way_up(kind) {
                urls[lane] += it.sums.urls;
                visits[lane] += it.sums.visits * SLICES as f64;
            }
        }
        let is_read = |lane: usize| visits[lane] / (visits[lane] + LEVEL_PRIOR);
        let above = |lane: usize| kinds.outlooks[lane].above as usize;
        let branches: Vec<usize> = (0..lanes).filter(|lane| above(*lane) != *lane && urls[*lane] > 0.0).collect();
        let mut sums = vec![(0.0, 0.0); lanes];
        for &lane in &branches {
            sums[above(lane)].0 += is_read(lane);
            sums[above(lane)].1 += 1.0;
        }
        for lane in branches {
            let (read, others) = (sums[above(lane)].0 - is_read(lane), sums[above(lane)].1 - 1.0);
            self.beside[lane] = (read / f64::max(others, 1.0) / (1.0 + (MANY_BRANCHES / others).powi(4))) as f32;
        }
    }

    /// How many of the branches beside that of a kind are read, as far as there are enough to tell.
    pub(super) fn beside(&self, kind: u32) -> f64 {
        if Kinds::is_covered(kind) { f64::from(self.beside[kind as usize / 2]) } else { 0.0 }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is believed of an unread branch beside so many that are read, and so many that are not.
    fn beside(read: u32, unread: u32) -> f64 {
        let lanes = 2 + read + unread + 1;
        let of = |lane: u32| Outlook {
            site: u32::from(lane > 0),
            above: lane.min(1),
            visits: 1_000_000,
            ..Outlook::default()
        };
        let kinds = Kinds::new((0..lanes).map(of).collect(), true, false);
        let mut state = kinds.state();
        for lane in 2..lanes {
            let visits = if lane < 2 + read { 1_000.0 } else { 0.0 };
            let part = Part { unread: 1.0, all: 1.0, read: 0.0, visits };
            state.change(&kinds, 2 * lane + 1, Part::default(), part);
        }
        state.believe(&kinds);
        assert_eq!(state.beside(2 * (lanes - 1)), 0.0, "no pattern covers it");
        state.beside(2 * (lanes - 1) + 1)
    }

    #[test]
    fn ours_one_branch_of_many_that_is_not_read_was_missed_and_one_of_few_tells_nothing() {
        assert!(beside(24, 0) > 0.95 && beside(12, 0) > 0.6, "{} {}", beside(24, 0), beside(12, 0));
        assert!(beside(1, 0) < 0.01 && beside(3, 0) < 0.01, "{}", beside(3, 0));
        // Where most are not read, it is usual not to be.
        assert!(beside(4, 200) < 0.05, "{}", beside(4, 200));
        assert_eq!(beside(0, 30), 0.0);
    }
}
