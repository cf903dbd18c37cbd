//! What a crash leaves: a file cut anywhere becomes the whole records before the cut.

use std::fs;

use trodden_archive::RecordKind;
use trodden_archive::cdxj::{INDEX, SORT_BYTES, sort_index};
use trodden_archive::warc::{repair, write::WarcSettings};

use crate::support::{Folder, write_some};

const JOURNAL: &str = "index.cdxj.part";

/// Where the members of a file end, by our own reader's count of what each prefix holds.
fn ends(bytes: &[u8]) -> Vec<usize> {
    use std::io::BufRead;
    let mut rest = bytes;
    let mut ends = vec![0];
    while !rest.fill_buf().unwrap().is_empty() {
        let mut inflate = flate2::Decompress::new_gzip(15);
        let mut out = vec![0; 1 << 20];
        let status = inflate.decompress(rest, &mut out, flate2::FlushDecompress::Finish).unwrap();
        assert_eq!(status, flate2::Status::StreamEnd);
        rest = &rest[usize::try_from(inflate.total_in()).unwrap()..];
        ends.push(bytes.len() - rest.len());
    }
    ends
}

#[test]
fn ours_a_file_cut_anywhere_becomes_the_whole_records_before() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    let written = write_some(&mut writer, 6);
    drop(writer);
    let bytes = fs::read(&folder.archives()[0]).unwrap();
    let ends = ends(&bytes);
    assert!(ends.len() > 15 && *ends.last().unwrap() == bytes.len());
    let path = folder.path().join("cut.warc.gz");
    // At every byte, but without files, the walk itself is tested beside its code: here each cut waits for a disk.
    for cut in (0..=bytes.len()).step_by(101).chain(ends.iter().copied()) {
        let whole = *ends.iter().filter(|end| **end <= cut).max().unwrap();
        for known in [0, written[2].offset] {
            fs::write(&path, &bytes[..cut]).unwrap();
            let repaired = repair(&path, known).unwrap();
            assert_eq!(
                (repaired.kept_bytes, repaired.cut_bytes),
                (whole as u64, (cut - whole) as u64),
                "{cut} {known}"
            );
            assert_eq!(fs::read(&path).unwrap(), &bytes[..whole]);
        }
    }
}

#[test]
fn ours_what_follows_the_last_record_is_cut_whatever_it_is() {
    let folder = Folder::new();
    let mut writer = folder.writer();
    let written = write_some(&mut writer, 4);
    drop(writer);
    let path = folder.archives()[0].clone();
    let whole = fs::read(&path).unwrap();
    let gzip = |text: &[u8]| {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    let short = gzip(b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 9\r\n\r\nabc\r\n\r\n");
    let long = gzip(b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 1\r\n\r\nabc\r\n\r\n");
    let mut flipped = whole[usize::try_from(written[3].offset).unwrap()..].to_vec();
    flipped[60] ^= 4;
    for junk in [&[0; 4096][..], b"junk", &gzip(b"no record"), &short, &long, &flipped] {
        fs::write(&path, [&whole, junk].concat()).unwrap();
        let repaired = repair(&path, written[1].offset).unwrap();
        assert_eq!((repaired.kept_bytes, repaired.cut_bytes), (whole.len() as u64, junk.len() as u64));
    }
    // A place that is none is not believed.
    for known in [1, written[1].offset + 1, whole.len() as u64, u64::MAX] {
        let repaired = repair(&path, known).unwrap();
        assert_eq!(repaired.kept_bytes, whole.len() as u64, "{known}");
    }
}

/// A crash anywhere in the archive, before or after a sync, and in a line of the journal: the folder becomes sound,
/// and its index is that of the records left.
#[test]
fn ours_a_folder_is_sound_again_after_a_crash_anywhere() {
    let model = Folder::new();
    let mut writer = model.writer();
    write_some(&mut writer, 3);
    writer.sync().unwrap();
    write_some(&mut writer, 3);
    let synced = fs::read(model.path().join(JOURNAL)).unwrap();
    let name = model.names().into_iter().find(|n| n.ends_with(".open")).unwrap();
    let bytes = fs::read(model.path().join(&name)).unwrap();
    writer.sync().unwrap();
    let all_lines = model.text(JOURNAL);
    drop(writer);
    assert_eq!((synced.iter().filter(|b| **b == b'\n').count(), all_lines.lines().count()), (3, 6));
    let ends = ends(&bytes);
    let cuts = (0..=bytes.len()).step_by(61).chain(ends.iter().copied());
    for (cut, torn_line) in cuts.zip([0, 1, 40, 200].into_iter().cycle()) {
        let folder = Folder::new();
        fs::write(folder.path().join(&name), &bytes[..cut]).unwrap();
        fs::write(folder.path().join(JOURNAL), &synced[..synced.len() - torn_line]).unwrap();
        fs::write(folder.path().join("index.cdxj.tmp-new"), b"unfinished").unwrap();
        let writer = folder.writer();
        let whole = *ends.iter().filter(|end| **end <= cut).max().unwrap();
        assert_eq!((writer.recovered().files, writer.recovered().cut_bytes), (1, (cut - whole) as u64));
        writer.finish().unwrap();
        sort_index(folder.path(), SORT_BYTES).unwrap();
        let mut expected = all_lines.lines().filter(|line| place(line) <= whole as u64).collect::<Vec<_>>();
        expected.sort_unstable();
        assert_eq!(folder.text(INDEX).lines().collect::<Vec<_>>(), expected, "{cut}");
        let answers = [RecordKind::Response, RecordKind::Revisit];
        assert_eq!(folder.records().iter().filter(|r| answers.contains(&r.kind)).count(), expected.len());
        let closed = name.trim_end_matches(".open").to_owned();
        let left = if whole == 0 { vec![INDEX.to_owned()] } else { vec![INDEX.to_owned(), closed] };
        assert_eq!(folder.names(), left, "{cut}");
    }
}

/// Where the record of a line ends.
fn place(line: &str) -> u64 {
    let number = |name: &str| -> u64 {
        let rest = line.split(&format!("\"{name}\": \"")).nth(1).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    number("offset") + number("length")
}

#[test]
fn ours_lines_that_lead_nowhere_are_dropped() {
    let folder = Folder::new();
    let mut writer = folder.writer_with(WarcSettings { file_bytes: 1_500, ..WarcSettings::default() });
    write_some(&mut writer, 8);
    writer.finish().unwrap();
    let before = folder.text(JOURNAL);
    let archives = folder.archives();
    assert!(archives.len() > 2);
    let gone = archives[1].file_name().unwrap().to_str().unwrap().to_owned();
    fs::remove_file(&archives[1]).unwrap();
    let writer = folder.writer();
    let kept: Vec<&str> = before.lines().filter(|line| !line.contains(&gone)).collect();
    assert_eq!(folder.text(JOURNAL).lines().collect::<Vec<_>>(), kept);
    assert_eq!(writer.recovered().lines_dropped, (before.lines().count() - kept.len()) as u64);
}
