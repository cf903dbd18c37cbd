//! Is a URL found in the pattern it belongs to, and in none if it belongs to none?

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use trodden_mining::{Key, Locator, MiningSettings, Place, SiteModel, TreeKind, Why};

use crate::site::{Site, locate, syn, tiny, word};

fn host() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a.com",
        "b.a.com",
        "x1.y.a.com",
        "a.com:8080",
        "10.0.0.1",
        "10.0.0.2:81",
        "[::1]:9",
        "h",
    ])
    .prop_map(str::to_owned)
}

fn segment() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "item",
            "news",
            "%C3%A9",
            "%FF",
            "%25FF",
            "%41",
            "%2541",
            "A",
            "a%20b",
            "a%2Fb",
            "%2F",
            "%D8%A7",
            "~x",
            "x.html",
            "x.PHP",
            "a%0Ab",
            "2016-05-01",
            "-",
            "deadbeef0123",
            "x{y}",
            "%7Ba%7D"
        ])
        .prop_map(str::to_owned),
        (0..12u32).prop_map(|n| n.to_string()),
        (prop::sample::select(vec!["p", "thread-", "product", "tv", "ann-", "%C3%BC"]), 0..9u32)
            .prop_map(|(before, n)| format!("{before}{n}")),
        (0..9usize).prop_map(|n| format!("{}-and-{}", word(n), word(n + 5))),
    ]
}

fn parameter() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "c", "a%5B%5D", "A", ""]);
    let value =
        prop::sample::select(vec!["", "=", "=1", "=2", "=33", "=x", "=%26", "=1%262", "=a+b", "=%FF", "=p-9", "==1"]);
    (name, value).prop_map(|(name, value)| format!("{name}{value}"))
}

/// Any URL of a few hosts; shallow ones more often than deep ones.
fn url(parameters: usize) -> impl Strategy<Value = String> {
    let segments =
        prop_oneof![8 => prop::collection::vec(segment(), 0..4), 1 => prop::collection::vec(segment(), 30..40)];
    let parameters = prop::collection::vec(parameter(), 0..=parameters);
    (host(), segments, any::<bool>(), parameters).prop_map(|(host, segments, slash, parameters)| {
        let slash = if slash || segments.is_empty() { "/" } else { "" };
        let query = if parameters.is_empty() { String::new() } else { format!("?{}", parameters.join("&")) };
        let path = segments.iter().map(|segment| format!("/{segment}")).collect::<String>();
        format!("{host}{path}{slash}{query}")
    })
}

fn site(parameters: usize) -> impl Strategy<Value = Site> {
    prop::collection::vec((url(parameters), prop::collection::vec(0..8u32, 1..6)), 1..160).prop_map(|urls| {
        let mut site = Site::default();
        for (url, users) in urls {
            site.visit(url, users);
        }
        let urls: Vec<String> = site.urls().into_iter().map(str::to_owned).collect();
        for pair in urls.chunks(3).filter(|chunk| chunk.len() == 3) {
            site.step(&pair[0], &pair[2], 2);
        }
        site
    })
}

fn settings() -> impl Strategy<Value = MiningSettings> {
    (2..6u32, 1..9usize, 0..9u32, prop::sample::select(vec![0.02, 0.1, 1.0])).prop_map(
        |(min_support, max_children, max_depth, own_leaf_share)| MiningSettings {
            min_support,
            max_children,
            max_depth,
            own_leaf_share,
            ..tiny()
        },
    )
}

/// Every URL is in a pattern, as many in each as were when it was made, and those that the model names where it says.
fn assert_all_found(site: &Site, model: &SiteModel) {
    let locator = model.locator();
    let mut found: BTreeMap<u32, u64> = BTreeMap::new();
    for url in site.urls() {
        let place = locate(&locator, url);
        let pattern = place.pattern().unwrap_or_else(|| panic!("{url} is {place:?}: {}", why(&locator, place)));
        assert!(model.nodes[pattern as usize].is_leaf_of(model.tree));
        *found.entry(pattern).or_default() += 1;
    }
    for named in &model.urls {
        assert_eq!(locate(&locator, &named.url).pattern(), Some(named.pattern), "{}", named.url);
    }
    let made: BTreeMap<u32, u64> = model.patterns().map(|(id, node)| (id, node.urls)).collect();
    assert_eq!(found, made);
}

