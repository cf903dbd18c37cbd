//! A visit in sixteen bytes, and where visits wait until they are counted.

use std::io;
use std::path::Path;

use trodden_mining::{DedupWindow, Entrance, From, SiteTableBuilder, Triple};

use super::slices::SliceStarts;
use super::users::SiteUsers;
use crate::error::Error;
use crate::spool::{Fixed, ScratchDir, Sorter};
use crate::visits::{Many, StoredUser, reader_hash};

/// Numbers from here up are entrances, not pages.
pub(super) const ENTRANCES_FROM: u32 = u32::MAX - 3;

/// In place of the user of a visit that names none.
const NOBODY: u32 = u32::MAX;

/// In place of the user of a row that stands for many visits.
const CROWD: u32 = u32::MAX - 1;

/// Whose a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// Somebody's, by hash.
    User(u64),
    /// Somebody's who has no name.
    Nobody,
    /// A row of a page-view export.
    Many(Many),
}

/// Bits of a number that hold views; the rest holds users. Either is cut to what fits: no page has more, and the floor of
/// privacy asks for fewer.
const VIEW_BITS: u32 = 44;

impl Who {
    pub(super) fn of(user: StoredUser<'_>) -> Self {
        match user {
            StoredUser::Many(many) => Self::Many(many),
            user => reader_hash(user).map_or(Self::Nobody, Self::User),
        }
    }

    /// What stands in the row until users are numbered.
    pub(super) fn mark(self) -> u32 {
        match self {
            Self::User(_) => 0,
            Self::Nobody => NOBODY,
            Self::Many(_) => CROWD,
        }
    }

    /// What stands beside the row.
    pub(super) fn number(self) -> u64 {
        match self {
            Self::User(hash) => hash,
            Self::Nobody => 0,
            Self::Many(Many { views, users }) => {
                views.min((1 << VIEW_BITS) - 1) | users.min((1 << (64 - VIEW_BITS)) - 1) << VIEW_BITS
            }
        }
    }

    /// How many visits the row stands for.
    pub(super) fn visits(self) -> u64 {
        if let Self::Many(many) = self { many.views } else { 1 }
    }
}

/// What the number beside a row of many says.
fn many(number: u64) -> Many {
    Many { views: number & ((1 << VIEW_BITS) - 1), users: number >> VIEW_BITS }
}

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

fn is_somebody(row: Row) -> bool {
    !matches!(row.user(), NOBODY | CROWD)
}

/// A visit whose user is still a hash, and the hash. The row's own place for it is empty, or says that there is none.
pub(super) type HashedRow = (Row, u64);

/// Whose a row in a file of scratch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SpilledMark {
    User,
    Nobody,
    Many,
}

/// The same as a file of scratch has it; in the order of [`Row`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SpilledRow {
    target: u32,
    user: u64,
    from: u32,
    minute: u32,
    /// Whose it is if not somebody's: the hash of nobody is 0, which may be somebody's.
    mark: SpilledMark,
}

impl SpilledRow {
    fn of((row, user): HashedRow) -> Self {
        let mark = match row.user() {
            NOBODY => SpilledMark::Nobody,
            CROWD => SpilledMark::Many,
            _ => SpilledMark::User,
        };
        Self { target: row.target(), user, from: row.from(), minute: row.minute(), mark }
    }
}

impl Fixed for SpilledRow {
    const BYTES: usize = 21;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.user.to_le_bytes());
        for n in [self.target, self.from, self.minute] {
            out.extend_from_slice(&n.to_le_bytes());
        }
        out.push(self.mark as u8);
    }
    fn get(b: &[u8]) -> Self {
        let n = |at: usize| u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
        let mark = match b[20] {
            0 => SpilledMark::User,
            1 => SpilledMark::Nobody,
            _ => SpilledMark::Many,
        };
        Self { user: u64::get(&b[..8]), target: n(8), from: n(12), minute: n(16), mark }
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
                if is_somebody(row) && last.replace(user) != Some(user) {
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
            let (rows, users) = (&mut rows[here.clone()], &mut users[here]);
            // Rows of many are counted at once; the others stay, in the order that they had.
            let mut kept = 0;
            for at in 0..rows.len() {
                if Row(rows[at]).user() == CROWD {
                    counter.many(Row(rows[at]), many(users[at]));
                } else {
                    (rows[kept], users[kept]) = (rows[at], users[at]);
                    kept += 1;
                }
            }
            let (rows, users) = (&mut rows[..kept], &users[..kept]);
            let has_user = |row: u128| is_somebody(Row(row));
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
                let with = |user: u32| Row::new(row.target, user, row.from, row.minute);
                match row.mark {
                    SpilledMark::Many => counter.many(with(CROWD), many(row.user)),
                    SpilledMark::Nobody => counter.row(with(NOBODY)),
                    SpilledMark::User => counter.row(with(numbers.number(row.user))),
                }
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
    fn many(&mut self, row: Row, many: Many) {
        self.table.add_views(row.target(), self.clock.slices.slice(row.minute()), many.views, many.users);
    }

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
