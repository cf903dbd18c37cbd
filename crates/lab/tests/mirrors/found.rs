//! Pages looked up by what operators type and what visits say.

use trodden_lab::Error;

use super::{Folder, open};

fn near(wanted: &str) -> Vec<String> {
    let folder = Folder::new();
    let list = "http://a.org/\thttp://a.org/shop/\nhttp://a.org/\thttp://a.org/shop/shoes\nhttp://b.org/news\n\
                http://a.org/\thttp://a.org/about/index.html\nhttp://b.org/shop/shoes\nhttp://a.org/shop/shirts\n";
    match open(&[&folder.write("x", list)]).unwrap().find(wanted) {
        Err(Error::NoSuchPage { near, .. }) => near,
        found => panic!("{found:?}"),
    }
}

#[test]
fn ours_a_page_is_found_in_any_spelling() {
    let folder = Folder::new();
    let mirror = open(&[&folder.write("x", "http://www.a.org/\thttp://www.a.org/b%7ec?x=1\n")]).unwrap();
    for wanted in ["https://A.org/b%7Ec?x=1#top", "a.org/b%7ec?x=1", "http://www.a.org:80/b%7ec?utm_source=y&x=1"] {
        assert_eq!(mirror.find(wanted).unwrap(), 1, "{wanted}");
    }
    assert_eq!(mirror.find("a.org").unwrap(), 0);
    assert_eq!(mirror.page_of_visit("a.org/"), Some(0));
    assert_eq!(mirror.page_of_visit("a.org/nothing"), None);
}

#[test]
fn ours_who_misses_a_page_is_told_what_comes_near() {
    assert_eq!(near("http://a.org/shop")[0], "http://a.org/shop/");
    assert_eq!(near("http://a.org/about/")[0], "http://a.org/about/index.html");
    assert_eq!(near("http://c.org/shop/shoes"), ["http://a.org/shop/shoes", "http://b.org/shop/shoes"]);
    assert_eq!(near("/news"), ["http://b.org/news"]);
    let start = near("http://a.org/shop/shorts");
    assert_eq!(start, ["http://a.org/shop/shoes", "http://a.org/shop/shirts", "http://a.org/shop/"]);
    assert!(near("http://nowhere.org/x").is_empty());
}

#[test]
fn ours_the_message_names_them() {
    let error = Error::NoSuchPage { wanted: "x".into(), near: vec!["a".into(), "b".into(), "c".into()] };
    assert_eq!(error.to_string(), "the mirror has no page x; did you mean a, b or c?");
}
