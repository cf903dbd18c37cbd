//! Addresses: only those that the guard let through, and of those, one that answers.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use trodden_fetch::address::{AddressKind, Guard};
use trodden_fetch::client::{Client, ClientSettings, ConnectFault, FetchFault, Times};
use trodden_fetch::dns::{DnsFault, DnsSettings, FixedResolver, Resolve, SystemResolver};

use super::zoo::names::{Fickle, Mute, NameServer};
use super::zoo::{Cage, hole, plain};
use super::{client, get, settings};

const A: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));
const B: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 3));

fn with(resolver: Arc<dyn Resolve>, settings: ClientSettings) -> Client {
    Client::new(ClientSettings { resolver: Some(resolver), ..settings }).unwrap()
}

/// Why a request was refused.
fn kind<T>(asked: &Result<T, FetchFault>) -> Option<AddressKind> {
    match asked {
        Err(FetchFault::AddressRefused(refused)) => Some(refused.kind),
        _ => None,
    }
}

#[tokio::test]
async fn ours_loopback_is_not_asked_however_it_is_spelled() {
    let server = plain::says(plain::PAGE).await;
    let port = server.address.port();
    let names = FixedResolver::new().with("evil.example", server.ip());
    let client = with(Arc::new(names), ClientSettings::new("test"));
    for host in
        ["127.0.0.1", "2130706433", "0177.0.0.1", "0x7f.1", "127.1", "[::1]", "[::ffff:127.0.0.1]", "evil.example"]
    {
        let kind = kind(&get(&client, &format!("http://{host}:{port}/")).await);
        let is_refused = matches!(kind, Some(AddressKind::Loopback | AddressKind::Mapped));
        assert!(is_refused, "{host}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn ours_a_redirect_to_a_private_address_ends_at_the_guard() {
    let server =
        plain::says("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/keys\r\nContent-Length: 0\r\n\r\n").await;
    let client = client();
    let answer = get(&client, &server.url("/")).await.unwrap();
    assert_eq!(answer.status, 302);
    assert_eq!(kind(&get(&client, answer.header("location").unwrap()).await), Some(AddressKind::LinkLocal));
}

#[tokio::test]
async fn ours_a_name_that_changes_between_check_and_connection_gains_nothing() {
    let good = plain::says_at("127.0.0.2:0", plain::PAGE).await;
    let victim = plain::says_at(&format!("127.0.0.3:{}", good.address.port()), plain::PAGE).await;
    let guard = Guard { allowed: vec!["127.0.0.2/32".parse().unwrap()], ..Guard::default() };
    let names = Arc::new(Fickle::new(&[&[A], &[B]]));
    let client = with(names.clone(), ClientSettings { guard, ..settings() });
    let url = good.url_as("http", "fickle.example", "/");
    assert!(get(&client, &url).await.is_ok());
    assert_eq!((names.asked(), good.connections()), (1, 1), "asked once, and that answer was used");
    client.close_idle();
    assert_eq!(kind(&get(&client, &url).await), Some(AddressKind::Loopback));
    assert_eq!((names.asked(), good.connections(), victim.connections()), (2, 1, 0));
}

#[tokio::test]
async fn ours_of_several_addresses_those_that_may_not_be_asked_are_left_out() {
    let victim = plain::says_at("127.0.0.3:0", plain::PAGE).await;
    let good = plain::says_at(&format!("127.0.0.2:{}", victim.address.port()), plain::PAGE).await;
    let guard = Guard { allowed: vec!["127.0.0.2/32".parse().unwrap()], ..Guard::default() };
    let names = FixedResolver::new().with("a.example", B).with("a.example", A);
    let client = with(Arc::new(names), ClientSettings { guard, ..settings() });
    assert!(get(&client, &good.url_as("http", "a.example", "/")).await.is_ok());
    assert_eq!(victim.connections(), 0);
}

#[tokio::test]
async fn rfc8305_a_dead_address_costs_a_moment_and_not_the_request() {
    let hole = hole::dig("127.0.0.2:0").await;
    let good = plain::says_at(&format!("127.0.0.3:{}", hole.address.port()), plain::PAGE).await;
    let times = Times { attempt_delay: Duration::from_millis(50), ..Times::default() };
    let names = FixedResolver::new().with("a.example", A).with("a.example", B);
    let client = with(Arc::new(names), ClientSettings { times, ..settings() });
    let url = good.url_as("http", "a.example", "/");
    let exchange = client.get(&trodden_fetch::client::Ask::new(&url)).await;
    assert_eq!(exchange.answer.unwrap().status, 200);
    assert_eq!(exchange.address, Some(B));

    let times = Times { connect: Duration::from_millis(300), ..Times::default() };
    let client = Client::new(ClientSettings { times, ..settings() }).unwrap();
    let asked = get(&client, &format!("http://{}/", hole.address)).await;
    assert_eq!(asked, Err(FetchFault::Connect(ConnectFault::Timeout)));
}

#[tokio::test]
async fn rfc8305_the_other_family_is_tried_where_one_does_not_answer() {
    let v4 = plain::says(plain::PAGE).await;
    let loopback_v6: IpAddr = "::1".parse().unwrap();
    let names = FixedResolver::new().with("a.example", loopback_v6).with("a.example", v4.ip());
    let client = with(Arc::new(names), settings());
    assert!(get(&client, &v4.url_as("http", "a.example", "/")).await.is_ok());
}

#[tokio::test]
async fn rfc8305_a_server_with_ipv6_only_is_reached() {
    if tokio::net::TcpListener::bind("[::1]:0").await.is_err() {
        trodden_testing::skip("this machine has no IPv6 loopback");
        return;
    }
    let loopback_v6: IpAddr = "::1".parse().unwrap();
    let v6: Cage = plain::says_at("[::1]:0", plain::PAGE).await;
    let names = FixedResolver::new().with("six.example", loopback_v6);
    let client = with(Arc::new(names), settings());
    let url = v6.url_as("http", "six.example", "/");
    let exchange = client.get(&trodden_fetch::client::Ask::new(&url)).await;
    assert_eq!((exchange.answer.unwrap().status, exchange.address), (200, Some(loopback_v6)));
    assert!(get(&client, &v6.url("/")).await.is_ok());
}

#[tokio::test]
async fn ours_names_without_an_answer_and_ports_without_a_server_are_told() {
    let client = with(Arc::new(FixedResolver::new()), settings());
    assert_eq!(get(&client, "http://nowhere.example/").await, Err(FetchFault::Dns(DnsFault::NotFound)));
    let times = Times { dns: Duration::from_millis(200), ..Times::default() };
    let mute = with(Arc::new(Mute), ClientSettings { times, ..settings() });
    assert_eq!(get(&mute, "http://nowhere.example/").await, Err(FetchFault::Dns(DnsFault::Timeout)));
    let address = plain::says(plain::PAGE).await.address;
    // The cage is gone; its port is free, or taken by a test that speaks no HTTP to us.
    tokio::task::yield_now().await;
    let fault = get(&client, &format!("http://{address}/")).await.err().map(FetchFault::name);
    assert!(matches!(fault, Some("connect-refused" | "disconnected")), "{fault:?}");
    assert_eq!(get(&client, "http://a.example:22/").await, Err(FetchFault::BadPort(22)));
    assert_eq!(get(&client, "gopher://a.example/").await, Err(FetchFault::BadUrl));
}

#[tokio::test]
async fn rfc2308_answers_and_their_absence_are_kept_at_least_for_the_floor() {
    let names = NameServer::new().await;
    let settings = DnsSettings { servers: vec![names.address], ..DnsSettings::default() };
    let resolver = SystemResolver::new(&settings).unwrap();
    for _ in 0..3 {
        assert_eq!(resolver.resolve("a.example").await, Ok(vec![IpAddr::from([127, 0, 0, 1])]));
        assert_eq!(resolver.resolve("none.example").await, Err(DnsFault::NotFound));
    }
    assert_eq!((names.asked("a.example"), names.asked("none.example")), (2, 2), "once for each family");
    assert_eq!(resolver.resolve("broken.example").await, Err(DnsFault::Failed));
    let question_time = Duration::from_millis(200);
    let hasty = SystemResolver::new(&DnsSettings { question_time, ..settings }).unwrap();
    assert_eq!(hasty.resolve("mute.example").await, Err(DnsFault::Timeout));
}

#[tokio::test]
async fn ours_the_hosts_file_is_read_and_what_it_says_meets_the_guard() {
    let server = plain::says(plain::PAGE).await;
    let url = server.url_as("http", "localhost", "/");
    assert!(get(&client(), &url).await.is_ok());
    let guarded = Client::new(ClientSettings::new("test")).unwrap();
    assert_eq!(kind(&get(&guarded, &url).await), Some(AddressKind::Loopback));
}
