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

    /// The line above which (ties included) lies about this share of the pages, at least one.
    pub fn threshold_for(&self, share: f64) -> f64 {
        self.of_rank((share * self.sorted.len() as f64).ceil() as u32)
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
    fn www98_hot_pages_are_counted_with_ties() {
        let standing = Standing::new(&[3.0, 9.0, 5.0, 5.0, 1.0], &[true, false, true, true, true]);
        assert_eq!([1, 2, 3, 4, 9].map(|rank| standing.of_rank(rank)), [5.0, 5.0, 3.0, 1.0, 1.0]);
        assert_eq!((standing.pages(), standing.hot(5.0), standing.hot(4.0), standing.hot(0.0)), (4, 2, 2, 4));
        assert_eq!((standing.above(5.0), standing.above(3.0)), (0, 2));
        assert_eq!((standing.threshold_for(0.25), standing.threshold_for(0.6)), (5.0, 3.0));
        assert_eq!(Standing::new(&[], &[]).of_rank(1), f64::INFINITY);
    }
}
