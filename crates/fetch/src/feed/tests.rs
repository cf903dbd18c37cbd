//! Promises of feeds: which entries, which times, and what strangers cannot do.

use proptest::prelude::*;

use super::*;

fn read(feed: impl AsRef<[u8]>) -> FeedRead {
    read_feed(feed.as_ref(), &FeedCaps::default())
}

type Shown<'a> = (&'a str, Option<&'a str>, Option<&'a str>);

fn shown(read: &FeedRead) -> Vec<Shown<'_>> {
    read.entries.iter().map(|it| (it.link.as_str(), it.published.as_deref(), it.updated.as_deref())).collect()
}

#[test]
fn rss20_items_lead_by_link_or_permanent_guid() {
    let found = read(
        "<?xml version='1.0'?><rss version='2.0'><channel><title>T</title><link>http://e.org/</link>\
         <item><title>a</title><link> http://e.org/a?x=1&amp;y=2 </link><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate></item>\
         <item><link><![CDATA[http://e.org/b]]></link><description>&lt;a href='x'&gt;</description></item>\
         <item><guid isPermaLink='true'>http://e.org/c</guid><dc:date>2026-03-03</dc:date></item>\
         <item><guid isPermaLink='false'>http://e.org/no</guid></item>\
         <item><atom:link rel='self' href='http://e.org/no'/><link>/d</link></item></channel></rss>",
    );
    assert_eq!((found.kind, found.tally.without_link, found.tally.is_damaged), (FeedKind::Rss, 1, false));
    let expected = [
        ("http://e.org/a?x=1&y=2", Some("Mon, 02 Mar 2026 10:00:00 GMT"), None),
        ("http://e.org/b", None, None),
        ("http://e.org/c", Some("2026-03-03"), None),
        ("/d", None, None),
    ];
    assert_eq!(shown(&found), expected);
}

#[test]
fn rss10_items_are_beside_the_channel() {
    let found = read(
        "<rdf:RDF><channel rdf:about='http://e.org/'><link>http://e.org/</link><items><rdf:Seq/></items></channel>\
         <item rdf:about='http://e.org/1'><link>http://e.org/a</link><dc:date>2026</dc:date></item>\
         <item rdf:about='http://e.org/2'><title>x</title></item></rdf:RDF>",
    );
    assert_eq!(found.kind, FeedKind::Rdf);
    assert_eq!(shown(&found), [("http://e.org/a", Some("2026"), None), ("http://e.org/2", None, None)]);
}

#[test]
fn rfc4287_entries_lead_to_their_alternate_under_their_base() {
    let found = read(
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='/blog/'><link href='/'/><id>urn:x</id>\
         <entry xml:base='2026/'><link rel='self' href='no'/><link rel='alternate' href='a'/><link href='no'/>\
         <published>P</published><updated>U</updated><content type='xhtml'><div><link>no</link></div></content></entry>\
         <entry><id>http://e.org/b</id><updated>V</updated></entry>\
         <entry><id>urn:uuid:1</id></entry><entry><link rel='enclosure' href='no'/></entry></feed>",
    );
    assert_eq!(shown(&found), [("a", Some("P"), Some("U")), ("http://e.org/b", None, Some("V"))]);
    assert_eq!((found.kind, found.tally.without_link, found.tally.is_damaged), (FeedKind::Atom, 2, false));
    let feed = Url::parse("https://e.org/feed.xml").unwrap();
    assert_eq!(found.entries[0].resolved(&feed).unwrap().as_str(), "https://e.org/blog/2026/a");
    assert_eq!(FeedEntry { link: "mailto:x".into(), ..FeedEntry::default() }.resolved(&feed), None);
}

#[test]
fn jsonfeed11_items_lead_by_url() {
    let found = read(
        "\u{feff} {\"title\": \"T\", \"items\": [{\"id\": \"1\", \"url\": \"http://e.org/a\", \"date_published\": \"P\", \
         \"date_modified\": \"M\", \"x\": [[{}]]}, {\"external_url\": \"/b\"}, {}], \
         \"version\": \"https://jsonfeed.org/version/1.1\"}",
    );
    assert_eq!(shown(&found), [("http://e.org/a", Some("P"), Some("M")), ("/b", None, None)]);
    assert_eq!((found.kind, found.tally.without_link), (FeedKind::Json, 1));
    assert_eq!(read("{\"items\": [{\"url\": \"http://e.org/a\"}]}"), FeedRead::default());
    let torn = read("{\"version\": \"https://jsonfeed.org/version/1\", \"items\": [{\"url\": \"a\"}, {\"url\": 5}");
    assert!(torn.tally.is_damaged && torn.entries.len() == 1);
}

