//! Small sites for tests: one that is mined, and one whose every number is written here, so that what is said of it does
//! not change with the way sites are mined.

use std::collections::BTreeMap;

use trodden_mining::model::{LearntFrom, Like, NamedUrl, Node, Scores, Way};
use trodden_mining::{
    Entrance, Expect, From, MiningSettings, SiteModel, SiteTableBuilder, TableOrigin, TreeKind, Triple, mine_site,
};

/// Users that a name must have.
pub(crate) const MIN_USERS: u32 = 5;

/// The model of a shop: people enter at `/`, go on to `/list?page=#` and from there to `/item/#`.
pub(crate) fn shop() -> SiteModel {
    let mut table = SiteTableBuilder::new(MIN_USERS);
    let home = table.url("a.com/");
    let visit = |table: &mut SiteTableBuilder, from: From, target: u32, users: u32| {
        for user in 0..users {
            table.add(Triple { from, target });
            table.add_user(target, user);
        }
    };
    visit(&mut table, From::Outside(Entrance::Search), home, 300);
    for page in 1..=30 {
        let list = table.url(&format!("a.com/list?page={page}"));
        visit(&mut table, From::Page(home), list, 6 + page % 3);
        for item in 0..4 {
            let item = table.url(&format!("a.com/item/{}", page * 100 + item));
            visit(&mut table, From::Page(list), item, 5);
        }
    }
    for title in 0..40 {
        let news = table.url(&format!("a.com/news/{title}-title-of-it"));
        // Few enough to go without a name.
        visit(&mut table, From::Outside(Entrance::Direct), news, if title == 0 { 1 } else { 5 });
    }
    let learnt = LearntFrom { first_ms: 1, last_ms: 86_400_000 * 3, dedup_days: 30, visits: 1_500, users: 300 };
    let origins = BTreeMap::from([("a.com".to_owned(), "https://www.a.com".to_owned())]);
    let table = table.finish("a.com".to_owned());
    mine_site(&table, &TableOrigin { origins, learnt }, MIN_USERS, &MiningSettings::default()).unwrap()
}

/// Patterns of [`by_hand`].
pub(crate) const ITEM: u32 = 1;
pub(crate) const LIST: u32 = 3;
pub(crate) const PAGES: u32 = 4;

/// A model whose every number is known:
///
/// ```text
/// 0 ┬ 1 path[0] = item: /item/#  (6, below the cut: item 7)
///   ├ 2 path[0] = list ┬ 3 ?page absent: /list
///   │                  └ 4 other: /list?page=#
///   ├ 5 other: /{word}
///   └ 7 page: /
/// ```
pub(crate) fn by_hand() -> SiteModel {
    let mut nodes = vec![
        node(0, Way::Root, &[("host[0]", "com"), ("host[1]", "a")], "", (60, 1_000, 700)),
        node(0, kept("item"), &[("depth", "2"), ("slash", "no"), ("path[0]", "item")], "/item/#", (30, 600, 250)),
        node(0, kept("list"), &[("depth", "1"), ("path[0]", "list")], "", (21, 250, 350)),
        node(2, Way::Absent, &[], "/list", (1, 150, 250)),
        node(2, Way::Other, &[], "/list?page=#", (20, 100, 100)),
        node(0, Way::Other, &[("depth", "1"), ("shape[0]", "{word}")], "/{word}", (8, 50, 0)),
        node(1, kept("7"), &[("path[1]", "7")], "", (1, 20, 0)),
        node(0, Way::Page("a.com/".to_owned()), &[], "/", (1, 100, 100)),
    ];
    nodes[0].split = "path[0]".parse().ok();
    nodes[2].split = "?page".parse().ok();
    let numbers = Like { classes: Some(vec!["#".to_owned()]), optional: false };
    nodes[ITEM as usize].like.insert("shape[1]".parse().unwrap(), numbers.clone());
    nodes[PAGES as usize].like.insert("?page".parse().unwrap(), numbers);
    for (number, auth, hub) in [(1, 0.9, 0.1), (3, 0.3, 0.9), (4, 0.2, 0.4), (5, 0.1, 0.0), (7, 0.1, 0.3)] {
        nodes[number].scores = Some(Scores { auth, hub });
    }
    nodes[6].leaf_of = vec![TreeKind::Syn];
    let named = |url: &str, pattern, visits| NamedUrl {
        url: url.to_owned(),
        visits,
        referrals: 4,
        users: visits - 1,
        pattern,
        expected: 0.9 * visits as f64,
    };
    SiteModel {
        nodes,
        // From /item/# to itself is 10 more, from one URL to the same one.
        transits: vec![(ITEM, ITEM, 40), (ITEM, LIST, 200), (LIST, ITEM, 250), (PAGES, ITEM, 100), (7, LIST, 100)],
        urls: vec![named("a.com/list", LIST, 150), named("a.com/item/7", ITEM, 20)],
        ..shop()
    }
}

fn kept(value: &str) -> Way {
    Way::Kept(value.to_owned())
}

/// A node with its URLs, visits and referrals; with a pattern it is a leaf of the model's tree.
fn node(parent: u32, way: Way, is: &[(&str, &str)], pattern: &str, (urls, visits, referrals): (u64, u64, u64)) -> Node {
    Node {
        parent,
        way,
        split: None,
        is: is.iter().map(|(key, value)| (key.parse().unwrap(), (*value).to_owned())).collect(),
        like: BTreeMap::new(),
        rare_parameters: false,
        urls,
        visited: urls,
        visits,
        referrals,
        leaf_of: if pattern.is_empty() { Vec::new() } else { vec![TreeKind::Visit, TreeKind::Tran] },
        pattern: pattern.to_owned(),
        scores: None,
        // What its URLs had on average; a tenth of that where nobody was.
        expect: Expect {
            unnamed: visits as f64 / urls as f64 / 8.0,
            unread: visits as f64 / urls as f64 / 80.0,
            uncovered: visits as f64 / urls as f64 / 160.0,
        },
    }
}
