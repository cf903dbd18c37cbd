//! Expressions, what they hold of, what links hint at, and what is said of those that are none.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::classes::{ClassExamples, ClassId};

fn parse(text: &str) -> Predicate {
    Predicate::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn page<'p>(url: &'p str, title: &'p str, body: &'p str) -> PageFacts<'p> {
    PageFacts { url, title, body, ..PageFacts::default() }
}

const RUST: PageFacts<'_> = PageFacts {
    url: "https://www.Blog.example:8080/2024/blog/rust-crawler?p=1",
    title: "A web crawler in Rust",
    body: "We crawl the web. A web crawler crawls; crawlers are fast.",
    anchor_hits: 0,
    categories: &["subject.Science.Computing"],
};

#[test]
fn kdd02_fields_and_operators_by_hand() {
    for (text, holds) in [
        ("title:rust", true),
        ("title:RUST and title:crawler", true),
        ("title:\"web crawler\"", true),
        ("title:\"crawler web\"", false),
        ("body:rust", false),
        ("body:web>=2", true),
        ("body:web>=3", false),
        ("body:\"web crawler\">=1", true),
        ("url:/blog/", true),
        ("url:/BLOG/rust", true),
        ("url:crawler", true),
        ("url:craw", false),
        ("url~/\\d{4}/", true),
        ("url~^https://(www|m)\\.", true),
        ("url~\"^http:\"", false),
        ("host:blog.example", true),
        ("host:og.example", false),
        ("host~^www", true),
        ("title~(?i)RUST$", true),
        ("category:Science", true),
        ("category:science.computing", true),
        ("category:subject.Computing", false),
        ("lang:de", false),
        ("not body:rust", true),
        ("not not title:rust", true),
        ("title:rust and (body:java or url:/blog/) and not lang:de", true),
        ("title:java or title:rust and body:java", false),
        ("(title:java or title:rust) and body:web", true),
        ("rust", true),
        ("\"crawler in rust\"", true),
        ("java", false),
    ] {
        assert_eq!(parse(text).holds(&RUST), holds, "{text}");
    }
}

#[test]
fn www98_a_list_of_words_is_any_of_them_in_the_title_or_ten_in_the_body() {
    let topic = parse("Space,  Ölpest");
    assert!(topic.holds(&page("", "die ÖLPEST von 1999", "")));
    assert!(!topic.holds(&page("", "aerospace", &"space ".repeat(9))));
    assert!(topic.holds(&page("", "", &"space ölpest ".repeat(5))));
    assert_eq!(topic.words(), ["space", "ölpest"]);
    assert!(topic.hints("/wp/s/SPACE_exploration.htm", "") && topic.hints("", "in space"));
    assert!(!topic.hints("/spacecraft", "aerospace"));
}

#[test]
fn ours_a_link_hints_by_its_words_and_by_nothing_that_is_not_known() {
    for (text, url, anchor, hints) in [
        ("title:rust", "/a", "Rust!", true),
        ("body:rust>=10", "/rust", "", true),
        ("title:rust and not lang:de", "/a", "rust", true),
        ("title:rust and not lang:de", "/a", "java", false),
        ("title:rust or lang:de", "/a", "java", false),
        ("lang:de", "/a", "java", false),
        ("not url:/print/", "/print/1", "x", false),
        ("not url:/print/", "/1", "x", true),
        ("anchor:rust", "/rust", "x", false),
        ("url~\\d and rust", "/1", "rust", true),
        ("host:a.example", "http://b.a.example/x", "", true),
    ] {
        assert_eq!(parse(text).hints(url, anchor), hints, "{text} {url} {anchor}");
    }
}

#[test]
fn ours_words_of_links_are_remembered_as_bits() {
    let topic = parse("anchor:rust and (anchor:\"web crawler\" or title:x)");
    let hits = topic.anchor_hits("Rust") | topic.anchor_hits("a web crawler");
    assert_eq!(hits, 0b11);
    assert!(topic.holds(&PageFacts { anchor_hits: hits, ..PageFacts::default() }));
    assert!(!topic.holds(&PageFacts { anchor_hits: 0b10, ..PageFacts::default() }));
    assert!(topic.reads_anchors() && topic.reads_text() && !topic.reads_categories());
}

#[test]
fn ours_words_are_stemmed_by_option_only() {
    let facts = page("", "Crawling crawlers", "");
    let stemmed = Predicate::parse_with("title:crawl", "en".parse().unwrap(), &mut |_| Err(String::new())).unwrap();
    assert!(stemmed.holds(&facts) && !parse("title:crawl").holds(&facts));
    assert!("xx".parse::<Stemming>().unwrap_err().to_string().contains("de"));
    assert_eq!("de".parse::<Stemming>().unwrap().to_string(), "de");
}

