//! By the visits that a URL can expect. **\[ours\]**
//!
//! Each URL that the crawl knows is worth the visits a day that it will have, as far as logs and links tell:
//!
//! ```text
//! visited   e^(α₀ + α₁·ln expected(u) + α₂·x₁ + α₃·x₂)        returning
//! unread    h(K)·e^(β·x) + unseen(u)                          kinds, shares, unseen
//! any       at least lead(K)                                  leads
//! ```
//! - `expected(u)`: by the URL's own visits and its pattern's mean ([`trodden_mining::expected`]).
//! - `x₁ = ln(1 + n)`, n links from pages fetched so far; `x₂ = ln(0.05 + readers)`, in parts of the average: each fetched page
//!   hands its own value on to its links in equal parts, as people do who follow one of them.
//! - `h(K)`: nine tenths of `novel(K)/W(K)`, the visits to new URLs of kind K shared out by links, `W = Σ e^(β·x)` over the URLs of
//!   K without a visit; and of the rest nine tenths of the same of the node above, and so on. The more URLs a kind has that nobody
//!   reads, the less each can hope for: traps starve.
//! - `unseen(u)`: what the log may not see of a URL that should have visits by its links and has none.
//! - `lead(K)`: a page is worth at least the best average of it and some of what pages of its kind led to of late.
//!
//! α, β and γ (in `unseen`) are fitted to what the crawl knows so far, the first part of the training window foretelling the
//! second; again and again as the crawl grows by a fifth, until it is large. As far as a log is short (`1 − 100/visits`), kinds
//! are not told apart and exponents stay what is believed without one. Without any log nothing is left but `e^(β·x)`, an
//! order by links.
//!
//! For discovery, a page is worth the traffic of what it leads to that the crawl has not seen: by transits of the log, URLs
//! it led people to and that are not known yet, with their values; and what pages of its kind led to beyond that, on
//! average of late.
//!
//! Every ⌈1/ε⌉-th URL of a queue is not the best but one to learn from: of a kind that no pattern covers and that was rarely
//! explored, else the most promising without a visit.
//!
//! Read next: `value` for how a URL is valued, `fitting` for what is learnt on the way.

mod fitting;
mod kinds;
mod lanes;
mod leads;
mod past;
mod returning;
mod shares;
mod unseen;
mod value;

use std::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, Placement, Priority, Rotation, Time, UrlId, UrlTable};
use trodden_mining::expected::FIRST_PART;
use trodden_mining::{Goal, SLICES};

use super::save::saves;
use super::{Ingredient, Moves, OrderingPolicy};
use crate::outcome::{Found, Known, Outcome};
use crate::standing::{Outlook, Standings};
use kinds::{KindState, Kinds, Part};
pub use lanes::Steps;
use lanes::{Group, Lanes};
pub use past::Past;
use returning::Returning;
use shares::{BELIEVED, EVEN, Slopes};
use unseen::Unseen;

/// No site gets less than this share of what an even rotation would give it.
const FLOOR: f64 = 0.05;
/// Known URLs at the first fit, how much more at the next, and when it is enough.
const FIRST_FIT: usize = 256;
const GROWTH: f64 = 1.2;
const LAST_FIT: usize = 1 << 20;
/// How little less a URL is worth than what it leads to if it is worth nothing itself.
const TIE: f64 = 1e-3;
/// Hand-outs after which a kind without a pattern is explored enough to queue with the others.
const EXPLORED_ENOUGH: u32 = 20;

/// What counts; to be left out to see what it adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uses {
    /// A URL's own visits.
    pub own: bool,
    /// What kind a URL is of: its pattern's mean, and what is new there.
    pub kinds: bool,
    /// Links from pages fetched so far.
    pub links: bool,
    /// Readers that pass by these links.
    pub readers: bool,
    /// That a log may not see everything.
    pub unseen: bool,
    /// The share of hand-outs that goes to exploration.
    pub exploration: f64,
}

impl Uses {
    /// The share of hand-outs for exploration, unless said otherwise.
    pub const EXPLORATION: f64 = 0.05;

    /// Everything.
    pub const BLEND: Self =
        Self { own: true, kinds: true, links: true, readers: true, unseen: true, exploration: Self::EXPLORATION };

    /// Everything but one.
    #[must_use]
    pub fn without(ingredient: Ingredient) -> Self {
        let all = Self::BLEND;
        match ingredient {
            Ingredient::Own => Self { own: false, ..all },
            Ingredient::Kinds => Self { kinds: false, ..all },
            Ingredient::Links => Self::EXPECTED,
            Ingredient::Readers => Self { readers: false, ..all },
            Ingredient::Unseen => Self { unseen: false, ..all },
            Ingredient::Exploration => Self { exploration: 0.0, ..all },
            // Whoever builds the policy gives it no log.
            Ingredient::Log => all,
        }
    }

