//! Another program reads what we write: warcio, with all its checks.
//!
//! Needs a Python with the `warcio` package: `TRODDEN_PYTHON=/path/to/python cargo test`. Without it the test is
//! skipped.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use trodden_archive::cdxj::{INDEX, SORT_BYTES, sort_index};
use trodden_archive::warc::write::WarcSettings;

use crate::support::{Folder, write_some};

/// What a Python program says.
fn said(python: &OsStr, args: &[&str]) -> String {
    let output = Command::new(python).args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

#[test]
fn warc11_warcio_reads_every_record_checks_its_digests_and_finds_it_where_the_index_says() {
    let Some(python) = trodden_testing::python("warcio") else { return };
    let folder = Folder::new();
    let mut writer = folder.writer_with(WarcSettings { file_bytes: 9_000, ..WarcSettings::default() });
    write_some(&mut writer, 60);
    writer.finish().unwrap();
    sort_index(folder.path(), SORT_BYTES).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/warcio_check.py");
    let seen = said(&python, &[script.to_str().unwrap(), folder.path().to_str().unwrap()]);
    let seen: Vec<Value> = serde_json::from_str(&seen).unwrap();

    let ours = folder.records();
    assert_eq!(seen.len(), ours.len());
    for (theirs, ours) in seen.iter().zip(&ours) {
        assert_eq!(theirs["url"].as_str(), ours.target.as_deref());
        assert_eq!(theirs["date"].as_str(), ours.date.as_deref());
        assert_eq!(theirs["digest"].as_str(), ours.headers.get("WARC-Payload-Digest"));
        // It does not look at the digests of a revisit.
        let checked = if text(theirs, "kind") == "revisit" { Value::Null } else { Value::Bool(true) };
        assert_eq!(theirs["checked"], checked, "{theirs}");
    }

    let index = folder.text(INDEX);
    let lines: Vec<Value> = index.lines().map(|l| serde_json::from_str(&l[l.find('{').unwrap()..]).unwrap()).collect();
    let answers: Vec<&Value> = seen.iter().filter(|r| ["response", "revisit"].contains(&text(r, "kind"))).collect();
    assert_eq!(lines.len(), answers.len());
    let by_place: BTreeMap<(&str, &str), &Value> =
        lines.iter().map(|line| ((text(line, "filename"), text(line, "offset")), line)).collect();
    for answer in answers {
        let offset = answer["offset"].to_string();
        let line = by_place[&(text(answer, "file"), offset.as_str())];
        assert_eq!(text(line, "length"), answer["length"].to_string());
        if text(answer, "kind") == "response" {
            assert_eq!(text(line, "status"), text(answer, "status"));
        }
        assert_eq!(text(line, "url"), text(answer, "url"));
    }

    // Its own two commands agree: `check` finds nothing, `index` tells the same places.
    for archive in folder.archives() {
        let path = archive.to_str().unwrap();
        let checked = said(&python, &["-m", "warcio.cli", "check", path]);
        assert!(!checked.contains("fail") && !checked.contains("Invalid"), "{checked}");
        let index = said(&python, &["-m", "warcio.cli", "index", path, "-f", "offset,length,warc-type"]);
        let file = archive.file_name().unwrap().to_str().unwrap();
        let theirs: Vec<Value> = index.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected = seen.iter().filter(|r| text(r, "file") == file);
        assert_eq!(theirs.len(), expected.clone().count());
        for (line, record) in theirs.iter().zip(expected) {
            assert_eq!(text(line, "offset"), record["offset"].to_string());
            assert_eq!(text(line, "length"), record["length"].to_string());
            assert_eq!(text(line, "warc-type"), text(record, "kind"));
        }
    }
}
