//! A small web server on loopback that notes what it was asked.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// The longest that a test waits for a server to be asked.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it is before one looks again whether the program still runs.
const LOOK: Duration = Duration::from_millis(20);

/// What is said: status, headers, body; or any bytes at all, or whatever a beast does, after which the connection is closed.
#[derive(Clone)]
pub(crate) enum Reply {
    Page { status: u16, headers: Vec<(String, String)>, body: Vec<u8> },
    Bytes(Vec<u8>),
    Beast(Beast),
}

/// Does as it likes with a connection.
pub(crate) type Beast = Arc<dyn Fn(&mut TcpStream) + Send + Sync>;

impl Reply {
    pub(crate) fn header(self, name: &str, value: &str) -> Self {
        match self {
            Self::Page { status, mut headers, body } => {
                headers.push((name.to_owned(), value.to_owned()));
                Self::Page { status, headers, body }
            }
            other => other,
        }
    }
}

/// A page of HTML.
pub(crate) fn html(body: impl AsRef<str>) -> Reply {
    typed("text/html; charset=utf-8", body.as_ref().as_bytes())
}

/// Something of a type.
pub(crate) fn typed(kind: &str, body: &[u8]) -> Reply {
    let headers = vec![("Content-Type".to_owned(), kind.to_owned())];
    Reply::Page { status: 200, headers, body: body.to_vec() }
}

/// An answer without a body.
pub(crate) fn status(status: u16) -> Reply {
    Reply::Page { status, headers: Vec::new(), body: Vec::new() }
}

/// A page with links.
pub(crate) fn linking(title: &str, links: &[&str]) -> Reply {
    let links: String = links.iter().map(|to| format!("<a href=\"{to}\">to {to}</a>\n")).collect();
    html(format!("<!doctype html><title>{title}</title><h1>{title}</h1>\n{links}"))
}

#[derive(Default)]
struct Asked {
    paths: Mutex<Vec<(String, Instant)>>,
    more: Condvar,
}

/// A server, for as long as the test runs.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    asked: Arc<Asked>,
}

impl Server {
    /// Answers by path; what is `None` is not found.
    pub(crate) fn new(answer: impl Fn(&str) -> Option<Reply> + Send + Sync + 'static) -> Self {
        Self::at("127.0.0.1:0", answer)
    }

    /// The same at an address.
    pub(crate) fn at(address: &str, answer: impl Fn(&str) -> Option<Reply> + Send + Sync + 'static) -> Self {
        Self::by_head(address, move |head| answer(path_of(head)))
    }

    /// Answers by the whole head of a request.
    pub(crate) fn by_head(address: &str, answer: impl Fn(&str) -> Option<Reply> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Asked::default());
        let (noted, answer) = (asked.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (noted, answer) = (noted.clone(), answer.clone());
                std::thread::spawn(move || serve(stream, &noted, &*answer));
            }
        });
        Self { address, asked }
    }

    /// Pages by path.
    pub(crate) fn of(pages: &[(&str, Reply)]) -> Self {
        Self::of_at("127.0.0.1:0", pages)
    }

    /// The same at an address.
    pub(crate) fn of_at(address: &str, pages: &[(&str, Reply)]) -> Self {
        let pages: BTreeMap<String, Reply> =
            pages.iter().map(|(path, page)| ((*path).to_owned(), page.clone())).collect();
        Self::at(address, move |path| pages.get(path).cloned())
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What was asked for, in order, but for robots.txt.
    pub(crate) fn asked(&self) -> Vec<String> {
        let all = self.asked.paths.lock().unwrap();
        all.iter().map(|(path, _)| path.clone()).filter(|path| !path.ends_with("/robots.txt")).collect()
    }

    /// The same without the order.
    pub(crate) fn asked_sorted(&self) -> Vec<String> {
        let mut asked = self.asked();
        asked.sort();
        asked
    }

    /// When something was asked for.
    pub(crate) fn times(&self) -> Vec<(String, Instant)> {
        self.asked.paths.lock().unwrap().clone()
    }

    /// Waits until so many requests came, of whatever kind.
    pub(crate) fn wait_for(&self, requests: usize) {
        let paths = self.asked.paths.lock().unwrap();
        let (paths, waited) =
            self.asked.more.wait_timeout_while(paths, PATIENCE, |paths| paths.len() < requests).unwrap();
        assert!(!waited.timed_out(), "only {} of {requests} requests came", paths.len());
    }

    /// Waits until so many requests came; false if the program ended before.
    pub(crate) fn comes_to(&self, requests: usize, child: &mut Child) -> bool {
        let mut paths = self.asked.paths.lock().unwrap();
        while paths.len() < requests {
            if child.try_wait().unwrap().is_some() {
                return false;
            }
            paths = self.asked.more.wait_timeout(paths, LOOK).unwrap().0;
        }
        true
    }

    /// How many requests came.
    pub(crate) fn requests(&self) -> usize {
        self.asked.paths.lock().unwrap().len()
    }
}

/// The path that a request is for.
pub(crate) fn path_of(head: &str) -> &str {
    head.split(' ').nth(1).unwrap_or_default()
}

fn serve(mut stream: TcpStream, asked: &Asked, answer: &(dyn Fn(&str) -> Option<Reply> + Send + Sync)) {
    let mut head = Vec::new();
    let mut part = [0; 4096];
    loop {
        let Some(end) = head.windows(4).position(|w| w == b"\r\n\r\n") else {
            match stream.read(&mut part) {
                Ok(n) if n > 0 => head.extend_from_slice(&part[..n]),
                _ => return,
            }
            continue;
        };
        let line = String::from_utf8_lossy(&head[..end]).into_owned();
        head.drain(..end + 4);
        asked.paths.lock().unwrap().push((path_of(&line).to_owned(), Instant::now()));
        asked.more.notify_all();
        let reply = answer(&line).unwrap_or_else(|| status(404));
        let (bytes, closes) = match reply {
            Reply::Bytes(bytes) => (bytes, true),
            Reply::Beast(beast) => return beast(&mut stream),
            Reply::Page { status, headers, body } => {
                let mut out = format!("HTTP/1.1 {status} Fine\r\nContent-Length: {}\r\n", body.len()).into_bytes();
                headers
                    .iter()
                    .for_each(|(name, value)| out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes()));
                out.extend_from_slice(b"\r\n");
                out.extend_from_slice(&body);
                (out, false)
            }
        };
        if stream.write_all(&bytes).is_err() || closes {
            return;
        }
    }
}

/// Where a request went, as URLs of the same server begin.
pub(crate) fn home_of(head: &str) -> String {
    let host = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("host:").map(str::to_owned));
    format!("http://{}", host.unwrap_or_default().trim())
}
