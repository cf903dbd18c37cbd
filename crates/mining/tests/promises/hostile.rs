//! Do bad inputs give the right answer or a refusal, in bounded time and space?

use trodden_mining::{MiningSettings, NoModel, SiteTableBuilder, TableOrigin, mine_site};

use crate::site::{Site, locate, syn, word};

#[test]
fn ours_a_site_without_visits_has_no_model() {
    let empty = SiteTableBuilder::new(5).finish("a.com".to_owned());
    for k in [0, 5] {
        let fault = mine_site(&empty, &TableOrigin::default(), k, &MiningSettings::default()).unwrap_err();
        assert_eq!(fault, NoModel::NoVisits);
    }
    // Known to the operator, visited by nobody.
    let mut known = Site::default();
    (0..50).for_each(|i| {
        known.know(&format!("a.com/item/{i}"));
    });
    assert_eq!(known.mine(0, &syn()).unwrap_err(), NoModel::NoVisits);
}

#[test]
fn ours_one_url_is_one_pattern() {
    for url in ["a.com/item/1", "a.com/", "a.com", "a.com/?", "a.com/a/b/c/?x=1&y", "/", ""] {
        let model = Site::of([url]).model(&MiningSettings::default());
        assert_eq!(model.patterns().count(), 1, "{url}");
        assert!(locate(&model.locator(), url).pattern().is_some(), "{url}");
        assert_eq!((model.nodes[0].urls, model.nodes[0].visits), (1, 1));
    }
}

#[test]
fn ours_twenty_thousand_urls_without_a_pattern_are_one() {
    let urls = (0..20_000).map(|i| format!("a.com/{}", word(i)));
    let model = Site::of(urls).model(&MiningSettings::default());
    assert_eq!((model.nodes.len(), model.nodes[0].pattern.as_str()), (1, "/{word}"));
    // Different in everything.
    let urls: Vec<String> = (0..20_000)
        .map(|i| {
            let w = word(i);
            format!("{w}.a.com{}/{w}-{i}?{w}={i}", format!("/{w}").repeat(i % 30))
        })
        .collect();
    let site = Site::of(urls.clone());
    for k in [0, 1] {
        let model = site.mine(k, &MiningSettings::default()).unwrap();
        assert!(model.nodes.len() < 1000, "{}", model.nodes.len());
        assert!(model.trees.syn.height <= 64);
    }
    let model = site.model(&MiningSettings::default());
    let locator = model.locator();
    for url in urls.iter().step_by(97) {
        assert!(locate(&locator, url).pattern().is_some(), "{url}");
    }
}

#[test]
fn ours_a_hundred_thousand_names_of_one_url_each_are_no_branches() {
    let site = Site::of((0..100_000).map(|i| format!("a.com/item?{}={i}", word(i))));
    let model = site.model(&syn());
    assert_eq!(model.nodes.len(), 1);
    let model = site.mine(1, &syn()).unwrap();
    assert_eq!((model.nodes.len(), model.nodes[0].urls), (1, 100_000));
}

#[test]
fn ours_values_of_two_kilobytes_are_values() {
    let long = |i: usize| format!("{}{i}", "long-".repeat(400));
    let site = Site::of((0..300).map(|i| format!("a.com/{}/{}?q={}", word(i % 3), long(i), long(i))));
    let model = site.model(&syn());
    assert_eq!(model.trees.syn.leaves, 3);
    assert!(model.nodes.iter().all(|node| node.pattern.len() < 300), "a pattern is for people");
    let locator = model.locator();
    for url in site.urls() {
        assert!(locate(&locator, url).pattern().is_some());
    }
}

#[test]
fn ours_extreme_settings_break_nothing() {
    let site = Site::of((0..200).map(|i| format!("a.com/{}/{}", word(i % 5), i)));
    for settings in [
        MiningSettings { max_children: 1, ..syn() },
        MiningSettings { max_children: 65_536, min_support: 2, min_leaf: 1, ..syn() },
        MiningSettings { support_share: 1.0, ..syn() },
        MiningSettings { max_depth: 0, ..syn() },
        MiningSettings { max_depth: 256, ..syn() },
        MiningSettings { min_leaf: u32::MAX, ..syn() },
        MiningSettings { own_leaf_share: f64::MIN_POSITIVE, ..syn() },
        MiningSettings { transit_threshold: 0.0, damping: 1.0, wagner: Some(1e300), ..MiningSettings::default() },
        MiningSettings { max_urls: 0, ..syn() },
    ] {
        settings.check().unwrap();
        let model = site.model(&settings);
        let locator = model.locator();
        assert!(site.urls().iter().all(|url| locate(&locator, url).pattern().is_some()), "{settings:?}");
        assert_eq!(model.patterns().map(|(_, node)| node.urls).sum::<u64>(), 200);
    }
}

#[test]
fn ours_a_pattern_with_sixty_thousand_parameters_can_be_read() {
    let urls = (0..16_000).map(|url| {
        let query: Vec<String> = (0..32).map(|p| format!("{}=1", word((url * 32 + p) % 64_000))).collect();
        format!("a.com/item/{url}?{}", query.join("&"))
    });
    let site = Site::of(urls);
    let model = site.model(&MiningSettings::default());
    assert_eq!(model.trees.syn.height, 64);
    let longest = model.nodes.iter().map(|node| node.pattern.len()).max().unwrap();
    assert!(longest < 2000, "{longest}");
    let locator = model.locator();
    for url in site.urls().iter().step_by(499) {
        assert!(locate(&locator, url).pattern().is_some(), "{url}");
    }
}

#[test]
fn ours_twenty_thousand_hosts_with_a_home_page_each_are_mined() {
    let mut site = Site::default();
    for i in 0..20_000 {
        let host = word(i);
        site.visit(format!("{host}.a.com/"), 0..5).visit(format!("{host}.a.com/x?{host}=1"), 0..5);
    }
    let model = site.mine(5, &MiningSettings::default()).unwrap();
    assert_eq!(model.trees.syn.leaves, 20_001, "every front door is a leaf of its own");
    assert_eq!(model.trees.tran.leaves, 1, "but they are visited alike");
}
