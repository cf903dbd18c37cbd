//! Tables by hand, and the readers against full sets.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::{From, Triple};

fn ids(table: &SiteTable) -> impl Iterator<Item = u32> {
    0..table.len() as u32
}

#[test]
fn cikm11_counts_in_out_and_trans_by_hand() {
    let mut table = SiteTableBuilder::new(5);
    let [b, a, c] = ["x.org/b", "x.org/a", "x.org/c"].map(|u| table.url(u));
    for (from, target) in [
        (From::Outside(Entrance::Search), a),
        (From::Outside(Entrance::Direct), a),
        (From::Page(a), b),
        (From::Page(a), b),
        (From::Page(b), c),
        (From::Page(c), c),
    ] {
        table.add(Triple { from, target });
    }
    table.add_user(a, 0);
    let table = table.finish("x.org".to_owned());
    let counts = |url: &str| table.counts(table.find(url).unwrap());
    let last = |n| [0, 0, 0, 0, 0, 0, 0, n];
    assert_eq!(
        counts("x.org/a"),
        UrlCounts { visits: 2, referrals: 2, entrances: [1, 1, 0, 0], users: 1, slices: last(2) }
    );
    assert_eq!(counts("x.org/b"), UrlCounts { visits: 2, referrals: 1, slices: last(2), ..UrlCounts::default() });
    assert_eq!(table.transits(), [(0, 1, 2), (1, 2, 1), (2, 2, 1)], "numbered by text: a, b, c");
    assert_eq!((table.visits(), table.users(), table.find("x.org/d")), (6, 1, None));
}

#[test]
fn ours_readers_are_the_smallest_and_nobody_comes_after_the_named() {
    let mut table = SiteTableBuilder::new(3);
    let [b, a, unread] = ["x.org/b", "x.org/a", "x.org/u"].map(|u| table.url(u));
    [4, 1, 3, 0, 2].iter().for_each(|user| table.add_user(b, *user));
    table.add_user(a, 2);
    (0..3).for_each(|_| table.add_nobody(a));
    table.add_nobody(b);
    let table = table.finish("x.org".to_owned());
    assert_eq!(table.readers(0), [2, 5], "a: one by name, and one for all without");
    assert_eq!(table.readers(1), [0, 1, 2]);
    assert!(table.readers(2).is_empty() && table.url(2) == "x.org/u" && unread == 2);
    assert_eq!((table.users(), table.kept_readers()), (6, 3));
    assert_eq!([0, 1, 2].map(|id| table.counts(id).users), [2, 6, 0]);
}

#[test]
fn ours_a_large_table_is_the_same_by_any_threads() {
    let fill = |threads: usize| {
        let mut table = SiteTableBuilder::new(2);
        let urls: Vec<u32> = (0..150_000).rev().map(|n| table.new_url(&format!("x.org/{n}"))).collect();
        let mut n = 1_usize;
        for user in 0..300_000_u32 {
            n = n.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            let (from, target) = (urls[(n >> 40) % urls.len()], urls[(n >> 20) % urls.len()]);
            table.add(Triple { from: From::Page(from), target });
            table.add_user(target, user);
        }
        let table = table.finish_on(threads, "x.org".to_owned());
        let urls = ids(&table).map(|id| (table.url(id).to_owned(), table.counts(id), table.readers(id).to_vec()));
        (urls.collect::<Vec<_>>(), table.transits().to_vec())
    };
    let one = fill(1);
    assert!(one.0.len() == 150_000 && one.1.is_sorted());
    assert!([2, 5].iter().all(|threads| fill(*threads) == one));
}

#[test]
fn ours_a_known_url_needs_no_visit() {
    let mut table = SiteTableBuilder::new(5);
    let visited = table.new_url("x.org/visited");
    table.add(Triple { from: From::Outside(Entrance::Direct), target: visited });
    assert_eq!(table.known("x.org/new"), table.known("x.org/new"));
    table.known("x.org/visited");
    table.url("x.org/other");
    let table = table.finish("x.org".to_owned());
    let known: Vec<(&str, bool, u64)> =
        ids(&table).map(|id| (table.url(id), table.is_known(id), table.counts(id).visits)).collect();
    assert_eq!(known, [("x.org/new", true, 0), ("x.org/other", false, 0), ("x.org/visited", true, 1)]);
    let none = SiteTableBuilder::new(5).finish("x.org".to_owned());
    assert!(none.is_empty() && !none.is_known(0));
}

#[test]
fn ours_triples_counted_early_are_the_same_as_counted_late() {
    let fill = |early: bool| {
        let mut table = SiteTableBuilder::new(1);
        let urls: Vec<u32> = (0..50).rev().map(|n| table.url(&format!("x.org/{n:02}"))).collect();
        for n in 0..5_000_usize {
            let from = match n % 3 {
                0 => From::Outside(Entrance::ALL[n % 4]),
                _ => From::Page(urls[n * 7 % 50]),
            };
            table.add(Triple { from, target: urls[n * n % 50] });
            if early && n % 700 == 0 {
                table.count_early();
            }
        }
        let table = table.finish("x.org".to_owned());
        (ids(&table).map(|id| table.counts(id)).collect::<Vec<_>>(), table.transits().to_vec())
    };
    assert_eq!(fill(true), fill(false));
}

proptest! {
    /// Whether a set of URLs has k users is told by the kept readers alone, in whatever order they came.
    #[test]
    fn ours_kept_readers_tell_whether_a_set_of_urls_has_k_users(
        kept in 1_u32..6,
        visits in prop::collection::btree_set((0_u32..12, 0_u32..15), 0..60).prop_map(Vec::from_iter).prop_shuffle(),
        sets in prop::collection::vec(prop::collection::vec(0_u32..12, 0..6), 8),
    ) {
        let mut builder = SiteTableBuilder::new(kept);
        let urls: Vec<u32> = (0..12).map(|n| builder.url(&format!("x.org/{n:02}"))).collect();
        visits.iter().for_each(|(url, user)| builder.add_user(urls[*url as usize], *user));
        let table = builder.finish("x.org".to_owned());
        for set in sets {
            let all: BTreeSet<u32> = visits.iter().filter(|v| set.contains(&v.0)).map(|v| v.1).collect();
            let told: BTreeSet<u32> = set.iter().flat_map(|url| table.readers(*url)).copied().collect();
            for k in 1..=kept as usize {
                prop_assert_eq!(told.len() >= k, all.len() >= k);
            }
        }
        for url in 0..12 {
            let all: BTreeSet<u32> = visits.iter().filter(|v| v.0 == url).map(|v| v.1).collect();
            prop_assert_eq!(table.counts(url).users, all.len() as u64);
            prop_assert!(table.readers(url).iter().eq(all.iter().take(kept as usize)), "the smallest, in order");
        }
    }
}