    /// Nothing of links.
    pub const EXPECTED: Self = Self { links: false, readers: false, unseen: false, ..Self::BLEND };
}

/// The most visits to be expected first.
pub struct Blend {
    uses: Uses,
    goal: Goal,
    steps: Steps,
    standings: Standings,
    kinds: Kinds,
    past: Arc<Past>,
    repriced: Vec<LaneId>,
    state: State,
}

#[derive(Serialize, Deserialize)]
struct State {
    facts: UrlTable<Facts>,
    /// URLs in the order in which they were found; those that were forgotten since as well.
    known: Vec<UrlId>,
    kinds: KindState,
    fit: Fit,
    next_fit: usize,
    lanes: Lanes,
    /// The page fetched last: its kind, and what was foretold behind it; and the values of what it led to.
    leader: Option<(u32, f32)>,
    led_to: Vec<f64>,
    /// Models so far.
    era: u8,
}

/// What is known of a URL.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Facts {
    kind: u32,
    links: u32,
    /// Readers that pass by its links, a slice; and those of the first part alone.
    readers: f32,
    first_readers: f32,
    doing: Doing,
    /// Whether it, or one that had its number before, is among those that were found.
    is_listed: bool,
    /// Whether another had its number before: what the logs say is of that one.
    is_reused: bool,
    /// The model that it was placed by.
    era: u8,
    /// What it was worth when it was fetched.
    worth: f32,
    /// Traffic behind it that is not known yet.
    behind: f32,
}

impl Facts {
    /// Whether it is in the sums of its kind.
    fn is_counted(&self) -> bool {
        self.is_listed && self.doing != Doing::Unknown
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Doing {
    #[default]
    Unknown,
    Waits,
    Fetched,
}

/// What does not depend on a model.
struct HandedOver {
    facts: UrlTable<Facts>,
    era: u8,
}

/// What was fitted.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Fit {
    /// α.
    returning: Returning,
    /// β.
    novel: Slopes,
    /// γ, of a whole site and within kinds.
    all: Slopes,
    kind: Slopes,
    /// Readers that pass by the links of a URL on average, a slice.
    readers: f64,
    /// In kinds that are read, and in all.
    unseen_of_kind: Unseen,
    unseen: Unseen,
}

impl Blend {
    /// By models (their lanes and outlooks: see [`CompiledModels`](crate::standing::CompiledModels)) and single URLs.
    pub fn new(
        uses: Uses,
        goal: Goal,
        steps: Steps,
        standings: Standings,
        outlooks: Vec<Outlook>,
        past: Arc<Past>,
    ) -> Self {
        let kinds = Kinds::new(outlooks, uses.kinds, !uses.links);
        let slopes = if uses.links { BELIEVED } else { EVEN };
        let fit = Fit {
            returning: Returning::believed(1.0),
            novel: slopes,
            all: slopes,
            kind: slopes,
            readers: 1.0,
            unseen_of_kind: Unseen::default(),
            unseen: Unseen::default(),
        };
        let state = State {
            facts: UrlTable::default(),
            known: Vec::new(),
            kinds: kinds.state(),
            fit,
            next_fit: if uses.links { FIRST_FIT } else { usize::MAX },
            lanes: Lanes::default(),
            leader: None,
            led_to: Vec::new(),
            era: 0,
        };
        Self { uses, goal, steps, standings, kinds, past, repriced: Vec::new(), state }
    }

    /// What is known of a URL. Of one that was placed by a model that went only the links are: its kind is another now.
    fn facts(&self, key: UrlId) -> Facts {
        let facts = self.state.facts.get(key);
        if facts.era == self.state.era {
            return facts;
        }
        let doing = if facts.doing == Doing::Fetched { Doing::Fetched } else { Doing::Unknown };
        Facts { kind: 0, doing, is_listed: false, is_reused: false, era: self.state.era, ..facts }
    }

    /// Where a URL waits: its group, and its value there.
    fn group(&self, key: UrlId, facts: &Facts) -> (Group, f64) {
        let visits = self.visits(key);
        let value = match (self.goal, visits) {
            (Goal::Discovery, _) => f64::from(facts.behind),
            (Goal::Fetch, Some(slices)) => self.of_visited(facts, slices),
            (Goal::Fetch, None) => self.beyond_kind(facts),
        };
        (Group { kind: facts.kind, is_visited: visits.is_some() }, value)
    }

