//! Of which lines was a file of visits made? Enough of an answer to know the same log again.
//!
//! Settings decide which lines become visits, so two files of one log may have few rows in common. What stays is the log: its
//! lines. Each file keeps, for its day, how many lines were read and a *sample* of them, by keyed hash: the smallest
//! [`KEPT`]. Whoever reads lines again meets the sample again, whatever the settings, the packing or the cut into files,
//! and also where the log has grown since.
//!
//! Let A be the lines behind a stored file, S ⊆ A its sample, and B the lines that are read now, of the same day. The share of A
//! in B is |S ∩ B| / |S|, counted, not estimated from B; the share of B in A is that times |A| / |B|. **\[ours\]** If
//! either is at least [`SAME_SHARE`], it is the same log; if the share of A in B is at least [`WHOLE_SHARE`], all of the file
//! is made of what is read now.

use rustc_hash::{FxHashMap, FxHashSet};

/// Hashes that are kept of a day: shares are known to three points.
const KEPT: usize = 256;
/// From this share on two logs are the same.
pub(crate) const SAME_SHARE: f64 = 0.1;
/// From this share on a file holds nothing else.
pub(crate) const WHOLE_SHARE: f64 = 0.9;
/// Days of which samples are taken; more are no log, but an attack on memory.
const MAX_DAYS: usize = 1 << 12;

/// The smallest hashes of some lines, and how many lines there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineSample {
    pub(crate) lines: u64,
    /// The smallest, in order, once [`LineSample::settle`] was called.
    hashes: Vec<u64>,
    /// Larger ones are not among the smallest.
    limit: Option<u64>,
}

impl LineSample {
    fn add(&mut self, hash: u64) {
        self.lines += 1;
        self.keep(hash);
    }

    fn keep(&mut self, hash: u64) {
        if self.limit.is_some_and(|limit| hash >= limit) {
            return;
        }
        self.hashes.push(hash);
        if self.hashes.len() >= 2 * KEPT {
            self.settle();
        }
    }

    fn join(&mut self, other: &Self) {
        self.lines += other.lines;
        other.hashes.iter().for_each(|hash| self.keep(*hash));
    }

    fn settle(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        self.hashes.truncate(KEPT);
        self.limit = self.hashes.get(KEPT - 1).copied();
    }

    /// As it is kept with a file: lines, and sixteen digits a hash.
    pub(crate) fn to_text(&self) -> String {
        let hashes: String = self.hashes.iter().map(|hash| format!("{hash:016x}")).collect();
        format!("{} {hashes}", self.lines)
    }

    /// What [`LineSample::to_text`] wrote; none if it is something else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (lines, hashes) = text.split_once(' ')?;
        let digits = hashes.as_bytes();
        if !digits.len().is_multiple_of(16) || digits.len() > 16 * KEPT {
            return None;
        }
        let hash = |part: &[u8]| u64::from_str_radix(std::str::from_utf8(part).ok()?, 16).ok();
        let hashes = digits.chunks(16).map(hash).collect::<Option<Vec<_>>>()?;
        Some(Self { lines: lines.parse().ok()?, hashes, limit: None })
    }

    /// The share of these lines that is among those that were met, and of those of the day that is among these.
    #[expect(clippy::cast_precision_loss, reason = "shares need no more than 53 bits")]
    pub(crate) fn shares(&self, met: &FxHashSet<u64>, lines_now: u64) -> (f64, f64) {
        let seen = self.hashes.iter().filter(|hash| met.contains(hash)).count();
        let of_these = seen as f64 / self.hashes.len().max(1) as f64;
        (of_these, (of_these * self.lines as f64 / lines_now.max(1) as f64).min(1.0))
    }
}

/// Hashes of the samples that are stored already.
#[derive(Debug, Default)]
pub(crate) struct StoredSamples {
    hashes: FxHashSet<u64>,
    /// The largest of them: most lines of a large log are past it.
    largest: u64,
}

