//! Do the parameters of probes and bots leave the tree alone?

use trodden_mining::MiningSettings;

use crate::site::{Site, drawn, syn, word};

fn two_templates() -> Vec<String> {
    let items = (0..250).map(|i| format!("a.com/item/{i}"));
    let news = (0..250).map(|i| format!("a.com/news/2016/{}-and-{}", word(i), word(i * 7)));
    items.chain(news).collect()
}

#[test]
fn ours_three_hundred_probes_do_not_change_the_tree() {
    let clean = Site::of(two_templates()).model(&syn());
    assert_eq!(clean.trees.syn.leaves, 2, "{}", drawn(&clean));
    let mut urls = two_templates();
    urls.extend((0..300).map(|i| format!("a.com/item/{}?probe{i}={}", i % 250, word(i))));
    let probed = Site::of(urls).model(&syn());
    assert_eq!(drawn(&probed), drawn(&clean));
    assert_eq!(probed.trees.syn, clean.trees.syn);
    // What they leave behind is that the pattern may have them.
    let items = probed.patterns().find(|(_, node)| node.pattern.starts_with("/item/")).unwrap().1;
    assert_eq!((items.urls, items.like.values().filter(|like| like.optional).count()), (550, 300));
}

#[test]
fn ours_a_name_that_seven_urls_have_is_junk_and_one_that_eight_have_is_not() {
    let with = |times: usize| {
        let mut urls = two_templates();
        urls.extend((0..times).map(|i| format!("a.com/item/{i}?utm=1")));
        Site::of(urls).model(&syn())
    };
    assert_eq!(with(7).trees.syn.leaves, 2);
    assert_eq!(with(8).trees.syn.leaves, 3);
}

#[test]
fn ours_a_comb_is_no_deeper_than_trees_may_be() {
    // 200 names, each on eight URLs of its own: each may split, one after the other, and each leaves a tooth.
    let urls: Vec<String> = (0..1600).map(|i| format!("a.com/item/{i}?{}=1", word(i % 200))).collect();
    let at_most = |max_depth| Site::of(urls.clone()).model(&MiningSettings { max_depth, ..syn() });
    for max_depth in [0, 1, 5, 64] {
        let model = at_most(max_depth);
        assert_eq!((model.trees.syn.height, model.trees.syn.leaves), (max_depth, max_depth + 1));
    }
    // 199 levels: below the last split there are 8 URLs with and 8 without.
    assert_eq!(at_most(256).trees.syn.height, 199);
}
