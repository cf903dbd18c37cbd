//! Which address is tried first? IPv6 and IPv4 in turn (RFC 8305 §4), so that one dead family costs one attempt.

use std::net::IpAddr;

/// Puts addresses in the order of trying, each once, IPv6 first, and no more than `most`.
pub(crate) fn interleave(addresses: &[IpAddr], most: usize) -> Vec<IpAddr> {
    let (v6, v4): (Vec<IpAddr>, Vec<IpAddr>) = addresses.iter().partition(|address| address.is_ipv6());
    let (mut v6, mut v4) = (v6.into_iter(), v4.into_iter());
    let mut order = Vec::with_capacity(addresses.len().min(most));
    loop {
        let pair = [v6.next(), v4.next()];
        if pair == [None, None] {
            return order;
        }
        for address in pair.into_iter().flatten() {
            if order.len() < most && !order.contains(&address) {
                order.push(address);
            }
        }
        if order.len() == most {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc8305_families_take_turns() {
        let of = |text: &str| -> Vec<IpAddr> { text.split_whitespace().map(|a| a.parse().unwrap()).collect() };
        assert_eq!(interleave(&of("1.1.1.1 1.1.1.2 ::1 1.1.1.1 ::2 ::3"), 9), of("::1 1.1.1.1 ::2 1.1.1.2 ::3"));
        assert_eq!(interleave(&of("1.1.1.1 1.1.1.2 ::1"), 2), of("::1 1.1.1.1"));
        assert_eq!(interleave(&[], 9), Vec::<IpAddr>::new());
        assert_eq!(interleave(&of("1.1.1.1"), 0), Vec::<IpAddr>::new());
    }
}
