//! The names of policies, as an operator types them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use trodden_mining::Strategy;

use super::collaborative::Recipe;

/// What `blend` is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ingredient {
    /// A URL's own visits.
    Own,
    /// Patterns: means, and what is new.
    Kinds,
    /// Links from pages fetched so far.
    Links,
    /// Readers that pass by these links.
    Readers,
    /// What a log does not see.
    Unseen,
    /// The share for exploration.
    Exploration,
    /// All that a log says: what is left is an order by links.
    Log,
}

impl Ingredient {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Own, "own"),
        (Self::Kinds, "kinds"),
        (Self::Links, "links"),
        (Self::Readers, "readers"),
        (Self::Unseen, "unseen"),
        (Self::Exploration, "exploration"),
        (Self::Log, "log"),
    ];
}

/// A policy by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolicyName {
    /// As found.
    BreadthFirst,
    /// Any, all alike.
    Random,
    /// Links so far.
    Backlink,
    /// PageRank so far.
    PageRank,
    /// PageRank of the whole mirror: an oracle.
    PageRankWhole,
    /// Cash.
    Opic,
    /// Personalized PageRank mass so far.
    RankMass,
    /// Plain URLs first.
    Location,
    /// Topic words first, then as the other policy says.
    Similarity(Box<PolicyName>),
    /// The same, decided by the first link to a URL.
    SimilarityOnce(Box<PolicyName>),
    /// Topic words first, and what is near hot pages.
    SimilarityNear(Box<PolicyName>),
    /// Who reads what, and links, for a topic.
    Collaborative(Recipe),
    /// URLs of the pattern.
    Volume,
    /// The URL's own visits.
    UrlVisit,
    /// Visits of the pattern.
    OverallVisit,
    /// Visits of the pattern for each of its URLs.
    AverageVisit,
    /// Referrals by the pattern.
    OverallReferral,
    /// Referrals by the pattern for each of its URLs.
    AverageReferral,
    /// The rank of the pattern on the behavior graph: the paper's own, with our damping unless it is set to 1.
    Behavior,
    /// Expected visits.
    Expected,
    /// Expected visits, by links too.
    Blend,
    /// The same without one of its ingredients: to see what that adds.
    BlendWithout(Ingredient),
    /// The most visited in the future of what waits: an oracle.
    Ideal,
    /// The most visited in the future, linked or not: an oracle (UO's).
    IdealUnlinked,
}

/// Not the name of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name:?} is no policy; there are: {}, similarity:ORDER, similarity-once:ORDER, similarity-near:ORDER (ORDER is one of the link-based), collaborative, collaborative:EVIDENCE (some of users, signatures, locality, links and product, joined by +), blend-without:PART (own, kinds, links, readers, unseen, exploration, log)", all().join(", "))]
pub struct UnknownPolicy {
    name: String,
}

const COLLABORATIVE: &str = "collaborative";

const PLAIN: [(PolicyName, &str); 19] = [
    (PolicyName::BreadthFirst, "breadth-first"),
    (PolicyName::Random, "random"),
    (PolicyName::Backlink, "backlink"),
    (PolicyName::PageRank, "pagerank"),
    (PolicyName::PageRankWhole, "pagerank-whole"),
    (PolicyName::Opic, "opic"),
    (PolicyName::RankMass, "rankmass"),
    (PolicyName::Location, "location"),
    (PolicyName::Volume, "volume"),
    (PolicyName::UrlVisit, "url-visit"),
    (PolicyName::OverallVisit, "overall-visit"),
    (PolicyName::AverageVisit, "average-visit"),
    (PolicyName::OverallReferral, "overall-referral"),
    (PolicyName::AverageReferral, "average-referral"),
    (PolicyName::Behavior, "behavior"),
    (PolicyName::Expected, "expected"),
    (PolicyName::Blend, "blend"),
    (PolicyName::Ideal, "ideal"),
    (PolicyName::IdealUnlinked, "ideal-unlinked"),
];

/// What a name begins with that leaves an ingredient out.
const WITHOUT: &str = "blend-without";

fn all() -> Vec<&'static str> {
    PLAIN.iter().map(|(_, text)| *text).collect()
}

impl PolicyName {
    /// Every policy that wraps no other.
    pub fn plain() -> impl Iterator<Item = Self> {
        PLAIN.iter().map(|(name, _)| name.clone())
    }

    /// The orders for a topic: the two-queue crawlers, around the orders that the paper wraps, and the collaborative one.
    pub fn topical() -> impl Iterator<Item = Self> {
        let orders = [Self::BreadthFirst, Self::Backlink, Self::PageRank].map(Box::new);
        let wraps = [Self::Similarity, Self::SimilarityNear];
        let two_queues = wraps.into_iter().flat_map(move |wrap| orders.clone().into_iter().map(wrap));
        two_queues.chain([Self::Collaborative(Recipe::default())])
    }