impl StoredSamples {
    pub(crate) fn new<'s>(samples: impl Iterator<Item = &'s LineSample>) -> Self {
        let hashes: FxHashSet<u64> = samples.flat_map(|sample| sample.hashes.iter().copied()).collect();
        Self { largest: hashes.iter().copied().max().unwrap_or_default(), hashes }
    }
}

/// What one worker reads, day by day.
#[derive(Debug, Default)]
pub(crate) struct LinesRead {
    days: FxHashMap<i64, LineSample>,
    /// Stored hashes that were met.
    pub(crate) met: FxHashSet<u64>,
    /// The day of the last line, taken out of the table.
    last: Option<(i64, LineSample)>,
}

impl LinesRead {
    /// A line of a day, by its hash.
    #[inline]
    pub(crate) fn add(&mut self, day: i64, hash: u64, stored: &StoredSamples) {
        if hash <= stored.largest && stored.hashes.contains(&hash) {
            self.met.insert(hash);
        }
        match &mut self.last {
            Some((last, sample)) if *last == day => sample.add(hash),
            _ => {
                self.put_back();
                let room = self.days.len() < MAX_DAYS || self.days.contains_key(&day);
                if room {
                    let mut sample = self.days.remove(&day).unwrap_or_default();
                    sample.add(hash);
                    self.last = Some((day, sample));
                }
            }
        }
    }

    fn put_back(&mut self) {
        if let Some((day, sample)) = self.last.take() {
            self.days.insert(day, sample);
        }
    }

    /// Takes over what another worker read.
    pub(crate) fn join(&mut self, mut other: Self) {
        self.put_back();
        other.put_back();
        for (day, sample) in other.days {
            self.days.entry(day).or_default().join(&sample);
        }
        self.met.extend(other.met);
    }

    /// All that was read of a day, once everything is.
    pub(crate) fn settle(&mut self) {
        self.put_back();
        self.days.values_mut().for_each(LineSample::settle);
    }

    /// The sample of a day since 1970.
    pub(crate) fn of_day(&self, day: i64) -> Option<&LineSample> {
        self.days.get(&day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(n: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes())
    }

    fn read(lines: impl Iterator<Item = u64>, stored: &StoredSamples) -> LinesRead {
        let mut read = LinesRead::default();
        lines.for_each(|n| read.add(7, hash(n), stored));
        read.settle();
        read
    }

    fn sample(lines: impl Iterator<Item = u64>) -> LineSample {
        read(lines, &StoredSamples::default()).of_day(7).unwrap().clone()
    }

    #[test]
    fn ours_a_log_is_known_again_when_it_has_grown_or_is_a_part() {
        for (before, now, of_before, of_now) in [
            (0..1_000, 0..1_000, 1.0, 1.0),
            (0..100, 0..50_000, 1.0, 0.002),
            (0..50_000, 40_000..50_000, 0.2, 1.0),
            (0..50_000, 50_000..90_000, 0.0, 0.0),
            (0..10, 5..15, 0.5, 0.5),
        ] {
            let stored = sample(before.clone());
            let read = read(now.clone(), &StoredSamples::new([&stored].into_iter()));
            let (a, b) = stored.shares(&read.met, read.of_day(7).unwrap().lines);
            assert!((a - of_before).abs() < 0.08 && (b - of_now).abs() < 0.3, "{before:?} {now:?}: {a} {b}");
        }
    }

    #[test]
    fn ours_a_sample_does_not_depend_on_order_or_threads() {
        let whole = sample(0..10_000);
        assert_eq!(whole.hashes.len(), KEPT);
        let mut parts = read(5_000..10_000, &StoredSamples::default());
        parts.join(read((0..5_000).rev(), &StoredSamples::default()));
        parts.settle();
        assert_eq!(parts.of_day(7).unwrap(), &whole);
        let back = LineSample::parse(&whole.to_text()).unwrap();
        assert_eq!((back.lines, &back.hashes), (whole.lines, &whole.hashes));
        for odd in ["", "5", "5 12", "x 0123456789abcdef", "5 0123456789abcdeg"] {
            assert_eq!(LineSample::parse(odd), None, "{odd}");
        }
    }
}
