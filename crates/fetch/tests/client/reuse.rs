//! Connections: kept, bounded, shared, and asked again when they died in their sleep.

use std::time::Duration;

use trodden_fetch::client::{Ask, Client, ClientSettings, FetchFault, IdleCaps};

use super::zoo::leaver::Leaving;
use super::zoo::{leaver, plain, tired};
use super::{client, get, settings};

#[tokio::test]
async fn rfc9112_a_connection_is_used_again() {
    let server = plain::says(plain::PAGE).await;
    let client = client();
    for n in 0..5 {
        let exchange = client.get(&Ask::new(&server.url("/"))).await;
        assert_eq!(&exchange.answer.unwrap().body[..], b"hello");
        assert_eq!((exchange.reused, exchange.took.connect.is_none()), (n > 0, n > 0));
    }
    assert_eq!((server.connections(), client.idle()), (1, 1));
    client.close_idle();
    assert_eq!(client.idle(), 0);
}

#[tokio::test]
async fn rfc9112_a_server_that_wants_to_close_is_let_go() {
    for answer in [
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ] {
        let server = plain::says(answer).await;
        let client = client();
        for _ in 0..2 {
            let exchange = client.get(&Ask::new(&server.url("/"))).await;
            assert_eq!(exchange.protocols, [if answer.starts_with("HTTP/1.0") { "http/1.0" } else { "http/1.1" }]);
            assert_eq!(&exchange.answer.unwrap().body[..], b"ok");
        }
        assert_eq!((server.connections(), client.idle()), (2, 0));
    }
}

#[tokio::test]
async fn ours_a_connection_that_dies_on_reuse_is_asked_once_more_elsewhere() {
    let server = tired::answers_once().await;
    let client = client();
    for _ in 0..4 {
        assert_eq!(&get(&client, &server.url("/")).await.unwrap().body[..], b"hello");
    }
    let server = tired::never_again().await;
    assert!(get(&client, &server.url("/")).await.is_ok());
    assert_eq!(get(&client, &server.url("/")).await, Err(FetchFault::Disconnected));
    assert!(server.requests().len() <= 3, "once on the idle connection and once on a fresh one");
}

#[tokio::test]
async fn ours_a_server_that_half_closes_after_a_whole_answer_has_answered() {
    let server = leaver::leaves(plain::PAGE, Leaving::HalfClose).await;
    let client = client();
    for _ in 0..2 {
        assert_eq!(&get(&client, &server.url("/")).await.unwrap().body[..], b"hello");
    }
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn ours_idle_connections_are_bounded_by_origin_in_all_and_in_time() {
    let servers = [plain::says(plain::PAGE).await, plain::says(plain::PAGE).await, plain::says(plain::PAGE).await];
    let with = |idle| Client::new(ClientSettings { idle, ..settings() }).unwrap();
    let client = with(IdleCaps { per_origin: 2, overall: 3, time: Duration::from_secs(600) });
    let url = servers[0].url("/");
    let ask = Ask::new(&url);
    let _ = tokio::join!(client.get(&ask), client.get(&ask), client.get(&ask), client.get(&ask));
    assert_eq!(client.idle(), 2);
    for server in &servers[1..] {
        get(&client, &server.url("/")).await.unwrap();
    }
    assert_eq!(client.idle(), 3);

    let client = with(IdleCaps { time: Duration::ZERO, ..IdleCaps::default() });
    get(&client, &url).await.unwrap();
    assert_eq!(client.idle(), 0);
}

#[tokio::test]
async fn ours_a_request_that_is_given_up_takes_its_connection_along() {
    let server = super::zoo::drip::falls_silent(b"").await;
    let client = client();
    let url = server.url("/");
    let ask = Ask::new(&url);
    assert!(tokio::time::timeout(Duration::from_millis(300), client.get(&ask)).await.is_err());
    assert_eq!(client.idle(), 0);
}
