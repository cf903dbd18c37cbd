//! Does `explain` say what the model knows?

use trodden_mining::model::NamedUrl;
use trodden_mining::{Goal, Order, Strategy};
use trodden_report::screen::Screen;

use super::*;
use crate::sample;

const SCREEN: Screen = Screen { width: 100, told: true, isolates: false };

fn url(text: &str) -> CanonicalUrl<'static> {
    asked(text, &ModelSet::new(Vec::new())).unwrap()
}

fn facts(text: &str) -> Explanation {
    Explanation::of(&sample::by_hand(), &url(text), Goal::Fetch, Order::Expected)
}

fn why(text: &str) -> String {
    let facts = facts(text);
    assert!(facts.pattern.is_none(), "{:?}", facts.pattern);
    facts.uncovered.unwrap().words
}

#[test]
fn ours_a_url_is_explained_from_the_root_to_the_conclusion() {
    assert_eq!(
        words::text(&facts("http://a.com/item/7"), Goal::Fetch, SCREEN),
        "\
https://www.a.com/item/7

all 60 URLs of a.com (1,000 visits)
→ path[0] is item (30 URLs, 60.0 % of visits)

like all URLs there it has depth = 2, slash = no

what varies there
  path[1] is 7; it may be #

so it is in pattern 1: /item/#
  30 URLs, 600 visits (60.0 % of the site's), 250 steps on to other pages
  3rd of 5 for fetch by what a URL can expect, 2nd of 5 for fetch by behavior, 4th of 5 for discovery by behavior

visits come from
    33.3 %         200  outside
    41.7 %         250  /list
    16.7 %         100  /list?page=#
     6.7 %          40  other URLs of the same pattern

visits go on to
    80.0 %         200  /list
    16.0 %          40  other URLs of the same pattern

the URL itself: 20 visits by 19 users, 4 steps on
it can expect 6.00 visits a day: it had 20 visits in 3.0 days, a URL of its pattern 20.0
so: fetch it in the second half: 51.7 % of the site's URLs can expect more visits
"
    );
}

#[test]
fn ours_a_url_without_a_name_can_expect_what_others_without_a_name_had() {
    let line = |facts: &Explanation| {
        let text = words::text(facts, Goal::Fetch, SCREEN);
        text.lines().find(|line| line.starts_with("it can expect")).unwrap().to_owned()
    };
    let mut facts = facts("a.com/item/700");
    // 580 visits of 29 URLs, and what is above in the tree for one more.
    assert_eq!(
        line(&facts),
        "it can expect 6.67 visits a day, as the 29 URLs of its pattern without a name: they had 580 visits in 3.0 days"
    );
    facts.expectation.nameless_urls = 0;
    assert!(
        line(&facts).ends_with("all other URLs of its pattern have a name, so it counts as those above in the tree")
    );
}

#[test]
fn ours_users_are_never_compared_with_visits_and_are_not_called_people() {
    for text in ["a.com/item/7", "a.com/item/700", "a.com/item/x", "a.com/"] {
        for goal in Goal::ALL {
            let facts = Explanation::of(&sample::by_hand(), &url(text), goal, Order::Expected);
            let text = words::text(&facts, goal, SCREEN);
            assert!(!text.contains("people") && !text.contains("person"), "{text}");
            assert!(
                text.lines().filter(|line| line.contains("can expect")).all(|line| !line.contains("user")),
                "{text}"
            );
        }
    }
}

#[test]
fn ours_the_most_visited_page_comes_first_whatever_its_pattern() {
    let mut model = sample::by_hand();
    model.urls.insert(0, NamedUrl { url: "a.com/".to_owned(), pattern: 7, expected: 300.0, ..model.urls[0].clone() });
    let facts = Explanation::of(&model, &url("a.com"), Goal::Fetch, Order::Expected);
    assert_eq!((facts.urls_before, facts.unit), (0, "visits a day"));
    assert_eq!(facts.conclusion, "so: fetch it first: no URLs of the site can expect more visits");
    // By the published ranking of patterns it comes after all items.
    let facts = Explanation::of(&model, &url("a.com"), Goal::Fetch, Order::Pattern(Strategy::Behavior));
    assert_eq!(facts.urls_before, 51);
}

#[test]
fn ours_a_url_in_no_pattern_is_told_why() {
    assert_eq!(why("a.com/item/x"), "its shape[1] is {word}, of a kind never seen there (there: #)");
    assert_eq!(why("a.com/item/7?x=1"), "its ?x was never seen there");
    assert_eq!(why("a.com/item/7/8"), "its depth is 3, where all URLs there have 2");
    assert_eq!(why("a.com/list?page=1&y=2"), "its ?y was never seen there");
    assert_eq!(why("a.com/list?page=x"), "its ?page is x, of a kind never seen there (there: #)");
    assert_eq!(why("b.com/item/7"), "its host b.com was never seen there");
    let text = words::text(&facts("a.com/item/x"), Goal::Fetch, SCREEN);
    assert!(text.contains("\nit is in no pattern: its shape[1]"), "{text}");
    assert!(text.contains("has no name: fewer than 5 users visited it, or none"), "{text}");
    assert!(text.contains("\nso: fetch it late: 100.0 % of the site's URLs can expect more visits"), "{text}");
}

#[test]
fn ours_a_value_that_no_branch_takes_is_told_with_those_that_are_taken() {
    let mut model = sample::by_hand();
    model.nodes.truncate(5);
    let facts = Explanation::of(&model, &url("a.com/other"), Goal::Fetch, Order::Expected);
    let uncovered = facts.uncovered.unwrap();
    assert_eq!((uncovered.why, uncovered.key.as_deref()), ("no-branch", Some("path[0]")));
    assert_eq!(uncovered.words, "its path[0] is other, which was never seen there (there: item, list)");
}

#[test]
fn ours_pages_and_other_values_are_explained() {
    let home = facts("https://www.a.com");
    assert_eq!(home.walk[1].condition, "it is a page with a pattern of its own");
    let other = facts("a.com/about");
    assert_eq!(other.walk[1].condition, "path[0] is about, one of the many others");
    assert_eq!(other.conclusion.split(':').nth(1), Some(" fetch it in the second half"));
    let page = facts("a.com/list?page=3");
    assert_eq!(page.walk.iter().map(|step| step.node).collect::<Vec<_>>(), [0, 2, 4]);
    assert_eq!(page.walk[2].condition, "?page is 3, one of the many others");
}

#[test]
fn ours_another_strategy_is_told_beside_the_two_goals() {
    let by = Order::Pattern(Strategy::OverallVisit);
    let facts = Explanation::of(&sample::by_hand(), &url("a.com/item/7"), Goal::Fetch, by);
    let text = words::text(&facts, Goal::Fetch, SCREEN);
    assert!(
        text.contains("1st of 5 for fetch by overall-visit, 2nd of 5 for fetch by behavior, 4th of 5 for"),
        "{text}"
    );
    assert!(
        facts.conclusion.starts_with("so: fetch it first: no URLs of the site are in patterns before its own"),
        "{text}"
    );
    let by = Order::Pattern(Strategy::Behavior);
    let discovery = Explanation::of(&sample::by_hand(), &url("a.com/list"), Goal::Discovery, by);
    assert!(discovery.conclusion.starts_with("so: look there for new links first"), "{}", discovery.conclusion);
}

#[test]
fn ours_the_json_has_the_same_facts() {
    let json = serde_json::to_value(facts("a.com/item/7")).unwrap();
    assert_eq!(json["pattern"]["pattern"], "/item/#");
    assert_eq!(json["pattern"]["ranks"][0]["rank"], 3);
    assert_eq!((&json["unit"], &json["expectation"]["a_day"]), (&"visits a day".into(), &json["score"]));
    assert_eq!(json["pattern"]["from"][0]["steps"], 250);
    assert_eq!(json["itself"]["users"], 19);
    assert_eq!(json["uncovered"], serde_json::Value::Null);
    assert_eq!(serde_json::to_value(facts("a.com/item/x")).unwrap()["uncovered"]["why"], "class");
}

#[test]
fn ours_a_url_may_be_typed_as_people_type_it() {
    let set = ModelSet::new(sample::by_hand().to_line().unwrap().into_bytes());
    for typed in
        ["https://www.a.com/item/7", "HTTP://A.com/item/7#top", "www.a.com/item/7", "//a.com/item/7", " /item/7 "]
    {
        let url = asked(typed, &set).unwrap();
        assert_eq!(format!("{}{}", HostKey::of(&url), url.path_and_query()), "a.com/item/7", "{typed}");
    }
    assert!(asked("ftp://a.com/", &set).is_err());
    assert!(asked("", &set).is_err());
}

#[test]
fn ours_the_model_is_that_of_the_host_or_of_its_domain() {
    let set = ModelSet::new(sample::by_hand().to_line().unwrap().into_bytes());
    let site = |text: &str| {
        let host = HostKey::of(&url(text));
        model_of(&set, &host, Path::new("site.model")).map(|model| model.site)
    };
    assert_eq!(site("www.a.com").unwrap(), "a.com");
    assert_eq!(site("shop.a.com").unwrap(), "a.com");
    let why = site("b.com").unwrap_err().to_string();
    assert_eq!(why, "b.com has no model in site.model; its site: a.com");
}
