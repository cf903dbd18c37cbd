//! What does the model know of a URL?

use serde::Serialize;
use trodden_urls::{CanonicalUrl, Components, HostKey};

use super::conclusion::conclusion;
use super::flows::{FlowShare, PatternShares};
use super::trail::{Trail, way_to};
use super::uncovered::{UncoveredUrl, uncovered};
use crate::locate::{Place, Scratch};
use crate::model::{NamedUrl, Order, SiteModel, UrlScores};
use crate::rank::{Goal, Strategy};

/// All that is known of a URL. Its fields are those of `explain --format json`.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// As it is fetched.
    pub url: String,
    /// The site of the model.
    pub site: String,
    /// URLs of the site.
    pub site_urls: u64,
    /// Their visits.
    pub site_visits: u64,
    /// From the root to the pattern, or to where the walk ended.
    pub walk: Vec<WalkStep>,
    /// What all URLs there have, and so has this one.
    pub constants: Vec<SharedValue>,
    /// What varies in the pattern.
    pub varies: Vec<VaryingKey>,
    /// The pattern that it is in.
    pub pattern: Option<ExplainedPattern>,
    /// Why it is in none.
    pub uncovered: Option<UncoveredUrl>,
    /// What people did with it, if it may be named.
    pub itself: Option<OwnVisits>,
    /// What it can expect.
    pub expectation: UrlExpectation,
    /// What it scores by the order that is asked for.
    pub score: f64,
    /// What the score counts.
    pub unit: &'static str,
    /// URLs of the site that score higher.
    pub urls_before: u64,
    /// Users that a URL must have had to be named.
    pub min_users: u32,
    /// One sentence: so what?
    pub conclusion: String,
}

/// A node on the way.
#[derive(Clone, Debug, Serialize)]
pub struct WalkStep {
    /// Its number.
    pub node: u32,
    /// What led there, in words; nothing leads to the root.
    pub condition: String,
    /// URLs below it.
    pub urls: u64,
    /// Their visits.
    pub visits: u64,
}

/// A key that all URLs have with the same value.
#[derive(Clone, Debug, Serialize)]
pub struct SharedValue {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
}

/// A key that varies.
#[derive(Clone, Debug, Serialize)]
pub struct VaryingKey {
    /// The key.
    pub key: String,
    /// What this URL has.
    pub value: Option<String>,
    /// What it may look like; nothing where anything goes.
    pub classes: Option<Vec<String>>,
    /// Whether it may be missing.
    pub optional: bool,
}

/// The pattern of the URL.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedPattern {
    /// Its number.
    pub id: u32,
    /// Its text.
    pub pattern: String,
    /// URLs in it.
    pub urls: u64,
    /// Those that were visited.
    pub visited: u64,
    /// Their visits.
    pub visits: u64,
    /// Steps from them to other pages.
    pub referrals: u64,
    /// Where it stands among all patterns.
    pub ranks: Vec<PatternRank>,
    /// Visits from outside of the site.
    pub from_outside: u64,
    /// The patterns that most visits come from.
    pub from: Vec<FlowShare>,
    /// The patterns that most steps lead to.
    pub to: Vec<FlowShare>,
}

/// A place in a ranking.
#[derive(Clone, Debug, Serialize)]
pub struct PatternRank {
    /// What the ranking is for.
    pub goal: &'static str,
    /// What it goes by.
    pub by: &'static str,
    /// The place, from 1.
    pub rank: usize,
    /// How many patterns there are.
    pub of: usize,
    /// What the place was given for.
    pub score: f64,
}

/// What the URL can expect, and what that is made of.
#[derive(Clone, Debug, Serialize)]
pub struct UrlExpectation {
    /// Visits a day; for discovery, steps on from it.
    pub a_day: f64,
    /// The days that the model was learnt from.
    pub days: f64,
    /// Visits of a visited URL of its kind in that time, on average.
    pub like_it: f64,
    /// URLs of its kind that have no name.
    pub nameless_urls: u64,
    /// Their visits in that time.
    pub nameless_visits: u64,
}

/// What people did with the URL itself.
#[derive(Clone, Debug, Serialize)]
pub struct OwnVisits {
    /// Visits.
    pub visits: u64,
    /// Users who made them.
    pub users: u64,
    /// Steps from it to other pages.
    pub referrals: u64,
}

impl Explanation {
    /// Walks down the tree of a site with a URL.
    #[must_use]
    pub fn of(model: &SiteModel, url: &CanonicalUrl<'_>, goal: Goal, order: Order) -> Self {
        let host = HostKey::of(url);
        let locator = model.locator();
        let place = locator.locate(&mut Scratch::default(), host.as_str(), url.path_and_query());
        let mut components = Components::new();
        components.read(host.as_str(), url.path_and_query());
        let trail = Trail { model, nodes: way_to(model, place.node()), components: &components };
        let text = format!("{host}{}", url.path_and_query());
        let named = model.urls.iter().position(|named| named.url == text);
        let of = |scores: &UrlScores| named.map_or_else(|| scores.unnamed(place), |at| scores.named(at));
        let scores = UrlScores::of(model, goal, order);
        let score = of(&scores);
        let mut explanation = Self {
            url: model.fetchable(&text),
            site: model.site.clone(),
            site_urls: model.nodes[0].urls,
            site_visits: model.nodes[0].visits,
            walk: trail.steps(),
            constants: trail.constants(place),
            varies: trail.varies(place),
            pattern: place.pattern().map(|id| ExplainedPattern::of(model, id, goal, order)),
            uncovered: match place {
                Place::Pattern(_) => None,
                Place::Uncovered(_, why) => Some(uncovered(&trail, &locator, why, &host)),
            },
            itself: named.map(|at| OwnVisits::of(&model.urls[at])),
            expectation: UrlExpectation::of(model, place, goal, of),
            score,
            unit: order.unit(goal).unwrap_or(""),
            urls_before: scores.above(model, score),
            min_users: model.min_users,
            conclusion: String::new(),
        };
        explanation.conclusion = conclusion(&explanation, goal, order);
        explanation
    }
}

impl UrlExpectation {
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

impl OwnVisits {
    fn of(named: &NamedUrl) -> Self {
        Self { visits: named.visits, users: named.users, referrals: named.referrals }
    }
}

impl ExplainedPattern {
    fn of(model: &SiteModel, id: u32, goal: Goal, order: Order) -> Self {
        let node = &model.nodes[id as usize];
        let behavior = Order::Pattern(Strategy::Behavior);
        let mut asked: Vec<(Goal, Order)> = Goal::ALL.map(|goal| (goal, behavior)).into();
        if order != behavior {
            asked.insert(0, (goal, order));
        }
        let flows = PatternShares::of(model, id);
        Self {
            id,
            pattern: node.pattern.clone(),
            urls: node.urls,
            visited: node.visited,
            visits: node.visits,
            referrals: node.referrals,
            ranks: asked.into_iter().filter_map(|(goal, by)| PatternRank::of(model, id, goal, by)).collect(),
            from_outside: flows.outside,
            from: flows.from,
            to: flows.to,
        }
    }
}

impl PatternRank {
    fn of(model: &SiteModel, id: u32, goal: Goal, by: Order) -> Option<Self> {
        let ranking = model.ranking_by(goal, by);
        let at = ranking.iter().position(|ranked| ranked.id == id)?;
        Some(Self { goal: goal.name(), by: by.name(), rank: at + 1, of: ranking.len(), score: ranking[at].score })
    }
}
