//! Which pages are leaves of their own?

use trodden_mining::model::{Node, Way};
use trodden_mining::{MiningSettings, SiteModel, TreeKind};

use crate::site::{Site, locate};

fn settings() -> MiningSettings {
    MiningSettings { tree: TreeKind::Syn, ..MiningSettings::default() }
}

/// The leaf that is this page, if it is one.
fn page<'m>(model: &'m SiteModel, url: &str) -> Option<&'m Node> {
    model.nodes.iter().find(|node| node.way == Way::Page(url.to_owned()))
}

/// 100 items and 100 articles of five visits each by users 0 to 4: 1,000 visits.
fn plain() -> Site {
    let mut site = Site::default();
    for i in 0..100 {
        site.visit(format!("a.com/item/{i}"), 0..5);
        site.visit(format!("a.com/news/{i}"), 0..5);
    }
    site
}

#[test]
fn ours_one_percent_of_visits_is_a_leaf_beside_the_one_it_would_be_in() {
    // 1,000 visits and 10 more for item 7, 15 in all: 15 ≥ 10.1. For item 8 five more: 10 < 10.15, 11 ≥ 10.16.
    let mut site = plain();
    site.visit("a.com/item/7", 0..10);
    site.visit("a.com/item/8", 0..5);
    let model = site.mine(5, &settings()).unwrap();
    let own = page(&model, "a.com/item/7").unwrap();
    assert_eq!((own.urls, own.visits), (1, 15));
    assert!(page(&model, "a.com/item/8").is_none());
    site.visit("a.com/item/8", 0..1);
    assert!(page(&site.mine(5, &settings()).unwrap(), "a.com/item/8").is_some());
    // Beside its siblings: the others of its kind have the same parent.
    let locator = model.locator();
    let sibling = locate(&locator, "a.com/item/9").pattern().unwrap();
    assert_eq!(model.nodes[sibling as usize].parent, own.parent);
    assert_eq!(model.nodes[sibling as usize].urls, 99);
    let itself = locate(&locator, "a.com/item/7").pattern().unwrap();
    assert_eq!(&model.nodes[itself as usize], own);
    // And it is not that of the articles' children, which have a parent as well.
    let article = locate(&locator, "a.com/news/9").pattern().unwrap();
    assert_eq!(model.nodes[article as usize].urls, 100);
    assert_eq!(model.trees.syn.leaves, 3);
}

#[test]
fn ours_exactly_one_percent_is_enough() {
    // 90 items of 11 visits are 990; ten visits of 1,000 is one percent.
    let mut site = Site::default();
    for i in 0..90 {
        site.visit(format!("a.com/item/{i}"), (0..11).map(|user| user % 6));
    }
    site.visit("a.com/item/x", 0..10);
    assert!(page(&site.mine(5, &settings()).unwrap(), "a.com/item/x").is_some());
    // 9 of 999 is less; then all items of 11 visits are above it.
    let mut less = Site::default();
    for i in 0..110 {
        less.visit(format!("a.com/item/{i}"), 0..9);
    }
    assert_eq!(less.mine(5, &settings()).unwrap().nodes.len(), 1, "9 of 990");
}

#[test]
fn ours_deep_in_the_tree_a_page_hangs_where_its_leaf_hangs() {
    let mut site = Site::default();
    for kind in ["a", "b"] {
        for sort in ["", "?sort=asc", "?sort=desc"] {
            for i in 0..20 {
                site.visit(format!("a.com/{kind}/{i}{sort}"), 0..5);
            }
        }
    }
    site.visit("a.com/a/3?sort=asc", 0..40);
    let model = site.mine(5, &settings()).unwrap();
    let own = page(&model, "a.com/a/3?sort=asc").unwrap();
    let beside = locate(&model.locator(), "a.com/a/4?sort=asc").pattern().unwrap();
    assert_eq!(model.nodes[beside as usize].parent, own.parent);
    assert_ne!(own.parent, 0, "two levels down");
    assert_eq!(model.trees.syn.leaves, 7);
}

#[test]
fn ours_the_home_page_is_a_leaf_of_its_own() {
    let mut site = plain();
    site.visit("a.com/", 0..1);
    let model = site.mine(5, &settings()).unwrap();
    let home = page(&model, "a.com/").expect("one visit by one user is enough");
    assert_eq!((home.urls, home.visits, home.pattern.as_str()), (1, 1, "/"));
    // A home page with parameters is not the home page.
    let mut site = plain();
    site.visit("a.com/?x=1", 0..1);
    let model = site.mine(5, &settings()).unwrap();
    assert!(!model.nodes.iter().any(|node| matches!(node.way, Way::Page(_))));
}

#[test]
fn ours_what_fewer_than_k_users_visited_is_no_leaf_of_its_own() {
    // A hundred visits of 1,100, by three users.
    let few = |k: u32| {
        let mut site = plain();
        site.visit("a.com/item/mine", (0..100).map(|visit| visit % 3));
        page(&site.mine(k, &settings()).unwrap(), "a.com/item/mine").is_some()
    };
    assert!(!few(5), "three users");
    assert!(!few(4));
    assert!(few(3));
    assert!(few(0));
}

#[test]
fn ours_a_site_of_one_template_has_a_sibling_for_its_home_page() {
    // No key splits: the others are a child of the root, so that the home page has a place beside them.
    let mut site = Site::default();
    for i in 0..50 {
        site.visit(format!("a.com/{i}"), 0..5);
    }
    site.visit("a.com/", 0..5);
    let model = site.mine(5, &MiningSettings { own_leaf_share: 0.5, ..settings() }).unwrap();
    assert_eq!(model.trees.syn.leaves, 2);
    let locator = model.locator();
    let (home, other) = (locate(&locator, "a.com/").pattern(), locate(&locator, "a.com/7").pattern());
    assert!(home.is_some() && other.is_some() && home != other, "{home:?} {other:?}");
}

#[test]
fn ours_a_site_of_its_home_page_alone_has_one_pattern() {
    let mut site = Site::default();
    site.visit("a.com/", 0..5);
    let model = site.mine(5, &settings()).unwrap();
    assert_eq!(model.patterns().count(), 1);
    let locator = model.locator();
    assert!(locate(&locator, "a.com/").pattern().is_some());
    assert!(locate(&locator, "a.com/x").pattern().is_none());
}
