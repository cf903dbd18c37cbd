//! Ctrl-C, and two crawls in one folder.

use std::io::Read as _;
use std::process::Output;
use std::sync::{Arc, Mutex};

use crate::limits::page;
use crate::run::{Folder, Ran, interrupt};
use crate::server::Server;

/// A server that answers its fifth page only when it may.
fn held() -> (Server, Arc<Mutex<()>>) {
    let gate = Arc::new(Mutex::new(()));
    let waits = gate.clone();
    let count = Mutex::new(0);
    let server = Server::new(move |path| {
        let is_fifth = path != "/robots.txt" && {
            let mut count = count.lock().unwrap();
            *count += 1;
            *count == 5
        };
        if is_fifth {
            drop(waits.lock().unwrap());
        }
        page(path, 40)
    });
    (server, gate)
}

#[test]
fn ours_an_interrupt_finishes_what_is_under_way_and_says_how_to_go_on() {
    let ((server, gate), folder) = (held(), Folder::new());
    let held = gate.lock().unwrap();
    let mut child = folder.crawling(&[&server.url("/")]);
    server.wait_for(6);
    interrupt(&child);
    let mut stderr = child.stderr.take().unwrap();
    let mut said = Vec::new();
    while !String::from_utf8_lossy(&said).contains("stopping") {
        let mut byte = [0];
        stderr.read_exact(&mut byte).unwrap();
        said.extend(byte);
    }
    drop(held);
    stderr.read_to_end(&mut said).unwrap();
    let ran = Ran::of(Output { stderr: said, ..child.wait_with_output().unwrap() });
    let told = ran.told();
    told.ended("stopped");
    // The word comes before the deed: one more may be asked for.
    let pages = usize::try_from(told.0["pages"].as_u64().unwrap()).unwrap();
    assert!((5..10).contains(&pages), "{}", told.0);
    ran.says(&["stopping", "to resume: trodden crawl -o c"]);
    assert_eq!(server.asked().len(), pages);
    assert_eq!(folder.archived().len(), pages);
    folder.crawl(&[]).told().came_to(&[("page", 40)]);
    assert_eq!(server.asked().len(), 40);
    assert!(folder.archived().values().all(|n| *n == 1));
}

#[test]
fn ours_a_folder_has_one_crawl_at_a_time() {
    let ((server, gate), folder) = (held(), Folder::new());
    let held = gate.lock().unwrap();
    let child = folder.crawling(&[&server.url("/")]);
    server.wait_for(6);
    folder.crawl(&["--pages", "3"]).fails(&["is in use", "stop the other crawl first"]);
    drop(held);
    let told = Ran::of(child.wait_with_output().unwrap()).told();
    told.ended("drained");
    told.came_to(&[("page", 40)]);
    // What the one that was refused said is not kept.
    folder.crawl(&[]).told().ended("drained");
}
