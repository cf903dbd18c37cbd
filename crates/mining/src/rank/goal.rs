//! What is a crawl for?

/// What a crawl is for (CIKM 2011, §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Comprehensive fetch: what counts is the value of the page itself.
    Fetch,
    /// Timely discovery: what counts is the value of what it links to.
    Discovery,
}

impl Goal {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Fetch, Self::Discovery];

    /// Its name, as people type it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fetch => "fetch",
            Self::Discovery => "discovery",
        }
    }

    /// The goal of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|goal| goal.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_goal_is_found_by_its_name() {
        assert!(Goal::ALL.into_iter().all(|goal| Goal::parse(goal.name()) == Some(goal)));
        assert_eq!(Goal::parse("fetch"), Some(Goal::Fetch));
        assert_eq!(Goal::parse("Fetch"), None);
    }
}
