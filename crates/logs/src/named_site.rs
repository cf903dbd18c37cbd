//! Is the site that the operator named the site that the log is of?
//!
//! A log with paths only does not say whose they are. A wrong `--site` makes every referrer one of another site: nothing is
//! embedded any more, and pictures count as pages. But where somebody went from page to page, the log tells: the
//! referrer is a page that the log itself has. So another host H speaks against the named site S **\[ours\]** if
//!
//! - at least [`MIN_LINES`] lines, and [`MIN_SHARE`] of those that name no host, have a referrer on H;
//! - S has less than [`NAMED_SHARE`] as many;
//! - of the lines from pages of H other than `/`, at least [`MIN_LINES`], and [`KNOWN_SHARE`] of them, come from a path that the
//!   log was asked for. Pages of a partner or of a search engine are elsewhere, and so are those that load from a server of
//!   pictures.
//!
//! Hosts that are joined by an alias are one. A log with few referrers of its own is taken at the operator's word.

use std::io;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::hosts::{OWN, Sites};
use crate::spool::{NO_URL, Spool};

/// So many lines must speak for another site.
const MIN_LINES: u64 = 100;
/// And this share of the lines that name no host.
const MIN_SHARE: f64 = 0.05;
/// A named site with this share of the other's lines is not doubted.
const NAMED_SHARE: f64 = 0.2;
/// Of the pages that people come from, this share must be in the log.
const KNOWN_SHARE: f64 = 0.5;

/// Paths that are remembered; of more, every second is forgotten, as often as need be.
const MAX_PATHS: usize = 1 << 20;

/// Another site that the referrers name, while hardly any names the one that the operator did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubt {
    /// The place of that site among all.
    pub(crate) site: u32,
    /// How it is written: `https://www.example.org`.
    pub(crate) origin: String,
    /// Lines with a referrer on it.
    pub(crate) lines: u64,
    /// Lines with a referrer on the named site.
    pub(crate) named_lines: u64,
}

/// By lines alone: whether another site is named so much more often. `own_lines` name no host.
#[expect(clippy::cast_precision_loss, reason = "shares need no more than 53 bits")]
pub(crate) fn is_doubtful(lines: u64, named_lines: u64, own_lines: u64) -> bool {
    lines >= MIN_LINES
        && lines as f64 >= MIN_SHARE * own_lines as f64
        && (named_lines as f64) < NAMED_SHARE * lines as f64
}

/// By the log itself: the share of lines from pages of the other site whose path the log was asked for, if that settles it.
#[expect(clippy::cast_precision_loss, reason = "shares need no more than 53 bits")]
pub(crate) fn share_in_log(
    doubt: &Doubt,
    sites: &Sites,
    spool: &Spool,
    shards: &[u32],
    home: u64,
) -> io::Result<Option<f64>> {
    let mut paths = Paths::default();
    for key in shards {
        let mut merge = spool.merge(*key)?;
        while let Some(item) = merge.next()? {
            if item.record.target != NO_URL {
                let target = item.urls.entry(item.record.target);
                if target.host == OWN {
                    paths.asked_for(target.path.0);
                }
            }
            if item.record.referrer != NO_URL {
                let referrer = item.urls.entry(item.record.referrer);
                if sites.host(referrer.host).site == doubt.site && referrer.path.0 != home {
                    paths.came_from(referrer.path.0);
                }
            }
        }
    }
    let (known, all) = paths.counts();
    let share = known as f64 / all.max(1) as f64;
    Ok((known >= MIN_LINES && share >= KNOWN_SHARE).then_some(share))
}

/// Paths by fingerprint: a share of them, by the fingerprint alone, where there are too many.
#[derive(Default)]
struct Paths {
    asked: FxHashSet<u64>,
    from: FxHashMap<u64, u64>,
    /// So many low bits of a fingerprint must be zero.
    bits: u32,
}

impl Paths {
    fn keeps(&self, path: u64) -> bool {
        path.trailing_zeros() >= self.bits
    }

    fn asked_for(&mut self, path: u64) {
        if self.keeps(path) && self.asked.insert(path) {
            self.thin_out();
        }
    }

    fn came_from(&mut self, path: u64) {
        if self.keeps(path) {
            *self.from.entry(path).or_default() += 1;
            self.thin_out();
        }
    }

    fn thin_out(&mut self) {
        while self.asked.len().max(self.from.len()) > MAX_PATHS {
            self.bits += 1;
            let bits = self.bits;
            self.asked.retain(|path| path.trailing_zeros() >= bits);
            self.from.retain(|path, _| path.trailing_zeros() >= bits);
        }
    }

    /// Lines that came from a path that was asked for, and all that came from one.
    fn counts(&self) -> (u64, u64) {
        let known = self.from.iter().filter(|(path, _)| self.asked.contains(path)).map(|(_, lines)| lines);
        let sum = |lines: u64| lines << self.bits;
        (sum(known.sum()), sum(self.from.values().sum()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_only_many_lines_and_hardly_any_for_the_named_site_raise_a_doubt() {
        assert!(is_doubtful(80_000, 0, 100_000));
        assert!(is_doubtful(100, 19, 2_000));
        assert!(!is_doubtful(99, 0, 100), "few referrers");
        assert!(!is_doubtful(100, 0, 2_001), "a small share");
        assert!(!is_doubtful(100, 20, 2_000), "the named site has some, too");
    }

    #[test]
    fn ours_paths_are_thinned_out_evenly() {
        let mut paths = Paths::default();
        let path = |n: u64| xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes());
        for n in 0..3_000_000 {
            paths.came_from(path(n));
            if n % 4 == 0 {
                paths.asked_for(path(n));
            }
        }
        assert!(paths.from.len() <= MAX_PATHS && paths.bits > 0);
        let (known, all) = paths.counts();
        assert!((2_900_000..3_100_000).contains(&all), "{all}");
        assert!((700_000..800_000).contains(&known), "{known}");
    }
}
