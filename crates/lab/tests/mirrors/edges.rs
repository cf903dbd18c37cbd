//! Edge lists of URLs and of ids.

use trodden_lab::Kind;

use super::{Folder, gzip, links, open, pages, pairs};

#[test]
fn ours_urls_are_pages_in_the_order_of_their_first_appearance() {
    let folder = Folder::new();
    let text = "# a comment\n\nhttp://a.org/\thttp://a.org/c\nhttp://a.org/c http://a.org/b?utm_source=x\r\n\
                https://WWW.a.org/,http://a.org/b\nhttp://a.org/alone\n% done";
    let file = folder.write("links.tsv", text);
    let mirror = open(&[&file]).unwrap();
    assert_eq!(pages(&mirror), ["http://a.org/", "http://a.org/c", "http://a.org/b", "http://a.org/alone"]);
    let expected = [
        ("http://a.org/", "http://a.org/c"),
        ("http://a.org/", "http://a.org/b"),
        ("http://a.org/c", "http://a.org/b"),
    ];
    assert_eq!(links(&mirror), pairs(&expected), "scheme, www. and tracking do not make a page");
    assert_eq!((mirror.notes.kind, mirror.notes.read, mirror.notes.comments), (Kind::UrlEdges, 4, 3));
    assert_eq!((mirror.name.as_str(), mirror.notes.bad, mirror.entry), ("links.tsv", 0, None));
}

#[test]
fn ours_lists_may_be_packed_and_in_several_files() {
    let folder = Folder::new();
    folder.write("1.tsv", gzip(b"http://a.org/\thttp://a.org/1\n"));
    folder.write("2.tsv", "http://a.org/1\thttp://a.org/2\n");
    let mirror = open(&[&folder.path("*.tsv")]).unwrap();
    assert_eq!(links(&mirror), pairs(&[("http://a.org/", "http://a.org/1"), ("http://a.org/1", "http://a.org/2")]));
}

#[test]
fn ours_bad_lines_cost_themselves_and_are_counted() {
    let folder = Folder::new();
    let long = format!("http://a.org/{}", "x".repeat(10 << 20));
    let text = format!(
        "http://a.org/\thttp://a.org/1\nnonsense\nhttp://a.org/\tftp://a.org/2\n{long}\nhttp://a.org/1\thttp://a.org/1\n\
         http://a.org/\thttp://a.org/1\nhttp://[\thttp://a.org/3\nhttp://a.org/1\thttp://a.org/"
    );
    let mirror = open(&[&folder.write("x", text)]).unwrap();
    assert_eq!(links(&mirror), pairs(&[("http://a.org/", "http://a.org/1"), ("http://a.org/1", "http://a.org/")]));
    let notes = &mirror.notes;
    assert_eq!((notes.bad, notes.self_links, notes.duplicate_links, notes.read), (4, 1, 1, 8));
    let first = notes.first_bad.clone().unwrap();
    assert_eq!((first.file.as_str(), first.line), ("x", 2));
}

#[test]
fn ours_ids_without_urls_are_their_own_names() {
    let folder = Folder::new();
    let mirror = open(&[&folder.write("e.tsv", "# from to\n0\t2\n2 1\n0,1\n3\n1\t2\t0.5\nx\t1\n")]).unwrap();
    assert_eq!(links(&mirror), pairs(&[("0", "2"), ("0", "1"), ("1", "2"), ("2", "1")]));
    assert_eq!((mirror.pages(), mirror.notes.bad, mirror.urls.has_urls()), (4, 1, false));
    assert_eq!((mirror.find("2").unwrap(), mirror.urls.get(2)), (2, ""));
    assert!(mirror.find("4").is_err());
}

#[test]
fn ours_holes_between_ids_are_no_pages() {
    let folder = Folder::new();
    let mirror = open(&[&folder.write("e.tsv", "4294967294\t7\n7\t900\n")]).unwrap();
    assert_eq!(pages(&mirror), ["7", "900", "4294967294"]);
    assert_eq!(links(&mirror), pairs(&[("7", "900"), ("4294967294", "7")]));
    assert_eq!(mirror.find("900").unwrap(), 1);
    let dense = open(&[&folder.write("d.tsv", "3\t1\n")]).unwrap();
    assert_eq!(pages(&dense), ["1", "3"]);
    let error = open(&[&folder.write("big.tsv", "0\t1\n0\t4294967295\n")]).unwrap_err().to_string();
    assert!(error.contains("line 2 of big.tsv") && error.contains("renumber"), "{error}");
    let error = open(&[&folder.write("huge.tsv", "0\t99999999999999999999999\n")]).unwrap_err().to_string();
    assert!(error.contains("99999999999999999999999"), "{error}");
}

#[test]
fn ours_a_url_list_beside_the_edges_is_found() {
    let folder = Folder::new();
    let edges = folder.write("x.edges.tsv.gz", gzip(b"0\t1\n1\t2\n2\t9\n"));
    assert!(!open(&[&edges]).unwrap().urls.has_urls());
    let list =
        folder.write("x.urls.tsv", "2\thttp://a.org/2\n0\thttp://a.org/0\n1\thttp://a.org/1\n0\thttp://a.org/no\n");
    let mirror = open(&[&edges]).unwrap();
    assert_eq!(links(&mirror), pairs(&[("http://a.org/0", "http://a.org/1"), ("http://a.org/1", "http://a.org/2")]));
    assert_eq!((mirror.notes.dangling_links, mirror.notes.repeated_pages), (1, 1));
    assert_eq!(mirror.files.len(), 2);
    let named = open(&[&list, &edges]).unwrap();
    assert_eq!(links(&named), links(&mirror), "or it is named, in any order");
    let alone = open(&[&list]).unwrap_err().to_string();
    assert!(alone.contains("without the links"), "{alone}");
}

#[test]
fn ours_a_url_list_may_have_a_url_a_line_holes_and_the_same_url_twice() {
    let folder = Folder::new();
    let edges = folder.write("edges.tsv", "0\t3\n3\t1\n2\t3\n");
    folder.write("urls.tsv", "http://a.org/0\nhttp://a.org/1\nno url\nhttps://www.a.org/0\n");
    let mirror = open(&[&edges]).unwrap();
    assert_eq!(pages(&mirror), ["http://a.org/0", "http://a.org/1", "https://www.a.org/0"]);
    let expected = [("http://a.org/0", "https://www.a.org/0"), ("https://www.a.org/0", "http://a.org/1")];
    assert_eq!(links(&mirror), pairs(&expected));
    let notes = &mirror.notes;
    assert_eq!((notes.pages_with_shared_url, notes.dangling_links, notes.bad), (1, 1, 1));
    assert_eq!(mirror.page_of_visit("a.org/0"), Some(0), "the first counts");
}
