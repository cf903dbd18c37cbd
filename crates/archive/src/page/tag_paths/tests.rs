//! Promises of the profile: what counts as a path, and what the likeness of two pages is.

use proptest::prelude::*;

use super::nesting::Nesting;
use super::*;

/// The profile of paths that are written out, such as `html/body/p`.
fn profile(paths: &[(&str, u32)]) -> TagPaths {
    let mut counts = Vec::new();
    for (path, n) in paths {
        let mut nesting = Nesting::default();
        let mut last = 0;
        for name in path.split('/') {
            nesting.start(name.as_bytes(), false, &mut |hash| last = hash);
        }
        counts.push((last, *n));
    }
    TagPaths::from_counts(counts)
}

fn same(html: &str, paths: &[(&str, u32)]) {
    assert!(TagPaths::of(html) == profile(paths), "{html}\n{:?}\n{:?}", TagPaths::of(html), profile(paths));
}

#[test]
fn ours_every_element_counts_for_its_path_from_the_root() {
    same(
        "<!doctype html><html><head><title>x</title></head><body class=a><ul><li><a href=/>1</a></li><li>2</li></ul>",
        &[
            ("html", 1),
            ("html/head", 1),
            ("html/head/title", 1),
            ("html/body", 1),
            ("html/body/ul", 1),
            ("html/body/ul/li", 2),
            ("html/body/ul/li/a", 1),
        ],
    );
}

#[test]
fn whatwg_html_head_and_body_need_not_be_written() {
    let written = TagPaths::of("<html><head><title>x</title></head><body><p>y</p></body></html>");
    for html in ["<title>x</title><p>y", "<head><title>x</title><p>y", "<html><title>x</title><body><p>y</body></html>"]
    {
        assert_eq!(TagPaths::of(html), written, "{html}");
    }
    let late = TagPaths::of("<html><head><title>x</title></head><body></body></html><p>y");
    assert_eq!(late, written, "what follows the end goes into the body");
    assert_eq!(TagPaths::of("<head></head><title>x</title><p>y"), written, "what follows the head goes into it");
}

#[test]
fn whatwg_end_tags_may_be_left_out() {
    let pairs = [
        ("<ul><li>1<li>2<ul><li>3</ul><li>4</ul>", "<ul><li>1</li><li>2<ul><li>3</li></ul></li><li>4</li></ul>"),
        ("<p>1<p>2<div>3</div>", "<p>1</p><p>2</p><div>3</div>"),
        ("<p><b>1<p>2", "<p><b>1</b></p><p>2</p>"),
        ("<dl><dt>1<dd>2<dt>3</dl>", "<dl><dt>1</dt><dd>2</dd><dt>3</dt></dl>"),
        (
            "<table><tr><td>1<td>2<tr><th>3<tbody><tr><td>4</table><i>5</i>",
            "<table><tr><td>1</td><td>2</td></tr><tr><th>3</th></tr><tbody><tr><td>4</td></tr></tbody></table><i>5</i>",
        ),
        (
            "<select><option>1<option>2<optgroup><option>3</select>",
            "<select><option>1</option><option>2</option><optgroup><option>3</option></optgroup></select>",
        ),
        ("<h1>1<h2>2</h2>", "<h1>1</h1><h2>2</h2>"),
        ("<div><a>1<a>2</div>", "<div><a>1</a><a>2</a></div>"),
        ("<br><img><br>x<hr><i></i>", "<br/><img/><br/>x<hr/><i></i>"),
        (
            "<svg><path/><path/><g><path/></g></svg><i></i>",
            "<svg><path></path><path></path><g><path></path></g></svg><i></i>",
        ),
    ];
    for (short, long) in pairs {
        assert_eq!(TagPaths::of(short), TagPaths::of(long), "{short}");
    }
}

#[test]
fn ours_stray_end_tags_do_not_reach_out() {
    same(
        "<div><span></i></b></p></div><p>",
        &[("html", 1), ("html/body", 1), ("html/body/div", 1), ("html/body/div/span", 1), ("html/body/p", 1)],
    );
    let inside = TagPaths::of("<div><table><tr><td></div><i></i></table></div>");
    assert_eq!(inside, TagPaths::of("<div><table><tr><td><i></i></table></div>"));
    let bold = TagPaths::of("<b><div></b><i></i></div></b>");
    assert_eq!(bold, TagPaths::of("<b><div><i></i></div></b>"));
}

