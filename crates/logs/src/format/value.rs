//! Small readings that every format shares: the empty dash, a status, the first address of a list.

use std::net::IpAddr;

use super::entry::{LineFault, NO_ANSWER};

/// `-` means that there is nothing.
#[inline]
pub(super) fn dash(field: &[u8]) -> &[u8] {
    if field == b"-" { &[] } else { field }
}

/// A three-digit status. A dash is "the log does not say"; `000` and Squid's `0` are [`NO_ANSWER`].
#[inline]
pub(super) fn status(field: &[u8]) -> Result<u16, LineFault> {
    if let [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] = *field {
        return Ok(u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0'));
    }
    match field {
        b"" | b"-" => Ok(0),
        b"0" | b"000" => Ok(NO_ANSWER),
        _ => Err(LineFault::BadStatus),
    }
}

/// The first address of an X-Forwarded-For list, without port or brackets; empty if there is none.
///
/// `unknown` and the obfuscated names that RFC 7239 allows are passed over.
pub(super) fn first_address(list: &[u8]) -> &[u8] {
    if dash(list).is_empty() {
        return &[];
    }
    list.split(|&byte| byte == b',')
        .map(|item| without_port(item.trim_ascii()))
        .find(|item| is_address(item))
        .unwrap_or_default()
}

/// The first address of a field of unknown meaning, if every item of it is an address or `unknown`.
///
/// Stricter than [`first_address`]: an item with a port is an upstream server, not a client.
pub(super) fn address_list(field: &[u8]) -> &[u8] {
    let mut first: &[u8] = &[];
    for item in field.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
        if is_address(item) {
            if first.is_empty() {
                first = item;
            }
        } else if item != b"unknown" {
            return &[];
        }
    }
    first
}

/// The address of a peer, without the port that some servers write behind it.
pub(super) fn peer(field: &[u8]) -> &[u8] {
    let bare = without_port(field);
    if is_address(bare) { bare } else { field }
}

/// `192.0.2.1:80`, `[2001:db8::1]:80` and `[2001:db8::1]` without the trimmings.
fn without_port(item: &[u8]) -> &[u8] {
    if let Some(inner) = item.strip_prefix(b"[") {
        let end = memchr::memchr(b']', inner).unwrap_or(inner.len());
        return &inner[..end];
    }
    match memchr::memchr(b':', item) {
        Some(colon) if memchr::memrchr(b':', item) == Some(colon) => &item[..colon],
        _ => item,
    }
}

/// Whether the bytes are an IPv4 or IPv6 address and nothing else.
fn is_address(item: &[u8]) -> bool {
    /// The longest IPv6 address in text, with an embedded IPv4 one.
    const LONGEST: usize = 45;
    (2..=LONGEST).contains(&item.len())
        && item.iter().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':'))
        && std::str::from_utf8(item).is_ok_and(|text| text.parse::<IpAddr>().is_ok())
}

/// What a port says of the scheme.
pub(super) fn https_by_port(port: &[u8]) -> Option<bool> {
    match port {
        b"443" => Some(true),
        b"80" => Some(false),
        _ => None,
    }
}

/// What a scheme name says.
pub(super) fn https_by_scheme(scheme: &[u8]) -> Option<bool> {
    if scheme.eq_ignore_ascii_case(b"https") || scheme.eq_ignore_ascii_case(b"wss") {
        Some(true)
    } else if scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"ws") {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_status_has_three_digits() {
        assert_eq!(status(b"200"), Ok(200));
        assert_eq!(status(b"-"), Ok(0));
        assert_eq!(status(b"000"), Ok(NO_ANSWER));
        for bad in [&b"20"[..], b"2000", b"2x0", b"099", b" 200"] {
            assert_eq!(status(bad), Err(LineFault::BadStatus));
        }
    }

    #[test]
    fn ours_the_first_address_of_a_list() {
        assert_eq!(first_address(b"192.0.2.1, 198.51.100.7"), b"192.0.2.1");
        assert_eq!(first_address(b"unknown, 2001:db8::1"), b"2001:db8::1");
        assert_eq!(first_address(b"192.0.2.1:4711"), b"192.0.2.1");
        assert_eq!(first_address(b"[2001:db8::1]:4711"), b"2001:db8::1");
        for none in [&b""[..], b"-", b"unknown", b"192.0.2", b"999.0.0.1"] {
            assert_eq!(first_address(none), b"");
        }
    }

    #[test]
    fn ours_a_trailing_field_with_a_port_is_no_client() {
        assert_eq!(address_list(b"192.0.2.1, 10.0.0.1"), b"192.0.2.1");
        assert_eq!(address_list(b"127.0.0.1:8080"), b"");
        assert_eq!(address_list(b"0.003"), b"");
        assert_eq!(address_list(b"-"), b"");
    }
}
