//! Which values get a branch, how many URLs do they need, and how many branches are there?

use trodden_mining::MiningSettings;

use crate::site::{Site, first_split, syn, ways, word};

/// So many URLs `a.com/VALUE/NUMBER` for each value.
fn folders(counts: &[(&str, usize)]) -> Site {
    Site::of(counts.iter().flat_map(|(value, n)| (0..*n).map(move |i| format!("a.com/{value}/{i}"))))
}

#[test]
fn ours_a_few_equal_values_are_all_kept() {
    let model = folders(&[("a", 20), ("b", 20), ("c", 20)]).model(&syn());
    assert_eq!(first_split(&model), "path[0]");
    assert_eq!(ways(&model, 0), ["=a:20", "=b:20", "=c:20"], "no wildcard that would have no URL");
}

#[test]
fn ours_a_crowd_of_singletons_is_all_wildcard() {
    let model = Site::of((0..200).map(|i| format!("a.com/item/{}", word(i)))).model(&syn());
    assert_eq!(model.nodes.len(), 1);
    assert_eq!(model.nodes[0].pattern, "/item/{word}");
}

#[test]
fn cikm11_the_boundary_is_the_largest_drop() {
    // 40/38 = 1.05, 38/12 = 3.2, 12/11 = 1.1, 11/1 = 11 (virtual): all four. With many singletons behind the same.
    let model = folders(&[("a", 40), ("b", 38), ("c", 12), ("d", 11)]).model(&syn());
    assert_eq!(ways(&model, 0), ["=a:40", "=b:38", "=c:12", "=d:11"]);
    // 400/390, 390/12 = 32.5, 12/11, 11/1 = 11: the first two, and 23 URLs are enough for a wildcard.
    let model = folders(&[("a", 400), ("b", 390), ("c", 12), ("d", 11)]).model(&syn());
    assert_eq!(ways(&model, 0), ["=a:400", "=b:390", "other:23"]);
}

#[test]
fn ours_a_value_needs_eight_urls() {
    // 9/8, 8/1: both salient, and both have the support.
    assert_eq!(ways(&folders(&[("a", 9), ("b", 8)]).model(&syn()), 0), ["=a:9", "=b:8"]);
    // 9/7, 7/1: both salient, but seven are too few for a branch, and for a group: no split.
    assert_eq!(folders(&[("a", 9), ("b", 7)]).model(&syn()).nodes.len(), 1);
    // Seven and seven under the wildcard are a group.
    assert_eq!(ways(&folders(&[("a", 9), ("b", 7), ("c", 7)]).model(&syn()), 0), ["=a:9", "other:14"]);
}

#[test]
fn ours_on_a_large_node_a_group_needs_one_in_two_thousand() {
    // max(8, 0.0005·20,000) = 10. 19,990/10 = 1,999 is the largest drop: "b" is in the wildcard, which needs 10 too.
    let support_10 = folders(&[("a", 19_990), ("b", 10)]).model(&syn());
    assert_eq!(ways(&support_10, 0), ["=a:19990", "other:10"]);
    assert_eq!(folders(&[("a", 19_991), ("b", 9)]).model(&syn()).nodes.len(), 1, "nine of twenty thousand");
    assert_eq!(ways(&folders(&[("a", 15_991), ("b", 9)]).model(&syn()), 0), ["=a:15991", "other:9"]);
    // The share of a node, not of the site: below ?s=1 there are 400 URLs.
    let mut urls: Vec<String> = (0..30_000).map(|i| format!("a.com/x/{i}")).collect();
    urls.extend((0..400).map(|i| format!("a.com/y/{}/{i}", if i < 9 { "rare" } else { "often" })));
    let model = Site::of(urls).model(&syn());
    assert_eq!(first_split(&model), "depth");
    let deep = model.nodes.iter().position(|node| node.urls == 400).unwrap();
    assert_eq!(ways(&model, deep as u32), ["=often:391", "other:9"]);
}

#[test]
fn ours_beyond_the_cap_the_least_frequent_go_to_the_wildcard() {
    let site = folders(&[("a", 30), ("b", 26), ("c", 29), ("d", 27), ("e", 28)]);
    let settings = MiningSettings { max_children: 3, ..syn() };
    assert_eq!(ways(&site.model(&settings), 0), ["=a:30", "=c:29", "=e:28", "other:53"]);
    // Of equally frequent ones, the first by text stay.
    let site = folders(&[("d", 10), ("a", 10), ("c", 10), ("b", 10)]);
    assert_eq!(ways(&site.model(&settings), 0), ["=a:10", "=b:10", "=c:10", "other:10"]);
    // 300 values of eight URLs each, under the default of 256: 44·8 = 352 in the wildcard.
    let many = Site::of((0..300).flat_map(|v| (0..8).map(move |i| format!("a.com/{}/{}", word(v), v * 8 + i))));
    let model = many.model(&syn());
    let ways = ways(&model, 0);
    assert_eq!(ways.len(), 257);
    assert!(ways.contains(&"other:352".to_owned()));
}

#[test]
fn ours_a_node_with_fewer_urls_than_the_least_is_a_leaf() {
    let settings = MiningSettings { min_support: 2, ..syn() };
    assert_eq!(folders(&[("a", 4), ("b", 3)]).model(&settings).nodes.len(), 1, "seven");
    assert_eq!(ways(&folders(&[("a", 4), ("b", 4)]).model(&settings), 0), ["=a:4", "=b:4"], "eight");
}
