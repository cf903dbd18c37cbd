//! Is what is written whole, safe, and the same every time?

use trodden_testing::parsed;

use super::*;
use crate::result::{ImportanceCurves, LeftOut};

fn all_texts(comparison: &Comparison) -> Vec<String> {
    vec![
        conclusion(comparison),
        table(comparison, 100),
        table_csv(comparison),
        curves_csv(comparison),
        to_json(comparison),
        html(comparison),
    ]
}

/// Comparisons at the edges of what may come.
fn strange() -> Vec<Comparison> {
    let mut no_traffic = sample::comparison();
    (no_traffic.traffic, no_traffic.cold_traffic) = (0.0, 0.0);
    for policy in &mut no_traffic.policies {
        (policy.auc, policy.cold_auc, policy.discovered_auc) = (None, None, None);
        (policy.auc_interval, policy.ahead_of_breadth_first) = (None, None);
        (policy.curve, policy.cold_curve, policy.discovered_curve) = (Vec::new(), Vec::new(), Vec::new());
    }
    let mut one_page = sample::comparison();
    (one_page.pages, one_page.links) = (1, 0);
    for policy in &mut one_page.policies {
        for curve in [&mut policy.curve, &mut policy.cold_curve, &mut policy.discovered_curve] {
            *curve = vec![[0.0, 0.0], [1.0, 1.0]];
        }
    }
    let mut one_point = sample::comparison();
    one_point.policies.iter_mut().for_each(|policy| policy.curve = vec![[0.01, 0.9]]);
    let mut no_numbers = sample::comparison();
    for policy in &mut no_numbers.policies {
        (policy.auc, policy.pages_for.four_fifths) = (Some(f64::NAN), Some(f64::INFINITY));
        policy.auc_interval = Some([f64::NAN, f64::NAN]);
        policy.ahead_of_breadth_first = Some([f64::NAN, f64::NAN]);
        policy.curve = vec![[0.0, f64::NAN], [f64::NAN, 1.0], [f64::INFINITY, 1.0]];
        policy.cold_curve = vec![[0.5, 0.5], [0.5, 0.7], [0.5, 0.9]];
    }
    for curves in no_numbers.importance.iter_mut().flat_map(|metric| &mut metric.policies) {
        (curves.threshold_auc, curves.crawl_and_stop) = (f64::NAN, vec![[f64::NAN, 0.0], [1.0, f64::NAN]]);
    }
    no_numbers.cold_traffic = f64::NAN;
    let mut many = sample::comparison();
    many.policies.extend((0..10).map(|i| sample::policy(&format!("extra-{i}"), false, [3.0 + f64::from(i); 4], 0.0)));
    vec![sample::empty(), no_traffic, one_page, one_point, no_numbers, many, sample::comparison()]
}

#[test]
fn ours_every_page_is_well_formed() {
    for comparison in strange() {
        let (elements, text) = parsed(&html(&comparison));
        assert_eq!(elements.iter().filter(|name| *name == "html").count(), 1);
        assert!(text.replace('\u{a0}', " ").contains(&conclusion(&comparison)), "the conclusion is on the page");
    }
}

#[test]
fn ours_nothing_that_is_no_number_is_written_as_one() {
    for text in strange().iter().flat_map(all_texts) {
        // The script asks `isNaN`.
        let text = text.replace("isNaN", "");
        for word in ["NaN", "inf%", ">inf", "\"inf", " inf ", "-inf"] {
            assert!(!text.contains(word), "{word} in {}", &text[text.find(word).unwrap().saturating_sub(200)..][..300]);
        }
    }
}

#[test]
fn ours_the_same_comparison_gives_the_same_bytes() {
    assert_eq!(all_texts(&sample::comparison()), all_texts(&sample::comparison()));
}

#[test]
fn ours_without_traffic_only_importance_is_shown() {
    let comparison = strange().swap_remove(1);
    let page = html(&comparison);
    assert!(page.contains("<h2>Importance by links</h2>"));
    for absent in ["<h2>Traffic fetched</h2>", "<h2>The table</h2>", "class=\"bars\""] {
        assert!(!page.contains(absent), "{absent}");
    }
}

#[test]
fn ours_thirty_policies_can_all_be_found() {
    let comparison = strange().swap_remove(5);
    assert_eq!(comparison.policies.len(), 30);
    let page = html(&comparison);
    for policy in &comparison.policies {
        assert!(page.contains(&format!("</svg>{}</li>", policy.name)), "{} is in the legend", policy.name);
        assert!(page.contains(&format!("<title>{}: area ", policy.name)), "{} says its name", policy.name);
    }
}