    /// `blend` without each of its ingredients in turn.
    pub fn ablations() -> impl Iterator<Item = Self> {
        Ingredient::ALL.into_iter().map(|(ingredient, _)| Self::BlendWithout(ingredient))
    }

    /// Whether it knows what no crawler can know.
    pub fn is_oracle(&self) -> bool {
        matches!(self, Self::PageRankWhole | Self::Ideal | Self::IdealUnlinked)
    }

    /// How it ranks patterns, if it does.
    pub fn strategy(&self) -> Option<Strategy> {
        match self {
            Self::Volume => Some(Strategy::Volume),
            Self::OverallVisit => Some(Strategy::OverallVisit),
            Self::AverageVisit => Some(Strategy::AverageVisit),
            Self::OverallReferral => Some(Strategy::OverallReferral),
            Self::AverageReferral => Some(Strategy::AverageReferral),
            Self::Behavior => Some(Strategy::Behavior),
            _ => None,
        }
    }

    /// Whether a log has a say in it: other models then mean another order.
    pub fn is_informed(&self) -> bool {
        let is_of_urls = matches!(self, Self::UrlVisit | Self::Expected | Self::Blend | Self::BlendWithout(_));
        let is_of_people = matches!(self, Self::Collaborative(recipe) if recipe.is_of_people());
        is_of_urls || is_of_people || self.strategy().is_some()
    }

    /// The evidence that a collaborative crawl goes by.
    pub fn recipe(&self) -> Option<Recipe> {
        match self {
            Self::Collaborative(recipe) => Some(*recipe),
            _ => None,
        }
    }

    /// The order that a two-queue crawler wraps.
    pub fn wrapped(&self) -> Option<&Self> {
        match self {
            Self::Similarity(inner) | Self::SimilarityOnce(inner) | Self::SimilarityNear(inner) => Some(inner),
            _ => None,
        }
    }
}

impl fmt::Display for PolicyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Similarity(inner) => write!(f, "similarity:{inner}"),
            Self::SimilarityOnce(inner) => write!(f, "similarity-once:{inner}"),
            Self::SimilarityNear(inner) => write!(f, "similarity-near:{inner}"),
            Self::Collaborative(recipe) if *recipe == Recipe::default() => f.write_str(COLLABORATIVE),
            Self::Collaborative(recipe) => write!(f, "{COLLABORATIVE}:{recipe}"),
            Self::BlendWithout(left_out) => {
                let name = Ingredient::ALL.iter().find(|(ingredient, _)| ingredient == left_out);
                write!(f, "{WITHOUT}:{}", name.map_or("", |(_, text)| text))
            }
            plain => f.write_str(PLAIN.iter().find(|(name, _)| name == plain).map_or("", |(_, text)| text)),
        }
    }
}

impl FromStr for PolicyName {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let unknown = || UnknownPolicy { name: text.to_owned() };
        if let Some((name, _)) = PLAIN.iter().find(|(_, plain)| *plain == text) {
            return Ok(name.clone());
        }
        if text == COLLABORATIVE {
            return Ok(Self::Collaborative(Recipe::default()));
        }
        let (wrap, inner) = text.split_once(':').ok_or_else(unknown)?;
        if wrap == COLLABORATIVE {
            return inner.parse().map(Self::Collaborative).map_err(|_| unknown());
        }
        if wrap == WITHOUT {
            let ingredient = Ingredient::ALL.iter().find(|(_, name)| *name == inner).ok_or_else(unknown)?;
            return Ok(Self::BlendWithout(ingredient.0));
        }
        // Two queues inside two queues are two queues.
        let inner = inner.parse().ok().filter(|inner: &Self| inner.wrapped().is_none()).ok_or_else(unknown)?;
        match wrap {
            "similarity" => Ok(Self::Similarity(Box::new(inner))),
            "similarity-once" => Ok(Self::SimilarityOnce(Box::new(inner))),
            "similarity-near" => Ok(Self::SimilarityNear(Box::new(inner))),
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        let once = PolicyName::SimilarityOnce(Box::new(PolicyName::Backlink));
        assert_eq!(once.to_string().parse(), Ok(once));
        for name in PolicyName::plain().chain(PolicyName::topical()).chain(PolicyName::ablations()) {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
    }

    #[test]
    fn what_is_no_name_says_what_is() {
        for text in [
            "",
            "breadth",
            "similarity",
            "similarity:",
            "similarity:similarity:opic",
            "near:opic",
            "blend-without:salt",
        ] {
            let fault = text.parse::<PolicyName>().unwrap_err().to_string();
            assert!(fault.contains("breadth-first") && fault.contains("similarity:ORDER"), "{fault}");
        }
    }
}
