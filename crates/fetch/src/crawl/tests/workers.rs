//! What a crawl comes to does not depend on who reads its pages.

use std::collections::BTreeMap;

use trodden_archive::{Caps, RecordKind, WarcReader};

use super::*;

/// Ten pages that link to one another, two of them with one body; one redirects, one must not be archived, one is gone.
fn answer(head: &str) -> String {
    let page = url_of(head).strip_prefix("http://h.test/").unwrap_or_default();
    match page {
        "robots.txt" => "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n".to_owned(),
        "3" => "HTTP/1.1 301 Moved\r\nLocation: /4\r\nContent-Length: 0\r\n\r\n".to_owned(),
        "5" => said("text/html\r\nX-Robots-Tag: noarchive", "<a href=/6>six</a>"),
        "7" => "HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n".to_owned(),
        "8" | "9" => said("text/html", &"<p>the same</p>".repeat(20)),
        _ => {
            let links: String = (0..10).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
            said("text/html", &format!("<title>page {page}</title>{links}"))
        }
    }
}

/// By URL: what came of it.
type Records = BTreeMap<String, (String, u16, u64, Option<u64>, u16)>;
/// By kind and URL: the bytes of each record. Those of metadata say how long it took, and are left out.
type Archived = BTreeMap<(String, String), Vec<Vec<u8>>>;

fn crawled(workers: usize) -> (Records, Archived, Vec<String>) {
    let (folder, asked) = (tempfile::tempdir().unwrap(), Asked::default());
    let mut crawl = crawl_with(folder.path(), &web(&asked, answer), CrawlSettings::default(), 1, workers);
    drain(&mut crawl, "http://h.test/0");
    let mut records = Records::new();
    let read = crawl.session.records();
    read.each(|key, record| {
        let depth = read.source(key)?.depth;
        let facts = (format!("{:?}", record.kind), record.status, record.bytes, record.digest, depth);
        records.insert(read.url(key)?, facts);
        Ok::<_, Error>(())
    })
    .unwrap();
    let mut archived = Archived::new();
    for entry in std::fs::read_dir(folder.path().join("archive")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "gz") {
            for record in WarcReader::open(&path, Caps::default()).unwrap() {
                let record = record.unwrap();
                let target = record.target.clone().unwrap_or_default();
                let is_exchange =
                    matches!(record.kind, RecordKind::Request | RecordKind::Response | RecordKind::Revisit);
                let bytes = if is_exchange { record.body.to_vec() } else { Vec::new() };
                archived.entry((format!("{:?}", record.kind), target)).or_default().push(bytes);
            }
        }
    }
    let order = asked.lock().unwrap().iter().map(|(head, _)| url_of(head).to_owned()).collect();
    (records, archived, order)
}

#[test]
fn ours_records_archive_and_order_are_the_same_with_workers_and_without() {
    let (records, archived, order) = crawled(0);
    assert_eq!(records.len(), 10);
    assert_eq!(archived[&("Revisit".to_owned(), "http://h.test/9".to_owned())].len(), 1);
    let first = &archived[&("Response".to_owned(), "http://h.test/8".to_owned())][0];
    assert!(first.ends_with("<p>the same</p>".repeat(20).as_bytes()));
    assert!(!archived.contains_key(&("Response".to_owned(), "http://h.test/5".to_owned())));
    for workers in [1, 3] {
        let (other_records, other_archived, other_order) = crawled(workers);
        assert_eq!(other_records, records);
        assert_eq!(other_archived, archived);
        assert_eq!(other_order, order);
    }
}
