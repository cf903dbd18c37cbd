//! Archives and folders of HTML.

use trodden_lab::mirror::Texts;
use trodden_lab::{Kind, MirrorOptions, open_mirror};

use super::{Folder, gzip, links, open, pages, pairs};

fn record(url: &str, head: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 {head}\r\n\r\n{body}");
    let length = block.len();
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

fn html(url: &str, body: &str) -> String {
    record(url, "200 OK\r\nContent-Type: text/html", body)
}

#[test]
fn ours_an_archive_gives_pages_links_and_anchors() {
    let archive = [
        html(
            "http://a.org/",
            "<title>Home</title><a href=b><img src=i></a><a href=b>to b</a><a href=/moved>on</a>\
              <a href='http://else.org/'>away</a><a href=/>self</a><a rel=nofollow href=c>no</a>",
        ),
        record("http://a.org/moved", "301 Moved\r\nLocation: /again", ""),
        record("http://a.org/again", "302 Found\r\nLocation: https://www.a.org/c", ""),
        record("http://a.org/loop", "302 Found\r\nLocation: /loop", ""),
        record("http://a.org/image", "200 OK\r\nContent-Type: image/png", "x"),
        html("http://www.a.org/b", "<p>words <a href='/loop'>round</a> <a href='/image'>i</a>"),
        html("http://a.org/c", "<base href='http://a.org/x/'><a href='../b'>back</a>"),
        html("https://a.org/b", "<a href=c>another copy</a>"),
    ];
    let folder = Folder::new();
    let file = folder.write("x.warc.gz", gzip(archive.concat().as_bytes()));
    let mirror = open(&[&file]).unwrap();
    assert_eq!(pages(&mirror), ["http://a.org/", "http://www.a.org/b", "http://a.org/c"]);
    let expected = [
        ("http://a.org/", "http://www.a.org/b"),
        ("http://a.org/", "http://a.org/c"),
        ("http://a.org/c", "http://www.a.org/b"),
    ];
    assert_eq!(links(&mirror), pairs(&expected));
    let anchors = mirror.anchors.as_ref().unwrap();
    assert_eq!(anchors.ids().len(), mirror.graph.forward().targets().len());
    assert_eq!(anchors.of_page(&mirror.graph, 0).collect::<Vec<_>>(), ["to b", "on"]);
    assert_eq!(anchors.of_page(&mirror.graph, 2).collect::<Vec<_>>(), ["back"]);
    let notes = &mirror.notes;
    assert_eq!((notes.kind, notes.self_links, notes.duplicate_links), (Kind::Warc, 1, 1));
    assert_eq!((notes.leaving_links, notes.redirected_links, notes.nofollow_links), (3, 1, 1));
    assert_eq!((notes.repeated_pages, mirror.texts.is_none()), (1, true));
    let options = MirrorOptions { texts: Texts::Kept, ..MirrorOptions::default() };
    let texts = open_mirror(&[file], None, &options).unwrap().texts.unwrap();
    assert_eq!((&*texts[0].title, &*texts[1].body), ("Home", "words round i"));
}

#[test]
fn ours_a_folder_is_a_site_and_its_index_pages_are_its_folders() {
    let folder = Folder::new();
    folder.write(
        "My Site/index.html",
        "<a href=a/>1</a><a href='b c.html'>2</a><a href='a/index.html'>3</a><a href=x.png>",
    );
    folder.write("My Site/a/index.htm", "<a href='../index.html'>up</a><a href='/b%20c.html'>2</a>");
    folder.write("My Site/b c.html", "<a href=a>no slash</a><a href=./>home</a>");
    let mirror = open(&[&folder.path("My Site")]).unwrap();
    let [home, a, b] = ["http://my-site.mirror/", "http://my-site.mirror/a/", "http://my-site.mirror/b%20c.html"];
    assert_eq!(pages(&mirror), [a, b, home]);
    assert_eq!(links(&mirror), pairs(&[(a, home), (a, b), (b, a), (b, home), (home, a), (home, b)]));
    assert_eq!((mirror.notes.kind, mirror.notes.leaving_links), (Kind::Folder, 1));
    for wanted in [home, "http://my-site.mirror/index.html", "my-site.mirror"] {
        assert_eq!(mirror.find(wanted).unwrap(), 2, "{wanted}");
    }
    assert_eq!(mirror.page_of_visit("my-site.mirror/a/index.html"), Some(0));
}

#[test]
fn ours_a_copied_site_keeps_its_hosts() {
    let folder = Folder::new();
    folder.write("copy/example.org/index.html", "<a href='http://www.example.org/x.html'>x</a>");
    folder.write("copy/example.org/x.html", "");
    let mirror = open(&[&folder.path("copy")]).unwrap();
    assert_eq!(links(&mirror), pairs(&[("http://example.org/", "http://example.org/x.html")]));
    assert!(folder.root().exists());
}
