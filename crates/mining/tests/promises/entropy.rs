//! Does the key with the smallest entropy split a node?

use trodden_mining::Key;
use trodden_mining::model::Way;

use crate::site::{Site, children, first_split, tiny, ways};

/// `a.com/p?…&u=0`, `a.com/p?…&u=1`, …: u tells all URLs apart, so its entropy is the largest there is, ln N.
fn numbered(queries: &[(&str, usize)]) -> Site {
    let all = queries.iter().flat_map(|(query, times)| std::iter::repeat_n(*query, *times));
    Site::of(all.enumerate().map(|(u, query)| format!("a.com/p?{query}&u={u}")))
}

#[test]
fn cikm11_the_smallest_entropy_splits() {
    // N = 8. b: 6 and 2, H = ln 8 − (6·ln 6 + 2·ln 2)/8 = 2.0794 − 1.5171 = 0.5623
    //        a: 4 and 4, H = ln 2 = 0.6931
    let model = numbered(&[("a=1&b=1", 4), ("a=2&b=1", 2), ("a=2&b=2", 2)]).model(&tiny());
    assert_eq!(first_split(&model), "?b");
    // ln 6 − ln 2 = 1.0986 > ln 2 − ln 1 = 0.6931: the boundary is behind the first value.
    assert_eq!(ways(&model, 0), ["=1:6", "other:2"]);
    // Below ?b=1: a is 4 and 2, H = 0.6365; u has ln 6. ln 4 − ln 2 = ln 2 − ln 1: of equal drops the first.
    let (below, node) = children(&model, 0)[0];
    assert_eq!(node.split, Some(Key::Parameter("a".into())));
    assert_eq!(ways(&model, below), ["=1:4", "other:2"]);
}

#[test]
fn cikm11_not_the_fewest_values_but_the_least_uncertainty() {
    // N = 16. c has three values: 14, 1 and 1, H = ln 16 − 14·ln 14/16 = 2.7726 − 2.3092 = 0.4634
    //         d has two: 8 and 8, H = 0.6931
    let model = numbered(&[("c=1&d=1", 8), ("c=1&d=2", 6), ("c=2&d=2", 1), ("c=3&d=2", 1)]).model(&tiny());
    assert_eq!(first_split(&model), "?c");
    assert_eq!(ways(&model, 0), ["=1:14", "other:2"]);
}

#[test]
fn cikm11_absent_is_a_value() {
    // N = 8. s: absent 4, "1" 4, H = ln 2 = 0.6931; without absent it would be 0.
    //        b: 6 and 2, H = 0.5623
    let site = numbered(&[("b=1", 4), ("b=1&s=1", 2), ("b=2&s=1", 2)]);
    assert_eq!(first_split(&site.model(&tiny())), "?b");
    // s: absent 4, "1" 4. b: 2, 2, 2, 2, H = ln 4.
    let model = numbered(&[("b=1", 2), ("b=2", 2), ("b=3&s=1", 2), ("b=4&s=1", 2)]).model(&tiny());
    assert_eq!(first_split(&model), "?s");
    assert_eq!(ways(&model, 0), ["=1:4", "absent:4"]);
    // An empty value is not an absent one.
    let model = numbered(&[("s=", 4), ("", 4)]).model(&tiny());
    assert_eq!(ways(&model, 0), ["=:4", "absent:4"]);
}

#[test]
fn cikm11_one_that_is_absent_almost_everywhere_has_a_small_entropy() {
    // N = 16. s: absent 14, "1" 2: H = ln 16 − (14·ln 14 + 2·ln 2)/16 = 2.7726 − 2.3959 = 0.3768; d: 8 and 8.
    let model = numbered(&[("d=1", 8), ("d=2", 6), ("d=2&s=1", 2)]).model(&tiny());
    assert_eq!(first_split(&model), "?s");
    assert_eq!(ways(&model, 0), ["absent:14", "other:2"]);
}

#[test]
fn ours_equal_entropies_go_by_the_order_of_keys() {
    // All keys but u have two values of four URLs each: ln 2.
    for (first, second, key) in [
        ("x.a.com/1?a=1", "y.a.com/b/b/?a=2", "host[2]"),
        ("a.com/1?a=1", "a.com/b/b/?a=2", "depth"),
        ("a.com/1?a=1", "a.com/b/?a=2", "slash"),
        ("a.com/1?a=1", "a.com/b?a=2", "shape[0]"),
        ("a.com/c/1?a=1", "a.com/b/z?a=2", "shape[1]"),
        ("a.com/c/d?a=1", "a.com/b/e?a=2", "path[0]"),
        ("a.com/c/d?a=1", "a.com/c/e?a=2", "path[1]"),
        ("a.com/c?b=1&a=1", "a.com/c?a=2&b=2", "?a"),
    ] {
        let urls = (0..8).map(|u| format!("{}&u={u}", if u < 4 { first } else { second }));
        assert_eq!(first_split(&Site::of(urls).model(&tiny())), key, "{first} {second}");
    }
}

#[test]
fn ours_parameters_tie_by_name_not_by_arrival() {
    // Texts are sorted: `k=0…&z=1` come first and name z first. Each is there on one half of the URLs.
    let urls = (0..8).map(|k| if k < 4 { format!("a.com/p?k={k}&z=1") } else { format!("a.com/p?k={k}&a=1") });
    assert_eq!(first_split(&Site::of(urls).model(&tiny())), "?a");
}

#[test]
fn cikm11_one_value_is_a_constant_and_none_salient_is_a_wildcard() {
    let model = numbered(&[("s=1", 9)]).model(&tiny());
    let root = &model.nodes[0];
    assert_eq!(model.nodes.len(), 1, "u has nine values of one URL each: nothing splits");
    let is: Vec<String> = root.is.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(
        is,
        ["host[0]=com", "host[1]=a", "depth=1", "slash=no", "shape[0]={word}", "path[0]=p", "?s=1"],
        "u is not among the constants"
    );
    let like: Vec<String> = root.like.keys().map(ToString::to_string).collect();
    assert_eq!(like, ["?u"]);
    assert_eq!(root.like[&"?u".parse::<Key>().unwrap()].classes, Some(vec!["#".to_owned()]));
    assert!(!root.like[&"?u".parse::<Key>().unwrap()].optional);
    assert_eq!(root.pattern, "/p?s=1&u=#");
    assert_eq!(root.way, Way::Root);
}

#[test]
fn cikm11_a_constant_is_told_once_on_the_way_down() {
    let model = numbered(&[("s=1&t=1", 4), ("s=2&t=2", 4)]).model(&tiny());
    assert_eq!(first_split(&model), "?s");
    for (_, child) in children(&model, 0) {
        let is: Vec<String> = child.is.keys().map(ToString::to_string).collect();
        assert_eq!(is, ["?s", "?t"], "what the root has is not said again");
    }
}

#[test]
fn cikm11_a_key_is_used_once_on_the_way_down() {
    // d: 6 × 1, 3 × 2, 2 × 3, …: after the boundary the wildcard has several values that could be told apart again.
    let model = numbered(&[("d=1", 20), ("d=2", 4), ("d=3", 4), ("d=4", 4)]).model(&tiny());
    assert_eq!(ways(&model, 0), ["=1:20", "other:12"]);
    assert!(model.nodes[1..].iter().all(|node| node.split.is_none()), "{model:?}");
}
