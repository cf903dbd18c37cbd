//! Bad files: a good one beside them is read all the same, and each says in the ledger what it cost.

use std::fs;
use std::time::{Duration, Instant};

use crate::lines::{combined, people};
use crate::packed::gzip;
use crate::run::{Folder, Ledger};

fn good() -> String {
    combined(&people(12))
}

/// A log that does not repeat itself, so that packing it leaves something to damage.
fn varied() -> String {
    let line = |n: u64| {
        let odd = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        crate::lines::get(crate::lines::MARCH + n as i64, &format!("192.0.2.{}", n % 200), &format!("/read/{odd:x}"))
            .combined()
    };
    (0..4_000).map(line).collect()
}

/// Ingests a bad file beside a good log: the good lines must all be there.
#[track_caller]
fn beside_good(name: &str, bytes: &[u8]) -> (Folder, Ledger) {
    let folder = Folder::with_log(good());
    folder.write(name, bytes);
    let alone = folder.ledger(&[]);
    let ledger = folder.ledger(&[name]);
    assert!(ledger.visits >= alone.visits, "{ledger:?}");
    assert!(ledger.lines >= alone.lines);
    (folder, ledger)
}

#[test]
fn ours_a_truncated_gzip_gives_what_can_be_read_and_one_entry() {
    let packed = gzip(varied().as_bytes());
    let (folder, ledger) = beside_good("cut.gz", &packed[..packed.len() / 2]);
    assert_eq!(ledger.bad("truncated-file"), 1);
    let alone = folder.ingest(&["cut.gz"]).ledger();
    assert!(alone.lines > 100 && alone.lines < 4_000);
    // The entry stands where the file breaks off.
    assert_eq!(alone.lines_of("truncated-file", "cut.gz"), [alone.lines]);
}

#[test]
fn ours_a_damaged_gzip_gives_what_can_be_read_and_one_entry() {
    let mut packed = gzip(varied().as_bytes());
    // The check sum at the end is that of another text.
    let at = packed.len() - 6;
    packed[at] ^= 0xff;
    let (folder, ledger) = beside_good("damaged.gz", &packed);
    assert_eq!(ledger.bad("damaged-file"), 1);
    let alone = folder.ingest(&["damaged.gz"]).ledger();
    assert_eq!((alone.lines, alone.lines_of("damaged-file", "damaged.gz")), (4_001, vec![4_001]));
}

#[test]
fn ours_a_gzip_damaged_in_the_middle_gives_what_comes_before() {
    let log = varied();
    let (first, second) = log.split_at(log.len() / 2);
    let mut packed = gzip(first.as_bytes());
    let whole = packed.len();
    packed.extend(gzip(second.as_bytes()));
    // In the first bytes of the second member, behind its header of ten bytes.
    packed[whole + 10..whole + 40].fill(0xff);
    let (folder, ledger) = beside_good("damaged.gz", &packed);
    assert_eq!(ledger.bad("damaged-file") + ledger.bad("truncated-file"), 1, "{ledger:?}");
    let alone = folder.ingest(&["damaged.gz"]).ledger();
    let before = first.matches('\n').count() as u64;
    assert_eq!(alone.lines, before + 1, "{alone:?}");
}

#[test]
fn ours_truncated_zstd_bzip2_and_xz_cost_one_entry() {
    use std::io::Write as _;
    let log = varied();
    let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz.write_all(log.as_bytes()).unwrap();
    let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
    xz.write_all(log.as_bytes()).unwrap();
    for (name, packed) in [
        ("cut.zst", zstd::encode_all(log.as_bytes(), 3).unwrap()),
        ("cut.bz2", bz.finish().unwrap()),
        ("cut.xz", xz.finish().unwrap()),
    ] {
        let (_, ledger) = beside_good(name, &packed[..packed.len() - packed.len() / 8]);
        assert_eq!(ledger.bad("truncated-file") + ledger.bad("damaged-file"), 1, "{name}: {ledger:?}");
    }
}

#[test]
fn ours_garbage_beside_a_good_log_is_counted_and_not_shown() {
    let garbage: Vec<u8> = (0_u32..20_000).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let (folder, ledger) = beside_good("garbage.bin", &garbage);
    assert!(ledger.bad.values().sum::<u64>() >= 1);
    assert!(ledger.places.iter().all(|(_, file, _)| file == "garbage.bin"));
    // Beside visits there is no format to try on it.
    folder.ingest(&["access.log", "-o", "visits"]);
    let ran = folder.ingest(&["visits", "garbage.bin"]);
    assert_eq!((ran.ledger().bad("unknown-format"), ran.ledger().bad.len()), (1, 1));
    assert_eq!(ran.ledger().lines_of("unknown-format", "garbage.bin"), [1]);
    ran.says(&["garbage.bin: unknown format, left out"]);
}