    fn lane(&mut self, key: UrlId, facts: &Facts) -> Placement {
        let (group, value) = self.group(key, facts);
        Placement::Lane(self.state.lanes.of(group, value, self.steps))
    }

    /// Visits a day that URLs of a lane are worth.
    fn worth(&self, group: Group, value: f64) -> f64 {
        let lead = self.state.kinds.lead(group.kind);
        let worth = match self.goal {
            Goal::Discovery => lead + value,
            Goal::Fetch if group.is_visited => at_least(value, lead),
            Goal::Fetch => at_least(value * self.state.kinds.hope(&self.kinds, group.kind), lead),
        };
        worth * self.kinds.outlook(group.kind).slices_a_day
    }

    /// What a URL adds to the sums of its kind.
    fn part(&self, key: UrlId, facts: &Facts) -> Part {
        let links = self.links(facts).0;
        let visits = self.visits(key).map_or(0, |slices| slices.iter().sum());
        Part {
            unread: if visits == 0 { self.state.fit.novel.weight(&links) } else { 0.0 },
            all: self.state.fit.all.weight(&links),
            read: if visits == 0 { 0.0 } else { self.state.fit.kind.weight(&links) },
            visits: f64::from(visits) / SLICES as f64,
        }
    }

    /// Tells the lanes of a kind their price if it is off.
    fn check_price(&mut self, kind: u32) {
        let hope = self.state.kinds.hope(&self.kinds, kind);
        if self.state.kinds.is_off(kind, [hope, self.state.kinds.lead(kind)]) {
            self.repriced.extend(self.state.lanes.of_kind(kind));
        }
    }

    /// One more link leads to a URL, by which so many readers pass.
    fn link(&mut self, link: &Found<'_>, readers: f64, first_readers: f64, moves: &mut Moves) {
        if !self.uses.links {
            return;
        }
        let before = self.state.facts.get(link.key);
        let mut facts = before;
        facts.links += 1;
        facts.readers += readers as f32;
        facts.first_readers += first_readers as f32;
        *self.state.facts.slot(link.key) = facts;
        // What another model placed has no kind here yet.
        if facts.doing == Doing::Unknown || facts.era != self.state.era {
            return;
        }
        let (old, new) = (self.part(link.key, &before), self.part(link.key, &facts));
        self.state.kinds.change(&self.kinds, facts.kind, old, new);
        self.check_price(facts.kind);
        if facts.doing == Doing::Waits {
            let placement = self.lane(link.key, &facts);
            moves.place(link.key, placement);
        }
    }
}

/// What a URL is worth that leads to so much: the more of the two. Of several that are worth what they lead to, the better
/// ones go first.
fn at_least(value: f64, lead: f64) -> f64 {
    if value >= lead { value } else { lead * (1.0 - TIE * (1.0 - value / lead)) }
}

impl OrderingPolicy for Blend {
    fn place(&mut self, url: &Known<'_>, _: Time) -> Placement {
        let mut facts = self.facts(url.key);
        let is_counted = facts.is_counted();
        facts.kind = self.kinds.of(self.standings.stand(url.url));
        facts.doing = Doing::Waits;
        facts.era = self.state.era;
        if self.goal == Goal::Discovery {
            facts.behind = self.behind(url.key) as f32;
        }
        if !std::mem::replace(&mut facts.is_listed, true) {
            self.state.known.push(url.key);
        }
        *self.state.facts.slot(url.key) = facts;
        if !is_counted {
            let part = self.part(url.key, &facts);
            self.state.kinds.change(&self.kinds, facts.kind, Part::default(), part);
            self.check_price(facts.kind);
        }
        if url.from.is_some() {
            let value = if self.goal == Goal::Fetch { self.value(url.key, &facts) } else { self.hearsay(url.key) };
            self.state.led_to.push(value);
        }
        self.lane(url.key, &facts)
    }

    fn place_again(&self, url: &Known<'_>, _: Time) -> Placement {
        let (group, value) = self.group(url.key, &self.facts(url.key));
        Placement::Lane(self.state.lanes.find(group, value, self.steps).unwrap_or_default())
    }

