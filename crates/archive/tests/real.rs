//! Real archives: what other tools wrote is read whole.
//!
//! The data is not in the repository: it is looked for where `TRODDEN_DATA` points, else at `../shared/data` beside
//! the repository. Without it the tests are skipped. The numbers were checked against those of warcio.

use std::collections::BTreeMap;

use trodden_archive::http::Response;
use trodden_archive::{Address, Caps, Page, RecordKind, TagPaths, WarcReader, pages_in};
use trodden_testing::data;

/// What a file holds: its name, the bytes of all blocks, and how many records of each kind.
type Holds = (&'static str, u64, &'static [(RecordKind, u64)]);

#[test]
fn warc11_files_of_other_tools_give_all_their_records() {
    use RecordKind::{Request, Resource, Response, Revisit, Warcinfo};
    let expected: [Holds; 10] = [
        ("dupes", 8_630, &[(Warcinfo, 1), (Request, 12), (Response, 3), (Revisit, 9)]),
        ("example-url-agnostic-orig", 1_790, &[(Warcinfo, 1), (Response, 1)]),
        ("example-url-agnostic-revisit", 520, &[(Warcinfo, 1), (Revisit, 1)]),
        ("example-wget-1-14", 2_492, &[(Warcinfo, 1), (Request, 1), (Response, 1), (Resource, 3)]),
        ("example-wpull", 5_898, &[(Warcinfo, 1), (Request, 1), (Response, 1), (Resource, 1)]),
        ("example", 3_263, &[(Warcinfo, 1), (Request, 2), (Response, 2), (Revisit, 1)]),
        ("example2", 1_548, &[(Warcinfo, 1), (Request, 1), (Response, 1)]),
        ("httpbin-resource", 367, &[(Resource, 1)]),
        ("iana", 2_176_019, &[(Warcinfo, 1), (Request, 171), (Response, 48), (Revisit, 123)]),
        ("post-test", 2_886, &[(Request, 3), (Response, 3)]),
    ];
    let Some(folder) = data("warc") else { return };
    for (name, bytes, kinds) in expected {
        let mut reader = WarcReader::open(&folder.join(format!("{name}.warc.gz")), Caps::default()).unwrap();
        let mut found: BTreeMap<RecordKind, u64> = BTreeMap::new();
        let mut length = 0;
        for record in reader.by_ref() {
            let record = record.unwrap();
            assert_eq!(record.cut, None, "{name}");
            assert!(record.date.is_some(), "{name}");
            if record.kind == RecordKind::Response {
                let response = self::Response::parse(&record.body, &Caps::default()).unwrap();
                assert_eq!(response.decoded(&Caps::default()).fault, None, "{name}: {}", response.status);
            }
            *found.entry(record.kind).or_default() += 1;
            length += record.body.len() as u64;
        }
        assert_eq!(found, kinds.iter().copied().collect(), "{name}");
        assert_eq!((length, reader.tally().damaged()), (bytes, 0), "{name}");
        eprintln!("{name}: {} records", reader.tally().records);
    }
}

#[test]
fn ours_a_whole_site_gives_its_pages_and_their_layouts() {
    let Some(path) = data("wikispeedia/articles.warc.gz") else { return };
    let mut pages = pages_in(&path, &Caps::default()).unwrap();
    let mut count = 0;
    let mut kept: BTreeMap<&str, Vec<TagPaths>> = BTreeMap::new();
    for Page { address, html, is_cut } in pages.by_ref() {
        let Address::Url(url) = &address else { panic!("an archive gives URLs") };
        assert!(url.starts_with("http://wikispeedia.test/") && !is_cut, "{url}");
        count += 1;
        let template = if url.contains("/wp/index/") || url.contains("subject.") { "index" } else { "article" };
        if count % 10 == 0 || template == "index" {
            kept.entry(template).or_default().push(TagPaths::of(&html));
        }
    }
    assert_eq!(count, 5_464);
    assert_eq!((pages.tally().records.records, pages.tally().records.damaged(), pages.tally().others), (5_464, 0, 0));
    let mean = |a: &[TagPaths], b: &[TagPaths]| {
        let pairs = a.iter().zip(b.iter().skip(1));
        let (sum, n) = pairs.fold((0.0, 0.0), |(sum, n), (x, y)| (sum + x.similarity(y), n + 1.0));
        sum / n
    };
    let (articles, indexes) = (&kept["article"], &kept["index"]);
    let (same, apart) = (mean(articles, articles), mean(articles, indexes));
    eprintln!("{count} pages; articles {same:.3} alike, article and index {apart:.3}");
    assert!(same > apart + 0.2, "articles {same}, article and index {apart}");
}