#[test]
fn ours_damaged_feeds_give_what_is_there() {
    for (feed, links) in [
        ("<rss><item><link>a</link><item><link>b</link></item>", &["a", "b"][..]),
        (
            "<rss><item><link>a</link><description><br><p>x</description></item><item><link>b</link></item></rss>",
            &["a", "b"],
        ),
        ("<rss><item><link>a</link>", &["a"]),
        ("<rss><item><link>a", &[]),
        ("<rss><item><link>a?b=1&c=2</link></item><", &["a?b=1&c=2"]),
    ] {
        let found = read(feed);
        assert_eq!(found.entries.iter().map(|it| it.link.as_str()).collect::<Vec<_>>(), links, "{feed}");
        assert!(found.tally.is_damaged, "{feed}");
    }
    assert_eq!(read("<html><item><link>a</link></item></html>"), FeedRead::default());
    assert_eq!(read(""), FeedRead::default());
    let latin = b"<?xml version='1.0' encoding='iso-8859-1'?><rss><item><link>/\xe4</link></item></rss>";
    assert_eq!(read(latin).entries[0].link, "/ä");
}

#[test]
fn ours_entities_of_a_feed_are_never_expanded() {
    let mut laughs = "<!DOCTYPE x [<!ENTITY l0 \"ha\">".to_owned();
    for i in 1..30 {
        laughs += &format!("<!ENTITY l{i} \"{}\">", format!("&l{};", i - 1).repeat(10));
    }
    laughs += "]><feed><entry><link href='&l29;'/></entry><entry><id>http://&l29;</id></entry></feed>";
    assert!(read(&laughs).entries.iter().all(|it| it.link.len() < 20));
}

#[test]
fn ours_every_size_of_a_feed_is_bounded() {
    let caps = FeedCaps { bytes: 1_000, entries: 2, link_bytes: 3 };
    let item = |link: &str| format!("<item><link>{link}</link></item>");
    let feed = format!("<rss>{}{}{}{}", item("abcd"), item("ab"), item("äx"), item("c"));
    let found = read_feed(feed.as_bytes(), &caps);
    assert_eq!((found.entries.len(), found.tally.too_long, found.tally.is_cut), (2, 1, true));
    let long = format!("<rss>{}", " ".repeat(2_000) + &item("a"));
    assert_eq!(read_feed(long.as_bytes(), &caps).entries.len(), 0);
    let deep = format!("<rss>{}", "<a xml:base='x'>".repeat(300_000));
    assert!(read(&deep).tally.is_damaged);
    let deep = format!("{{\"version\": \"https://jsonfeed.org/version/1\", \"x\": {}", "[".repeat(300_000));
    assert!(read(&deep).tally.is_damaged);
}

#[test]
fn ours_feeds_are_told_by_type_and_by_their_first_element() {
    for (media_type, start, is_feed) in [
        (Some("application/rss+xml; charset=x"), "", true),
        (Some("text/xml"), "<?xml version='1.0'?><!-- x --><rss>", true),
        (Some("application/xml"), "<urlset>", false),
        (Some("text/plain"), "\n<feed xmlns='x'>", true),
        (Some("text/html"), "<rss>", false),
        (None, "<rdf:RDF>", true),
        (None, "text <rss>", false),
        (Some("application/json"), "{\"version\": \"https://jsonfeed.org/version/1\"", true),
        (Some("application/json"), "{}", false),
    ] {
        assert_eq!(looks_like_feed(media_type, start.as_bytes()), is_feed, "{media_type:?} {start}");
    }
}

proptest! {
    #[test]
    fn ours_any_bytes_can_be_read_as_a_feed(
        text in "(<rss>|<feed>|<item>|</item>|<entry|</entry>|<link>|</link>|<link href='| xml:base='|'|/>|>|<id>|</id>|&|&amp;|<!\\[CDATA\\[|\\PC){0,40}",
        json in "\\{\"version\":\"https://jsonfeed.org/version/1\",(\"items\"|:|\\[|\\{|\"url\"|,|\\}|\\]|null|\"a\"){0,20}",
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        for bytes in [text.as_bytes(), json.as_bytes(), &bytes] {
            let found = read(bytes);
            prop_assert_eq!(found.entries.len() as u64, found.tally.entries);
            let _ = looks_like_feed(None, bytes);
        }
    }
}
