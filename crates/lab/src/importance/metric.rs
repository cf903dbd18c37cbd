//! What is each measure called?

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Weighted, WeightedMetric};

/// A measure of importance.
#[derive(Clone, Debug, PartialEq)]
pub enum Metric {
    /// One measure.
    Plain(Plain),
    /// IC: a weighted sum of several.
    Combined(Weighted),
}

/// One measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plain {
    /// IS: likeness of the page's text to a query.
    Similarity,
    /// IB: how many pages link to it.
    Backlinks,
    /// IR: where somebody ends up who follows links at random.
    PageRank,
    /// IF: how many pages it links to.
    ForwardLinks,
    /// IL: what its URL looks like.
    Location,
    /// IS as the topical experiments have it: 1 if the page speaks of the topic, else 0.
    Topical,
}

/// A name that is no measure.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MetricFault {
    /// No such measure.
    #[error(
        "no measure of importance is called `{0}`; there are similarity, topical, backlinks, pagerank, forward-links, location, combined:NAME=WEIGHT,…"
    )]
    Unknown(String),
    /// A part of a combination is not `NAME=WEIGHT`.
    #[error("`{0}` in a combined importance must be NAME=WEIGHT with a weight of at least 0, like backlinks=1")]
    Part(String),
}

impl Plain {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Similarity, Self::Backlinks, Self::PageRank, Self::ForwardLinks, Self::Location, Self::Topical];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Similarity => "similarity",
            Self::Backlinks => "backlinks",
            Self::PageRank => "pagerank",
            Self::ForwardLinks => "forward-links",
            Self::Location => "location",
            Self::Topical => "topical",
        }
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Plain {
    type Err = MetricFault;

    fn from_str(name: &str) -> Result<Self, MetricFault> {
        Self::ALL.into_iter().find(|plain| plain.name() == name).ok_or_else(|| MetricFault::Unknown(name.into()))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(plain) => plain.fmt(f),
            Self::Combined(weighted) => {
                f.write_str("combined")?;
                for (at, WeightedMetric { metric, weight }) in weighted.parts().iter().enumerate() {
                    let mark = if at == 0 { ':' } else { ',' };
                    write!(f, "{mark}{metric}={weight}")?;
                }
                Ok(())
            }
        }
    }
}

impl FromStr for Metric {
    type Err = MetricFault;

    fn from_str(name: &str) -> Result<Self, MetricFault> {
        let Some(parts) = name.strip_prefix("combined:") else { return name.parse().map(Self::Plain) };
        let part = |text: &str| {
            let fault = || MetricFault::Part(text.into());
            let (metric, weight) = text.split_once('=').ok_or_else(fault)?;
            let part = WeightedMetric { metric: metric.parse()?, weight: weight.parse().map_err(|_| fault())? };
            Weighted::new(vec![part]).map(|_| part).ok_or_else(fault)
        };
        let parts = parts.split(',').map(part).collect::<Result<Vec<_>, _>>()?;
        Weighted::new(parts).map(Self::Combined).ok_or_else(|| MetricFault::Part(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let names = Plain::ALL.map(Plain::name);
        for name in names.into_iter().chain(["combined:backlinks=1,location=0.5"]) {
            assert_eq!(name.parse::<Metric>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn what_is_no_measure_is_refused() {
        assert_eq!("beauty".parse::<Metric>(), Err(MetricFault::Unknown("beauty".into())));
        for bad in [
            "combined:",
            "combined:backlinks",
            "combined:backlinks=-1",
            "combined:backlinks=inf",
            "combined:location=1,",
        ] {
            assert!(matches!(bad.parse::<Metric>(), Err(MetricFault::Part(_))), "{bad}");
        }
        assert!(matches!("combined:combined=1".parse::<Metric>(), Err(MetricFault::Unknown(_))));
    }
}
