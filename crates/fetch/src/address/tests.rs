//! Which addresses may be asked? By the registries, and by what an operator allows.

use super::*;

fn kind(address: &str) -> AddressKind {
    AddressKind::of(address.parse().unwrap())
}

#[test]
fn iana_special_addresses_are_told_by_kind_at_both_ends_of_each_network() {
    use AddressKind as Kind;
    for (kind_of, addresses) in [
        (Kind::Unspecified, &["0.0.0.0", "0.255.255.255", "::"][..]),
        (Kind::Loopback, &["127.0.0.1", "127.255.255.255", "::1"]),
        (
            Kind::Private,
            &["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.9"],
        ),
        (Kind::Shared, &["100.64.0.0", "100.127.255.255"]),
        (Kind::LinkLocal, &["169.254.169.254", "fe80::1", "febf:ffff::1"]),
        (Kind::UniqueLocal, &["fc00::", "fdff:ffff::1", "fec0::1", "feff::1"]),
        (Kind::Multicast, &["224.0.0.1", "239.255.255.255", "ff02::1"]),
        (Kind::Broadcast, &["255.255.255.255"]),
        (Kind::Documentation, &["192.0.2.1", "198.51.100.1", "203.0.113.255", "2001:db8::1", "3fff:fff::1"]),
        (Kind::Benchmarking, &["198.18.0.0", "198.19.255.255", "2001:2::1"]),
        (Kind::Protocol, &["192.0.0.1", "192.88.99.1", "2001:20::1", "2001:1ff::1"]),
        (Kind::Reserved, &["240.0.0.0", "255.255.255.254", "100::1", "64:ff9b:1::1", "4000::1", "5f00::1", "1::1"]),
        (Kind::Mapped, &["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::2"]),
        (Kind::Platform, &["168.63.129.16"]),
        (Kind::Public, &["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.0.1"]),
        (Kind::Public, &["172.32.0.1", "192.0.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "2606:4700::1"]),
        (Kind::Public, &["2001:200::1", "2001:4860::8888", "3fff:1000::1", "2a00::1"]),
    ] {
        for address in addresses {
            assert_eq!(kind(address), kind_of, "{address}");
        }
    }
}

#[test]
fn ours_an_address_that_carries_another_is_of_the_kind_it_carries() {
    use AddressKind as Kind;
    for (address, kind_of) in [
        ("64:ff9b::10.0.0.1", Kind::Private),
        ("64:ff9b::8.8.8.8", Kind::Public),
        ("2002:7f00:1::", Kind::Loopback),
        ("2002:a9fe:a9fe::1", Kind::LinkLocal),
        ("2002:808:808::1", Kind::Public),
        // Teredo: server 8.8.8.8 and client 192.168.0.1 turned over; then a server in a private network.
        ("2001:0:808:808::3f57:fffe", Kind::Private),
        ("2001:0:808:808::f7f7:f7f7", Kind::Public),
        ("2001:0:a00:1::f7f7:f7f7", Kind::Private),
    ] {
        assert_eq!(kind(address), kind_of, "{address}");
    }
}

#[test]
fn ours_private_means_own_networks_and_not_the_keys_of_a_cloud() {
    let guard = Guard::with_private();
    for address in ["127.0.0.1", "::1", "10.1.2.3", "192.168.1.1", "100.64.0.1", "fd00::1", "8.8.8.8"] {
        assert_eq!(guard.check(address.parse().unwrap()), Ok(()), "{address}");
    }
    for address in ["169.254.169.254", "fe80::1", "0.0.0.0", "224.0.0.1", "::ffff:127.0.0.1", "255.255.255.255"] {
        assert!(guard.check(address.parse().unwrap()).is_err(), "{address}");
    }
}

#[test]
fn ours_named_networks_are_let_through_or_denied_and_denial_wins() {
    let guard = Guard {
        allowed: vec!["169.254.1.0/24".parse().unwrap(), "9.9.9.0/24".parse().unwrap()],
        denied: vec!["9.9.9.9/32".parse().unwrap(), "8.0.0.0/8".parse().unwrap()],
        ..Guard::default()
    };
    let of = |address: &str| guard.check(address.parse().unwrap()).map_err(|refused| refused.kind);
    assert_eq!(of("169.254.1.7"), Ok(()));
    assert_eq!(of("169.254.2.7"), Err(AddressKind::LinkLocal));
    assert_eq!(of("9.9.9.8"), Ok(()));
    assert_eq!(of("9.9.9.9"), Err(AddressKind::Denied));
    assert_eq!(of("8.8.8.8"), Err(AddressKind::Denied));
}

#[test]
fn whatwg_odd_spellings_of_loopback_are_loopback_before_the_guard_sees_them() {
    let canonicalizer = trodden_urls::Canonicalizer::default();
    for host in [
        "2130706433",
        "0177.0.0.1",
        "0x7f.0.0.1",
        "0x7f000001",
        "127.1",
        "127.0.1",
        "017700000001",
        "127.0.0.1.",
        "１２７.０.０.１",
        "%31%32%37.0.0.1",
        "127。0。0。1",
    ] {
        let raw = format!("http://{host}/");
        let url = canonicalizer.absolute(raw.as_bytes()).unwrap();
        assert_eq!(url.host(), "127.0.0.1", "{host}");
    }
    for host in ["[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:7f00:1]", "[::ffff:127.0.0.1]"] {
        let raw = format!("http://{host}/");
        let url = canonicalizer.absolute(raw.as_bytes()).unwrap();
        let address = url.host().trim_matches(['[', ']']).parse().unwrap();
        assert!(Guard::default().check(address).is_err(), "{host}");
    }
}

#[test]
fn whatwg_bad_ports_are_in_order_and_those_of_the_web_are_not_among_them() {
    assert!(BAD_PORTS.is_sorted());
    for port in [22, 25, 6667, 10_080] {
        assert!(is_bad_port(port));
    }
    for port in [80, 443, 8080, 8443, 3000, 65_535] {
        assert!(!is_bad_port(port));
    }
}
