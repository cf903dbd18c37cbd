//! Is a file of models read back as it was written, and does damage cost no more than it must?

use std::fmt::Write as _;

use proptest::prelude::*;
use trodden_mining::model::MODEL_VERSION;
use trodden_mining::{Goal, ModelFault, ModelSet, Scratch, SiteModel, Strategy as RankStrategy, TreeKind};

use crate::site::{Site, syn, word};

fn model_of(site_name: &str) -> SiteModel {
    let mut site = Site::default();
    for i in 0..30 {
        site.visit(format!("a.com/item/{i}"), 0..5);
        site.visit(format!("b.a.com/news/{}?page={}&\u{e9}=\"{i}\\", word(i), i % 3), 0..7);
        site.step(&format!("a.com/item/{i}"), &format!("a.com/item/{}", (i + 1) % 30), 2);
    }
    site.visit("a.com/", 0..9);
    site.origin.origins.insert("a.com".to_owned(), "https://www.a.com".to_owned());
    let mut model = site.mine(5, &syn()).unwrap();
    model.site = site_name.to_owned();
    model
}

fn line_of(site: &str) -> String {
    model_of(site).to_line().unwrap()
}

fn set(text: &str) -> ModelSet {
    ModelSet::new(text.as_bytes().to_vec())
}

#[test]
fn ours_a_model_is_read_back_as_it_was() {
    for site in ["a.com", "xn--bcher-kva.example:81", "[::1]:9", "a \"quoted\" \\ name\n\u{1f980}"] {
        let model = model_of(site);
        let line = model.to_line().unwrap();
        assert!(line.ends_with("}\n") && line.matches('\n').count() == 1, "one line");
        assert!(line.starts_with(&format!("{{\"trodden_model\":{MODEL_VERSION},\"site\":")));
        let set = set(&line);
        assert_eq!(set.faults(), []);
        assert_eq!(set.sites().collect::<Vec<_>>(), [site]);
        assert_eq!(set.model(set.find(site).unwrap()).unwrap(), model);
        assert_eq!(set.model(0).unwrap().to_line().unwrap(), line, "and written again as it was");
        assert_eq!(set.find("other"), None);
    }
}

#[test]
fn ours_fields_that_are_not_known_are_ignored() {
    let line = line_of("a.com");
    let more = line.replacen("\"nodes\":[{", "\"color\":{\"x\":[1]},\"nodes\":[{\"smell\":null,", 1);
    let more = more.replacen("\"urls\":[{", "\"urls\":[{\"taste\":[],", 1).replacen(
        "\"learnt\":{",
        "\"learnt\":{\"of\":1,",
        1,
    );
    assert_ne!(more, line);
    assert_eq!(set(&more).model(0).unwrap(), model_of("a.com"));
    // Other writers order fields as they like, and put spaces between.
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    let sorted = serde_json::to_string(&value).unwrap();
    let spaced = sorted.replacen("\"trodden_model\":", "\"trodden_model\" : ", 1);
    assert_eq!(set(&spaced).model(0).unwrap(), model_of("a.com"));
}

#[test]
fn ours_a_newer_version_says_what_to_do() {
    let newer = line_of("new.com").replacen(&format!("\"trodden_model\":{MODEL_VERSION}"), "\"trodden_model\":7", 1);
    let set = set(&(newer + &line_of("a.com")));
    assert_eq!(set.faults(), [ModelFault::Newer { line: 1, site: "new.com".to_owned(), version: 7 }]);
    let message = set.faults()[0].to_string();
    for part in ["line 1", "new.com", "version 7", "use a newer trodden"] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(set.sites().collect::<Vec<_>>(), ["a.com"]);
    // Whatever else has changed in it.
    let changed = "{\"trodden_model\":9,\"site\":\"b.com\",\"nodes\":\"elsewhere\"}\n";
    assert!(matches!(set_faults(changed).as_slice(), [ModelFault::Newer { version: 9, .. }]));
}

fn set_faults(text: &str) -> Vec<ModelFault> {
    set(text).faults().to_vec()
}

#[test]
fn ours_a_damaged_line_costs_that_line() {
    for damaged in [
        "{\"trodden_model\":1,\"site\":",
        "not json",
        "{}",
        "[]",
        "null",
        "{\"trodden_model\":\"1\",\"site\":\"x\"}",
        "\u{0}",
        "{\"site\":\"x\"}",
    ] {
        let set = set(&format!("{}{damaged}\n{}", line_of("a.com"), line_of("b.com")));
        assert_eq!(set.sites().collect::<Vec<_>>(), ["a.com", "b.com"], "{damaged}");
        let [ModelFault::Damaged { line: 2, .. }] = set.faults() else {
            panic!("{damaged}: {:?}", set.faults());
        };
        assert!(set.faults()[0].to_string().contains("mine this site again"));
        assert_eq!(set.model(1).unwrap(), model_of("b.com"));
    }
    // Bytes that are no text.
    let mut bytes = line_of("a.com").into_bytes();
    bytes.extend(b"{\"trodden_model\":1,\"site\":\"\xff\xfe\"}\n");
    bytes.extend(line_of("b.com").into_bytes());
    let set = ModelSet::new(bytes);
    assert_eq!((set.len(), set.faults().len()), (2, 1));
}

