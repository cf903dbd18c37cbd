//! What can the URLs of a model be ordered by, where nothing but the model is at hand?

use crate::rank::{Goal, Strategy};

/// An order of URLs by a model alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Visits to be expected, by a URL's own count and by its kind's: the order to crawl by. **\[ours\]** For discovery,
    /// steps on from it.
    Expected,
    /// A URL's own visits; none for a URL that has no name.
    UrlVisit,
    /// The rank of its pattern.
    Pattern(Strategy),
}

impl Order {
    /// All of them, the recommended one first.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Expected, Self::UrlVisit].into_iter().chain(Strategy::ALL.into_iter().map(Self::Pattern))
    }

    /// Its name, as people type it; policies of a crawl that order by the same have the same.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Expected => "expected",
            Self::UrlVisit => "url-visit",
            Self::Pattern(strategy) => strategy.name(),
        }
    }

    /// Whether it says anything about a goal.
    #[must_use]
    pub fn serves(self, goal: Goal) -> bool {
        match self {
            Self::Expected => true,
            Self::UrlVisit => goal == Goal::Fetch,
            Self::Pattern(strategy) => strategy.serves(goal),
        }
    }

    /// What its scores count, as a column is headed; nothing where they are numbers without a unit.
    #[must_use]
    pub fn unit(self, goal: Goal) -> Option<&'static str> {
        match (self, goal) {
            (Self::Expected, Goal::Fetch) => Some("visits a day"),
            (Self::Expected, Goal::Discovery) => Some("steps a day"),
            (Self::UrlVisit, _) => Some("visits"),
            (Self::Pattern(_), _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_every_goal_is_served_by_the_recommended_order() {
        assert!(Goal::ALL.into_iter().all(|goal| Order::Expected.serves(goal)));
        assert_eq!(Order::all().next(), Some(Order::Expected));
        let serving = |goal| Order::all().filter(|o| o.serves(goal)).map(Order::name).collect::<Vec<_>>().join(" ");
        assert_eq!(serving(Goal::Fetch), "expected url-visit behavior volume overall-visit average-visit");
        assert_eq!(serving(Goal::Discovery), "expected behavior overall-referral average-referral");
    }
}
