//! TLS: verified, always; and HTTP/2 over it.

use std::sync::Arc;
use std::time::Duration;

use trodden_fetch::client::{
    Ask, BodyCut, Client, ClientCaps, ClientSettings, FetchFault, Late, Times, TlsFault, Versions,
};
use trodden_fetch::dns::FixedResolver;

use super::zoo::tls::{Authority, self_signed};
use super::zoo::{Cage, drip, garbage, h2, plain, tls};
use super::{get, settings};

/// A client for which these names are on loopback, and which trusts this authority.
fn trusting(authority: &Authority, settings: ClientSettings) -> Client {
    let names = FixedResolver::new().with("a.example", [127, 0, 0, 1].into()).with("b.example", [127, 0, 0, 1].into());
    let resolver = Some(Arc::new(names) as _);
    Client::new(ClientSettings { resolver, extra_roots: vec![authority.pem()], ..settings }).unwrap()
}

fn url(server: &Cage) -> String {
    server.url_as("https", "a.example", "/")
}

#[tokio::test]
async fn rfc9110_a_certificate_must_be_of_this_name_of_today_and_signed_by_somebody() {
    let authority = Authority::new();
    for (identity, answer) in [
        (authority.signs("a.example"), Ok(200)),
        // A wildcard may not stand for the names of a whole top-level domain.
        (authority.signs("*.example"), Err(FetchFault::Tls(TlsFault::WrongName))),
        (authority.signs("b.example"), Err(FetchFault::Tls(TlsFault::WrongName))),
        (authority.signs("127.0.0.1"), Err(FetchFault::Tls(TlsFault::WrongName))),
        (authority.signed_long_ago("a.example"), Err(FetchFault::Tls(TlsFault::Expired))),
        (Authority::new().signs("a.example"), Err(FetchFault::Tls(TlsFault::UnknownIssuer))),
        (self_signed("a.example"), Err(FetchFault::Tls(TlsFault::UnknownIssuer))),
    ] {
        let server = tls::says(&identity, plain::PAGE).await;
        let client = trusting(&authority, settings());
        assert_eq!(get(&client, &url(&server)).await.map(|answer| answer.status), answer);
        assert_eq!(server.requests().len(), usize::from(answer.is_ok()), "no request goes to whom we do not know");
    }
}

#[tokio::test]
async fn ours_without_an_extra_root_nobody_here_is_trusted_and_der_will_do() {
    let authority = Authority::new();
    let server = tls::says(&authority.signs("127.0.0.1"), plain::PAGE).await;
    let url = format!("https://{}/", server.address);
    let client = Client::new(settings()).unwrap();
    assert_eq!(get(&client, &url).await, Err(FetchFault::Tls(TlsFault::UnknownIssuer)));
    let client = Client::new(ClientSettings { extra_roots: vec![authority.der()], ..settings() }).unwrap();
    let exchange = client.get(&Ask::new(&url)).await;
    assert_eq!(exchange.answer.unwrap().status, 200);
    assert_eq!(exchange.protocols, ["http/1.1", "tls/1.3"]);
    assert!(client.get(&Ask::new(&url)).await.reused);
}

#[tokio::test]
async fn ours_what_speaks_no_tls_is_a_fault_or_late() {
    let authority = Authority::new();
    let times = Times { tls: Duration::from_millis(300), ..Times::default() };
    let client = trusting(&authority, ClientSettings { times, ..settings() });
    let silent = drip::ignores().await;
    assert_eq!(get(&client, &url(&silent)).await, Err(FetchFault::TimeOut(Late::Tls)));
    let noisy = garbage::speaks_first(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    let client = trusting(&authority, settings());
    assert_eq!(get(&client, &url(&noisy)).await, Err(FetchFault::Tls(TlsFault::Other)));
}

#[tokio::test]
async fn rfc9113_http2_is_spoken_where_offered_and_one_connection_is_shared() {
    let authority = Authority::new();
    let server = h2::says(&authority.signs("a.example"), 1, vec![b'x'; 3 << 20]).await;
    let client = trusting(&authority, settings());
    let exchange = client.get(&Ask::new(&url(&server))).await;
    let answer = exchange.answer.unwrap();
    assert_eq!(exchange.protocols, ["h2", "tls/1.3"]);
    assert!(exchange.request.starts_with(b"GET / HTTP/1.1\r\nHost: a.example:"));
    assert!(answer.head.starts_with(b"HTTP/1.1 200 OK\r\nx-flood: a\r\n") && answer.head.ends_with(b"\r\n\r\n"));
    assert_eq!((answer.body.len(), answer.cut), (3 << 20, None));

    let (url, mut asking) = (url(&server), tokio::task::JoinSet::new());
    for _ in 0..8 {
        let (client, url) = (client.clone(), url.clone());
        asking.spawn(async move { client.get(&Ask { max_body: 1 << 20, ..Ask::new(&url) }).await });
    }
    for exchange in asking.join_all().await {
        assert!(exchange.reused);
        let answer = exchange.answer.unwrap();
        assert_eq!((answer.body.len(), answer.cut), (1 << 20, Some(BodyCut::Length)));
    }
    assert_eq!((server.connections(), client.idle()), (1, 1));
}

#[tokio::test]
async fn ours_http2_can_be_left_out_and_its_headers_are_bounded_too() {
    let authority = Authority::new();
    let server = h2::says(&authority.signs("a.example"), 600, vec![]).await;
    let client = trusting(&authority, settings());
    assert_eq!(get(&client, &url(&server)).await, Err(FetchFault::TooManyHeaders));
    let caps = ClientCaps { head_bytes: 1 << 10, ..ClientCaps::default() };
    let client = trusting(&authority, ClientSettings { caps, ..settings() });
    assert!(get(&client, &url(&server)).await.is_err());

    let server = tls::says(&authority.signs("a.example"), plain::PAGE).await;
    let client = trusting(&authority, ClientSettings { versions: Versions::Http1, ..settings() });
    assert_eq!(client.get(&Ask::new(&url(&server))).await.protocols, ["http/1.1", "tls/1.3"]);
}

#[tokio::test]
async fn rfc9113_a_shared_connection_that_died_is_replaced() {
    let authority = Authority::new();
    let end = Arc::new(tokio::sync::Notify::new());
    let server = h2::says_until(&authority.signs("a.example"), b"hello", end.clone()).await;
    let client = trusting(&authority, settings());
    for connections in 1..=3 {
        for _ in 0..2 {
            assert_eq!(&get(&client, &url(&server)).await.unwrap().body[..], b"hello");
        }
        assert_eq!(server.connections(), connections);
        end.notify_waiters();
    }
}
