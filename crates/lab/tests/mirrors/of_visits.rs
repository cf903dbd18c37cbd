//! Mirrors made of visits.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder, TimestampMillisecondBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use proptest::prelude::*;
use trodden_lab::mirror::visits::ENTRY_URL;
use trodden_lab::{Kind, Mirror, MirrorOptions, open_mirror};

use super::{Folder, links, open, pages, pairs};

/// A target, and where it was visited from.
type Row = (String, Option<String>);

fn write(path: &Path, rows: &[Row]) {
    let schema = Arc::new(Schema::new(vec![
        Field::new("time", DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())), false),
        Field::new("site", DataType::Utf8, true),
        Field::new("user", DataType::Int64, true),
        Field::new("target", DataType::Utf8, false),
        Field::new("referrer", DataType::Utf8, true),
    ]));
    let (mut time, mut user) = (TimestampMillisecondBuilder::new(), Int64Builder::new());
    let [mut site, mut target, mut referrer] = [(); 3].map(|()| StringBuilder::new());
    for (at, (to, from)) in (0..).zip(rows) {
        time.append_value(at);
        user.append_null();
        site.append_null();
        target.append_value(to);
        referrer.append_option(from.as_ref());
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(time.finish().with_timezone("UTC")),
        Arc::new(site.finish()),
        Arc::new(user.finish()),
        Arc::new(target.finish()),
        Arc::new(referrer.finish()),
    ];
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), schema.clone(), None).unwrap();
    writer.write(&RecordBatch::try_new(schema, columns).unwrap()).unwrap();
    writer.close().unwrap();
}

fn mirror_of(rows: &[Row]) -> Mirror {
    let folder = Folder::new();
    write(&folder.root().join("visits.parquet"), rows);
    open(&[&folder.path("")]).unwrap()
}

fn row(to: &str, from: &str) -> Row {
    (to.to_owned(), (!from.is_empty()).then(|| from.to_owned()))
}

#[test]
fn ours_targets_are_pages_and_referrers_link_them() {
    let mirror = mirror_of(&[
        row("http://www.a.org/", "https://search.org/"),
        row("https://www.a.org/b", "http://a.org/"),
        row("https://www.a.org/b", "http://a.org/"),
        row("http://a.org/b", ""),
        row("http://a.org/c", "http://a.org/b"),
        row("http://a.org/c", "http://a.org/c"),
        row("http://a.org/d", "http://a.org/never-answered"),
        row("no url", ""),
    ]);
    let [home, b, c, d] = ["http://www.a.org/", "https://www.a.org/b", "http://a.org/c", "http://a.org/d"];
    assert_eq!(pages(&mirror), [ENTRY_URL, home, b, c, d]);
    let mut found = links(&mirror);
    found.sort();
    let mut expected = pairs(&[(ENTRY_URL, home), (ENTRY_URL, b), (ENTRY_URL, d), (home, b), (b, c)]);
    expected.sort();
    assert_eq!(found, expected);
    let notes = &mirror.notes;
    assert_eq!((notes.kind, notes.read, notes.bad, notes.self_links), (Kind::Visits, 8, 1, 1));
    assert_eq!((notes.only_from_entry, notes.unanswered_referrers), (2, 1));
    assert_eq!((mirror.entry, mirror.find(ENTRY_URL).unwrap()), (Some(0), 0));
    assert_eq!(mirror.page_of_visit("a.org/b"), Some(2));
}

#[test]
fn ours_steps_after_the_cut_are_no_links_and_what_they_led_to_hangs_on_the_entry_page() {
    // Rows are a millisecond apart. Before the cut: the home page, and /b from it. After it: /c, /d by one another, and /b from /d.
    let rows = [
        row("http://a.org/", ""),
        row("http://a.org/b", "http://a.org/"),
        row("http://a.org/c", "http://a.org/b"),
        row("http://a.org/d", "http://a.org/c"),
        row("http://a.org/b", "http://a.org/d"),
    ];
    let folder = Folder::new();
    write(&folder.root().join("visits.parquet"), &rows);
    let options = |seed| MirrorOptions { links_before_ms: Some(2), entry_seed: seed, ..MirrorOptions::default() };
    let opened = |seed| open_mirror(&[folder.path("")], None, &options(seed)).unwrap();
    let mirror = opened(1);
    let [home, b, c, d] = ["http://a.org/", "http://a.org/b", "http://a.org/c", "http://a.org/d"];
    assert_eq!(pages(&mirror), [ENTRY_URL, home, b, c, d]);
    let mut found = links(&mirror);
    found.sort();
    let mut expected = pairs(&[(ENTRY_URL, home), (ENTRY_URL, c), (ENTRY_URL, d), (home, b)]);
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(mirror.notes.only_from_entry, 3);
    assert!(mirror.graph.reachable(&[0]).iter().all(|reached| *reached));
    // The order of the entry page is drawn by the seed, and by nothing else.
    let orders: Vec<Vec<u32>> = (0..20).map(|seed| opened(seed).graph.targets(0).to_vec()).collect();
    assert!(orders.iter().any(|order| *order != orders[0]));
    assert_eq!(opened(3).graph.targets(0), orders[3]);
}

#[test]
fn ours_a_page_is_spelled_as_most_visits_do() {
    let often = mirror_of(&[row("https://a.org/", ""), row("http://www.a.org/", ""), row("https://a.org/", "")]);
    assert_eq!(often.urls.get(1), "https://a.org/");
    let even = mirror_of(&[row("https://a.org/", ""), row("http://www.a.org/", "")]);
    assert_eq!((even.pages(), even.urls.get(1)), (2, "http://www.a.org/"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn ours_the_order_of_rows_does_not_matter(rows in prop::collection::vec(any_row(), 1..40), seed in any::<u64>()) {
        let mut shuffled = rows.clone();
        shuffled.sort_by_cached_key(|row| xxhash_rust::xxh3::xxh3_64_with_seed(format!("{row:?}").as_bytes(), seed));
        let (one, other) = (mirror_of(&rows), mirror_of(&shuffled));
        prop_assert_eq!(pages(&one), pages(&other));
        prop_assert_eq!(one.graph.forward(), other.graph.forward());
        prop_assert_eq!(one.notes, other.notes);
    }

    #[test]
    fn ours_every_page_was_visited_and_has_one_number(rows in prop::collection::vec(any_row(), 1..40)) {
        let mirror = mirror_of(&rows);
        let mut targets: Vec<String> = rows.iter().map(|(to, _)| trodden_lab::urls::identity(to).into_owned()).collect();
        targets.sort();
        targets.dedup();
        prop_assert_eq!(mirror.pages() as usize, targets.len() + 1);
        for target in targets {
            let page = mirror.page_of_visit(&target);
            prop_assert!(page.is_some_and(|page| page > 0), "{}", target);
        }
    }
}

fn any_url() -> impl Strategy<Value = String> {
    (prop::sample::select(vec!["http://a.org", "https://a.org", "http://www.a.org", "http://b.org"]), 0..6_u8)
        .prop_map(|(origin, page)| format!("{origin}/{page}"))
}

fn any_row() -> impl Strategy<Value = Row> {
    (any_url(), prop::option::of(any_url()))
}
