//! Who reads what, one after the other? The accesses of many users to many pages, over any number of sites.
//!
//! ```text
//! accesses   page page page │ page │ page page …      by user, in the order of time
//! starts     ^              ^      ^                   by user
//! places     2 17 │ 5 │ 0 3 9 …                        by page: where it stands in `accesses`, in order
//! ```
//! Users are dense numbers in the order of what they read and when, so that the same visits give the same numbers, whatever the key that their ids
//! were hashed with. Pages are numbers of the caller. Beside a page stands whether the user had read it before (one bit), so that
//! whoever adds up over the pages of a user meets each once.
//!
//! - A user who loads the same page several times in a row read it once.
//! - Of a page with more than [`MOST_READERS`] accesses, so many stand for all, spread evenly over the users: what
//!   everybody reads says nothing about taste, and must not cost more than other pages.
//!
//! Size: 8 bytes an access, 4 a user, 4 a page number; while it is built, 16 an access.

mod build;

#[cfg(test)]
mod tests;

pub use build::TraceBuilder;

/// Accesses of a page that are looked up from the page.
pub const MOST_READERS: usize = 4_096;
/// Page numbers of a trace are below this: one bit says whether the user had read it before.
pub const MOST_PAGES: u32 = 1 << 31;

/// The bit beside a page that the user had read before.
const AGAIN: u32 = 1 << 31;

/// An access: a user reads a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceAccess {
    /// What is read.
    pub page: u32,
    /// Whether this user had read it before.
    pub is_again: bool,
}

impl TraceAccess {
    fn of(stored: u32) -> Self {
        Self { page: stored & !AGAIN, is_again: stored & AGAIN != 0 }
    }
}

/// User → pages in the order of time, and page → users.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// By user: where their accesses begin; one more for the end.
    starts: Vec<u32>,
    accesses: Vec<u32>,
    /// By page: where its places begin; one more for the end.
    page_starts: Vec<u32>,
    places: Vec<u32>,
}

impl Trace {
    /// How many users there are.
    pub fn users(&self) -> u32 {
        (self.starts.len().saturating_sub(1)) as u32
    }

    /// One more than the highest page that was read.
    pub fn pages(&self) -> u32 {
        (self.page_starts.len().saturating_sub(1)) as u32
    }

    /// How many accesses there are.
    pub fn len(&self) -> usize {
        self.accesses.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.accesses.is_empty()
    }

    /// Whether anybody read a page.
    pub fn was_read(&self, page: u32) -> bool {
        !self.places_of(page).is_empty()
    }

    /// Where the accesses of a user lie: from the first to behind the last.
    pub fn span(&self, user: u32) -> std::ops::Range<u32> {
        match (self.starts.get(user as usize), self.starts.get(user as usize + 1)) {
            (Some(start), Some(end)) => *start..*end,
            _ => 0..0,
        }
    }

    /// The access at a place of a [span](Self::span).
    pub fn at(&self, place: u32) -> Option<TraceAccess> {
        self.accesses.get(place as usize).copied().map(TraceAccess::of)
    }

    /// What a user read, in the order of time.
    pub fn pages_of(&self, user: u32) -> impl Iterator<Item = TraceAccess> + '_ {
        let span = self.span(user);
        self.accesses[span.start as usize..span.end as usize].iter().copied().map(TraceAccess::of)
    }

    /// The places of the accesses to a page, in order, so that those of a user stand together; [`MOST_READERS`] at most.
    pub fn places_of(&self, page: u32) -> &[u32] {
        match (self.page_starts.get(page as usize), self.page_starts.get(page as usize + 1)) {
            (Some(start), Some(end)) => &self.places[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// Whose access stands at a place.
    pub fn user_at(&self, place: u32) -> u32 {
        (self.starts.partition_point(|start| *start <= place)).saturating_sub(1) as u32
    }

    /// Who read a page, each once, in order.
    pub fn readers(&self, page: u32) -> impl Iterator<Item = u32> + '_ {
        let mut last = None;
        let users = self.places_of(page).iter().map(|place| self.user_at(*place));
        users.filter(move |user| last.replace(*user) != Some(*user))
    }

    /// The pages that were read, in order.
    pub fn read_pages(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.pages()).filter(|page| self.was_read(*page))
    }

    /// All memory held, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let held = [&self.starts, &self.accesses, &self.page_starts, &self.places];
        held.iter().map(|numbers| numbers.capacity() * size_of::<u32>()).sum()
    }
}
