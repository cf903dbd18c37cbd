//! A visit in sixteen bytes, and where visits wait until they are counted.

use std::io;
use std::path::Path;

use trodden_mining::{DedupWindow, Entrance, From, SiteTableBuilder, Triple};

use super::slices::SliceStarts;
use super::users::SiteUsers;
use crate::error::Error;
use crate::spool::{Fixed, ScratchDir, Sorter};

/// Numbers from here up are entrances, not pages.
pub(super) const ENTRANCES_FROM: u32 = u32::MAX - 3;

/// The user of a visit that names none.
pub(super) const NOBODY: u32 = u32::MAX;

/// A visit of a site in numbers. In order, the same triple of a user lies side by side, and so do the visits of a user to
/// a URL.
///
/// ```text
/// bits 127..96  target     the URL visited
///       95..64  user       within the site
///       63..32  from       page or entrance
///       31..0   minute     since the first day
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row(u128);

impl Row {
    pub(super) fn new(target: u32, user: u32, from: u32, minute: u32) -> Self {
        Self(u128::from(target) << 96 | u128::from(user) << 64 | u128::from(from) << 32 | u128::from(minute))
    }

    fn target(self) -> u32 {
        (self.0 >> 96) as u32
    }

    fn user(self) -> u32 {
        (self.0 >> 64) as u32
    }

    fn from(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn minute(self) -> u32 {
        self.0 as u32
    }

    /// The same visit with the number of its user.
    fn with_user(self, user: u32) -> Self {
        Self(self.0 & !(u128::from(u32::MAX) << 64) | u128::from(user) << 64)
    }
}

/// A visit whose user is still a hash, and the hash. The row's own place for it is empty, or says that there is none.
pub(super) type HashedRow = (Row, u64);

/// The same as a file of scratch has it; in the order of [`Row`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SpilledRow {
    target: u32,
    user: u64,
    from: u32,
    minute: u32,
    /// The hash of nobody is 0, which may be somebody's.
    is_nobody: bool,
}

impl SpilledRow {
    fn of((row, user): HashedRow) -> Self {
        let is_nobody = row.user() == NOBODY;
        Self { target: row.target(), user, from: row.from(), minute: row.minute(), is_nobody }
    }
}

impl Fixed for SpilledRow {
    const BYTES: usize = 21;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.user.to_le_bytes());
        for n in [self.target, self.from, self.minute] {
            out.extend_from_slice(&n.to_le_bytes());
        }
        out.push(u8::from(self.is_nobody));
    }
    fn get(b: &[u8]) -> Self {
        let n = |at: usize| u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
        Self { user: u64::get(&b[..8]), target: n(8), from: n(12), minute: n(16), is_nobody: b[20] == 1 }
    }
}

/// What a row and its user take in memory.
const HELD_BYTES: usize = 24;

/// Where the rows of a batch wait until all is read.
pub(super) enum Waiting {
    /// In memory, those of a site side by side.
    Held {
        /// The rows, as plain numbers: the system has memory of zeros at hand.
        rows: Vec<u128>,
        /// Their users.
        users: Vec<u64>,
        /// Where each site starts, and where the last one ends.
        starts: Vec<usize>,
    },
    /// On their way through the disk: those of one site that do not fit.
    Sorting {
        /// The rows.
        rows: Sorter<SpilledRow>,
        /// Users, each at least once.
        users: Sorter<u64>,
        /// The user of the row before.
        last: Option<u64>,
    },
    /// Counted.
    Gone,
}

impl Waiting {
    /// Room for so many rows of each site, in so many bytes.
    pub(super) fn new(of_sites: &[u64], bytes: u64, scratch: &Path) -> Self {
        let visits: u64 = of_sites.iter().sum();
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        match usize::try_from(visits) {
            Ok(visits) if of_sites.len() > 1 || visits.saturating_mul(HELD_BYTES) <= bytes => {
                let mut starts = vec![0];
                let mut end = 0;
                starts.extend(of_sites.iter().map(|visits| {
                    end += *visits as usize;
                    end
                }));
                Self::Held { rows: vec![0; visits], users: vec![0; visits], starts }
            }
            _ => {
                let scratch = ScratchDir::below(scratch.to_owned());
                let users = Sorter::new(bytes / 4, scratch.clone());
                Self::Sorting { rows: Sorter::new(bytes / 4 * 3, scratch), users, last: None }
            }
        }
    }

