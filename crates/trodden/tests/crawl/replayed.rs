//! pywb, with which people look at archives, shows what was crawled: files and index are used as they are.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::run::Folder;
use crate::server::{Reply, Server, html, linking, status, typed};

/// How long pywb may take to start, on a busy machine.
const START: Duration = Duration::from_secs(60);
/// Starts the program that the package names `wayback`.
const WAYBACK: &str = "from pywb.apps.cli import wayback; wayback()";

/// pywb, until it is dropped.
struct Pywb {
    child: Child,
    port: u16,
}

impl Pywb {
    /// Shows what is in the folder `c`.
    fn of(folder: &Folder, python: &OsStr) -> Self {
        let collection = folder.path("pywb/collections/c");
        for (from, to) in [("archive", "archive"), ("archive/index.cdxj", "indexes/index.cdxj")] {
            let to = collection.join(to);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(folder.path("c").join(from), to).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let log = fs::File::create(folder.path("pywb.log")).unwrap();
        let mut child = Command::new(python)
            .args(["-c", WAYBACK, "-b", "127.0.0.1", "-p", &port.to_string(), "-d"])
            .arg(folder.path("pywb"))
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let log = || fs::read_to_string(folder.path("pywb.log")).unwrap();
            assert_eq!(child.try_wait().unwrap(), None, "pywb ended: {}", log());
            assert!(started.elapsed() < START, "pywb does not answer: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
        Self { child, port }
    }

    /// The newest version of a URL as it was, or with pywb's own bar around it: status, headers, body.
    fn shows(&self, form: &str, url: &str) -> (u16, BTreeMap<String, String>, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET /c/2999{form}/{url} HTTP/1.0\r\nHost: pywb.test\r\n\r\n").unwrap();
        let mut said = Vec::new();
        stream.read_to_end(&mut said).unwrap();
        let end = said.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(said[..end].to_vec()).unwrap();
        let (first, lines) = head.split_once("\r\n").unwrap();
        let headers = lines.lines().filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        (first.split(' ').nth(1).unwrap().parse().unwrap(), headers, said.split_off(end + 4))
    }
}

impl Drop for Pywb {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn long(text: &str) -> String {
    format!("<!doctype html><title>{text}</title><p>{}", text.repeat(40))
}

fn packed(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap()
}

#[test]
fn warc11_pywb_replays_pages_packed_ones_copies_and_redirects() {
    let Some(python) = trodden_testing::python("pywb") else { return };
    let odd = "/na%C3%AFve%20path?b=2&a=1";
    let chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n\
                   6\r\nhello \r\n6\r\npieces\r\n0\r\n\r\n";
    let server = Server::of(&[
        ("/", linking("Home", &["/packed", "/first", "/copy", "/moved", "/chunked", odd, "/missing"])),
        ("/packed", typed("text/html", &packed(&long("packed"))).header("Content-Encoding", "gzip")),
        ("/first", html(long("the same"))),
        ("/copy", html(long("the same"))),
        ("/moved", status(301).header("Location", "/new")),
        ("/new", html(long("new"))),
        ("/chunked", Reply::Bytes(chunked.into())),
        (odd, html(long("odd"))),
    ]);
    let folder = Folder::new();
    let told = folder.crawl(&[&server.url("/"), "--at-once", "1", "--policy", "breadth-first"]).told();
    told.came_to(&[("page", 7), ("redirect", 1), ("not-found", 1)]);
    let pywb = Pywb::of(&folder, &python);
    for (path, body) in [
        ("/first", long("the same").into_bytes()),
        ("/copy", long("the same").into_bytes()),
        ("/new", long("new").into_bytes()),
        ("/chunked", b"hello pieces".to_vec()),
        (odd, long("odd").into_bytes()),
        // For whoever does not say that packed bodies are welcome, it is unpacked.
        ("/packed", long("packed").into_bytes()),
    ] {
        let (status, _, shown) = pywb.shows("id_", &server.url(path));
        assert_eq!((status, shown == body), (200, true), "{path}: {}", String::from_utf8_lossy(&shown));
    }
    let (status, headers, _) = pywb.shows("id_", &server.url("/moved"));
    assert_eq!((status, headers["location"].as_str()), (301, "/new"));
    let (status, headers, _) = pywb.shows("mp_", &server.url("/moved"));
    assert_eq!(status, 301);
    assert!(headers["location"].ends_with(&format!("/{}", server.url("/new"))), "{headers:?}");
    assert_eq!(pywb.shows("id_", &server.url("/missing")).0, 404, "it was not there then");
    let (status, _, shown) = pywb.shows("id_", &server.url("/never"));
    assert_eq!(status, 404, "nobody asked for it: {}", String::from_utf8_lossy(&shown));
    let (status, _, shown) = pywb.shows("mp_", &server.url("/packed"));
    let shown = String::from_utf8_lossy(&shown).into_owned();
    assert!(status == 200 && shown.contains(&"packed".repeat(40)), "unpacked, and with pywb's own words: {shown}");
}