#[test]
fn ours_of_a_site_that_is_there_twice_the_first_line_counts() {
    let set = set(&format!("{}\n{}{}", line_of("a.com"), line_of("b.com"), line_of("a.com")));
    assert_eq!(set.faults(), [ModelFault::Twice { line: 4, first: 1, site: "a.com".to_owned() }]);
    assert_eq!(set.len(), 2);
    assert_eq!(set.find("b.com"), Some(1), "by its place, not by its line");
}

#[test]
fn ours_line_ends_and_empty_files_are_no_matter() {
    let windows = set(&line_of("a.com").replace('\n', "\r\n"));
    assert_eq!(windows.model(0).unwrap(), model_of("a.com"));
    let unfinished = set(line_of("a.com").trim_end());
    assert_eq!(unfinished.model(0).unwrap(), model_of("a.com"));
    for empty in ["", "\n", "\r\n\r\n", "  \n\t\n"] {
        let set = set(empty);
        assert!(set.is_empty() && set.faults().is_empty());
        assert_eq!(set.len(), 0);
    }
}

#[test]
fn ours_what_is_damaged_behind_the_head_shows_when_the_site_is_asked_for() {
    let line = line_of("b.com");
    let cut_off = &line[..line.len() / 2];
    let set = set(&format!("{}{cut_off}\n{}", line_of("a.com"), line_of("c.com")));
    assert_eq!((set.len(), set.faults()), (3, [].as_slice()));
    assert!(set.model(0).is_ok() && set.model(2).is_ok());
    let fault = set.model(set.find("b.com").unwrap()).unwrap_err();
    assert!(matches!(fault, ModelFault::Damaged { line: 2, .. }), "{fault}");
}

#[test]
fn ours_a_hundred_thousand_lines_are_indexed_without_being_read() {
    let mut text = String::new();
    for site in 0..100_000 {
        // Behind the head nothing of it is JSON, let alone a model.
        let _ = writeln!(text, "{{\"trodden_model\":1,\"site\":\"s{site}.com\",\"nodes\":[[[[~");
    }
    text.push_str(&line_of("last.com"));
    let set = set(&text);
    assert_eq!((set.len(), set.faults().len()), (100_001, 0));
    assert_eq!(set.find("s77777.com"), Some(77_777));
    assert!(matches!(set.model(77_777), Err(ModelFault::Damaged { line: 77_778, .. })));
    assert_eq!(set.model(set.find("last.com").unwrap()).unwrap(), model_of("last.com"));
}

/// Reads a model of one site and does everything with it that a reader does.
fn use_all(line: &str) -> Result<(), ModelFault> {
    let set = set(line);
    if let Some(fault) = set.faults().first() {
        return Err(fault.clone());
    }
    let model = set.model(0)?;
    for tree in TreeKind::ALL {
        let locator = model.locator_of(tree);
        let mut scratch = Scratch::default();
        for url in ["a.com/", "a.com/item/3", "b.a.com/news/wa?page=1", "x", "", "?", "a.com/d/d/d/d?a&b&c=1"] {
            let place = locator.locate_text(&mut scratch, url);
            assert!((place.node() as usize) < model.nodes.len());
        }
    }
    for goal in Goal::ALL {
        for strategy in RankStrategy::ALL {
            assert_eq!(model.ranking(goal, strategy).len(), model.patterns().count());
        }
    }
    let _ = model.fetchable("a.com/x?y");
    Ok(())
}

