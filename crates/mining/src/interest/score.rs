//! How temporal is a group of pages: a site, a folder, a pattern?
//!
//! ```text
//! Score1 = share of its pages that are temporal        Score2 = share of its views that go to temporal pages
//! score  = α · Score1 + β · Score2                     α : β = 3 : 2
//! ```
//!
//! A list of groups is judged by pages: precision is the temporal share of all pages of the listed groups, recall the share
//! of all temporal pages that lie in them, F their harmonic mean.

/// α and β; they add up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreWeights {
    pages: f64,
    views: f64,
}

impl ScoreWeights {
    /// In this proportion; none if either is negative or no number, or both are zero.
    #[must_use]
    pub fn new(pages: f64, views: f64) -> Option<Self> {
        let sum = pages + views;
        let is_sound = pages >= 0.0 && views >= 0.0 && sum > 0.0 && sum.is_finite();
        is_sound.then(|| Self { pages: pages / sum, views: views / sum })
    }

    /// α: the weight of Score1.
    #[must_use]
    pub fn pages(self) -> f64 {
        self.pages
    }

    /// β: the weight of Score2.
    #[must_use]
    pub fn views(self) -> f64 {
        self.views
    }
}

impl Default for ScoreWeights {
    /// The paper's 3 : 2.
    fn default() -> Self {
        Self { pages: 0.6, views: 0.4 }
    }
}

/// What is counted of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupScore {
    /// Pages that could be judged.
    pub pages: u64,
    /// Those that are temporal.
    pub temporal_pages: u64,
    /// Views of all of them.
    pub views: f64,
    /// Views of the temporal ones.
    pub temporal_views: f64,
}

impl GroupScore {
    /// Adds a page.
    pub fn add(&mut self, views: f64, is_temporal: bool) {
        self.pages += 1;
        self.views += views;
        if is_temporal {
            self.temporal_pages += 1;
            self.temporal_views += views;
        }
    }

    /// Share of its pages that are temporal.
    #[must_use]
    pub fn score1(&self) -> f64 {
        share(self.temporal_pages as f64, self.pages as f64)
    }

    /// Share of its views that go to temporal pages.
    #[must_use]
    pub fn score2(&self) -> f64 {
        share(self.temporal_views, self.views)
    }

    /// Both, weighted.
    #[must_use]
    pub fn score(&self, weights: ScoreWeights) -> f64 {
        weights.pages * self.score1() + weights.views * self.score2()
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Places of groups, the most temporal first; on a tie the one with more views of temporal pages, then the first.
#[must_use]
pub fn rank(groups: &[GroupScore], weights: ScoreWeights) -> Vec<usize> {
    let mut places: Vec<usize> = (0..groups.len()).collect();
    places.sort_by(|a, b| {
        let key = |place: usize| (groups[place].score(weights), groups[place].temporal_views);
        let ((first, first_views), (second, second_views)) = (key(*a), key(*b));
        second.total_cmp(&first).then(second_views.total_cmp(&first_views)).then(a.cmp(b))
    });
    places
}

/// How good a list of groups is.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct ListQuality {
    /// Pages of the listed groups.
    pub pages: u64,
    /// Temporal pages in them.
    pub temporal: u64,
    /// Temporal pages of all groups.
    pub all_temporal: u64,
    /// Temporal share of the pages of the listed groups.
    pub precision: f64,
    /// Share of all temporal pages that lie in them.
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f: f64,
}

/// Judges the groups at these places; each counts once.
#[must_use]
pub fn judge_list(groups: &[GroupScore], listed: &[usize]) -> ListQuality {
    let mut listed: Vec<usize> = listed.iter().copied().filter(|place| *place < groups.len()).collect();
    listed.sort_unstable();
    listed.dedup();
    let all_temporal: u64 = groups.iter().map(|group| group.temporal_pages).sum();
    let (mut pages, mut temporal) = (0, 0);
    for place in listed {
        pages += groups[place].pages;
        temporal += groups[place].temporal_pages;
    }
    let precision = share(temporal as f64, pages as f64);
    let recall = share(temporal as f64, all_temporal as f64);
    let f = share(2.0 * precision * recall, precision + recall);
    ListQuality { pages, temporal, all_temporal, precision, recall, f }
}