    /// Adds the `place`-th row of a site.
    pub(super) fn push(&mut self, site: u32, place: usize, (row, user): HashedRow) -> Result<(), Error> {
        match self {
            Self::Held { rows, users, starts } => {
                let at = starts[site as usize] + place;
                if at >= starts[site as usize + 1] {
                    return Err(Error::Changed);
                }
                (rows[at], users[at]) = (row.0, user);
            }
            Self::Sorting { rows, users, last } => {
                rows.push(SpilledRow::of((row, user))).map_err(|e| rows.scratch().failed(e))?;
                if row.user() != NOBODY && last.replace(user) != Some(user) {
                    users.push(user).map_err(|e| users.scratch().failed(e))?;
                }
            }
            Self::Gone => {}
        }
        Ok(())
    }

    /// Counts the rows of a site, `count` of them.
    pub(super) fn count(
        &mut self,
        site: usize,
        count: usize,
        clock: Clock,
        threads: usize,
        table: &mut SiteTableBuilder,
    ) -> io::Result<()> {
        let mut counter = Counter { table, clock, last: None };
        if let Self::Held { rows, users, starts } = self {
            let here = starts[site]..starts[site] + count;
            let (rows, users) = (&mut rows[here.clone()], &users[here]);
            let has_user = |row: u128| Row(row).user() != NOBODY;
            let named = rows.iter().zip(users).filter(|(row, _)| has_user(**row));
            let mut numbers = SiteUsers::of(named.map(|(_, user)| *user));
            for (row, user) in rows.iter_mut().zip(users).filter(|(row, _)| has_user(**row)) {
                *row = Row(*row).with_user(numbers.number(*user)).0;
            }
            drop(numbers);
            in_order(rows, threads, |row| counter.row(Row(row)));
            return Ok(());
        }
        if let Self::Sorting { rows, users, .. } = std::mem::replace(self, Self::Gone) {
            let mut different = Vec::new();
            users.drain(|user| {
                if different.last() != Some(&user) {
                    different.push(user);
                }
            })?;
            let mut numbers = SiteUsers::of_sorted(different);
            rows.drain(|row| {
                let user = if row.is_nobody { NOBODY } else { numbers.number(row.user) };
                counter.row(Row::new(row.target, user, row.from, row.minute));
            })?;
        }
        Ok(())
    }

    /// Gives back what rows that are counted took.
    pub(super) fn forget(&mut self) {
        *self = Self::Gone;
    }
}

/// What a minute means at one site.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    /// Of de-duplication.
    pub(super) window: DedupWindow,
    /// Of equal numbers of visits.
    pub(super) slices: SliceStarts,
}

/// Counts rows that come in order, each triple of a user once in a window: the first.
struct Counter<'b> {
    table: &'b mut SiteTableBuilder,
    clock: Clock,
    last: Option<Row>,
}

impl Counter<'_> {
    fn row(&mut self, row: Row) {
        let target = row.target();
        if row.user() == NOBODY {
            self.table.add_nobody(target);
        } else {
            let last = self.last.replace(row);
            let window = |row: Row| self.clock.window.of(row.minute());
            if last.is_some_and(|last| last.0 >> 32 == row.0 >> 32 && window(last) == window(row)) {
                return;
            }
            if last.is_none_or(|last| (last.target(), last.user()) != (target, row.user())) {
                self.table.add_user(target, row.user());
            }
        }
        let from = match row.from().checked_sub(ENTRANCES_FROM) {
            Some(entrance) => From::Outside(Entrance::ALL[entrance as usize]),
            None => From::Page(row.from()),
        };
        self.table.add_in(Triple { from, target }, self.clock.slices.slice(row.minute()));
    }
}

/// So many rows are worth a thread of their own.
const MANY: usize = 1 << 17;

/// Hands rows on in ascending order; many are sorted in shares, by several threads, and merged.
fn in_order(rows: &mut [u128], threads: usize, mut each: impl FnMut(u128)) {
    let share = rows.len().div_ceil(threads.max(1)).max(MANY);
    let mut shares: Vec<&mut [u128]> = rows.chunks_mut(share).collect();
    std::thread::scope(|scope| {
        if let Some((mine, others)) = shares.split_first_mut() {
            for other in others {
                scope.spawn(|| other.sort_unstable());
            }
            mine.sort_unstable();
        }
    });
    let mut rest: Vec<&[u128]> = shares.into_iter().map(|share| &*share).collect();
    while rest.len() > 1 {
        let least = rest.iter().enumerate().min_by_key(|(_, share)| share.first()).map_or(0, |(place, _)| place);
        match rest[least].split_first() {
            Some((row, others)) => {
                each(*row);
                rest[least] = others;
            }
            None => _ = rest.swap_remove(least),
        }
    }
    rest.into_iter().flatten().for_each(|row| each(*row));
}
