//! Promises of the scan: it finds what html5gum finds, whatever the page, in time that grows with the page and no faster.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, State, Tokenizer};
use proptest::prelude::*;

use super::reading::Value;
use super::tag::{Attribute, Raw, Tag};
use super::*;
use crate::page::{Page, pages_in};

/// A start tag of html5gum that is being read.
struct Open {
    tag: Tag,
    raw: Option<Raw>,
    is_read: bool,
    /// An attribute whose value has not come; an empty one never comes.
    attribute: Option<Attribute>,
}

/// The same reading over the tokens of html5gum.
fn by_html5gum(html: &str, want: Want, caps: &Caps) -> PageContent {
    let mut reading = Reading::new(want, caps);
    let mut open: Option<Open> = None;
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        match event {
            CallbackEvent::OpenStartTag { name } => {
                let (tag, raw) = Tag::named(name);
                open = Some(Open { tag, raw, is_read: reading.reads(tag), attribute: None });
            }
            CallbackEvent::AttributeName { name } => {
                if let Some(open) = open.as_mut().filter(|open| open.is_read) {
                    if let Some(empty) = open.attribute.take() {
                        reading.attribute(empty, Value::Resolved(String::new()));
                    }
                    open.attribute = Attribute::named(name);
                }
            }
            CallbackEvent::AttributeValue { value } => {
                if let Some(attribute) = open.as_mut().and_then(|open| open.attribute.take()) {
                    reading.attribute(attribute, Value::Resolved(text(value)));
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                let open = open.take()?;
                if let Some(empty) = open.attribute {
                    reading.attribute(empty, Value::Resolved(String::new()));
                }
                if reading.start(open.tag, self_closing) {
                    return open.raw.map(|raw| match raw {
                        Raw::Words => State::RcData,
                        Raw::Text => State::RawText,
                        Raw::Script => State::ScriptData,
                        Raw::Rest => State::PlainText,
                    });
                }
            }
            CallbackEvent::EndTag { name } => reading.end(Tag::named(name).0),
            CallbackEvent::String { value } if reading.wants_words() => reading.resolved_words(&text(value)),
            _ => {}
        }
        None
    });
    let mut tokens = Tokenizer::new_with_emitter(html, emitter);
    while let Some(Ok(state)) = tokens.next() {
        tokens.set_state(state);
    }
    drop(tokens);
    reading.finish()
}

/// What differs, if anything does. `PageContent` does not print its links.
fn difference(html: &str, caps: &Caps) -> Option<String> {
    for want in [Want::Hrefs, Want::Links, Want::LinksAndText] {
        let (ours, theirs) = (PageContent::of(html, want, caps), by_html5gum(html, want, caps));
        if ours != theirs {
            let shown = |page: &PageContent| {
                let links: Vec<_> = page
                    .links
                    .iter()
                    .chain(&page.beside)
                    .map(|l| (&l.href, &l.anchor, l.kind, l.is_nofollow))
                    .collect();
                format!(
                    "{:?}",
                    (links, &page.title, &page.text, &page.base, &page.canonical, &page.robots, page.links_left_out)
                )
            };
            return Some(format!("{want:?}\n ours   {}\n theirs {}\n", shown(&ours), shown(&theirs)));
        }
    }
    let links = PageContent::of(html, Want::Links, caps).links;
    let hrefs = PageContent::of(html, Want::Hrefs, caps).links;
    let is_same = links.len() == hrefs.len()
        && links.iter().zip(&hrefs).all(|(a, b)| a.href == b.href && a.kind == b.kind && b.anchor.is_empty());
    (!is_same).then(|| "links differ by what is wanted of them".to_owned())
}

#[test]
fn whatwg_nasty_pages_are_read_as_html5gum_reads_them() {
    for html in [
        "a < b <<a href=1>x</a> </ <a href=2>y</a>> </",
        "<a href=\"x>y\" b='>'>q</a><a b\"c>d\" href=1>",
        "<a/href=1/><a / href=2 /><a href = 3><a href=\n'4'title=x><a =href=5><a href==6><a href=>7",
        "<a href=1<a href=2>x<a\0 href=3>y<a href\0=4>z<a href='5\0'>w",
        "<!--><a href=1>--><!---><a href=2>--><!-- --!><a href=3><!-- <!-- --><a href=4><!-- --!- --><a href=5>",
        "<!-x><a href=1><!><a href=2><?php echo '>' ?><a href=3></ ><a href=4></><a href=5><!doctype html \">\"><a href=6>",
        "<![CDATA[<a href=1>]]><a href=2>",
        "<script><!--<script></script><a href=1>--></script><a href=2>",
        "<script><!--></script><a href=1><script><!-- <scripty></script><a href=2>",
        "<script><!-- <SCRIPT/ </Script\n </script x='>'><a href=1>",
        "<script></scrip></script\x0c><a href=1><style></styl></style/><a href=2><title>a&amp;b</titl></TITLE ><a href=3>",
        "<script><!-- --</script><a href=1><script>a<!--b--->c<script></script><a href=2>",
        "<textarea><a href=1></textarea/x><a href=2><xmp>&amp;</a></xmp><plaintext></plaintext><a href=3>",
        "<svg><title/><a href=1/><a href=2 /><script/><a href=3></svg><svg/><title>x</title></svg><title>y</title>",
        "<template><a href=1><template></template><base href=x></template></template><a href=2>",
        "<a href=1>&lt;&copy &notin; &#x41;&#0;&bogus; &<b>&amp</b>;</a>",
        "<a href=1>\r\nx\r</a\r><a\rhref=2\r\n>y\0z",
        "<iframe src=1><a href=2></iframe><frame src=3><meta http-equiv=Refresh content='0;url=4'><link rel=next href=5>",
        "<meta name=trodden content='noindex , x'><meta name=robots><meta content=none name=robots content=all>",
        "<a href=1>x<area href=2 alt=y>z<img alt='a&nbsp;b'></a><img alt=no><A HREF=3 rel=NOFOLLOW REL=x>",
        "<a href='unclosed><a href=2>x",
        "<title>x",
        "<title>x</title",
        "\u{feff}<é><a é=1 href=é>é</a>",
    ] {
        assert_eq!(difference(html, &Caps::default()), None, "{html:?}");
    }
}

