//! Heads: kept to the byte, and bounded in length, count and time.

use std::time::Duration;

use trodden_archive::http::Response;
use trodden_fetch::client::{
    Ask, Client, ClientCaps, ClientSettings, Credentials, FetchFault, HeadFault, Late, Secret, Times, Validators,
};

use super::zoo::leaver::Leaving;
use super::zoo::{drip, flood, garbage, interim, leaver, plain};
use super::{client, get, settings};

#[tokio::test]
async fn warc11_a_head_is_kept_as_it_came_and_a_request_as_it_was_sent() {
    let head = b"HTTP/1.1 203  Odd  Reason\r\nX-B: 2\r\nx-a:1\r\nX-b:  3\t\r\nbad line\r\nSet-Cookie: \xe9\r\n\
                 Long: a\r\n b\r\nContent-Length : 2\n\r\n";
    let server = plain::says([&head[..], b"ok"].concat()).await;
    let exchange = client().get(&Ask::new(&server.url("/a?b=c|d"))).await;
    let answer = exchange.answer.unwrap();
    assert_eq!((answer.status, &answer.head[..], &answer.body[..]), (203, &head[..], &b"ok"[..]));
    assert_eq!(exchange.request, server.requests()[0]);
    assert!(exchange.request.starts_with(b"GET /a?b=c|d HTTP/1.1\r\nHost: 127.0.0.1:"));
    assert_eq!((exchange.protocols, exchange.address), (vec!["http/1.1"], Some(server.ip())));
    assert!(exchange.took.first_byte.unwrap() <= exchange.took.whole && exchange.took.dns.is_none());
}

#[tokio::test]
async fn warc11_a_chunked_answer_is_archived_with_a_head_that_agrees() {
    let wire = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
    let server = plain::says(wire).await;
    let answer = get(&client(), &server.url("/")).await.unwrap();
    assert_eq!(answer.head, wire.as_bytes()[..wire.find("3\r\nhel").unwrap()]);
    let kept = [&*answer.archived_head(), &answer.body].concat();
    let caps = trodden_archive::Caps::default();
    let read = Response::parse(&kept, &caps).unwrap();
    assert_eq!((&*read.decoded(&caps).body, read.decoded(&caps).fault), (&b"hello"[..], None));
    assert_eq!(read.headers.get("X-Crawler-Transfer-Encoding"), Some("chunked"));
    assert_eq!(read.headers.get("Content-Length"), Some("5"));
}

#[tokio::test]
async fn rfc9110_validators_are_sent_and_a_304_has_no_body() {
    let server = plain::says("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 99\r\n\r\n").await;
    let validators =
        Validators { etag: Some("W/\"1\"".into()), last_modified: Some("Sun, 06 Nov 1994 08:49:37 GMT".into()) };
    let (client, url) = (client(), server.url("/"));
    for _ in 0..2 {
        let answer = client.get(&Ask { validators: Some(&validators), ..Ask::new(&url) }).await.answer.unwrap();
        assert_eq!((answer.status, answer.body.len(), answer.cut), (304, 0, None));
    }
    assert_eq!(server.connections(), 1);
    let request = String::from_utf8(server.requests()[0].clone()).unwrap();
    assert!(request.contains("\r\nIf-None-Match: W/\"1\"\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n"));
}

#[tokio::test]
async fn ours_secrets_are_sent_and_not_kept() {
    let server = plain::says(plain::PAGE).await;
    let mut settings = settings();
    settings.headers.push(("X-Key".into(), Secret::new("k3y")));
    let credentials = Credentials::Basic { user: "u".into(), password: Secret::new("p4ss") };
    settings.credentials.insert(server.url(""), credentials);
    assert!(!format!("{settings:?}").contains("p4ss"));
    let exchange = Client::new(settings).unwrap().get(&Ask::new(&server.url("/"))).await;
    let sent = String::from_utf8(server.requests()[0].clone()).unwrap();
    assert!(sent.contains("\r\nX-Key: k3y\r\nAuthorization: Basic dTpwNHNz\r\n"), "{sent}");
    let kept = String::from_utf8(exchange.request).unwrap();
    assert!(kept.contains("\r\nX-Key: ***\r\nAuthorization: ***\r\n"), "{kept}");
}

