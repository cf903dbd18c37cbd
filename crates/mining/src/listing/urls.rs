//! The URLs that models name, the first to fetch first.
//!
//! Among equals those with more visits of their own come first, then the texts decide. **\[ours\]** Scores of the
//! behavior graph have unit length in every site, so across sites each counts as its share of the site's sum,
//! times the site's visits: else a site with one pattern and five visits would come before all others.

use std::cmp::Ordering;

use serde::Serialize;

use crate::model::{NamedUrl, Order, SiteModel, UrlScores};
use crate::rank::{Goal, Strategy};

/// A URL. Its fields are those of `urls --format json`.
#[derive(Clone, Debug, Serialize)]
pub struct RankedUrl {
    /// As it is fetched.
    pub url: String,
    /// Its visits.
    pub visits: u64,
    /// Users who made them.
    pub users: u64,
    /// Steps from it to other pages.
    pub referrals: u64,
    /// By the order that was asked for: by default, visits a day to be expected.
    pub score: f64,
    /// The text of its pattern.
    pub pattern: String,
    /// The number of its pattern.
    pub pattern_id: u32,
    /// Its site.
    pub site: String,
    /// The score, comparable across sites.
    #[serde(skip)]
    weight: f64,
}

/// The URLs that a model names and that are wanted, in no order.
#[must_use]
pub fn listed_urls(
    model: &SiteModel,
    goal: Goal,
    order: Order,
    is_wanted: impl Fn(&NamedUrl) -> bool,
) -> Vec<RankedUrl> {
    let scores = UrlScores::of(model, goal, order);
    let weigh = match order {
        Order::Pattern(Strategy::Behavior) => {
            let sum: f64 = model.scores(goal, Strategy::Behavior).iter().sum();
            if sum > 0.0 { model.nodes[0].visits as f64 / sum } else { 0.0 }
        }
        _ => 1.0,
    };
    let listed = |(place, named): (usize, &NamedUrl)| {
        let score = scores.named(place);
        RankedUrl {
            url: model.fetchable(&named.url),
            visits: named.visits,
            users: named.users,
            referrals: named.referrals,
            score,
            pattern: model.nodes[named.pattern as usize].pattern.clone(),
            pattern_id: named.pattern,
            site: model.site.clone(),
            weight: score * weigh,
        }
    };
    model.urls.iter().enumerate().filter(|(_, named)| is_wanted(named)).map(listed).collect()
}

impl RankedUrl {
    /// The order of the list, across sites.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        other.weight.total_cmp(&self.weight).then(other.visits.cmp(&self.visits)).then_with(|| self.url.cmp(&other.url))
    }
}

/// The first so many of all URLs, without holding many more.
#[derive(Clone, Debug)]
pub struct BestUrls {
    urls: Vec<RankedUrl>,
    top: usize,
}

impl BestUrls {
    /// So many.
    #[must_use]
    pub fn new(top: usize) -> Self {
        Self { urls: Vec::new(), top }
    }

    /// Adds one.
    pub fn push(&mut self, url: RankedUrl) {
        self.urls.push(url);
        if self.urls.len() > self.top.saturating_mul(2).max(1024) {
            self.cut();
        }
    }

    /// How many are held so far.
    #[must_use]
    pub fn held(&self) -> usize {
        self.urls.len()
    }

    fn cut(&mut self) {
        self.urls.sort_by(RankedUrl::order);
        self.urls.truncate(self.top);
    }

    /// The first, in order.
    #[must_use]
    pub fn sorted(mut self) -> Vec<RankedUrl> {
        self.cut();
        self.urls
    }
}
