//! Promises of the reading: which links, which words, which addresses.

use proptest::prelude::*;

use super::*;

fn read(html: &str) -> PageContent {
    PageContent::of(html, Want::LinksAndText, &Caps::default())
}

fn links(html: &str) -> Vec<(String, String)> {
    read(html).links.into_iter().map(|link| (link.href, link.anchor)).collect()
}

fn same(html: &str, expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(href, anchor)| ((*href).to_owned(), (*anchor).to_owned())).collect();
    assert_eq!(links(html), expected, "{html}");
}

fn resolved(html: &str, page: &str) -> Vec<String> {
    read(html).resolved(&Url::parse(page).unwrap()).map(|(url, _)| url.to_string()).collect()
}

#[test]
fn ours_links_come_in_order_with_their_words() {
    same(
        "<a href=/a>one\n <b>tw</b>o</a><a name=x>no</a> <A HREF='b?x=1&amp;y=2'>&eacute;</A><area href=c alt=' a  map '>",
        &[("/a", "one two"), ("b?x=1&y=2", "é"), ("c", "a map")],
    );
    same("<a href=1>x<img src=i alt='a  cat'>y</a>", &[("1", "x a cat y")]);
    same("<a href=1>x<p>y</p>z<br>w", &[("1", "x y z w")]);
    same("<a href=1>x<a href=2>y</a>z", &[("1", "x"), ("2", "y")]);
    same("<a href=''>self</a>", &[("", "self")]);
}

#[test]
fn whatwg_addresses_lose_line_ends_and_the_first_attribute_counts() {
    same("<a href=' \n/a\tb\r\nc  ' href=/no>x</a>", &[("/abc", "x")]);
    same("<a href href=/no>x</a>", &[("", "x")]);
    same("</a href=/no><a title=y href=/a>x</a>", &[("/a", "x")]);
}

#[test]
fn ours_what_is_not_shown_is_no_link_and_no_text() {
    let page = read(
        "<title>T &amp; <b>t</title><style>a{}</style><p>one</p>two<script>'<a href=s>'</script><!-- <a href=c> -->\
         <template>no<a href=t>no</a></template><iframe><a href=f></iframe><textarea><a href=x></textarea><title>U</title>",
    );
    assert_eq!((page.title.as_str(), page.text.as_str()), ("T & <b>t", "one two <a href=x>"));
    assert!(page.links.is_empty());
    same("<svg><title>x</title><script/><a href=1>y</a></svg><a href=2>z</a>", &[("1", "y"), ("2", "z")]);
}

#[test]
fn ours_links_without_scripts_count() {
    same("<noscript><a href=1>x</a></noscript><a href=2>y</a>", &[("1", "x"), ("2", "y")]);
}

#[test]
fn ours_wishes_of_the_page_are_told() {
    let page = read("<a rel='x NoFollow' href=1>x</a><a href=2 rel=next>y</a>");
    assert_eq!(page.links.iter().map(|link| link.is_nofollow).collect::<Vec<_>>(), [true, false]);
    assert!(!page.is_nofollow);
    assert!(read("<meta name=Robots content='noindex,NOFOLLOW'>").is_nofollow);
    assert!(read("<meta content=none name=robots>").is_nofollow);
    assert!(!read("<meta name=description content=nofollow>").is_nofollow);
}

#[test]
fn ours_wishes_are_kept_as_written() {
    let page = read(
        "<meta name=robots content='noindex,  max-snippet:5'><meta name=Trodden content=nofollow><meta name=robots>\
         <meta name=googlebot content=none><template><meta name=robots content=no></template>",
    );
    assert_eq!(page.robots, ["noindex, max-snippet:5", "nofollow", ""]);
    assert!(page.is_nofollow);
    assert_eq!(read(&"<meta name=robots content=x>".repeat(99)).robots.len(), 16);
}

