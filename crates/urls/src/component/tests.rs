//! Are the components what the pattern tree expects?
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::Canonicalizer;

fn listed(text: &str) -> Vec<String> {
    let mut components = Components::new();
    components.read_text(text);
    components.iter().map(|it| format!("{}={}", it.key, it.value)).collect()
}

#[test]
fn cikm11_a_url_is_host_labels_segments_and_parameters() {
    assert_eq!(
        listed("shop.example.com/image/65323/thread-12-1.html?wh=1&a=%C3%A9"),
        [
            "host[0]=com",
            "host[1]=example",
            "host[2]=shop",
            "depth=3",
            "slash=no",
            "shape[0]={word}",
            "shape[1]=#",
            "shape[2]=thread-#-#.html",
            "path[0]=image",
            "path[1]=65323",
            "path[2]=thread-12-1.html",
            "?a=é",
            "?wh=1",
        ]
    );
}

#[test]
fn cikm11_the_order_of_parameters_does_not_matter() {
    assert_eq!(listed("a.com/p?x=1&y=2&x=3"), listed("a.com/p?x=3&y=2&x=1"));
    assert!(listed("a.com/p?x=3&y=2&x=1").contains(&"?x=1&3".to_owned()));
}

#[test]
fn cikm11_a_missing_key_is_absent() {
    let url = Canonicalizer::default().absolute(b"https://www.a.com/p/?x&=&y=").unwrap();
    let components = Components::of(&url);
    assert_eq!(components.get(ComponentKey::Parameter("x")), Some(""));
    assert_eq!(components.get(ComponentKey::Parameter("y")), Some(""));
    assert_eq!(components.get(ComponentKey::Parameter("z")), None);
    assert_eq!(components.get(ComponentKey::Value(0)), Some("p"));
    assert_eq!(components.get(ComponentKey::Value(1)), None);
    assert_eq!(components.get(ComponentKey::HostLabel(1)), Some("a"));
    assert_eq!(components.get(ComponentKey::HostLabel(2)), None, "www. does not count");
    assert_eq!(components.get(ComponentKey::TrailingSlash), Some(ComponentKey::YES));
}

#[test]
fn ours_depth_counts_segments_that_are_not_empty() {
    for (text, depth, slash) in [
        ("a.com", "0", "no"),
        ("a.com/", "0", "yes"),
        ("a.com//b///c", "2", "no"),
        ("a.com/b/c/", "2", "yes"),
        ("a.com?x=/", "0", "no"),
    ] {
        let mut components = Components::new();
        components.read_text(text);
        assert_eq!(components.get(ComponentKey::Depth), Some(depth), "{text}");
        assert_eq!(components.get(ComponentKey::TrailingSlash), Some(slash), "{text}");
    }
}

#[test]
fn ours_an_address_is_one_label_and_no_host_is_none() {
    assert_eq!(listed("10.0.0.1:8080/")[0], "host[0]=10.0.0.1:8080");
    assert_eq!(listed("[::1]/")[0], "host[0]=[::1]");
    assert_eq!(listed("/a")[0], "depth=1");
}

#[test]
fn ours_a_value_that_cannot_be_shown_stays_encoded() {
    assert!(listed("a.com/%FF/a%0Ab/%2F").contains(&"path[0]=%FF".to_owned()));
    assert!(listed("a.com/%FF/a%0Ab/%2F").contains(&"path[1]=a%0Ab".to_owned()));
    assert!(listed("a.com/%FF/a%0Ab/%2F").contains(&"path[2]=/".to_owned()));
}

#[test]
fn ours_hostile_urls_meet_caps() {
    let parameters: Vec<String> = (0..500).map(|i| format!("p{i}=1")).collect();
    let text = format!("{}a/{}?{}", "a.".repeat(200), "s/".repeat(300), parameters.join("&"));
    let components = listed(&text);
    assert_eq!(components.len(), MAX_LABELS + 2 + 2 * MAX_SEGMENTS + MAX_PARAMETERS);
    assert!(components.contains(&"depth=300".to_owned()));
}

proptest! {
    #[test]
    fn ours_components_are_sorted_unique_and_found(text in "[a-z.]{0,9}(/[a-z0-9%.-]{0,6}){0,5}([?]([a-c]{0,2}=?[a-z&]{0,3}&){0,5})?") {
        let mut components = Components::new();
        components.read_text(&text);
        let keys: Vec<_> = components.iter().map(|it| it.key).collect();
        prop_assert!(keys.is_sorted_by(|one, other| one < other), "{:?}", keys);
        for component in components.iter() {
            prop_assert_eq!(components.get(component.key), Some(component.value));
        }
    }

    #[test]
    fn ours_no_text_makes_it_panic(text in ".{0,80}") {
        let mut components = Components::new();
        components.read_text(&text);
        let mut out = String::new();
        crate::url_shape(&text, &mut out);
        crate::segment_shape(&text, &mut out);
        let _ = crate::is_token_like(&text);
    }
}
