//! A crawl over more hosts than it has room for.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use trodden_frontier::{DiskSettings, Rotation};
use trodden_ordering::policy::breadth_first::BreadthFirst;
use trodden_ordering::{Scope, ScopeSettings};

use super::*;
use crate::client::{ClientSettings, Secret};
use crate::outcome::OutcomeKind;

const HOSTS: usize = 60;
/// The one that asks for a delay, and for which.
const SLOW: &str = "http://h7.test/";
const ASKED: Duration = Duration::from_millis(200);

type Asked = Arc<Mutex<Vec<(String, Instant)>>>;

/// A proxy behind which there are many hosts, each with three pages; the first knows all of them.
fn web(asked: Asked) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let asked = asked.clone();
            std::thread::spawn(move || answer(stream, &asked));
        }
    });
    format!("http://{address}")
}

fn answer(mut stream: TcpStream, asked: &Asked) {
    let (mut head, mut part) = (Vec::new(), [0; 4096]);
    loop {
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read(&mut part) {
                Ok(n) if n > 0 => head.extend_from_slice(&part[..n]),
                _ => return,
            }
        }
        let line = String::from_utf8_lossy(&head).into_owned();
        head.clear();
        let url = line.split(' ').nth(1).unwrap().to_owned();
        asked.lock().unwrap().push((url.clone(), Instant::now()));
        let (kind, body) = match url.strip_suffix("/robots.txt") {
            Some(_) if url.starts_with(SLOW) => {
                ("text/plain", "User-agent: *\nCrawl-delay: 0.2\nDisallow: /private\n".to_owned())
            }
            Some(_) => ("text/plain", "User-agent: *\nDisallow: /private\n".to_owned()),
            None => {
                let others = (0..HOSTS).filter(|_| url == "http://h0.test/").map(|n| format!("http://h{n}.test/"));
                let own = ["/a", "/b", "/private"].into_iter().filter(|_| url.ends_with(".test/")).map(str::to_owned);
                let links = others.chain(own).map(|to| format!("<a href=\"{to}\">x</a>"));
                ("text/html", links.collect::<String>())
            }
        };
        let reply = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        if stream.write_all(reply.as_bytes()).is_err() {
            return;
        }
    }
}

#[test]
fn ours_a_crawl_of_many_hosts_keeps_few_of_them_in_mind_and_forgets_nothing_that_matters() {
    let (folder, asked) = (tempfile::tempdir().unwrap(), Asked::default());
    let mut client = ClientSettings::new("test");
    client.guard.allow_private = true;
    client.proxy = Some(Secret::new(&web(asked.clone())));
    let settings = CrawlSettings { delay_ms: 0, address_delay_ms: 0, at_once: 4, ..CrawlSettings::default() };
    let mut crawl = Crawl::open(Parts {
        folder: folder.path().to_owned(),
        settings: CrawlSettings { archive: false, ..settings },
        frontier: DiskFrontier::open(&folder.path().join("frontier"), DiskSettings::default(), Rotation::Even).unwrap(),
        policy: Box::new(BreadthFirst::default()),
        client: Client::new(client).unwrap(),
        keep: KeepSettings {
            gzip: 1,
            file_bytes: KeepSettings::DEFAULT_FILE_BYTES,
            user_agent: "test".to_owned(),
            contact: None,
            ids: Ids::seeded([0; 16]),
        },
        scope: Scope::new(&ScopeSettings { anywhere: true, ..ScopeSettings::default() }).unwrap(),
        traffic: KnownTraffic::default(),
        patterns: None,
    })
    .unwrap();
    crawl.hosts = Hosts::with_room(8, 2_048, 4);
    assert!(crawl.seed("http://h0.test/").unwrap());
    crawl.planted().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    assert_eq!(runtime.block_on(crawl.run(&Stop::default())).unwrap(), Ended::Drained);

    assert_eq!(crawl.tally.of(OutcomeKind::Page), 3 * HOSTS as u64);
    assert_eq!(crawl.tally.of(OutcomeKind::RobotsDenied), HOSTS as u64);
    assert_eq!(crawl.tally.hosts, HOSTS as u64);
    assert_eq!(crawl.tally.robots, HOSTS as u64, "what was forgotten is on disk");
    let [robots, hosts, addresses] = crawl.hosts.sizes();
    assert!(robots <= 18 && hosts <= 16 && addresses <= 8, "{robots} {hosts} {addresses}");
    assert!(crawl.by_site.is_empty(), "no site has a budget");
    let asked = asked.lock().unwrap();
    let slow: Vec<Instant> = asked.iter().filter(|(url, _)| url.starts_with(SLOW)).map(|(_, time)| *time).collect();
    assert_eq!(slow.len(), 4);
    for pair in slow.windows(2) {
        assert!(pair[1] - pair[0] >= ASKED - Duration::from_millis(5), "{:?}", pair[1] - pair[0]);
    }
}