#[test]
fn whatwg_scripts_styles_and_comments_hold_no_tags() {
    let html = "<script>'<p>'</script><style><p></style><body><!-- <p> --><textarea><p></textarea>";
    same(
        html,
        &[
            ("html", 1),
            ("html/head", 1),
            ("html/head/script", 1),
            ("html/head/style", 1),
            ("html/body", 1),
            ("html/body/textarea", 1),
        ],
    );
}

#[test]
fn ours_likeness_is_the_cosine_of_logarithmic_counts() {
    let page = TagPaths::of("<p>1<p>2");
    assert!((page.similarity(&page) - 1.0).abs() < f64::EPSILON);
    let empty = TagPaths::of("words only");
    assert!(empty.is_empty());
    assert!((empty.similarity(&TagPaths::of("")) - 1.0).abs() < f64::EPSILON);
    assert!(empty.similarity(&page).abs() < f64::EPSILON && page.similarity(&empty).abs() < f64::EPSILON);
    let apart = TagPaths::from_counts(vec![(1, 3)]).similarity(&TagPaths::from_counts(vec![(2, 3)]));
    assert!(apart.abs() < f64::EPSILON);
    // Weights (1, 1 + ln 2) and (1, 0).
    let one = TagPaths::from_counts(vec![(1, 1), (2, 2)]);
    let two = TagPaths::from_counts(vec![(1, 1)]);
    let expected = 1.0 / (1.0 + (1.0 + 2_f64.ln()).powi(2)).sqrt();
    assert!((one.similarity(&two) - expected).abs() < 1e-12);
}

#[test]
fn ours_one_template_is_closer_than_two() {
    let shop = |n: usize| format!("<div><h1>x</h1><ul>{}</ul></div>", "<li><a><img></a><b>1</b></li>".repeat(n));
    let blog = |n: usize| format!("<main><article><h1>x</h1>{}</article></main>", "<p>y <em>z</em></p>".repeat(n));
    let near = TagPaths::of(&shop(3)).similarity(&TagPaths::of(&shop(40)));
    let far = TagPaths::of(&shop(3)).similarity(&TagPaths::of(&blog(3)));
    assert!(near > 0.9 && far < 0.4, "{near} {far}");
}

#[test]
fn ours_depth_and_paths_are_bounded() {
    let deep = TagPaths::of(&"<div>".repeat(100_000));
    assert_eq!((deep.len(), deep.elements()), (MAX_DEPTH, 100_002));
    let hostile = "<div>".repeat(50_000) + &"</p>".repeat(50_000) + "<li>".repeat(50_000).as_str();
    assert!(TagPaths::of(&hostile).len() <= MAX_DEPTH);
    let many: String = (0..10_000).map(|i| format!("<x-{i}></x-{i}>")).collect();
    let many = TagPaths::of(&many);
    assert_eq!((many.len(), many.elements()), (MAX_PATHS + 1, 10_002));
}

#[test]
fn ours_what_is_closed_below_the_bound_comes_back_to_it() {
    let html = "<div>".repeat(200) + &"</div>".repeat(200) + "<p>";
    assert_eq!(TagPaths::of(&html).iter().filter(|(_, n)| *n == 1).count(), MAX_DEPTH - 1 + 1);
}

proptest! {
    #[test]
    fn ours_likeness_is_symmetric_and_between_0_and_1(a in page(), b in page()) {
        let (a, b) = (TagPaths::of(&a), TagPaths::of(&b));
        let likeness = a.similarity(&b);
        prop_assert!((0.0..=1.0).contains(&likeness));
        prop_assert!((likeness - b.similarity(&a)).abs() < 1e-12);
        prop_assert_eq!(a.similarity(&a), 1.0);
    }

    #[test]
    fn ours_any_text_has_a_profile(text in "(<|</|>|/>|[a-z]{1,3}|!--|-->|\"|'|=|&|<script>|<svg>|\\PC){0,200}") {
        let paths = TagPaths::of(&text);
        prop_assert!(paths.elements() <= 3 * text.len() as u64 + 3);
    }
}

fn page() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec![
        "div", "p", "ul", "li", "table", "tr", "td", "a", "b", "br", "h1", "select", "option",
    ]);
    let tags = prop::collection::vec((tag, any::<bool>()), 0..60);
    tags.prop_map(|tags| tags.iter().map(|(t, end)| if *end { format!("</{t}>") } else { format!("<{t}>") }).collect())
}
