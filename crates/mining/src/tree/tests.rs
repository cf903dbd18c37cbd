//! Is the work of growing a tree bounded, whatever the URLs?

use super::PatternTree;
use crate::columns::Columns;
use crate::{Entrance, From, MiningSettings, SiteTable, SiteTableBuilder, Triple};

fn table(urls: impl IntoIterator<Item = String>) -> SiteTable {
    let mut builder = SiteTableBuilder::new(5);
    for url in urls {
        let target = builder.url(&url);
        builder.add(Triple { from: From::Outside(Entrance::Direct), target });
        builder.add_user(target, 0);
    }
    builder.finish("a.com".to_owned())
}

fn grown(table: &SiteTable, settings: &MiningSettings) -> PatternTree {
    PatternTree::grow(table, &Columns::of(table, 0), settings, 0)
}

/// Asserts that every row was read at most once a level, and gives the tree.
fn bounded(urls: impl IntoIterator<Item = String>, settings: &MiningSettings) -> PatternTree {
    let table = table(urls);
    let tree = grown(&table, settings);
    let height = u64::from(tree.outline.leaves().height(&tree.outline));
    let rows = table.len() as u64;
    assert!(height <= u64::from(settings.max_depth), "{height}");
    assert!(tree.rows_read <= (height + 1) * rows, "{} rows read, {rows} rows, height {height}", tree.rows_read);
    assert_eq!(tree.urls[0], rows, "every URL is in the tree");
    tree
}

#[test]
fn ours_a_site_is_read_once_a_level() {
    let settings = MiningSettings { own_leaf_share: 1.0, ..MiningSettings::default() };
    // Three folders, two of which have two kinds: 300 rows at the root, 300 below, and the leaves under them, which are
    // asked in vain: 100 of the third folder have no further leaf.
    let urls = (0..300).map(|i| match i % 3 {
        0 => format!("a.com/a/{i}"),
        1 => format!("a.com/b/{i}?sort={}", i % 2),
        _ => format!("a.com/c/{i}?sort={}", i % 2),
    });
    let tree = bounded(urls, &settings);
    assert_eq!(tree.outline.leaves().len(), 5);
    assert!(tree.rows_read >= 600, "{}", tree.rows_read);
}

#[test]
fn ours_urls_that_have_nothing_in_common_are_read_once() {
    let urls = (0..20_000_u64).map(|i| format!("a.com/{:x}", i.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    let tree = bounded(urls, &MiningSettings::default());
    assert!(tree.rows_read <= 5 * 20_000, "{}", tree.rows_read);
}

#[test]
fn ours_names_on_one_url_each_cost_one_pass() {
    let tree = bounded((0..100_000).map(|i| format!("a.com/item?n{i}x=1")), &MiningSettings::default());
    assert_eq!(tree.rows_read, 100_000);
}

#[test]
fn ours_a_comb_costs_no_more_than_its_depth() {
    // 64,000 names, each on eight of 16,000 URLs (32 names a URL, which is the cap): every one may split.
    let urls: Vec<String> = (0..16_000)
        .map(|url| {
            let query: Vec<String> = (0..32).map(|p| format!("n{}x=1", (url * 32 + p) % 64_000)).collect();
            format!("a.com/item/{url}?{}", query.join("&"))
        })
        .collect();
    for max_depth in [4, 64] {
        let tree = bounded(urls.clone(), &MiningSettings { max_depth, ..MiningSettings::default() });
        assert_eq!(tree.outline.leaves().height(&tree.outline), max_depth);
        assert!(tree.rows_read <= u64::from(max_depth) * 16_000, "{}", tree.rows_read);
    }
}

#[test]
fn ours_leaves_hold_every_url_once_and_counts_add_up() {
    let table = table((0..500).map(|i| match i % 5 {
        0 => format!("a.com/a/{i}"),
        1 => format!("a.com/b/{i}/"),
        2 => format!("b.a.com/{i}?x={}", i % 2),
        3 => format!("a.com/thread-{i}.html"),
        _ => format!("a.com/?q={i}"),
    }));
    let settings = MiningSettings { own_leaf_share: 1.0, ..MiningSettings::default() };
    let tree = grown(&table, &settings);
    let mut order = tree.order.clone();
    order.sort_unstable();
    assert_eq!(order, (0..500).collect::<Vec<u32>>());
    for node in tree.outline.nodes() {
        let place = &tree.nodes[node as usize];
        let children = tree.outline.children(node);
        if children.is_empty() {
            assert_eq!(tree.urls[node as usize], (place.end - place.start) as u64);
            assert!(tree.order[place.start..place.end].iter().all(|url| tree.leaf_of[*url as usize] == node));
            assert!(tree.order[place.start..place.end].is_sorted(), "in the order of their texts");
        } else {
            assert_eq!(tree.urls[node as usize], children.iter().map(|child| tree.urls[*child as usize]).sum::<u64>());
            assert!(place.split.is_some());
        }
    }
}