#[tokio::test]
async fn ours_a_flood_of_headers_is_told_by_bytes_and_by_count() {
    let server = flood::headers(b"X-Flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n").await;
    let caps = |head_bytes, header_count| ClientCaps { head_bytes, header_count, ..ClientCaps::default() };
    let with = |caps| Client::new(ClientSettings { caps, ..settings() }).unwrap();
    let asked = get(&with(caps(1 << 14, usize::MAX - 1)), &server.url("/")).await;
    assert_eq!(asked, Err(FetchFault::HeadTooLong));
    assert_eq!(get(&with(caps(1 << 30, 200)), &server.url("/")).await, Err(FetchFault::TooManyHeaders));

    let one_line = flood::headers(b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").await;
    assert_eq!(get(&client(), &one_line.url("/")).await, Err(FetchFault::HeadTooLong));

    for (count, status) in [(511, Ok(200)), (512, Err(FetchFault::TooManyHeaders))] {
        let server = flood::so_many_headers(count).await;
        assert_eq!(get(&client(), &server.url("/")).await.map(|answer| answer.status), status);
    }
}

#[tokio::test]
async fn ours_a_head_that_drips_or_does_not_come_is_late() {
    let times = Times { first_byte: Duration::from_secs(1), ..Times::default() };
    let client = Client::new(ClientSettings { times, ..settings() }).unwrap();
    let dripping = drip::drips(b"HTTP/1.1 200 OK\r\nX-", Duration::from_millis(10)).await;
    assert_eq!(get(&client, &dripping.url("/")).await, Err(FetchFault::TimeOut(Late::Head)));
    let silent = drip::falls_silent(b"").await;
    assert_eq!(get(&client, &silent.url("/")).await, Err(FetchFault::TimeOut(Late::FirstByte)));
    let times = Times { whole: Duration::from_millis(300), ..Times::default() };
    let client = Client::new(ClientSettings { times, ..settings() }).unwrap();
    assert_eq!(get(&client, &silent.url("/")).await, Err(FetchFault::TimeOut(Late::Whole)));
}

#[tokio::test]
async fn ours_what_is_no_http_is_told_at_once() {
    for noise in garbage::NOISES {
        let server = garbage::says(noise).await;
        let not_http = Err(FetchFault::Malformed(HeadFault::NotHttp));
        assert_eq!(get(&client(), &server.url("/")).await, not_http, "{noise:?}");
    }
    for odd in [
        "HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 99999 x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
    ] {
        let server = plain::says(odd).await;
        let malformed = Err(FetchFault::Malformed(HeadFault::Http1));
        assert_eq!(get(&client(), &server.url("/")).await, malformed, "{odd:?}");
    }
}

#[tokio::test]
async fn ours_a_server_that_speaks_first_gets_no_answer_believed() {
    let server = garbage::speaks_first(b"SSH-2.0-x\r\n").await;
    let fault = get(&client(), &server.url("/")).await.unwrap_err();
    assert!(matches!(fault, FetchFault::Malformed(_) | FetchFault::Disconnected), "{fault:?}");
}

#[tokio::test]
async fn rfc9110_interim_answers_are_passed_over_and_bounded() {
    let server = interim::says(8).await;
    let answer = get(&client(), &server.url("/")).await.unwrap();
    assert_eq!((answer.status, &answer.body[..]), (200, &b"hello"[..]));
    assert_eq!([&answer.head[..], &answer.body].concat(), plain::PAGE);
    for flood in [9, 100_000] {
        let server = interim::says(flood).await;
        assert_eq!(get(&client(), &server.url("/")).await, Err(FetchFault::TooManyInterim));
    }
}

#[tokio::test]
async fn ours_a_server_that_leaves_before_the_head_is_whole_is_a_disconnect() {
    for how in [Leaving::Close, Leaving::HalfClose, Leaving::Reset] {
        for said in [&b""[..], b"HTTP/1.1 200 OK\r\nContent-"] {
            let server = leaver::leaves(said, how).await;
            assert_eq!(get(&client(), &server.url("/")).await, Err(FetchFault::Disconnected), "{how:?}");
            assert_eq!(server.connections(), 1, "only what goes into an idle connection is sent again");
        }
    }
}
