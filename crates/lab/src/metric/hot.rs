//! How important is the K-th most important page? The line between hot pages and the rest (WWW 1998, §3).

/// Which pages are hot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hot {
    /// This share of the most important, and those that are as important as the last of them.
    Share(f64),
    /// Those that are at least so important.
    Above(f64),
}

/// Importance of the reachable pages, highest first.
#[derive(Clone, Debug)]
pub struct Standing {
    sorted: Vec<f64>,
}

impl Standing {
    /// Sorts the importance of reachable pages.
    ///
    /// # Panics
    /// If there are not as many values as pages.
    pub fn new(importance: &[f64], reachable: &[bool]) -> Self {
        assert_eq!(importance.len(), reachable.len(), "one importance for every page");
        let among = importance.iter().zip(reachable).filter(|(_, reachable)| **reachable);
        let mut sorted: Vec<f64> = among.map(|(importance, _)| *importance).collect();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        Self { sorted }
    }

    /// T.
    pub fn pages(&self) -> u32 {
        self.sorted.len() as u32
    }

    /// I(r_K), K from 1; that of the least important page if K is more than there are, and infinity if there is none.
    pub fn of_rank(&self, rank: u32) -> f64 {
        let at = (rank.max(1) as usize).min(self.sorted.len());
        self.sorted.get(at.wrapping_sub(1)).copied().unwrap_or(f64::INFINITY)
    }

    /// The line above which (ties included) lies about this share of the pages, at least one. Where so many pages tie that all
    /// would be above it, those that are no better than the least are left out: a word that few pages have makes few hot.
    pub fn threshold_for(&self, share: f64) -> f64 {
        let line = self.of_rank((share * self.sorted.len() as f64).ceil() as u32);
        let least = self.of_rank(self.pages());
        let better = self.above(least);
        if line > least || better == 0 { line } else { self.of_rank(better) }
    }

    /// H: how many are at least this important.
    pub fn hot(&self, threshold: f64) -> u32 {
        self.sorted.partition_point(|&importance| importance >= threshold) as u32
    }

    /// How many are more important than this.
    pub fn above(&self, importance: f64) -> u32 {
        self.sorted.partition_point(|&other| other > importance) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_pages_that_are_no_better_than_the_least_are_not_hot() {
        let standing = |importance: &[f64]| Standing::new(importance, &vec![true; importance.len()]);
        // One page in ten has the word; half of the pages were to be hot.
        let rare = standing(&[0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!((rare.threshold_for(0.5), rare.hot(rare.threshold_for(0.5))), (0.3, 1));
        let same = standing(&[1.0; 4]);
        assert_eq!(same.hot(same.threshold_for(0.25)), 4, "where all are the same, all are");
    }

    #[test]
    fn www98_hot_pages_are_counted_with_ties() {
        let standing = Standing::new(&[3.0, 9.0, 5.0, 5.0, 1.0], &[true, false, true, true, true]);
        assert_eq!([1, 2, 3, 4, 9].map(|rank| standing.of_rank(rank)), [5.0, 5.0, 3.0, 1.0, 1.0]);
        assert_eq!((standing.pages(), standing.hot(5.0), standing.hot(4.0), standing.hot(0.0)), (4, 2, 2, 4));
        assert_eq!((standing.above(5.0), standing.above(3.0)), (0, 2));
        assert_eq!((standing.threshold_for(0.25), standing.threshold_for(0.6)), (5.0, 3.0));
        assert_eq!(Standing::new(&[], &[]).of_rank(1), f64::INFINITY);
    }
}
