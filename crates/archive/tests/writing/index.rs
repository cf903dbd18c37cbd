//! What the index says.

use std::collections::BTreeMap;
use std::fs;

use trodden_archive::cdxj::{INDEX, SORT_BYTES, rebuild_index, sort_index};
use trodden_archive::warc::write::WarcSettings;

use crate::support::{Folder, write_some};

const JOURNAL: &str = "index.cdxj.part";

#[test]
fn ours_every_answer_has_a_line_that_leads_to_it() {
    let folder = Folder::new();
    let mut writer = folder.writer_with(WarcSettings { file_bytes: 4_000, ..WarcSettings::default() });
    let written = write_some(&mut writer, 25);
    writer.finish().unwrap();
    assert_eq!(sort_index(folder.path(), 2_000).unwrap(), 25);
    let text = folder.text(INDEX);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.is_sorted());
    let mut places = BTreeMap::new();
    for line in lines {
        let (key, rest) = line.split_once(' ').unwrap();
        let (time, json) = rest.split_once(' ').unwrap();
        let fields: BTreeMap<String, String> = serde_json::from_str(json).unwrap();
        assert!(key.starts_with("org,example)/") && time.starts_with("20261116"), "{line}");
        assert_eq!(fields["url"].contains("Page"), key.contains("page"));
        let status = (fields["mime"] == "text/html").then_some("200");
        assert_eq!(fields.get("status").map(String::as_str), status, "{line}");
        places.insert((fields["filename"].clone(), fields["offset"].clone()), fields);
    }
    for w in written {
        let fields = &places[&(w.file.to_string(), w.offset.to_string())];
        assert_eq!(fields["length"], w.length.to_string());
        assert_eq!(fields["digest"], w.payload_digest.unwrap().base32());
    }
}

#[test]
fn ours_lines_wait_until_their_records_are_on_disk() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    write_some(&mut writer, 2);
    assert_eq!(folder.text(JOURNAL), "");
    writer.sync().unwrap();
    assert_eq!(folder.text(JOURNAL).lines().count(), 2);
    write_some(&mut writer, 3);
    writer.close().unwrap();
    assert_eq!(folder.text(JOURNAL).lines().count(), 5);
    // Not for ever: a journal that is never asked to sync does so by itself.
    write_some(&mut writer, 5_000);
    assert!(folder.text(JOURNAL).lines().count() > 3_000);
}

#[test]
fn ours_an_index_that_is_lost_is_made_anew_line_by_line() {
    let folder = Folder::new();
    let mut writer = folder.writer_with(WarcSettings { file_bytes: 4_000, ..WarcSettings::default() });
    write_some(&mut writer, 25);
    writer.finish().unwrap();
    sort_index(folder.path(), SORT_BYTES).unwrap();
    let before = folder.text(INDEX);
    for lost in [true, false] {
        if lost {
            fs::remove_file(folder.path().join(INDEX)).unwrap();
        }
        assert_eq!(rebuild_index(folder.path(), 3_000).unwrap(), 25);
        assert_eq!(folder.text(INDEX), before);
    }
}

#[test]
fn ours_a_second_crawl_is_sorted_into_the_same_index() {
    let folder = Folder::new();
    for _ in 0..2 {
        let mut writer = folder.writer();
        write_some(&mut writer, 10);
        writer.finish().unwrap();
        sort_index(folder.path(), SORT_BYTES).unwrap();
    }
    let text = folder.text(INDEX);
    assert_eq!(text.lines().count(), 20);
    assert!(text.lines().is_sorted());
}
