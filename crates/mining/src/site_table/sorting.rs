//! What was appended in any order, sorted: triples that are counted, texts in their order, the readers that are kept.

use super::UrlCounts;
use super::builder::ENTRANCES_FROM;
use super::texts::Texts;

/// Counts of URLs by their places, and transits.
pub(super) fn count(
    mut waiting: Vec<u64>,
    counted: Vec<(u64, u64)>,
    rank: &[u32],
    urls: usize,
    threads: usize,
) -> (Vec<UrlCounts>, Vec<(u32, u32, u64)>) {
    let renumbered = |triple: u64| {
        let (from, target) = unpack(triple);
        let from = if from < ENTRANCES_FROM { rank[from as usize] } else { from };
        pack(from, rank[target as usize])
    };
    waiting.iter_mut().for_each(|t| *t = renumbered(*t));
    sort(&mut waiting, threads);
    let mut counted: Vec<_> = counted.into_iter().map(|(t, n)| (renumbered(t), n)).collect();
    counted.sort_unstable();
    let mut counts = vec![UrlCounts::default(); urls];
    let mut transits: Vec<(u32, u32, u64)> = Vec::new();
    for (triple, n) in merged(runs(&waiting), counted.into_iter()) {
        let (from, target) = unpack(triple);
        counts[target as usize].visits += n;
        match from.checked_sub(ENTRANCES_FROM) {
            Some(entrance) => counts[target as usize].entrances[entrance as usize] += n,
            None => {
                counts[from as usize].referrals += n;
                match transits.last_mut() {
                    Some(last) if (last.0, last.1) == (from, target) => last.2 += n,
                    _ => transits.push((from, target, n)),
                }
            }
        }
    }
    drop(waiting);
    transits.shrink_to_fit();
    (counts, transits)
}

pub(super) fn pack(upper: u32, lower: u32) -> u64 {
    u64::from(upper) << 32 | u64::from(lower)
}

pub(super) fn unpack(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// So many numbers are worth a thread of their own.
const MANY_NUMBERS: usize = 1 << 18;

/// Sorts, by several threads if there is much: what belongs into the halves is told apart first.
fn sort(numbers: &mut [u64], threads: usize) {
    if threads < 2 || numbers.len() < MANY_NUMBERS {
        return numbers.sort_unstable();
    }
    let middle = numbers.len() / 2;
    numbers.select_nth_unstable(middle);
    let (low, high) = numbers.split_at_mut(middle);
    std::thread::scope(|scope| {
        scope.spawn(|| sort(low, threads / 2));
        sort(high, threads - threads / 2);
    });
}

/// Equal neighbors, counted.
pub(super) fn runs(sorted: &[u64]) -> impl Iterator<Item = (u64, u64)> {
    sorted.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64))
}

/// Two ascending lists as one.
pub(super) fn merged(
    a: impl Iterator<Item = (u64, u64)>,
    b: impl Iterator<Item = (u64, u64)>,
) -> impl Iterator<Item = (u64, u64)> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(x), Some(y)) if y < x => b.next(),
        (Some(_), _) => a.next(),
        _ => b.next(),
    })
}

/// The texts in order, each once, and the place of every number in it.
pub(super) fn in_order(texts: &Texts, threads: usize) -> (Texts, Vec<u32>) {
    let mut rank = vec![0; texts.len()];
    let mut sorted = Texts::with_capacity(texts.len(), texts.bytes());
    let mut last = None;
    texts.in_order(threads, |id, text| {
        let place = match last {
            Some((before, place)) if before == text => place,
            _ => sorted.push(text),
        };
        last = Some((text, place));
        rank[id as usize] = place;
    });
    sorted.shrink_to_fit();
    (sorted, rank)
}

/// Sorts readers, and keeps so many of each URL.
pub(super) fn keep_smallest(readers: &mut Vec<u64>, kept: usize) {
    readers.sort_unstable();
    let (mut target, mut n) = (None, 0);
    readers.retain(|r| {
        n = if target.replace(r >> 32) == Some(r >> 32) { n + 1 } else { 1 };
        n <= kept
    });
}

/// Users without a name, by URL; empty if there are none.
pub(super) struct Unnamed<'u> {
    /// Visits of each URL by nobody: together one user.
    pub(super) nobodies: &'u [u32],
    /// Users of each URL that are only counted.
    pub(super) crowds: &'u [u32],
}

/// Readers by URL: those with a name; then, where there is room, the one who stands for all without; then those who are only
/// counted, the same few for every URL. Also how many users there are in all.
pub(super) fn with_unnamed(
    named: &[u64],
    unnamed: &Unnamed<'_>,
    urls: usize,
    kept: usize,
    named_users: u32,
) -> (Vec<u32>, Vec<usize>, u64) {
    let mut readers = Vec::with_capacity(named.len());
    let mut ends = Vec::with_capacity(urls);
    let mut rest = named;
    for id in 0..urls {
        let (own, others) = rest.split_at(rest.iter().take_while(|r| **r >> 32 == id as u64).count());
        rest = others;
        readers.extend(own.iter().map(|r| unpack(*r).1));
        let mut room = kept.saturating_sub(own.len());
        if room > 0 && unnamed.nobodies.get(id).is_some_and(|n| *n > 0) {
            readers.push(named_users);
            room -= 1;
        }
        let crowd = unnamed.crowds.get(id).map_or(0, |n| room.min(*n as usize)) as u32;
        readers.extend((1..=crowd).map(|n| named_users.saturating_add(n)));
        ends.push(readers.len());
    }
    readers.shrink_to_fit();
    let is_nobody = unnamed.nobodies.iter().any(|n| *n > 0);
    let crowd = unnamed.crowds.iter().copied().max().unwrap_or(0);
    (readers, ends, u64::from(named_users) + u64::from(is_nobody) + u64::from(crowd))
}
