//! The demo's site, served on loopback: for a crawler it is a proxy behind which there is only this one site, so that URLs are
//! those of the log.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context, Result};
use trodden_lab::synthetic::Site;

/// Most bytes of the head of a request.
const MAX_HEAD_BYTES: u64 = 1 << 16;

/// A server, until it is dropped.
pub(super) struct Server {
    address: SocketAddr,
    done: Arc<AtomicBool>,
}

impl Server {
    /// Serves a site as it is at the end of its log.
    pub(super) fn start(site: Arc<Site>) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot serve the site on 127.0.0.1")?;
        let address = listener.local_addr().context("cannot serve the site on 127.0.0.1")?;
        let done = Arc::new(AtomicBool::new(false));
        let asked = done.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                if asked.load(Ordering::Relaxed) {
                    return;
                }
                let site = site.clone();
                // Whoever goes away in the middle is not waited for.
                let _ = stream.map(|stream| thread::spawn(move || answer_all(&stream, &site)));
            }
        });
        Ok(Self { address, done })
    }

    /// Where it is, as a proxy.
    pub(super) fn proxy(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        // It waits for somebody to come.
        let _ = TcpStream::connect(self.address);
    }
}

/// Answers request after request of one connection.
fn answer_all(stream: &TcpStream, site: &Site) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(path) = request(&mut reader)? {
        let (status, body) = match site.find(&path) {
            Some(page) => ("200 OK", site.html(page, site.end())),
            None => ("404 Not Found", "<!doctype html>\n<title>Not found</title>\n".to_owned()),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let mut out = stream;
        out.write_all(&[head.as_bytes(), body.as_bytes()].concat())?;
    }
    Ok(())
}

/// The path and query that are asked for; none when there is no further request, or none that we understand.
fn request(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut head = reader.take(MAX_HEAD_BYTES);
    let (mut first, mut line) = (String::new(), String::new());
    head.read_line(&mut first)?;
    while head.read_line(&mut line)? > 0 && !line.trim().is_empty() {
        line.clear();
    }
    let mut words = first.split(' ');
    let (Some("GET"), Some(target), Some(_)) = (words.next(), words.next(), words.next()) else { return Ok(None) };
    let after = target.find("://").map_or(0, |at| at + 3);
    Ok(target[after..].find('/').map(|at| target[after + at..].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_request_is_read_to_its_end_and_no_further() {
        let mut two =
            &b"GET http://demo.test/a?b=http://c/ HTTP/1.1\r\nHost: demo.test\r\n\r\nGET /d HTTP/1.1\r\n\r\n"[..];
        assert_eq!(request(&mut two).unwrap().as_deref(), Some("/a?b=http://c/"));
        assert_eq!(request(&mut two).unwrap().as_deref(), Some("/d"));
        assert_eq!(request(&mut two).unwrap(), None);
        assert_eq!(request(&mut &b"POST / HTTP/1.1\r\n\r\n"[..]).unwrap(), None);
        assert_eq!(request(&mut &vec![b'a'; 1 << 17][..]).unwrap(), None);
    }
}
