//! By the visits that a URL can expect: the [model of what will be read](trodden_mining::expected), with the links of the crawl. **\[ours\]**
//!
//! ```text
//! x(u) = ( ln(1 + n), ln(0.05 + readers) )                                   of the model's e^(β·x)
//! ```
//! n: links from pages fetched so far; readers, in parts of the average: each fetched page hands its own value on to its links in equal parts, as
//! people do who follow one of them.
//!
//! All is fitted again and again as the crawl grows by a fifth, until it is large; between fits a kind's unread URLs share what
//! it has (`KindLevel::shared`). Without any log θ is constant, and what is left is `e^(β·x)`, an order by links. Without links (`expected`) β = 0, and
//! nothing is taken to be missed.
//!
//! For discovery, a page is worth the traffic of what it leads to that the crawl has not seen: by transits of the log, URLs
//! it led people to and that are not known yet, with their values; and what pages of its kind led to beyond that, on
//! average of late.
//!
//! **Exploration.** A page tells where links lead, not who reads it. So exploring can pay at most what is not in sight: the share of the log's visits
//! whose URLs the crawl has not found, and of the rest the share that goes to new URLs. That share of ε (5 %) of a queue's URLs is not the best but
//! one to learn from: of a kind that no pattern covers and that was rarely explored, else the most promising without a visit.
//!
//! Read next: `value` for where it all meets, `fitting` for when it is fitted.

mod fitting;
mod kinds;
mod lanes;
mod leads;
mod past;
mod value;

use std::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trodden_frontier::{LaneId, Placement, Priority, Rotation, Time, UrlId, UrlTable};
use trodden_mining::expected::{KindLevel, Taste};
use trodden_mining::{Goal, SLICES};

use super::save::saves;
use super::{Ingredient, Moves, OrderingPolicy};
use crate::outcome::{Found, Known, Outcome};
use crate::standing::{Outlook, Standings};
use kinds::{KindState, Kinds};
pub use lanes::Steps;
use lanes::{Group, Lanes};
pub use past::Past;

/// No site gets less than this share of what an even rotation would give it.
const FLOOR: f64 = 0.05;
/// Known URLs at the first fit, how much more at the next, and when it is enough.
const FIRST_FIT: usize = 16;
const GROWTH: f64 = 1.2;
const LAST_FIT: usize = 1 << 20;
/// Exploration that is rarer than this is none.
const RAREST: f64 = 1e-6;
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
    /// That a log may miss URLs and branches.
    pub unseen: bool,
    /// The share of hand-outs that goes to exploration where nothing is in sight.
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
    /// Visits of the log to URLs that were found.
    in_sight: f64,
    /// Models so far.
    era: u8,
}