#[test]
fn ours_hostile_models_are_refused_or_harmless() {
    let line = line_of("a.com");
    use_all(&line).unwrap();
    let with = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value: serde_json::Value = serde_json::from_str(&line).unwrap();
        change(&mut value);
        use_all(&serde_json::to_string(&value).unwrap())
    };
    let refused = |change: &dyn Fn(&mut serde_json::Value), what: &str| {
        let fault = with(change).unwrap_err();
        assert!(fault.to_string().contains(what), "{fault}");
    };
    use serde_json::json;
    refused(&|model| model["nodes"] = json!([]), "no nodes");
    refused(&|model| model["nodes"][1]["parent"] = json!(1), "before its parent");
    refused(&|model| model["nodes"][1]["parent"] = json!(4_000_000_000_u32), "before its parent");
    refused(&|model| model["transits"] = json!([[0, 4_000_000, 1]]), "does not have");
    refused(&|model| model["urls"][0]["pattern"] = json!(99_999), "does not have");
    refused(&|model| model["nodes"].as_array_mut().unwrap().truncate(1), "does not have");
    refused(&|model| model["nodes"][0]["split"] = json!("path[32]"), "names no part of a URL");
    refused(&|model| model["nodes"][0]["is"] = json!({"shape[77]": "x"}), "names no part of a URL");
    refused(&|model| model["nodes"][0]["visits"] = json!(-1), "-1");
    refused(&|model| model["nodes"][0]["parent"] = json!(7), "its root has a parent");
    // A tree that contradicts itself is one where URLs are not found.
    with(&|model| model["nodes"][0]["leaf_of"] = json!(["syn", "visit", "tran"])).unwrap();
    with(&|model| model["nodes"][0]["split"] = json!(null)).unwrap();
    with(&|model| model["nodes"][0]["split"] = json!("?")).unwrap();
    with(&|model| model["nodes"][1]["way"] = json!("root")).unwrap();
    with(&|model| model["nodes"][1]["way"] = json!({"page": ""})).unwrap();
    with(&|model| model["nodes"][0]["is"] = json!({"depth": "many", "?": "", "path[31]": "", "host[15]": ""})).unwrap();
    with(&|model| {
        let like = json!({"?a": {"optional": true}, "?b": {}, "depth": {"classes": ["x"]}, "host[0]": {"classes": []}});
        for node in model["nodes"].as_array_mut().unwrap() {
            node["like"] = like.clone();
            node["is"] = json!({"?a": "1", "?b": "2"});
            node["leaf_of"] = json!([]);
        }
    })
    .unwrap();
    with(&|model| {
        for node in model["nodes"].as_array_mut().unwrap().iter_mut().skip(1) {
            node["parent"] = json!(0);
            node["way"] = json!({"kept": "same"});
            for count in ["urls", "visited", "visits", "referrals"] {
                node[count] = json!(0);
            }
        }
    })
    .unwrap();
}

#[test]
fn ours_nesting_without_end_is_refused() {
    for open in ["[", "{\"a\":"] {
        let deep = format!("{{\"trodden_model\":1,\"site\":\"x\",\"y\":{}", open.repeat(200_000));
        let set = set(&deep);
        assert_eq!(set.len(), 1, "its head is sound");
        assert!(matches!(set.model(0), Err(ModelFault::Damaged { .. })));
        let head_behind = format!("{{\"y\":{}", open.repeat(200_000));
        assert_eq!(set_faults(&head_behind).len(), 1);
    }
}

#[test]
fn ours_a_chain_of_nodes_is_walked_to_its_end_or_refused() {
    let chain = chain(50_000);
    let fault = use_all(&chain.to_line().unwrap()).unwrap_err();
    assert!(fault.to_string().contains("deeper than any that is grown"), "{fault}");
    // Whoever walks it all the same, walks without recursion.
    assert_eq!(chain.locator().locate_text(&mut Scratch::default(), "a.com/x").node(), 49_999);
    use_all(&self::chain(250).to_line().unwrap()).unwrap();
}

/// A tree without a branch.
fn chain(nodes: u32) -> trodden_mining::SiteModel {
    let mut model = model_of("a.com");
    let node = model.nodes[0].clone();
    model.nodes = (0..nodes)
        .map(|number| {
            let mut node = node.clone();
            node.parent = number.saturating_sub(1);
            node.way = if number == 0 { trodden_mining::model::Way::Root } else { trodden_mining::model::Way::Other };
            node.is.clear();
            node.like.clear();
            node.leaf_of = if number == nodes - 1 { TreeKind::ALL.to_vec() } else { Vec::new() };
            node
        })
        .collect();
    (model.transits, model.urls) = (Vec::new(), Vec::new());
    model
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn ours_no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), at in any::<prop::sample::Index>()) {
        let _ = ModelSet::new(bytes.clone());
        // And none in the middle of a model.
        let mut line = line_of("a.com").into_bytes();
        let at = at.index(line.len());
        let end = (at + bytes.len()).min(line.len());
        line[at..end].copy_from_slice(&bytes[..end - at]);
        let set = ModelSet::new(line);
        for at in 0..set.len() {
            if let Ok(model) = set.model(at) {
                let _ = model.locator().locate_text(&mut Scratch::default(), "a.com/item/3");
            }
        }
    }
}
