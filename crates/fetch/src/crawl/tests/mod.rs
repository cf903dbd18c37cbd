//! Crawls of a small web behind a proxy, looked at from inside.

mod many_hosts;
mod unchanged;
mod workers;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use trodden_frontier::{DiskFrontier, DiskSettings, Rotation, Span};
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::{Scope, ScopeSettings};

use super::*;
use crate::client::{ClientSettings, Secret};

/// What was asked, and when.
type Asked = Arc<Mutex<Vec<(String, Instant)>>>;

/// A proxy that answers for all hosts: `answer` is given the head of a request, and gives what is said to it.
fn web(asked: &Asked, answer: fn(&str) -> String) -> String {
    let (listener, asked) = (TcpListener::bind("127.0.0.1:0").unwrap(), asked.clone());
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let asked = asked.clone();
            std::thread::spawn(move || serve(stream, &asked, answer));
        }
    });
    format!("http://{address}")
}

fn serve(mut stream: TcpStream, asked: &Asked, answer: fn(&str) -> String) {
    let (mut head, mut part) = (Vec::new(), [0; 4096]);
    loop {
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read(&mut part) {
                Ok(n) if n > 0 => head.extend_from_slice(&part[..n]),
                _ => return,
            }
        }
        let text = String::from_utf8_lossy(&head).into_owned();
        head.clear();
        asked.lock().unwrap().push((text.clone(), Instant::now()));
        if stream.write_all(answer(&text).as_bytes()).is_err() {
            return;
        }
    }
}

/// The URL that a request is for.
fn url_of(head: &str) -> &str {
    head.split(' ').nth(1).unwrap()
}

/// An answer with a body.
fn said(kind: &str, body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

/// A crawl of everything behind a proxy, breadth-first and without delay.
fn crawl(folder: &Path, proxy: &str, settings: CrawlSettings) -> Crawl {
    crawl_with(folder, proxy, settings, 4, 1)
}

/// The same, by so many requests at once and so many threads that read.
fn crawl_with(folder: &Path, proxy: &str, settings: CrawlSettings, at_once: usize, workers: usize) -> Crawl {
    let mut client = ClientSettings::new("test");
    client.guard.allow_private = true;
    client.proxy = Some(Secret::new(proxy));
    let frontier = DiskFrontier::open(&folder.join("frontier"), DiskSettings::default(), Rotation::Even).unwrap();
    Crawl::open(Parts {
        folder: folder.to_owned(),
        settings: CrawlSettings { delay_ms: 0, address_delay_ms: 0, at_once, ..settings },
        frontier,
        policy: Box::new(BreadthFirst::default()),
        client: Client::new(client).unwrap(),
        archive: ArchiveSettings {
            gzip: 1,
            file_bytes: ArchiveSettings::DEFAULT_FILE_BYTES,
            user_agent: "test".to_owned(),
            contact: None,
            ids: Ids::seeded([0; 16]),
        },
        scope: Scope::new(&ScopeSettings { anywhere: true, ..ScopeSettings::default() }).unwrap(),
        traffic: KnownTraffic::default(),
        sections: None,
        workers,
        may_mend: false,
    })
    .unwrap()
}

/// Starts from a URL and goes on until nothing is left.
fn drain(crawl: &mut Crawl, seed: &str) {
    assert_eq!(crawl.seed(seed).unwrap(), Seeding::New);
    crawl.planted().unwrap();
    assert_eq!(run(crawl), Ended::Drained);
}

fn run(crawl: &mut Crawl) -> Ended {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(crawl.run(&Stop::default())).unwrap()
}
