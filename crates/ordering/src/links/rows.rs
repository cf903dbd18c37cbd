//! Who links to whom? The links of a whole graph, one way, in memory that somebody else owns.

/// Links in compressed sparse rows: those of page `p` are `targets[offsets[p] .. offsets[p + 1]]`.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    pub(super) offsets: &'a [u32],
    pub(super) targets: &'a [u32],
}

impl<'a> Rows<'a> {
    /// These rows.
    ///
    /// # Panics
    /// If the offsets do not start at 0, descend, or do not end with the last link. There is one more than pages.
    pub fn new(offsets: &'a [u32], targets: &'a [u32]) -> Self {
        assert_eq!(offsets.first(), Some(&0), "the first row starts at the first link");
        assert_eq!(
            offsets.last().map(|&end| end as usize),
            Some(targets.len()),
            "the last row ends with the last link"
        );
        assert!(offsets.is_sorted(), "rows follow each other");
        Self { offsets, targets }
    }

    /// How many pages.
    pub fn pages(&self) -> usize {
        self.offsets.len() - 1
    }

    /// What a page links to (or, in the reverse, what links to it).
    pub fn of(&self, page: u32) -> &'a [u32] {
        let page = page as usize;
        &self.targets[self.offsets[page] as usize..self.offsets[page + 1] as usize]
    }

    /// How many that are.
    pub fn count(&self, page: u32) -> u32 {
        let page = page as usize;
        self.offsets[page + 1] - self.offsets[page]
    }
}
