//! Bodies: endless, slow, lied about, broken, packed.

use std::time::Duration;

use trodden_archive::http::{BodyFault, Response};
use trodden_fetch::client::{Ask, BodyCut, Client, FetchFault, Late, Times};

use super::zoo::leaver::Leaving;
use super::zoo::{bomb, chunks, drip, endless, leaver, liar, plain};
use super::{client, get, settings};

#[tokio::test]
async fn ours_an_endless_body_is_cut_at_its_cap_to_the_byte() {
    let chunk = [b"2710\r\n".to_vec(), vec![b'x'; 10_000], b"\r\n".to_vec()].concat();
    for server in [
        endless::repeats(b"HTTP/1.1 200 OK\r\n\r\n", vec![b'x'; 10_000]).await,
        endless::repeats(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", vec![b'x'; 10_000]).await,
        endless::repeats(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunk).await,
    ] {
        let client = client();
        let answer = client.get(&Ask { max_body: 123_456, ..Ask::new(&server.url("/")) }).await.answer.unwrap();
        assert_eq!((answer.body.len(), answer.cut), (123_456, Some(BodyCut::Length)));
        assert!(answer.body.iter().all(|byte| *byte == b'x'));
        assert_eq!(client.idle(), 0, "a connection in the middle of a body is of no use");
    }
}

#[tokio::test]
async fn ours_a_body_of_exactly_the_cap_is_whole() {
    let server = plain::says(plain::PAGE).await;
    let answer = client().get(&Ask { max_body: 5, ..Ask::new(&server.url("/")) }).await.answer.unwrap();
    assert_eq!((&answer.body[..], answer.cut), (&b"hello"[..], None));
    let answer = client().get(&Ask { max_body: 0, ..Ask::new(&server.url("/")) }).await.answer.unwrap();
    assert_eq!((&answer.body[..], answer.cut), (&b""[..], Some(BodyCut::Length)));
}

#[tokio::test]
async fn ours_a_body_that_drips_or_stops_is_cut_by_its_rate() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nbegun";
    for server in [drip::drips(head, Duration::from_millis(20)).await, drip::falls_silent(head).await] {
        let times = Times { stall: Duration::from_millis(500), stall_bytes: 1 << 10, ..Times::default() };
        let client = Client::new(trodden_fetch::client::ClientSettings { times, ..settings() }).unwrap();
        let exchange = client.get(&Ask::new(&server.url("/"))).await;
        let answer = exchange.answer.unwrap();
        assert_eq!(answer.cut, Some(BodyCut::Time));
        assert!(answer.body.starts_with(b"begun"));
        assert!(exchange.took.whole >= Duration::from_millis(500));
    }
}

#[tokio::test]
async fn ours_a_body_that_keeps_its_rate_is_cut_when_all_time_is_up() {
    let server = endless::repeats(b"HTTP/1.1 200 OK\r\n\r\n", vec![b'x'; 4096]).await;
    let times = Times { whole: Duration::from_millis(700), ..Times::default() };
    let client = Client::new(trodden_fetch::client::ClientSettings { times, ..settings() }).unwrap();
    let asked = client.get(&Ask { max_body: usize::MAX, ..Ask::new(&server.url("/")) }).await;
    match asked.answer {
        Ok(answer) => assert_eq!(answer.cut, Some(BodyCut::Time)),
        // A machine that is so busy that not even the head came.
        Err(fault) => assert_eq!(fault, FetchFault::TimeOut(Late::Whole)),
    }
}

#[tokio::test]
async fn rfc9112_a_length_that_is_too_long_is_a_disconnect() {
    let server = liar::tells(10, "hello", true).await;
    let answer = get(&client(), &server.url("/")).await.unwrap();
    assert_eq!((&answer.body[..], answer.cut), (&b"hello"[..], Some(BodyCut::Disconnect)));
}

#[tokio::test]
async fn rfc9112_a_length_that_is_too_short_is_believed_and_the_connection_is_not() {
    let server = liar::tells(5, "helloHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison", false).await;
    let client = client();
    for _ in 0..3 {
        let answer = get(&client, &server.url("/")).await.unwrap();
        assert_eq!((&answer.body[..], answer.cut), (&b"hello"[..], None));
    }
    assert_eq!(server.connections(), 3);
}

#[tokio::test]
async fn rfc9112_broken_chunks_keep_what_came_before() {
    for (rest, body, cut) in [
        ("0\r\n\r\n", "hello", None),
        ("5;name=value\r\nworld\r\n0\r\nX-Trailer: t\r\n\r\n", "helloworld", None),
        ("zz\r\nworld", "hello", Some(BodyCut::Damaged)),
        ("5\r\nworldXX", "helloworld", Some(BodyCut::Damaged)),
        ("fffffffffffffffff\r\nworld", "hello", Some(BodyCut::Damaged)),
        ("-1\r\nworld", "hello", Some(BodyCut::Damaged)),
        ("9\r\nworld", "helloworld", Some(BodyCut::Disconnect)),
        ("", "hello", Some(BodyCut::Disconnect)),
    ] {
        let server = chunks::breaks(rest).await;
        let answer = get(&client(), &server.url("/")).await.unwrap();
        assert_eq!((std::str::from_utf8(&answer.body).unwrap(), answer.cut), (body, cut), "{rest:?}");
        assert!(answer.is_chunked);
    }
}

#[tokio::test]
async fn ours_a_server_that_leaves_in_mid_body_is_a_disconnect() {
    for how in [Leaving::Close, Leaving::HalfClose, Leaving::Reset] {
        let server = leaver::leaves(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", how).await;
        let answer = get(&client(), &server.url("/")).await.unwrap();
        assert_eq!((&answer.body[..], answer.cut), (&b"hello"[..], Some(BodyCut::Disconnect)), "{how:?}");
    }
}

#[tokio::test]
async fn ours_a_bomb_stays_packed_here_and_meets_its_cap_in_the_archive() {
    let caps = trodden_archive::Caps { body_bytes: 1 << 20, ..trodden_archive::Caps::default() };
    for (coding, bomb) in [("gzip", bomb::gzip(64 << 20)), ("br", bomb::BROTLI.to_vec())] {
        assert!(bomb.len() < 100_000);
        let server = bomb::throws(coding, &bomb).await;
        let answer = get(&client(), &server.url("/")).await.unwrap();
        assert_eq!((answer.body.len(), answer.cut), (bomb.len(), None));
        let block = [&*answer.archived_head(), &answer.body].concat();
        let decoded = Response::parse(&block, &caps).unwrap().decoded(&caps);
        assert_eq!((decoded.body.len(), decoded.fault), (1 << 20, Some(BodyFault::TooLong)), "{coding}");
    }
}
