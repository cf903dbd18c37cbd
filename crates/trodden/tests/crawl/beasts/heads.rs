//! What is wrong before the body begins.

use std::time::Duration;

use super::{Comes, falls_silent, goes_on, half_closes, meet, raw};
use crate::run::Folder;
use crate::server::{Server, html};

const DRIP: Duration = Duration::from_millis(20);
/// Short enough for a test, long enough for the good pages of a busy machine.
const SOON: &str = "crawl.first_byte_ms=1000";

#[test]
fn ours_beast_a_head_that_drips_is_a_time_out() {
    meet(goes_on(b"HTTP/1.1 200 OK\r\nX: ", b"x".to_vec(), DRIP), Comes::Later("time-out"), &[SOON]);
}

#[test]
fn ours_beast_silence_is_a_time_out() {
    meet(falls_silent(b""), Comes::Later("time-out"), &[SOON]);
}

#[test]
fn ours_beast_a_flood_of_header_lines_is_too_large() {
    let flood: String = (0..600).map(|n| format!("X-{n}: y\r\n")).collect();
    meet(raw(format!("HTTP/1.1 200 OK\r\n{flood}\r\n")), Comes::To("too-large"), &[]);
}

#[test]
fn ours_beast_a_flood_of_header_bytes_is_too_large() {
    meet(goes_on(b"HTTP/1.1 200 OK\r\nX: ", vec![b'y'; 10_000], Duration::ZERO), Comes::To("too-large"), &[]);
}

#[test]
fn ours_beast_interim_answers_without_end_are_too_large() {
    meet(raw("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)), Comes::To("too-large"), &[]);
}

#[test]
fn ours_beast_a_half_closed_socket_is_disconnected() {
    meet(half_closes(b""), Comes::Later("disconnected"), &[]);
    meet(half_closes(b"HTTP/1.1 200 OK\r\nConte"), Comes::Later("disconnected"), &[]);
}

#[test]
fn ours_beast_what_speaks_no_http_is_malformed() {
    meet(raw("SSH-2.0-OpenSSH_9.9\r\n"), Comes::Later("malformed"), &[]);
}

#[test]
fn ours_beast_two_lengths_that_contradict_each_other_are_malformed() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nhello";
    meet(raw(answer), Comes::Later("malformed"), &[]);
}

#[test]
fn rfc9309_beast_a_robots_txt_that_never_comes_closes_its_site_and_no_other() {
    let silent = Server::of(&[("/robots.txt", falls_silent(b"")), ("/", html("<title>never</title>"))]);
    let good = Server::of_at("127.0.0.2:0", &[("/", html("<title>good</title>"))]);
    let told = Folder::new().crawl(&[&silent.url("/"), &good.url("/"), "--set", SOON]).told();
    told.came_to(&[("page", 1)]);
    told.deferred(&[("robots-unreachable", 1)]);
    assert!(silent.asked().is_empty());
}