/// What is known of a URL.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Facts {
    kind: u32,
    links: u32,
    /// Readers that pass by its links, a slice.
    readers: f32,
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
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Fit {
    taste: Taste,
    /// By kind.
    levels: Vec<KindLevel>,
    /// The share of visits that goes to URLs that are new.
    novelty: f64,
    /// Readers that pass by the links of a URL on average, a slice.
    readers: f64,
    /// By kind: visits a slice that an unread URL can expect which no link leads to.
    bare: Vec<f64>,
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
        let kinds = Kinds::new(outlooks, uses.kinds);
        let even = Taste { slopes: [0.0; 2], ..Taste::BELIEVED };
        let fit = Fit {
            taste: if uses.links { Taste::BELIEVED } else { even },
            levels: vec![KindLevel::BELIEVED; kinds.tree().nodes()],
            novelty: 1.0,
            readers: 1.0,
            bare: Vec::new(),
        };
        let state = State {
            facts: UrlTable::default(),
            known: Vec::new(),
            kinds: kinds.state(),
            fit,
            next_fit: FIRST_FIT,
            lanes: Lanes::default(),
            leader: None,
            led_to: Vec::new(),
            in_sight: 0.0,
            era: 0,
        };
        let mut blend = Self { uses, goal, steps, standings, kinds, past, repriced: Vec::new(), state };
        blend.set_bare();
        blend
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

    /// Where a URL waits: its group, and its value there. That of an unread URL is told in multiples of what one without links has: so when a
    /// kind turns out to be worth more or less, lanes get other prices and their URLs stay.
    fn group(&self, key: UrlId, facts: &Facts) -> (Group, f64) {
        let is_visited = self.own(key).is_some();
        let value = match self.goal {
            Goal::Discovery => f64::from(facts.behind),
            Goal::Fetch if is_visited => self.at_fit(key, facts),
            Goal::Fetch => self.at_fit(key, facts) / self.state.fit.bare[facts.kind as usize],
        };
        (Group { kind: facts.kind, is_visited }, value)
    }

    fn lane(&mut self, key: UrlId, facts: &Facts) -> Placement {
        let (group, value) = self.group(key, facts);
        Placement::Lane(self.state.lanes.of(group, value, self.steps))
    }

    /// Visits a day that URLs of a lane are worth.
    fn worth(&self, group: Group, value: f64) -> f64 {
        let worth = match self.goal {
            Goal::Discovery => self.state.kinds.lead(group.kind) + value,
            Goal::Fetch if group.is_visited => value,
            Goal::Fetch => value * self.state.fit.bare[group.kind as usize] * self.shared(group.kind),
        };
        worth * self.kinds.outlook(group.kind).slices_a_day
    }

    /// What a URL adds to the weight of its kind's unread URLs.
    fn unread_weight(&self, key: UrlId, facts: &Facts) -> f64 {
        if self.own(key).is_some() { 0.0 } else { self.state.fit.taste.weight(&self.links(facts)) }
    }

    /// Tells the lanes of a kind their price if it is off.
    fn check_price(&mut self, kind: u32) {
        let prices = [self.shared(kind), self.state.kinds.lead(kind)];
        if self.state.kinds.is_off(kind, prices) {
            self.repriced.extend(self.state.lanes.of_kind(kind));
        }
    }

    /// One more link leads to a URL, by which so many readers pass.
    fn link(&mut self, link: &Found<'_>, readers: f64, moves: &mut Moves) {
        if !self.uses.links {
            return;
        }
        let before = self.state.facts.get(link.key);
        let mut facts = before;
        facts.links += 1;
        facts.readers += readers as f32;
        *self.state.facts.slot(link.key) = facts;
        // What another model placed has no kind here yet.
        if facts.doing == Doing::Unknown || facts.era != self.state.era {
            return;
        }
        let more = self.unread_weight(link.key, &facts) - self.unread_weight(link.key, &before);
        self.state.kinds.add(facts.kind, more);
        self.check_price(facts.kind);
        if facts.doing == Doing::Waits {
            let placement = self.lane(link.key, &facts);
            moves.place(link.key, placement);
        }
    }
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
            self.state.in_sight += self.hearsay(url.key);
            self.state.known.push(url.key);
        }
        *self.state.facts.slot(url.key) = facts;
        if !is_counted {
            self.state.kinds.add(facts.kind, self.unread_weight(url.key, &facts));
            self.check_price(facts.kind);
        }
        if url.from.is_some() && self.goal == Goal::Discovery {
            self.state.led_to.push(self.hearsay(url.key));
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
        if self.goal == Goal::Discovery {
            self.learn_lead();
            self.state.leader = Some((facts.kind, facts.behind));
        }
        for link in found {
            self.link(link, value * part, moves);
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
        let rate = self.uses.exploration * self.out_of_sight();
        rate > RAREST && hand_out.is_multiple_of((1.0 / rate).ceil() as u64)
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
            self.state.kinds.add(facts.kind, -self.unread_weight(url, &facts));
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

    fn estimates_visits(&self) -> bool {
        self.goal == Goal::Fetch
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
