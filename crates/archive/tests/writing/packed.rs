//! Records that another thread packed are those that the writer would have packed.

use trodden_archive::warc::write::{Repeat, WarcPacker, WarcSettings};

use crate::support::{Folder, full, original};

fn target(i: u64) -> String {
    format!("https://example.org/{i}")
}

fn payload(i: u64) -> Vec<u8> {
    format!("<title>{i}</title>").repeat(40 + i as usize * 7).into_bytes()
}

#[test]
fn ours_records_packed_beside_the_writer_are_the_same_bytes() {
    let (alone, helped) = (Folder::new(), Folder::new());
    let (mut writer, mut other) = (alone.writer(), helped.writer());
    let mut packer = WarcPacker::new(&WarcSettings::default());
    for i in 0..12 {
        let (target, payload) = (target(i), payload(i));
        let exchange = full(&target, i, &payload);
        let names = other.names();
        let packed = packer.pack(&exchange, names).unwrap();
        assert_eq!(writer.write(&exchange).unwrap(), other.write_packed(&exchange, &packed).unwrap());
    }
    writer.finish().unwrap();
    other.finish().unwrap();
    let bytes = |folder: &Folder| std::fs::read(&folder.archives()[0]).unwrap();
    assert_eq!(bytes(&alone), bytes(&helped));
    assert_eq!(alone.text("index.cdxj.part"), helped.text("index.cdxj.part"));
}

#[test]
fn warc11_records_that_were_packed_for_another_file_or_prove_to_be_repeats_are_packed_anew() {
    let folder = Folder::new();
    let settings = WarcSettings { file_bytes: 2_000, ..WarcSettings::default() };
    let mut writer = folder.writer_with(settings.clone());
    let mut packer = WarcPacker::new(&settings);
    // All are packed for the first file, and most come to others.
    let names: Vec<_> = (0..12).map(|_| writer.names()).collect();
    let mut first = None;
    for (i, names) in (0..12).zip(names) {
        let (target, payload) = (target(i), payload(0));
        let mut exchange = full(&target, i, &payload);
        let packed = packer.pack(&exchange, names).unwrap();
        if let Some(first) = &first {
            exchange.repeat = Repeat::SamePayload(original("https://example.org/0", 0, first));
        }
        let written = writer.write_packed(&exchange, &packed).unwrap();
        first.get_or_insert(written);
    }
    writer.finish().unwrap();
    assert!(folder.archives().len() > 2, "{:?}", folder.names());
    let (mut info, mut kinds) = (None, Vec::new());
    for record in folder.records() {
        let id = record.headers.get("WARC-Record-ID").map(str::to_owned);
        match record.headers.get("WARC-Type") {
            Some("warcinfo") => info = id,
            Some(kind) => {
                kinds.push(kind.to_owned());
                assert_eq!(
                    record.headers.get("WARC-Warcinfo-ID"),
                    info.as_deref(),
                    "each names the file that it is in"
                );
            }
            None => panic!("a record says what it is"),
        }
    }
    let count = |kind: &str| kinds.iter().filter(|it| *it == kind).count();
    assert_eq!([count("response"), count("revisit"), count("request")], [1, 11, 12]);
}
