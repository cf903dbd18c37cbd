//! What does the model know of a URL?

use serde::Serialize;
use trodden_mining::model::{Like, NamedUrl, Node, Way};
use trodden_mining::{Goal, Key, Locator, Order, Place, Scratch, SiteModel, Strategy, UrlScores, Why};
use trodden_urls::Components;

use super::Asked;
use super::flows::{Flow, Flows};
use super::uncovered::{Uncovered, uncovered};
use super::words::conclusion;

/// All that is known, as `--format json` prints it.
#[derive(Debug, Serialize)]
pub(super) struct Facts {
    pub(super) url: String,
    pub(super) site: String,
    pub(super) site_urls: u64,
    pub(super) site_visits: u64,
    /// From the root to the pattern, or to where the walk ended.
    pub(super) walk: Vec<Step>,
    /// What all URLs there have, and so has this one.
    pub(super) constants: Vec<Constant>,
    /// What varies in the pattern.
    pub(super) varies: Vec<Varying>,
    pub(super) pattern: Option<PatternFacts>,
    pub(super) uncovered: Option<Uncovered>,
    pub(super) itself: Option<Itself>,
    pub(super) expectation: Expectation,
    /// What it scores by the order that is asked for, and what that counts.
    pub(super) score: f64,
    pub(super) unit: &'static str,
    /// URLs of the site that score higher.
    pub(super) urls_before: u64,
    /// Users that a URL must have had to be named.
    pub(super) min_users: u32,
    pub(super) conclusion: String,
}

/// A node on the way.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    pub(super) node: u32,
    /// What led there, in words; nothing leads to the root.
    pub(super) condition: String,
    pub(super) urls: u64,
    pub(super) visits: u64,
}

/// A key that all URLs have with the same value.
#[derive(Debug, Serialize)]
pub(super) struct Constant {
    pub(super) key: String,
    pub(super) value: String,
}

/// A key that varies.
#[derive(Debug, Serialize)]
pub(super) struct Varying {
    pub(super) key: String,
    /// What this URL has.
    pub(super) value: Option<String>,
    /// What it may look like; nothing where anything goes.
    pub(super) classes: Option<Vec<String>>,
    pub(super) optional: bool,
}

/// The pattern of the URL.
#[derive(Debug, Serialize)]
pub(super) struct PatternFacts {
    pub(super) id: u32,
    pub(super) pattern: String,
    pub(super) urls: u64,
    pub(super) visited: u64,
    pub(super) visits: u64,
    pub(super) referrals: u64,
    pub(super) ranks: Vec<Rank>,
    /// Visits from outside of the site.
    pub(super) from_outside: u64,
    pub(super) from: Vec<Flow>,
    pub(super) to: Vec<Flow>,
}

/// A place in a ranking.
#[derive(Debug, Serialize)]
pub(super) struct Rank {
    pub(super) goal: &'static str,
    pub(super) by: &'static str,
    pub(super) rank: usize,
    pub(super) of: usize,
    pub(super) score: f64,
}

/// What the URL can expect, and what that is made of.
#[derive(Debug, Serialize)]
pub(super) struct Expectation {
    /// Visits a day; for discovery, steps on from it.
    pub(super) a_day: f64,
    /// The days that the model was learnt from.
    pub(super) days: f64,
    /// Visits of a visited URL of its kind in that time, on average.
    pub(super) like_it: f64,
    /// URLs of its kind that have no name, and their visits in that time.
    pub(super) nameless_urls: u64,
    pub(super) nameless_visits: u64,
}

/// What people did with the URL itself.
#[derive(Debug, Serialize)]
pub(super) struct Itself {
    pub(super) visits: u64,
    pub(super) users: u64,
    pub(super) referrals: u64,
}

impl Facts {
    /// Walks down the tree with a URL.
    pub(super) fn of(model: &SiteModel, asked: &Asked, goal: Goal, order: Order) -> Self {
        let locator = model.locator();
        let place = locator.locate(&mut Scratch::default(), asked.host.as_str(), &asked.path_and_query);
        let mut components = Components::new();
        components.read(asked.host.as_str(), &asked.path_and_query);
        let trail = Trail { model, nodes: way_to(model, place.node()), components: &components };
        let text = asked.text();
        let named = model.urls.iter().position(|named| named.url == text);
        let of = |scores: &UrlScores| named.map_or_else(|| scores.unnamed(place), |at| scores.named(at));
        let scores = UrlScores::of(model, goal, order);
        let score = of(&scores);
        let mut facts = Self {
            url: model.fetchable(&text),
            site: model.site.clone(),
            site_urls: model.nodes[0].urls,
            site_visits: model.nodes[0].visits,
            walk: trail.steps(),
            constants: trail.constants(place),
            varies: trail.varies(place),
            pattern: place.pattern().map(|id| PatternFacts::of(model, id, goal, order)),
            uncovered: why(&trail, &locator, place, asked),
            itself: named.map(|at| Itself::of(&model.urls[at])),
            expectation: Expectation::of(model, place, goal, of),
            score,
            unit: order.unit(goal).unwrap_or(""),
            urls_before: scores.above(model, score),
            min_users: model.min_users,
            conclusion: String::new(),
        };
        facts.conclusion = conclusion(&facts, goal, order);
        facts
    }
}

fn why(trail: &Trail<'_>, locator: &Locator, place: Place, asked: &Asked) -> Option<Uncovered> {
    match place {
        Place::Pattern(_) => None,
        Place::Uncovered(_, why) => Some(uncovered(trail, locator, why, asked)),
    }
}