#[test]
fn ours_no_name_becomes_part_of_the_page() {
    const EVIL: &str =
        "</title></style></script><script>alert(1)</script><img src=x onerror='a' \"b\"> & \0 \u{1b} ]]> <!--";
    let mut comparison = sample::comparison();
    let (plain, _) = parsed(&html(&comparison));
    comparison.mirror = EVIL.to_owned();
    comparison.policies[3].name = EVIL.to_owned();
    comparison.left_out[0] = LeftOut { name: EVIL.to_owned(), why: EVIL.to_owned(), cause: None };
    comparison.warnings[0] = EVIL.to_owned();
    comparison.importance[0].metric = EVIL.to_owned();
    comparison.importance[0].policies[4].name = EVIL.to_owned();
    comparison.importance[1].policies[4].name = EVIL.to_owned();
    comparison.record.version = EVIL.to_owned();
    comparison.record.inputs = [(EVIL.to_owned(), EVIL.to_owned()), ("b".to_owned(), String::new())].into();
    let settings = comparison.record.settings.clone();
    comparison.record.settings = settings.into_iter().map(|(name, value)| (name + EVIL, value + EVIL)).collect();
    let page = html(&comparison);
    let count = |elements: &[String], name: &str| elements.iter().filter(|element| *element == name).count();
    let (elements, _) = parsed(&page);
    // Another name finds another place on a chart or none; everything else is as it was.
    for name in ["script", "style", "title", "img", "li", "td", "dd", "dt", "h1", "p", "svg"] {
        assert_eq!(count(&elements, name), count(&plain, name), "{name}");
    }
    assert!(!page.contains("<img") && !page.contains("alert(1)</script>"));
    assert!(!page.chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn ours_the_page_asks_nobody_for_anything() {
    let page = html(&sample::comparison());
    let page = page.replace("http://www.w3.org/2000/svg", "").replace("https://encyclopedia.example/", "");
    for loads in ["http:", "https:", "src=", "url(", "@import", "<link"] {
        assert!(!page.contains(loads), "{loads}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn ours_charts_stand_alone() {
    let page = html(&sample::comparison());
    let charts: Vec<&str> =
        page.match_indices("<svg xmlns").map(|(at, _)| &page[at..][..page[at..].find("</svg>").unwrap() + 6]).collect();
    assert_eq!(charts.len(), 3 * 2 + 2 + 3, "three of traffic in two panels, two and three crawl models");
    for chart in charts {
        let (elements, text) = parsed(chart);
        assert!(elements.iter().filter(|name| *name == "use").count() >= 20);
        assert!(text.contains("100 %") && text.contains("of 12,345"), "{text}");
    }
}

#[test]
fn ours_json_has_the_names_that_scripts_rely_on() {
    let mut comparison = sample::comparison();
    comparison.policies.truncate(1);
    comparison.policies[0].curve = vec![[0.0, 0.0], [0.1, f64::NAN]];
    let text = to_json(&comparison);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    for name in
        ["mirror", "pages", "traffic", "cold_traffic", "policies", "left_out", "importance", "warnings", "record"]
    {
        assert!(!json[name].is_null(), "{name}");
    }
    let policy = &json["policies"][0];
    for name in ["name", "auc", "pages_for", "cold_auc", "cold_pages_for", "discovered_auc", "discovered_for", "curve"]
    {
        assert!(!policy[name].is_null(), "{name}");
    }
    for share in ["50", "80", "90"] {
        assert!(policy["pages_for"][share].is_f64(), "{share}");
    }
    assert_eq!(policy["curve"].to_string(), "[[0.0,0.0],[0.1,null]]");
    assert_eq!(json, serde_json::to_value(&comparison).unwrap(), "lines change nothing");
    assert!(text.contains("\n      \"curve\": [[0.0,0.0],[0.1,null]],\n"), "a curve is one line");
    assert!(text.starts_with("{\n  \"mirror\": \"encyclopedia.example\",\n"));
    let empty = to_json(&sample::empty());
    assert!(empty.contains("\"policies\": [],\n") && empty.contains("\"inputs\": {},\n"), "{empty}");
}

#[test]
fn ours_csv_has_a_row_a_policy_and_a_row_a_point() {
    let mut comparison = sample::comparison();
    comparison.policies[0].name = "a,\"b\"".to_owned();
    let table = table_csv(&comparison);
    let columns = table.lines().next().unwrap().split(',').count();
    assert_eq!(table.lines().count(), 1 + comparison.policies.len());
    assert!(table.lines().skip(2).all(|row| row.split(',').count() == columns));
    assert!(table.contains("\n\"a,\"\"b\"\"\",true,12345,0.9"), "{table}");
    let points = |curves: &ImportanceCurves| {
        curves.crawl_and_stop.len() + curves.threshold.len() + curves.buffer.as_ref().map_or(0, Vec::len)
    };
    let expected = comparison
        .policies
        .iter()
        .map(|p| p.curve.len() + p.cold_curve.len() + p.discovered_curve.len())
        .sum::<usize>()
        + comparison.importance.iter().flat_map(|metric| &metric.policies).map(points).sum::<usize>();
    let curves = curves_csv(&comparison);
    assert_eq!(curves.lines().count(), 1 + expected);
    assert!(curves.contains("\nrandom,traffic,0.25,"));
    assert!(curves.contains("\nideal (formula),pagerank/buffer,0.5,0.7\n"));
}

#[test]
fn ours_reports_are_replaced_as_a_whole() {
    let dir = tempfile::tempdir().unwrap();
    let into = dir.path().join("new/folder");
    let first = write_report(&into, &sample::empty()).unwrap();
    let again = write_report(&into, &sample::comparison()).unwrap();
    assert_eq!(first, again);
    assert_eq!(again, ["result.json", "table.csv", "curves.csv", "report.html"].map(|name| into.join(name)));
    assert_eq!(fs::read_to_string(&again[3]).unwrap(), html(&sample::comparison()));
    assert_eq!(fs::read_dir(&into).unwrap().count(), 4, "no temporary file is left");
}

mod conclusions {
    use super::*;

    #[test]
    fn ours_the_sentence_says_what_the_numbers_carry() {
        let mut said = Vec::new();
        let mut say = |of: &str, change: fn(&mut Comparison)| {
            let mut comparison = sample::comparison();
            change(&mut comparison);
            said.push(format!("{of}: {}", conclusion(&comparison)));
        };
        say("ahead", |_| {});
        say("perhaps chance", |c| sample::of(c, "blend").ahead_of_breadth_first = Some([-0.01, 0.04]));
        say("no interval", |c| sample::of(c, "blend").ahead_of_breadth_first = None);
        say("small", |c| c.pages = 212);
        say("larger area, more pages", |c| sample::of(c, "blend").pages_for.four_fifths = Some(0.2));
        say("never 80 %", |c| sample::of(c, "blend").pages_for.four_fifths = None);
        say("breadth-first never 80 %", |c| sample::of(c, "breadth-first").pages_for.four_fifths = None);
        say("breadth-first wins", |c| sample::of(c, "breadth-first").auc = Some(0.999));
        say("equal", |c| sample::of(c, "breadth-first").auc = sample::of(c, "blend").auc);
        say("level", |c| {
            for (name, low) in [("url-visit", -0.001), ("average-visit", 0.0), ("behavior", 0.001)] {
                sample::of(c, name).behind_best = Some([low, 0.02]);
            }
        });
        say("all level", |c| c.policies.iter_mut().for_each(|policy| policy.behind_best = Some([-0.01, 0.01])));
        say("small, breadth-first wins", |c| {
            c.pages = 1;
            sample::of(c, "breadth-first").auc = Some(1.0);
        });
        say("only breadth-first", |c| c.policies.retain(|policy| policy.name == "breadth-first"));
        say("without breadth-first", |c| c.policies.retain(|policy| policy.name != "breadth-first"));
        say("without ideals", |c| c.policies.retain(|policy| !policy.oracle));
        say("only ideals", |c| c.policies.retain(|policy| policy.oracle));
        say("no traffic", |c| {
            c.traffic = 0.0;
            c.policies.iter_mut().for_each(|policy| policy.auc = None);
        });
        say("no traffic, no importance", |c| {
            c.traffic = 0.0;
            c.importance.clear();
            c.policies.iter_mut().for_each(|policy| policy.auc = None);
        });
        say("no policy", |c| c.policies.clear());
        say("no page", |c| c.pages = 0);
        insta::assert_snapshot!("conclusions", said.join("\n"));
    }
}
