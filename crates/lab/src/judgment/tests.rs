//! Crawls that are judged by hand.

use super::*;

fn crawl(name: &str, pages: &[&str]) -> CrawlOrder {
    CrawlOrder { name: name.to_owned(), pages: pages.iter().map(|page| (*page).to_owned()).collect() }
}

fn visit(reader: u32, url: u32) -> TestVisit {
    TestVisit { url, reader, from_search: false, is_repeat: false }
}

const NAMES: [&str; 4] = ["a.example/", "a.example/b", "a.example/c", "a.example/never"];

#[test]
fn ours_a_crawl_is_judged_by_hand() {
    // Four pages; visits: 1 to the home page, 3 to b, none to c and d; 2 elsewhere.
    let order = crawl("c", &["a.example/", "a.example/d", "a.example/b", "a.example/b", "a.example/c"]);
    let visits = [visit(0, 0), visit(0, 1), visit(1, 1), visit(2, 1), visit(2, 3), visit(3, 3)];
    let repeat = TestVisit { is_repeat: true, ..visit(0, 1) };
    let judgment = judged(&[order], &NAMES, &[&visits[..], &[repeat]].concat(), 1);
    assert_eq!((judgment.pages, judgment.traffic, judgment.elsewhere, judgment.readers), (4, 4, 2, 3));
    let (own, ideal) = (&judgment.crawls[0], judgment.ideal.as_ref().unwrap());
    // ¼ after one page and two, all after three and four; the ideal has ¾ after one.
    assert_eq!((own.auc, ideal.auc), (Some((0.25 + 0.25 + 1.0 + 1.0) / 4.0), Some((0.75 + 1.0 + 1.0 + 1.0) / 4.0)));
    assert_eq!((own.pages_for.half, own.pages_for.four_fifths), (Some(0.75), Some(0.75)));
    assert_eq!((ideal.pages_for.half, ideal.pages_for.four_fifths), (Some(0.25), Some(0.5)));
    let [low, high] = own.auc_interval.unwrap();
    assert!(low <= 0.625 && 0.625 <= high);
    assert!(own.behind_ideal.unwrap()[0] >= 0.0, "nobody is ahead of the ideal");
    assert_eq!(own.curve, [[0.0, 0.0], [0.25, 0.25], [0.5, 0.25], [0.75, 1.0], [1.0, 1.0]]);
}

#[test]
fn ours_two_crawls_are_measured_against_the_same_pages() {
    let first = crawl("first", &["a.example/b", "a.example/"]);
    let second = crawl("second", &["a.example/c", "a.example/"]);
    let visits: Vec<TestVisit> = (0..60).map(|reader| visit(reader, u32::from(reader % 4 != 0))).collect();
    let judgment = judged(&[first.clone(), second], &NAMES, &visits, 1);
    assert_eq!(judgment.pages, 3);
    assert_eq!(judgment.crawls[0].share, Some(1.0));
    assert_eq!(judgment.crawls[1].share, Some(0.25), "what it did not fetch it does not have");
    assert!(judgment.ahead.unwrap()[0] > 0.0);
    assert!(conclusion(&judgment).starts_with("first has the better order of the two, by more than chance"));
    let again = CrawlOrder { name: "second".to_owned(), ..first.clone() };
    let level = judged(&[first, again], &NAMES, &visits, 1);
    assert_eq!(level.ahead, Some([0.0; 2]));
    assert!(conclusion(&level).starts_with("The two are level"), "{}", conclusion(&level));
}

#[test]
fn ours_the_words_are_those_of_the_numbers() {
    let order = crawl("c", &["a.example/", "a.example/d", "a.example/b"]);
    let visits: Vec<TestVisit> = (0..40).map(|reader| visit(reader, u32::from(reader % 4 != 0))).collect();
    let judgment = judged(std::slice::from_ref(&order), &NAMES, &visits, 1);
    let said = conclusion(&judgment);
    assert!(said.contains("80 %") && said.contains("With only 3 pages this proves little."), "{said}");
    let table = table(&judgment, 100);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 4, "{table}");
    assert!(lines[1].starts_with("c ") && lines[2].starts_with("ideal ") && lines[3].starts_with("chance "), "{table}");
    let nothing = judged(&[order], &NAMES, &[visit(0, 3)], 1);
    assert!(conclusion(&nothing).contains("nothing to judge by") && nothing.ideal.is_none());
}

#[test]
fn ours_a_host_of_the_crawl_may_stand_for_one_of_the_log() {
    let identities = Identities::new(Aliases::parse(["127.0.0.1:8080=www.a.example"]).unwrap());
    assert_eq!(identities.of("http://127.0.0.1:8080/x?y=1").as_deref(), Some("a.example/x?y=1"));
    assert_eq!(Identities::new(Aliases::none()).of("https://www.a.example/").as_deref(), Some("a.example/"));
    assert_eq!(identities.of("no URL"), None);
}
