//! What are schedules called?

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How a budget of requests is divided among pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Schedule {
    /// All pages alike.
    Uniform,
    /// In proportion to the change rate.
    Change,
    /// In proportion to importance.
    Popularity,
    /// In proportion to the square root of importance.
    RootPopularity,
    /// Nutch's: intervals that grow and shrink.
    Adaptive,
    /// Azar's.
    Azar,
    /// LambdaCrawl's.
    LambdaCrawl,
    /// The best at fixed intervals.
    #[default]
    FixedInterval,
}

/// There is no such schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "no schedule is called {0}; there are uniform, change, popularity, root-popularity, adaptive, azar, lambda-crawl and fixed-interval"
)]
pub struct UnknownSchedule(String);

impl Schedule {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Uniform,
        Self::Change,
        Self::Adaptive,
        Self::Popularity,
        Self::RootPopularity,
        Self::LambdaCrawl,
        Self::Azar,
        Self::FixedInterval,
    ];

    /// As it is typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Change => "change",
            Self::Popularity => "popularity",
            Self::RootPopularity => "root-popularity",
            Self::Adaptive => "adaptive",
            Self::Azar => "azar",
            Self::LambdaCrawl => "lambda-crawl",
            Self::FixedInterval => "fixed-interval",
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Schedule {
    type Err = UnknownSchedule;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|schedule| schedule.name() == text).ok_or_else(|| UnknownSchedule(text.to_owned()))
    }
}
