//! Which key splits a node, and into what?
//!
//! The key with the smallest entropy (CIKM 2011, §3), over keys not yet used on the way down, among those that *may*
//! split; ties by the order of keys.
//!
//! **\[ours\]** A key may split a node only if at least two of the resulting groups reach the support. Smallest entropy
//! alone is a trap: a parameter that one attack probe used is absent almost everywhere, so its entropy is the
//! smallest of all, and the tree becomes a comb of junk. A value that may not be named (see `columns::floor`) gets no
//! branch and counts among the others; nor does a parameter whose name may not.
//!
//! **\[ours\]** For the same reason lopsided splits wait: as long as some key makes a second group of at least 1 % of the
//! node's URLs, keys that do not are passed over. Two hundred parameters that one URL in a thousand has would
//! otherwise each split the whole site before its sections do.

use rustc_hash::FxHashSet;

use super::branch::Branch;
use super::census::Census;
use super::salient::salient_from;
use crate::columns::Columns;
use crate::key::KeyId;
use crate::settings::MiningSettings;

/// A key and the values that get a branch each, most frequent first; the wildcard is last if it has any URL.
#[derive(Debug)]
pub(crate) struct Split {
    pub(crate) key: KeyId,
    pub(crate) branches: Vec<Branch>,
}

/// The split of a node, if any key may split it.
pub(crate) fn best_split(
    census: &Census,
    columns: &Columns,
    urls: usize,
    used: &[KeyId],
    settings: &MiningSettings,
) -> Option<Split> {
    let support = settings.support(urls);
    let mut candidates: Vec<(u64, u32, KeyId)> = census
        .keys()
        .iter()
        .filter(|key| {
            !census.is_constant(**key)
                && !census.is_hopeless(**key, support)
                && columns.is_public_key(**key)
                && !used.contains(key)
        })
        .map(|key| (census.entropy(*key), columns.order(*key), *key))
        .collect();
    candidates.sort_unstable();
    let even = settings.even_group(urls);
    let mut lopsided = None;
    for (_, _, key) in candidates {
        match split_by(census, columns, key, urls, support, settings) {
            Some((split, second)) if second >= even => return Some(split),
            Some((split, _)) => lopsided = lopsided.or(Some(split)),
            None => {}
        }
    }
    lopsided
}

/// The split by a key, if it may split, and the size of its second largest group.
fn split_by(
    census: &Census,
    columns: &Columns,
    key: KeyId,
    urls: usize,
    support: u32,
    settings: &MiningSettings,
) -> Option<(Split, usize)> {
    let absent = census.absent(key);
    let from = salient_from(&mut census.frequencies(key))?.max(support);
    let components = columns.components();
    let mut kept: Vec<(u32, &str, Branch)> = census
        .values(key)
        .iter()
        .filter(|id| census.count(**id) >= from && columns.is_public(**id))
        .map(|id| (census.count(*id), components.value(*id), Branch::Kept(*id)))
        .collect();
    if absent >= from {
        kept.push((absent, "", Branch::Absent));
    }
    kept.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    kept.truncate(settings.max_children);
    let taken: usize = kept.iter().map(|(n, _, _)| *n as usize).sum();
    let others = urls - taken - taken_by_general_forms(census, columns, key, &kept);
    let groups = kept.len() + usize::from(others >= support as usize);
    let mut sizes: Vec<usize> = kept.iter().take(2).map(|(n, _, _)| *n as usize).chain([others]).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let second = sizes.get(1).copied().unwrap_or(0);
    let mut branches: Vec<Branch> = kept.into_iter().map(|(_, _, branch)| branch).collect();
    if others > 0 {
        branches.push(Branch::Wildcard);
    }
    (groups >= 2).then_some((Split { key, branches }, second))
}

/// How many URLs have a shape without a branch whose general form has one.
fn taken_by_general_forms(census: &Census, columns: &Columns, key: KeyId, kept: &[(u32, &str, Branch)]) -> usize {
    if !key.is_shape() {
        return 0;
    }
    let kept: FxHashSet<Branch> = kept.iter().map(|(_, _, branch)| *branch).collect();
    let values = census.values(key).iter().filter(|id| {
        let has_general = columns.general(**id).is_some_and(|general| kept.contains(&Branch::Kept(general)));
        has_general && !kept.contains(&Branch::Kept(**id))
    });
    values.map(|id| census.count(*id) as usize).sum()
}