#[test]
fn ours_languages_are_told_by_their_text() {
    let german = "Der schnelle braune Fuchs springt über den faulen Hund, und niemand weiß, warum er das tut. \
                  Die Leute im Dorf sagen, dass es schon immer so gewesen sei.";
    assert!(parse("lang:de").holds(&page("", "", german)) && parse("lang:DEU").holds(&page("", "", german)));
    assert!(!parse("lang:en").holds(&page("", "", german)));
    assert!(!parse("lang:de").holds(&page("", "ja", "")));
}

#[test]
fn ours_examples_are_asked_for_by_name() {
    let mut examples = ClassExamples::new(["yes", "no"].map(str::to_owned));
    for _ in 0..3 {
        examples.add(ClassId(0), "", "fin sea");
        examples.add(ClassId(1), "", "wing sky");
    }
    let model = Arc::new(examples.learn().unwrap());
    let mut find = |name: &str| if name == "fish" { Ok(model.clone()) } else { Err(format!("no examples in {name}")) };
    let topic = Predicate::parse_with("like:fish and not title:old", Stemming::None, &mut find).unwrap();
    assert!(topic.holds(&page("", "new", "a fin in the sea")) && !topic.holds(&page("", "old", "a fin in the sea")));
    let fault = Predicate::parse_with("x or like:birds", Stemming::None, &mut find).unwrap_err();
    assert_eq!((fault.at(), fault.to_string().contains("no examples in birds")), (11, true));
}

#[test]
fn ours_a_fault_points_at_the_character() {
    for (text, at, says) in [
        ("", 1, "no word"),
        ("   ", 4, "no word"),
        ("--", 1, "no word"),
        ("title:rust and", 15, "missing"),
        ("title:rust body:web", 12, "and or or"),
        ("and title:rust", 1, "missing before"),
        ("(title:rust", 1, "not closed"),
        ("title:rust)", 11, "no ( to this"),
        ("ä or title:\"rust", 12, "quote"),
        ("colour:red", 1, "colour"),
        ("title:", 7, "needs a value"),
        ("title:rust>=0", 1, "1 or more"),
        ("title:rust>=", 1, "1 or more"),
        ("url:rust>=2", 1, "only title and body"),
        ("lang:klingon", 6, "klingon"),
        ("url~(", 5, "regular expression"),
        ("anchor~x", 1, "only title, body, url and host"),
        ("title:--", 7, "no letter"),
        ("like:x", 6, "no examples"),
        ("()", 2, "missing"),
    ] {
        let fault = Predicate::parse(text).unwrap_err();
        assert_eq!(fault.at(), at, "{text}: {fault}");
        let said = fault.to_string();
        assert!(said.contains(says) && said.contains('▸') && !said.contains('\n'), "{text}: {said}");
    }
}

#[test]
fn ours_expressions_have_caps() {
    for deep in ["(".repeat(1_000) + "x" + &")".repeat(1_000), "not ".repeat(1_000) + "title:x"] {
        let fault = Predicate::parse(&deep).unwrap_err();
        assert!(fault.to_string().contains("nest at most"), "{fault}");
    }
    let many = vec!["title:x"; MOST_TERMS + 1].join(" or ");
    assert!(Predicate::parse(&many).unwrap_err().to_string().contains("at most"));
    let anchors = vec!["anchor:x"; MOST_ANCHORS + 1].join(" or ");
    assert!(Predicate::parse(&anchors).unwrap_err().to_string().contains("anchors"));
    assert!(Predicate::parse(&"x ".repeat(MOST_BYTES)).is_err());
    assert!(Predicate::parse("url~(a{1000}){1000}").is_err());
    assert!(Predicate::parse(&vec!["title:x"; MOST_TERMS].join(" and ")).is_ok());
}

proptest! {
    #[test]
    fn ours_no_text_makes_it_panic(text in ".{0,60}", url in ".{0,30}", title in ".{0,30}", body in ".{0,60}") {
        if let Ok(topic) = Predicate::parse(&text) {
            topic.holds(&page(&url, &title, &body));
            topic.hints(&url, &title);
        }
    }

    #[test]
    fn ours_no_signs_make_it_panic(text in "[a-z:~\"()>=. ]{0,40}|((not )?(title|body|url|host|lang|x)[:~][a-z/(\")]{0,4}( and | or | )?){0,6}") {
        match Predicate::parse(&text) {
            Ok(topic) => {
                let both = format!("({}) or not ({})", topic.text(), topic.text());
                // What holds or does not, holds; a list of words is no part of an expression.
                if let Ok(both) = Predicate::parse(&both) {
                    prop_assert!(both.holds(&RUST));
                }
            }
            Err(fault) => prop_assert!(fault.at() >= 1 && fault.at() <= text.chars().count() + 1),
        }
    }
}
