//! What is wrong with the body: what came of it is a page, kept as far as it came, and its links lead on.

use std::io::Write as _;
use std::time::Duration;

use flate2::write::GzEncoder;

use super::{Comes, LEADS_ON, goes_on, half_closes, meet, raw};
use crate::server::typed;
use crate::zoo::bomb;

/// The page begins; nothing says where it ends.
fn begins() -> Vec<u8> {
    [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", LEADS_ON].concat()
}

/// A page that is cut, for this reason; its link was followed.
#[track_caller]
fn is_cut(beast: crate::server::Reply, why: &str, settings: &[&str]) {
    let met = meet(beast, Comes::To("page"), settings);
    assert_eq!(met.cut().as_deref(), Some(why));
    assert!(met.has_asked("/from-beast"));
}

#[test]
fn ours_beast_a_slow_drip_is_a_page_cut_by_time() {
    is_cut(goes_on(&begins(), b"x".to_vec(), Duration::from_millis(20)), "time", &["crawl.stall_ms=300"]);
}

#[test]
fn ours_beast_a_steady_stream_is_a_page_cut_by_time() {
    let settings = ["crawl.stall_ms=300", "crawl.whole_ms=2000"];
    is_cut(goes_on(&begins(), vec![b'x'; 2_000], Duration::from_millis(50)), "time", &settings);
}

#[test]
fn ours_beast_an_endless_body_is_a_page_cut_by_length() {
    is_cut(goes_on(&begins(), vec![b'x'; 10_000], Duration::ZERO), "length", &["crawl.body_bytes=1000000"]);
}

#[test]
fn ours_beast_a_gzip_bomb_is_a_page_read_as_far_as_its_cap() {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(LEADS_ON).unwrap();
    for _ in 0..200 {
        packed.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let bomb = typed("text/html", &packed.finish().unwrap()).header("Content-Encoding", "gzip");
    let met = meet(bomb, Comes::To("page"), &[]);
    assert!(met.has_asked("/from-beast") && met.cut().is_none(), "it is kept whole, as it was sent");
}

#[test]
fn ours_beast_a_brotli_bomb_is_a_page_without_links() {
    let bomb = typed("text/html", &bomb::BROTLI).header("Content-Encoding", "br");
    let met = meet(bomb, Comes::To("page"), &[]);
    assert!(met.cut().is_none(), "it is kept whole, as it was sent");
}

#[test]
fn ours_beast_a_content_length_that_promises_too_much_is_a_page_cut_by_the_end() {
    let answer = [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 500\r\n\r\n", LEADS_ON].concat();
    is_cut(raw(&answer), "disconnect", &[]);
    is_cut(half_closes(&answer), "disconnect", &[]);
}

#[test]
fn ours_beast_a_content_length_that_promises_too_little_is_believed() {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", LEADS_ON.len());
    let smuggled = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/never>x</a>";
    let met = meet(raw([head.as_bytes(), LEADS_ON, smuggled].concat()), Comes::To("page"), &[]);
    assert!(met.has_asked("/from-beast") && !met.has_asked("/never"), "what follows answers nothing");
}

#[test]
fn ours_beast_broken_chunks_are_a_page_cut_where_they_break() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
    let words = std::str::from_utf8(LEADS_ON).unwrap();
    let good = format!("{head}{:x}\r\n{words}\r\n", words.len());
    is_cut(raw(format!("{good}no-number\r\n")), "unspecified", &[]);
    is_cut(raw(format!("{good}ff\r\nshort")), "disconnect", &[]);
}
