//! Promises of the walk: which pages are found, and under which address.

use super::*;

fn response(url: &str, head: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 {head}\r\n\r\n{body}");
    let length = block.len();
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

fn found(pages: &mut Pages) -> Vec<(String, String)> {
    pages.map(|page| (page.address.as_str().to_owned(), page.html)).collect()
}

#[test]
fn ours_a_folder_gives_its_pages_by_name_with_hosts_as_urls() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    write("b/c.htm", b"<p>1");
    write("a.HTML", b"<p>2");
    write("www.example.org/a b/c?d.html", b"<p>3");
    write("localhost/x.html", b"<p>4");
    write("v1.2/x.html", b"<p>5");
    write("notes.txt", b"no page");
    write(".hidden/x.html", b"no page");
    write("kept.warc", response("http://e.org/", "200 OK\r\nContent-Type: text/html", "<p>6").as_bytes());
    let mut pages = pages_in(dir.path(), &Caps::default()).unwrap();
    let expected = [
        ("a.HTML", "<p>2"),
        ("b/c.htm", "<p>1"),
        ("http://e.org/", "<p>6"),
        ("localhost/x.html", "<p>4"),
        ("v1.2/x.html", "<p>5"),
        ("http://www.example.org/a%20b/c%3Fd.html", "<p>3"),
    ];
    assert_eq!(found(&mut pages), expected.map(|(a, h)| (a.to_owned(), h.to_owned())));
    let tally = pages.tally();
    assert_eq!((tally.pages, tally.files_passed_over, tally.records.records), (6, 1, 1));
}

#[test]
fn ours_an_archive_gives_answers_that_are_html_and_whole() {
    let html = "200 OK\r\nContent-Type: text/html";
    let chunked = format!("{html}\r\nTransfer-Encoding: chunked");
    let torn = format!("{html}\r\nContent-Encoding: rot13");
    let resource = "WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: <http://e.org/r>\nContent-Type: text/html\nContent-Length: 4\n\n<p>r\n\n";
    let archive = [
        response("http://e.org/1", html, "<p>1"),
        response("http://e.org/2", &chunked, "4\r\n<p>2\r\n0\r\n\r\n"),
        response("http://e.org/image", "200 OK\r\nContent-Type: image/png", "x"),
        response("http://e.org/gone", "404 Not Found\r\nContent-Type: text/html", "<p>gone"),
        response("http://e.org/untyped", "200 OK\r\nServer: x", " <!DOCTYPE HTML><p>u"),
        response("http://e.org/torn", &torn, "x"),
        resource.to_owned(),
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: dns:e.org\r\nContent-Length: 3\r\n\r\n1 2\r\n\r\n"
            .to_owned(),
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.org/\r\nContent-Length: 3\r\n\r\n1 2\r\n\r\n"
            .to_owned(),
    ];
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("any-name");
    std::fs::write(&path, archive.concat()).unwrap();
    let mut pages = pages_in(&path, &Caps::default()).unwrap();
    let addresses: Vec<String> = found(&mut pages).into_iter().map(|(address, _)| address).collect();
    assert_eq!(addresses, ["http://e.org/1", "http://e.org/2", "http://e.org/untyped", "http://e.org/r"]);
    let tally = pages.tally();
    assert_eq!((tally.pages, tally.others, tally.bad, tally.records.records), (4, 3, 2, 9));
}

#[test]
fn ours_one_page_is_a_folder_of_its_own_and_nothing_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.html");
    std::fs::write(&path, "<p>long").unwrap();
    let mut pages = pages_in(&path, &Caps { body_bytes: 3, ..Caps::default() }).unwrap();
    let page = pages.next().unwrap();
    assert_eq!((page.address, page.html.as_str(), page.is_cut), (Address::Path("a.html".into()), "<p>", true));
    assert!(pages.next().is_none());
    assert!(matches!(pages_in(&dir.path().join("none"), &Caps::default()), Err(Error::NoSuchPath { .. })));
}

#[test]
fn ours_addresses_do_not_print_themselves() {
    assert_eq!(format!("{:?}", Address::Url("http://a:b@c/".into())), "Url(…)");
}
