//! How long were copies right, and how old were those that were not?

use super::lives::PageLife;

/// Of a page, in days.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Times {
    /// It was there.
    pub(super) there: f64,
    /// And the copy was right.
    pub(super) fresh: f64,
    /// ∫ of the time since the copy went stale.
    pub(super) age: f64,
}

/// A copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Copy {
    pub(super) since: f64,
    pub(super) version: usize,
    /// In which of the times that the page is there it was made.
    pub(super) present: usize,
}

impl Times {
    /// The copy is looked at for the last time.
    pub(super) fn add(&mut self, life: &PageLife, copy: Copy, until: f64) {
        let until = until.min(life.present[copy.present][1]);
        let stale_from = life.end_of_version(copy.version).clamp(copy.since, until.max(copy.since));
        let stale = (until - stale_from).max(0.0);
        self.there += (until - copy.since).max(0.0);
        self.fresh += stale_from - copy.since;
        self.age += stale * stale / 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_copy_is_right_until_the_next_change() {
        let life = PageLife { present: vec![[0.0, 50.0]], changes: vec![10.0, 20.0], is_found: false };
        let mut times = Times::default();
        times.add(&life, Copy { since: 0.0, version: 0, present: 0 }, 14.0);
        assert_eq!(times, Times { there: 14.0, fresh: 10.0, age: 8.0 });
        times.add(&life, Copy { since: 14.0, version: 1, present: 0 }, 18.0);
        assert_eq!(times, Times { there: 18.0, fresh: 14.0, age: 8.0 });
        // Who is gone is neither fresh nor stale.
        times.add(&life, Copy { since: 18.0, version: 1, present: 0 }, 80.0);
        assert_eq!(times, Times { there: 50.0, fresh: 16.0, age: 8.0 + 450.0 });
    }
}