    fn settled(&mut self, url: &Known<'_>, _: &Outcome<'_>, found: &[Found<'_>], moves: &mut Moves, _: Time) {
        let mut facts = self.facts(url.key);
        if facts.doing == Doing::Unknown {
            facts.kind = self.kinds.of(self.standings.stand(url.url));
        }
        facts.doing = Doing::Fetched;
        let value = self.value(url.key, &facts);
        facts.worth = (value * self.kinds.outlook(facts.kind).slices_a_day) as f32;
        *self.state.facts.slot(url.key) = facts;
        let part = 1.0 / found.len().max(1) as f64;
        // As far as the log is too short to tell who is read, readers are spread as if there were none.
        let unread =
            self.state.kinds.hope(&self.kinds, facts.kind) * self.state.fit.novel.weight(&self.links(&facts).0);
        let handed_on = unread * (value / unread).powf(self.kinds.trust(facts.kind));
        let in_first = self.visits(url.key).filter(|slices| slices[..FIRST_PART].iter().any(|n| *n > 0));
        let first = match in_first {
            Some(slices) => self.kinds.outlook(facts.kind).forecast.of_first_part(slices, self.mean(facts.kind)),
            None => self.state.kinds.hope(&self.kinds, facts.kind) * self.beyond_kind(&facts),
        };
        self.learn_lead();
        self.state.leader = Some((facts.kind, facts.behind));
        for link in found {
            self.link(link, handed_on * part, first * part, moves);
            if self.goal == Goal::Discovery && link.is_new {
                self.comes_to_light(link.key, moves);
            }
        }
        let known = self.state.known.len();
        if known >= self.state.next_fit {
            self.state.next_fit = if known < LAST_FIT { (known as f64 * GROWTH) as usize } else { usize::MAX };
            self.refit(moves);
        }
    }

    fn lane_priority(&self, lane: LaneId, _: Time) -> Priority {
        let (group, value) = self.state.lanes.meaning(lane, self.steps).unwrap_or_default();
        Priority::of(self.worth(group, value))
    }

    fn repriced(&mut self) -> Vec<LaneId> {
        std::mem::take(&mut self.repriced)
    }

    fn explores(&self, hand_out: u64) -> bool {
        self.uses.exploration > 0.0 && hand_out.is_multiple_of((1.0 / self.uses.exploration).ceil() as u64)
    }

    /// A kind that no pattern covers and that was rarely explored goes first.
    fn curiosity(&self, lane: LaneId) -> Option<Priority> {
        let (group, value) = self.state.lanes.meaning(lane, self.steps).filter(|(group, _)| !group.is_visited)?;
        let is_new = !Kinds::is_covered(group.kind) && self.state.kinds.explored(group.kind) < EXPLORED_ENOUGH;
        Some(Priority { tier: u8::from(is_new), value: self.worth(group, value) })
    }

    fn explored(&mut self, lane: LaneId) {
        if let Some((group, _)) = self.state.lanes.meaning(lane, self.steps) {
            self.state.kinds.explore(group.kind);
        }
    }

    fn unexplored(&mut self, lane: LaneId) {
        if let Some((group, _)) = self.state.lanes.meaning(lane, self.steps) {
            self.state.kinds.unexplore(group.kind);
        }
    }

    fn forget(&mut self, url: UrlId) {
        let facts = self.facts(url);
        if facts.is_counted() {
            let part = self.part(url, &facts);
            self.state.kinds.change(&self.kinds, facts.kind, part, Part::default());
            self.check_price(facts.kind);
        }
        // It stays in the list, so that whoever gets its number does not stand there twice.
        let (is_listed, era) = (facts.is_listed, facts.era);
        *self.state.facts.slot(url) = Facts { is_listed, is_reused: true, era, ..Facts::default() };
    }

    fn estimate(&self, key: UrlId) -> f64 {
        let facts = self.facts(key);
        if facts.doing == Doing::Fetched {
            return f64::from(facts.worth);
        }
        let (group, value) = self.group(key, &facts);
        self.worth(group, value)
    }

    fn foretell(&self, key: UrlId) -> Option<f64> {
        Some(self.value(key, &self.facts(key)) * SLICES as f64)
    }

    fn rotation(&self) -> Rotation {
        Rotation::ByPriority { floor: FLOOR }
    }

    fn hand_over(&mut self) -> Option<Box<dyn Any + Send>> {
        Some(Box::new(HandedOver { facts: std::mem::take(&mut self.state.facts), era: self.state.era }))
    }

    /// Links and readers stay what they are; kinds are those of another model, and looked up when a URL is placed.
    fn take_over(&mut self, known: Box<dyn Any + Send>) {
        if let Ok(known) = known.downcast::<HandedOver>() {
            self.state.facts = known.facts;
            self.state.era = known.era.wrapping_add(1);
        }
    }

    saves!(state);
}