#[test]
fn ours_only_garbage_fails_and_names_the_way_out() {
    let folder = Folder::new();
    folder.write("garbage.bin", [7_u8, 250, 0, 10, 99, 200, 10, 1].repeat(500));
    folder.write("prose.txt", "zanzibarquux is a word\nthat no server writes\n");
    for files in [&["garbage.bin"][..], &["prose.txt"], &["garbage.bin", "prose.txt"]] {
        let ran = folder.try_ingest(files, &[]).failed(1);
        ran.says(&["--log-format"]);
        ran.says(files);
        ran.says_none_of(&["zanzibarquux"]);
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn ours_an_empty_file_is_an_empty_ledger() {
    let folder = Folder::with_log("");
    let ledger = folder.ledger(&[]);
    assert_eq!((ledger.lines, ledger.visits), (0, 0));
    folder.write("empty.gz", gzip(b""));
    assert_eq!(folder.ingest(&["empty.gz"]).ledger().lines, 0);
    folder.write("good.log", good());
    assert_eq!(folder.ledger(&["good.log"]).lines, people(12).len() as u64);
}

#[test]
fn ours_a_missing_file_fails_by_name() {
    let folder = Folder::with_log(good());
    for missing in ["nowhere.log", "no*where.log", "nowhere/*.log", "nowhere/"] {
        let ran = folder.try_ingest(&["access.log", missing], &[]).failed(1);
        ran.says(&[missing.trim_end_matches("/*.log")]);
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn ours_a_folder_of_other_things_is_not_written_to() {
    let folder = Folder::with_log(good());
    folder.write("mine/letter.txt", "dear reader");
    folder.try_ingest(&["access.log", "-o", "mine"], &[]).failed(1).says(&["mine", "about.json"]);
    let left: Vec<_> = fs::read_dir(folder.path("mine")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["letter.txt"]);
    // Nor to a file, nor to visits of a later version.
    folder.try_ingest(&["access.log", "-o", "access.log"], &[]).failed(1).says(&["access.log"]);
    assert_eq!(fs::read_to_string(folder.path("access.log")).unwrap(), good());
    folder.write("later/about.json", r#"{"format":"trodden visits","version":999,"site_by":"host"}"#);
    folder.try_ingest(&["access.log", "-o", "later"], &[]).failed(1).says(&["999"]);
    // An empty folder is as good as none.
    fs::create_dir(folder.path("empty")).unwrap();
    folder.ingest(&["access.log", "-o", "empty"]);
}

#[test]
fn ours_a_key_that_is_none_is_not_replaced() {
    let folder = Folder::with_log(good());
    folder.ingest(&["access.log", "-o", "visits"]);
    for key in [&b"short"[..], b"seventeen bytes!!", b""] {
        folder.write("visits/key", key);
        folder.try_ingest(&["access.log", "-o", "visits"], &[]).failed(1).says(&["visits/key", "not a key"]);
        assert_eq!(fs::read(folder.path("visits/key")).unwrap(), key);
    }
}

#[test]
fn ours_a_file_that_unpacks_without_end_is_stopped_and_counted() {
    let start = Instant::now();
    let repeated = |byte: u8| zstd::encode_all(std::io::Read::take(std::io::repeat(byte), 200 << 20), 1).unwrap();
    assert!(repeated(b'a').len() < 100_000);
    let (_, ledger) = beside_good("letters.zst", &repeated(b'a'));
    assert_eq!((ledger.bad("too-long"), ledger.bad("bomb-file")), (1, 1));
    assert_eq!(ledger.lines, people(12).len() as u64 + 2);
    let (_, ledger) = beside_good("zeros.zst", &repeated(0));
    assert_eq!(ledger.bad("unknown-format"), 1, "no log has NULs in its first lines");
    let newlines = zstd::encode_all(std::io::Read::take(std::io::repeat(b'\n'), 200 << 20), 1).unwrap();
    let (_, ledger) = beside_good("newlines.zst", &newlines);
    assert_eq!(ledger.bad("bomb-file"), 1);
    assert_eq!(ledger.bad("blank") + ledger.bad("bomb-file"), ledger.lines - people(12).len() as u64);
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
}

#[test]
fn ours_a_bomb_alone_is_no_crash() {
    let folder = Folder::new();
    folder.write("zeros.zst", zstd::encode_all(std::io::Read::take(std::io::repeat(0), 200 << 20), 1).unwrap());
    folder.try_ingest(&["zeros.zst"], &[]).failed(1).says(&["zeros.zst", "--log-format"]);
    let ledger = folder.ingest(&["zeros.zst", "--log-format", "combined"]).ledger();
    assert_eq!((ledger.lines, ledger.bad("too-long"), ledger.bad("bomb-file")), (2, 1, 1));
}
