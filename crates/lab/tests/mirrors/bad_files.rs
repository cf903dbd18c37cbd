//! Files that are no mirrors, or only the half of one.

use trodden_lab::{Error, Kind, MirrorOptions, open_mirror};

use super::{Folder, gzip, open};

#[test]
fn ours_nothing_is_an_error_that_says_so() {
    let folder = Folder::new();
    for (name, bytes) in [("empty", &b""[..]), ("blank", b"\n\n"), ("comments", b"# only\n% comments\n")] {
        let error = open(&[&folder.write(name, bytes)]).unwrap_err();
        assert!(matches!(error, Error::NoPages { .. }), "{name}: {error}");
    }
    for kind in [Kind::UrlEdges, Kind::IdEdges, Kind::Warc] {
        let error = open_mirror(&[folder.path("empty")], Some(kind), &MirrorOptions::default()).unwrap_err();
        assert!(matches!(error, Error::NoPages { .. }), "{kind:?}: {error}");
    }
    assert!(open(&[&folder.path("none")]).unwrap_err().to_string().contains("check the path"));
}

#[test]
fn ours_what_is_no_mirror_is_refused_with_a_reason() {
    let folder = Folder::new();
    let junk: Vec<u8> = (0..5_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let log = "1.2.3.4 - - [26/Jan/2019:03:56:14 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"x\"\n";
    let table = b"time\tuser\ttarget\n1219094972\t\thttp://a.org/\n";
    let files =
        [("junk", junk.as_slice()), ("prose", b"It was a dark night\n"), ("log", log.as_bytes()), ("table", table)];
    for (name, bytes) in files {
        let error = open(&[&folder.write(name, bytes)]).unwrap_err();
        assert!(matches!(error, Error::NotAMirror { .. }), "{name}: {error}");
    }
    folder.write("folder/notes.txt", "x");
    assert!(matches!(open(&[&folder.path("folder")]), Err(Error::NotAMirror { .. })));
    let urls = folder.write("urls", "http://a.org/\thttp://a.org/1\n");
    let ids = folder.write("ids", "0\t1\n");
    assert!(matches!(open(&[&urls, &ids]), Err(Error::MixedKinds { .. })));
}

#[test]
fn ours_a_torn_file_gives_what_it_has_and_is_named() {
    let folder = Folder::new();
    let text: String = (0..50_000_u64).map(|i| format!("{}\t{}\n", i % 911, i.wrapping_mul(i) % 1_009)).collect();
    let packed = gzip(text.as_bytes());
    let mirror = open(&[&folder.write("e.gz", &packed[..packed.len() / 2])]).unwrap();
    assert!(mirror.notes.read > 1_000 && mirror.notes.read < 50_000, "{}", mirror.notes.read);
    assert_eq!(mirror.notes.damaged_files.len(), 1);
    assert!(mirror.notes.damaged_files[0].starts_with("e.gz: "));
    assert!(matches!(open(&[&folder.write("head.gz", &packed[..12])]), Err(Error::Unreadable { .. })));
}

#[test]
fn ours_one_page_is_a_mirror() {
    let folder = Folder::new();
    let mirror = open(&[&folder.write("one", "http://a.org/")]).unwrap();
    assert_eq!((mirror.pages(), mirror.graph.links()), (1, 0));
    let heading = open(&[&folder.write("heading.csv", "from,to\n0,1\n")]).unwrap();
    assert_eq!((heading.pages(), heading.graph.links(), heading.notes.bad), (2, 1, 1));
}
