//! Proxies: tunnels for https, whole URLs for http.

use trodden_fetch::address::AddressKind;
use trodden_fetch::client::{Ask, Client, ClientSettings, FetchFault, ProxyFault, Secret};

use super::zoo::tls::Authority;
use super::zoo::{Cage, garbage, plain, proxy, tls};
use super::{get, settings};

fn through(proxy: &Cage, settings: ClientSettings) -> Client {
    let url = format!("http://me:p4ss@{}", proxy.address);
    Client::new(ClientSettings { proxy: Some(Secret::new(&url)), ..settings }).unwrap()
}

#[tokio::test]
async fn rfc9110_https_goes_through_a_tunnel_and_is_verified_at_its_end() {
    let authority = Authority::new();
    let server = tls::says(&authority.signs("a.example"), plain::PAGE).await;
    let proxy = proxy::tunnels_to(server.address).await;
    let client = through(&proxy, ClientSettings { extra_roots: vec![authority.pem()], ..settings() });
    // The name is not resolved by us: there is no such name.
    let exchange = client.get(&Ask::new("https://a.example/x")).await;
    assert_eq!(&exchange.answer.unwrap().body[..], b"hello");
    assert_eq!(exchange.address, Some(proxy.ip()));
    let connect =
        b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\nProxy-Authorization: Basic bWU6cDRzcw==\r\n\r\n";
    assert_eq!(proxy.requests(), [connect.to_vec()]);
    assert!(server.requests()[0].starts_with(b"GET /x HTTP/1.1\r\nHost: a.example\r\n"));
    assert!(!String::from_utf8_lossy(&server.requests()[0]).contains("Proxy"));
    assert!(get(&client, "https://b.example/").await.is_err(), "the server at the other end is another");
}

#[tokio::test]
async fn rfc9112_http_is_given_to_the_proxy_as_a_whole_url() {
    let proxy = proxy::tunnels_to(([127, 0, 0, 1], 9).into()).await;
    let client = through(&proxy, settings());
    let exchange = client.get(&Ask::new("http://a.example/x?y")).await;
    assert_eq!(&exchange.answer.unwrap().body[..], b"hello");
    let sent = String::from_utf8(proxy.requests()[0].clone()).unwrap();
    assert!(sent.starts_with("GET http://a.example/x?y HTTP/1.1\r\nHost: a.example\r\n"), "{sent}");
    assert!(sent.contains("\r\nProxy-Authorization: Basic bWU6cDRzcw==\r\n"));
    assert!(!String::from_utf8(exchange.request).unwrap().contains("Proxy"));
}

#[tokio::test]
async fn ours_plain_pages_of_all_hosts_share_connections_to_the_proxy_and_tunnels_do_not() {
    let authority = Authority::new();
    let server = tls::says(&authority.signs("h1.example"), plain::PAGE).await;
    let proxy = proxy::tunnels_to(server.address).await;
    let client = through(&proxy, ClientSettings { extra_roots: vec![authority.pem()], ..settings() });
    for n in 1..5 {
        let url = format!("http://h{n}.example/");
        let exchange = client.get(&Ask::new(&url)).await;
        assert_eq!((exchange.answer.is_ok(), exchange.reused), (true, n > 1), "{url}");
    }
    assert_eq!((proxy.connections(), client.idle()), (1, 1));
    // A tunnel leads to one host, and is no connection for plain pages of the same.
    assert!(get(&client, "https://h1.example/").await.is_ok());
    assert!(get(&client, "http://h1.example/").await.is_ok());
    assert_eq!((proxy.connections(), client.idle()), (2, 2));
    // More than an origin would be allowed are kept.
    let urls: Vec<String> = (0..6).map(|n| format!("http://g{n}.example/")).collect();
    let asks: Vec<Ask<'_>> = urls.iter().map(|url| Ask::new(url)).collect();
    let got = futures_util::future::join_all(asks.iter().map(|ask| client.get(ask))).await;
    assert!(got.iter().all(|exchange| exchange.answer.is_ok()));
    assert_eq!(client.idle(), 7);
}

#[tokio::test]
async fn ours_a_proxy_is_not_asked_for_private_addresses_that_stand_in_urls() {
    let proxy = proxy::tunnels_to(([127, 0, 0, 1], 9).into()).await;
    let client = through(&proxy, ClientSettings::new("test"));
    for url in ["http://127.0.0.1:8080/", "https://169.254.169.254/", "http://[fd00::1]/"] {
        let fault = get(&client, url).await.unwrap_err();
        assert!(matches!(fault, FetchFault::AddressRefused(refused) if refused.kind != AddressKind::Public));
    }
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn ours_what_a_proxy_does_wrong_is_its_own_fault() {
    for (answer, fault) in [
        (&b"HTTP/1.1 407 Authenticate\r\nContent-Length: 2\r\n\r\nno"[..], ProxyFault::Refused(407)),
        (b"HTTP/1.1 502 No\r\n\r\n", ProxyFault::Refused(502)),
        (b"HTTP/1.1 200 OK\r\n\r\nbytes too soon", ProxyFault::Malformed),
        (b"nonsense\r\n\r\n", ProxyFault::Malformed),
    ] {
        let proxy = proxy::refuses(answer).await;
        assert_eq!(get(&through(&proxy, settings()), "https://a.example/").await, Err(FetchFault::Proxy(fault)));
    }
    let silent = garbage::says(b"").await;
    let times =
        trodden_fetch::client::Times { first_byte: std::time::Duration::from_millis(300), ..Default::default() };
    let client = through(&silent, ClientSettings { times, ..settings() });
    assert_eq!(get(&client, "https://a.example/").await.unwrap_err().name(), "timeout-proxy");
}
