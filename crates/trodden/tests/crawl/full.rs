//! What if there is no room?
//!
//! A limit on the length of files stands for a disk that is full. The frontier sets 64 MiB aside before anything else, so
//! the limit is above that, and the documents are large.

use std::process::{Command, Stdio};

use crate::run::{Folder, Ran};
use crate::server::{Server, linking, typed};

const DOCUMENTS: u64 = 28;
const BYTES: usize = 3 << 20;

/// Bytes that cannot be packed.
fn noise(seed: u64) -> Vec<u8> {
    let mut state = seed + 1;
    let mut bytes = Vec::with_capacity(BYTES);
    while bytes.len() < BYTES {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes
}

fn large() -> Server {
    Server::new(|path| match path {
        "/" => {
            let links: Vec<String> = (0..DOCUMENTS).map(|n| format!("/{n}")).collect();
            Some(linking("Documents", &links.iter().map(String::as_str).collect::<Vec<_>>()))
        }
        path => Some(typed("application/x-noise", &noise(path[1..].parse().ok()?))),
    })
}

/// Runs a crawl that may make no file longer than so many KiB. The signal that says so is not listened to: what is left is
/// the error that a full disk gives.
fn within(folder: &Folder, kib: u64, url: &str) -> Ran {
    let program = env!("CARGO_BIN_EXE_trodden");
    let words = "crawl --allow-private --delay 0ms --address-delay 0ms --contact=me@example.org --gzip 1 -o c";
    let script = format!("trap '' XFSZ; ulimit -f {kib}; exec {program} {words} --type 'text/html' --type '*' {url}");
    let mut command = Command::new("bash");
    command.args(["-c", &script]).current_dir(folder.path("")).stdin(Stdio::null());
    Ran::of(command.env("XDG_CONFIG_HOME", folder.path("config")).output().unwrap())
}

#[test]
fn ours_a_crawl_without_room_says_so_and_goes_on_when_there_is() {
    let (server, folder) = (large(), Folder::new());
    let ran = within(&folder, 70_000, &server.url("/"));
    ran.fails(&["no room left", "the crawl is safe", "resume with: trodden crawl -o c"]);
    assert_eq!(ran.code, Some(1));
    let told = folder.crawl(&[]).told();
    told.ended("drained");
    told.came_to(&[("page", 1), ("document", DOCUMENTS)]);
    let archived = folder.archived();
    assert_eq!(archived.len() as u64, DOCUMENTS + 1);
    assert!(archived.values().all(|n| *n == 1), "{archived:?}");
}

#[test]
fn ours_a_crawl_that_had_no_room_to_begin_leaves_nothing_in_the_way() {
    let (server, folder) = (Server::of(&[("/", linking("h", &[]))]), Folder::new());
    within(&folder, 64, &server.url("/")).fails(&["no room is left"]);
    folder.crawl(&[&server.url("/")]).told().came_to(&[("page", 1)]);
}