/// Pieces that matter where they meet.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<",
        ">",
        "/",
        "/>",
        "</",
        "!",
        "<!--",
        "-->",
        "--!>",
        "-",
        "--",
        "<![CDATA[",
        "]]>",
        "<?",
        "=",
        "\"",
        "'",
        " ",
        "\n",
        "\r",
        "\t",
        "\x0c",
        "\0",
        "a",
        "A",
        "é",
        "x",
        "<a",
        "<a href=",
        "<A HREF='",
        "<a href=\"",
        "</a>",
        "</A ",
        "<area href=1 alt=",
        "<img alt=",
        "<base href=",
        "<link rel=canonical href=",
        "<link rel=next href=",
        "<link rel=alternate type=application/rss+xml href=",
        "<meta name=robots content=",
        "<meta content=nofollow ",
        "<meta http-equiv=refresh content='0;url=",
        "<iframe src=",
        "<frame src=",
        "<script>",
        "</script>",
        "<script",
        "</script",
        "<style>",
        "</style>",
        "<title>",
        "</title>",
        "<textarea>",
        "</textarea>",
        "<xmp>",
        "</xmp>",
        "<iframe>",
        "</iframe>",
        "<noembed>",
        "</noembed>",
        "<noframes>",
        "</noframes>",
        "<plaintext>",
        "<noscript>",
        "</noscript>",
        "<template>",
        "</template>",
        "<svg>",
        "</svg>",
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<br/>",
        "&amp;",
        "&lt",
        "&copy",
        "&not",
        "&notin;",
        "&#65;",
        "&#x1F600;",
        "&#128;",
        "&#",
        "&",
        ";",
        "rel=nofollow ",
        "href ",
        "<!doctype html>",
        "words of text",
        "  ",
        "𝄞",
        "class=\"a b\" ",
        "id='c' ",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn ours_soup_is_read_as_html5gum_reads_it(html in soup(), small in any::<bool>()) {
        let caps = if small {
            Caps { links: 3, beside: 2, href_bytes: 5, anchor_bytes: 7, text_bytes: 9, ..Caps::default() }
        } else {
            Caps::default()
        };
        let difference = difference(&html, &caps);
        prop_assert!(difference.is_none(), "{:?}\n{}", html, difference.unwrap_or_default());
    }

    #[test]
    fn ours_all_that_is_kept_of_a_page_is_within_the_caps(html in soup()) {
        let caps = Caps { links: 3, beside: 2, href_bytes: 5, anchor_bytes: 7, text_bytes: 9, ..Caps::default() };
        let page = PageContent::of(&html, Want::LinksAndText, &caps);
        prop_assert!(page.links.len() <= 3 && page.beside.len() <= 2 && page.text.len() <= 9 && page.title.len() <= 7);
        let mut all = page.links.iter().chain(&page.beside);
        prop_assert!(all.all(|link| link.href.len() <= 5 && link.anchor.len() <= 7));
        prop_assert!(page.robots.iter().all(|wish| wish.len() <= 7));
    }

    #[test]
    fn ours_twice_the_page_is_at_most_twice_the_work(html in soup()) {
        let once = steps(&html.repeat(50));
        let twice = steps(&html.repeat(100));
        prop_assert!(twice <= 2 * once + 4 * html.len() + 64, "{once} {twice} {html:?}");
    }
}

fn steps(html: &str) -> usize {
    let caps = Caps::default();
    let mut reading = Reading::new(Want::LinksAndText, &caps);
    let mut scan = Scan::new(html, &mut reading);
    scan.run();
    scan.steps()
}

#[test]
fn ours_hostile_pages_cost_a_fixed_number_of_looks_a_byte() {
    for piece in [
        "<a ",
        "<a <a ",
        "<!--",
        "<!-- >",
        "<",
        "</",
        "</a",
        "<a href='",
        "<a href=\"x\"y='",
        "<script><!--",
        "<script><!-- <script ",
        "<title></titl",
        "<div>",
        "<svg><template>",
        "&",
        "&amp",
        "<a href=&copy;>",
        "<![CDATA[",
        "<?",
        "<a href=x>&x;",
        "<script><!-- -- <",
        "--!-",
        "<a =",
        "<a/",
    ] {
        let html = piece.repeat((4 << 20) / piece.len());
        let steps = steps(&html);
        assert!(steps <= 4 * html.len() + 64, "{piece}: {steps} for {}", html.len());
    }
}

fn are_read_the_same(name: &str) {
    let Some(path) = trodden_testing::data(name) else { return };
    let caps = Caps::default();
    let mut count = 0;
    for Page { address, html, .. } in pages_in(&path, &caps).unwrap() {
        assert_eq!(difference(&html, &caps), None, "{}", address.as_str());
        count += 1;
    }
    assert!(count > 10);
}

#[test]
fn ours_pages_of_a_real_site_are_read_as_html5gum_reads_them() {
    are_read_the_same("wikispeedia/articles.warc.gz");
}

#[test]
fn ours_pages_that_other_tools_kept_are_read_as_html5gum_reads_them() {
    are_read_the_same("warc");
}