fn why(locator: &Locator, place: Place) -> String {
    let key = |number| locator.key(number).map(ToString::to_string).unwrap_or_default();
    match place {
        Place::Uncovered(_, Why::Constant(number)) => format!("constant {}", key(number)),
        Place::Uncovered(_, Why::Class(number)) => format!("class {}", key(number)),
        Place::Uncovered(_, Why::Missing(number)) => format!("missing {}", key(number)),
        Place::Uncovered(_, Why::NewKey) => "new key".to_owned(),
        Place::Uncovered(_, Why::NoBranch) => "no branch".to_owned(),
        Place::Uncovered(_, Why::Excluded) => "excluded".to_owned(),
        Place::Pattern(_) => "covered".to_owned(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn ours_every_url_is_found_in_its_own_leaf_of_all_three_trees(site in site(4), settings in settings()) {
        for tree in TreeKind::ALL {
            let model = site.model(&MiningSettings { tree, ..settings.clone() });
            prop_assert_eq!(model.urls.len(), site.urls().len(), "all may be named");
            assert_all_found(&site, &model);
        }
    }

    #[test]
    fn ours_privacy_moves_no_url_without_parameters_to_another_leaf(site in site(0), settings in settings(), k in 1..6u32) {
        for tree in TreeKind::ALL {
            if let Ok(model) = site.mine(k, &MiningSettings { tree, ..settings.clone() }) {
                assert_all_found(&site, &model);
            }
        }
    }

    #[test]
    fn ours_what_a_model_names_it_finds(site in site(4), settings in settings(), k in 1..6u32) {
        if let Ok(model) = site.mine(k, &settings) {
            let locator = model.locator();
            for named in &model.urls {
                prop_assert_eq!(locate(&locator, &named.url).pattern(), Some(named.pattern), "{}", named.url);
            }
        }
    }

    #[test]
    fn ours_no_url_makes_the_walk_panic(site in site(4), others in prop::collection::vec(".{0,60}", 20)) {
        let model = site.model(&tiny());
        let locator = model.locator();
        for url in others {
            let place = locate(&locator, &url);
            prop_assert!((place.node() as usize) < model.nodes.len());
        }
    }
}

/// 50 items, 50 articles with a required and an optional parameter, 50 threads with two constant ones. What splits:
/// ?lang is absent 100 times, H = 0.6365; shapes and values have ln 3. Below, shape[1] comes before path[0].
///
/// ```text
/// 0 ?lang
///   1 absent: shape[1]
///     2 #: /item/#
///     3 {word}: /news/{word}?page=#[&sort={word}]
///   4 en: /talk/thread-#-#.html?lang=en&q={word}&v=1
/// ```
fn shop() -> (Site, SiteModel) {
    let mut urls: Vec<String> = (0..50).map(|i| format!("a.com/item/{i}")).collect();
    for i in 0..50 {
        let sort = ["", "&sort=asc", "&sort=desc"][i % 3];
        urls.push(format!("a.com/news/{}?page={}{sort}", word(i), i % 9));
        urls.push(format!("a.com/talk/thread-{i}-1.html?lang=en&q={}&v=1", word(i)));
    }
    let site = Site::of(urls);
    let model = site.model(&MiningSettings { min_support: 26, ..syn() });
    (site, model)
}

#[test]
fn ours_an_unseen_value_of_a_class_that_was_met_is_covered() {
    let (site, model) = shop();
    assert_all_found(&site, &model);
    let locator = model.locator();
    for (url, pattern) in [
        ("a.com/item/987654", "/item/#"),
        ("a.com/news/neverseen?page=77", "/news/{word}?page=#[&sort={word}]"),
        ("a.com/news/neverseen?sort=up&page=77", "/news/{word}?page=#[&sort={word}]"),
        ("a.com/talk/thread-77-8.html?v=1&q=what&lang=en", "/talk/thread-#-#.html?lang=en&q={word}&v=1"),
        ("a.com/talk/thread-77-8.html?lang=%65n&q=%77hat&v=1", "/talk/thread-#-#.html?lang=en&q={word}&v=1"),
        ("a.com//item//5", "/item/#"),
        ("a.com/%69tem/5", "/item/#"),
    ] {
        let place = locate(&locator, url);
        let found = place.pattern().map(|id| model.nodes[id as usize].pattern.as_str());
        assert_eq!(found, Some(pattern), "{url} {place:?}");
    }
}

#[test]
fn ours_what_does_not_fit_is_uncovered_at_the_deepest_node_it_reached() {
    let (_, model) = shop();
    let locator = model.locator();
    for (url, node, reason) in [
        ("b.com/item/1", 0, "new key"),
        ("a.com:81/item/1", 0, "new key"),
        ("x.a.com/item/1", 0, "new key"),
        ("com/item/1", 0, "new key"),
        // Constants.
        ("a.com/item/1/2", 0, "constant depth"),
        ("a.com/", 0, "constant depth"),
        ("a.com/item/1/", 0, "constant slash"),
        ("a.com/1/1", 0, "constant shape[0]"),
        ("a.com/help/1", 2, "constant path[0]"),
        ("a.com/Item/1", 2, "constant path[0]"),
        ("a.com/talk/thread-1.html?lang=en&q=a&v=1", 4, "constant shape[1]"),
        ("a.com/talk/thread-1-1.htm?lang=en&q=a&v=1", 4, "constant shape[1]"),
        ("a.com/talk/thread-1-1.html?lang=en&q=a&v=2", 4, "constant ?v"),
        ("a.com/talk/thread-1-1.html?lang=en&q=a&v=1&v=1", 4, "constant ?v"),
        ("a.com/talk/thread-1-1.html?lang=en&q=a", 4, "constant ?v"),
        // No branch.
        ("a.com/talk/thread-1-1.html?lang=de&q=a&v=1", 0, "no branch"),
        ("a.com/talk/thread-1-1.html?lang=&q=a&v=1", 0, "no branch"),
        ("a.com/talk/thread-1-1.html?q=a&v=1", 1, "no branch"),
        ("a.com/item/3d-printing-for-all", 1, "no branch"),
        // Classes.
        ("a.com/news/some?page=first", 3, "class ?page"),
        ("a.com/news/some?page=", 3, "class ?page"),
        ("a.com/news/some?page=1&page=2", 3, "class ?page"),
        ("a.com/news/some?page=1&sort=7", 3, "class ?sort"),
        ("a.com/talk/thread-1-1.html?lang=en&q=7&v=1", 4, "class ?q"),
        // Parameters that nobody had, before, between and behind those that are known.
        ("a.com/item/1?utm=1", 2, "new key"),
        ("a.com/news/some?aaa=1&page=1", 3, "new key"),
        ("a.com/news/some?page=1&q=1", 3, "new key"),
        ("a.com/news/some?page=1&zzz=1", 3, "new key"),
        ("a.com/news/some?Page=1", 3, "new key"),
        // Those that all had.
        ("a.com/news/some", 3, "missing ?page"),
        ("a.com/news/some?sort=asc", 3, "missing ?page"),
    ] {
        let place = locate(&locator, url);
        assert_eq!((place.node(), why(&locator, place).as_str()), (node, reason), "{url}");
        assert_eq!(place.pattern(), None);
    }
}

#[test]
fn ours_a_repeated_parameter_is_one_value() {
    let site = Site::of((0..20).map(|i| format!("a.com/f?c={i}&c={}", i + 1)));
    let model = site.model(&syn());
    assert_all_found(&site, &model);
    let locator = model.locator();
    assert!(locate(&locator, "a.com/f?c=77&c=5").pattern().is_some(), "another pair of numbers");
    assert!(locate(&locator, "a.com/f?c=77").pattern().is_none(), "one number is of another class than two");
    assert!(locate(&locator, "a.com/f?c=1&c=2&c=3").pattern().is_none());
}

#[test]
fn ours_paths_deeper_than_the_cap_have_branches_too() {
    let deep = |kind: &str, levels: usize, i: usize| format!("a.com/{kind}{}/{i}", "/d".repeat(levels));
    let mut urls: Vec<String> = (0..20).map(|i| deep("x", 38, i)).collect();
    urls.extend((0..20).map(|i| deep("x", 36, i)));
    urls.extend((0..20).map(|i| deep("x", 1, i)));
    let site = Site::of(urls);
    let model = site.model(&syn());
    assert_eq!(model.trees.syn.leaves, 3);
    assert_all_found(&site, &model);
    assert!(locate(&model.locator(), &deep("x", 37, 1)).pattern().is_none());
}

#[test]
fn ours_hosts_with_ports_addresses_and_many_labels_are_found() {
    let long = format!("{}com", "l.".repeat(20));
    for host in ["a.com:8080", "10.0.0.1", "10.0.0.1:81", "[::1]", "[::1]:9", "localhost", "x.y.z.a.com", long.as_str()]
    {
        let site = Site::of((0..20).map(|i| format!("{host}/item/{i}")));
        let model = site.model(&syn());
        assert_all_found(&site, &model);
        for other in ["other.com", "8080", "10.0.0.2", "[::2]"] {
            assert!(locate(&model.locator(), &format!("{other}/item/1")).pattern().is_none(), "{other} is not {host}");
        }
        assert!(locate(&model.locator(), &format!("x.{host}/item/1")).pattern().is_none() || host == long);
    }
}

#[test]
fn ours_a_host_label_that_all_have_may_not_be_missing() {
    // Labels of 64 classes, `#-#_#…`: beyond 32, anything goes, but something must be there.
    let label = |i: usize| (0..6).map(|bit| if i >> bit & 1 == 1 { "1-" } else { "1_" }).collect::<String>();
    let host = |i: usize| format!("{}1.a.com", label(i));
    let site = Site::of((0..400).map(|i| format!("{}/item/{i}", host(i))));
    let model = site.model(&MiningSettings { min_support: 1000, ..syn() });
    assert_all_found(&site, &model);
    let locator = model.locator();
    assert!(locate(&locator, "seen.a.com/item/1").pattern().is_some());
    assert!(locate(&locator, "a.com/item/1").pattern().is_none(), "no label");
    assert!(locate(&locator, "y.x.a.com/item/1").pattern().is_none(), "one too many");
}

#[test]
fn ours_a_host_label_that_some_have_may_be_missing() {
    let site = Site::of((0..40).map(|i| format!("{}a.com/item/{i}", ["", "shop.", "blog."][i % 3])));
    let model = site.model(&MiningSettings { min_support: 1000, ..syn() });
    assert_all_found(&site, &model);
    assert_eq!(model.nodes[0].pattern, "//[*].a.com/item/#");
    let locator = model.locator();
    for (host, is_covered) in
        [("a.com", true), ("new.a.com", true), ("x1.a.com", false), ("x.y.a.com", false), ("com", false)]
    {
        assert_eq!(locate(&locator, &format!("{host}/item/1")).pattern().is_some(), is_covered, "{host}");
    }
}

#[test]
fn ours_a_shape_that_was_too_rare_for_a_name_is_found_by_its_general_form() {
    // Twenty people have a page each, `ann-1`, which one user visits; k = 2. Their shapes have one URL and one user.
    let names = ["ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal", "ida", "joe"];
    let mut site = Site::default();
    for (i, name) in (0..).zip(names) {
        site.visit(format!("a.com/people/{name}-{i}"), i..=i);
        site.visit(format!("a.com/people/thread-{i}"), i..i + 3);
        site.visit(format!("a.com/items/{i}"), i..i + 3);
    }
    let model = site.mine(2, &syn()).unwrap();
    assert_all_found(&site, &model);
    let locator = model.locator();
    let at = |url: &str| locate(&locator, url).pattern();
    assert!(at("a.com/people/ann-0").is_some());
    assert_eq!(at("a.com/people/zoe-77"), at("a.com/people/ann-0"), "another person's");
    assert_ne!(at("a.com/people/thread-3"), at("a.com/people/ann-0"), "a shape that has a branch of its own");
    assert_eq!(at("a.com/people/3-ann"), None);
}

#[test]
fn ours_a_rare_shape_goes_where_it_went_when_the_tree_grew() {
    // `{word}#` has a branch; `p#` has the same general form but three URLs only, so it had none of its own.
    let mut urls: Vec<String> = (0..20).map(|i| format!("a.com/product{i}")).collect();
    urls.extend((0..20).map(|i| format!("a.com/{i}")));
    urls.extend((0..3).map(|i| format!("a.com/p{i}")));
    urls.extend((0..9).map(|i| format!("a.com/{}-and-{}", word(i), word(i))));
    let site = Site::of(urls);
    assert_all_found(&site, &site.model(&syn()));
}

#[test]
fn ours_two_spellings_of_a_segment_keep_their_own_shapes() {
    // `%25FF` is the text "%FF"; `%FF` is a byte that no text explains, and is shown as it is.
    let mut urls: Vec<String> = (0..20).map(|i| format!("a.com/%25FF/{i}")).collect();
    urls.extend((0..20).map(|i| format!("a.com/%FF/{i}")));
    urls.extend((0..20).map(|i| format!("a.com/%2541/{i}")));
    urls.extend((0..20).map(|i| format!("a.com/%41/{i}")));
    let site = Site::of(urls);
    assert_all_found(&site, &site.model(&syn()));
    // A constant "%41" is not the letter A.
    let model = Site::of((0..20).map(|i| format!("a.com/%2541/{i}"))).model(&syn());
    assert!(locate(&model.locator(), "a.com/%2541/3").pattern().is_some());
    assert!(locate(&model.locator(), "a.com/%41/3").pattern().is_none());
    let key: Key = "path[0]".parse().unwrap();
    assert_eq!(model.nodes[0].is[&key], "%41");
}

#[test]
fn ours_no_two_patterns_of_a_site_are_written_alike() {
    let mut runner = TestRunner::deterministic();
    let mut patterns = 0;
    for _ in 0..200 {
        let mut site = site(3).new_tree(&mut runner).unwrap().current();
        // A parameter without a name is no component, so nothing is written of it.
        site.retain(|url| {
            !["?=", "&=", "?&"].iter().any(|nameless| url.contains(nameless)) && !url.ends_with(['?', '&'])
        });
        let settings = settings().new_tree(&mut runner).unwrap().current();
        for k in [0, 3] {
            let Ok(model) = site.mine(k, &settings) else {
                continue;
            };
            let mut written = BTreeMap::new();
            for (id, node) in model.patterns() {
                let before = written.insert(node.pattern.as_str(), id);
                assert_eq!(before, None, "{} is {id} as well", node.pattern);
                patterns += 1;
            }
        }
    }
    assert!(patterns > 1000, "{patterns}");
}