/// The nodes from the root to a node.
fn way_to(model: &SiteModel, node: u32) -> Vec<u32> {
    let mut way = vec![node];
    let mut at = node;
    // Parents come before their children: the model was checked when it was read.
    while at > 0 && model.nodes[at as usize].parent < at {
        at = model.nodes[at as usize].parent;
        way.push(at);
    }
    way.reverse();
    way
}

/// The way of a URL down the tree.
pub(super) struct Trail<'m> {
    pub(super) model: &'m SiteModel,
    pub(super) nodes: Vec<u32>,
    pub(super) components: &'m Components,
}

impl<'m> Trail<'m> {
    pub(super) fn node(&self, number: u32) -> &'m Node {
        &self.model.nodes[number as usize]
    }

    /// Where the walk ended.
    pub(super) fn end(&self) -> &'m Node {
        self.node(self.nodes.last().copied().unwrap_or(0))
    }

    /// What the URL has.
    pub(super) fn value(&self, key: &Key) -> Option<String> {
        self.components.get(key.borrowed()).map(str::to_owned)
    }

    fn steps(&self) -> Vec<Step> {
        let step = |number: &u32| {
            let node = self.node(*number);
            Step { node: *number, condition: self.condition(node), urls: node.urls, visits: node.visits }
        };
        self.nodes.iter().map(step).collect()
    }

    fn condition(&self, node: &Node) -> String {
        let key = self.node(node.parent).split.as_ref();
        let name = key.map_or_else(String::new, ToString::to_string);
        match &node.way {
            Way::Root => String::new(),
            Way::Kept(value) => format!("{name} is {value}"),
            Way::Absent => format!("{name} is not there"),
            Way::Other => match key.and_then(|key| self.value(key)) {
                Some(value) => format!("{name} is {value}, one of the many others"),
                None => format!("{name} is one of the many others"),
            },
            Way::Page(_) => "it is a page with a pattern of its own".to_owned(),
        }
    }

    /// The constants that were checked, without what branches, hosts or other constants say already.
    fn constants(&self, place: Place) -> Vec<Constant> {
        let failed = matches!(place, Place::Uncovered(_, Why::Constant(_)));
        let checked = &self.nodes[..self.nodes.len() - usize::from(failed)];
        let mut constants = Vec::new();
        for node in checked.iter().map(|number| self.node(*number)) {
            let branch = match node.way {
                Way::Kept(_) => self.node(node.parent).split.as_ref(),
                _ => None,
            };
            for (key, value) in &node.is {
                let said = branch == Some(key)
                    || match key {
                        Key::HostLabel(_) => true,
                        Key::Shape(at) => self.constant(&Key::Value(*at)).is_some(),
                        _ => false,
                    };
                if !said {
                    constants.push(Constant { key: key.to_string(), value: value.clone() });
                }
            }
        }
        constants
    }

    /// The value that all URLs have where the walk ended.
    pub(super) fn constant(&self, key: &Key) -> Option<&'m str> {
        self.nodes.iter().find_map(|number| self.node(*number).is.get(key)).map(String::as_str)
    }

    /// What varies in the pattern.
    fn varies(&self, place: Place) -> Vec<Varying> {
        if place.pattern().is_none() {
            return Vec::new();
        }
        let varying = |(key, like): (&Key, &Like)| {
            // A shape stands for its segment.
            let shown = if let Key::Shape(at) = key { Key::Value(*at) } else { key.clone() };
            Varying {
                value: self.value(&shown),
                key: shown.to_string(),
                classes: like.classes.clone(),
                optional: like.optional,
            }
        };
        self.end().like.iter().map(varying).collect()
    }
}

impl Expectation {
    fn of(model: &SiteModel, place: Place, goal: Goal, of: impl Fn(&UrlScores) -> f64) -> Self {
        let scores = UrlScores::of(model, goal, Order::Expected);
        let node = &model.nodes[place.node() as usize];
        let nameless = scores.nameless(place.node());
        Self {
            a_day: of(&scores),
            days: model.days(),
            like_it: node.visits as f64 / node.visited.max(1) as f64,
            nameless_urls: nameless.urls,
            nameless_visits: nameless.visits,
        }
    }
}

impl Itself {
    fn of(named: &NamedUrl) -> Self {
        Self { visits: named.visits, users: named.users, referrals: named.referrals }
    }
}

impl PatternFacts {
    fn of(model: &SiteModel, id: u32, goal: Goal, order: Order) -> Self {
        let node = &model.nodes[id as usize];
        let behavior = Order::Pattern(Strategy::Behavior);
        let mut asked: Vec<(Goal, Order)> = Goal::ALL.map(|goal| (goal, behavior)).into();
        if order != behavior {
            asked.insert(0, (goal, order));
        }
        let flows = Flows::of(model, id);
        Self {
            id,
            pattern: node.pattern.clone(),
            urls: node.urls,
            visited: node.visited,
            visits: node.visits,
            referrals: node.referrals,
            ranks: asked.into_iter().filter_map(|(goal, by)| Rank::of(model, id, goal, by)).collect(),
            from_outside: flows.outside,
            from: flows.from,
            to: flows.to,
        }
    }
}

impl Rank {
    fn of(model: &SiteModel, id: u32, goal: Goal, by: Order) -> Option<Self> {
        let ranking = model.ranking_by(goal, by);
        let at = ranking.iter().position(|ranked| ranked.id == id)?;
        Some(Self { goal: goal.name(), by: by.name(), rank: at + 1, of: ranking.len(), score: ranking[at].score })
    }
}