#[test]
fn ours_what_leads_on_beside_the_links_is_told_by_kind() {
    let page = read(
        "<link rel=canonical href=/c><link rel='next' href=' /2 '><link rel=prev href=/0><link rel=icon href=/i>\
         <link rel=alternate hreflang=de href=/de><link rel=alternate type=application/rss+xml href=/rss>\
         <link rel='amphtml nofollow' href=/amp><meta http-equiv=refresh content='3;URL=\"/r?a&amp;b\"'>\
         <iframe src=/f><a href=/no></iframe><frame src='x:y'><frame><a href=/a>a</a><area href=/b>\
         <template><iframe src=/no></iframe></template><link rel=canonical href=/no>",
    );
    let kinds: Vec<_> = page.beside.iter().map(|link| (link.href.as_str(), link.kind)).collect();
    let expected = [
        ("/2", LinkKind::Next),
        ("/0", LinkKind::Previous),
        ("/de", LinkKind::Alternate),
        ("/rss", LinkKind::Feed),
        ("/amp", LinkKind::Amp),
        ("/r?a&b", LinkKind::Refresh),
        ("/f", LinkKind::Frame),
        ("x:y", LinkKind::Frame),
    ];
    assert_eq!(kinds, expected);
    assert!(page.beside[4].is_nofollow && !page.beside[0].is_nofollow);
    assert_eq!(page.links.iter().map(|link| link.kind).collect::<Vec<_>>(), [LinkKind::Anchor, LinkKind::Area]);
    assert_eq!(page.canonical.as_deref(), Some("/c"));
    let resolved: Vec<_> = page.resolved_beside(&Url::parse("http://e.org/d/").unwrap()).map(|(url, _)| url).collect();
    assert_eq!((resolved.len(), resolved[6].as_str()), (7, "http://e.org/f"));
}

#[test]
fn ours_hrefs_come_without_words() {
    let page =
        PageContent::of("<title>T</title><a href=1>x<img alt=y></a><area href=2 alt=z>", Want::Hrefs, &Caps::default());
    assert_eq!((page.title.as_str(), page.links.len(), page.text.as_str()), ("T", 2, ""));
    assert!(page.links.iter().all(|link| link.anchor.is_empty()));
}

#[test]
fn whatwg_links_are_relative_to_the_first_base() {
    let html =
        "<base target=x><base href='/d/'><base href=/e/><a href=x#y><a href=//h/><a href=mailto:a><a href='http://['>";
    assert_eq!(resolved(html, "https://a.org/b/c"), ["https://a.org/d/x", "https://h/"]);
    assert_eq!(
        resolved("<base href='data:x'><a href=../x><a href=#y>", "http://a.org/b/c?q"),
        ["http://a.org/x", "http://a.org/b/c?q"]
    );
    let page = read("<link rel='shortcut icon' href=i><link rel=Canonical href=x><link rel=canonical href=y>");
    let own = page.canonical_url(&Url::parse("http://a.org/b/c").unwrap());
    assert_eq!(own.unwrap().as_str(), "http://a.org/b/x");
}

#[test]
fn ours_every_size_is_bounded() {
    let caps = Caps { links: 2, href_bytes: 4, anchor_bytes: 5, text_bytes: 7, ..Caps::default() };
    let html = "<title>123456</title><a href=1>éé é</a><a href=12345>long</a><a href=2>x</a><a href=3>y</a>";
    let page = PageContent::of(html, Want::LinksAndText, &caps);
    assert_eq!(page.links.iter().map(|l| l.anchor.as_str()).collect::<Vec<_>>(), ["éé", "x"]);
    assert_eq!((page.links_left_out, page.title.as_str(), page.text.as_str()), (2, "12345", "éé é"));
    assert_eq!(PageContent::of(html, Want::Links, &caps).text, "");
}

#[test]
fn ours_links_do_not_print_where_they_lead() {
    let shown = format!("{:?}", read("<a href='http://a:secret@b/'>x</a>").links);
    assert!(!shown.contains("secret"), "{shown}");
}

proptest! {
    #[test]
    fn ours_any_text_can_be_read(text in "(<|</|>|/>|a|href=|base|[a-z]{1,3}|!--|-->|\"|'|=|&|<noscript>|<svg>|<title>|<template>|\\PC| ){0,120}") {
        let page = PageContent::of(&text, Want::LinksAndText, &Caps::default());
        prop_assert!(!page.text.contains("  "));
        let _ = page.resolved(&Url::parse("http://a.org/").unwrap()).count();
    }

    #[test]
    fn ours_words_do_not_depend_on_where_text_is_cut_by_inline_tags(words in prop::collection::vec("[a-z]{1,4}", 1..8)) {
        let plain = read(&words.join(" ")).text;
        let marked = read(&words.iter().map(|w| format!("<b>{}</b>{}", &w[..1], &w[1..])).collect::<Vec<_>>().join(" \n")).text;
        prop_assert_eq!(plain, marked);
    }
}
